//! Integers of more than 64 bits: equal where they are asked for, decimal text where no type is.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use trevni::{Reader, Writer};

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Row {
    signed: i128,
    unsigned: u128,
    option: Option<i128>,
    list: Vec<u128>,
    map: BTreeMap<String, i128>,
    keys: BTreeMap<i128, Option<u128>>,
    choice: Choice,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Choice {
    Wide(i128),
    Pair(u128, i64),
}

/// Numbers at both sides of each limit.
const SIGNED: [i128; 9] = [
    0,
    -1,
    i64::MIN as i128,
    i64::MIN as i128 - 1,
    u64::MAX as i128,
    u64::MAX as i128 + 1,
    1 << 100,
    i128::MIN,
    i128::MAX,
];

fn row(n: usize) -> Row {
    let signed = |n: usize| SIGNED[n % SIGNED.len()];
    let unsigned = |n: usize| [signed(n).unsigned_abs(), u128::MAX][usize::from(n.is_multiple_of(7))];
    Row {
        signed: signed(n),
        unsigned: unsigned(n),
        option: (!n.is_multiple_of(3)).then(|| signed(n + 1)),
        list: (0..n % 4).map(|at| unsigned(n + at)).collect(),
        map: (0..n % 3).map(|at| (format!("k{at}"), signed(n + at))).collect(),
        keys: BTreeMap::from([(signed(n), Some(unsigned(n + 2)))]),
        choice: if n.is_multiple_of(2) { Choice::Wide(signed(n)) } else { Choice::Pair(unsigned(n), 5) },
    }
}

/// The rule: a number where 64 bits have it, or else its text.
fn signed(value: i128) -> Value {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => json!(value),
        (_, Ok(value)) => json!(value),
        _ => json!(value.to_string()),
    }
}

fn unsigned(value: u128) -> Value {
    i128::try_from(value).map_or_else(|_| json!(value.to_string()), signed)
}

fn untyped(row: &Row) -> Value {
    let map: serde_json::Map<_, _> =
        row.map.iter().map(|(key, value)| (key.clone(), signed(*value))).collect();
    let keys: serde_json::Map<_, _> =
        row.keys.iter().map(|(key, value)| (key.to_string(), value.map_or(Value::Null, unsigned))).collect();
    json!({
        "signed": signed(row.signed),
        "unsigned": unsigned(row.unsigned),
        "option": row.option.map_or(Value::Null, signed),
        "list": row.list.iter().map(|value| unsigned(*value)).collect::<Vec<_>>(),
        "map": map,
        "keys": keys,
        "choice": match &row.choice {
            Choice::Wide(value) => json!({"Wide": signed(*value)}),
            Choice::Pair(value, other) => json!({"Pair": [unsigned(*value), other]}),
        },
    })
}

fn file(count: usize) -> (Vec<Row>, Vec<u8>) {
    let rows: Vec<Row> = (0..count).map(row).collect();
    let mut writer = Writer::builder().batch_rows(100).block_size(500).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    (rows, writer.finish().unwrap())
}

#[test]
fn any_integer_is_read_without_a_type() {
    let (rows, bytes) = file(1000);
    let expected: Vec<Value> = rows.iter().map(untyped).collect();
    assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), expected);
    let reader = Reader::from_slice(&bytes).unwrap();
    let found: Vec<Value> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(found, expected);
    assert_eq!(reader.row::<Value>(8).unwrap(), expected[8]);
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let found: Vec<Value> = batch.rows().map(Result::unwrap).collect();
        assert_eq!(found, expected[batch.first_row() as usize..][..batch.len()]);
    }
    // Buffers of serde, as for flattened fields, do not keep them.
    #[derive(Deserialize)]
    struct Flat {
        #[serde(flatten)]
        #[allow(dead_code, reason = "it cannot be read")]
        rest: BTreeMap<String, Value>,
    }
    let mut flat = reader.project(["signed", "unsigned"]).unwrap().rows::<Flat>().unwrap();
    let error = flat.find_map(Result::err).unwrap().to_string();
    assert!(error.contains("trevni::with::wide_integer"), "{error}");
}

#[test]
fn integers_that_are_asked_for_stay_what_they_are() {
    let (rows, bytes) = file(1000);
    assert_eq!(trevni::from_slice::<Vec<Row>>(&bytes).unwrap(), rows);
    let found: Vec<Row> = Reader::from_slice(&bytes).unwrap().rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(found, rows);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Mixed {
        signed: i128,
        unsigned: Value,
        option: Option<i128>,
    }
    for (mixed, row) in trevni::from_slice::<Vec<Mixed>>(&bytes).unwrap().into_iter().zip(&rows) {
        let Row { signed, option, .. } = *row;
        assert_eq!(mixed, Mixed { signed, unsigned: unsigned(row.unsigned), option });
    }
    // A text is no number, and a number no text, where a type is asked for.
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "it is never made")]
    struct Text {
        signed: String,
    }
    trevni::from_slice::<Vec<Text>>(&bytes).unwrap_err();
    trevni::from_slice::<Vec<i128>>(&trevni::to_vec(["1"]).unwrap()).unwrap_err();
}

#[test]
fn unions_of_integers_and_other_values_are_read_without_a_type() {
    let rows = [json!(1), json!("text"), json!(u64::MAX), json!(-1), json!(0.5)];
    let mut writer = Writer::builder().batch_rows(1).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    writer.write(&i128::MIN).unwrap();
    let expected: Vec<Value> = rows.into_iter().chain([signed(i128::MIN)]).collect();
    let bytes = writer.finish().unwrap();
    assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), expected);
    let numbers: Vec<i128> = trevni::from_slice(&trevni::to_vec([i128::MIN, 7]).unwrap()).unwrap();
    assert_eq!(numbers, [i128::MIN, 7]);
}
