//! Blocks beyond the limit of memory wait in a temporary file.

use crate::folder::Folder;
use crate::growing::{growing, options, write};
use serde::{Serialize, Serializer};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use trevni::{AtomicFile, Category, Codec, Reader, Result, Writer, WriterBuilder};

#[test]
fn the_bytes_do_not_depend_on_the_limit() {
    for (name, rows) in growing() {
        for builder in options() {
            let default = write(builder.clone(), &rows);
            let json = serde_json::to_value(&rows).unwrap();
            assert_eq!(trevni::from_slice::<serde_json::Value>(&default).unwrap(), json, "{name}");
            for limit in [0, 700, 5000] {
                let bytes = write(builder.clone().memory_limit(limit), &rows);
                assert!(bytes == default, "{name}, {builder:?}, limit {limit}");
            }
        }
    }
}

#[test]
fn blocks_may_be_larger_than_the_limit_and_than_what_is_copied_at_once() {
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b' ' + (state >> 24) as u8 % 64)
    };
    let rows: Vec<(u32, String)> = (0..12).map(|id| (id, (0..700_000).map(|_| random()).collect())).collect();
    let write = |limit| {
        let builder = WriterBuilder::new().codec(Codec::Snappy).memory_limit(limit);
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        writer.finish().unwrap()
    };
    let bytes = write(u64::MAX);
    assert!(bytes.len() > 5 << 20);
    for limit in [0, 1 << 20, 5_000_000] {
        assert!(write(limit) == bytes, "{limit}");
    }
    assert!(trevni::from_slice::<Vec<(u32, String)>>(&bytes).unwrap() == rows);
}

/// A number, or a row that cannot be written.
enum Cell {
    Good(u32),
    Bad,
    Panicking,
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Good(value) => serializer.serialize_u32(*value),
            Self::Bad => Err(serde::ser::Error::custom("a bad cell")),
            Self::Panicking => panic!("this panic is part of a test"),
        }
    }
}

fn spilling() -> WriterBuilder {
    WriterBuilder::new().memory_limit(200).block_size(100).batch_rows(16)
}

/// A writer in a folder, with its temporary files.
fn started(folder: &Folder) -> Writer<AtomicFile> {
    let mut writer = spilling().create(folder.0.join("f.trv")).unwrap();
    assert_eq!(folder.names().len(), 1, "blocks have no file before they need one");
    for row in 0..1000 {
        writer.write(&Cell::Good(row)).unwrap();
        assert!(folder.names().len() <= 2);
    }
    let names = folder.names();
    assert_eq!(names.len(), 2, "{names:?}");
    for name in &names {
        assert!(name.starts_with(".trevni.") && name.ends_with(".tmp"), "{name}");
    }
    assert!(names.iter().any(|name| name.ends_with(".blocks.tmp")), "{names:?}");
    writer
}

#[test]
fn the_file_of_blocks_is_gone_when_the_writer_has_finished() {
    let folder = Folder::new("spill-finished");
    let writer = started(&folder);
    drop(writer.finish().unwrap());
    assert_eq!(folder.names(), ["f.trv"]);
    let rows: Vec<u32> = trevni::from_reader(fs::File::open(folder.0.join("f.trv")).unwrap()).unwrap();
    assert_eq!(rows, (0..1000).collect::<Vec<_>>());
}

