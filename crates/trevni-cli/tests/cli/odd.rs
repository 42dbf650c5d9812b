//! Inputs without an end, outputs without room, and what is no file at all.

use super::{Folder, flights};
use std::fs;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A shell's command; `trevni` is the program.
fn shell(folder: &Folder, script: &str) -> Output {
    let program = assert_cmd::cargo::cargo_bin("trevni");
    let script = format!("trevni() {{ '{}' \"$@\"; }}; {script}", program.display());
    Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).output().unwrap()
}

/// The exit code and the error of a command that fails, and prints nothing else.
#[track_caller]
fn fails(folder: &Folder, script: &str) -> (i32, String) {
    let start = Instant::now();
    let output = shell(folder, script);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(start.elapsed() < Duration::from_secs(30), "{script}");
    assert!(error.starts_with("error: ") && !error.contains("panicked"), "{script}: {error}");
    (output.status.code().unwrap(), error)
}

/// The names in a folder.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path("")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn inputs_without_an_end_are_refused_by_their_first_bytes() {
    let folder = Folder::with_flights();
    for (script, message) in [
        ("trevni count /dev/zero", "/dev/zero is not a Trevni file"),
        ("trevni count /dev/urandom", "/dev/urandom is not a Trevni file"),
        ("trevni cat - < /dev/zero", "standard input is not a Trevni file"),
        ("yes | trevni info -", "standard input is not a Trevni file"),
        ("trevni verify /dev/zero", "/dev/zero is not a Trevni file"),
        ("trevni merge flights.trv /dev/zero -o out.trv", "/dev/zero is not a Trevni file"),
        ("trevni recode /dev/zero -o out.trv", "/dev/zero is not a Trevni file"),
        ("trevni split --parts 2 /dev/zero -o parts", "/dev/zero is not a Trevni file"),
        ("trevni convert /dev/zero --from csv -o out.trv", "/dev/zero is not text"),
        ("trevni convert /dev/urandom --from jsonl -o out.trv", "/dev/urandom is not text"),
        ("trevni convert - --from json -o out.trv < /dev/zero", "standard input is not text"),
        ("trevni count /dev/null", "/dev/null is empty"),
    ] {
        let output = shell(&folder, script);
        let error = String::from_utf8(output.stdout.into_iter().chain(output.stderr).collect()).unwrap();
        assert_eq!(output.status.code(), Some(3), "{script}: {error}");
        assert!(error.contains(message), "{script}: {error}");
        assert_eq!(names(&folder), ["flights.trv"], "{script}");
    }
}

#[test]
fn pipes_with_names_are_read() {
    let folder = Folder::with_flights();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    for (script, expected) in [
        ("cat flights.trv > pipe & trevni count pipe", "1000"),
        (
            "trevni cat flights.trv > pipe & trevni convert pipe --from jsonl -o x.trv -q; trevni count x.trv",
            "1000",
        ),
    ] {
        let output = shell(&folder, script);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(expected), "{script}: {text}");
    }
    // One that says nothing for a second is named.
    let output = shell(&folder, "(sleep 1.5; cat flights.trv) > pipe & trevni count pipe");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("pipe: waiting for its first bytes"), "{told}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "1000\n");
    // Long streams, which are kept in a file, are whole too.
    let (code, error) = fails(&folder, "cat /dev/null > pipe & trevni count pipe");
    assert!(code == 3 && error.contains("pipe is empty"), "{error}");
}

#[test]
fn pipes_with_numbers_are_written_to() {
    let folder = Folder::with_flights();
    for script in [
        "trevni cat flights.trv -o /dev/stdout | cat",
        "(trevni cat flights.trv -o /dev/fd/3 3>&1 >/dev/null) | cat",
        "trevni convert flights.trv --to jsonl -o - | cat",
    ] {
        let output = shell(&folder, script);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.is_empty(), "{script}: {error}");
        assert_eq!(output.stdout.split(|byte| *byte == b'\n').count(), 1001, "{script}");
        assert_eq!(names(&folder), ["flights.trv"], "{script}");
    }
}

#[test]
fn messages_without_room_change_nothing() {
    let folder = Folder::new();
    folder.write("flights.trv", flights(20_000));
    for (script, code) in [
        ("trevni recode flights.trv -o copy.trv", 0),
        ("trevni recode flights.trv -o copy.trv", 1),
        ("trevni cat missing.trv", 1),
        ("trevni recode --salvage flights.trv -o saved.trv", 0),
        ("trevni frobnicate", 2),
    ] {
        let output = shell(&folder, &format!("{script} 2> /dev/full"));
        assert_eq!(output.status.code(), Some(code), "{script}");
    }
    for name in ["copy.trv", "saved.trv"] {
        assert!(shell(&folder, &format!("trevni verify {name}")).status.success(), "{name}");
    }
}

