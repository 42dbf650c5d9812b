//! Numbers of serde_json are numbers of the file, also where a program turns on that they have any digits (`cargo test
//! --features arbitrary_precision`).

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};
use trevni::{Reader, Shape, Writer, col, from_slice, to_vec};

fn rows() -> Vec<Value> {
    vec![
        json!({"a": 1, "b": 1.5, "c": [1, -2], "d": {"e": u64::MAX}}),
        json!({"a": 2, "b": 2.0, "c": [], "d": {"e": 0}}),
        json!({"a": -3, "b": -0.25, "c": [i64::MIN], "d": {"e": 7}}),
    ]
}

#[test]
fn rows_of_json_have_columns_of_numbers() {
    let file = to_vec(rows()).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let Shape::Record(record) = reader.shape() else { panic!("{}", reader.shape()) };
    assert_eq!([&record.fields[0].shape, &record.fields[1].shape], [&Shape::Long, &Shape::Double]);
    assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), rows());
    assert_eq!(reader.column::<i64>("a").unwrap(), [1, 2, -3]);
    let filtered = reader.filter(col("a").gt(1)).unwrap();
    assert_eq!(filtered.rows::<Value>().unwrap().collect::<Result<Vec<_>, _>>().unwrap(), rows()[1..2]);
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Typed {
    n: Number,
    more: Vec<Option<Number>>,
    any: Value,
}

#[test]
fn numbers_in_structs_are_numbers() {
    let row = |text: &str| Typed {
        n: text.parse().unwrap(),
        more: vec![Some(text.parse().unwrap()), None],
        any: json!({"n": 0.5}),
    };
    for texts in [["1", "2"], ["-1", "5"], ["0.5", "1e300"], ["1", "1.5"]] {
        let rows: Vec<Typed> = texts.iter().cycle().take(9).map(|text| row(text)).collect();
        let file = to_vec(&rows).unwrap();
        assert_eq!(from_slice::<Vec<Typed>>(&file).unwrap(), rows);
    }
}

/// A record of other rows does not take a number for one of its own.
#[test]
fn numbers_among_records_are_numbers() {
    let rows = vec![
        json!({"x": {"a": 1, "b": 2}}),
        json!({"x": {"a": 1, "b": 2}}),
        json!({"x": 5}),
        json!({"x": 0.5}),
    ];
    let file = to_vec(rows.iter().cycle().take(40)).unwrap();
    let read: Vec<Value> = from_slice(&file).unwrap();
    assert_eq!(read[..4], rows);
    assert_eq!(read.len(), 40);
}

#[test]
fn numbers_of_schemas_are_read() {
    let schema = r#"{"type": "record", "name": "R", "fields": [
        {"name": "id", "type": {"type": "fixed", "name": "F", "size": 2}},
        {"name": "n", "type": {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2}, "default": "", "x": -1.5}
    ], "z": [1e3, {"b": 2, "$serde_json::private::Number": "5"}]}"#;
    let writer = Writer::builder().schema(schema).build(Vec::new()).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(Reader::from_slice(&file).unwrap().shape().to_string().matches("fixed").count(), 1);
}

#[cfg(feature = "arbitrary_precision")]
mod any_digits {
    use super::*;

    fn numbers(texts: &[&str]) -> Vec<Number> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    /// Which are integers of at most 128 bits, or doubles that print like this.
    const NUMBERS: [&str; 7] = [
        "18446744073709551616",
        "-170141183460469231731687303715884105728",
        "340282366920938463463374607431768211455",
        "0.1",
        "1e300",
        "18446744073709551615",
        "-9223372036854775809",
    ];

    const OTHERS: [&str; 4] = ["1.50", "1e999", "-0", "340282366920938463463374607431768211456"];

    #[test]
    fn numbers_come_back_with_their_digits() {
        let all: Vec<&str> = NUMBERS.into_iter().chain(OTHERS).collect();
        for texts in all.iter().map(|text| vec![*text; 3]).chain([all.clone(), NUMBERS.to_vec()]) {
            let numbers = numbers(&texts);
            let read: Vec<Number> = from_slice(&to_vec(&numbers).unwrap()).unwrap();
            assert_eq!(read, numbers);
        }
    }

    #[test]
    fn values_of_any_kind_have_other_digits_as_strings() {
        for text in NUMBERS {
            let rows = vec![Value::Number(text.parse().unwrap()); 3];
            assert_eq!(from_slice::<Vec<Value>>(&to_vec(&rows).unwrap()).unwrap(), rows);
        }
        for text in OTHERS {
            let number: Number = text.parse().unwrap();
            let rows = vec![Value::Number(number.clone()); 3];
            let read: Vec<Value> = from_slice(&to_vec(&rows).unwrap()).unwrap();
            assert_eq!(read, vec![json!(number.to_string()); 3]);
        }
    }
}
