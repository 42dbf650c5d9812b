//! Files that take the place of others.

use super::Folder;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

#[track_caller]
fn mode(folder: &Folder, name: &str) -> u32 {
    fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode() {
    let folder = Folder::with_flights();
    fs::copy(folder.path("flights.trv"), folder.path("own.trv")).unwrap();
    fs::write(folder.path("in.jsonl"), "{\"a\":1}\n").unwrap();
    let commands: [&[&str]; 8] = [
        &["recode", "own.trv", "-o", "own.trv"],
        &["convert", "in.jsonl", "-o", "own.trv"],
        &["merge", "flights.trv", "flights.trv", "-o", "own.trv"],
        &["cat", "flights.trv", "-o", "own.trv"],
        &["convert", "flights.trv", "--to", "csv", "-o", "own.trv"],
        &["convert", "flights.trv", "--to", "avro", "-o", "own.trv"],
        &["query", "flights.trv", "-o", "own.trv"],
        &["dump", "flights.trv", "-o", "own.trv"],
    ];
    for own in [0o600, 0o664, 0o640] {
        for command in commands {
            fs::set_permissions(folder.path("own.trv"), Permissions::from_mode(own)).unwrap();
            folder.prints(&[&["-q"], command, &["--force"]].concat());
            assert_eq!(mode(&folder, "own.trv"), own, "{command:?}");
            fs::copy(folder.path("flights.trv"), folder.path("own.trv")).unwrap();
        }
    }
    // A file that is new has the mode of any new file.
    fs::write(folder.path("plain"), "").unwrap();
    folder.prints(&["-q", "recode", "flights.trv", "-o", "new.trv"]);
    folder.prints(&["cat", "flights.trv", "-o", "new.jsonl"]);
    let usual = mode(&folder, "plain");
    assert_eq!((mode(&folder, "new.trv"), mode(&folder, "new.jsonl")), (usual, usual));
}
