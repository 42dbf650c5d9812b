//! Many rows of each kind, with the defaults of each format; and what becomes of them in merges and splits.

use crate::data::{KINDS, Kind};
use crate::ways::is_readable;
use std::path::PathBuf;
use trevni::formats::Trevni;
use trevni::merge::{Merge, Split};
use trevni::{Codec, Dataset, DatasetWriter, Dialect, Reader, Writer, WriterBuilder};

/// Rows of a large file: beyond any number that its bytes could stand for.
const MANY: usize = 3_000_000;

fn formats() -> [(&'static str, WriterBuilder); 4] {
    let of = |dialect| Writer::builder().dialect(dialect);
    [
        ("Trevni", Writer::builder()),
        ("compact", Writer::builder().format(Trevni::new().compact())),
        ("levels", of(Dialect::Levels)),
        ("RedElm", of(Dialect::RedElm)),
    ]
}

#[test]
fn many_rows_are_read() {
    for (format, builder) in formats() {
        for kind in &KINDS {
            let rows = MANY / 4 / kind.work();
            let file = kind.file(builder.clone(), rows).unwrap();
            is_readable(&file, rows as u64, &format!("{} of {format}", kind.name));
        }
    }
}

/// As many as no file of its bytes could have.
#[test]
fn millions_of_typed_rows_are_read() {
    for codec in
        [Codec::Typed, Codec::TypedZstandard, Codec::Archive].into_iter().filter(|codec| codec.is_available())
    {
        // To archive takes tens of times as long.
        let most = if codec == Codec::Archive { MANY / 20 } else { MANY };
        for kind in &KINDS {
            let rows = most / kind.work();
            let file = kind.file(Writer::builder().codec(codec), rows).unwrap();
            is_readable(&file, rows as u64, &format!("{} of {codec:?}", kind.name));
        }
    }
}

/// The same with 10⁷ rows and more: `cargo test --release --test defaults -- --ignored`.
#[test]
#[ignore = "takes a minute in a release build"]
fn ten_millions_of_rows_are_read() {
    for kind in &KINDS {
        let rows = if kind.name == "wide" { 1_000_000 } else { 10_000_000 };
        for (format, builder) in formats() {
            let file = kind.file(builder, rows).unwrap();
            is_readable(&file, rows as u64, &format!("{} of {format}", kind.name));
        }
        let file = kind.file(Writer::builder().codec(Codec::Typed), rows).unwrap();
        is_readable(&file, rows as u64, &format!("typed {}", kind.name));
    }
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("trevni-test-defaults-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// All that becomes of a file: merged with itself, recoded, and split.
fn remade(kind: &Kind, format: &str, file: &[u8], rows: u64) {
    let folder = Folder::new(&format!("{}-{format}", kind.name.replace(' ', "-")));
    let reader = || Reader::from_slice(file).unwrap();
    let read = |path: PathBuf, rows: u64, what: &str| {
        is_readable(&std::fs::read(path).unwrap(), rows, &format!("{} of {format}, {what}", kind.name));
    };
    let merges = [
        ("merged", Merge::new()),
        ("recoded", Merge::new().codec(Codec::Deflate)),
        ("to levels", Merge::new().dialect(Dialect::Levels)),
        ("to RedElm", Merge::new().dialect(Dialect::RedElm)),
        ("compact", Merge::new().dialect(Dialect::Trevni).compact(true)),
    ];
    for (name, merge) in merges {
        let path = folder.0.join("merged.trv");
        merge.create(&[reader(), reader()], &path).unwrap();
        read(path, 2 * rows, name);
    }
    let cut = rows / 3;
    let parts = Split::at([cut, cut + 1]).create(&reader(), folder.0.join("parts")).unwrap();
    for (path, rows) in parts.into_iter().zip([cut, 1, rows - cut - 1]) {
        read(path, rows, "split");
    }
}

#[test]
fn what_merges_and_splits_make_is_read() {
    for (format, builder) in formats() {
        for kind in &KINDS {
            let rows = MANY / 150 / kind.work();
            let file = kind.file(builder.clone(), rows).unwrap();
            remade(kind, format, &file, rows as u64);
        }
    }
}

#[test]
fn what_is_appended_is_read() {
    let folder = Folder::new("appended");
    for _ in 0..2 {
        let mut writer = DatasetWriter::builder().append(&folder.0).unwrap();
        writer.write_all(vec![[None::<i32>; 3]; 50_000]).unwrap();
        writer.finish().unwrap();
    }
    let dataset = Dataset::open(&folder.0).unwrap();
    assert_eq!((dataset.row_count(), dataset.parts().len()), (100_000, 2));
    assert_eq!(dataset.rows::<[Option<i32>; 3]>().unwrap().filter(Result::is_ok).count(), 100_000);
    assert_eq!(dataset.column::<Option<i32>>("_0").unwrap().len(), 100_000);
}

/// Two files, each of which is read, make one that is.
#[test]
fn files_of_a_million_nulls_are_merged() {
    let kind = KINDS.iter().find(|kind| kind.name == "all null").unwrap();
    let file = kind.default_file(1_000_000);
    let (reader, mut merged) = (|| Reader::from_slice(&file).unwrap(), Vec::new());
    Merge::new().write(&[reader(), reader()], &mut merged).unwrap();
    is_readable(&merged, 2_000_000, "two files of a million nulls");
}
