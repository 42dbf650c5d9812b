//! Files of other implementations: their rows, and what reports say of them.

use super::{folder, good};
use serde_json::{Value, json};

/// Whether a printed value is what the text beside a file says: bytes are hexadecimal there, floats may have the digits of
/// a double, and what is missing or empty may be left out.
fn is_same(expected: Option<&Value>, found: &Value) -> bool {
    match (expected, found) {
        (None, Value::Null) => true,
        (None, Value::Array(items)) => items.is_empty(),
        (Some(Value::Number(one)), Value::Number(two)) => {
            let digits = one.to_string().bytes().filter(u8::is_ascii_digit).count();
            let (one, two) = (one.as_f64().unwrap(), two.as_f64().unwrap());
            let is_single = f64::from(one as f32) == one || digits <= 9;
            one == two || is_single && one as f32 == two as f32
        }
        (Some(Value::String(one)), Value::String(two)) => one == two || hexadecimal(two) == hexadecimal(one),
        (Some(Value::Array(one)), Value::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| is_same(Some(one), two))
        }
        (Some(Value::Object(_)), Value::String(two)) => Some(hexadecimal(two)).is_some_and(|two| {
            let (nanos, day) = two.split_first_chunk::<8>().unwrap();
            let day = u32::from_le_bytes(day.try_into().unwrap());
            expected == Some(&json!({"day": day, "nanos": i64::from_le_bytes(*nanos)}))
        }),
        (Some(Value::Object(one)), Value::Object(two)) => {
            one.keys().all(|name| two.contains_key(name))
                && two.iter().all(|(name, value)| is_same(one.get(name), value))
        }
        (expected, found) => expected == Some(found),
    }
}

fn hexadecimal(text: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        text.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
}

#[test]
fn cat_prints_the_rows_beside_the_files() {
    let folder = folder();
    for golden in good() {
        let (found, expected) = (folder.prints(&golden.command(&["cat"])), golden.text("jsonl"));
        assert_eq!(found.lines().count(), expected.lines().count(), "{}", golden.name());
        for (row, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
            let [found, expected] =
                [found, expected].map(|line| serde_json::from_str::<Value>(line).unwrap());
            assert!(is_same(Some(&expected), &found), "row {row} of {}:\n{found}\n{expected}", golden.name());
        }
        let rows = expected.lines().count();
        assert_eq!(folder.prints(&golden.command(&["count"])), format!("{rows}\n"), "{}", golden.name());
    }
}

#[test]
fn every_report_understands_every_file() {
    let folder = folder();
    for golden in good() {
        let name = golden.name();
        let json = |args: &[&str]| -> Value {
            let text = folder.prints(&golden.command(&[args, &["--json"]].concat()));
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?} {name}: {error}"))
        };
        let (info, rows) = (json(&["info"]), golden.text("jsonl").lines().count());
        assert_eq!((&info["format"], &info["rows"]), (&json!(golden.dialect), &json!(rows)), "{name}");
        let expected = ["layout", "footer", "row_groups"].map(|key| said(&golden, key));
        assert_eq!([&info["layout"], &info["footer"], &info["row_groups"]], expected.each_ref(), "{name}");

        let sum = |parts: &Value| -> u64 {
            parts.as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap()).sum()
        };
        let (bytes, layout) = (std::fs::metadata(&golden.path).unwrap().len(), json(&["layout"]));
        let parts = layout["parts"].as_array().unwrap();
        assert_eq!((sum(&layout["parts"]), &parts[0]["part"]), (bytes, &json!("header")), "{name}");
        let mut end = 0;
        for part in parts {
            assert!(part["offset"] == end && part["part"] != "unused", "{name}: {layout:#}");
            end += part["bytes"].as_u64().unwrap();
        }
        let is_redelm = golden.dialect == "redelm";
        let groups = info["row_groups"].as_u64().unwrap_or(1);
        assert_eq!(is_redelm, parts.last().unwrap()["part"] == "footer", "{name}");
        let columns = parts.iter().filter(|part| part["part"] == "column").count() as u64;
        assert_eq!(columns, info["columns"].as_u64().unwrap() * groups, "{name}");
        assert_eq!(sum(&json(&["size", "--by", "part"])["parts"]), bytes, "{name}");

        let (read, recorded) = (json(&["stats"]), json(&["stats", "--recorded"]));
        assert_eq!(read["columns"].as_array().unwrap().len(), recorded["columns"].as_array().unwrap().len());
        assert_eq!(json(&["verify"])["ok"], true, "{name}");
        for args in [
            &["info"][..],
            &["layout"],
            &["layout", "-c", "*"],
            &["schema"],
            &["schema", "-f", "avro"],
            &["schema", "-f", "rust"],
            &["schema", "-f", "proto"],
        ] {
            assert!(!folder.prints(&golden.command(args)).is_empty(), "{args:?} {name}");
        }
    }
}

