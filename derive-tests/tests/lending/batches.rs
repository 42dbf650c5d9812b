//! Rows of a batch may borrow text and bytes from it instead of copying them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use derive_tests::{every_encoding, write};
use serde::{Deserialize, Serialize};
use trevni::Reader;

/// Reads `$rows` batch by batch as `$row`, which may borrow, and asserts that they are equal to what was written.
macro_rules! assert_lends {
    ($row:ty, $rows:expr) => {
        let written = $rows;
        for file in every_encoding(&written) {
            let mut seen = 0;
            for batch in Reader::from_slice(&file.bytes).unwrap().batches().unwrap() {
                let batch = batch.unwrap();
                for row in batch.rows::<$row>() {
                    assert_eq!(row.unwrap(), written[seen], "{}, row {seen}", file.name);
                    seen += 1;
                }
            }
            assert_eq!(seen, written.len(), "{}", file.name);
        }
    };
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Line<'a> {
    host: &'a str,
    path: Option<&'a str>,
    #[serde(with = "serde_bytes")]
    body: &'a [u8],
}

fn lines() -> [Line<'static>; 4] {
    [
        Line { host: "a.example", path: Some("/"), body: b"\xff\x00" },
        Line { host: "", path: None, body: b"" },
        Line { host: "é", path: Some(""), body: b"x" },
        Line { host: "b.example", path: Some("/index"), body: b"yz" },
    ]
}

#[test]
fn a_struct_of_text_and_bytes() {
    assert_lends!(Line<'_>, lines());
}

#[test]
fn text_as_the_whole_row() {
    assert_lends!(&str, ["a", "", "漢字"]);
}

#[test]
fn lists_maps_and_tuples_of_text() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row<'a> {
        #[serde(borrow)]
        list: Vec<&'a str>,
        #[serde(borrow)]
        map: BTreeMap<&'a str, &'a str>,
        #[serde(borrow)]
        tuple: (i32, &'a str),
    }
    assert_lends!(
        Row<'_>,
        [
            Row { list: vec!["a", "b"], map: BTreeMap::from([("k", "v")]), tuple: (1, "x") },
            Row { list: vec![], map: BTreeMap::new(), tuple: (2, "") },
        ]
    );
}

#[test]
fn structs_inside_structs_lists_and_options() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row<'a> {
        #[serde(borrow)]
        first: Line<'a>,
        #[serde(borrow)]
        rest: Vec<Line<'a>>,
        #[serde(borrow)]
        last: Option<Line<'a>>,
    }
    let line = |n: usize| lines().into_iter().nth(n).unwrap();
    assert_lends!(
        Row<'_>,
        [
            Row { first: line(0), rest: vec![line(1), line(2)], last: None },
            Row { first: line(3), rest: vec![], last: Some(line(0)) },
        ]
    );
}

#[test]
fn enums_of_every_tagging() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum External<'a> {
        Text(&'a str),
        Fields { text: &'a str },
        Unit,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Internal<'a> {
        Fields { text: &'a str },
        Unit,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent<'a> {
        Text(&'a str),
        Unit,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged<'a> {
        Number(i32),
        Text(&'a str),
    }
    assert_lends!(External<'_>, [External::Text("a"), External::Unit, External::Fields { text: "b" }]);
    assert_lends!(Internal<'_>, [Internal::Unit, Internal::Fields { text: "a" }]);
    assert_lends!(Adjacent<'_>, [Adjacent::Text("a"), Adjacent::Unit]);
    assert_lends!(Untagged<'_>, [Untagged::Text("a"), Untagged::Number(1), Untagged::Text("")]);
}

#[test]
fn a_flattened_struct() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Text<'a> {
        text: &'a str,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row<'a> {
        id: i32,
        #[serde(flatten, borrow)]
        inner: Text<'a>,
    }
    assert_lends!(
        Row<'_>,
        [Row { id: 1, inner: Text { text: "a" } }, Row { id: 2, inner: Text { text: "" } }]
    );
}

#[test]
fn cow_borrows() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row<'a> {
        #[serde(borrow)]
        text: Cow<'a, str>,
        #[serde(borrow, with = "serde_bytes")]
        bytes: Cow<'a, [u8]>,
    }
    let bytes = write(&[Row { text: "a".into(), bytes: b"b"[..].into() }]);
    let mut rows = 0;
    for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
        let batch = batch.unwrap();
        for row in batch.rows::<Row<'_>>() {
            let row = row.unwrap();
            assert!(matches!(row.text, Cow::Borrowed("a")), "{row:?}");
            assert!(matches!(row.bytes, Cow::Borrowed(b"b")), "{row:?}");
            rows += 1;
        }
    }
    assert_eq!(rows, 1);
}

#[test]
fn all_rows_of_a_batch_are_held_at_once() {
    let bytes = write(&lines());
    for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
        let batch = batch.unwrap();
        let held: Vec<Line<'_>> = batch.rows().map(Result::unwrap).collect();
        let again: Vec<Line<'_>> = batch.rows().map(Result::unwrap).collect();
        assert_eq!(held, again);
    }
}

#[test]
fn fewer_fields_and_another_order() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Head<'a> {
        #[serde(with = "serde_bytes")]
        body: &'a [u8],
        host: &'a str,
    }
    let bytes = write(&lines());
    let mut at = lines().into_iter();
    for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
        let batch = batch.unwrap();
        for row in batch.rows::<Head<'_>>() {
            let line = at.next().unwrap();
            assert_eq!(row.unwrap(), Head { body: line.body, host: line.host });
        }
    }
    assert_eq!(at.next(), None);
}