#[test]
fn the_file_of_blocks_is_gone_when_the_writer_is_dropped() {
    let folder = Folder::new("spill-dropped");
    drop(started(&folder));
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_row_that_fails_changes_nothing() {
    let folder = Folder::new("spill-row");
    let mut writer = started(&folder);
    assert_eq!(writer.write(&Cell::Bad).unwrap_err().category(), Category::Shape);
    assert_eq!(folder.names().len(), 2);
    writer.write(&Cell::Good(1)).unwrap();
    drop(writer.finish().unwrap());
    assert_eq!(folder.names(), ["f.trv"]);
    assert_eq!(Reader::open(folder.0.join("f.trv")).unwrap().row_count(), 1001);
}

#[test]
fn a_row_that_panics_leaves_nothing() {
    let folder = Folder::new("spill-panic");
    let mut writer = started(&folder);
    let panic = catch_unwind(AssertUnwindSafe(move || writer.write(&Cell::Panicking)));
    assert!(panic.is_err());
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_finish_that_fails_leaves_nothing() {
    let folder = Folder::new("spill-failed");
    let writer = started(&folder);
    // Something else has the name by now.
    fs::create_dir(folder.0.join("f.trv")).unwrap();
    assert_eq!(writer.finish().map(drop).unwrap_err().category(), Category::Io);
    assert_eq!(folder.names(), ["f.trv"]);
}

/// The folder disappears, and with it any place for a temporary file.
#[cfg(unix)]
#[test]
fn a_temporary_file_that_cannot_be_made_is_an_io_error() {
    for threads in [1, 3] {
        let folder = Folder::new(&format!("spill-nowhere-{threads}"));
        let mut writer = spilling().threads(threads).create(folder.0.join("f.trv")).unwrap();
        fs::remove_dir_all(&folder.0).unwrap();
        let error = (0..1000).find_map(|row| writer.write(&row).err()).expect("there is no place");
        assert_eq!(error.category(), Category::Io, "{error}");
        assert_eq!(writer.write(&1).unwrap_err().category(), Category::Misuse);
        assert_eq!(writer.finish().map(drop).unwrap_err().category(), Category::Misuse);
    }
    // The last blocks are sealed at the end.
    let folder = Folder::new("spill-nowhere");
    let mut writer = spilling().batch_rows(100_000).create(folder.0.join("f.trv")).unwrap();
    writer.write_all(0..1000).unwrap();
    fs::remove_dir_all(&folder.0).unwrap();
    assert_eq!(writer.finish().map(drop).unwrap_err().category(), Category::Io);
}

/// Where a child process of the next test does its part.
const CHILD: &str = "TREVNI_TEST_OF_TEMPORARY_FOLDER";

/// A sink has no folder of its own; that of the system can only be chosen for a whole process.
#[cfg(unix)]
#[test]
fn blocks_for_a_sink_wait_in_the_temporary_folder() {
    let name = "memory::blocks_for_a_sink_wait_in_the_temporary_folder";
    if std::env::var_os(CHILD).is_some() {
        return in_child();
    }
    let folder = Folder::new("spill-sink");
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", name]).env("TMPDIR", &folder.0).env(CHILD, "1");
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(!folder.0.exists());
}

/// Sinks that fail, and one that does not; then without the folder.
fn in_child() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder(std::env::temp_dir());
    let start = || {
        let mut writer = spilling().build(Full(1000)).unwrap();
        writer.write_all(0..1000).unwrap();
        writer
    };
    let writer = start();
    let names = folder.names();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(names[0].starts_with(".trevni.") && names[0].ends_with(".blocks.tmp"), "{names:?}");
    let mode = fs::metadata(folder.0.join(&names[0])).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "the rows are for nobody else");
    assert_eq!(writer.finish().map(drop).unwrap_err().category(), Category::Io);
    assert_eq!(folder.names(), [""; 0]);
    let (one, two) = (start(), start());
    assert_eq!(folder.names().len(), 2, "each writer has its own");
    drop(one);
    assert_eq!(folder.names().len(), 1);
    drop(two);
    assert_eq!(folder.names(), [""; 0]);
    fs::remove_dir(&folder.0).unwrap();
    let error = spilling().build(Full(0)).unwrap().write_all(0..1000).unwrap_err();
    assert_eq!(error.category(), Category::Io);
}

/// Takes some bytes, then no more.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0 == 0 {
            return Err(std::io::Error::new(std::io::ErrorKind::StorageFull, "the disk is full"));
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
