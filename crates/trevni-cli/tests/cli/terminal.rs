//! The program in a terminal: widths, colours, progress bars, Ctrl-C.

use crate::Folder;
use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use std::io::{Read, Write};
use std::process::Child;
use std::time::Duration;

/// The program in a terminal of so many columns and lines, in a folder.
pub fn start(
    folder: &Folder,
    (columns, lines): (u16, u16),
    args: &[&str],
    environment: &[(&str, &str)],
) -> (Pty, Child) {
    let (pty, pts) = open().unwrap();
    pty.resize(Size::new(lines, columns)).unwrap();
    let (program, before) = super::with_signals();
    let mut command = Command::new(program)
        .args(before)
        .args(args)
        .current_dir(folder.path(""))
        .env("TERM", "xterm-256color")
        .env("LC_ALL", "C.UTF-8");
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CI"] {
        command = command.env_remove(name);
    }
    let child = command.envs(environment.iter().copied()).spawn(pts).unwrap();
    (pty, child)
}

/// All that the terminal shows, until the program has ended.
fn shown(pty: &mut Pty) -> String {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    // Some systems end with an error where others end.
    while let Ok(count @ 1..) = pty.read(&mut buffer) {
        bytes.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8(bytes).unwrap().replace("\r\n", "\n")
}

pub fn run(folder: &Folder, columns: u16, args: &[&str]) -> (String, Option<i32>) {
    run_with(folder, columns, args, &[])
}

fn run_with(
    folder: &Folder,
    columns: u16,
    args: &[&str],
    environment: &[(&str, &str)],
) -> (String, Option<i32>) {
    let (mut pty, mut child) = start(folder, (columns, 24), args, environment);
    let text = shown(&mut pty);
    (text, child.wait().unwrap().code())
}

/// Rows of many columns, some of them long.
fn wide() -> Folder {
    let folder = Folder::new();
    let row = |n: u64| {
        let fields = (0..30).map(|field| (format!("column_{field}"), serde_json::json!(n * field)));
        let text = ("text".to_owned(), serde_json::json!("long ".repeat(30)));
        [text].into_iter().chain(fields).collect::<serde_json::Map<_, _>>()
    };
    folder.write("wide.trv", (0..50).map(row));
    folder
}

#[test]
fn tables_fit_the_terminal_and_are_whole_elsewhere() {
    let folder = wide();
    for columns in [80, 120] {
        let (text, code) = run(&folder, columns, &["head", "-n", "3", "wide.trv"]);
        assert_eq!(code, Some(0));
        let text = plain(&text);
        assert!(text.lines().all(|line| line.chars().count() <= columns.into()), "{text}");
        assert!(text.contains("…") && text.lines().last().unwrap().contains("more columns: -c"), "{text}");
    }
    let first = |columns| plain(run(&folder, columns, &["head", "wide.trv"]).0.lines().next().unwrap()).len();
    assert!(first(200) > first(80) + 80);
    let whole = folder.prints(&["head", "-n", "3", "wide.trv"]);
    assert!(whole.contains("column_29") && whole.contains(&"long ".repeat(29)) && !whole.contains('…'));
    // A file is no terminal.
    run(&folder, 80, &["head", "-n", "3", "wide.trv", "-o", "out.txt"]);
    assert_eq!(std::fs::read_to_string(folder.path("out.txt")).unwrap(), whole);
}

/// A text without what gives it colours.
fn plain(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn tables_on_terminals_show_first_and_last_columns_and_types() {
    let folder = wide();
    let (text, _) = run(&folder, 80, &["head", "-n", "2", "wide.trv", "-c", "column_*"]);
    let lines: Vec<String> = plain(&text).lines().map(str::to_owned).collect();
    let words: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(words[..2], ["column_0", "column_1"]);
    assert!(words.contains(&"…") && words.last() == Some(&"column_29"), "{text}");
    let printed = words.len() - 1;
    let kinds: Vec<&str> = lines[1].split_whitespace().filter(|word| *word != "…").collect();
    assert_eq!(kinds, vec!["int64"; printed], "{text}");
    assert_eq!(lines.last().unwrap(), &format!("… {} more columns: -c, or -f lines", 30 - printed));
    assert_eq!(lines.len(), 5);
    // Elsewhere there are no types.
    assert_eq!(folder.prints(&["head", "-n", "2", "wide.trv"]).lines().count(), 3);
    folder.write("few.trv", [serde_json::json!({"n": 1, "t": "x", "o": null, "f": 0.5})]);
    let (text, _) = run(&folder, 80, &["head", "few.trv"]);
    let expected =
        "     n  t          o        f\n int64  string  null  float64\n     1  x       null      0.5\n";
    assert_eq!(plain(&text), expected, "{text}");
    let query = ["query", "few.trv", "-c", "n + 1 as m,upper(t),f"];
    let (text, _) = run(&folder, 80, &query);
    assert_eq!(
        plain(&text).lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>(),
        ["int64", "string", "float64"]
    );
    let (text, _) = run(&folder, 80, &["query", "few.trv", "-b", "t", "-a", "count(),max(f)"]);
    assert_eq!(
        plain(&text).lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>(),
        ["string", "float64"]
    );
}

#[test]
fn headers_numbers_and_nulls_have_colours_where_these_are_wanted() {
    let folder = Folder::new();
    folder.write("few.trv", [serde_json::json!({"n": 7, "t": "x", "o": null})]);
    for args in [&["head", "few.trv"][..], &["query", "few.trv", "-f", "lines"]] {
        let (text, _) = run(&folder, 80, args);
        for coloured in ["\x1b[1mn\x1b[0m", "\x1b[36m7\x1b[0m", "\x1b[2mnull\x1b[0m"] {
            assert!(text.contains(coloured), "{coloured:?} is not in {text:?}");
        }
        for environment in [&[("NO_COLOR", "1")][..], &[("TERM", "dumb")]] {
            let (text, _) = run_with(&folder, 80, args, environment);
            assert!(!text.contains('\x1b') && text.contains('7'), "{text:?}");
        }
        assert!(!folder.prints(args).contains('\x1b'));
    }
}

#[test]
fn long_reports_are_cut_on_terminals() {
    let folder = wide();
    let (text, code) = run(&folder, 200, &["size", "wide.trv"]);
    assert_eq!((code, text.lines().count()), (Some(0), 2 + 20 + 2), "{text}");
    assert!(text.contains("\n11 more ") && text.ends_with("all 31: -n 31\n"), "{text}");
    assert_eq!(run(&folder, 200, &["size", "wide.trv", "-n", "31"]).0.lines().count(), 2 + 31);
    assert_eq!(folder.prints(&["size", "wide.trv"]).lines().count(), 2 + 31);
}

#[test]
fn colours_are_for_terminals() {
    let folder = Folder::new();
    let has_colours = |args: &[&str], environment: &[(&str, &str)]| {
        let (text, code) = run_with(&folder, 80, args, environment);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("nowhere.trv"), "{text}");
        text.contains('\x1b')
    };
    assert!(has_colours(&["info", "nowhere.trv"], &[]));
    assert!(!has_colours(&["info", "nowhere.trv"], &[("NO_COLOR", "1")]));
    assert!(!has_colours(&["info", "nowhere.trv", "--color", "never"], &[]));
    let piped = |args: &[&str]| folder.trevni(args).output().unwrap().stderr.contains(&0x1b);
    assert!(!piped(&["info", "nowhere.trv"]));
    assert!(piped(&["info", "nowhere.trv", "--color", "always"]));
}

#[test]
fn progress_bars_are_for_terminals() {
    let folder = Folder::with_flights();
    let merge = ["merge", "flights.trv", "flights.trv", "-o", "out.trv", "--force", "--progress-after", "0"];
    let (text, code) = run(&folder, 80, &merge);
    assert_eq!(code, Some(0));
    assert!(text.contains("merging") && text.contains('━'), "{text:?}");
    assert!(text.contains("out.trv: 2,000 rows"), "{text:?}");
    for quiet in ["-q", "--no-progress"] {
        let (text, code) = run(&folder, 80, &[&merge[..], &[quiet]].concat());
        assert_eq!(code, Some(0));
        assert!(!text.contains('\x1b') && !text.contains("merging"), "{text:?}");
        assert_eq!(text.contains("2,000 rows"), quiet != "-q", "{text:?}");
    }
    let piped = folder.trevni(&merge).output().unwrap();
    let notes = String::from_utf8(piped.stderr).unwrap();
    assert!(piped.stdout.is_empty() && notes.lines().count() == 1 && !notes.contains('\x1b'), "{notes:?}");
    // Work that is done sooner has no bar.
    let later = [&merge[..6], &["--progress-after", "3600000"]].concat();
    assert!(!run(&folder, 80, &later).0.contains("merging"));
}

#[test]
fn ctrl_c_leaves_nothing_behind() {
    let folder = Folder::with_flights();
    let files = || std::fs::read_dir(folder.path("")).unwrap().count();
    let before = files();
    let (mut pty, mut child) = start(&folder, (80, 24), &["cat", "-", "-o", "out.jsonl"], &[]);
    // It has begun when its temporary file is there, and waits for standard input.
    while files() == before {
        std::thread::sleep(Duration::from_millis(5));
    }
    pty.write_all(&[3]).unwrap();
    let text = shown(&mut pty);
    assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
    assert!(!text.contains("error"), "{text}");
    assert_eq!(files(), before);
}

#[test]
fn no_data_steers_the_terminal() {
    let folder = Folder::new();
    let text = "red \x1b[31m back\r\x08 \u{202e}right\u{9b}2J";
    let row = serde_json::json!({"name": text, text: ["é日本", text], "tab": "a\tb"});
    folder.write("rows.trv", [&row]);
    for format in ["jsonl", "json", "csv", "tsv", "avro-json", "table", "lines"] {
        for command in ["cat", "query"] {
            if command == "query" && format == "avro-json" {
                continue;
            }
            let args = [command, "-f", format, "rows.trv"];
            let (shown, code) = run_with(&folder, 500, &args, &[("NO_COLOR", "1")]);
            // The colours of the program are all that is added.
            let (coloured, _) = run(&folder, 500, &args);
            let colours = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[36m"];
            let without = colours.iter().fold(coloured, |text, colour| text.replace(colour, ""));
            assert_eq!(without, shown, "{args:?}");
            assert_eq!(code, Some(0), "{shown}");
            let steers = |c: char| c.is_control() && c != '\n' && c != '\t' || "\u{202e}".contains(c);
            assert!(!shown.contains(steers), "{args:?}: {shown:?}");
            assert!(
                shown.to_lowercase().contains("\\u001b[31m") && shown.contains("é日本"),
                "{args:?}: {shown:?}"
            );
            if format == "jsonl" {
                assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), row);
            }
            // Elsewhere the data is as it is.
            let piped = folder.prints(&args);
            let raw = matches!(format, "csv" | "tsv");
            assert_eq!(piped.contains('\x1b'), raw, "{args:?}: {piped:?}");
            assert_eq!(
                piped.contains('\u{202e}'),
                !matches!(format, "table" | "lines"),
                "{args:?}: {piped:?}"
            );
        }
    }
}
