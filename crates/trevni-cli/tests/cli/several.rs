//! Several files as one table.

use super::Folder;
use serde_json::{Value, json};

/// Files of which each has a field that others lack.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("one.trv", (0..4).map(|n| json!({"id": n, "kind": "a"})));
    folder.write("two.trv", (4..7).map(|n| json!({"size": n * 10, "id": n, "kind": {"x": n}})));
    folder.write("three.trv", (7..9).map(|n| json!({"id": n, "a.b": n, "a": {"b": true}})));
    folder
}

const FILES: [&str; 3] = ["one.trv", "two.trv", "three.trv"];

fn ids(folder: &Folder, args: &[&str]) -> Vec<u64> {
    let rows = folder.prints(&[args, &["-f", "jsonl"], &FILES[..]].concat());
    rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap()["id"].as_u64().unwrap()).collect()
}

#[test]
fn columns_are_those_of_all_files() {
    let folder = folder();
    let csv = folder.prints(&[&["cat", "-f", "csv", "--null", "-"], &FILES[..]].concat());
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "id,kind,size,kind.x,`a.b`,a.b");
    assert_eq!((lines[1], lines[5], lines[8]), ("0,a,-,-,-,-", "4,-,40,4,-,-", "7,-,-,-,7,true"));
    assert_eq!(lines.len(), 10, "{csv}");
    let tsv = folder.prints(&[&["tail", "-f", "tsv", "-n", "1"], &FILES[..]].concat());
    assert_eq!(tsv, "id\tkind\tsize\tkind.x\t`a.b`\ta.b\n8\t\t\t\t8\ttrue\n");
    let table = folder.prints(&[&["head", "-n", "5"], &FILES[..]].concat());
    assert_eq!(table.lines().next().unwrap().split_whitespace().count(), 6, "{table}");
    assert_eq!(table.lines().count(), 6, "{table}");
    // As a query has it.
    for (args, rest) in
        [(["-f", "csv"], &["-n", "6"][..]), (["-f", "csv"], &["-c", "kind,s*,id"]), (["-f", "tsv"], &[])]
    {
        let of = |command| folder.prints(&[&[command], &args[..], rest, &FILES[..]].concat());
        assert_eq!(of("cat"), of("query"), "{args:?} {rest:?}");
    }
}

#[test]
fn rows_are_counted_over_all_files() {
    let folder = folder();
    assert_eq!(ids(&folder, &["head", "-n", "6"]), [0, 1, 2, 3, 4, 5]);
    assert_eq!(ids(&folder, &["cat", "-n", "2"]), [0, 1]);
    assert_eq!(ids(&folder, &["cat", "--skip", "3", "-n", "5"]), [3, 4, 5, 6, 7]);
    assert_eq!(ids(&folder, &["cat", "--skip", "8"]), [8]);
    assert_eq!(ids(&folder, &["cat", "--skip", "9"]), [0u64; 0]);
    assert_eq!(ids(&folder, &["tail", "-n", "3"]), [6, 7, 8]);
    assert_eq!(ids(&folder, &["tail", "-n", "3", "--skip", "3"]), [3, 4, 5]);
    assert_eq!(ids(&folder, &["tail", "-n", "100"]), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(ids(&folder, &["head", "-n", "0"]), [0u64; 0]);
    // Whether the files decide a condition, or the program does.
    for condition in ["id > 2", "id + 0 > 2"] {
        assert_eq!(ids(&folder, &["head", "-n", "3", "-w", condition]), [3, 4, 5], "{condition}");
        assert_eq!(
            ids(&folder, &["head", "-n", "3", "--skip", "2", "-w", condition]),
            [5, 6, 7],
            "{condition}"
        );
        assert_eq!(ids(&folder, &["tail", "-n", "3", "-w", condition]), [6, 7, 8], "{condition}");
        assert_eq!(ids(&folder, &["tail", "-n", "2", "--skip", "1", "-w", condition]), [6, 7], "{condition}");
    }
    // Fields that a file lacks are null there.
    assert_eq!(ids(&folder, &["cat", "-w", "size > 40 or id < 1"]), [0, 5, 6]);
    assert_eq!(ids(&folder, &["cat", "-w", "size is null", "-n", "5"]), [0, 1, 2, 3, 7]);
    let output = folder.trevni(&[&["cat", "-w", "sise > 40"], &FILES[..]].concat()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_sample_is_one_of_all_files() {
    let folder = folder();
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..30 {
        let seed = seed.to_string();
        let some = ids(&folder, &["sample", "-n", "3", "--seed", &seed]);
        assert!(some.len() == 3 && some.is_sorted(), "{some:?}");
        seen.extend(some);
        let behind = ids(&folder, &["sample", "-n", "2", "--skip", "6", "--seed", &seed]);
        assert!(behind.len() == 2 && behind.iter().all(|id| *id >= 6), "{behind:?}");
    }
    assert_eq!(seen.len(), 9, "{seen:?}");
    assert_eq!(ids(&folder, &["sample", "-n", "100"]).len(), 9);
}

#[test]
fn fields_are_in_one_file_at_least() {
    let folder = folder();
    let rows = folder.prints(&[&["cat", "-c", "size,kind.x,id"], &FILES[..]].concat());
    let lines: Vec<&str> = rows.lines().collect();
    assert_eq!(lines[0], "{\"id\":0}");
    assert_eq!(lines[4], "{\"size\":40,\"kind\":{\"x\":4},\"id\":4}");
    let csv = folder.prints(&[&["cat", "-f", "csv", "-c", "size,id", "-n", "5"], &FILES[..]].concat());
    assert_eq!(csv, "size,id\n,0\n,1\n,2\n,3\n40,4\n");
    let output = folder.trevni(&[&["cat", "-c", "sizze"], &FILES[..]].concat()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn many_files_need_not_be_open_at_once() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("parts")).unwrap();
    let bytes = trevni::to_vec([json!({"id": 1})]).unwrap();
    for number in 0..1500 {
        std::fs::write(folder.path("parts").join(format!("{number}.trv")), &bytes).unwrap();
    }
    let csv = folder.prints(&["cat", "-f", "csv", "parts"]);
    assert_eq!(csv.lines().count(), 1501);
    assert_eq!(folder.prints(&["tail", "-n", "2", "-f", "jsonl", "parts"]), "{\"id\":1}\n{\"id\":1}\n");
}
