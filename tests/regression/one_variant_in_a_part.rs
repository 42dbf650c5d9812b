//! A condition on a field of an enum found no rows in parts of a dataset that have shown one variant of it, without an error, where
//! another part lacks the enum.

use serde::Serialize;
use trevni::merge::Merge;
use trevni::{Dataset, Predicate, Reader, RowSelection, col, to_vec};

#[derive(Clone, Serialize)]
enum Event {
    Key { code: i32, held: bool },
}

#[derive(Clone, Serialize)]
struct Row {
    id: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<Event>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    list: Vec<Event>,
}

const NONE: Row = Row { id: 0, event: None, list: Vec::new() };

/// The rows that a predicate selects: of a dataset of files, which are those of the files as one.
#[track_caller]
fn found(files: &[Vec<u8>], predicate: &Predicate) -> RowSelection {
    let readers: Vec<_> = files.iter().map(|file| Reader::from_slice(file).unwrap()).collect();
    let mut merged = Vec::new();
    Merge::new().write(&readers, &mut merged).unwrap();
    let dataset = Dataset::from_readers(readers).unwrap().all_optional();
    let found = dataset.filter(predicate.clone()).unwrap().matching().unwrap();
    let merged = Reader::from_slice(&merged).unwrap().filter(predicate.clone()).unwrap();
    assert_eq!(found, merged.matching().unwrap(), "{predicate}");
    found
}

#[test]
fn fields_of_the_only_variant_are_compared() {
    let event = |code| Some(Event::Key { code, held: code > 1 });
    let with = [Row { event: event(1), ..NONE }, Row { event: event(2), ..NONE }];
    for files in
        [[to_vec(&with).unwrap(), to_vec([NONE]).unwrap()], [to_vec([NONE]).unwrap(), to_vec(&with).unwrap()]]
    {
        let start = u64::from(Reader::from_slice(&files[0]).unwrap().row_count() == 1);
        let rows = |from: u64, to: u64| RowSelection::from(start + from..start + to);
        assert_eq!(found(&files, &col("event.code").ge(1)), rows(0, 2));
        assert_eq!(found(&files, &col("event.code").eq(2)), rows(1, 2));
        assert_eq!(found(&files, &col("event.code").ne(2)), rows(0, 1));
        assert_eq!(found(&files, &col("event.held").eq(true)), rows(1, 2));
        assert_eq!(found(&files, &col("event.code").is_not_null()), rows(0, 2));
        assert_eq!(found(&files, &col("event").is_not_null()), rows(0, 2));
        assert_eq!(found(&files, &col("event.code").is_null()).row_count(), 1);
    }
}

#[test]
fn items_that_are_the_only_variant_are_compared() {
    let list = |codes: &[i32]| codes.iter().map(|code| Event::Key { code: *code, held: false }).collect();
    let with = [Row { list: list(&[1, 2]), ..NONE }, Row { list: list(&[3]), ..NONE }];
    let files = [to_vec(&with).unwrap(), to_vec([NONE]).unwrap()];
    assert_eq!(found(&files, &col("list").any(col("code").eq(2))), RowSelection::from(0..1));
    assert_eq!(found(&files, &col("list").any(col("code").ge(2))), RowSelection::from(0..2));
}
