//! A column had another name than the stored schema gives it, where a type with an optional in an optional came twice.

use crate::raw::{RawBlock, RawColumn, RawFile, ints};
use serde::{Deserialize, Serialize};
use trevni::formats::Trevni;
use trevni::verify::Verify;
use trevni::{Reader, Writer};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Inner {
    f: Option<Option<bool>>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Pair {
    a: Inner,
    b: Inner,
}

fn rows() -> Vec<Pair> {
    let row = |f| Pair { a: Inner { f }, b: Inner { f } };
    vec![row(None), row(Some(None)), row(Some(Some(true)))]
}

fn names(file: &[u8]) -> Vec<String> {
    let reader = Reader::from_slice(file).unwrap();
    reader.columns().iter().map(|column| column.name().to_owned()).collect()
}

#[test]
fn columns_have_the_names_of_the_schema() {
    for compact in [false, true] {
        let format = if compact { Trevni::new().compact() } else { Trevni::new() };
        let mut writer = Writer::builder().format(format).build(Vec::new()).unwrap();
        writer.write_all(rows()).unwrap();
        let file = writer.finish().unwrap();
        let names = names(&file);
        let some = ["a#f/serde.Some", "a#f/serde.Some#value/boolean"];
        assert_eq!(names, [some[0], some[1], &some[0].replace('a', "b"), "b#f/serde.Some#value/boolean"]);
        assert_eq!(trevni::from_slice::<Vec<Pair>>(&file).unwrap(), rows());
        let report = Verify::new().source(&file).unwrap();
        assert!(report.is_ok() && report.notes.is_empty(), "{report:?}");
    }
}

/// Files that are called so stay readable, and a check notes it.
#[test]
fn files_with_the_earlier_names_are_read() {
    let schema = Reader::from_slice(&trevni::to_vec(rows()).unwrap()).unwrap().shape().to_avro();
    let columns = ["a#f/serde.Some", "b#f/serde.Some_2"].into_iter().flat_map(|name| {
        let inner = format!("{name}#value/boolean");
        let lengths = RawBlock::plain(3, ints([0, 1, 1]));
        let value = RawBlock::plain(3, [ints([0, 1]), vec![1]].concat());
        let value = RawBlock { rows: 3, ..value };
        [
            RawColumn::new(name, "null", [lengths]).array(),
            RawColumn::new(&inner, "boolean", [value]).array().child_of(name),
        ]
    });
    let file = RawFile::new(3, columns.collect::<Vec<_>>()).with("avro.schema", &schema).bytes();
    assert_eq!(trevni::from_slice::<Vec<Pair>>(&file).unwrap(), rows());
    let report = Verify::new().source(&file).unwrap();
    assert!(report.is_ok(), "{report:?}");
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(
        notes[0].contains(r#"column "b#f/serde.Some_2": the schema calls it "b#f/serde.Some""#),
        "{notes:?}"
    );
}
