//! What is said of statements that fail, and exit codes.

use crate::{Folder, texts};
use std::fs;

#[track_caller]
fn fails(folder: &Folder, sql: &str) -> (String, Option<i32>) {
    let output = folder.sql(&["-c", sql]).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(out, "", "{told}");
    assert!(told.starts_with("error: ") && !told.contains("backtrace"), "{told}");
    (told, output.status.code())
}

#[test]
fn errors_show_their_place() {
    let folder = Folder::with_flights();
    let (told, code) = fails(&folder, "SELECT 1 +\n  FROM x;");
    assert_eq!(code, Some(2), "{told}");
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("error: line 2: ") && !lines[0].contains("Column"), "{told}");
    assert_eq!(&lines[1..3], ["    FROM x", "    ^"], "{told}");
    let (told, code) = fails(&folder, "SELECT flihgt FROM 'flights.trv'");
    assert_eq!(code, Some(2), "{told}");
    assert!(
        told.contains("flihgt") && told.contains("\n  SELECT flihgt FROM 'flights.trv'\n         ^\n"),
        "{told}"
    );
    // The line is that of the script.
    let output = folder.script(&[], "SELECT 1;\n\nSELECT 'é', \"nothing\";\n");
    let (out, told) = texts(&output);
    assert!(out.contains('1') && told.starts_with("error: line 3: "), "{told}");
    assert!(told.contains("\n  SELECT 'é', \"nothing\"\n              ^\n"), "{told}");
    let (told, code) = fails(&folder, "SELECT 1;\nSELECT 'a");
    assert_eq!(code, Some(2));
    assert!(
        told.starts_with("error: line 2: Unterminated") && told.contains("\n  SELECT 'a\n         ^"),
        "{told}"
    );
}

#[test]
fn the_first_failure_ends_a_script() {
    let folder = Folder::new();
    let output = folder.script(&["--format", "csv"], "SELECT 1 AS a; SELECT nothing; SELECT 2 AS b;");
    let (out, told) = texts(&output);
    assert_eq!((out.as_str(), output.status.code()), ("a\n1\n", Some(2)), "{told}");
}

#[test]
fn files_that_are_not_there_are_named() {
    let folder = Folder::new();
    let (told, code) = fails(&folder, "SELECT * FROM 'nowhere.trv'");
    assert!(told.starts_with("error: nowhere.trv: there is no such file\n"), "{told}");
    assert_eq!(code, Some(2));
    let (told, code) = fails(&folder, "SELECT * FROM nowhere");
    assert!(told.starts_with("error: there is no table nowhere\n"), "{told}");
    assert_eq!(code, Some(2));
    let output = folder.sql(&["-f", "nowhere.sql"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output).1.starts_with("error: nowhere.sql: "), "{output:?}");
}

#[test]
fn damaged_files_have_an_exit_code_of_their_own() {
    let folder = Folder::with_flights();
    let bytes = fs::read(folder.path("flights.trv")).unwrap();
    let mut damaged = bytes.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 64].iter_mut().for_each(|byte| *byte ^= 0x55);
    fs::write(folder.path("damaged.trv"), damaged).unwrap();
    fs::write(folder.path("cut.trv"), &bytes[..40]).unwrap();
    fs::write(folder.path("text.trv"), "no columns").unwrap();
    for name in ["damaged", "cut", "text"] {
        let sql = format!("SELECT * FROM '{name}.trv' ORDER BY flight");
        let (told, code) = fails(&folder, &sql);
        assert_eq!(code, Some(3), "{told}");
        assert!(told.contains(name) && told.lines().count() <= 3, "{told}");
    }
}

#[test]
fn uses_that_cannot_be_are_told() {
    let folder = Folder::new();
    for args in [&["--format", "xml"][..], &["--memory-limit", "much"], &["--threads", "0"], &["SELECT 1"]] {
        let output = folder.sql(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(texts(&output).1.starts_with("error: "), "{output:?}");
    }
    for command in ["\\y", ".nothing"] {
        let (told, code) = fails(&folder, command);
        let expected = format!("error: there is no command {command}\n  \\? lists them\n");
        assert_eq!((code, told), (Some(2), expected));
    }
    let (told, code) = fails(&folder, "SELECT 1/0");
    assert_eq!(code, Some(1), "{told}");
    // Nobody listens there.
    let output = folder.sql(&["--scheduler", "127.0.0.1:1", "-c", "SELECT 1"]).output().unwrap();
    let (_, told) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.starts_with("error: the scheduler 127.0.0.1:1 does not answer"), "{told}");
}

#[test]
fn messages_steer_no_terminal() {
    let folder = Folder::new();
    let (told, _) = fails(&folder, "SELECT \"\x1b[31m\u{202e}\"");
    assert!(!told.contains('\x1b') && !told.contains('\u{202e}') && told.contains("\\u001b[31m"), "{told:?}");
}

#[test]
fn mistakes_are_not_called_bugs_of_the_engine() {
    let folder = Folder::with_flights();
    for (sql, told_of) in [
        ("SELECT sum(carrier) FROM 'flights.trv'", "sum("),
        ("SELECT round('x')", "round(Utf8)"),
        ("SELECT substr('a', 'b')", "substr(Utf8, Utf8)"),
    ] {
        let (told, code) = fails(&folder, sql);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.starts_with("error: No function matches") && told.contains(told_of), "{told}");
        assert!(!told.contains("bug") && !told.contains("Internal"), "{told}");
    }
}

#[test]
fn long_expressions_are_answered_or_told() {
    let folder = Folder::new();
    let sum = |count: usize| format!("SELECT ({}) AS sum", vec!["1"; count].join(" + "));
    assert_eq!(folder.prints(&["--format", "csv", "-c", &sum(200)]), "sum\n200\n");
    let (told, code) = fails(&folder, &sum(3000));
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("more than 2000 operators stand in a row") && told.len() < 300, "{told}");
}

#[test]
fn words_that_messages_name_are_shown_in_their_line() {
    let folder = Folder::with_flights();
    for (sql, line, mark) in [
        ("SELECT 1,\n  nothing(2)", "line 2: ", "    nothing(2)\n    ^"),
        ("SELECT * FROM nowhere", "", "  SELECT * FROM nowhere\n                ^"),
        ("SELECT *\nFROM 'nowhere.trv'", "line 2: ", "  FROM 'nowhere.trv'\n       ^"),
        ("SELECT 1,\n substr('a', 'b')", "line 2: ", "   substr('a', 'b')\n   ^"),
        ("SELECT 1; SELECT 2;\nSET datafusion.nothing = 1", "line 2: ", ""),
    ] {
        let output = folder.sql(&["-q", "-c", sql]).output().unwrap();
        let (_, told) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.starts_with(&format!("error: {line}")) && told.contains(mark), "{sql}: {told}");
    }
}
