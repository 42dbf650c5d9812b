//! Zone maps come back from their bytes, and nothing comes from other bytes.

use super::{Bound, Zone, ZoneMap, decode, encode};
use crate::storage::value_type::ValueType;

const BLOCKS: [[u32; 2]; 2] = [[10, 100], [3, 30]];

fn sample(value_type: ValueType) -> ZoneMap {
    let (min, max) = match value_type {
        ValueType::Null => (None, None),
        ValueType::Boolean => (Some(Bound::Boolean(false)), Some(Bound::Boolean(true))),
        ValueType::Int | ValueType::Fixed32 => {
            (Some(Bound::Integer(i64::from(i32::MIN))), Some(Bound::Integer(i64::from(i32::MAX))))
        }
        ValueType::Fixed8 | ValueType::Fixed16 => (Some(Bound::Integer(-128)), Some(Bound::Integer(127))),
        ValueType::Long | ValueType::Fixed64 => {
            (Some(Bound::Integer(i64::MIN)), Some(Bound::Integer(i64::MAX)))
        }
        ValueType::Float => (Some(Bound::Float(-1.5)), Some(Bound::Float(f64::INFINITY))),
        ValueType::Double => (Some(Bound::Float(0.1)), Some(Bound::Float(f64::MAX))),
        ValueType::String | ValueType::Bytes | ValueType::Timestamp => {
            (Some(Bound::Bytes(Vec::new())), Some(Bound::Bytes(vec![0xff; 32])))
        }
    };
    let first = Zone { nulls: 7, values: 300, min: min.clone(), max, nan: true };
    ZoneMap { ascending: true, zones: vec![first, Zone { min, ..Zone::default() }] }
}

/// A map with these rows and sizes of its blocks.
fn bytes_of(map: &ZoneMap, value_type: ValueType, blocks: &[[u32; 2]]) -> Vec<u8> {
    encode(map.ascending, value_type, map.zones.iter().zip(blocks.iter().copied()))
}

/// All types of all dialects.
fn types() -> impl Iterator<Item = ValueType> {
    ValueType::ALL.into_iter().chain([ValueType::Fixed8, ValueType::Fixed16, ValueType::Timestamp])
}

#[test]
fn every_type_comes_back() {
    for value_type in types() {
        let map = sample(value_type);
        let bytes = bytes_of(&map, value_type, &BLOCKS);
        assert_eq!(decode(&bytes, value_type, &BLOCKS), Some(map), "{value_type}");
    }
}

#[test]
fn damaged_bytes_are_no_map() {
    for value_type in types() {
        let bytes = bytes_of(&sample(value_type), value_type, &BLOCKS);
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode(&damaged, value_type, &BLOCKS), None, "{value_type}, bit {bit}");
        }
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length], value_type, &BLOCKS), None, "{value_type}, {length} bytes");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(decode(&longer, value_type, &BLOCKS), None);
    }
}

#[test]
fn the_map_of_other_blocks_is_none() {
    let bytes = bytes_of(&sample(ValueType::Long), ValueType::Long, &BLOCKS);
    for blocks in [&BLOCKS[..1], &[], &[[10, 100], [3, 31]], &[[10, 100], [3, 30], [0, 0]]] {
        assert_eq!(decode(&bytes, ValueType::Long, blocks), None, "{blocks:?}");
    }
}

/// The checksum is right, and what is before it is not.
#[test]
fn odd_maps_are_none() {
    let integer = |value| Some(Bound::Integer(value));
    let floats = |min: f64, max: f64| (Some(Bound::Float(min)), Some(Bound::Float(max)));
    let cases = [
        (ValueType::Long, (integer(2), integer(1))),
        (ValueType::Int, (integer(0), integer(1 << 31))),
        (ValueType::Null, (integer(0), integer(0))),
        (ValueType::Double, floats(f64::NAN, 1.0)),
        (ValueType::Double, floats(1.0, f64::NAN)),
        (ValueType::Boolean, (Some(Bound::Boolean(true)), Some(Bound::Boolean(false)))),
        (ValueType::Boolean, (integer(1), integer(1))),
        (ValueType::Bytes, (None, Some(Bound::Bytes(vec![0; 33])))),
    ];
    for (value_type, (min, max)) in cases {
        let map = ZoneMap { ascending: false, zones: vec![Zone { min, max, ..Zone::default() }] };
        let bytes = bytes_of(&map, value_type, &BLOCKS[..1]);
        assert_eq!(decode(&bytes, value_type, &BLOCKS[..1]), None, "{value_type} {map:?}");
    }
    let negative = ZoneMap { zones: vec![Zone { values: u64::MAX, ..Zone::default() }], ascending: false };
    let bytes = bytes_of(&negative, ValueType::Int, &BLOCKS[..1]);
    assert_eq!(decode(&bytes, ValueType::Int, &BLOCKS[..1]), None);
}

#[test]
fn long_bounds_are_cut_downwards_and_upwards() {
    let bytes = |value: &[u8]| Bound::Bytes(value.to_vec());
    assert_eq!(Bound::below(b"short"), bytes(b"short"));
    assert_eq!(Bound::above(b"short"), Some(bytes(b"short")));
    assert_eq!(Bound::below(&[b'a'; 40]), bytes(&[b'a'; 32]));
    assert_eq!(Bound::above(&[b'a'; 32]), Some(bytes(&[b'a'; 32])));
    assert_eq!(Bound::above(&[b'a'; 33]), Some(bytes(&[&[b'a'; 31][..], b"b"].concat())));
    assert_eq!(Bound::above(&[&b"ab"[..], &[0xff; 40]].concat()), Some(bytes(b"ac")));
    assert_eq!(Bound::above(&[0xff; 32]), Some(bytes(&[0xff; 32])));
    assert_eq!(Bound::above(&[0xff; 33]), None);
}
