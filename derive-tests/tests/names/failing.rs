//! A `Serialize` that fails in the middle: the row is refused or whole, and the rows around it stay what they are.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Value, json};
use trevni::Writer;

/// A number that refuses or panics where it is negative.
#[derive(Clone, Copy)]
struct Cell(i32);

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            -1 => Err(S::Error::custom("refused")),
            -2 => panic!("a panic in serialize"),
            number => serializer.serialize_i32(number),
        }
    }
}

/// What is made of the cells.
#[derive(Clone, Copy, Debug)]
enum Form {
    Seq,
    Tuple,
    TupleStruct,
    TupleVariant,
    Struct,
    StructVariant,
    Map,
    NumberedMap,
    Keys,
    Record,
    Nested,
}

const FORMS: [Form; 11] = [
    Form::Seq,
    Form::Tuple,
    Form::TupleStruct,
    Form::TupleVariant,
    Form::Struct,
    Form::StructVariant,
    Form::Map,
    Form::NumberedMap,
    Form::Keys,
    Form::Record,
    Form::Nested,
];

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Three cells, the errors of which are dropped.
struct Dropping(Form, [Cell; 3]);

impl Serialize for Dropping {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, cells) = self;
        match form {
            Form::Seq => {
                let mut seq = serializer.serialize_seq(Some(3))?;
                cells.iter().for_each(|cell| drop(seq.serialize_element(cell)));
                seq.end()
            }
            Form::Tuple => {
                let mut tuple = serializer.serialize_tuple(3)?;
                cells.iter().for_each(|cell| drop(tuple.serialize_element(cell)));
                tuple.end()
            }
            Form::TupleStruct => {
                let mut tuple = serializer.serialize_tuple_struct("T", 3)?;
                cells.iter().for_each(|cell| drop(tuple.serialize_field(cell)));
                tuple.end()
            }
            Form::TupleVariant => {
                let mut tuple = serializer.serialize_tuple_variant("E", 0, "V", 3)?;
                cells.iter().for_each(|cell| drop(tuple.serialize_field(cell)));
                tuple.end()
            }
            Form::Struct => {
                let mut state = serializer.serialize_struct("S", 3)?;
                NAMES.iter().zip(cells).for_each(|(name, cell)| drop(state.serialize_field(name, cell)));
                state.end()
            }
            Form::StructVariant => {
                let mut state = serializer.serialize_struct_variant("E", 0, "V", 3)?;
                NAMES.iter().zip(cells).for_each(|(name, cell)| drop(state.serialize_field(name, cell)));
                state.end()
            }
            Form::Map => {
                let mut map = serializer.serialize_map(Some(3))?;
                NAMES.iter().zip(cells).for_each(|(name, cell)| drop(map.serialize_entry(name, cell)));
                map.end()
            }
            Form::NumberedMap => {
                let mut map = serializer.serialize_map(Some(3))?;
                (7..).zip(cells).for_each(|(number, cell)| drop(map.serialize_entry(&number, cell)));
                map.end()
            }
            Form::Keys => {
                let mut map = serializer.serialize_map(Some(3))?;
                cells.iter().for_each(|cell| drop(map.serialize_entry(cell, "value")));
                map.end()
            }
            Form::Record => {
                let mut map = serializer.serialize_map(None)?;
                NAMES.iter().zip(cells).for_each(|(name, cell)| drop(map.serialize_entry(name, cell)));
                map.end()
            }
            Form::Nested => {
                let mut seq = serializer.serialize_seq(Some(3))?;
                for cell in cells {
                    drop(seq.serialize_element(&Dropping(Form::Struct, [Cell(1), *cell, Cell(2)])));
                }
                seq.end()
            }
        }
    }
}

/// A row with a number, a value and the number again, so that a shift shows.
struct Row<T>(i32, T);

impl<T: Serialize> Serialize for Row<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut state = serializer.serialize_struct("Row", 3)?;
        state.serialize_field("before", &self.0)?;
        state.serialize_field("value", &self.1)?;
        state.serialize_field("behind", &self.0)?;
        state.end()
    }
}

