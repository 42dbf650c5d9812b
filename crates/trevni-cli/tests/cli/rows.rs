//! cat, head, tail and count.

use super::{Folder, flights};
use serde_json::{Value, json};

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn cat_prints_all_rows_as_json() {
    let folder = Folder::with_flights();
    assert_eq!(json_lines(&folder.prints(&["cat", "flights.trv"])), flights(1000));
    let json: Vec<Value> =
        serde_json::from_str(&folder.prints(&["cat", "-f", "json", "-n", "3", "flights.trv"])).unwrap();
    assert_eq!(json, flights(3));
    assert_eq!(folder.prints(&["cat", "-f", "json", "-n", "0", "flights.trv"]), "[]\n");
    // The order of fields is that of the schema.
    let first = folder.prints(&["cat", "-n", "1", "flights.trv"]);
    assert!(
        first.starts_with("{\"flight\":0,\"carrier\":\"AA\",\"dep_delay\":-5.0,\"from\":{\"airport\""),
        "{first}"
    );
}

#[test]
fn some_rows_are_chosen() {
    let folder = Folder::with_flights();
    let numbers = |args: &[&str]| -> Vec<u64> {
        let all = [args, &["-f", "jsonl", "-c", "flight", "flights.trv"]].concat();
        json_lines(&folder.prints(&all)).iter().map(|row| row["flight"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&["head"]), (0..10).collect::<Vec<_>>());
    assert_eq!(numbers(&["tail", "-n", "2"]), [998, 999]);
    assert_eq!(numbers(&["tail", "-n", "2", "--skip", "5"]), [993, 994]);
    assert_eq!(numbers(&["head", "-n", "2", "--skip", "997"]), [997, 998]);
    assert_eq!(numbers(&["cat", "--skip", "5000"]), [0u64; 0]);
    let filter = ["-w", "carrier = 'AA' and dep_delay > 110"];
    let matching: Vec<u64> =
        (0..1000).filter(|n| n % 3 == 0 && n % 10 != 9 && *n as f64 / 8.0 - 5.0 > 110.0).collect();
    assert_eq!(numbers(&[&["cat"], &filter[..]].concat()), matching);
    assert_eq!(numbers(&[&["head", "-n", "2", "--skip", "3"], &filter[..]].concat()), matching[3..5]);
    let last = matching.len();
    assert_eq!(numbers(&[&["tail", "-n", "2"], &filter[..]].concat()), matching[last - 2..]);
    assert_eq!(
        numbers(&[&["tail", "-n", "2", "--skip", "1"], &filter[..]].concat()),
        matching[last - 3..last - 1]
    );
    assert_eq!(
        numbers(&["cat", "-w", "any(stops, item = 'S1') and from.gate = 39"]),
        [119, 239, 359, 479, 599, 719, 839, 959]
    );
}

#[test]
fn fields_are_chosen_in_their_order() {
    let folder = Folder::with_flights();
    let row = folder.prints(&["cat", "-n", "1", "-c", "carrier,flight", "flights.trv"]);
    assert_eq!(row, "{\"carrier\":\"AA\",\"flight\":0}\n");
    let row = folder.prints(&["cat", "-n", "1", "-c", "!from,!stops", "flights.trv"]);
    assert_eq!(row, "{\"flight\":0,\"carrier\":\"AA\",\"dep_delay\":-5.0}\n");
    let row = folder.prints(&["cat", "-n", "1", "-c", "from.gate", "flights.trv"]);
    assert_eq!(row, "{\"from\":{\"gate\":0}}\n");
}

#[test]
fn separated_values_have_dotted_columns() {
    let folder = Folder::with_flights();
    let csv = folder.prints(&["cat", "-f", "csv", "--skip", "8", "-n", "2", "flights.trv"]);
    let expected = "flight,carrier,dep_delay,from.airport,from.gate,stops\n\
        8,DL,-4.0,JFK,8,\"[\"\"S0\"\",\"\"S1\"\"]\"\n9,AA,,JFK,9,[]\n";
    assert_eq!(csv, expected);
    let tsv = folder.prints(&[
        "cat",
        "-f",
        "tsv",
        "-n",
        "1",
        "--no-header",
        "-c",
        "carrier,from.gate",
        "flights.trv",
    ]);
    assert_eq!(tsv, "AA\t0\n");
    let none = folder.prints(&["cat", "-f", "csv", "-w", "flight < 0", "-c", "flight", "flights.trv"]);
    assert_eq!(none, "flight\n");
}

#[test]
fn tables_are_for_people() {
    let folder = Folder::with_flights();
    let table = folder.prints(&["head", "-n", "2", "-c", "flight,carrier,dep_delay", "flights.trv"]);
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        lines,
        [vec!["flight", "carrier", "dep_delay"], vec!["0", "AA", "-5.0"], vec!["1", "B6", "-4.875"]]
    );
    assert!(!table.contains('\u{1b}') && table.lines().all(|line| line == line.trim_end()), "{table:?}");
}

