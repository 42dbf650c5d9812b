//! Outputs that misled users: wrong hints, silence, ignored names.

use super::{Folder, flights};
use serde_json::Value;

/// The exit code, and what was told.
fn told(folder: &Folder, args: &[&str]) -> (Option<i32>, String) {
    let output = folder.trevni(args).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_query_takes_folders() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("parts")).unwrap();
    folder.write("parts/a.trv", flights(10));
    folder.write("parts/b.trv", flights(20));
    assert_eq!(folder.prints(&["query", "parts", "-a", "count()", "-f", "csv"]), "count\n30\n");
}

#[test]
fn size_shows_what_is_no_column() {
    let folder = Folder::with_flights();
    let text = folder.prints(&["size", "flights.trv"]);
    let first = text.lines().next().unwrap();
    let bytes = std::fs::metadata(folder.path("flights.trv")).unwrap().len();
    let report: Value = serde_json::from_str(&folder.prints(&["size", "--json", "flights.trv"])).unwrap();
    assert_eq!(report["file_bytes"], bytes);
    let rest = bytes - report["bytes"].as_u64().unwrap();
    let share = 100.0 * rest as f64 / bytes as f64;
    assert!(
        first.ends_with(&format!("({share:.1}% of the file)")) && first.contains("; header and index "),
        "{first}"
    );
    for args in [&["-c", "flight"][..], &["--by", "part"]] {
        let text = folder.prints(&[&["size", "flights.trv"], args].concat());
        assert!(!text.contains("header and index"), "{text}");
    }
}

#[test]
fn one_is_one() {
    let folder = Folder::new();
    folder.write("one.trv", [flights(1).remove(0)]);
    folder.write("other.trv", [flights(1).remove(0)]);
    assert!(folder.prints(&["size", "one.trv"]).starts_with("one.trv  1 row  6 columns  "));
    assert!(folder.prints(&["stats", "one.trv"]).lines().all(|line| !line.contains("1 rows")));
    assert!(folder.prints(&["verify", "one.trv"]).ends_with(", 1 row\n"));
    let (_, error) = told(&folder, &["merge", "one.trv", "other.trv", "-o", "both.trv"]);
    assert!(error.starts_with("both.trv: 2 rows of 2 files, "), "{error}");
    let (_, error) = told(&folder, &["split", "one.trv", "-o", "parts", "--rows", "5"]);
    assert!(error.contains(": 1 row in 1 part"), "{error}");
    let text = folder.prints(&["query", "one.trv", "-w", "flight < 3", "-a", "count()", "--explain"]);
    assert!(text.contains("may hold in 1 of 1 row, "), "{text}");
}

#[test]
fn hints_do_not_mislead() {
    let folder = Folder::with_flights();
    std::fs::write(folder.path("truths.csv"), "a,b\n1,1\n2,TRUE\n3,3\n").unwrap();
    let (code, error) = told(&folder, &["convert", "truths.csv"]);
    assert!(code == Some(0) && !error.contains("--null"), "{error}");
    let (code, error) = told(&folder, &["query", "flights.trv", "-c", "flight", "-b", "carrier"]);
    assert!(
        code == Some(2)
            && error.contains("-c cannot be used with -b\n")
            && error.contains("-b 'month(day) as m'"),
        "{error}"
    );
    for args in [&["head", "-5", "flights.trv"][..], &["head", "-n", "-5", "flights.trv"]] {
        let (code, error) = told(&folder, args);
        assert_eq!(code, Some(2));
        assert_eq!(
            error,
            "error: unexpected argument -5: numbers of rows are 0 or more\n  For 5 rows: -n 5\n"
        );
    }
    assert_eq!(folder.prints(&["count", "flights.trv", "-w", "-flight = -3"]), "1\n");
    let (code, error) = told(&folder, &["head", "--nmuber", "5", "flights.trv"]);
    assert!(code == Some(2) && error.contains("--number"), "{error}");
}

