//! Footers whose schema is not what it says, or takes much more than its bytes.

use super::made::{DATA, PLAIN, apart, changed, column, file, page, run, with_footer};
use super::memory::{MIB, alone, within};
use super::thrift::{Value, int, structs, text, written};
use super::{MOST, read, rows};
use std::path::Path;
use trevni::Limits;
use trevni_parquet::{Error, ParquetFile};

/// A file of one column of numbers.
fn sample() -> Vec<u8> {
    let values = [1i32, 2, 3].map(i32::to_le_bytes).concat();
    file(column(1, 0), PLAIN, 3, 3, &[page(DATA, 3, 0, values.len(), &values)])
}

#[test]
fn made_files_are_read() {
    let _alone = alone();
    assert_eq!(rows(&sample(), Limits::default()).unwrap(), 3);
    let nulls = file(column(1, 1), PLAIN, 1000, 1000, &[page(DATA, 1000, 0, 7, &run(1000, 0))]);
    assert_eq!(rows(&nulls, Limits::default()).unwrap(), 1000);
}

#[test]
fn a_map_has_no_more_children_than_fields() {
    let _alone = alone();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/hostile");
    let bytes = std::fs::read(folder.join("a_map_has_no_more_children_than_fields.parquet")).unwrap();
    let error = within(MIB, || ParquetFile::of_source(bytes).err().unwrap());
    assert!(error.is_damage());
    assert_eq!(error.to_string(), "Parquet: footer, byte 38: an integer has more than 32 bits");
}

/// A schema in place of that of the sample.
fn with_schema(elements: Vec<Value>) -> Vec<u8> {
    changed(&sample(), |footer| footer.set(2, structs(elements)))
}

fn group(name: &str, children: i64) -> Value {
    Value::Struct(vec![(3, int(0)), (4, text(name)), (5, int(children))])
}

#[test]
fn counts_of_children_are_those_of_the_schema() {
    let _alone = alone();
    let refused = [
        vec![group("root", 2), column(1, 0)],
        vec![group("root", 0), column(1, 0)],
        vec![group("root", 1), column(1, 0), column(1, 0)],
        vec![group("root", -1), column(1, 0)],
        vec![group("root", 1), group("a", i64::from(i32::MAX)), column(1, 0)],
        vec![group("root", 1), group("a", 1), group("b", 1)],
        vec![],
    ];
    for schema in refused {
        let failed = read(&with_schema(schema), Limits::default(), MIB);
        assert!(failed.iter().all(Error::is_damage) && failed.len() == 2, "{failed:?}");
    }
    let within = vec![group("root", 1), group("a", 1), column(1, 0)];
    assert_eq!(rows(&with_schema(within), Limits::default()).unwrap(), 3);
}

#[test]
fn schemas_are_not_too_deep() {
    let _alone = alone();
    let deep = |levels: usize| {
        let groups = (0..levels).map(|_| group("g", 1));
        with_schema([group("root", 1)].into_iter().chain(groups).chain([column(1, 0)]).collect())
    };
    for levels in [1, 100, 199] {
        let failed = read(&deep(levels), Limits::default(), 16 * MIB);
        // The rows of a column file are not as deep, but that is no damage.
        assert!(failed.is_empty(), "{levels}: {failed:?}");
    }
    for levels in [200, 5000, 100_000] {
        let failed = read(&deep(levels), Limits::default(), 64 * MIB);
        assert!(failed.iter().all(Error::is_damage) && failed.len() == 2, "{failed:?}");
    }
}

#[test]
fn paths_are_counted_as_they_are_held() {
    let _alone = alone();
    let name = "long".repeat(25_000);
    let columns = (0..20_000).map(|_| column(1, 0));
    let schema = [group("root", 1), group(&name, 20_000)].into_iter().chain(columns).collect();
    let failed = read(&with_schema(schema), Limits::default(), MOST);
    assert!(matches!(failed[0], Error::Limit { option: "memory", .. }), "{failed:?}");
}

#[test]
fn the_end_of_a_file_is_what_it_says() {
    let _alone = alone();
    let (before, footer) = apart(&sample());
    let footer = written(&footer);
    for length in [0, 1, footer.len() - 1, footer.len() + 1, footer.len() + 100, u32::MAX as usize] {
        let mut bytes = with_footer(&before, &footer);
        let end = bytes.len() - 8;
        bytes[end..][..4].copy_from_slice(&(length as u32).to_le_bytes());
        assert!(!read(&bytes, Limits::default(), MIB).is_empty(), "{length}");
    }
    assert!(!read(b"PAR1", Limits::default(), MIB).is_empty());
    let mut bytes = sample();
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(b"PARE");
    assert_eq!(read(&bytes, Limits::default(), MIB)[0].to_string(), "Parquet: the footer is encrypted");
}
