//! Files of Java: merged with themselves, recoded, cut.

use crate::{merged, read};
use serde_json::Value;
use trevni::merge::Merge;
use trevni::{Codec, Reader};

/// All files of Java.
fn files() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/trevni");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "trv") {
            let bytes = std::fs::read(&path).unwrap();
            files.push((path.file_stem().unwrap().to_string_lossy().into_owned(), bytes));
        }
    }
    assert!(files.len() >= 50);
    files
}

/// The rows, and what is in each column; NaN is equal to itself in texts.
fn contents(reader: &Reader<'_>) -> (Vec<Value>, Vec<String>) {
    let column = |number| format!("{:?}", reader.raw_column(number).unwrap().vector());
    (read(reader), (0..reader.columns().len()).map(column).collect())
}

#[test]
fn a_file_merged_with_itself_has_its_rows_twice() {
    for (name, bytes) in files() {
        let reader = Reader::from_slice(&bytes).unwrap();
        let rows = contents(&reader).0;
        for merge in
            [Merge::new(), Merge::new().codec(Codec::Deflate), Merge::new().codec(Codec::Null).verify()]
        {
            let (twice, _) = merged(merge, &[reader.clone(), reader.clone()]);
            let reader = Reader::from_slice(&twice).unwrap();
            assert!(contents(&reader).0 == [rows.clone(), rows.clone()].concat(), "{name}");
        }
    }
}

#[test]
fn parts_of_a_file_are_the_file() {
    for (name, bytes) in files() {
        let reader = Reader::from_slice(&bytes).unwrap();
        let count = reader.row_count();
        let expected = contents(&reader);
        let mut cuts = [0, 1, count / 3, count / 2, count].map(|row| row.min(count));
        cuts.sort_unstable();
        let parts: Vec<_> = cuts.windows(2).map(|pair| reader.select(pair[0]..pair[1]).unwrap()).collect();
        let (all, report) = merged(Merge::new(), &parts);
        assert_eq!((report.rows, report.blocks_recoded), (count, 0), "{name}");
        assert!(contents(&Reader::from_slice(&all).unwrap()) == expected, "{name}");
    }
}
