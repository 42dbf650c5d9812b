//! `verify` called the one column of a RedElm file whose rows have no fields unknown to the schema.

use serde::Serialize;
use trevni::verify::Verify;
use trevni::{Dialect, Reader, Writer};

#[derive(Serialize)]
struct Nothing {}

#[test]
fn rows_without_fields_are_whole_in_all_formats() {
    for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
        let mut writer = Writer::builder().dialect(dialect).build(Vec::new()).unwrap();
        writer.write_all([Nothing {}, Nothing {}]).unwrap();
        let file = writer.finish().unwrap();
        assert_eq!(Reader::from_slice(&file).unwrap().row_count(), 2);
        let report = Verify::new().source(file).unwrap();
        assert!(report.is_ok(), "{dialect:?}: {report:?}");
    }
}
