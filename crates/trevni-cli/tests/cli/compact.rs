//! Compact files: written on request, and read by all commands.

use super::Folder;
use serde_json::{Value, json};

/// Events of several kinds as lines of JSON.
fn folder() -> Folder {
    let folder = Folder::new();
    let field = |kind: usize, field: usize| (format!("f{field}"), json!(format!("{kind} {}", field % 7)));
    let event = |n: usize| json!({"id": n, format!("event_{}", n % 9): Value::Object((0..60).map(|f| field(n, f)).collect())});
    let lines: String = (0..40).map(|n| event(n).to_string() + "\n").collect();
    std::fs::write(folder.path("events.jsonl"), lines).unwrap();
    folder.prints(&["-q", "convert", "events.jsonl", "-o", "plain.trv"]);
    folder.prints(&["-q", "convert", "--compact", "events.jsonl", "-o", "small.trv"]);
    folder
}

fn info(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.prints(&["info", "--json", name])).unwrap()
}

#[test]
fn compact_files_are_small_and_have_the_same_rows() {
    let folder = folder();
    let size = |name: &str| std::fs::metadata(folder.path(name)).unwrap().len();
    assert!(size("small.trv") * 8 < size("plain.trv"), "{} {}", size("small.trv"), size("plain.trv"));
    for command in
        [&["cat"][..], &["schema"], &["cat", "-w", "id > 30", "-c", "event_3.f1"], &["stats"], &["dump"]]
    {
        let seen = |name: &str| {
            folder.prints(&[command, &[name]].concat()).replace(name.trim_end_matches(".trv"), "")
        };
        assert_eq!(seen("small.trv"), seen("plain.trv"), "{command:?}");
    }
    for command in ["verify", "layout", "size", "info", "count"] {
        folder.prints(&[command, "small.trv"]);
    }
    let (plain, compact) = (info(&folder, "plain.trv"), info(&folder, "small.trv"));
    assert_eq!((&plain["compact"], &compact["compact"]), (&json!(false), &json!(true)));
    assert_eq!((&plain["codecs"], &plain["metadata"]), (&compact["codecs"], &compact["metadata"]));
    assert!(folder.prints(&["info", "small.trv"]).contains("Trevni 2, compact, 40 rows"));
}

#[test]
fn files_stay_compact_unless_others_are_asked_for() {
    let folder = folder();
    for (args, compact) in [
        (&["recode", "small.trv", "-z", "zstd"][..], true),
        (&["recode", "small.trv", "--compact=false"], false),
        (&["recode", "plain.trv", "--compact"], true),
        (&["recode", "plain.trv"], false),
        (&["merge", "small.trv", "plain.trv"], true),
        (&["merge", "plain.trv", "small.trv"], false),
    ] {
        folder.prints(&[&["-q"], args, &["-o", "out.trv", "--force"]].concat());
        assert_eq!(info(&folder, "out.trv")["compact"], compact, "{args:?}");
        let rows = folder.prints(&["cat", "plain.trv"]);
        assert!(folder.prints(&["cat", "out.trv"]).starts_with(&rows), "{args:?}");
        folder.prints(&["-q", "verify", "out.trv"]);
    }
}

#[test]
fn interchange_undoes_what_java_cannot_read() {
    let folder = folder();
    folder.prints(&["-q", "recode", "small.trv", "-z", "typed", "--compact", "-o", "typed.trv"]);
    assert_eq!(info(&folder, "typed.trv")["compact"], json!(true));
    folder.prints(&["-q", "recode", "typed.trv", "--interchange", "-o", "java.trv"]);
    let (plain, java) = (info(&folder, "plain.trv"), info(&folder, "java.trv"));
    assert_eq!((&java["compact"], &java["codecs"]), (&json!(false), &plain["codecs"]));
    assert_eq!(folder.prints(&["cat", "java.trv"]), folder.prints(&["cat", "plain.trv"]));
    for other in [&["-z", "typed"][..], &["--compact"]] {
        let told = folder.fails(&[&["recode", "small.trv", "--interchange", "-o", "x.trv"], other].concat());
        assert!(told.contains("--interchange"), "{told}");
    }
}
