//! Conditions that the file cannot decide itself, in all commands that have them.

use super::{Folder, flights};
use serde_json::{Value, json};

/// The flights that a part of the name of the second stop, and a comparison of two fields, leave.
const CONDITION: &str = "from.gate > flight % 37 and dep_delay is not null and lower(carrier) like '_a'";

fn wanted() -> Vec<Value> {
    let is = |row: &Value| {
        let number = |value: &Value| value.as_u64().unwrap();
        number(&row["from"]["gate"]) > number(&row["flight"]) % 37
            && !row["dep_delay"].is_null()
            && row["carrier"] == "AA"
    };
    flights(1000).into_iter().filter(is).collect()
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn all_commands_find_the_same_rows() {
    let folder = Folder::with_flights();
    let wanted = wanted();
    assert!(wanted.len() > 20 && wanted.len() < 300, "{}", wanted.len());
    let json = |args: &[&str]| rows(&folder.prints(&[args, &["flights.trv", "-w", CONDITION]].concat()));
    assert_eq!(json(&["cat"]), wanted);
    assert_eq!(json(&["head", "-n", "3", "--skip", "2", "-f", "jsonl"]), wanted[2..5]);
    assert_eq!(
        json(&["tail", "-n", "3", "--skip", "2", "-f", "jsonl"]),
        wanted[wanted.len() - 5..wanted.len() - 2]
    );
    assert_eq!(json(&["cat", "-c", "flight", "-n", "1"])[0]["flight"], wanted[0]["flight"]);
    assert_eq!(json(&["query", "-f", "jsonl"]), wanted);
    assert_eq!(folder.prints(&["count", "flights.trv", "-w", CONDITION]), format!("{}\n", wanted.len()));
    for (command, output) in [("merge", "merged.trv"), ("recode", "recoded.trv")] {
        folder.prints(&[command, "-q", "flights.trv", "-w", CONDITION, "-o", output]);
        assert_eq!(rows(&folder.prints(&["cat", output])), wanted, "{command}");
    }
}

#[test]
fn several_threads_count_many_rows() {
    let folder = Folder::new();
    let has = |n: &u64| !n.is_multiple_of(5);
    let row = |n: u64| json!({"id": n, "twelfth": has(&n).then_some(n % 12), "name": format!("n{}", n % 9)});
    folder.write("many.trv", (0..140_001).map(row));
    let count = |is: &dyn Fn(&u64) -> bool| (0..140_001).filter(is).count();
    for (condition, count) in [
        ("id >= 35000", count(&|n| *n >= 35_000)),
        ("twelfth = 7", count(&|n| has(n) && n % 12 == 7)),
        ("twelfth is null and name = 'n3'", count(&|n| !has(n) && n % 9 == 3)),
        ("twelfth + 1 > id", count(&|n| has(n) && *n < 12)),
        ("id < 0", 0),
        ("id >= 0", 140_001),
    ] {
        assert_eq!(
            folder.prints(&["count", "many.trv", "-w", condition]),
            format!("{count}\n"),
            "{condition}"
        );
    }
    let mut bytes = std::fs::read(folder.path("many.trv")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..][..2000].fill(0);
    std::fs::write(folder.path("damaged.trv"), bytes).unwrap();
    let args = ["count", "damaged.trv", "-w", "id > 3 and twelfth = 7 and name = 'n3'"];
    let output = folder.trevni(&args).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0));
}

#[test]
fn explain_names_what_is_computed_too() {
    let folder = Folder::with_flights();
    let text = folder.prints(&[
        "count",
        "--explain",
        "-w",
        "flight < 100 and dep_delay * 2 > flight",
        "flights.trv",
    ]);
    assert!(
        text.contains("rows: 1000, ") && text.contains("\nflight") && text.contains("dep_delay"),
        "{text}"
    );
}

#[test]
fn types_are_checked_before_anything_is_read() {
    let folder = Folder::with_flights();
    let mut bytes = std::fs::read(folder.path("flights.trv")).unwrap();
    // The last bytes are of the last column, which the condition needs.
    let end = bytes.len() - 10;
    bytes[end..].fill(0);
    std::fs::write(folder.path("damaged.trv"), bytes).unwrap();
    let code = |condition: &str| {
        let output = folder.trevni(&["count", "damaged.trv", "-w", condition]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (exit, error) = code("len(stops) + 0 = 2 or lower(flight) = 'x'");
    assert_eq!(exit, Some(2), "{error}");
    assert!(error.contains("character 29: flight is a number, not a string"), "{error}");
    assert_eq!(code("any(stops, lower(item) = 's1')").0, Some(3));
}
