//! Rows that fail, panic or miss the fast path at any of their values: the others are what they are without them.

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use trevni::{Category, Shape, Writer};

/// What a row does at one of its values.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fuse {
    Fail,
    Panic,
    /// Gives another type than other rows.
    Miss,
}

/// A number, or what the fuse does once the countdown has come to it.
#[derive(Clone, Copy)]
struct Number<'a>(&'a Cell<usize>, Fuse);

impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let left = self.0.get();
        self.0.set(left.wrapping_sub(1));
        match (left, self.1) {
            (0, Fuse::Fail) => Err(S::Error::custom("fused")),
            (0, Fuse::Panic) => panic!("fused"),
            (0, Fuse::Miss) => serializer.serialize_str("missed"),
            _ => serializer.serialize_i32(7),
        }
    }
}

#[derive(Serialize)]
enum Choice<'a> {
    Unit,
    New(Number<'a>),
    Tuple(Number<'a>, Vec<Number<'a>>),
    Struct { a: Number<'a>, b: Option<Number<'a>> },
}

#[derive(Serialize)]
struct Row<'a> {
    first: Number<'a>,
    lists: Vec<Vec<Option<Number<'a>>>>,
    map: BTreeMap<&'static str, Number<'a>>,
    keys: BTreeMap<(i32, i32), (Number<'a>, Number<'a>)>,
    choices: Vec<Choice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<Box<Row<'a>>>,
    last: Number<'a>,
}

/// A row that counts down from the same number each time it is serialized.
struct Again<'a>(usize, &'a Cell<usize>, Row<'a>);

impl Serialize for Again<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.1.set(self.0);
        self.2.serialize(serializer)
    }
}

/// Values in a row without another one within.
const VALUES: usize = 13;

impl<'a> Row<'a> {
    fn new(number: Number<'a>, deep: bool) -> Self {
        Self {
            first: number,
            lists: vec![vec![Some(number), None], vec![], vec![Some(number)]],
            map: BTreeMap::from([("a", number), ("b", number)]),
            keys: BTreeMap::from([((1, 2), (number, number))]),
            choices: vec![
                Choice::New(number),
                Choice::Unit,
                Choice::Tuple(number, vec![number]),
                Choice::Struct { a: number, b: Some(number) },
            ],
            skipped: deep.then(|| Box::new(Row::new(number, false))),
            last: number,
        }
    }
}

/// Writes a row whose value at a position is another one; past the end, none is.
fn write(writer: &mut Writer<Vec<u8>>, fuse: Fuse, position: usize, deep: bool) -> trevni::Result<()> {
    let countdown = Cell::new(position);
    let written = writer.write(&Again(position, &countdown, Row::new(Number(&countdown, fuse), deep)));
    assert!(written.is_err() || fuse == Fuse::Miss || position == usize::MAX);
    written
}

fn writer(batch_rows: usize, given: Option<&Shape>) -> Writer<Vec<u8>> {
    let builder = Writer::builder().batch_rows(batch_rows);
    let builder = given.into_iter().fold(builder, |builder, shape| builder.shape(shape));
    builder.build(Vec::new()).unwrap()
}

/// A file of rows, before one of which there is, or is not, one that fails at a position.
fn file(writer: Writer<Vec<u8>>, failing: Option<(usize, usize)>) -> Vec<u8> {
    let mut writer = writer;
    for row in 0..5 {
        if let Some((_, position)) = failing.filter(|(at, _)| *at == row) {
            let error = write(&mut writer, Fuse::Fail, position, true).unwrap_err();
            assert!(error.to_string().contains("fused"), "{error}");
            assert_eq!(error.location().row, Some(row as u64));
        }
        write(&mut writer, Fuse::Fail, usize::MAX, row % 2 == 0).unwrap();
    }
    writer.finish().unwrap()
}

/// The shape that the rows make.
fn shape() -> Shape {
    let bytes = file(writer(100, None), None);
    trevni::Reader::from_slice(&bytes).unwrap().shape().clone()
}

#[test]
fn a_row_that_fails_at_any_value_leaves_nothing() {
    let shape = shape();
    for given in [None, Some(&shape)] {
        for batch_rows in [1, 2, 100] {
            let expected = file(writer(batch_rows, given), None);
            for position in 0..2 * VALUES {
                // Before the first row, the shape would have the fields that came before the failing one.
                for at in [1, 4] {
                    let bytes = file(writer(batch_rows, given), Some((at, position)));
                    assert!(bytes == expected, "batches of {batch_rows}, value {position}, row {at}");
                }
            }
        }
    }
}

#[test]
fn after_a_panic_at_any_value_nothing_more_is_written() {
    for (position, before) in (0..2 * VALUES).flat_map(|position| [(position, 0), (position, 3)]) {
        let mut writer = writer(100, None);
        (0..before).for_each(|_| write(&mut writer, Fuse::Fail, usize::MAX, true).unwrap());
        let panicking = || write(&mut writer, Fuse::Panic, position, true);
        catch_unwind(AssertUnwindSafe(panicking)).unwrap_err();
        let error = write(&mut writer, Fuse::Panic, usize::MAX, true).unwrap_err();
        assert_eq!(error.category(), Category::Misuse);
        assert!(writer.finish().is_err());
    }
}

#[test]
fn rows_that_miss_at_any_value_are_the_same_on_the_slow_path_alone() {
    for batch_rows in [1, 3, 100] {
        for position in 0..2 * VALUES {
            let [fast, slow] = [false, true].map(|slow| {
                let mut writer = writer(batch_rows, None);
                for row in 0..12 {
                    // The first row is on the slow path, and so is each after one that fails.
                    if slow && row > 0 {
                        write(&mut writer, Fuse::Fail, 0, true).unwrap_err();
                    }
                    let position = if row % 5 == 3 { position } else { usize::MAX };
                    write(&mut writer, Fuse::Miss, position, row % 3 > 0).unwrap();
                }
                writer.finish().unwrap()
            });
            assert!(fast == slow, "batches of {batch_rows}, value {position}");
        }
    }
}
