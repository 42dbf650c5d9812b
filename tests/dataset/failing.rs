//! What is damaged or cannot be written is named, and the other parts are whole.

use super::{Folder, all, assert_contains};
use serde::{Serialize, Serializer};
use std::fs;
use trevni::{Category, Codec, Dataset, DatasetWriter, Reader, Writer};

/// Three parts of 1000 rows in several blocks.
fn write(folder: &Folder) {
    let options = Writer::builder().codec(Codec::Null).block_size(500);
    let mut writer = DatasetWriter::builder().part_rows(1000).writer(options).create(&folder.0).unwrap();
    writer.write_all((0..3000u32).map(|n| (n, format!("row {n}")))).unwrap();
    writer.finish().unwrap();
}

#[test]
fn a_part_cut_short_is_named() {
    let folder = Folder::new("cut");
    write(&folder);
    let path = folder.0.join("part-00001.trv");
    let whole = fs::read(&path).unwrap();
    let mut opened = 0;
    for length in (0..whole.len()).step_by(whole.len() / 50).chain([whole.len() - 1]) {
        fs::write(&path, &whole[..length]).unwrap();
        let error = match Dataset::open(&folder.0) {
            Err(error) => error,
            Ok(dataset) => {
                opened += 1;
                let mut rows = dataset.rows::<(u32, String)>().unwrap();
                for n in 0..1000 {
                    assert_eq!(rows.next().unwrap().unwrap().0, n);
                }
                let error = rows.by_ref().find_map(Result::err).expect("an error before the end");
                // No rows of the part behind, as if none were missing.
                assert!(rows.by_ref().filter_map(Result::ok).next().is_none());
                let column = dataset.column::<String>("_1").unwrap_err();
                assert_eq!(column.location().file.as_ref(), Some(&path));
                assert_eq!(dataset.row::<(u32, String)>(2500).unwrap().0, 2500);
                error
            }
        };
        assert_eq!(error.location().file.as_ref(), Some(&path), "{error}");
        assert_eq!(error.category(), Category::Corrupt, "{error}");
    }
    assert!(opened > 10);
}

#[test]
fn a_part_that_is_no_trevni_file_is_named() {
    let folder = Folder::new("other");
    write(&folder);
    let path = folder.0.join("part-00002.trv");
    fs::write(&path, "PAR1 and more").unwrap();
    let error = Dataset::open(&folder.0).unwrap_err();
    assert_contains(&error, &["part-00002.trv, byte 0: not a Trevni file"]);
    let error = Reader::open(&path).unwrap_err();
    assert_contains(&error, &["part-00002.trv, byte 0: not a Trevni file"]);
}

#[test]
fn a_missing_file_is_named() {
    let folder = Folder::new("missing");
    write(&folder);
    let path = folder.0.join("part-7.trv");
    let error = Dataset::from_paths([folder.0.join("part-00000.trv"), path.clone()]).unwrap_err();
    assert_eq!((error.category(), error.location().file.as_ref()), (Category::Io, Some(&path)));
    let error = Reader::open(&path).unwrap_err();
    assert_eq!((error.category(), error.location().file.as_ref()), (Category::Io, Some(&path)));
}

#[test]
fn a_dropped_writer_leaves_the_parts_that_are_whole() {
    let folder = Folder::new("dropped");
    let mut writer = DatasetWriter::builder().part_rows(100).create(&folder.0).unwrap();
    writer.write_all(0..250u32).unwrap();
    assert_eq!(folder.names().len(), 3, "the third is a temporary file");
    assert_eq!(writer.parts().len(), 2);
    drop(writer);
    assert_eq!(folder.names(), ["part-00000.trv", "part-00001.trv"]);
    assert_eq!(all::<u32>(&folder.open()).unwrap(), (0..200).collect::<Vec<_>>());
    drop(DatasetWriter::builder().append(&folder.0).unwrap());
    assert_eq!(folder.names(), ["part-00000.trv", "part-00001.trv"]);
}

struct Odd(u32);

impl Serialize for Odd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 2 {
            1 => serializer.serialize_u32(self.0),
            _ => Err(serde::ser::Error::custom("an even number")),
        }
    }
}

#[test]
fn a_row_that_fails_is_left_out() {
    let folder = Folder::new("row");
    let mut writer = DatasetWriter::builder().part_rows(2).create(&folder.0).unwrap();
    for n in 0..9 {
        match writer.write(&Odd(n)) {
            Ok(()) => assert_eq!(n % 2, 1),
            Err(error) => {
                let (part, row) = (n / 2 / 2, n / 2 % 2);
                assert_contains(&error, &[&format!("part-0000{part}.trv, row {row}"), "an even number"]);
            }
        }
    }
    assert_eq!(writer.row_count(), 4);
    // The third part has begun, but has no rows.
    assert_eq!(writer.finish().unwrap().len(), 2);
    assert_eq!(folder.names(), ["part-00000.trv", "part-00001.trv"]);
    assert_eq!(all::<u32>(&folder.open()).unwrap(), [1, 3, 5, 7]);
}

#[test]
fn after_a_part_that_cannot_be_written_there_are_no_more() {
    #[derive(Serialize)]
    struct Row {
        list: Vec<i32>,
    }
    let folder = Folder::new("unwritten");
    // No row has shown this column when the part ends.
    let options = Writer::builder().column_codec("more", Codec::Null);
    let mut writer = DatasetWriter::builder().part_rows(2).writer(options).create(&folder.0).unwrap();
    writer.write(&Row { list: vec![1] }).unwrap();
    assert_contains(
        &writer.write(&Row { list: vec![] }).unwrap_err(),
        &["part-00000.trv", "no field \"more\""],
    );
    assert!(writer.write(&Row { list: vec![] }).is_err());
    assert!(writer.finish().is_err());
    assert_eq!(folder.names(), [""; 0]);
}
