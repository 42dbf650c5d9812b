//! Which files of a folder count, and in what order.

use super::{Folder, all, assert_contains};
use std::fs;
use trevni::{Category, Dataset, DatasetWriter, Limits, Reader, Writer};

fn write(folder: &Folder, name: &str, row: u32) {
    fs::create_dir_all(&folder.0).unwrap();
    fs::write(folder.0.join(name), trevni::to_vec([row]).unwrap()).unwrap();
}

#[test]
fn files_come_in_the_order_of_their_numbers() {
    let folder = Folder::new("order");
    for (row, name) in
        ["part-100000.trv", "part-00010.trv", "part-00009.trv", "part-99999.trv", "a.trv", "part-00002.trv"]
            .iter()
            .enumerate()
    {
        write(&folder, name, row as u32);
    }
    assert_eq!(all::<u32>(&folder.open()).unwrap(), [4, 5, 2, 1, 3, 0]);
}

#[test]
fn paths_stay_in_the_order_given() {
    let folder = Folder::new("given");
    write(&folder, "a.trv", 1);
    write(&folder, "b", 2);
    let dataset = Dataset::from_paths([folder.0.join("b"), folder.0.join("a.trv")]).unwrap();
    assert_eq!(all::<u32>(&dataset).unwrap(), [2, 1]);
    assert_eq!(dataset.parts()[0].path(), folder.0.join("b"));
}

#[test]
fn other_files_are_left_out() {
    let folder = Folder::new("others");
    write(&folder, "part-00000.trv", 7);
    write(&folder, ".part-00001.trv", 8);
    for name in [".part-00002.trv.12-0.tmp", "_SUCCESS", "notes.txt", "x.trv.tmp", "trv"] {
        fs::write(folder.0.join(name), "text").unwrap();
    }
    fs::create_dir(folder.0.join("folder.trv")).unwrap();
    assert_eq!(all::<u32>(&folder.open()).unwrap(), [7]);
}

#[test]
fn nothing_to_open_is_an_error_that_names_the_folder() {
    let folder = Folder::new("nothing");
    let error = Dataset::open(&folder.0).unwrap_err();
    assert_eq!((error.category(), error.location().file.as_ref()), (Category::Io, Some(&folder.0)));
    fs::create_dir(&folder.0).unwrap();
    fs::write(folder.0.join("notes.txt"), "text").unwrap();
    let error = Dataset::open(&folder.0).unwrap_err();
    assert_eq!((error.category(), error.location().file.as_ref()), (Category::Misuse, Some(&folder.0)));
    assert_contains(&error, &["no .trv files"]);
    assert!(Dataset::from_paths::<&str>([]).is_err());
    assert!(Dataset::from_readers(Vec::new()).is_err());
}

#[test]
fn a_folder_with_parts_is_not_begun_again() {
    let folder = Folder::new("refused");
    write(&folder, "part-7.trv", 1);
    let error = DatasetWriter::create(&folder.0).unwrap_err();
    assert_eq!(error.category(), Category::Misuse);
    assert_contains(&error, &["trevni-dataset-refused", "part-7.trv already", "append"]);
    assert_eq!(folder.names(), ["part-7.trv"]);

    let folder = Folder::new("not-refused");
    write(&folder, "other.trv", 1);
    DatasetWriter::create(&folder.0).unwrap().finish().unwrap();
    assert_eq!(folder.names(), ["other.trv", "part-00000.trv"]);
}

#[test]
fn append_goes_on_behind_the_last_part() {
    let folder = Folder::new("append").0.join("a/b");
    let folder = Folder(folder);
    let builder = || DatasetWriter::builder().part_rows(2);
    let append = |rows: std::ops::Range<u32>| {
        let mut writer = builder().append(&folder.0).unwrap();
        writer.write_all(rows).unwrap();
        writer.finish().unwrap().len()
    };
    assert_eq!((append(0..3), append(3..4), append(4..4), append(4..7)), (2, 1, 0, 2));
    let names = ["part-00000.trv", "part-00001.trv", "part-00002.trv", "part-00003.trv", "part-00004.trv"];
    assert_eq!(folder.names(), names);
    assert_eq!(all::<u32>(&folder.open()).unwrap(), (0..7).collect::<Vec<_>>());

    write(&folder, "part-99999.trv", 7);
    write(&folder, "part-x.trv", 9);
    assert_eq!(append(8..9), 1);
    assert!(folder.0.join("part-100000.trv").exists());
    assert_eq!(all::<u32>(&folder.open()).unwrap(), (0..10).collect::<Vec<_>>());
    let _ = fs::remove_dir_all(folder.0.parent().unwrap().parent().unwrap());
}

#[test]
fn a_place_that_cannot_be_written_fails_at_once() {
    let folder = Folder::new("unwritable");
    fs::create_dir(&folder.0).unwrap();
    let file = folder.0.join("file");
    fs::write(&file, "text").unwrap();
    for path in [file.clone(), file.join("below")] {
        let error = DatasetWriter::create(&path).unwrap_err();
        assert_eq!((error.category(), error.location().file.as_ref()), (Category::Io, Some(&path)));
    }
    let options = Writer::builder().schema("no schema");
    assert!(DatasetWriter::builder().writer(options).create(folder.0.join("d")).is_err());
    assert_eq!(folder.names(), ["d", "file"]);
}

#[test]
fn options_are_those_of_each_part() {
    let folder = Folder::new("limits");
    let mut writer = DatasetWriter::create(&folder.0).unwrap();
    writer.write(&"x".repeat(5000)).unwrap();
    writer.finish().unwrap();
    let mut limits = Limits::DEFAULT;
    limits.block_bytes = 1000;
    let dataset = Dataset::builder().reader(Reader::builder().limits(limits)).open(&folder.0).unwrap();
    let error = all::<String>(&dataset).unwrap_err();
    assert_contains(&error, &["part-00000.trv", "limit of 1000"]);
}

#[test]
fn few_of_many_files_are_open() {
    let folder = Folder::new("many");
    let mut writer = DatasetWriter::builder().part_rows(3).create(&folder.0).unwrap();
    writer.write_all(0..3000u32).unwrap();
    assert_eq!(writer.finish().unwrap().len(), 1000);
    let dataset = folder.open();
    // What this process has open, other tests included.
    let open = || std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    assert!(open() < 600, "{} files are open", open());
    assert_eq!(all::<u32>(&dataset).unwrap(), (0..3000).collect::<Vec<_>>());
    for row in [2999, 0, 1500, 2999] {
        assert_eq!(dataset.row::<u32>(row).unwrap(), row as u32);
    }
    assert!(open() < 600, "{} files are open", open());
    // A file that was closed, and replaced since.
    std::fs::copy(folder.0.join("part-00999.trv"), folder.0.join("part-00001.trv")).unwrap();
    assert_eq!(dataset.row::<u32>(2000).unwrap(), 2000);
    let error = dataset.row::<u32>(4).unwrap_err();
    assert_contains(&error, &["part-00001.trv", "the file has changed since it was opened"]);
}
