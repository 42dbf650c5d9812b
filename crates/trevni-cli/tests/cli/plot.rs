//! Pictures of numbers.

use super::{Folder, flights};
use serde_json::{Value, json};

fn json(folder: &Folder, args: &[&str]) -> Value {
    serde_json::from_str(&folder.prints(&[&["plot", "--json"], args].concat())).unwrap()
}

/// The exit code, and what was told.
fn told(folder: &Folder, args: &[&str]) -> (Option<i32>, String) {
    let output = folder.trevni(args).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn one_column_is_counted_in_round_parts() {
    let folder = Folder::new();
    let row = |n: i64| json!({"n": n, "half": n as f64 / 2.0});
    folder.write("n.trv", (0..40).map(row).collect::<Vec<_>>());
    let text = folder.prints(&["plot", "n.trv", "-c", "n", "--bins", "4", "--width", "40"]);
    // Two digits, counts of two, and what is left for bars.
    let bar = "█".repeat(32);
    let parts = [" 0", "10", "20", "30"].map(|from| format!("{from}  10  {bar}\n")).concat();
    assert_eq!(text, format!("n, from\n{parts}40 rows\n"));
    let report = json(&folder, &["n.trv", "-c", "half", "--bins", "10"]);
    assert_eq!(report["from"], json!([0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0]));
    assert_eq!(report["counts"], json!([4, 4, 4, 4, 4, 4, 4, 4, 4, 4]));
    let some = json(&folder, &["n.trv", "-c", "doubled=n*2", "-w", "n < 3"]);
    let wanted = json!({"column": "doubled", "rows": 3, "missing": 0, "from": [0.0, 1.0, 2.0, 3.0, 4.0], "counts": [1, 0, 1, 0, 1]});
    assert_eq!(some, wanted);
}

#[test]
fn counts_are_those_of_all_rows() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("parts")).unwrap();
    folder.write("parts/a.trv", flights(500));
    folder.write("parts/b.trv", flights(300));
    // Of one file the field is not there.
    folder.write("parts/c.trv", [json!({"flight": 1})]);
    for bins in ["1", "3", "20", "1000"] {
        let report = json(&folder, &["parts", "-c", "dep_delay", "--bins", bins]);
        let counts = report["counts"].as_array().unwrap();
        let sum: u64 = counts.iter().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!((report["rows"].as_u64(), report["missing"].as_u64()), (Some(801), Some(81)));
        assert!(sum == 720 && counts.len() <= bins.parse().unwrap(), "{bins}: {report}");
        let points = json(&folder, &["parts", "-c", "flight,dep_delay", "--height", "3", "--width", "30"]);
        let lines = points["counts"].as_array().unwrap();
        let sum: u64 =
            lines.iter().flat_map(|line| line.as_array().unwrap()).map(|n| n.as_u64().unwrap()).sum();
        assert_eq!((sum, lines.len()), (720, 12));
    }
    let items = json(&folder, &["parts", "--explode", "stops", "-c", "len(stops)"]);
    assert_eq!(items["rows"], 499 + 300);
}

