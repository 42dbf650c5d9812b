//! stats: what values are like.

use super::{Folder, flights};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn lines(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

fn report(folder: &Folder, args: &[&str]) -> Value {
    serde_json::from_str(&folder.prints(&[&["stats", "--json"], args].concat())).unwrap()
}

/// The statistics of a column.
#[track_caller]
fn of<'v>(report: &'v Value, path: &str) -> &'v Value {
    let columns = report["columns"].as_array().unwrap();
    columns.iter().find(|column| column["path"] == path).unwrap_or_else(|| panic!("no {path} in {report:#}"))
}

#[test]
fn each_column_has_a_line() {
    let folder = Folder::with_flights();
    let text = folder.prints(&["stats", "flights.trv"]);
    let expected = [
        "column type nulls distinct min 25% median 75% max mean deviation shape",
        "flight int64 0.00% 1,000 0 249 499 749 999 499.50 288.82 ███████████████▇",
        "carrier string 0.00% 3 AA DL AA 33% B6 33% DL 33%",
        "dep_delay float64? 10.00% 900 -5 26 57.25 88.5 119.75 57.38 36.10 ████████████████",
        "from.airport string 0.00% 1 JFK JFK JFK 100%",
        "from.gate int64 0.00% 40 0 9 19 29 39 19.50 11.55 █████████████▃",
        "stops list<string> 0.00% – 0 0 1 2 2 1.00 0.82 ███ lengths",
        "stops[] string 0.00% 2 S0 S1 S0 67% S1 33%",
    ];
    let found: Vec<String> = lines(&text).iter().map(|words| words.join(" ")).collect();
    assert_eq!(found, expected, "\n{text}");
}

