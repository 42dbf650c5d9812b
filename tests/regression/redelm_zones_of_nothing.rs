//! RedElm: zone maps took what is nothing for values where a later row of the row group showed that it is optional; filters lost
//! rows or gave wrong ones. Found by fuzzing.

use serde::{Deserialize, Serialize};
use trevni::verify::Verify;
use trevni::{Dialect, Reader, Writer, col};

#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
struct Row {
    id: i32,
    flag: Option<bool>,
}

#[test]
fn what_is_nothing_is_no_value() {
    let rows: Vec<Row> = (0..30).map(|id| Row { id, flag: (id == 29).then_some(false) }).collect();
    for batch_rows in [1, 7, 29, 4096] {
        let options = Writer::builder().dialect(Dialect::RedElm).batch_rows(batch_rows);
        let mut writer = options.build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let bytes = writer.finish().unwrap();
        let report = Verify::new().source(&bytes).unwrap();
        assert!(report.is_ok(), "{batch_rows}: {:?}", report.findings);
        let reader = Reader::from_slice(&bytes).unwrap();
        let matching =
            |predicate| reader.filter(predicate).unwrap().rows::<Row>().unwrap().map(Result::unwrap);
        assert_eq!(matching(col("flag").is_null()).count(), 29, "{batch_rows}");
        assert_eq!(matching(col("flag").eq(false)).collect::<Vec<_>>(), rows[29..], "{batch_rows}");
    }
}

#[test]
fn nothing_in_records_is_no_value() {
    #[derive(Serialize)]
    struct Inner {
        flag: Untyped,
    }
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Untyped {
        Nothing(()),
        Flag(bool),
    }
    let row = |n: usize| Inner { flag: if n == 29 { Untyped::Flag(false) } else { Untyped::Nothing(()) } };
    let options = Writer::builder().dialect(Dialect::RedElm).batch_rows(29);
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all((0..30).map(row)).unwrap();
    let bytes = writer.finish().unwrap();
    assert!(Verify::new().source(&bytes).unwrap().is_ok());
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(reader.filter(col("flag").is_null()).unwrap().matching().unwrap().row_count(), 29);
    assert_eq!(reader.filter(col("flag").eq(false)).unwrap().matching().unwrap().row_count(), 1);
}