#[test]
fn two_columns_are_points_from_the_least_to_the_greatest() {
    let folder = Folder::new();
    let row = |n: i64| json!({"x": n, "y": 10 * n});
    folder.write("line.trv", (0..=100).map(row).collect::<Vec<_>>());
    let text = folder.prints(&["plot", "line.trv", "-c", "x,y", "--width", "30", "--height", "5"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 5 + 2 + 1, "{text}");
    assert!(lines[0] == "y" && lines[1].starts_with(" 1000│") && lines[5].starts_with("    0│⣀"), "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 30), "{text}");
    assert!(
        lines[7].starts_with("      0") && lines[7].ends_with("100") && lines[7].contains(" x "),
        "{text}"
    );
    let plain =
        folder.trevni(&["plot", "line.trv", "-c", "x,y", "--height", "5"]).env("LC_ALL", "C").output();
    let plain = String::from_utf8(plain.unwrap().stdout).unwrap();
    assert!(plain.is_ascii() && plain.contains("+---") && plain.lines().count() == 9, "{plain}");
}

#[test]
fn dates_and_instants_have_an_axis() {
    let folder = Folder::new();
    let days = (1..=9).map(|day| json!({"day": format!("2013-06-0{day}T12:00:00Z"), "n": day}));
    folder.write("days.trv", days.collect::<Vec<_>>());
    let report = json(&folder, &["days.trv", "-c", "date(day)"]);
    assert_eq!(report["from"][0], "2013-06-01");
    assert_eq!(report["counts"], json!([1, 1, 1, 1, 1, 1, 1, 1, 1]));
    let report = json(&folder, &["days.trv", "-c", "timestamp(day),n"]);
    assert_eq!(
        (&report["x"]["from"], &report["x"]["to"]),
        (&json!("2013-06-01T12:00:00Z"), &json!("2013-06-09T12:00:00Z"))
    );
}

#[test]
fn odd_numbers_have_a_picture() {
    let folder = Folder::new();
    for (name, values) in [
        ("none", vec![]),
        ("one", vec![7.0]),
        ("same", vec![0.1; 9]),
        ("far", vec![f64::MIN, f64::MAX, 0.0]),
        ("tiny", vec![5e-324, 1e-323]),
    ] {
        let rows: Vec<Value> = values.iter().map(|x| json!({"x": x, "y": -x})).collect();
        let file = format!("{name}.trv");
        folder.write(&file, if rows.is_empty() { vec![json!({"x": 1.5, "y": 1.5})] } else { rows });
        let filter = if values.is_empty() { "x > 2" } else { "true" };
        for columns in ["x", "x,y"] {
            let args = ["plot", &file, "-c", columns, "-w", filter, "--width", "40", "--height", "3"];
            let text = folder.prints(&args);
            let rows = if values.len() == 1 { "1 row".to_owned() } else { format!("{} rows", values.len()) };
            assert!(text.ends_with(&format!("{rows}\n")), "{name}: {text}");
            assert!(text.lines().all(|line| line.chars().count() <= 60), "{name}: {text}");
            let report = json(&folder, &[&file, "-c", columns, "-w", filter]);
            assert_eq!(report["missing"], 0, "{name}: {report}");
        }
    }
}

#[test]
fn what_is_no_number_is_refused_with_a_hint() {
    let folder = Folder::with_flights();
    for (columns, message) in [
        (
            "carrier,flight",
            "carrier is a string, not a number, a date or an instant\n  Strings are drawn alone",
        ),
        (
            "stops",
            "stops is a list, not a number, a date or an instant\n  To draw its items: --explode 'stops'",
        ),
        ("flight,dep_delay,flight", "a plot has one column or two, not 3"),
        ("filght", "filght"),
    ] {
        let (code, error) = told(&folder, &["plot", "flights.trv", "-c", columns]);
        assert!(code == Some(2) && error.contains(message), "{columns}: {error}");
    }
    for args in [["--bins", "0"], ["--width", "3"], ["--height", "1"]] {
        let (code, _) = told(&folder, &[&["plot", "flights.trv", "-c", "flight"][..], &args].concat());
        assert_eq!(code, Some(2), "{args:?}");
    }
}

#[test]
fn names_steer_no_terminal_and_a_full_device_is_a_failure() {
    let folder = Folder::new();
    folder.write("named.trv", [json!({"a\u{1b}[31m": 1}), json!({"a\u{1b}[31m": 2})]);
    let text = folder.prints(&["plot", "named.trv", "-c", "`a\u{1b}[31m`", "--width", "20"]);
    assert!(text.starts_with("a\\u001b[31m, from\n") && !text.contains('\u{1b}'), "{text}");
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("trevni"));
        let status = command.current_dir(folder.path("")).args(["plot", "named.trv", "-c", "`a\u{1b}[31m`"]);
        let output = status.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn strings_are_counted() {
    let folder = Folder::new();
    let word = |n: i64| ["b", "a", "", "日本", "b"][n as usize % 5];
    let row = |n: i64| json!({"s": word(n), "t": n % 2 == 0});
    folder.write("s.trv", (0..10).map(row).collect::<Vec<_>>());
    let text = folder.prints(&["plot", "s.trv", "-c", "s", "--width", "40", "--bins", "3"]);
    let expected = "s\nb   4  █████████████████████████████████\n\"\"  2  ████████████████▌\na   2  ████████████████▌\n\
        1 more value: --bins 4\n10 rows\n";
    assert_eq!(text, expected);
    let report = json(&folder, &["s.trv", "-c", "upper(s)", "--bins", "4"]);
    assert_eq!(
        (&report["values"], &report["counts"], &report["more"]),
        (&json!(["B", "", "A", "日本"]), &json!([4, 2, 2, 2]), &json!(0))
    );
    let report = json(&folder, &["s.trv", "-c", "t", "-w", "s = 'b'"]);
    assert_eq!((&report["values"], &report["rows"]), (&json!(["false", "true"]), &json!(4)));
}

#[test]
fn what_is_far_from_most_is_told_and_not_drawn() {
    let folder = Folder::new();
    let row = |n: i64| json!({"n": if n == 7 { 1_000_000 } else { n % 100 }});
    folder.write("n.trv", (0..1000).map(row).collect::<Vec<_>>());
    let text = folder.prints(&["plot", "n.trv", "-c", "n"]);
    assert!(
        text.contains("\n1 value above 98, far from most, not drawn; all: --full\n")
            || text.contains("\n1 value above 99, far"),
        "{text}"
    );
    assert!(text.ends_with("1,000 rows\n") && text.lines().count() > 15, "{text}");
    let full = folder.prints(&["plot", "n.trv", "-c", "n", "--full"]);
    assert!(!full.contains("far from most") && full.contains("900000") || full.contains("950000"), "{full}");
    let report = json(&folder, &["n.trv", "-c", "n"]);
    assert_eq!(
        report["counts"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum::<u64>(),
        1000
    );
}