#[test]
fn columns_and_rows_are_chosen() {
    let folder = Folder::with_flights();
    let text = folder.prints(&["stats", "flights.trv", "-c", "stops,f*", "-w", "flight < 7"]);
    let found: Vec<String> = lines(&text).iter().map(|words| words[0].to_owned()).collect();
    assert_eq!(found, ["column", "stops", "stops[]", "flight", "from.airport", "from.gate"]);
    let json = report(&folder, &["flights.trv", "-w", "flight < 7", "-c", "dep_delay"]);
    assert_eq!((&json["rows"], &of(&json, "dep_delay")["max"]), (&json!(7), &json!(-4.25)));
    let json = report(&folder, &["flights.trv", "-w", "flight = -1"]);
    assert_eq!((&json["rows"], &of(&json, "flight")["min"]), (&json!(0), &Value::Null));
    let text = folder.prints(&["stats", "flights.trv", "flights.trv", "-c", "flight"]);
    assert!(text.starts_with("flights.trv  1,000 rows\ncolumn"), "{text}");
    assert_eq!(text.matches("\n\nflights.trv").count(), 1);
    let output = folder.trevni(&["stats", "flights.trv", "-c", "nothing"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[derive(Serialize)]
enum Kind {
    Low,
    High,
    Code(i32),
    At { x: f32 },
}

#[derive(Serialize)]
struct Odd {
    yes: bool,
    huge: i128,
    large: u64,
    float: f32,
    level: Level,
    kinds: Vec<Kind>,
    map: BTreeMap<String, Vec<Option<i64>>>,
    lists: Vec<Vec<u8>>,
    inner: Option<Inner>,
    nothing: (),
    none: Option<i32>,
    #[serde(serialize_with = "bytes")]
    bytes: Vec<u8>,
}

#[derive(Serialize)]
enum Level {
    Low,
    High,
}

#[derive(Serialize)]
struct Inner {
    text: String,
}

fn bytes<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

fn odd() -> Vec<Odd> {
    let kind = |n: u64| match n % 4 {
        0 => Kind::Low,
        1 => Kind::High,
        2 => Kind::Code(n as i32),
        _ => Kind::At { x: n as f32 },
    };
    let row = |n: u64| Odd {
        yes: n < 2,
        huge: i128::MIN + i128::from(n),
        large: u64::MAX - n,
        float: if n == 3 { f32::NAN } else { n as f32 / 10.0 },
        level: if n == 7 { Level::High } else { Level::Low },
        kinds: (0..n).map(kind).collect(),
        map: (0..n % 3).map(|key| (format!("k{key}"), vec![Some(n as i64), None])).collect(),
        lists: vec![vec![1, 2], vec![]],
        inner: n.is_multiple_of(2).then(|| Inner { text: "x".repeat(n as usize) }),
        nothing: (),
        none: None,
        bytes: vec![n as u8, 255],
    };
    (0..8).map(row).collect()
}

#[test]
fn all_types_have_statistics() {
    let folder = Folder::new();
    folder.write("odd.trv", odd());
    let json = report(&folder, &["odd.trv"]);
    let expect = |path: &str, expected: Value| {
        let column = of(&json, path);
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&column[key], value, "{path} {key}: {column:#}");
        }
    };
    let count = |count: u64| json!({"count": count, "exact": true});
    expect(
        "yes",
        json!({"type": "boolean", "distinct": count(2), "top": [{"value": false, "count": 6}, {"value": true, "count": 2}]}),
    );
    // More digits than a JSON number of 64 bits has.
    let text = folder.prints(&["stats", "--json", "odd.trv"]);
    assert!(text.contains(&format!("\"min\":{},\"max\":{},", i128::MIN, i128::MIN + 7)), "{text}");
    expect("large", json!({"type": "uint64", "min": u64::MAX - 7, "max": u64::MAX}));
    expect("float", json!({"type": "float32", "nan": 1, "min": 0.0, "distinct": count(7)}));
    expect(
        "level",
        json!({"type": "enum", "distinct": count(2), "top": [{"value": "Low", "count": 7}, {"value": "High", "count": 1}]}),
    );
    expect("kinds", json!({"entries": 8, "nulls": 0, "lengths": true, "min": 0, "max": 7, "mean": 3.5}));
    expect("kinds[].Kind", json!({"entries": 28, "nulls": 10, "distinct": count(2)}));
    expect("kinds[].Code._0", json!({"type": "int32", "entries": 28, "nulls": 22, "min": 2, "max": 6}));
    expect("kinds[].At.x", json!({"nulls": 24, "min": 3.0, "distinct": count(1)}));
    expect("map", json!({"type": "map<string, list<int64?>>", "lengths": true, "max": 2}));
    expect("map.key", json!({"entries": 7, "distinct": count(2), "min": "k0"}));
    expect("map.value", json!({"entries": 7, "lengths": true, "min": 2, "max": 2}));
    expect("map.value[]", json!({"type": "int64?", "entries": 14, "nulls": 7, "min": 1, "max": 7}));
    expect("lists[]", json!({"entries": 16, "lengths": true, "mean": 1.0}));
    expect("lists[][]", json!({"entries": 16, "min": 1, "max": 2}));
    expect("inner.text", json!({"entries": 8, "nulls": 4, "min": "", "max": "xxxxxx"}));
    expect("nothing", json!({"type": "null", "entries": 8, "nulls": 8, "distinct": null}));
    expect("none", json!({"nulls": 8}));
    expect("bytes", json!({"type": "bytes", "min": "00ff", "max": "07ff"}));
    let text = folder.prints(&["stats", "odd.trv"]);
    assert!(text.contains("NaN 12%"), "{text}");
}

#[test]
fn what_is_recorded_needs_no_values() {
    let folder = Folder::new();
    folder.write("flights.trv", flights(1000));
    folder.write("odd.trv", odd());
    for name in ["flights.trv", "odd.trv"] {
        let (recorded, read) = (report(&folder, &["--recorded", name]), report(&folder, &[name]));
        let columns = recorded["columns"].as_array().unwrap();
        assert_eq!(columns.len(), read["columns"].as_array().unwrap().len());
        for column in columns {
            let path = column["path"].as_str().unwrap();
            let read = of(&read, path);
            assert_eq!(column["distinct"], Value::Null);
            for key in ["type", "lengths", "entries", "nulls", "min", "max"] {
                let known = !column[key].is_null();
                assert!(!known || column[key] == read[key], "{path} {key}: {column:#} {read:#}");
            }
        }
        // Most is known.
        for path in ["flight", "dep_delay", "from.gate", "stops[]"] {
            if name == "flights.trv" {
                assert!(
                    !of(&recorded, path)["max"].is_null() && of(&recorded, path)["nulls"].is_u64(),
                    "{path}"
                );
            }
        }
    }
    // The blocks are not read: damage there does no harm.
    let mut bytes = std::fs::read(folder.path("flights.trv")).unwrap();
    let offset = trevni::Reader::from_slice(&bytes).unwrap().blocks(0).unwrap()[0].offset as usize;
    bytes[offset + 5] ^= 1;
    std::fs::write(folder.path("bad.trv"), bytes).unwrap();
    assert_eq!(folder.trevni(&["stats", "bad.trv"]).output().unwrap().status.code(), Some(3));
    let text = folder.prints(&["stats", "--recorded", "bad.trv", "-c", "flight"]);
    assert_eq!(lines(&text)[1], ["flight", "int64", "0.00%", "–", "0", "999", "–"]);
}

#[test]
fn many_different_values_are_estimated() {
    let folder = Folder::new();
    folder.write("many.trv", (0..30_000u64).map(|n| json!({"n": n, "text": format!("text {n}")})));
    let json = report(&folder, &["many.trv"]);
    for path in ["n", "text"] {
        let distinct = &of(&json, path)["distinct"];
        let count = distinct["count"].as_u64().unwrap();
        assert!(distinct["exact"] == false && (29_000..31_000).contains(&count), "{distinct}");
    }
    assert_eq!((&of(&json, "n")["max"], &of(&json, "text")["max"]), (&json!(29_999), &json!("text 9999")));
    assert_eq!(of(&json, "n")["histogram"]["sampled"], true);
    let json = report(&folder, &["--exact", "many.trv"]);
    assert_eq!(of(&json, "text")["distinct"], json!({"count": 30_000, "exact": true}));
    assert_eq!(of(&json, "n")["histogram"]["counts"], json!([1875u64; 16].as_slice()));
}

#[test]
fn files_with_little_in_them_have_statistics() {
    let folder = Folder::new();
    folder.write("empty.trv", Vec::<Value>::new());
    assert_eq!(lines(&folder.prints(&["stats", "empty.trv"]))[1], ["value", "null", "–", "–", "–", "–"]);
    folder.write("fields.trv", [json!({}), json!({})]);
    assert_eq!(folder.prints(&["stats", "fields.trv"]).lines().count(), 1);
    folder.write("numbers.trv", [3, 1, 2]);
    assert_eq!(
        lines(&folder.prints(&["stats", "numbers.trv"]))[1],
        ["value", "int32", "0.00%", "3", "1", "1", "2", "3", "3", "2.00", "1.00", "███"]
    );
    let wide: serde_json::Map<String, Value> = (0..200)
        .map(|n| (format!("a_rather_long_name_of_a_field_{n}"), json!(format!("text {n}"))))
        .collect();
    folder.write("wide.trv", [wide]);
    assert_eq!(folder.prints(&["stats", "wide.trv"]).lines().count(), 201);
}

/// Against numbers that are sorted here; with many values they are estimated.
#[test]
fn percentiles_and_deviations_are_those_of_the_values() {
    let folder = Folder::new();
    let mut random = 1u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random >> 40
    };
    for (count, exact) in [(1, true), (2, true), (5, true), (4_000, true), (30_000, false)] {
        let values: Vec<i64> = (0..count).map(|_| next() as i64 - 5_000_000).collect();
        folder.write("n.trv", values.iter().map(|n| json!({"n": n, "half": *n as f64 / 2.0, "none": null})));
        let json = report(&folder, &["n.trv"]);
        let mut sorted = values.clone();
        sorted.sort_unstable();
        let mean = values.iter().sum::<i64>() as f64 / count as f64;
        let squares: f64 = values.iter().map(|value| (*value as f64 - mean).powi(2)).sum();
        let deviation = of(&json, "n")["deviation"].as_f64();
        match deviation {
            Some(found) => {
                let expected = (squares / (count - 1) as f64).sqrt();
                assert!((found - expected).abs() < expected * 1e-9, "{count}: {found} {expected}");
            }
            None => assert_eq!(count, 1),
        }
        let percentiles = of(&json, "n")["percentiles"].as_array().unwrap();
        assert_eq!(percentiles.len(), 7);
        for percentile in percentiles {
            let percent = percentile["percent"].as_u64().unwrap() as usize;
            let found = percentile["value"].as_i64().unwrap();
            let rank = (count * percent).div_ceil(100).max(1);
            match exact {
                true => assert_eq!(found, sorted[rank - 1], "{count}: {percent}"),
                // Of 8,192 values.
                false => {
                    let place = sorted.partition_point(|value| *value < found) as f64 / count as f64;
                    assert!((place - percent as f64 / 100.0).abs() < 0.03, "{percent}: {place}");
                }
            }
        }
        assert_eq!(of(&json, "half")["percentiles"].as_array().unwrap().len(), 7);
        assert!(of(&json, "none").get("percentiles").is_none());
    }
}

#[test]
fn dates_have_percentiles_and_strings_may_be_empty() {
    let folder = Folder::new();
    std::fs::write(
        folder.path("in.csv"),
        "day,text,cost\n2024-01-01,x,1.5\n2024-01-03,,2.5\n2024-01-02,,3.5\n",
    )
    .unwrap();
    folder.prints(&["-q", "convert", "in.csv", "--null", "-", "-t", "cost=decimal(9,2)"]);
    let json = report(&folder, &["in.trv"]);
    assert_eq!(of(&json, "day")["percentiles"][3], json!({"percent": 50, "value": "2024-01-02"}));
    assert_eq!(of(&json, "cost")["percentiles"][3], json!({"percent": 50, "value": "2.50"}));
    assert_eq!(of(&json, "cost")["deviation"], json!(1.0));
    assert_eq!(of(&json, "text")["empty"], json!(2));
    let text = folder.prints(&["stats", "in.trv", "-c", "text"]);
    assert!(text.contains("empty 67%") && !text.contains("median"), "{text}");
}
