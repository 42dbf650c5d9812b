//! recode.

use super::Folder;
use serde_json::{Value, json};

fn rows(folder: &Folder, name: &str) -> Vec<Value> {
    folder.prints(&["cat", name]).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rows_and_what_the_file_says_stay() {
    let folder = Folder::with_flights();
    let output = folder.trevni(&["recode", "flights.trv", "-z", "zstd", "-o", "x.trv"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let times = told.strip_prefix("flights.trv → x.trv: 1,000 rows, ").unwrap();
    assert!(times.contains(" KiB → ") && times.ends_with("×)\n"), "{told}");
    assert_eq!(rows(&folder, "x.trv"), rows(&folder, "flights.trv"));
    let info =
        |name: &str| -> Value { serde_json::from_str(&folder.prints(&["info", "--json", name])).unwrap() };
    let (before, after) = (info("flights.trv"), info("x.trv"));
    assert_eq!(after["metadata"]["avro.schema"], before["metadata"]["avro.schema"]);
    assert_eq!(after["metadata"]["origin"], "test");
    assert_eq!(after["codecs"], json!({"zstandard": after["columns"]}));
    // The codec and the checksum stay too, unless others are asked for.
    folder.prints(&["-q", "recode", "x.trv", "--meta", "origin=here", "--meta", "note=a=b", "-o", "y.trv"]);
    let again = info("y.trv");
    assert_eq!(again["codecs"], after["codecs"]);
    assert_eq!((&again["metadata"]["origin"], &again["metadata"]["note"]), (&json!("here"), &json!("a=b")));
    folder.prints(&["-q", "recode", "x.trv", "--checksum", "null", "-z", "flight=none", "-o", "z.trv"]);
    let columns = folder.prints(&["info", "z.trv"]);
    assert!(columns.contains("checksum  null") && columns.contains("null 1 column, zstandard"), "{columns}");
    folder.prints(&["-q", "recode", "z.trv", "-o", "zz.trv"]);
    assert!(folder.prints(&["info", "zz.trv"]).contains("checksum  null"));
}

#[test]
fn rows_stay_in_every_dialect() {
    let folder = Folder::with_flights();
    folder.prints(&["-q", "recode", "flights.trv", "--dialect", "levels", "-o", "levels.trv"]);
    assert_eq!(rows(&folder, "levels.trv"), rows(&folder, "flights.trv"));
    let info = folder.prints(&["info", "levels.trv"]);
    assert!(info.starts_with("levels.trv  Trevni with levels "), "{info}");
    let info: Value = serde_json::from_str(&folder.prints(&["info", "--json", "levels.trv"])).unwrap();
    assert_eq!((&info["format"], &info["rows"]), (&json!("levels"), &json!(1000)));
    let levels = |name: &str| folder.prints(&["dump", "-f", "levels", name]);
    assert_eq!(levels("levels.trv"), levels("flights.trv"));
    folder.prints(&["verify", "levels.trv"]);
    folder.prints(&["-q", "recode", "levels.trv", "-o", "again.trv"]);
    assert_eq!(rows(&folder, "again.trv"), rows(&folder, "flights.trv"));
    let output =
        folder.trevni(&["recode", "flights.trv", "--dialect", "orc", "-o", "x.trv"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_schema_stays_to_the_letter() {
    let folder = Folder::new();
    let schema = r#"{ "type":"record","name":"R", "doc": "kept", "fields": [
        {"name": "a", "type": {"type": "int", "logicalType": "date"}}, {"name": "b", "type": "string"}] }"#;
    std::fs::write(folder.path("r.avsc"), schema).unwrap();
    folder.prints(&["-q", "random", "r.avsc", "50", "r.trv"]);
    let key = ["info", "--key", "avro.schema"];
    for args in [&["-z", "none"][..], &["-w", "a > 0"], &["--sort-by", "b"], &["-c", "a,b"]] {
        folder.prints(&[&["-q", "recode", "r.trv", "-o", "x.trv", "--force"], args].concat());
        assert_eq!(folder.prints(&[&key[..], &["x.trv"]].concat()), format!("{schema}\n"), "{args:?}");
    }
    folder.prints(&["-q", "recode", "r.trv", "-c", "!b", "-o", "x.trv", "--force"]);
    let other =
        r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"int","logicalType":"date"}}]}"#;
    assert_eq!(folder.prints(&[&key[..], &["x.trv"]].concat()), format!("{other}\n"));
    assert_eq!(folder.prints(&["cat", "x.trv"]), folder.prints(&["cat", "r.trv", "-c", "a"]));
}

