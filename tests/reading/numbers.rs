//! Numbers of a column that are read as floats of another kind: the same by both paths.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::cell::Cell;
use std::fmt;
use trevni::{Reader, Result, to_vec};

/// As many rows as make several batches.
const ROWS: i64 = 9_000;

#[derive(Serialize)]
struct Row {
    long: i64,
    unsigned: u64,
    maybe: Option<i32>,
    float: f32,
    doubles: Vec<f64>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Doubles {
    long: f64,
    unsigned: f64,
    maybe: Option<f64>,
    float: f64,
    doubles: Vec<f64>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Floats {
    long: f32,
    unsigned: f32,
    maybe: Option<f32>,
    float: f32,
    doubles: Vec<f32>,
}

fn row(n: i64) -> Row {
    let float = n as f32 / 3.0;
    Row {
        long: if n % 1_000 == 999 { i64::MAX - n } else { -n },
        unsigned: if n % 5_000 == 4_999 { u64::MAX } else { n.unsigned_abs() },
        maybe: (n % 3 == 2).then_some(i32::MAX - n as i32),
        float,
        doubles: (0..n % 3).map(|i| f64::from(float) + i as f64 / 7.0).collect(),
    }
}

/// All rows: of the file, of its batches, and one by one.
fn read<T: DeserializeOwned + PartialEq + fmt::Debug>(bytes: &[u8]) -> Vec<T> {
    let reader = Reader::from_slice(bytes).unwrap();
    let rows: Vec<T> = reader.rows().unwrap().map(Result::unwrap).collect();
    let mut of_batches = Vec::new();
    for batch in reader.batches().unwrap() {
        of_batches.extend(batch.unwrap().rows::<T>().map(Result::unwrap));
    }
    assert_eq!(of_batches, rows);
    for number in [0, 1, 2, 3, 999, 1_000, 4_999, 8_999] {
        assert_eq!(reader.row::<T>(number as u64).unwrap(), rows[number]);
    }
    rows
}

#[test]
fn numbers_are_read_as_doubles() {
    let bytes = to_vec((0..ROWS).map(row)).unwrap();
    for (read, n) in read::<Doubles>(&bytes).into_iter().zip(0..) {
        let Row { long, unsigned, maybe, float, doubles } = row(n);
        let (maybe, float) = (maybe.map(f64::from), f64::from(float));
        let expected = Doubles { long: long as f64, unsigned: unsigned as f64, maybe, float, doubles };
        assert_eq!(read, expected, "row {n}");
    }
}

#[test]
fn numbers_are_read_as_floats() {
    let bytes = to_vec((0..ROWS).map(row)).unwrap();
    for (read, n) in read::<Floats>(&bytes).into_iter().zip(0..) {
        let Row { long, unsigned, maybe, float, doubles } = row(n);
        let (maybe, doubles) = (maybe.map(|n| n as f32), doubles.iter().map(|n| *n as f32).collect());
        let expected = Floats { long: long as f32, unsigned: unsigned as f32, maybe, float, doubles };
        assert_eq!(read, expected, "row {n}");
    }
}

/// A number that is read as an integer or as a float, by turns.
#[derive(Debug, PartialEq)]
enum ByTurns {
    Integer(i64),
    Float(f64),
    Any(serde_json::Value),
}

thread_local! {
    static TURN: Cell<i64> = const { Cell::new(0) };
}

impl<'de> Deserialize<'de> for ByTurns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match TURN.get() {
            0 => i64::deserialize(deserializer).map(Self::Integer),
            1 => f64::deserialize(deserializer).map(Self::Float),
            _ => serde_json::Value::deserialize(deserializer).map(Self::Any),
        }
    }
}

#[test]
fn a_column_is_read_as_several_kinds_of_numbers() {
    let bytes = to_vec(0..ROWS).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let batches: Vec<_> = reader.batches().unwrap().collect::<Result<_>>().unwrap();
    let sources: [Box<dyn Iterator<Item = Result<ByTurns>>>; 2] =
        [Box::new(reader.rows().unwrap()), Box::new(batches.iter().flat_map(|batch| batch.rows()))];
    for mut source in sources {
        for n in 0..ROWS {
            TURN.set(n / 10 % 3);
            let expected = match TURN.get() {
                0 => ByTurns::Integer(n),
                1 => ByTurns::Float(n as f64),
                _ => ByTurns::Any(n.into()),
            };
            assert_eq!(source.next().unwrap().unwrap(), expected, "row {n}");
        }
    }
}

#[test]
fn what_is_no_number_stays_so() {
    let rows: Vec<f32> = (0..100).map(|n| if n % 2 == 0 { f32::NAN } else { -f32::NAN }).collect();
    for (n, read) in read_bits(&to_vec(&rows).unwrap()).into_iter().enumerate() {
        assert!(read.is_nan() && read.is_sign_negative() == (n % 2 == 1), "row {n}");
    }
}

fn read_bits(bytes: &[u8]) -> Vec<f64> {
    Reader::from_slice(bytes).unwrap().rows().unwrap().map(Result::unwrap).collect()
}
