//! Folders of partitions: their keys are columns.

use super::Folder;
use serde_json::{Value, json};

fn folder() -> Folder {
    let folder = Folder::new();
    let rows = |from: u64| (from..from + 3).map(|id| json!({"id": id, "x": id * 2}));
    for (name, from) in
        [("t/day=1", 0), ("t/day=2/hour=a%20b", 10), ("t/day=__HIVE_DEFAULT_PARTITION__", 20), ("t", 30)]
    {
        std::fs::create_dir_all(folder.0.path().join(name)).unwrap();
        folder.write(&format!("{name}/part-00000.trv"), rows(from));
    }
    folder
}

#[test]
fn keys_are_columns_in_all_commands_that_print_rows() {
    let folder = folder();
    let csv = folder.prints(&["cat", "-f", "csv", "--null", "-", "t"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines[0], lines[1], lines[4]), ("id,x,day,hour", "30,60,-,-", "0,0,1,-"));
    assert_eq!((lines[7], lines[10], lines.len()), ("10,20,2,a b", "20,40,-,-", 13));
    assert_eq!(folder.prints(&["query", "-f", "csv", "--null", "-", "t"]), csv);
    let some = |args: &[&str]| folder.prints(&[args, &["t"]].concat());
    assert_eq!(
        some(&["cat", "-f", "csv", "-c", "hour,id", "-w", "day = '2' and id > 10"]),
        "hour,id\na b,11\na b,12\n"
    );
    std::fs::remove_file(folder.path("t/part-00000.trv")).unwrap();
    let counts = some(&["count", "-w", "day is null or day = '2'"]);
    assert!(counts.starts_with("0  t/day=1/") && counts.ends_with("6  total\n"), "{counts}");
    assert_eq!(
        some(&["query", "-f", "csv", "-b", "day", "-a", "count()", "-s", "day"]),
        "day,count\n1,3\n2,3\n,3\n"
    );
    assert_eq!(some(&["head", "-n", "1", "-c", "id", "-f", "jsonl"]), "{\"id\":0}\n");
    let tail: Value = serde_json::from_str(&some(&["tail", "-n", "1", "-f", "jsonl"])).unwrap();
    assert_eq!(tail["id"], 22);
    for (args, key) in
        [(&["stats", "--json"][..], "day"), (&["size", "--json"], "id"), (&["info", "--json"], "rows")]
    {
        let all = some(args);
        assert_eq!(all.lines().count(), 3, "{args:?}");
        assert!(all.contains(key), "{args:?}: {all}");
    }
    assert_eq!(some(&["verify"]).lines().count(), 3);
}

#[test]
fn what_has_no_place_for_keys_is_an_error() {
    let folder = folder();
    let error = folder.fails(&["merge", "t", "-o", "all.trv"]);
    assert!(error.contains("day=1/part-00000.trv is in a folder of a partition"), "{error}");
    folder.prints(&["-q", "merge", "t/day=1", "t/part-00000.trv", "-o", "some.trv"]);
    assert_eq!(folder.prints(&["count", "some.trv"]), "6\n");
    std::fs::create_dir_all(folder.0.path().join("t/old")).unwrap();
    folder.write("t/old/x.trv", [json!({"id": 1})]);
    for command in [&["cat"][..], &["query"], &["count"], &["stats"], &["size"], &["info"], &["verify"]] {
        let error = folder.fails(&[command, &["t"]].concat());
        assert!(error.contains("t/old") && error.contains("one by one"), "{command:?}: {error}");
    }
    assert_eq!(folder.prints(&["count", "t/old"]), "1\n");
}