/// What the texts beside a file, or its name, say.
fn said(golden: &super::Golden, key: &str) -> Value {
    match (golden.dialect, key) {
        ("levels", "layout") => {
            serde_json::from_str::<Value>(&golden.text("schema.json")).unwrap()["options"]["layout"].clone()
        }
        ("redelm", "footer") if golden.stem() == "footer_json_gz" => json!("gzip"),
        ("redelm", "footer") if golden.stem().starts_with("footer_json") => json!("json"),
        ("redelm", "footer") => json!("java"),
        ("redelm", "row_groups") => {
            let levels = golden.text("levels.txt");
            json!(levels.lines().filter(|line| line.starts_with("rowgroup ")).count())
        }
        _ => Value::Null,
    }
}

#[test]
fn schemas_are_messages() {
    let folder = folder();
    for golden in good() {
        let message = folder.prints(&golden.command(&["schema", "-f", "message"]));
        if golden.dialect == "redelm" {
            assert_eq!(message.trim_end(), golden.text("schema.txt").trim_end(), "{}", golden.name());
        }
        // What is printed says what the rows are: the same as the file itself.
        std::fs::write(folder.path("rows.message"), &message).unwrap();
        folder.prints(&["-q", "random", "rows.message", "3", "random.redelm", "--force"]);
        assert_eq!(
            folder.prints(&["schema", "-f", "message", "random.redelm"]),
            message,
            "{}",
            golden.name()
        );
    }
}

#[test]
fn info_tells_what_a_format_has() {
    let folder = folder();
    let of = |stem: &str| {
        let golden = good().into_iter().find(|golden| golden.stem() == stem).unwrap();
        let text = folder.prints(&golden.command(&["info"]));
        text.replace(golden.name(), stem)
    };
    assert_eq!(
        of("pig_metadata"),
        "pig_metadata  RedElm 1, 3 rows, 7 columns, 2.1 KiB
schema    5 fields, 12 with those inside, 2 lists, 9 optional
codec     null
checksum  null
footer    a Java object
groups    1 row group, of 3 rows at most
blocks    7, of 22 B at most before the codec
largest   bag.t.a 28.6%, m.map.key 20.8%, m.map.value.n 14.3%
metadata  Pig={\"pigSchema\":\"m:map[t:(n:int)],bag:{t:(b:chararray,a:long)},Z:chararray,Aa:chararray,_x:bytearray\"}
metadata  Thrift=com.example.Person
metadata  empty=
"
    );
    let text = of("values_first_documents");
    assert!(text.starts_with("values_first_documents  Trevni with levels 1, 2 rows, 9 columns, "), "{text}");
    assert!(text.contains("\nlayout    values-first\n") && !text.contains("trevni.layout"), "{text}");
    let text = of("nested_gzip_groups");
    assert!(
        text.contains("\ncodec     gzip\n")
            && text.contains("\ngroups    4 row groups, of 44 rows at most\n")
    );
    let footers = ["footer_json", "footer_json_gz"].map(of);
    assert!(footers[0].contains("footer    JSON\n") && footers[1].contains("footer    gzipped JSON\n"));
}
