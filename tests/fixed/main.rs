//! What integers of fixed width promise: they take the place of longer varints, and nobody who reads can tell.

mod deciding;
mod declared;
mod finding;
mod random;
mod reading;
mod row;

#[path = "../zones/check.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod check;
#[path = "../hostile/raw.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod raw;

use trevni::column::ValueType;
use trevni::{Codec, Reader, Writer, WriterBuilder};

/// Without codec, so that sizes are those of the values.
fn plain() -> WriterBuilder {
    Writer::builder().codec(Codec::Null)
}

fn fixed() -> WriterBuilder {
    plain().fixed_integers()
}

fn write<T: serde::Serialize>(builder: WriterBuilder, rows: &[T]) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// The types of all columns.
fn types(bytes: &[u8]) -> Vec<ValueType> {
    Reader::from_slice(bytes).unwrap().columns().iter().map(|column| column.value_type()).collect()
}

/// A number that looks random.
fn hash(number: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
