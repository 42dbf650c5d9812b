//! Files read by their columns alone, without a schema.

use crate::data;
use serde_json::{Value, json};
use trevni::Reader;

#[test]
fn every_file_opens_by_its_columns() {
    for golden in data::all() {
        let bytes = golden.bytes();
        let reader = Reader::from_slice(&bytes).unwrap().untyped().unwrap();
        let leaves = reader.columns().iter().filter(|column| column.parent().is_none()).count();
        let shape = reader.shape().clone();
        assert!(
            matches!(&shape, trevni::Shape::Record(record) if record.fields.len() == leaves),
            "{}: {shape}",
            golden.name
        );
        let rows: Vec<Value> = reader
            .rows()
            .unwrap()
            .map(|row| row.unwrap_or_else(|error| panic!("{}: {error}", golden.name)))
            .collect();
        assert_eq!(rows.len() as u64, reader.row_count(), "{}", golden.name);
        for (number, name) in plain_roots(&reader) {
            let column = reader.raw_column(number).unwrap();
            for (index, (value, row)) in column.rows::<Value>().zip(&rows).enumerate() {
                assert_eq!(value.unwrap(), row[&name], "{} {name:?}, row {index}", golden.name);
            }
        }
    }
}

/// The columns that have neither parents nor children: number and name.
fn plain_roots(reader: &Reader<'_>) -> Vec<(usize, String)> {
    let columns = reader.columns();
    let is_parent = |name: &str| columns.iter().any(|column| column.parent() == Some(name));
    let plain = |column: &trevni::column::ColumnInfo| column.parent().is_none() && !is_parent(column.name());
    let plain = columns.iter().enumerate().filter(|(_, column)| plain(column));
    plain.map(|(number, column)| (number, column.name().to_owned())).collect()
}

#[test]
fn files_without_a_schema_have_the_shape_of_their_columns() {
    for golden in data::all().iter().filter(|golden| golden.name.starts_with("raw_")) {
        let bytes = golden.bytes();
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(reader.shape(), reader.untyped().unwrap().shape(), "{}", golden.name);
    }
}

fn shape(name: &str) -> String {
    let bytes = data::named(name).bytes();
    Reader::from_slice(&bytes).unwrap().untyped().unwrap().shape().to_string()
}

fn rows(name: &str) -> Vec<Value> {
    let bytes = data::named(name).bytes();
    let reader = Reader::from_slice(&bytes).unwrap().untyped().unwrap();
    reader.rows().unwrap().map(Result::unwrap).collect()
}

#[test]
fn parents_are_lists_of_records() {
    let expected = "record\n  id: int\n  date: long\n  from: string\n  to: list of string\n  content: string\n  \
                    received: list of record\n    date: long\n    host: string\n    sigs: list of record\n      \
                    algo: string\n      value: bytes";
    assert_eq!(shape("raw_nested"), expected);
    let rows = rows("raw_nested");
    assert_eq!(
        rows[0],
        json!({
            "id": -7,
            "date": 1_328_000_000_000_i64,
            "from": "u0@example.org",
            "to": ["t21@example.net", "t48@example.net"],
            "content": "h",
            "received": [],
        })
    );
    let signature =
        [0xd8, 0xfd, 0x22, 0x47, 0x6c, 0x91, 0xb6, 0xdb, 0, 0x25, 0x4a, 0x6f, 0x94, 0xb9, 0xde, 0x03];
    assert_eq!(
        rows[2]["received"],
        json!([
            {
                "date": -2_012_917_589_i64,
                "host": "10.0.2.186",
                "sigs": [{"algo": "strong", "value": signature}],
            },
            {"date": 51_407_758_903_099_i64, "host": "10.0.1.192", "sigs": []},
        ])
    );
}

#[test]
fn a_parent_may_hold_values_itself() {
    let expected = "record\n  p: list of record\n    value$: int\n    s: string\n    d: list of double";
    assert_eq!(shape("raw_valued_parent"), expected);
    let rows = rows("raw_valued_parent");
    assert_eq!(rows[0], json!({"p": []}));
    assert_eq!(rows[1], json!({"p": [{"value$": 10, "s": "s1.0", "d": [1.0]}]}));
    assert_eq!(
        rows[2],
        json!({"p": [{"value$": 20, "s": "s2.0", "d": [2.0, 2.25]}, {"value$": 21, "s": "s2.1", "d": []}]})
    );
}

#[test]
fn the_values_of_a_parent_may_be_left_aside() {
    let bytes = data::named("raw_valued_parent").bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    for path in ["p.s", "p.d", "p.value$"] {
        let name = path.strip_prefix("p.").unwrap();
        let part = reader.project([path]).unwrap().rows::<Value>().unwrap().map(Result::unwrap);
        for (part, whole) in part.zip(rows("raw_valued_parent")) {
            let items: Vec<Value> =
                whole["p"].as_array().unwrap().iter().map(|item| json!({name: item[name]})).collect();
            assert_eq!(part, json!({"p": items}), "{path}");
        }
    }
    let values = reader.column::<trevni::reader::Nested<i32>>("p.value$").unwrap().values;
    assert_eq!(values[..5], [10, 20, 21, 50, 51]);
}

#[test]
fn fields_of_records_are_roots_with_their_paths_for_names() {
    let expected = "record\n  id: long\n  from#city: string\n  from#geo#lat: double\n  from#geo#lon: double\n  \
                    to#city: string\n  to#geo#lat: double\n  to#geo#lon: double\n  via#p#city: string\n  \
                    via#p#geo#lat: double\n  via#p#geo#lon: double\n  via#km: float";
    assert_eq!(shape("nested_records"), expected);
    let (rows, lines) = (rows("nested_records"), data::named("nested_records").lines());
    for (row, line) in rows.iter().zip(&lines) {
        let via = line.get("via").unwrap();
        let latitude = via.get("p").unwrap().get("geo").unwrap().get("lat").unwrap();
        assert_eq!(row["via#p#geo#lat"].as_f64().unwrap().to_bits(), latitude.double().to_bits());
        assert_eq!(row["via#km"], f64::from(via.get("km").unwrap().float()));
    }
}

#[test]
fn unions_and_maps_are_lists() {
    let expected = "record\n  u/boolean: list of boolean\n  u/int: list of int\n  u/long: list of long\n  \
                    u/float: list of float\n  u/double: list of double\n  u/string: list of string\n  \
                    u/bytes: list of bytes\n  u/Dir: list of int\n  u/Key: list of bytes\n  \
                    u/Point: list of record\n    x: int\n    y: int\n  u/array: list of record\n    \
                    u/array[]: list of string\n  u/map: list of record\n    \
                    u/map>: list of record\n      key: string\n      value: int\n  after: int";
    assert_eq!(shape("union_of_all"), expected);
    let row = &rows("union_of_all")[0];
    let entries = json!([{"key": "amber1", "value": 461_906}, {"key": "cobalt0", "value": -437}]);
    assert_eq!(row["u/map"], json!([{"u/map>": entries}]));
    assert_eq!(row["u/Dir"], json!([]));
    assert_eq!(row["after"], 8_265_152);
}

#[test]
fn a_file_without_columns_has_no_rows_to_read() {
    assert_eq!(shape("raw_nocolumns"), "record");
    assert!(rows("raw_nocolumns").is_empty());
}