#[test]
fn rows_are_sorted() {
    let folder = Folder::with_flights();
    let sorted = |fields: &str, rest: &[&str]| {
        let args = ["-q", "recode", "flights.trv", "--sort-by", fields, "-o", "x.trv", "--force"];
        folder.prints(&[&args[..], rest].concat());
        rows(&folder, "x.trv")
    };
    let mut expected = rows(&folder, "flights.trv");
    let delay = |row: &Value| row["dep_delay"].as_f64();
    // Stable, nulls last in both directions.
    expected.sort_by(|one, other| {
        let carriers = other["carrier"].as_str().cmp(&one["carrier"].as_str());
        let nulls = delay(one).is_none().cmp(&delay(other).is_none());
        let delays = delay(one).unwrap_or(0.0).total_cmp(&delay(other).unwrap_or(0.0));
        carriers.then(nulls).then(delays)
    });
    assert_eq!(sorted("-carrier,dep_delay", &[]), expected);
    // By what is left out, of some rows, a field of a record.
    let found = sorted("-from.gate,carrier", &["-w", "flight < 10", "-c", "flight"]);
    let mut expected: Vec<u64> = (0..10).rev().collect();
    expected.sort_by_key(|n| std::cmp::Reverse(n % 40));
    assert_eq!(found, expected.iter().map(|n| json!({"flight": n})).collect::<Vec<_>>());
    for (fields, message) in
        [("stops", "rows cannot be sorted by stops, which is a list"), ("nothing", "no field")]
    {
        let args = ["recode", "flights.trv", "--sort-by", fields, "-o", "y.trv"];
        let output = folder.trevni(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(message));
        assert!(!folder.path("y.trv").exists());
    }
}

#[test]
fn mixed_values_and_symbols_are_sorted() {
    let folder = Folder::new();
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"x","type":["null","long","double","string","bytes",
        {"type":"enum","name":"E","symbols":["Z","A"]}]},{"name":"y","type":["null","int"]}]}"#;
    std::fs::write(folder.path("r.avsc"), schema).unwrap();
    folder.prints(&["-q", "random", "r.avsc", "9000", "r.trv"]);
    folder.prints(&["-q", "recode", "r.trv", "--sort-by", "x,-y", "-o", "x.trv"]);
    folder.prints(&["-q", "recode", "x.trv", "--sort-by", "x,-y", "-o", "y.trv"]);
    let (once, twice) = (folder.prints(&["cat", "x.trv"]), folder.prints(&["cat", "y.trv"]));
    assert_eq!(once, twice);
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&once), lines(&folder.prints(&["cat", "r.trv"])));
    assert_eq!(folder.prints(&["count", "-w", "x is null", "x.trv"]), {
        let nulls = once.lines().rev().take_while(|line| line.contains("\"x\":null")).count();
        format!("{nulls}\n")
    });
}

#[test]
fn a_file_may_take_its_own_place() {
    let folder = Folder::with_flights();
    let before = folder.prints(&["cat", "flights.trv"]);
    let args = ["recode", "flights.trv", "-z", "bzip2", "-o", "flights.trv"];
    let output = folder.trevni(&args).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("flights.trv already exists"));
    folder.prints(&[&["-q", "--no-progress"], &args[..], &["--force"]].concat());
    assert_eq!(folder.prints(&["cat", "flights.trv"]), before);
    assert!(folder.prints(&["info", "flights.trv"]).contains("bzip2"));
    let output =
        folder.trevni(&["recode", "flights.trv", "-o", "-", "--sort-by", "flight"]).output().unwrap();
    let values: Vec<Value> = trevni::from_slice(&output.stdout).unwrap();
    assert!(output.stderr.is_empty() && values.len() == 1000);
    for (meta, message) in
        [("x", "a key and a value"), ("avro.schema=1", "is that of the rows"), ("trevni.x=1", "trevni.x")]
    {
        let output =
            folder.trevni(&["recode", "flights.trv", "-o", "y.trv", "--meta", meta]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{meta}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{meta}");
    }
}

#[test]
fn sorting_in_parts_is_sorting() {
    let folder = Folder::new();
    // Several batches, and ties that stay as they come.
    let row = |n: u64| json!({"n": n, "by": n * 7919 % 101, "text": format!("text {}", n % 13), "list": vec![n; n as usize % 3], "o": (!n.is_multiple_of(5)).then_some(n)});
    folder.write("rows.trv", (0..20_000).map(row));
    for rest in
        [&["--sort-by", "by,-text"][..], &["--sort-by", "-o", "-w", "n % 3 = 0 and by > 20", "-c", "n,list"]]
    {
        let sorted = |output: &str, memory: &[&str]| {
            let args = ["recode", "rows.trv", "-o", output, "--force"];
            folder.trevni(&[&args[..], rest, memory].concat()).output().unwrap().status.success()
        };
        assert!(sorted("whole.trv", &[]));
        let whole = rows(&folder, "whole.trv");
        assert!(whole.len() > 4000);
        for memory in ["300000", "2MiB"] {
            assert!(sorted("parts.trv", &["--sort-memory", memory]));
            assert!(rows(&folder, "parts.trv") == whole, "{rest:?} {memory}");
        }
    }
    folder.write("few.trv", (0..50).map(row));
    folder.prints(&["-q", "recode", "few.trv", "-o", "whole.trv", "--sort-by", "by", "--force"]);
    folder.prints(&["-q", "recode", "few.trv", "-o", "one.trv", "--sort-by", "by", "--sort-memory", "1"]);
    assert_eq!(rows(&folder, "one.trv"), rows(&folder, "whole.trv"));
}
