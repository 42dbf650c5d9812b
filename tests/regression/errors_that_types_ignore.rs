//! A field whose type takes no notice of errors was empty where a row missed the fast path: a value that had not been read, or
//! was of another kind than those before, was lost without an error.

use serde::{Deserialize, Deserializer, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Unit,
    Number(i32),
    Named { name: String },
}

#[derive(Serialize)]
struct Row {
    kind: Kind,
    value: Option<Value>,
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Value {
    Int(i64),
    Text(String),
}

fn rows() -> Vec<Row> {
    let kind = |row: i32| match row / 3_000 {
        0 => Kind::Unit,
        1 => Kind::Number(row),
        _ => Kind::Named { name: row.to_string() },
    };
    let value = |row: i32| match row % 1_500 {
        0 => None,
        at if at < 1_400 => Some(Value::Int(row.into())),
        _ => Some(Value::Text(row.to_string())),
    };
    (0..9_000).map(|row| Row { kind: kind(row), value: value(row) }).collect()
}

fn ignored<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Ok(T::deserialize(deserializer).ok())
}

#[derive(Debug, PartialEq, Deserialize)]
struct Ignoring {
    #[serde(deserialize_with = "ignored")]
    kind: Option<Kind>,
    #[serde(deserialize_with = "ignored")]
    value: Option<u16>,
}

#[test]
fn fields_that_ignore_errors_have_all_values() {
    let file = trevni::to_vec(rows()).unwrap();
    let expected = rows().into_iter().map(|row| {
        let value = match row.value {
            Some(Value::Int(value)) => u16::try_from(value).ok(),
            _ => None,
        };
        Ignoring { kind: Some(row.kind), value }
    });
    let expected: Vec<Ignoring> = expected.collect();
    let reader = trevni::Reader::from_slice(&file).unwrap();
    let rows: Vec<Ignoring> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.iter().zip(&expected).position(|(row, expected)| row != expected), None);
    assert_eq!(trevni::from_slice::<Vec<Ignoring>>(&file).unwrap(), expected);
    let mut number = 0;
    for batch in reader.batches().unwrap() {
        for row in batch.unwrap().rows::<Ignoring>() {
            assert_eq!(row.unwrap(), expected[number], "row {number}");
            number += 1;
        }
    }
    assert_eq!(number, expected.len());
    for (number, expected) in expected.iter().enumerate() {
        assert_eq!(reader.row::<Ignoring>(number as u64).unwrap(), *expected, "row {number}");
    }
}

#[derive(Serialize)]
struct Outer {
    row: Row,
    inner: Vec<u8>,
}

/// Rows of a file within a field, in each of the ways to read them.
fn within<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    let file = Vec::<u8>::deserialize(deserializer)?;
    let reader = trevni::Reader::from_slice(&file).unwrap();
    let all: Vec<u32> = trevni::from_slice(&file).unwrap();
    assert_eq!(reader.rows().unwrap().collect::<Result<Vec<u32>, _>>().unwrap(), all);
    assert_eq!(reader.row::<u32>(2).unwrap(), all[2]);
    let batch = reader.batches().unwrap().next().unwrap().unwrap();
    assert_eq!(batch.rows().collect::<Result<Vec<u32>, _>>().unwrap(), all);
    Ok(all)
}

#[derive(Debug, PartialEq, Deserialize)]
struct OuterIgnoring {
    row: Ignoring,
    #[serde(deserialize_with = "within")]
    inner: Vec<u32>,
}

#[test]
fn fields_that_read_files_take_no_miss_from_the_row_around_them() {
    let inner = trevni::to_vec([7, 8, 9]).unwrap();
    let outer = rows().into_iter().step_by(10).map(|row| Outer { row, inner: inner.clone() });
    let file = trevni::to_vec(outer.collect::<Vec<_>>()).unwrap();
    let found: Vec<OuterIgnoring> = trevni::from_slice(&file).unwrap();
    for (number, (found, row)) in found.into_iter().zip(rows().into_iter().step_by(10)).enumerate() {
        assert_eq!((found.row.kind, found.inner), (Some(row.kind), vec![7, 8, 9]), "row {number}");
    }
}