#[test]
fn keys_of_rows_that_are_maps() {
    let map = |keys: &[&'static str]| keys.iter().map(|key| (*key, *key)).collect::<BTreeMap<_, _>>();
    assert_lends!(BTreeMap<&str, &str>, [map(&["a", "b"]), map(&["b"]), map(&[]), map(&["c", "漢字", ""])]);
}

#[test]
fn names_of_fields_and_variants() {
    #[derive(Serialize)]
    struct Point {
        x: i32,
        y: i32,
    }
    #[derive(Serialize)]
    enum Colour {
        Red,
        Green,
        Grey(u8),
    }
    for file in every_encoding(&[1, 2, 3].map(|x| Point { x, y: -x })) {
        let reader = Reader::from_slice(&file.bytes).unwrap();
        let batches: Vec<_> = reader.batches().unwrap().map(Result::unwrap).collect();
        let rows = batches.iter().flat_map(|batch| batch.rows::<BTreeMap<&str, i32>>());
        let rows: Vec<_> = rows.map(Result::unwrap).collect();
        assert_eq!(rows, [1, 2, 3].map(|x| BTreeMap::from([("x", x), ("y", -x)])), "{}", file.name);
    }
    for file in every_encoding(&[Colour::Green, Colour::Red, Colour::Green]) {
        let reader = Reader::from_slice(&file.bytes).unwrap();
        let batches: Vec<_> = reader.batches().unwrap().map(Result::unwrap).collect();
        let rows = batches.iter().flat_map(|batch| batch.rows::<&str>()).map(Result::unwrap);
        assert_eq!(rows.collect::<Vec<_>>(), ["Green", "Red", "Green"], "{}", file.name);
    }
    for file in every_encoding(&[Colour::Grey(1), Colour::Grey(2), Colour::Grey(3)]) {
        let reader = Reader::from_slice(&file.bytes).unwrap();
        let batches: Vec<_> = reader.batches().unwrap().map(Result::unwrap).collect();
        let rows = batches.iter().flat_map(|batch| batch.rows::<BTreeMap<&str, u8>>()).map(Result::unwrap);
        assert_eq!(
            rows.collect::<Vec<_>>(),
            [1, 2, 3].map(|n| BTreeMap::from([("Grey", n)])),
            "{}",
            file.name
        );
    }
}

#[test]
fn rows_of_one_batch_as_several_types() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Host<'a> {
        host: &'a str,
    }
    let bytes = write(&lines());
    for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
        let batch = batch.unwrap();
        for _ in 0..2 {
            let hosts: Vec<Host<'_>> = batch.rows().map(Result::unwrap).collect();
            assert_eq!(hosts, lines().map(|line| Host { host: line.host }));
            let held: Vec<Line<'_>> = batch.rows().map(Result::unwrap).collect();
            assert_eq!(held, lines());
            let maps: Vec<BTreeMap<&str, serde_json::Value>> = batch.rows().map(Result::unwrap).collect();
            assert_eq!(maps[1].keys().copied().collect::<Vec<_>>(), ["body", "host", "path"]);
        }
    }
}

#[test]
fn an_error_in_a_batch_is_of_one_row() {
    #[derive(Debug, Deserialize)]
    struct Small {
        n: u8,
    }
    let rows = [1, 300, 3].map(|n| serde_json::json!({ "n": n }));
    let bytes = write(&rows);
    let batch = Reader::from_slice(&bytes).unwrap().batches().unwrap().next().unwrap().unwrap();
    let mut read = batch.rows::<Small>();
    assert_eq!(read.next().unwrap().unwrap().n, 1);
    assert!(read.next().unwrap().unwrap_err().to_string().contains("300"));
}
