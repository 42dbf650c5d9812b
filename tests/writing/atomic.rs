//! A file has its name only when it is whole.

use crate::folder::Folder;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use trevni::{AtomicFile, Category, Writer, WriterBuilder};

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

#[test]
fn a_new_file_replaces_none() {
    let folder = Folder::new("new");
    let path = folder.0.join("f.trv");
    let exists = |error: trevni::Error| {
        assert_eq!(error.category(), Category::Io);
        assert!(error.to_string().ends_with("f.trv: already exists"), "{error}");
    };
    let start = |row: u32| {
        let mut writer = WriterBuilder::new().create_new(&path).unwrap();
        writer.write(&row).unwrap();
        writer
    };
    let (one, two) = (start(1), start(2));
    two.finish().unwrap();
    exists(one.finish().map(drop).unwrap_err());
    assert_eq!(read(&path), [2]);
    exists(WriterBuilder::new().create_new(&path).map(drop).unwrap_err());
    exists(AtomicFile::create_new(&path).map(drop).unwrap_err());
    assert_eq!(folder.names(), ["f.trv"]);
}

#[test]
fn names_are_as_long_as_the_system_allows() {
    let folder = Folder::new("long");
    let path = folder.0.join("x".repeat(255));
    let mut writer =
        WriterBuilder::new().memory_limit(200).block_size(100).batch_rows(16).create(&path).unwrap();
    writer.write_all(0..1000u32).unwrap();
    writer.finish().unwrap();
    assert_eq!(read(&path).len(), 1000);
    assert_eq!(folder.names(), ["x".repeat(255)]);
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_stays_a_link() {
    let folder = Folder::new("dangling");
    fs::create_dir(folder.0.join("there")).unwrap();
    std::os::unix::fs::symlink("there/f.trv", folder.0.join("one")).unwrap();
    std::os::unix::fs::symlink("one", folder.0.join("two")).unwrap();
    let mut writer = Writer::create(folder.0.join("two")).unwrap();
    writer.write(&8u32).unwrap();
    writer.finish().unwrap();
    assert!(fs::symlink_metadata(folder.0.join("two")).unwrap().is_symlink());
    assert_eq!(read(&folder.0.join("there/f.trv")), [8]);
    // A link to itself has no end.
    std::os::unix::fs::symlink("loop", folder.0.join("loop")).unwrap();
    let mut writer = Writer::create(folder.0.join("loop")).unwrap();
    writer.write(&9u32).unwrap();
    writer.finish().unwrap();
    assert_eq!(read(&folder.0.join("loop")), [9]);
}

#[cfg(unix)]
#[test]
fn what_is_being_written_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("private");
    let mode = |name: &str| fs::metadata(folder.0.join(name)).unwrap().permissions().mode() & 0o7777;
    fs::write(folder.0.join("plain"), "").unwrap();
    let usual = mode("plain");
    fs::remove_file(folder.0.join("plain")).unwrap();
    for replaced in [None, Some(0o644), Some(0o600), Some(0o4755)] {
        let path = folder.0.join("f.trv");
        if let Some(mode) = replaced {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let writer = Writer::create(&path).unwrap();
        let names = folder.names();
        let temporary = names.iter().find(|name| name.starts_with('.')).unwrap();
        assert_eq!(mode(temporary), 0o600);
        writer.finish().unwrap();
        assert_eq!(mode("f.trv"), replaced.unwrap_or(usual));
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn what_a_killed_process_left_is_gone_after_the_next_file() {
    const FOLDER: &str = "TREVNI_TEST_KILLED_FOLDER";
    if let Some(folder) = std::env::var_os(FOLDER) {
        let path = PathBuf::from(folder).join("f.trv");
        let options = WriterBuilder::new().memory_limit(200).block_size(100).batch_rows(16);
        let mut writer = options.create(path).unwrap();
        for row in 0u32.. {
            writer.write(&row).unwrap();
        }
    }
    let folder = Folder::new("killed");
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "atomic::what_a_killed_process_left_is_gone_after_the_next_file"]);
    let mut child = child.env(FOLDER, &folder.0).stdout(std::process::Stdio::null()).spawn().unwrap();
    while folder.names().len() < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it writes until it is killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let living = folder.names();
    drop(Writer::create(folder.0.join("g.trv")).unwrap());
    assert_eq!(folder.names(), living, "files of a living process stay");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.names(), living);
    // This process looks at a folder again after it wrote to another.
    drop(Writer::create(Folder::new("killed-other").0.join("g.trv")).unwrap());
    drop(Writer::create(folder.0.join("g.trv")).unwrap());
    assert_eq!(folder.names(), [""; 0]);
}