#[test]
fn outputs_without_room_are_errors() {
    let folder = Folder::new();
    folder.write("flights.trv", flights(20_000));
    let full = "No space left on device";
    for script in [
        "trevni cat flights.trv > /dev/full",
        "trevni cat flights.trv -o /dev/full",
        "trevni count flights.trv > /dev/full",
        "trevni recode flights.trv -o - > /dev/full",
        "trevni convert flights.trv --to avro -o - > /dev/full",
        "trevni convert flights.trv --to protobuf -o - > /dev/full",
        "trevni query flights.trv -s -flight -f csv > /dev/full",
        "trevni --help > /dev/full",
        "trevni -h > /dev/full",
        "trevni --version > /dev/full",
        "trevni query --help > /dev/full",
        "trevni help > /dev/full",
        "trevni help query > /dev/full",
        "trevni help expressions > /dev/full",
        "trevni completions bash > /dev/full",
        "trevni man > /dev/full",
    ] {
        let (code, error) = fails(&folder, script);
        assert!(code == 1 && error.contains(full), "{script}: {code} {error}");
    }
    let (code, error) = fails(&folder, "trevni recode flights.trv -o /dev/full");
    assert!(code == 1 && error.contains("/dev/full is not a file"), "{error}");
    fs::create_dir(folder.path("taken.csv")).unwrap();
    for script in ["merge flights.trv", "cat flights.trv", "recode flights.trv"] {
        for force in ["", "--force"] {
            let (code, error) = fails(&folder, &format!("trevni {script} -o taken.csv {force}"));
            assert!(code == 1 && error.contains("taken.csv is a folder"), "{script}: {error}");
        }
    }
    assert_eq!(names(&folder), ["flights.trv", "taken.csv"]);
}

#[test]
fn files_that_may_grow_no_more_are_errors() {
    let folder = Folder::new();
    folder.write("flights.trv", flights(20_000));
    fs::write(folder.path("old.jsonl"), "old").unwrap();
    // Twenty blocks of 512 or 1024 bytes are less than any of the outputs has.
    for script in [
        "trevni cat flights.trv -o out",
        "trevni cat flights.trv -o old.jsonl --force",
        "trevni cat flights.trv > shown.jsonl",
        "trevni recode flights.trv -z null -o out",
        "trevni merge flights.trv flights.trv -o out",
        "trevni convert flights.trv --to avro -o out",
        "trevni split --parts 2 flights.trv -o parts",
        "trevni recode flights.trv -o - > shown.jsonl",
    ] {
        let (code, error) = fails(&folder, &format!("ulimit -f 20; {script}"));
        assert_eq!(code, 1, "{script}: {error}");
        assert!(error.contains("File too large") && error.contains("ulimit -f"), "{script}: {error}");
        let _ = fs::remove_file(folder.path("shown.jsonl"));
        assert_eq!(names(&folder), ["flights.trv", "old.jsonl"], "{script}");
        assert_eq!(fs::read(folder.path("old.jsonl")).unwrap(), b"old");
    }
}

/// A sort that has more than fits in memory keeps it in temporary files: where the disk is full, it is told, and nothing is left.
#[test]
fn sorts_without_room_for_what_they_keep_fail() {
    let folder = Folder::with_flights();
    let many = vec!["flights.trv"; 40].join(" ");
    assert!(shell(&folder, &format!("trevni -q merge {many} -o many.trv")).status.success());
    let before = names(&folder);
    for script in [
        "trevni query many.trv -s -flight --sort-memory 10KiB > /dev/null",
        "trevni query many.trv -s carrier,flight --sort-memory 10KiB -o out.csv",
        "trevni recode many.trv --sort-by -flight --sort-memory 10KiB -o out.trv",
    ] {
        let (code, error) = fails(&folder, &format!("ulimit -f 20; {script}"));
        assert_eq!(code, 1, "{script}: {error}");
        assert!(error.contains("File too large"), "{script}: {error}");
        assert_eq!(names(&folder), before, "{script}");
        assert!(shell(&folder, &format!("{script}; rm -f out.*")).status.success(), "{script}");
    }
}

#[test]
fn a_split_that_fails_leaves_nothing() {
    let folder = Folder::with_flights();
    let mut bytes = fs::read(folder.path("flights.trv")).unwrap();
    let end = bytes.len();
    bytes[end - 60] ^= 1;
    fs::write(folder.path("bad.trv"), bytes).unwrap();
    // The last rows are those that are damaged, and they are copied only after the others.
    let (code, error) = fails(&folder, "trevni split --rows 7 bad.trv -o new/parts");
    assert_eq!(code, 3, "{error}");
    assert_eq!(names(&folder), ["bad.trv", "flights.trv"]);
    fs::create_dir(folder.path("parts")).unwrap();
    fs::write(folder.path("parts/own"), "").unwrap();
    fails(&folder, "trevni split --rows 7 bad.trv -o parts");
    assert_eq!(fs::read_dir(folder.path("parts")).unwrap().count(), 1);
    folder.prints(&["-q", "split", "--rows", "300", "flights.trv", "-o", "parts"]);
    // Old parts stay where new ones cannot be.
    let (_, error) = fails(&folder, "trevni split --rows 7 bad.trv -o parts --force");
    assert!(!error.contains("already"), "{error}");
    assert_eq!(fs::read_dir(folder.path("parts")).unwrap().count(), 5);
    let (_, error) = fails(&folder, "trevni split --rows 7 flights.trv -o parts");
    assert!(error.contains("has parts already") && error.contains("--force"), "{error}");
}
