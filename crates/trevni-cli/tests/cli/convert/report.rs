//! What would become of fields: --dry-run.

use super::Folder;
use serde_json::{Value, json};

#[test]
fn each_field_has_a_line() {
    let folder = Folder::new();
    folder.text(
        "in.jsonl",
        r#"{"id":1,"url":"x","by":{"chrome":{"v":"1"},"edge":[{"v":"2"}]},"gone":null}
           {"id":2,"url":["x","y"],"by":{"chrome":[{"v":null,"n":1}]},"gone":null}
           {"id":2.5,"by":{},"gone":null}"#,
    );
    let expected = "\
id         float64                       2 int64, 1 float64
url        union<list<string>, string>?  1 list, 1 string, 1 absent
by         struct of 2 optional fields   3 struct
  .chrome  union<struct, list<struct>>?  1 struct, 1 list, 1 absent
    .v     string                        1 string
    .[].v  null                          1 null; always null
    .[].n  int64                         1 int64
  .edge    list<struct>?                 1 list, 2 absent
    .v     string                        1 string
gone       null                          3 null; always null
";
    assert_eq!(folder.prints(&["convert", "in.jsonl", "--dry-run"]), expected);
    assert!(!folder.path("in.trv").exists());
}

#[test]
fn hints_say_what_to_do() {
    let folder = Folder::new();
    let row = |n: u32| format!("{n},{}\n", if n % 4 == 3 { "NA".to_owned() } else { n.to_string() });
    folder.text("in.csv", format!("a,b\n{}", (0..2000).map(row).collect::<String>()));
    let expected = "a  int64   2,000 int64\nb  string  1,500 int64, 500 text such as \"NA\": --null NA\n";
    assert_eq!(folder.prints(&["convert", "in.csv", "--dry-run"]), expected);
    let expected = "a  int64   2,000 int64\nb  int64?  1,500 int64, 500 null\n";
    assert_eq!(folder.prints(&["convert", "in.csv", "--dry-run", "--null", "NA"]), expected);
    let keys: Vec<String> = (0..17).map(|n| format!("\"k{n}\":1")).collect();
    folder.text("in.jsonl", format!("{{\"m\":{{{}}}}}", keys.join(",")));
    let lines = folder.prints(&["convert", "in.jsonl", "--dry-run"]);
    assert!(
        lines.starts_with("m       struct of 17 fields  1 struct; 17 different keys: --map m\n"),
        "{lines}"
    );
}

#[test]
fn numbers_that_became_text_are_told() {
    let folder = Folder::new();
    std::fs::write(folder.path("x.csv"), "a,b,c\n1,2,x\n2,NA,y\n3,4,z\n").unwrap();
    let told = |args: &[&str]| {
        let output = folder.trevni(&[&["convert", "x.csv", "--force"], args].concat()).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let advice = "x.csv: b has strings because of cells such as \"NA\": --null NA\n";
    assert!(told(&[]).ends_with(advice), "{}", told(&[]));
    for args in [&["--null", "NA"][..], &["--all-strings"], &["-t", "b=string"], &["-q"]] {
        assert!(!told(args).contains("because"), "{args:?}: {}", told(args));
    }
}

#[test]
fn programs_read_an_object() {
    let folder = Folder::new();
    folder.text("in.jsonl", "{\"a\":{\"b\":1}}\n{\"a\":null}\n");
    let report = folder.prints(&["convert", "in.jsonl", "--dry-run", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["file"], json!("in.jsonl"));
    assert_eq!(report["rows"], json!(2));
    let field = json!({"path": "a", "type": "struct? of 1 field", "counts": {"struct": 1, "null": 1}});
    assert_eq!(report["fields"][0], field);
    assert_eq!(report["fields"][1], json!({"path": "a.b", "type": "int64", "counts": {"int64": 1}}));
    assert_eq!(report["schema"]["type"], json!("record"));
}

#[test]
fn whole_numbers_among_floats_are_counted() {
    let folder = Folder::new();
    let told = |name: &str, text: &str, args: &[&str]| {
        folder.text(name, text);
        let output =
            folder.trevni(&[&["convert", name, "-o", "x.trv", "--force"], args].concat()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{told}");
        told.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>()
    };
    let rows = "{\"x\":2,\"y\":[1,2,0.5],\"z\":3}\n{\"x\":2.5,\"y\":[],\"z\":null}\n";
    let note = "m.jsonl: 3 whole numbers of x and 1 more column are floats, since there are others: 2 comes back as 2.0\n";
    assert_eq!(told("m.jsonl", rows, &[]), note);
    assert_eq!(
        folder.prints(&["cat", "x.trv"]),
        "{\"x\":2.0,\"y\":[1.0,2.0,0.5],\"z\":3}\n{\"x\":2.5,\"y\":[],\"z\":null}\n"
    );
    // Who asks for floats, or has nothing but whole numbers, or keeps texts, is not told.
    assert_eq!(told("m.jsonl", rows, &["-t", "x=float64", "-t", "y[]=float64"]), "");
    assert_eq!(told("m.csv", "x,y\n2,1.5\n3,2.5\n", &[]), "");
    assert_eq!(told("m.csv", "x,y\n2,1.5\n3.5,2.5\n", &["--all-strings"]), "");
    let note = "m.csv: 1 whole number of x is a float, since there are others: 2 comes back as 2.0\n";
    assert_eq!(told("m.csv", "x,y\n2,1.5\n3.5,2.5\n", &[]), note);
    let note = "m.jsonl: 2 whole numbers of m are floats, since there are others: 2 comes back as 2.0\n";
    assert_eq!(told("m.jsonl", "{\"m\":{\"a\":1,\"b\":2}}\n{\"m\":{\"c\":1.5}}\n", &["--map", "m"]), note);
    assert_eq!(told("m.jsonl", "{\"m\":1}\n", &["-q"]), "");
}
