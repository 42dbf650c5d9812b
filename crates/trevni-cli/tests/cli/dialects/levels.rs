//! dump: the levels beside the files, and columns as they are stored.

use super::{Golden, folder, good};
use serde_json::Value;
use std::collections::BTreeMap;

/// A repetition level, a definition level, and a value where it is text in the same words.
type Entry = (u8, u8, Option<Value>);

/// The entries of each leaf by its path.
type Leaves = BTreeMap<String, Vec<Entry>>;

/// Whether values of a type are printed in the same words in all places.
fn is_plain(kind: &str) -> bool {
    let kinds =
        ["int", "long", "string", "boolean", "fixed8", "fixed16", "fixed32", "fixed64", "INT32", "INT64"];
    kinds.contains(&kind) || ["STRING", "BOOLEAN"].contains(&kind)
}

fn value(text: &str, is_missing: bool, kind: &str) -> Option<Value> {
    match is_missing {
        true => Some(Value::Null),
        false if is_plain(kind) => Some(serde_json::from_str(text).unwrap()),
        false => None,
    }
}

/// `# column PATH type=T D=… R=… width=W`, then repetition level, definition level and value.
fn of_levels(text: &str) -> Leaves {
    let mut leaves = Leaves::new();
    for column in text.split("# column ").skip(1) {
        let (head, lines) = column.split_once('\n').unwrap();
        let (path, rest) = head.split_once(" type=").unwrap();
        let kind = rest.split(' ').next().unwrap();
        if kind == "null" {
            continue;
        }
        let lines = lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let entry = |line: &str| {
            let fields: Vec<&str> = line.splitn(3, '\t').collect();
            let value = value(fields[2], fields[2] == "-", kind);
            (fields[0].parse().unwrap(), fields[1].parse().unwrap(), value)
        };
        leaves.insert(path.to_owned(), lines.map(entry).collect());
    }
    leaves
}

/// Of each row group, `column N path=["a","b"] type=T max_r=… max_d=…`, then `r d value` and how often it comes.
fn of_redelm(text: &str) -> Leaves {
    let (mut leaves, mut path, mut kind) = (Leaves::new(), String::new(), "");
    for line in text.lines().filter(|line| !line.starts_with("file ") && !line.starts_with("rowgroup ")) {
        if let Some((_, rest)) = line.split_once(" path=") {
            let (names, rest) = rest.split_once(" type=").unwrap();
            path = serde_json::from_str::<Vec<String>>(names).unwrap().join(".");
            kind = rest.split(' ').next().unwrap();
            leaves.entry(path.clone()).or_default();
            continue;
        }
        let (line, count) = match line.rsplit_once(" *") {
            Some((line, count)) if count.bytes().all(|digit| digit.is_ascii_digit()) => {
                (line, count.parse().unwrap())
            }
            _ => (line, 1),
        };
        let fields: Vec<&str> = line.splitn(3, ' ').collect();
        let value = value(fields[2], fields[2] == "null", kind);
        let entry = (fields[0].parse().unwrap(), fields[1].parse().unwrap(), value);
        leaves.get_mut(&path).unwrap().extend(std::iter::repeat_n(entry, count));
    }
    leaves
}

/// What `dump -f levels` prints, with the values that the other text has too.
fn of_dump(text: &str, expected: &Leaves) -> Leaves {
    let mut leaves = Leaves::new();
    for column in text.split("# column ").skip(1) {
        let (head, lines) = column.split_once('\n').unwrap();
        let (path, rest) = head.split_once(" type=").unwrap();
        let known = expected.get(path).unwrap_or_else(|| panic!("{path} in {:?}", expected.keys()));
        let kind = rest.split(' ').next().unwrap();
        let entry = |(number, line): (usize, &str)| {
            let rest = line.strip_prefix(&format!("value {}: R:", number + 1)).unwrap();
            let (repetition, rest) = rest.split_once(" D:").unwrap();
            let (definition, text) = rest.split_once(" V:").unwrap();
            let is_plain = known.get(number).is_some_and(|(.., value)| value.is_some());
            let value = if is_plain { value(text, text == "<null>", kind) } else { None };
            (repetition.parse().unwrap(), definition.parse().unwrap(), value)
        };
        leaves.insert(path.to_owned(), lines.lines().enumerate().map(entry).collect());
    }
    leaves
}

/// Rows of a matrix are lists to the levels of rows; the file has none for them.
fn has_widths(golden: &Golden) -> bool {
    golden.stem() == "array_width"
}

#[test]
fn levels_are_those_beside_the_files() {
    let folder = folder();
    for golden in good().iter().filter(|golden| !has_widths(golden)) {
        let text = golden.text("levels.txt");
        let expected = if golden.dialect == "redelm" { of_redelm(&text) } else { of_levels(&text) };
        let found = of_dump(&folder.prints(&golden.command(&["dump", "-f", "levels"])), &expected);
        assert_eq!(
            found.keys().collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>(),
            "{}",
            golden.name()
        );
        for (path, expected) in &expected {
            let found = &found[path];
            for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_eq!(found, expected, "{path}, entry {number}, {}", golden.name());
            }
            assert_eq!(found.len(), expected.len(), "{path}, {}", golden.name());
        }
    }
}

#[test]
fn every_column_is_dumped_with_a_line_for_each_row() {
    let folder = folder();
    for golden in good() {
        let text = folder.prints(&golden.command(&["dump"]));
        let info: Value = serde_json::from_str(&folder.prints(&golden.command(&["info", "--json"]))).unwrap();
        let (rows, columns) = (info["rows"].as_u64().unwrap(), info["columns"].as_u64().unwrap());
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some(&*format!("rows {rows} columns {columns}")), "{}", golden.name());
        for number in 0..columns {
            let head = lines.next().unwrap();
            assert!(head.starts_with(&format!("column {number} \"")), "{}: {head}", golden.name());
            for _ in 0..rows {
                let line = lines.next().unwrap();
                serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            }
        }
        assert_eq!(lines.next(), None, "{}", golden.name());
    }
}

#[test]
fn columns_are_dumped_as_they_are_nested() {
    let folder = folder();
    let of = |stem: &str, column: &str| {
        let golden = good().into_iter().find(|golden| golden.stem() == stem).unwrap();
        let text = folder.prints(&golden.command(&["dump", "-c", column]));
        text.split_once('\n').unwrap().1.to_owned()
    };
    let rest = "repetition 2 definition 2\n[[\"en-us\",\"en\"],[],[\"en-gb\"]]\n[[]]\n";
    let code = "Name.Language.Code";
    assert_eq!(of("dremel_plain", code), format!("column 3 \"{code}\" string {rest}"));
    let parent = "parent \"Name.Language\"";
    assert_eq!(of("dremel_documents", code), format!("column 6 \"{code}\" string {parent} {rest}"));
    let rest = "repetition 1 definition 2\n[[\"http://A\"],[\"http://B\"],[]]\n[[\"http://C\"]]\n";
    assert_eq!(of("dremel_plain", "Name.Url"), format!("column 5 \"Name.Url\" string array {rest}"));
    let maybe = "column 1 \"maybe\" int array repetition 0 definition 1 width 2\n[[1,-1]]\n[]\n[[5,6]]\n";
    assert_eq!(of("array_width", "maybe"), maybe);
}
