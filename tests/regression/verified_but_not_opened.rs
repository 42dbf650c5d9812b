//! A file that no reader opened was ok to a check: the name of a column in it was not that of its schema, which only files
//! without a checksum of the header may have. Merges of such files wrote such files.

use crate::raw::{RawBlock, RawColumn, RawFile, ints};
use crate::sums::mended;
use std::path::Path;
use trevni::merge::{Merge, Split};
use trevni::verify::Verify;
use trevni::{Category, Checksum, Codec, Reader, Writer};

/// As a program writes it that goes by position.
fn by_position() -> Vec<u8> {
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#;
    let column = RawColumn::new("x", "int", [RawBlock::plain(2, ints([5, 6]))]);
    RawFile::new(2, [column]).with("avro.schema", schema).bytes()
}

/// Whether a check says that a file is whole; a reader that opens the file says the same.
#[track_caller]
fn is_whole(file: &[u8]) -> bool {
    let (opened, report) = (Reader::from_slice(file), Verify::new().source(file).unwrap());
    assert_eq!(opened.is_ok(), report.is_ok(), "{report:?}");
    opened.is_ok()
}

#[test]
fn what_no_reader_opens_is_found() {
    assert!(is_whole(&by_position()));
    let mut writer =
        Writer::builder().codec(Codec::Null).checksum(Checksum::Crc32).build(Vec::new()).unwrap();
    writer.write(&serde_json::json!({"name": 1})).unwrap();
    let mut file = writer.finish().unwrap();
    assert!(is_whole(&file));
    // The name, after its number of bytes.
    let place = file.windows(5).rposition(|bytes| bytes == b"\x08name").unwrap() + 1;
    file[place..place + 4].copy_from_slice(b"eman");
    let file = mended(&file);
    assert!(!is_whole(&file));
    let error = Reader::from_slice(&file).err().unwrap();
    let report = Verify::new().source(&file).unwrap();
    assert_eq!(report.findings[0].error().to_string(), error.to_string());
}

#[test]
fn merges_and_splits_make_files_that_are_opened() {
    let folder = std::env::temp_dir().join(format!("trevni-test-opened-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let names = std::fs::read("data/own/names_before_rules.trv").unwrap();
    let merged = std::fs::read("hostile/files/named_by_position.trv").unwrap();
    for (number, file) in [by_position(), names, merged].iter().enumerate() {
        assert!(is_whole(file));
        let reader = || Reader::from_slice(file).unwrap();
        for codec in [None, Some(Codec::Deflate)] {
            let merge = codec.map_or(Merge::new(), |codec| Merge::new().codec(codec));
            let path = folder.join(format!("{number}.trv"));
            is_made(merge.create(&[reader(), reader()], &path).map(|_| vec![path.clone()]), &path);
            let parts = folder.join(format!("parts-{number}-{}", codec.is_some()));
            is_made(Split::every(1).stored(merge).create(&reader(), &parts), &parts);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Files that were made are opened, and where none could be made, none is there.
#[track_caller]
fn is_made(made: trevni::Result<Vec<std::path::PathBuf>>, path: &Path) {
    match made {
        Ok(files) => files.iter().for_each(|file| assert!(is_whole(&std::fs::read(file).unwrap()))),
        Err(error) => {
            assert!(error.category() == Category::Internal && !path.exists(), "{error}");
        }
    }
}
