//! A `Serialize` that ignored an error, or panicked, left parts of its row in the file.

use serde::ser::{Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use trevni::{Category, Writer};

/// A number, or what cannot be written.
#[derive(Clone, Copy)]
enum Part {
    Good(i32),
    Bad,
    Panic,
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Good(value) => serializer.serialize_i32(*value),
            Self::Bad => Err(S::Error::custom("bad part")),
            Self::Panic => panic!("a part panics"),
        }
    }
}

/// Three parts, in one of several compounds, whose errors are dropped.
struct Careless(&'static str, [Part; 3]);

impl Serialize for Careless {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pair = |part: Part| (1, part);
        match self.0 {
            "list" => {
                let mut seq = serializer.serialize_seq(Some(3))?;
                self.1.iter().for_each(|part| drop(seq.serialize_element(&pair(*part))));
                seq.end()
            }
            "tuple" => {
                let mut tuple = serializer.serialize_tuple(3)?;
                self.1.iter().for_each(|part| drop(tuple.serialize_element(&pair(*part))));
                tuple.end()
            }
            "struct" => {
                let mut fields = serializer.serialize_struct("S", 3)?;
                let names = ["a", "b", "c"].iter().zip(&self.1);
                names.for_each(|(name, part)| drop(fields.serialize_field(name, &pair(*part))));
                fields.end()
            }
            "map" | "record" => {
                let mut map = serializer.serialize_map((self.0 == "map").then_some(3))?;
                let names = ["a", "b", "c"].iter().zip(&self.1);
                names.for_each(|(name, part)| drop(map.serialize_entry(name, &pair(*part))));
                map.end()
            }
            _ => {
                let mut map = serializer.serialize_map(Some(3))?;
                self.1.iter().for_each(|part| drop(map.serialize_entry(&pair(*part), "value")));
                map.end()
            }
        }
    }
}

const COMPOUNDS: [&str; 6] = ["list", "tuple", "struct", "map", "record", "keys"];

const GOOD: [Part; 3] = [Part::Good(1), Part::Good(2), Part::Good(3)];

fn rows<T: Serialize>(rows: &[T]) -> Vec<Value> {
    trevni::from_slice(&trevni::to_vec(rows).unwrap()).unwrap()
}

#[derive(Serialize)]
struct Row {
    id: u32,
    field: Careless,
}

/// The rows whose keys are not text.
#[derive(Deserialize, PartialEq, Debug)]
struct Keys {
    id: u32,
    field: BTreeMap<(i32, i32), String>,
}

#[test]
fn an_error_that_is_dropped_refuses_the_row_and_no_other() {
    for compound in COMPOUNDS {
        for bad in 0..3 {
            let mut parts = GOOD;
            parts[bad] = Part::Bad;
            // As the first row, as one among rows that look alike, and within a batch or not.
            for (batch_rows, at) in [(1, 0), (1, 3), (100, 0), (100, 3), (100, 8)] {
                let mut writer = Writer::builder().batch_rows(batch_rows).build(Vec::new()).unwrap();
                for id in 0..10 {
                    if id == at {
                        let error = writer.write(&Row { id, field: Careless(compound, parts) }).unwrap_err();
                        assert_eq!(error.category(), Category::Misuse, "{compound}: {error}");
                        assert_eq!(error.location().row, Some(u64::from(id)), "{compound}: {error}");
                        assert_eq!(error.location().path, "field", "{compound}: {error}");
                        let text = error.to_string();
                        assert!(
                            text.contains("went on after an error") && text.contains("bad part"),
                            "{text}"
                        );
                    }
                    writer.write(&Row { id, field: Careless(compound, GOOD) }).unwrap();
                }
                let written = writer.finish().unwrap();
                if compound == "keys" {
                    let written: Vec<Keys> = trevni::from_slice(&written).unwrap();
                    let field = BTreeMap::from([1, 2, 3].map(|part| ((1, part), "value".to_owned())));
                    let good = (0..10).map(|id| Keys { id, field: field.clone() });
                    assert_eq!(written, good.collect::<Vec<_>>());
                    continue;
                }
                let written: Vec<Value> = trevni::from_slice(&written).unwrap();
                let good: Vec<Row> = (0..10).map(|id| Row { id, field: Careless(compound, GOOD) }).collect();
                assert_eq!(written, rows(&good), "{compound}");
            }
        }
    }
}

#[test]
fn after_a_panic_nothing_more_is_written() {
    for compound in COMPOUNDS {
        for (before, parts) in [(0, 1), (1, 0), (5, 2)] {
            let mut writer = Writer::new(Vec::new()).unwrap();
            for _ in 0..before {
                writer.write(&Careless(compound, GOOD)).unwrap();
            }
            let mut bad = GOOD;
            bad[parts] = Part::Panic;
            let row = Careless(compound, bad);
            catch_unwind(AssertUnwindSafe(|| writer.write(&row))).unwrap_err();
            let error = writer.write(&Careless(compound, GOOD)).unwrap_err();
            assert_eq!(error.category(), Category::Misuse);
            assert!(writer.finish().is_err());
        }
    }
}