#[test]
fn null_is_not_the_empty_text() {
    let folder = Folder::new();
    let row = |text: Value, number: Value| serde_json::json!({"text": text, "number": number});
    folder.write(
        "rows.trv",
        [row("".into(), 1.into()), row(Value::Null, Value::Null), row("x".into(), 3.into())],
    );
    let table = folder.prints(&["head", "rows.trv"]);
    assert_eq!(table, " text  number\n            1\n null    null\n x          3\n");
    let groups = folder.prints(&["query", "rows.trv", "-b", "text"]);
    assert_eq!(groups, " text  count\n           1\n null      1\n x         1\n");
    let csv = folder.prints(&["query", "rows.trv", "-f", "csv", "-b", "text"]);
    assert_eq!(csv, "text,count\n\"\",1\n,1\nx,1\n");
    let coloured = folder.prints(&["head", "--color", "always", "rows.trv"]);
    assert_eq!(coloured.matches("\u{1b}[2mnull\u{1b}[0m").count(), 2);
    let plain = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[36m"];
    assert_eq!(plain.iter().fold(coloured.clone(), |text, style| text.replace(style, "")), table);
    assert_ne!(coloured, table);
    assert_eq!(
        folder.prints(&["cat", "-f", "csv", "--null", "NA", "rows.trv"]),
        "text,number\n\"\",1\nNA,NA\nx,3\n"
    );
}

#[test]
fn several_files_follow_each_other() {
    let folder = Folder::with_flights();
    folder.write("more.trv", flights(5));
    let rows = json_lines(&folder.prints(&["cat", "more.trv", "flights.trv"]));
    assert_eq!(rows.len(), 1005);
    assert_eq!(folder.prints(&["count", "flights.trv"]), "1000\n");
    let counts = folder.prints(&["count", "flights.trv", "more.trv"]);
    assert_eq!(counts, "1,000  flights.trv\n    5  more.trv\n1,005  total\n");
    let json = json_lines(&folder.prints(&[
        "count",
        "--json",
        "-w",
        "dep_delay is null",
        "flights.trv",
        "more.trv",
    ]));
    assert_eq!((json[0]["rows"].as_u64(), json[1]["rows"].as_u64()), (Some(100), Some(0)));
    let explain = folder.prints(&["count", "--explain", "-w", "flight between 500 and 503", "flights.trv"]);
    assert!(
        explain.starts_with("flights.trv\nrows: 1000, ") && explain.contains(" may match, 4 match\n"),
        "{explain}"
    );
}

#[test]
fn standard_input_and_output_are_files() {
    let folder = Folder::with_flights();
    let bytes = std::fs::read(folder.path("flights.trv")).unwrap();
    let output = folder.trevni(&["count", "-"]).write_stdin(bytes.clone()).output().unwrap();
    assert_eq!(output.stdout, b"1000\n");
    let output = folder.trevni(&["cat", "-", "-n", "1", "-c", "flight"]).write_stdin(bytes).output().unwrap();
    assert_eq!(output.stdout, b"{\"flight\":0}\n");
    assert_eq!(folder.prints(&["cat", "flights.trv", "-f", "csv", "-o", "out.csv"]), "");
    assert_eq!(std::fs::read_to_string(folder.path("out.csv")).unwrap().lines().count(), 1001);
}

#[test]
fn odd_values_come_out_whole() {
    let folder = Folder::new();
    folder.write("odd.trv", [(0.1f32, f64::NAN, u64::MAX, "tab\tand \"quote\"", i64::MIN)]);
    let row = folder.prints(&["cat", "odd.trv"]);
    assert_eq!(row, "[0.1,\"NaN\",18446744073709551615,\"tab\\tand \\\"quote\\\"\",-9223372036854775808]\n");
    let notes = |args: &[&str]| folder.trevni(args).output().unwrap().stderr;
    assert!(String::from_utf8(notes(&["cat", "odd.trv"])).unwrap().starts_with("NaN and infinities"));
    for args in [
        &["cat", "-q", "odd.trv"][..],
        &["cat", "-f", "csv", "odd.trv"],
        &["cat", "-f", "avro-json", "odd.trv"],
    ] {
        assert!(notes(args).is_empty(), "{args:?}");
    }
    folder.write("plain.trv", ["one", "two"]);
    assert_eq!(folder.prints(&["cat", "plain.trv"]), "\"one\"\n\"two\"\n");
    assert_eq!(folder.prints(&["cat", "-f", "csv", "plain.trv"]), "value\none\ntwo\n");
    assert_eq!(
        folder.prints(&["head", "plain.trv"]).split_whitespace().collect::<Vec<_>>(),
        ["value", "one", "two"]
    );
}

#[test]
fn samples_are_chosen_by_their_seed() {
    let folder = Folder::with_flights();
    let numbers = |args: &[&str]| -> Vec<u64> {
        let all = [&["sample", "-f", "jsonl", "-c", "flight", "flights.trv"], args].concat();
        json_lines(&folder.prints(&all)).iter().map(|row| row["flight"].as_u64().unwrap()).collect()
    };
    let some = numbers(&["--seed", "1"]);
    assert!(some.len() == 10 && some.is_sorted() && some[9] < 1000, "{some:?}");
    assert_eq!(numbers(&["--seed", "1"]), some);
    assert_ne!(numbers(&["--seed", "2"]), some);
    assert_eq!(numbers(&["-n", "3"]).len(), 3);
    assert_eq!(numbers(&["-n", "5000"]), (0..1000).collect::<Vec<_>>());
    let late = numbers(&["-n", "20", "-w", "flight >= 900", "--seed", "3"]);
    assert!(late.len() == 20 && late.iter().all(|flight| *flight >= 900), "{late:?}");
    let behind = numbers(&["-n", "20", "--skip", "970", "--seed", "3"]);
    assert!(behind.len() == 20 && behind.iter().all(|flight| *flight >= 970), "{behind:?}");
    assert!(folder.prints(&["sample", "-n", "1", "flights.trv"]).contains("carrier"));
}

#[cfg(unix)]
#[test]
fn pipes_with_a_name_are_files_too() {
    let folder = Folder::with_flights();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let bytes = std::fs::read(folder.path("flights.trv")).unwrap();
    let writer = std::thread::spawn(move || std::fs::write(pipe, bytes).unwrap());
    assert_eq!(folder.prints(&["count", "pipe"]), "1000\n");
    writer.join().unwrap();
}

#[test]
fn rows_are_blocks_of_lines() {
    let folder = Folder::new();
    let long = "long ".repeat(40);
    folder.write(
        "in.trv",
        [
            json!({"id": 1, "text": long, "in": {"größe": 2.5}, "list": [1, 2]}),
            json!({"id": 20, "text": "a\nb\u{1b}[1m", "in": {"größe": null}, "list": []}),
        ],
    );
    let expected = format!(
        "id        1\ntext      {long}\nin.größe  2.5\nlist      [1,2]\n\n\
         id        20\ntext      a\\nb\\u001b[1m\nin.größe  null\nlist      []\n\n"
    );
    for command in ["cat", "head", "query"] {
        assert_eq!(folder.prints(&[command, "in.trv", "-f", "lines"]), expected, "{command}");
    }
    assert_eq!(
        folder.prints(&["query", "in.trv", "-f", "lines", "-a", "count() as n,max(id) as greatest"]),
        "n         2\ngreatest  20\n\n"
    );
    assert_eq!(folder.prints(&["cat", "in.trv", "-f", "lines", "-n", "0"]), "");
    folder.write("many.trv", (0..30_000).map(|n| json!({"n": n, "m": "x"})));
    let text = folder.prints(&["cat", "many.trv", "-f", "lines"]);
    let blocks: String = (0..30_000).map(|n| format!("n  {n}\nm  x\n\n")).collect();
    assert!(text == blocks, "{} lines", text.lines().count());
}

#[test]
fn separated_values_are_the_same_in_all_ways() {
    let folder = Folder::new();
    // Cells that lie in a vector, alone or as optionals, and such as are found row by row.
    let texts = ["", "a,b", "q\"", "ü", "\n"];
    let row = |n: i64| {
        json!({
            "n": n * 1_000_003, "o": (n % 3 != 0).then_some(-n), "f": n as f64 / 8.0, "fo": (n % 4 == 0).then_some(1.5),
            "t": texts.get(n as usize % 5), "to": (n % 2 == 0).then_some("x"),
            "in": if n % 7 == 0 { json!(null) } else { json!({"n": n, "o": (n % 3 == 0).then_some(n)}) },
            "u": if n % 2 == 0 { json!(n) } else { json!("text") }, "list": vec![n; n as usize % 3], "nothing": null,
        })
    };
    folder.write("in.trv", (0..500).map(row));
    for args in
        [&["-f", "csv"][..], &["-f", "tsv", "--null", "-"], &["-f", "csv", "-w", "n > 5", "-c", "t,o,in.o,n"]]
    {
        let whole = folder.prints(&[&["cat", "in.trv"], args].concat());
        assert_eq!(folder.prints(&[&["query", "in.trv"], args].concat()), whole, "{args:?}");
        assert!(whole.lines().count() > 490);
    }
    let head = folder.prints(&["head", "-n", "2", "in.trv", "-f", "csv"]);
    let expected = "n,o,f,fo,t,to,in.n,in.o,u,list,nothing\n0,,0.0,1.5,\"\",x,,,0,[],\n1000003,-1,0.125,,\"a,b\",,1,,text,[1],\n";
    assert_eq!(head, expected);
}
