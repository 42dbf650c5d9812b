//! recode --salvage.

use super::Folder;
use std::fs;
use trevni::Reader;

/// Damages a byte of a block of a file; the rows of the block.
fn damage(folder: &Folder, column: usize, block: usize) -> std::ops::Range<u64> {
    let mut bytes = fs::read(folder.path("flights.trv")).unwrap();
    let found = Reader::from_slice(&bytes).unwrap().blocks(column).unwrap()[block].clone();
    bytes[found.offset as usize + 1] ^= 0x10;
    fs::write(folder.path("flights.trv"), bytes).unwrap();
    found.first_row..found.first_row + u64::from(found.rows)
}

/// A file of many blocks, and its rows.
fn folder() -> (Folder, Vec<String>) {
    let folder = Folder::with_flights();
    folder.prints(&["-q", "recode", "flights.trv", "--block-size", "500", "-o", "flights.trv", "--force"]);
    let rows = folder.prints(&["cat", "flights.trv"]).lines().map(str::to_owned).collect();
    (folder, rows)
}

#[test]
fn rows_that_are_whole_are_kept_and_the_others_told() {
    let (folder, rows) = folder();
    let lost = damage(&folder, 0, 1);
    let output =
        folder.trevni(&["-q", "recode", "--salvage", "flights.trv", "-o", "left.trv"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains(&format!("rows {} to {} lost", lost.start, lost.end - 1)), "{told}");
    assert!(told.contains("column \"flight\", block 1"), "{told}");
    assert!(told.ends_with(&format!("{} of 1,000 rows lost\n", lost.end - lost.start)), "{told}");
    let numbers = (0..).filter(|row| !lost.contains(row));
    let kept: Vec<&str> = numbers.map_while(|row: u64| rows.get(row as usize)).map(String::as_str).collect();
    assert_eq!(folder.prints(&["cat", "left.trv"]).lines().collect::<Vec<_>>(), kept);
    folder.prints(&["verify", "left.trv"]);
    // Without it, there is no file.
    let output = folder.trevni(&["recode", "flights.trv", "-o", "none.trv"]).output().unwrap();
    assert!(output.status.code() == Some(3) && !folder.path("none.trv").exists());
}

#[test]
fn columns_that_are_gone_are_left_out() {
    let (folder, _) = folder();
    let bytes = fs::read(folder.path("flights.trv")).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let last = reader.columns().last().unwrap().clone();
    fs::write(folder.path("cut.trv"), &bytes[..last.start() as usize + 2]).unwrap();
    let output = folder.trevni(&["recode", "--salvage", "cut.trv", "-o", "left.trv"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(
        told.contains(&format!("column {:?} is lost", last.name())) && told.contains("1,000 rows"),
        "{told}"
    );
    assert_eq!(folder.prints(&["count", "left.trv"]).trim(), "1000");
}

#[test]
fn whole_files_lose_nothing() {
    let (folder, rows) = folder();
    let output =
        folder.trevni(&["-q", "recode", "--salvage", "flights.trv", "-o", "left.trv"]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    assert_eq!(folder.prints(&["cat", "left.trv"]).lines().count(), rows.len());
    let output = folder
        .trevni(&["recode", "--salvage", "--sort-by", "carrier", "flights.trv", "-o", "x.trv"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}
