//! Several writers append to one folder at a time, and no row is lost.

use super::{Folder, all};
use std::process::Command;
use trevni::{Dataset, DatasetWriter};

/// Appends some rows, a few to each part.
fn append(folder: &std::path::Path, rows: std::ops::Range<u32>) {
    let mut writer = DatasetWriter::builder().part_rows(3).append(folder).unwrap();
    writer.write_all(rows.clone()).unwrap();
    let parts = writer.finish().unwrap();
    let own: Vec<u32> = all(&Dataset::from_paths(&parts).unwrap()).unwrap();
    assert_eq!(own, rows.collect::<Vec<_>>(), "the paths are those of this writer's parts");
}

fn sorted(folder: &Folder) -> Vec<u32> {
    let mut rows: Vec<u32> = all(&folder.open()).unwrap();
    rows.sort_unstable();
    rows
}

#[test]
fn threads_lose_no_rows() {
    let folder = Folder::new("appenders");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let folder = &folder.0;
            scope.spawn(move || append(folder, number * 100..number * 100 + 100));
        }
    });
    assert_eq!(sorted(&folder), (0..800).collect::<Vec<_>>());
    let names: Vec<String> = (0..8 * 34).map(|number| format!("part-{number:05}.trv")).collect();
    assert_eq!(folder.names(), names, "no number is left free");
}

#[test]
fn processes_lose_no_rows() {
    const FOLDER: &str = "TREVNI_TEST_APPEND_FOLDER";
    const FIRST: &str = "TREVNI_TEST_APPEND_FIRST";
    if let (Some(folder), Ok(first)) = (std::env::var_os(FOLDER), std::env::var(FIRST)) {
        let first: u32 = first.parse().unwrap();
        return append(folder.as_ref(), first..first + 100);
    }
    let folder = Folder::new("appending-processes");
    let start = |number: u32| {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "appending::processes_lose_no_rows"]);
        child.env(FOLDER, &folder.0).env(FIRST, (number * 100).to_string());
        child.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = (0..4).map(start).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(sorted(&folder), (0..400).collect::<Vec<_>>());
}

#[test]
fn a_part_that_appears_keeps_its_name() {
    let folder = Folder::new("appears");
    let mut writer = DatasetWriter::create(&folder.0).unwrap();
    writer.write(&1u32).unwrap();
    std::fs::write(folder.0.join("part-00000.trv"), trevni::to_vec([7u32]).unwrap()).unwrap();
    std::fs::write(folder.0.join("part-00001.trv"), trevni::to_vec([8u32]).unwrap()).unwrap();
    assert_eq!(writer.finish().unwrap(), [folder.0.join("part-00002.trv")]);
    assert_eq!(all::<u32>(&folder.open()).unwrap(), [7, 8, 1]);
}
