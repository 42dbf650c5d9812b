//! Whatever is wrong: one line, the right exit code, no panic.

use super::Folder;
use std::fs;
use std::io::Read;
use std::process::Stdio;

const COMMANDS: [&[&str]; 20] = [
    &["info"],
    &["schema"],
    &["size"],
    &["size", "--by", "part"],
    &["layout"],
    &["stats"],
    &["stats", "--recorded"],
    &["dump"],
    &["dump", "--format", "levels"],
    &["cat"],
    &["count"],
    &["head", "-n", "3"],
    &["tail"],
    &["recode", "-o", "-"],
    &["split", "--parts", "2", "-o", "parts", "--force"],
    &["merge", "-o", "merged.trv", "--force"],
    &["convert", "--from", "trv", "--to", "avro", "-o", "-"],
    &["sample"],
    &["query"],
    &["query", "-a", "count()"],
];

/// Exit code and error of a command, which prints nothing else.
#[track_caller]
fn fails(folder: &Folder, args: &[&str]) -> (i32, String) {
    let output = folder.trevni(args).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: ") && !error.contains("panicked"), "{args:?}: {error}");
    assert!(!error.contains('\u{1b}'), "{error:?}");
    (output.status.code().unwrap(), error)
}

/// Commands that read rows, which other formats have too.
const READ_ROWS: [&str; 10] =
    ["schema", "stats", "cat", "count", "head", "tail", "sample", "query", "merge", "split"];

#[test]
fn every_command_refuses_what_is_no_file_of_its_kind() {
    let folder = Folder::with_flights();
    let whole = fs::read(folder.path("flights.trv")).unwrap();
    fs::write(folder.path("empty.trv"), "").unwrap();
    fs::write(folder.path("text.csv"), "a,b\n1,2\n").unwrap();
    fs::write(folder.path("rows.jsonl"), "{\"a\": 1}\n").unwrap();
    fs::write(folder.path("cut.trv"), &whole[..300]).unwrap();
    fs::create_dir(folder.path("folder")).unwrap();
    for command in COMMANDS {
        for (file, code, message) in [
            ("missing.trv", 1, "missing.trv: No such file"),
            ("empty.trv", 3, "empty.trv is empty"),
            ("text.csv", 3, "text.csv is not a Trevni file (it looks like CSV)"),
            ("rows.jsonl", 3, "rows.jsonl is not a Trevni file (it looks like JSON)"),
            ("cut.trv", 3, "cut.trv"),
            ("folder", 1, "folder is a folder"),
        ] {
            if READ_ROWS.contains(&command[0]) && ["text.csv", "rows.jsonl"].contains(&file) {
                continue;
            }
            let (found, error) = fails(&folder, &[command, &[file]].concat());
            assert_eq!(found, code, "{command:?} {file}: {error}");
            assert!(error.contains(message), "{command:?} {file}: {error}");
        }
    }
    let output = folder.trevni(&["verify", "cut.trv", "text.csv", "flights.trv"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(3), 3), "{text}");
}

#[test]
fn damage_is_told_by_column_and_block() {
    let folder = Folder::with_flights();
    let mut bytes = fs::read(folder.path("flights.trv")).unwrap();
    let end = bytes.len();
    bytes[end - 60] ^= 1;
    fs::write(folder.path("bad.trv"), bytes).unwrap();
    let (code, error) = fails(&folder, &["cat", "bad.trv", "-o", "out.jsonl"]);
    assert_eq!(code, 3, "{error}");
    assert!(error.contains("bad.trv: ") && error.contains("column \"stops[]\", block "), "{error}");
    assert!(!folder.path("out.jsonl").exists());
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 2, "nothing is left behind");
    // Other columns are whole.
    assert_eq!(folder.prints(&["cat", "-c", "carrier", "bad.trv"]).lines().count(), 1000);
}

#[test]
fn no_damage_makes_a_command_panic() {
    let folder = Folder::new();
    folder.write("odd.trv", super::flights(40));
    let whole = fs::read(folder.path("odd.trv")).unwrap();
    let others: [&[&str]; 3] = [&["verify"], &["layout", "-c", "*"], &["schema", "-f", "rust"]];
    let commands: Vec<&[&str]> = COMMANDS.into_iter().chain(others).collect();
    let try_all = |bytes: &[u8], number: usize| {
        fs::write(folder.path("bad.trv"), bytes).unwrap();
        let args = [commands[number % commands.len()], &["bad.trv"]].concat();
        let output = folder.trevni(&args).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{args:?}: {error}");
        assert!(error.lines().count() <= 2 && !error.contains("panicked"), "{args:?}: {error}");
    };
    // Each command sees each part of the file: flipped bits, and the start of it alone.
    for (number, at) in (4..whole.len()).step_by(7).enumerate() {
        let mut bytes = whole.clone();
        bytes[at] ^= [1, 128, 255][number % 3];
        try_all(&bytes, number);
    }
    for (number, length) in (1..whole.len()).step_by(41).enumerate() {
        try_all(&whole[..length], number);
    }
}

#[test]
fn wrong_questions_have_hints() {
    let folder = Folder::with_flights();
    for (args, message) in [
        (&["cat", "-c", "carier"][..], "no field \"carier\"; did you mean \"carrier\"?"),
        (
            &["cat", "-c", "x*"],
            "no field matches \"x*\"\n  There are flight, carrier, dep_delay, from, stops",
        ),
        (&["cat", "-w", "carier = 'AA'"], "did you mean \"carrier\"?"),
        (&["cat", "-w", "carrier > 5"], "character 1: carrier is a string, 5 a number\n  carrier > 5\n  ^"),
        (
            &["count", "-w", "carrier ="],
            "character 10: a field or a value expected\n  carrier =\n           ^",
        ),
        (&["count", "-w", "stops = 'S1'"], "stops is a list, 'S1' a string: test its items with any"),
    ] {
        let (code, error) = fails(&folder, &[args, &["flights.trv"]].concat());
        assert_eq!(code, 2, "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
    assert_eq!(fails(&folder, &["nothing"]).0, 2);
    assert_eq!(fails(&folder, &["info", "--key", "none", "flights.trv"]).0, 1);
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = Folder::new();
    folder.write("long.trv", (0..200_000u32).map(|n| (n, "some text that fills the pipe")));
    for format in ["jsonl", "json", "csv"] {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("trevni"))
            .args(["cat", "-f", format])
            .arg(folder.path("long.trv"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut start = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{format}: {:?}", output.status);
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
