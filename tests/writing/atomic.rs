//! A file has its name only when it is whole.

use crate::folder::Folder;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use trevni::{Category, Writer, WriterBuilder};

fn read(path: &Path) -> Vec<u32> {
    trevni::from_reader(fs::File::open(path).unwrap()).unwrap()
}

#[test]
fn a_file_appears_when_it_is_finished() {
    let folder = Folder::new("finished");
    let path = folder.0.join("f.trv");
    let mut writer = Writer::create(&path).unwrap();
    for row in 0..10_000u32 {
        writer.write(&row).unwrap();
    }
    assert!(!path.exists());
    assert_eq!(folder.names().len(), 1, "only the temporary file is there");
    let file = writer.finish().unwrap();
    assert_eq!(file.path().file_name(), path.file_name());
    drop(file);
    assert_eq!(folder.names(), ["f.trv"]);
    assert_eq!(read(&path), (0..10_000).collect::<Vec<_>>());
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let folder = Folder::new("dropped");
    let mut writer = Writer::create(folder.0.join("f.trv")).unwrap();
    writer.write(&1).unwrap();
    drop(writer);
    assert_eq!(folder.names(), [""; 0]);
    drop(Writer::create(folder.0.join("g.trv")).unwrap());
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_failed_finish_leaves_nothing() {
    #[derive(Serialize)]
    struct Row {
        list: Vec<i32>,
    }
    let folder = Folder::new("failed");
    let path = folder.0.join("f.trv");
    fs::write(&path, "what was there").unwrap();
    let mut writer = WriterBuilder::new().column_metadata("more", "unit", "m").create(&path).unwrap();
    writer.write(&Row { list: vec![1, 2] }).unwrap();
    assert_eq!(writer.finish().map(drop).unwrap_err().category(), Category::Misuse);
    assert_eq!(folder.names(), ["f.trv"]);
    assert_eq!(fs::read(&path).unwrap(), b"what was there");
}

#[test]
fn the_old_file_stays_until_the_new_one_is_whole() {
    let folder = Folder::new("old");
    let path = folder.0.join("f.trv");
    let write = |rows: &[u32]| {
        let mut writer = Writer::create(&path).unwrap();
        writer.write_all(rows).unwrap();
        writer
    };
    write(&[1, 2]).finish().unwrap();
    let writer = write(&[3, 4, 5]);
    assert_eq!(read(&path), [1, 2]);
    drop(writer);
    assert_eq!(read(&path), [1, 2]);
    let (one, two) = (write(&[6]), write(&[7]));
    two.finish().unwrap();
    assert_eq!(read(&path), [7]);
    one.finish().unwrap();
    assert_eq!(read(&path), [6]);
    assert_eq!(folder.names(), ["f.trv"]);
}

#[test]
fn a_place_that_cannot_be_written_is_an_io_error() {
    let folder = Folder::new("nowhere");
    for path in [folder.0.join("none/f.trv"), PathBuf::from("/"), PathBuf::new()] {
        let error = Writer::create(&path).map(drop).unwrap_err();
        assert_eq!(error.category(), Category::Io, "{error}");
    }
    // A folder has the name already.
    fs::create_dir(folder.0.join("taken")).unwrap();
    let writer = Writer::create(folder.0.join("taken")).unwrap();
    assert_eq!(writer.finish().map(drop).unwrap_err().category(), Category::Io);
    assert_eq!(folder.names(), ["taken"]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = Folder::new("link");
    let (path, link) = (folder.0.join("f.trv"), folder.0.join("link"));
    fs::write(&path, "old").unwrap();
    std::os::unix::fs::symlink("f.trv", &link).unwrap();
    let mut writer = Writer::create(&link).unwrap();
    writer.write(&8u32).unwrap();
    writer.finish().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(read(&path), [8]);
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_stays_one() {
    use std::os::unix::fs::FileTypeExt;
    let device = Path::new("/dev/null");
    for limit in [u64::MAX, 1] {
        let mut writer = WriterBuilder::new().memory_limit(limit).batch_rows(100).create(device).unwrap();
        writer.write_all(0..10_000u32).unwrap();
        writer.finish().unwrap();
    }
    drop(Writer::create(device).unwrap());
    assert!(fs::metadata(device).unwrap().file_type().is_char_device());
}
