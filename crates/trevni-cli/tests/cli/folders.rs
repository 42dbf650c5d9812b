//! split, merge, and folders in place of files.

use super::{Folder, flights};
use serde_json::{Value, json};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn parts_are_told_and_replaced() {
    let folder = Folder::with_flights();
    let parts = |args: &[&str]| {
        let told = folder.prints(&[&["-q", "split", "flights.trv", "-o", "parts", "--json"], args].concat());
        lines(&told)
    };
    let three = parts(&["--parts", "3"]);
    let rows = |parts: &[Value]| parts.iter().map(|part| part["rows"].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(rows(&three), [333, 333, 334]);
    let first = folder.path("parts").join("part-00000.trv");
    assert_eq!(three[0]["bytes"], json!(std::fs::metadata(first).unwrap().len()));
    let output = folder.trevni(&["split", "--rows", "10", "flights.trv", "-o", "parts"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, "error: parts has parts already\n  To replace them: --force\n");
    assert_eq!(rows(&parts(&["--rows", "600", "--force"])), [600, 400]);
    let names = std::fs::read_dir(folder.path("parts")).unwrap().count();
    assert_eq!(names, 2, "the old parts and the temporary folder are gone");
    // A part may be taken apart where it lies.
    folder.prints(&["-q", "split", "parts/part-00001.trv", "--rows", "300", "--force", "-o", "parts"]);
    assert_eq!(folder.prints(&["cat", "parts"]), folder.prints(&["cat", "flights.trv", "--skip", "600"]));
    for args in [&[][..], &["--rows", "0"], &["--parts", "0"], &["--rows", "1", "--parts", "1"]] {
        let output = folder.trevni(&[&["split", "flights.trv", "-o", "x"], args].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn more_parts_than_rows_leave_some_empty() {
    let folder = Folder::new();
    folder.write("few.trv", flights(2));
    folder.prints(&["-q", "split", "--parts", "4", "few.trv", "-o", "parts"]);
    let counts = lines(&folder.prints(&["count", "--json", "parts"]));
    assert_eq!(counts.iter().map(|count| count["rows"].as_u64().unwrap()).sum::<u64>(), 2);
    assert_eq!(counts.len(), 4);
    folder.prints(&["-q", "merge", "parts", "-o", "all.trv"]);
    assert_eq!(folder.prints(&["cat", "all.trv"]), folder.prints(&["cat", "few.trv"]));
}

#[test]
fn folders_stand_for_their_files() {
    let folder = Folder::with_flights();
    folder.prints(&["-q", "split", "--rows", "400", "flights.trv", "-o", "parts"]);
    let all = folder.prints(&["cat", "flights.trv"]);
    assert_eq!(folder.prints(&["cat", "parts"]), all);
    let counts = folder.prints(&["count", "parts", "flights.trv"]);
    assert_eq!(counts.lines().count(), 5, "{counts}");
    assert!(counts.ends_with("1,000  flights.trv\n2,000  total\n"), "{counts}");
    assert_eq!(folder.prints(&["verify", "parts"]).lines().count(), 3);
    assert_eq!(lines(&folder.prints(&["info", "--json", "parts"])).len(), 3);
    assert_eq!(lines(&folder.prints(&["size", "--json", "parts"])).len(), 3);
    folder.prints(&["-q", "merge", "parts", "-o", "parts/all.trv"]);
    assert_eq!(folder.prints(&["cat", "parts/all.trv"]), all);
    // What was merged before is no input of the next merge.
    folder.prints(&["-q", "merge", "parts", "-o", "parts/all.trv", "--force"]);
    assert_eq!(folder.prints(&["cat", "parts/all.trv"]), all);
    std::fs::create_dir(folder.path("none")).unwrap();
    for command in ["cat", "count", "info", "size", "verify"] {
        let output = folder.trevni(&[command, "none"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with("error: none is a folder without data files\n"), "{command}: {error}");
    }
    let output = folder.trevni(&["schema", "parts"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("parts is a folder"));
}
