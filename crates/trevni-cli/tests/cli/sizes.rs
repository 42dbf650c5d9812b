//! size and layout: where the bytes of a file are.

use super::{Folder, flights};
use serde_json::{Value, json};

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn sum(list: &Value) -> u64 {
    list.as_array().unwrap().iter().map(|part| part["bytes"].as_u64().unwrap()).sum()
}

/// Files of all kinds, and the number of their bytes.
fn files(folder: &Folder) -> Vec<(&'static str, u64)> {
    folder.write("flights.trv", flights(1000));
    folder.write("empty.trv", Vec::<Value>::new());
    folder.write("fields.trv", [json!({}), json!({})]);
    folder.write("nulls.trv", [json!({"a": null, "b": []}), json!({"a": null, "b": []})]);
    folder.write("odd.trv", [json!({"a": [[1]], "b": {"c": 1.5, "d": null}}), json!({"a": [], "b": null})]);
    let names = ["flights.trv", "empty.trv", "fields.trv", "nulls.trv", "odd.trv"];
    names.map(|name| (name, std::fs::metadata(folder.path(name)).unwrap().len())).to_vec()
}

#[test]
fn the_parts_of_a_file_add_up() {
    let folder = Folder::new();
    for (name, bytes) in files(&folder) {
        let layout = parsed(&folder.prints(&["layout", "--json", name]));
        assert_eq!((sum(&layout["parts"]), layout["bytes"].as_u64()), (bytes, Some(bytes)), "{layout:#}");
        let mut end = 0;
        for part in layout["parts"].as_array().unwrap() {
            assert_eq!(part["offset"], end, "{layout:#}");
            end += part["bytes"].as_u64().unwrap();
        }
        let size = parsed(&folder.prints(&["size", "--by", "part", "--json", name]));
        assert_eq!((sum(&size["parts"]), size["bytes"].as_u64()), (bytes, Some(bytes)), "{size:#}");
        for by in ["column", "field", "codec"] {
            let size = parsed(&folder.prints(&["size", "--by", by, "--json", name]));
            assert_eq!(Some(sum(&size[&format!("{by}s")])), size["bytes"].as_u64(), "{size:#}");
        }
    }
}

#[test]
fn bytes_between_and_behind_are_unused() {
    let folder = Folder::with_flights();
    let mut bytes = std::fs::read(folder.path("flights.trv")).unwrap();
    bytes.extend([0; 100]);
    std::fs::write(folder.path("longer.trv"), &bytes).unwrap();
    let layout = parsed(&folder.prints(&["layout", "--json", "longer.trv"]));
    let last = layout["parts"].as_array().unwrap().last().unwrap();
    assert_eq!(last, &json!({"part": "unused", "offset": bytes.len() - 100, "bytes": 100}));
    let size = parsed(&folder.prints(&["size", "--by", "part", "--json", "longer.trv"]));
    assert_eq!(sum(&size["parts"]), bytes.len() as u64);
}

#[test]
fn layout_shows_each_column_where_it_is() {
    let folder = Folder::with_flights();
    let text = folder.prints(&["layout", "flights.trv"]);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let names: Vec<&str> = lines.iter().map(|words| words[1]).collect();
    assert_eq!(names, ["header", "flight", "carrier", "dep_delay", "from.airport", "from.gate", "stops[]"]);
    assert_eq!(lines[0][0], "0x0000000");
    assert!(text.contains("snappy, ascending") && text.contains(" blocks  snappy, 1 value"), "{text}");
}

#[test]
fn layout_lists_the_blocks_of_a_column() {
    let folder = Folder::with_flights();
    let text = folder.prints(&["layout", "flights.trv", "-c", "flight"]);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["block", "offset", "rows", "bytes", "raw", "ratio", "nulls", "min", "max"]);
    assert_eq!((lines[1][0], lines[1][2].split('–').next()), ("0", Some("0")));
    assert_eq!(lines.last().unwrap().last(), Some(&"999"));
    // Columns by path, by their own name, and several.
    let json = parsed(&folder.prints(&["layout", "--json", "flights.trv", "-c", "stops,dep_delay/double"]));
    let paths: Vec<&Value> = json["columns"].as_array().unwrap().iter().map(|c| &c["path"]).collect();
    assert_eq!(paths, [&json!("stops[]"), &json!("dep_delay")]);
    let blocks = json["columns"][1]["blocks"].as_array().unwrap();
    assert_eq!(blocks.iter().map(|block| block["rows"].as_u64().unwrap()).sum::<u64>(), 1000);
    assert_eq!(blocks.iter().map(|block| block["nulls"].as_u64().unwrap()).sum::<u64>(), 100);
    assert_eq!(blocks[0]["min"], -5.0);
    let text = folder.prints(&["layout", "flights.trv", "-c", "from"]);
    assert!(text.starts_with("from.airport\nblock") && text.contains("\n\nfrom.gate\n"), "{text}");
    let output = folder.trevni(&["layout", "flights.trv", "-c", "nothing"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no field \"nothing\"; there are flight,"));
}

#[test]
fn size_adds_up_what_is_asked_for() {
    let folder = Folder::with_flights();
    let names = |args: &[&str], key: &str| -> Vec<String> {
        let json = parsed(&folder.prints(&[&["size", "--json", "flights.trv"], args].concat()));
        json[key].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let file = ["flight", "carrier", "dep_delay", "from.airport", "from.gate", "stops[]"];
    assert_eq!(names(&["--sort", "file"], "columns"), file);
    assert_eq!(
        names(&["--sort", "name"], "columns"),
        ["carrier", "dep_delay", "flight", "from.airport", "from.gate", "stops[]"]
    );
    assert_eq!(
        names(&["--by", "field", "--sort", "file"], "fields"),
        ["flight", "carrier", "dep_delay", "from", "stops"]
    );
    assert_eq!(
        names(&["--by", "part", "--sort", "file"], "parts"),
        ["values", "values and nulls", "values and lengths", "index", "header"]
    );
    assert_eq!(names(&["--by", "codec"], "codecs"), ["snappy"]);
    assert_eq!(names(&["-c", "from,stops", "--sort", "file"], "columns"), file[3..]);
    assert_eq!(names(&["-c", "from", "--by", "part", "--sort", "file"], "parts"), ["values", "index"]);
    let text = folder.prints(&["size", "--by", "field", "flights.trv"]);
    assert!(text.lines().nth(1).unwrap().starts_with("field "), "{text}");
    assert!(folder.prints(&["size", "--by", "part", "flights.trv"]).contains("\nvalues and nulls "));
    // Names of a single column are there too.
    let json = parsed(&folder.prints(&["size", "--json", "flights.trv", "-c", "dep_delay"]));
    assert_eq!(json["columns"][0]["column"], "dep_delay/double");
}
