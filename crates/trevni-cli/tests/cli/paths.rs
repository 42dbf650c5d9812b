//! Paths of fields: one rule for all commands.

use super::Folder;
use serde_json::{Value, json};

/// Rows with lists of records, and with dots in names.
fn folder() -> Folder {
    let folder = Folder::new();
    let row = |n: u64| {
        json!({
            "a.b": n,
            "a": {"b": n + 10, "c": n + 20, "d.e": n + 30},
            "list": [{"b": {"c": n, "d": "x"}, "e": n}, {"b": {"c": n + 1, "d": "y"}, "e": n + 1}],
            "v": {"5.5": n},
            "x,y": n,
            "map": {"k": 1},
            "end": n,
        })
    };
    folder.write("rows.trv", (0..3).map(row));
    folder
}

/// The commands that take fields, with the option before them.
const COMMANDS: [&[&str]; 11] = [
    &["cat", "-c"],
    &["head", "-c"],
    &["tail", "-c"],
    &["sample", "-c"],
    &["query", "-c"],
    &["stats", "-c"],
    &["size", "-c"],
    &["layout", "-c"],
    &["dump", "-c"],
    &["recode", "-o", "-", "-c"],
    &["convert", "--to", "csv", "-o", "-", "-c"],
];

#[track_caller]
fn fails(folder: &Folder, args: &[&str]) -> String {
    let output = folder.trevni(args).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_wrong_path_is_told_by_all_commands_alike() {
    let folder = folder();
    for (path, error) in [
        ("endd", "error: no field \"endd\"; did you mean \"end\"?\n"),
        ("list.b.cc", "error: no field \"list.b.cc\"; did you mean \"list.b.c\"?\n"),
        ("list.x", "error: no field \"list.x\"; there are list.b, list.e\n"),
        ("a.d.f", "error: no field \"a.d.f\"; there are a.b, a.c, a.`d.e`\n"),
        (r"a\.c", "error: no field \"a\\.c\"; did you mean \"`a.b`\"?\n"),
        (r"v.5\.6", "error: no field \"v.5\\.6\"; did you mean \"v.`5.5`\"?\n"),
        ("end.x", "error: no field \"end.x\"\n"),
        (
            "!nothing*",
            "error: no field matches \"nothing*\"\n  There are `a.b`, a, list, v, `x,y`, map, end\n",
        ),
    ] {
        for command in COMMANDS {
            assert_eq!(fails(&folder, &[command, &[path, "rows.trv"]].concat()), error, "{command:?} {path}");
        }
    }
    let error = fails(&folder, &["query", "rows.trv", "--explode", "lisst"]);
    assert_eq!(error, "error: no field \"lisst\"; did you mean \"list\"?\n");
    let error = fails(&folder, &["recode", "rows.trv", "-o", "-", "--sort-by", "-endd"]);
    assert_eq!(error, "error: no field \"endd\"; did you mean \"end\"?\n");
    let error = fails(&folder, &["query", "rows.trv", "-w", "end = 1 and a.x = 2"]);
    assert!(error.contains("character 13: no field \"a.x\"; there are a.b, a.c, a.`d.e`\n"), "{error}");
}

#[test]
fn a_path_into_a_list_is_that_part_of_the_list() {
    let folder = folder();
    let list = |n: u64| json!([{"b": {"c": n}}, {"b": {"c": n + 1}}]);
    let rows = |args: &[&str]| -> Vec<Value> {
        let all = [args, &["-f", "jsonl", "rows.trv"]].concat();
        folder.prints(&all).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let expected: Vec<Value> = (0..3).map(|n| json!({"list": list(n)})).collect();
    assert_eq!(rows(&["cat", "-c", "list.b.c"]), expected);
    assert_eq!(rows(&["query", "-c", "list.b.c"]), expected);
    for columns in ["list.b.c", "end,list.b.c", "list.e,list.b.d", "list.b,list", "l*.e"] {
        let of = |command| folder.prints(&[command, "-f", "csv", "-c", columns, "rows.trv"]);
        assert_eq!(of("cat"), of("query"), "{columns}");
    }
    // What else is needed of the list is not printed.
    let conditions = ["query", "-c", "list.b.c", "-w", "any(list, e = 3)", "-s", "-end"];
    assert_eq!(rows(&conditions), [json!({"list": list(2)})]);
    let counted = rows(&["query", "-c", "list.b.c,n=len(list)", "-n", "1"]);
    assert_eq!(counted, [json!({"list": list(0), "n": 2})]);
    let apart = ["query", "--explode", "list", "-c", "list.b.c,end", "-w", "list.e = 1", "-s", "end"];
    assert_eq!(rows(&apart), [json!({"list.b.c": 1, "end": 0}), json!({"list.b.c": 1, "end": 1})]);
}

#[test]
fn parts_of_lists_have_variants_and_maps_in_them() {
    #[derive(serde::Serialize)]
    enum Kind {
        A { x: i32, y: i32 },
        B(i32),
        C,
    }
    #[derive(serde::Serialize)]
    struct Row {
        kinds: Vec<Option<Kind>>,
        all: Vec<std::collections::BTreeMap<&'static str, (i32, Kind)>>,
    }
    let row = Row {
        kinds: vec![Some(Kind::A { x: 1, y: 2 }), None, Some(Kind::B(3)), Some(Kind::C)],
        all: vec![[("k", (1, Kind::A { x: 4, y: 5 })), ("l", (2, Kind::C))].into()],
    };
    let folder = Folder::new();
    folder.write("rows.trv", [row]);
    for columns in
        ["kinds.A.x", "kinds.B", "kinds.A,kinds.B", "all.value._1.A.y", "all.value._0", "kinds.Kind"]
    {
        let cat = folder.prints(&["cat", "-c", columns, "rows.trv"]);
        // Other columns need the rest of the lists.
        let needed = format!("{columns},n=len(kinds),m=len(all)");
        let query: Value =
            serde_json::from_str(&folder.prints(&["query", "-f", "jsonl", "-c", &needed, "rows.trv"]))
                .unwrap();
        let mut cat: Value = serde_json::from_str(&cat).unwrap();
        cat.as_object_mut().unwrap().extend([("n".to_owned(), json!(4)), ("m".to_owned(), json!(1))]);
        assert_eq!(query, cat, "{columns}");
    }
}

#[test]
fn dots_separate_names_where_they_can() {
    let folder = folder();
    for (path, values) in [
        ("a.b", [10, 11, 12]),
        (r"a\.b", [0, 1, 2]),
        ("`a.b`", [0, 1, 2]),
        ("a.`b`", [10, 11, 12]),
        ("a.d.e", [30, 31, 32]),
        (r"a.d\.e", [30, 31, 32]),
        ("v.5.5", [0, 1, 2]),
        (r"v.5\.5", [0, 1, 2]),
        (r"x\,y", [0, 1, 2]),
        ("`x,y`", [0, 1, 2]),
    ] {
        let expected: Vec<String> = values.iter().map(u64::to_string).collect();
        let expected = expected.join("\n") + "\n";
        for command in ["cat", "head", "tail", "query"] {
            let found = folder.prints(&[command, "-f", "csv", "--no-header", "-c", path, "rows.trv"]);
            assert_eq!(found, expected, "{command} {path}");
        }
        let stats: Value =
            serde_json::from_str(&folder.prints(&["stats", "--json", "-c", path, "rows.trv"])).unwrap();
        assert_eq!(
            (&stats["columns"][0]["min"], stats["columns"].as_array().unwrap().len()),
            (&json!(values[0]), 1)
        );
        let size: Value =
            serde_json::from_str(&folder.prints(&["size", "--json", "-c", path, "rows.trv"])).unwrap();
        assert_eq!(size["columns"].as_array().unwrap().len(), 1, "{path}");
        // Conditions and values understand the same, whether the file or the program decides.
        for condition in [format!("{path} = {}", values[1]), format!("{path} + 0 = {}", values[1])] {
            assert_eq!(folder.prints(&["count", "-w", &condition, "rows.trv"]), "1\n", "{condition}");
        }
        let sum =
            folder.prints(&["query", "rows.trv", "-f", "csv", "--no-header", "-a", &format!("sum({path})")]);
        assert_eq!(sum, format!("{}\n", values.iter().sum::<u64>()), "{path}");
        folder.prints(&[
            "-q",
            "recode",
            "rows.trv",
            "--sort-by",
            &format!("-{path}"),
            "-c",
            path,
            "-o",
            "x.trv",
            "--force",
        ]);
        let sorted = folder.prints(&["cat", "-f", "csv", "--no-header", "x.trv"]);
        assert_eq!(sorted.lines().next().map(str::to_owned), Some(values[2].to_string()), "{path}");
    }
}

#[test]
fn names_with_dots_keep_their_places() {
    let folder = folder();
    let keys = |row: &str| -> Vec<String> {
        let row: serde_json::Map<String, Value> = serde_json::from_str(row).unwrap();
        row.keys().cloned().collect()
    };
    let all = ["a.b", "a", "list", "v", "x,y", "map", "end"];
    for (columns, expected) in [("*", &all[..]), ("*,!end", &all[..6]), ("!end", &all[..6])] {
        for command in ["cat", "query"] {
            let row = folder.prints(&[command, "-n", "1", "-f", "jsonl", "-c", columns, "rows.trv"]);
            assert_eq!(keys(&row), expected, "{command} {columns}");
        }
    }
    // What is called alike is told apart.
    let csv = |command: &str, columns: &str| {
        folder.prints(&[command, "-n", "1", "-f", "csv", "-c", columns, "rows.trv"])
    };
    for command in ["cat", "query"] {
        assert_eq!(csv(command, r"end,a.b,a\.b"), "end,a.b,`a.b`\n0,10,0\n", "{command}");
        assert_eq!(csv(command, r"a\.b,v"), "a.b,v.5.5\n0,0\n", "{command}");
        assert_eq!(csv(command, "a.*,!a.b"), "a.c,a.d.e\n20,30\n", "{command}");
        assert_eq!(csv(command, "a,end,!a.d.e"), "a.b,a.c,end\n10,20,0\n", "{command}");
    }
    let first = |args: &[&str]| -> Vec<String> {
        let text = folder.prints(&[args, &["rows.trv"]].concat());
        text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
    };
    let paths = first(&["schema", "-f", "flat"]);
    assert_eq!(paths[..5], ["`a.b`", "a", "a.b", "a.c", "a.d.e"]);
    assert_eq!(first(&["stats"])[1..5], ["`a.b`", "a.b", "a.c", "a.d.e"]);
    for path in paths {
        assert!(
            folder
                .trevni(&["cat", "-c", &path.replace(',', r"\,"), "rows.trv"])
                .output()
                .unwrap()
                .status
                .success()
        );
    }
}

#[test]
fn what_is_left_out_may_be_within_another_field() {
    let folder = folder();
    let row: Value = serde_json::from_str(&folder.prints(&[
        "cat",
        "-n",
        "1",
        "-c",
        "!list.b,!a*,!v,!map,!x*",
        "rows.trv",
    ]))
    .unwrap();
    assert_eq!(row, json!({"list": [{"e": 0}, {"e": 1}], "end": 0}));
    folder.prints(&["-q", "convert", "rows.trv", "-c", "!list.b.*,!a", "-o", "rows.jsonl"]);
    folder.prints(&["-q", "convert", "rows.jsonl", "-c", r"list.e,a\.b", "-o", "again.trv"]);
    let row: Value = serde_json::from_str(&folder.prints(&["cat", "-n", "1", "again.trv"])).unwrap();
    assert_eq!(row, json!({"a.b": 0, "list": [{"e": 0}, {"e": 1}]}));
}

#[test]
fn files_may_have_other_names_for_fields() {
    let folder = Folder::new();
    folder.write("a.trv", [json!({"user_name": "ada", "at": {"post=code": 1}})]);
    folder.write("b.trv", [json!({"user": "bob", "at": {"zip": 2}})]);
    let names = ["--alias", "user=user_name", "--alias", "at.zip=at.`post=code`"];
    let csv = |args: &[&str]| folder.prints(&[args, &["-f", "csv", "a.trv", "b.trv"], &names].concat());
    let sorted = "at.zip,user\n1,ada\n2,bob\n";
    assert_eq!(csv(&["cat", "-c", "at.zip,user"]), sorted);
    assert_eq!(csv(&["query", "-c", "at.zip,user", "-s", "user"]), sorted);
    assert_eq!(csv(&["query", "-a", "count()", "-w", "user is null"]), "count\n0\n");
    let count = folder.prints(&[&["count", "-w", "at.zip > 1", "b.trv", "a.trv"][..], &names].concat());
    assert_eq!(count, "1  b.trv\n0  a.trv\n1  total\n");
    assert!(folder.prints(&[&["schema", "-f", "flat", "a.trv"][..], &names].concat()).contains("at.zip"));
    folder.prints(&[&["-q", "convert", "a.trv", "-o", "a.jsonl"][..], &names].concat());
    assert_eq!(folder.prints(&["head", "-f", "jsonl", "b.trv"]).lines().count(), 1);
    assert!(std::fs::read_to_string(folder.path("a.jsonl")).unwrap().contains("\"zip\":1"));
    // What copies files as they are does not rename.
    let error = folder.fails(&["merge", "a.trv", "b.trv", "-o", "c.trv", "--alias", "user=user_name"]);
    assert!(error.contains("other names of fields"), "{error}");
    for wrong in ["user", "`user=x"] {
        assert!(fails(&folder, &["cat", "a.trv", "--alias", wrong]).contains("--alias"), "{wrong}");
    }
}

/// Wherever a name is taken; in conditions, and where there is more than the name, it is in back quotes.
#[test]
fn names_have_spaces() {
    let folder = Folder::new();
    std::fs::write(folder.path("s.csv"), "a b,c,select\n1,x,2\n3,y,4\n").unwrap();
    folder.prints(&["-q", "convert", "s.csv", "-t", "a b=int64", "-z", "a b=null"]);
    for args in [
        &["cat", "s.trv", "-c", "a b"][..],
        &["query", "s.trv", "-c", "a b"],
        &["query", "s.trv", "-c", " a b ,c"],
        &["query", "s.trv", "-b", "a b", "-s", "-a b"],
        &["query", "s.trv", "-a", "sum(`a b`)"],
        &["query", "s.trv", "-c", "n=`a b`"],
        &["plot", "s.trv", "-c", "a b"],
        &["stats", "s.trv", "-c", "a b"],
        &["size", "s.trv", "-c", "a b"],
        &["diff", "s.trv", "s.trv", "--key", "a b"],
        &["-q", "recode", "s.trv", "-o", "o.trv", "--sort-by", "a b", "--force"],
        &["cat", "s.trv", "-w", "`a b` > 1"],
        &["dev", "layout", "s.trv", "-c", "a b"],
        &["-q", "report", "s.trv", "-c", "a b", "--force"],
    ] {
        folder.prints(args);
    }
    assert_eq!(folder.prints(&["query", "s.trv", "-c", "a b", "-f", "csv"]), "a b\n1\n3\n");
    for args in [["-w", "a b > 1"], ["-a", "sum(a b)"]] {
        let error = folder.fails(&["query", "s.trv", args[0], args[1]]);
        assert!(error.contains("expected"), "{error}");
    }
    let error = folder.fails(&["cat", "s.trv", "-w", "a b > 1"]);
    assert!(error.contains("A name with spaces is in back quotes: `a b`"), "{error}");
    let error = folder.fails(&["query", "s.trv", "-c", "a x"]);
    assert!(error.contains("a x"), "{error}");
}
