//! A `Serialize` that gave a key of a map without a value shifted the values of other rows.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use trevni::Writer;

/// A map of keys and values in this order.
struct Turns(&'static [Turn], Option<usize>);

#[derive(Clone, Copy)]
enum Turn {
    Key(&'static str),
    Value(i32),
}

impl Serialize for Turns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(self.1)?;
        for turn in self.0 {
            match turn {
                Turn::Key(key) => map.serialize_key(key)?,
                Turn::Value(value) => map.serialize_value(value)?,
            }
        }
        map.end()
    }
}

#[test]
fn each_key_has_its_value() {
    use Turn::{Key, Value as Given};
    let good: &[Turn] = &[Key("a"), Given(1), Key("b"), Given(2)];
    let bad: [&[Turn]; 5] = [
        &[Key("a"), Given(1), Key("b")],
        &[Key("a"), Key("b"), Given(2)],
        &[Key("a"), Key("b"), Given(2), Given(1)],
        &[Given(1)],
        &[Key("a"), Given(1), Given(2), Key("b")],
    ];
    for len in [None, Some(2)] {
        for wrapped in [false, true] {
            let turns = |turns| (Some(Turns(turns, len)).filter(|_| wrapped), [Turns(turns, len)]);
            for before in [0, 5] {
                let mut writer = Writer::new(Vec::new()).unwrap();
                for _ in 0..before {
                    writer.write(&turns(good)).unwrap();
                }
                for bad in bad {
                    let error = writer.write(&turns(bad)).unwrap_err();
                    assert!(error.to_string().contains("gave a map"), "{error}");
                }
                writer.write(&turns(good)).unwrap();
                let written: Vec<Value> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
                let map = json!({"a": 1, "b": 2});
                let row = json!([if wrapped { map.clone() } else { Value::Null }, [map]]);
                assert_eq!(written, vec![row; before + 1]);
            }
        }
    }
}
