//! A `Serialize` that continued after an item failed half way left half a value in the file.

use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::Value;
use trevni::{Category, Writer};

/// A number, or a value that cannot be written.
#[derive(Clone, Copy)]
enum Cell {
    Good(i32),
    Bad,
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Good(value) => serializer.serialize_i32(*value),
            Self::Bad => Err(S::Error::custom("a bad cell")),
        }
    }
}

/// A list that goes on after an item that failed half way.
struct Careless;

impl Serialize for Careless {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        let _ = seq.serialize_element(&(1, Cell::Bad));
        seq.serialize_element(&(2, Cell::Good(3)))?;
        seq.end()
    }
}

#[test]
fn half_a_value_left_by_a_careless_type_is_never_written() {
    let mut writer = Writer::new(Vec::new()).unwrap();
    let written = writer.write(&Careless).and_then(|()| writer.finish());
    let error = written.map(|bytes| trevni::from_slice::<Vec<Value>>(&bytes)).unwrap_err();
    assert_eq!(error.category(), Category::Misuse);
    assert!(error.to_string().contains("went on after an error"), "{error}");
}
