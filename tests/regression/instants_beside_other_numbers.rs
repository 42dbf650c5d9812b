//! A marked instant made an instant of the plain number after it, but not the other way; two logical types in one place were refused.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use trevni::{Dataset, Reader, Shape, from_slice, to_vec};

mod plain {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(*value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        i64::deserialize(deserializer)
    }
}

macro_rules! pair {
    ($name:ident, $one:literal $one_type:ty, $two:literal $two_type:ty) => {
        #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
        #[serde(untagged)]
        enum $name {
            A {
                #[serde(with = $one)]
                v: $one_type,
                a: u8,
            },
            B {
                #[serde(with = $two)]
                v: $two_type,
                b: u8,
            },
        }

        impl $name {
            fn rows() -> [Self; 2] {
                [Self::A { v: 1, a: 0 }, Self::B { v: 2, b: 0 }]
            }
        }
    };
}

pair!(InstantTime, "trevni::with::timestamp_micros" i64, "trevni::with::time_micros" i64);
pair!(MicrosMillis, "trevni::with::timestamp_micros" i64, "trevni::with::timestamp_millis" i64);
pair!(InstantPlain, "trevni::with::timestamp_micros" i64, "plain" i64);
pair!(DateInstant, "trevni::with::date" i32, "trevni::with::timestamp_micros" i64);
pair!(LocalZoned, "trevni::with::local_timestamp_nanos" i64, "trevni::with::timestamp_nanos" i64);

fn shape_of_v(shape: &Shape) -> Vec<String> {
    let Shape::Record(record) = shape else { panic!("{shape}") };
    let field = record.fields.iter().find(|field| field.name == "v").unwrap();
    let shapes = match &field.shape {
        Shape::Union(variants) => variants.iter().map(ToString::to_string).collect(),
        other => vec![other.to_string()],
    };
    let mut shapes: Vec<String> = shapes;
    shapes.sort();
    shapes
}

/// The rows come back in either order, in one file and in two, and the types are the same.
fn check<T: Serialize + DeserializeOwned + Clone + PartialEq + Debug>(mut rows: [T; 2]) {
    let mut shapes = Vec::new();
    for _ in 0..2 {
        let file = to_vec(&rows).unwrap();
        assert_eq!(from_slice::<Vec<T>>(&file).unwrap(), rows);
        let files = rows.clone().map(|row| to_vec([row]).unwrap());
        let readers = files.iter().map(|file| Reader::from_slice(file).unwrap()).collect();
        let dataset = Dataset::from_readers(readers).unwrap();
        assert_eq!(dataset.rows::<T>().unwrap().collect::<trevni::Result<Vec<_>>>().unwrap(), rows);
        shapes.push(shape_of_v(Reader::from_slice(&file).unwrap().shape()));
        shapes.push(shape_of_v(dataset.shape()));
        rows.reverse();
    }
    assert!(shapes.windows(2).all(|pair| pair[0] == pair[1]), "{shapes:?}");
}

#[test]
fn their_order_does_not_matter() {
    check(InstantTime::rows());
    check(MicrosMillis::rows());
    check(InstantPlain::rows());
    check(DateInstant::rows());
    check(LocalZoned::rows());
}