/// What JSON makes of rows that are all fine.
fn expected(rows: &[Row<Dropping>]) -> Vec<Value> {
    rows.iter().map(|row| serde_json::to_value(row).unwrap()).collect()
}

fn good(form: Form, number: i32) -> Row<Dropping> {
    Row(number, Dropping(form, [Cell(3), Cell(4), Cell(5)]))
}

fn bad(form: Form, number: i32, at: usize, cell: i32) -> Row<Dropping> {
    let mut cells = [Cell(6), Cell(7), Cell(8)];
    cells[at] = Cell(cell);
    Row(number, Dropping(form, cells))
}

#[test]
fn a_row_whose_element_failed_is_refused_though_the_error_was_dropped() {
    for form in FORMS {
        for batch_rows in [1, 3, 4096] {
            for at in 0..3 {
                for bad_first in [false, true] {
                    let mut writer = Writer::builder().batch_rows(batch_rows).build(Vec::new()).unwrap();
                    if !bad_first {
                        writer.write(&good(form, 1)).unwrap();
                    }
                    let refused = writer.write(&bad(form, 2, at, -1));
                    assert!(refused.is_err(), "{form:?}, cell {at}, first {bad_first}");
                    let behind = [good(form, 3), good(form, 4)];
                    for row in &behind {
                        writer.write(row).unwrap();
                    }
                    let read: Vec<Value> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
                    let mut all = expected(&behind);
                    if !bad_first {
                        all.insert(0, expected(&[good(form, 1)]).remove(0));
                    }
                    assert_eq!(read, all, "{form:?}, cell {at}, first {bad_first}");
                }
            }
        }
    }
}

#[test]
fn after_a_panic_the_writer_refuses_or_goes_on_without_shifting() {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for form in FORMS {
        for at in 0..3 {
            for good_first in 0..3 {
                let mut writer = Writer::new(Vec::new()).unwrap();
                let mut written = Vec::new();
                for number in 0..good_first {
                    writer.write(&good(form, number)).unwrap();
                    written.push(good(form, number));
                }
                let panic = catch_unwind(AssertUnwindSafe(|| writer.write(&bad(form, 10, at, -2)).is_ok()));
                assert!(panic.is_err(), "{form:?}");
                for number in 11..14 {
                    if writer.write(&good(form, number)).is_ok() {
                        written.push(good(form, number));
                    }
                }
                let Ok(bytes) = writer.finish() else { continue };
                let read: Result<Vec<Value>, _> = trevni::from_slice(&bytes);
                assert_eq!(
                    read.unwrap(),
                    expected(&written),
                    "{form:?}, cell {at}, {good_first} rows before"
                );
            }
        }
    }
    std::panic::set_hook(loud);
}

/// A map that ends behind a key.
struct KeyOnly {
    len: Option<usize>,
    whole: bool,
}

impl Serialize for KeyOnly {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(self.len)?;
        map.serialize_entry("a", &1)?;
        map.serialize_key("b")?;
        if self.whole {
            map.serialize_value(&2)?;
        }
        map.end()
    }
}

#[test]
fn a_key_without_a_value_is_refused() {
    for len in [None, Some(2)] {
        let map = |whole| KeyOnly { len, whole };
        let mut writer = Writer::new(Vec::new()).unwrap();
        writer.write(&Row(1, map(true))).unwrap();
        assert!(writer.write(&Row(2, map(false))).is_err(), "{len:?}");
        writer.write(&Row(3, map(true))).unwrap();
        let read: Vec<Value> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
        let row = |number: i32| json!({"before": number, "value": {"a": 1, "b": 2}, "behind": number});
        assert_eq!(read, [row(1), row(3)], "{len:?}");

        let mut writer = Writer::new(Vec::new()).unwrap();
        assert!(writer.write(&map(false)).is_err(), "as a row, {len:?}");
        writer.write(&map(true)).unwrap();
        let read: Vec<Value> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
        assert_eq!(read, [json!({"a": 1, "b": 2})], "as a row, {len:?}");
    }
}
