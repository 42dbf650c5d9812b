//! Conditions and values from a grammar, over a small table: what the crate computes is compared with what each row by itself gives.

mod naive;
mod tree;

use crate::choices::Choices;
use naive::{Around, Value};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use tree::Tree;
use trevni::{Batch, Dialect, Reader, RowSelection, Writer};
use trevni_query::{Binder, Condition, Expression, ScalarRef, Scope};

/// A row of the table.
#[derive(Serialize)]
struct Row {
    i: Option<i64>,
    j: i32,
    n: u64,
    f: Option<f64>,
    g: f64,
    s: Option<String>,
    t: String,
    b: Option<bool>,
    c: bool,
    l: Vec<i64>,
    m: Option<Vec<i64>>,
}

impl Row {
    fn of(number: i64) -> Self {
        let odd = number % 3 > 0;
        let floats = [0.25, -1.5, f64::NAN, f64::INFINITY, -0.0, 3.75, 2.0, 1e300, 4e18];
        let texts = ["text", "TEXT 3", "", "a", "É", " it's ", "%_\\"];
        let float = floats[number as usize * 7 % 9];
        let text = if number % 2 == 0 {
            format!("text {}", number % 5)
        } else {
            texts[number as usize / 2 % 7].to_owned()
        };
        let items = (0..number % 4).map(|at| at * number % 5 - 1);
        Self {
            i: odd.then_some(if number == 31 { i64::MIN } else { number % 11 - 5 }),
            j: number as i32 - 20,
            n: if number % 20 == 7 { u64::MAX } else { (number * number).cast_unsigned() },
            f: (number % 4 > 0).then_some(float),
            g: number as f64 / 4.0,
            s: (number % 5 > 1).then(|| text.clone()),
            t: text,
            b: odd.then_some(number % 2 == 0),
            c: number % 7 < 3,
            l: items.clone().collect(),
            m: odd.then(|| items.rev().collect()),
        }
    }

    fn value(&self, name: &str) -> Value {
        let number = |value: Option<f64>| value.map_or(Value::Null, Value::Float);
        let truth = |value: Option<bool>| value.map_or(Value::Null, Value::Boolean);
        match name {
            "i" => self.i.map_or(Value::Null, |value| Value::Integer(value.into())),
            "j" => Value::Integer(self.j.into()),
            "n" => Value::Integer(self.n.into()),
            "f" => number(self.f),
            "g" => number(Some(self.g)),
            "s" => self.s.clone().map_or(Value::Null, Value::Text),
            "t" => Value::Text(self.t.clone()),
            "b" => truth(self.b),
            _ => truth(Some(self.c)),
        }
    }

    fn list(&self, name: &str) -> Option<&[i64]> {
        if name == "l" { Some(&self.l) } else { self.m.as_deref() }
    }
}

/// The table: its rows, its files in small blocks, one of each format, and its batches.
struct Table {
    rows: Vec<Row>,
    files: Vec<Vec<u8>>,
    batches: Vec<Batch>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows: Vec<Row> = (0..40).map(Row::of).collect();
        let file = |dialect| {
            let builder = Writer::builder().dialect(dialect).block_size(40);
            let mut writer = builder.build(Vec::new()).expect("a writer is made");
            writer.write_all(&rows).expect("rows are written");
            writer.finish().expect("rows are written")
        };
        let files = [Dialect::Trevni, Dialect::Levels, Dialect::RedElm].map(file).to_vec();
        let batches = Reader::from_slice(&files[0]).and_then(|reader| reader.batches()?.collect());
        let batches = batches.expect("rows are read");
        Table { rows, files, batches }
    })
}

/// Makes a condition and a value of what the bytes choose, and computes both.
///
/// # Panics
///
/// Where a row is selected that the condition is not true of, or another one is not; where a value is another one; where text of an
/// expression is refused.
pub fn conditions(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let depth = choices.below(5) as u32;
    let condition = Tree::condition(&mut choices, depth);
    let text = condition.text_of(&mut choices);
    let again = condition.text_of(&mut choices);
    if let Some(values) = computed(&condition, &text) {
        let numbers = values.iter().zip(0..).filter(|(value, _)| **value == Value::Boolean(true));
        let expected: RowSelection = numbers.map(|(_, number)| number).collect();
        selects(&text, &expected);
        selects(&again, &expected);
    }
    let value = Tree::value(&mut choices, depth);
    let text = value.text_of(&mut choices);
    computed(&value, &text);
}

/// Computes an expression for all rows; `None` where that is an expected error.
fn computed(tree: &Tree, text: &str) -> Option<Vec<Value>> {
    let Table { rows, batches, .. } = table();
    let expected: Result<Vec<Value>, _> =
        rows.iter().map(|row| tree.of(Around { row, item: None })).collect();
    let expression = Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut found = Vec::new();
    for batch in batches {
        let bound = expression.bind(&Binder::new(batch.shape()));
        let bound = bound.unwrap_or_else(|error| panic!("{text}: {error}"));
        match bound.evaluate(&Scope::of(batch)) {
            Ok(column) => found.extend((0..batch.len()).map(|row| value(column.get(row)))),
            Err(error) => {
                assert!(expected.is_err(), "{text}: {error}");
                return None;
            }
        }
    }
    let expected = expected.ok()?;
    for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!(is_same(found, expected), "{text}: row {number} gives {found:?}, not {expected:?}");
    }
    Some(expected)
}

fn value(scalar: ScalarRef<'_>) -> Value {
    match scalar {
        ScalarRef::Null => Value::Null,
        ScalarRef::Boolean(value) => Value::Boolean(value),
        ScalarRef::Integer(value) => Value::Integer(value),
        ScalarRef::Float(value) => Value::Float(value),
        ScalarRef::Text(text) => Value::Text(text.to_owned()),
        other => panic!("{other:?} of a table without such values"),
    }
}

/// All bits of floats, but for NaN.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Float(one), Value::Float(other)) => {
            one.is_nan() && other.is_nan() || one.to_bits() == other.to_bits()
        }
        (one, other) => one == other,
    }
}

/// The rows that a condition selects, whether the file decides or each row does, in each way to read them.
fn selects(text: &str, expected: &RowSelection) {
    let files = &table().files;
    let reader = Reader::from_slice(&files[text.len() % files.len()]).expect("the file is opened");
    let condition = Condition::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let filtered = condition.filter(&reader).unwrap_or_else(|error| panic!("{text}: {error}"));
    let matching = filtered.matching().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&matching, expected, "{text}");
    let count = filtered.matching_count().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(count, expected.row_count(), "{text}");
    let numbers = expected.ranges().iter().cloned().flatten();
    let numbers: Vec<i64> = numbers.map(|number| number.cast_signed() - 20).collect();
    let rows = filtered.rows::<Numbered>().unwrap_or_else(|error| panic!("{text}: {error}"));
    let number =
        |row: trevni::Result<Numbered>| row.unwrap_or_else(|error| panic!("{text}: {error}")).j.into();
    assert_eq!(rows.map(number).collect::<Vec<i64>>(), numbers, "{text}");
    let mut count = 0;
    for decoded in filtered.vectors().unwrap_or_else(|error| panic!("{text}: {error}")) {
        let decoded = decoded.unwrap_or_else(|error| panic!("{text}: {error}"));
        count += decoded.wanted.iter().map(ExactSizeIterator::len).sum::<usize>();
    }
    assert_eq!(count, numbers.len(), "{text}");
}

/// The number of a row, less 20.
#[derive(Deserialize)]
struct Numbered {
    j: i32,
}
