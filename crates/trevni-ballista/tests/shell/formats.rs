//! Rows as tables, JSON and CSV, with types and names of all kinds.

use crate::Folder;
use serde_json::{Value, json};

const TWO: &str = "SELECT flight, carrier, dep_delay, \"from\", stops FROM 'flights.trv' WHERE flight IN (8, 9) ORDER BY flight";

#[test]
fn rows_are_printed_as_the_command_line_prints_them() {
    let folder = Folder::with_flights();
    let table = " flight  carrier  dep_delay  from.airport  from.gate  stops
      8  DL            -4.0  JFK                   8  [\"S0\",\"S1\"]
      9  AA            null  JFK                   9  []
";
    assert_eq!(folder.prints(&["-c", TWO]), table);
    assert_eq!(folder.prints(&["--format", "table", "-c", TWO]), table);
    let json = "\
{\"flight\":8,\"carrier\":\"DL\",\"dep_delay\":-4.0,\"from\":{\"airport\":\"JFK\",\"gate\":8},\"stops\":[\"S0\",\"S1\"]}
{\"flight\":9,\"carrier\":\"AA\",\"dep_delay\":null,\"from\":{\"airport\":\"JFK\",\"gate\":9},\"stops\":[]}
";
    assert_eq!(folder.prints(&["--format", "json", "-c", TWO]), json);
    assert_eq!(folder.prints(&["--format", "jsonl", "-c", TWO]), json);
    let csv = "\
flight,carrier,dep_delay,from.airport,from.gate,stops
8,DL,-4.0,JFK,8,\"[\"\"S0\"\",\"\"S1\"\"]\"
9,AA,,JFK,9,[]
";
    assert_eq!(folder.prints(&["--format", "csv", "-c", TWO]), csv);
    let other = folder.prints(&["--format", "csv", "--no-header", "--null", "NA", "-c", TWO]);
    assert_eq!(other, csv.split_once('\n').unwrap().1.replace("AA,,", "AA,NA,"));
}

#[test]
fn types_are_those_of_the_command_line() {
    let folder = Folder::new();
    let sql = "SELECT DATE '2013-06-01' AS day, TIMESTAMP '2013-06-01T12:30:00.5' AS at, 1.50::DECIMAL(9,2) AS price,
               X'00ff' AS bytes, 255::TINYINT UNSIGNED AS small, 18446744073709551615::BIGINT UNSIGNED AS large,
               'NaN'::DOUBLE AS nan, INTERVAL '1 day 2 hours' AS span, true AS yes, NULL AS nothing,
               named_struct('a', [1, NULL], 'b', NULL::VARCHAR) AS both";
    let row: Value = serde_json::from_str(
        &String::from_utf8(folder.sql(&["--format", "json", "-c", sql]).output().unwrap().stdout).unwrap(),
    )
    .unwrap();
    assert_eq!(row["day"], "2013-06-01");
    assert_eq!(row["at"], "2013-06-01T12:30:00.500");
    assert_eq!((&row["price"], &row["bytes"]), (&json!("1.50"), &json!("00ff")));
    assert_eq!((&row["small"], &row["large"]), (&json!(255), &json!(u64::MAX)));
    assert_eq!((&row["nan"], &row["yes"], &row["nothing"]), (&json!("NaN"), &json!(true), &Value::Null));
    assert_eq!(row["both"], json!({"a": [1, null], "b": null}));
    assert_eq!(row["span"], json!({"months": 0, "days": 1, "nanoseconds": 7_200_000_000_000_i64}));
    // The command line reads the same from a file of them.
    folder.prints(&[
        "-q",
        "-c",
        &format!("COPY ({}) TO 'types.trv'", sql.replace("INTERVAL '1 day 2 hours' AS span, ", "")),
    ]);
    let read = folder.prints(&[
        "--format",
        "csv",
        "--no-header",
        "-c",
        "SELECT day, at, price, bytes, both FROM 'types.trv'",
    ]);
    assert_eq!(read, "2013-06-01,2013-06-01T12:30:00.500,1.50,00ff,\"[1,null]\",\n");
}

#[test]
fn nulls_are_nulls_at_every_level() {
    let folder = Folder::new();
    folder.write(
        "nulls.trv",
        [
            json!({"a": {"b": {"c": 1}}, "l": [{"m": [1, null]}], "n": 1}),
            json!({"a": {"b": null}, "l": [{"m": null}, null], "n": null}),
            json!({"a": null, "l": null, "n": null}),
        ],
    );
    let json = folder.prints(&["--format", "json", "-c", "SELECT * FROM 'nulls.trv'"]);
    let rows: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[0], json!({"a": {"b": {"c": 1}}, "l": [{"m": [1, null]}], "n": 1}));
    assert_eq!(rows[1]["l"], json!([{"m": null}, null]));
    assert_eq!((&rows[2]["a"], &rows[2]["l"], &rows[2]["n"]), (&Value::Null, &Value::Null, &Value::Null));
    let csv = folder.prints(&["--format", "csv", "-c", "SELECT a, n FROM 'nulls.trv'"]);
    assert_eq!(csv, "a.b.c,n\n1,1\n,\n,\n");
    let table = folder.prints(&["-c", "SELECT a, n FROM 'nulls.trv'"]);
    assert_eq!(table, " a.b.c     n\n     1     1\n  null  null\n  null  null\n");
}

#[test]
fn results_without_rows_have_their_names() {
    let folder = Folder::with_flights();
    let sql = "SELECT flight, carrier FROM 'flights.trv' WHERE flight < 0";
    assert_eq!(folder.prints(&["-c", sql]), " flight  carrier\n");
    assert_eq!(folder.prints(&["--format", "csv", "-c", sql]), "flight,carrier\n");
    assert_eq!(folder.prints(&["--format", "json", "-c", sql]), "");
}

#[test]
fn names_that_are_there_twice_get_numbers() {
    let folder = Folder::with_flights();
    let sql = "SELECT x.flight, y.flight, 1 AS flight_2 FROM 'flights.trv' x JOIN 'flights.trv' y ON x.flight = y.flight WHERE x.flight = 7";
    assert_eq!(
        folder.prints(&["--format", "json", "-c", sql]),
        "{\"flight\":7,\"flight_3\":7,\"flight_2\":1}\n"
    );
}

#[test]
fn hostile_names_and_cells_are_data() {
    let folder = Folder::new();
    let text = "red \x1b[31m \r\n \u{202e}x\",; '--";
    folder.write("it's; odd \"file\".trv", [json!({text: text, "": "b"})]);
    let sql = "SELECT * FROM 'it''s; odd \"file\".trv'";
    let row: Value = serde_json::from_str(&folder.prints(&["--format", "json", "-c", sql])).unwrap();
    assert_eq!(row, json!({text: text, "": "b"}));
    let table = folder.prints(&["-c", sql]);
    assert!(table.contains("red \\u001b[31m \\r\\n \\u202ex") && !table.contains('\x1b'), "{table:?}");
    assert_eq!(table.lines().count(), 2, "{table:?}");
    // A script gets the data as it is.
    let csv = folder.prints(&["--format", "csv", "-c", sql]);
    assert!(csv.contains("\x1b[31m") && csv.contains("\"\""), "{csv:?}");
}

#[test]
fn plans_are_printed_line_by_line() {
    let folder = Folder::with_flights();
    let sql = "EXPLAIN SELECT carrier FROM 'flights.trv' WHERE flight > 5";
    let text = folder.prints(&["-c", sql]);
    assert!(text.contains("\n  DataSourceExec") || text.contains("\n    DataSourceExec"), "{text}");
    assert!(!text.contains("\\n") && text.lines().count() > 3, "{text}");
    let json = folder.prints(&["--format", "json", "-c", sql]);
    assert!(
        json.lines().all(|line| serde_json::from_str::<Value>(line).unwrap()["plan"].is_string()),
        "{json}"
    );
    let analyzed = folder.prints(&["-c", "EXPLAIN ANALYZE SELECT count(stops) FROM 'flights.trv'"]);
    assert!(analyzed.contains("columns_read") && !analyzed.contains("\\n"), "{analyzed}");
}

/// A number as Avro has it.
fn long(value: i64) -> Vec<u8> {
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    let mut bytes = Vec::new();
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

#[test]
fn files_of_avro_are_tables() {
    let schema = r#"{"type":"record","name":"r","fields":[{"name":"n","type":"long"},{"name":"s","type":["null","string"]}]}"#;
    let text = |text: &str| [long(text.len() as i64), text.as_bytes().to_vec()].concat();
    let rows = [
        [long(1), long(1), text("one")].concat(),
        [long(-200), long(0)].concat(),
        [long(3), long(1), text("")].concat(),
    ]
    .concat();
    let header =
        [b"Obj\x01".to_vec(), long(1), text("avro.schema"), text(schema), long(0), vec![7; 16]].concat();
    let file = [header, long(3), long(rows.len() as i64), rows, vec![7; 16]].concat();
    let folder = Folder::new();
    std::fs::write(folder.path("rows.avro"), file).unwrap();
    let csv =
        folder.prints(&["--format", "csv", "-c", "SELECT * FROM 'rows.avro' WHERE n > -300 ORDER BY n"]);
    assert_eq!(csv, "n,s\n-200,\n1,one\n3,\"\"\n");
    let sql = "CREATE EXTERNAL TABLE a STORED AS AVRO LOCATION 'rows.avro'; COPY a TO 'rows.trv'; SELECT sum(n) AS n FROM 'rows.trv'";
    assert_eq!(folder.prints(&["-q", "--format", "csv", "-c", sql]), "n\n-196\n");
}