#[test]
fn separators_are_found() {
    let folder = Folder::new();
    for (name, text, separator) in [
        ("semicolons.csv", "a;b;c\n1;x;2,5\n2;y;3,5\n", "';'"),
        ("tabs.csv", "a\tb\tc\n1\tx\t2.5\n", "tabs"),
        ("bars.csv", "a|b|c\n1|x|2.5\n", "'|'"),
        ("names.csv", "a;b;c\n", "';'"),
    ] {
        std::fs::write(folder.path(name), text).unwrap();
        let (code, error) = told(&folder, &["convert", name]);
        assert_eq!(code, Some(0), "{error}");
        assert!(
            error.contains(&format!("{name}: cells are separated by {separator}; for commas: -d ,\n")),
            "{error}"
        );
        let file = name.replace(".csv", ".trv");
        let schema = folder.prints(&["schema", "-f", "flat", &file]);
        assert_eq!(schema.lines().count(), 3, "{schema}");
    }
    // What is one column stays so: by what it holds, or because it is asked for.
    for (text, args) in
        [("a;b\nx\n", &[][..]), ("text\na;b\n", &[]), ("a;b\n1;2\n", &["-d", ","]), ("a,b;c\n1,2\n", &[])]
    {
        std::fs::write(folder.path("one.csv"), text).unwrap();
        let (code, error) = told(&folder, &[&["convert", "--force", "one.csv"], args].concat());
        assert!(code == Some(0) && !error.contains("taken apart"), "{text}: {error}");
    }
    let piped =
        folder.trevni(&["convert", "-", "-o", "piped.trv"]).write_stdin("a;b\n1;2\n").output().unwrap();
    assert!(piped.status.success());
    assert_eq!(folder.prints(&["cat", "piped.trv"]), "{\"a\":1,\"b\":2}\n");
}

#[test]
fn integers_that_become_text_are_told() {
    let folder = Folder::new();
    for (column, told_of) in [
        (["1", "340282366920938463463374607431768211456"], true),
        (["340282366920938463463374607431768211456", "340282366920938463463374607431768211457"], true),
        (["-1", "340282366920938463463374607431768211455"], true),
        (["-9223372036854775809", "1"], false),
        (["1", "18446744073709551616"], false),
        (["1", "0000000000000000000000000000000000000000"], false),
        (["1", "x"], false),
        (["12345678901234567890123456789012345678a", "x"], false),
    ] {
        std::fs::write(folder.path("in.csv"), format!("id,b\n{},1\n{},2\n", column[0], column[1])).unwrap();
        let (code, error) = told(&folder, &["convert", "--force", "in.csv"]);
        assert_eq!(code, Some(0));
        let note = "in.csv: id has strings, because of integers of more than 128 bits\n";
        assert_eq!(error.contains(note), told_of, "{column:?}: {error}");
    }
    let text = folder.prints(&["convert", "in.csv", "--dry-run", "--all-strings"]);
    assert!(!text.contains("128 bits"), "{text}");
}

#[test]
fn rows_are_printed_as_the_output_is_called() {
    let folder = Folder::with_flights();
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let args = ["flights.trv", "-n", "2", "-c", "flight,carrier", "-o"];
    for command in ["cat", "head", "query"] {
        for (name, expected) in [
            ("x.csv", "flight,carrier\n0,AA\n1,B6\n"),
            ("x.TSV", "flight\tcarrier\n0\tAA\n1\tB6\n"),
            ("x.ndjson", "{\"flight\":0,\"carrier\":\"AA\"}\n{\"flight\":1,\"carrier\":\"B6\"}\n"),
        ] {
            folder.prints(&[&[command], &args[..], &[name, "--force"]].concat());
            assert_eq!(read(name), expected, "{command} {name}");
        }
    }
    folder.prints(&["cat", "flights.trv", "-n", "1", "-o", "y.csv", "-f", "jsonl", "-c", "flight"]);
    assert_eq!(read("y.csv"), "{\"flight\":0}\n");
    folder.prints(&["cat", "flights.trv", "-n", "1", "-o", "y.txt", "-c", "flight"]);
    assert_eq!(read("y.txt"), "{\"flight\":0}\n");
}

#[test]
fn unknown_endings_are_refused() {
    let folder = Folder::with_flights();
    std::fs::write(folder.path("in.jsonl"), "{\"a\":1}\n").unwrap();
    for input in ["flights.trv", "in.jsonl"] {
        let (code, error) = told(&folder, &["convert", input, "-o", "z.foo"]);
        assert_eq!(code, Some(2));
        assert!(error.starts_with("error: z.foo: no format has this ending\n  To choose a format: --to trv; known endings are .jsonl"), "{error}");
        for (ending, is_read) in
            [(".parquet", cfg!(feature = "parquet")), (".pb", cfg!(feature = "protobuf"))]
        {
            assert_eq!(error.contains(ending), is_read, "{error}");
        }
        assert!(!folder.path("z.foo").exists());
    }
    folder.prints(&["-q", "convert", "in.jsonl", "-o", "z.foo", "--to", "trv"]);
    folder.prints(&["-q", "convert", "in.jsonl", "-o", "without"]);
    assert_eq!(folder.prints(&["count", "without"]), folder.prints(&["count", "z.foo"]));
}
