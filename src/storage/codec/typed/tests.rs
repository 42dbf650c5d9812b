use super::super::{Codec, ColumnType, Compressors, Decompressors, Framing, Uncompressed};
use super::Cursor;
use crate::bytes::buffer::Buffer;
use crate::storage::value_type::ValueType;
use crate::storage::values::encode::{Bits, encode_length, show};
use crate::storage::values::held::Held;
use crate::storage::values::lengths::encode::Run;
use crate::vector::{Binaries, Offsets, Vector};
use proptest::prelude::*;
use std::ops::Range;

const CODECS: &[Codec] =
    if cfg!(feature = "zstandard") { &[Codec::Typed, Codec::TypedZstandard] } else { &[Codec::Typed] };

/// Values of one type, all of which may come again.
pub(super) fn values() -> impl Strategy<Value = (ValueType, Vector)> {
    (values_once(), prop_oneof![3 => Just(1), 1 => 2usize..9]).prop_map(|((value_type, values), times)| {
        let (mut all, once) = (values.clone(), 0..count(&values));
        (1..times).for_each(|_| assert!(values.copy_range(once.clone(), &mut all)));
        (value_type, all)
    })
}

fn values_once() -> impl Strategy<Value = (ValueType, Vector)> {
    let count = 0usize..300;
    let int = prop_oneof![3 => 0i32..5, 1 => any::<i32>()];
    let long = prop_oneof![3 => -9i64..5, 1 => any::<i64>()];
    let double = prop_oneof![3 => (0i32..900).prop_map(|value| f64::from(value) / 8.0), 1 => any::<f64>()];
    let text = prop_oneof![
        2 => Just(b"a text that comes often".to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..9),
    ];
    let numbered =
        (0u32..9000).prop_map(|first| (first..first + 300).map(|number| format!("{number:05}").into_bytes()));
    let numbered = numbered.prop_map(Iterator::collect::<Vec<_>>);
    prop_oneof![
        prop::collection::vec(any::<bool>(), count.clone())
            .prop_map(|values| (ValueType::Boolean, Vector::Boolean(values))),
        (prop::collection::vec(int, count.clone()), any::<bool>()).prop_map(|(values, fixed)| {
            (if fixed { ValueType::Fixed32 } else { ValueType::Int }, Vector::Int(values))
        }),
        (prop::collection::vec(long, count.clone()), any::<bool>()).prop_map(|(values, fixed)| {
            (if fixed { ValueType::Fixed64 } else { ValueType::Long }, Vector::Long(values))
        }),
        prop::collection::vec(double.clone(), count.clone())
            .prop_map(|values| (ValueType::Double, Vector::Double(values))),
        prop::collection::vec(double, count.clone()).prop_map(|values| {
            (ValueType::Float, Vector::Float(values.iter().map(|value| *value as f32).collect()))
        }),
        prop_oneof![3 => prop::collection::vec(text, count.clone()), 1 => numbered].prop_map(|strings| {
            let mut values = Binaries::default();
            strings.iter().for_each(|text| assert!(values.push(text)));
            (ValueType::Bytes, Vector::Bytes(values))
        }),
        count.prop_map(|count| (ValueType::Null, Vector::Null(count))),
    ]
}

/// Appends some of the values.
fn append(value_type: ValueType, values: &Vector, some: Range<usize>, out: &mut Buffer) {
    show(value_type, Some(values), &mut |values| values.encode(some.clone(), &mut Bits::default(), out));
}

fn count(values: &Vector) -> usize {
    match values {
        Vector::Null(count) => *count,
        Vector::Boolean(values) => values.len(),
        Vector::Int(values) => values.len(),
        Vector::Long(values) => values.len(),
        Vector::Float(values) => values.len(),
        Vector::Double(values) => values.len(),
        Vector::Bytes(values) => values.len(),
        _ => 0,
    }
}

/// A block of values; with lengths taken from a pool, if there is one, runs of which may be joined.
pub(super) fn block(value_type: ValueType, values: &Vector, lengths: Option<(&[u32], bool)>) -> Vec<u8> {
    let (mut out, count) = (Buffer::default(), count(values));
    let Some((pool, joined)) = lengths else {
        append(value_type, values, 0..count, &mut out);
        return out.as_slice().to_vec();
    };
    let (mut run, mut start, mut lengths) = (Run::default(), 0, pool.iter().cycle());
    while start < count {
        let length = lengths.next().copied().unwrap_or(1).min((count - start) as u32);
        if joined && (length == 0 || length == 1 && value_type == ValueType::Null) {
            run.push(length, 1, &mut out);
        } else {
            run.end(&mut out);
            encode_length(length as i32, &mut out);
            append(value_type, values, start..start + length as usize, &mut out);
        }
        start += length as usize;
    }
    run.end(&mut out);
    out.as_slice().to_vec()
}

/// The lengths that [`block`] takes from a pool.
fn lengths(pool: &[u32], count: usize) -> Vec<u32> {
    let (mut start, mut lengths) = (0, Vec::new());
    for length in pool.iter().cycle() {
        if start == count {
            break;
        }
        lengths.push((*length).min((count - start) as u32));
        start += lengths.last().map_or(0, |last| *last as usize);
    }
    lengths
}

/// Values as they can be compared: not a number is itself.
fn bits(values: &Vector) -> Vec<Vec<u8>> {
    match values {
        Vector::Null(count) => vec![Vec::new(); *count],
        Vector::Boolean(values) => values.iter().map(|value| vec![u8::from(*value)]).collect(),
        Vector::Int(values) => values.iter().map(|value| value.to_le_bytes().to_vec()).collect(),
        Vector::Long(values) => values.iter().map(|value| value.to_le_bytes().to_vec()).collect(),
        Vector::Float(values) => values.iter().map(|value| value.to_le_bytes().to_vec()).collect(),
        Vector::Double(values) => values.iter().map(|value| value.to_le_bytes().to_vec()).collect(),
        Vector::Bytes(values) => values.iter().map(<[u8]>::to_vec).collect(),
        _ => Vec::new(),
    }
}

fn typed(codec: Codec, block: &[u8], column_type: ColumnType) -> Vec<u8> {
    Compressors::default().compress_block(codec, Uncompressed::Bytes(block), column_type, 0).unwrap()
}

fn untyped(codec: Codec, stored: &[u8], size: usize) -> crate::Result<Vec<u8>> {
    let mut out = Vec::new();
    Decompressors::new(Framing::Raw).decompress(codec, stored, size, &mut out, &mut |_| Ok(()))?;
    Ok(out)
}

proptest! {
    #[test]
    fn blocks_come_back_to_the_byte(
        (value_type, values) in values(),
        pool in prop::collection::vec(prop_oneof![4 => 0u32..3, 1 => 0u32..99], 1..9),
        form in 0..3,
    ) {
        // Lengths of zero alone never end.
        let mut pool = pool;
        pool.push(1);
        let lengths = match form { 0 => None, 1 => Some((&*pool, false)), _ => Some((&*pool, true)) };
        let block = block(value_type, &values, lengths);
        let (mut compressors, mut back) = (Compressors::default(), Vec::new());
        let decompressors = Decompressors::new(Framing::Raw);
        for codec in CODECS {
            // Whatever they are taken for.
            let types = ValueType::ALL.into_iter().flat_map(|value_type| [(value_type, false), (value_type, true)]);
            for (value_type, array) in types {
                let column_type = ColumnType { value_type: Some(value_type), array };
                let stored = compressors.compress_block(*codec, Uncompressed::Bytes(&block), column_type, 0).unwrap();
                decompressors.decompress(*codec, &stored, block.len(), &mut back, &mut |_| Ok(())).unwrap();
                prop_assert_eq!(&back, &block);
            }
        }
    }

    #[test]
    fn held_values_are_compressed_as_their_bytes(
        (value_type, values) in values(),
        pool in prop::collection::vec(prop_oneof![4 => 0u32..3, 1 => 0u32..99], 1..9),
        form in 0..3,
    ) {
        let pool = [&*pool, &[1]].concat();
        let pool = (form > 0).then_some((&*pool, form > 1));
        let block = block(value_type, &values, pool);
        let Some(mut held) = Held::from_value_type(value_type, pool.is_some(), form > 1) else { return Ok(()) };
        let (mut run, all) = (Run::default(), 0..count(&values));
        show(value_type, Some(&values), &mut |values| match pool {
            None => assert!(held.append(values, all.clone())),
            Some((pool, joined)) => {
                let offsets = Offsets::from_lengths(lengths(pool, all.end)).unwrap();
                assert!(held.append_lists(values, offsets.as_slice(), &mut run, [joined, false]).is_some());
            }
        });
        held.end(&mut run);
        prop_assert_eq!(held.size(), block.len());
        let column_type = ColumnType { value_type: Some(value_type), array: pool.is_some() };
        for codec in CODECS {
            let stored = Compressors::default().compress_block(*codec, Uncompressed::Values(&held), column_type, 0);
            prop_assert_eq!(stored.unwrap(), typed(*codec, &block, column_type));
        }
    }

    #[test]
    fn a_cursor_reads_any_part(
        (value_type, values) in values(),
        pool in prop::collection::vec(prop_oneof![4 => 0u32..3, 1 => 0u32..99], 1..9),
        form in 0..3,
        steps in prop::collection::vec((0usize..300, any::<bool>()), 1..20),
    ) {
        let pool = [&*pool, &[1]].concat();
        let pool = (form > 0).then_some((&*pool, form > 1));
        let lengths = pool.map(|(pool, _)| lengths(pool, count(&values)));
        let block = block(value_type, &values, pool);
        let column_type = ColumnType { value_type: Some(value_type), array: pool.is_some() };
        let stored = typed(Codec::Typed, &block, column_type);
        let Some(mut cursor) = Cursor::open(&stored, column_type, block.len()).unwrap() else {
            // As it is.
            prop_assert_eq!(stored[0], 0);
            return Ok(());
        };
        let entries = lengths.as_ref().map_or(count(&values), Vec::len);
        let (mut entry, mut value) = (0, 0);
        for (step, skips) in steps.iter().cycle() {
            let next = entries.min(entry + step.max(&1));
            let items = match &lengths {
                Some(lengths) => lengths[entry..next].iter().sum::<u32>() as usize,
                None => next - entry,
            };
            let strings = cursor.text_bytes(&stored, items as u64).unwrap();
            let mut out = values.clone();
            out.clear();
            let mut offsets = Offsets::default();
            match (skips, &lengths) {
                (true, None) => cursor.skip_values(&stored, items as u64).unwrap(),
                (true, Some(_)) => {
                    prop_assert_eq!(cursor.skip_arrays(&stored, (next - entry) as u64), Ok(items as u64));
                }
                (false, None) => cursor.values(&stored, items, &mut out).unwrap(),
                (false, Some(lengths)) => {
                    cursor.arrays(&stored, next - entry, &mut offsets, &mut out).unwrap();
                    prop_assert!(offsets.lengths().eq(lengths[entry..next].iter().copied()));
                }
            }
            if !skips {
                let mut wanted = values.clone();
                wanted.clear();
                prop_assert!(values.copy_range(value..value + items, &mut wanted));
                prop_assert_eq!(&bits(&out), &bits(&wanted));
                if let Vector::Bytes(wanted) = &wanted {
                    prop_assert_eq!(strings, wanted.iter().map(<[u8]>::len).sum::<usize>());
                }
            }
            (entry, value) = (next, value + items);
            if entry == entries {
                break;
            }
        }
        prop_assert_eq!(cursor.left(), 0);
    }

    #[test]
    fn any_bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..60), array in any::<bool>()) {
        for value_type in ValueType::ALL {
            let stored = typed(Codec::Typed, &bytes, ColumnType { value_type: Some(value_type), array });
            prop_assert_eq!(untyped(Codec::Typed, &stored, bytes.len()).unwrap(), &*bytes);
        }
    }

    #[test]
    fn damaged_blocks_are_blocks_of_their_size_or_an_error(
        (value_type, values) in values(),
        array in any::<bool>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<bool>(),
    ) {
        let block = block(value_type, &values, array.then_some((&[1, 0, 2], true)));
        let mut stored = typed(Codec::Typed, &block, ColumnType { value_type: Some(value_type), array });
        let at = at.index(stored.len());
        match cut {
            true => stored.truncate(at),
            false => stored[at] = byte,
        }
        if let Ok(found) = untyped(Codec::Typed, &stored, block.len()) {
            prop_assert_eq!(found.len(), block.len());
        }
        let column_type = ColumnType { value_type: Some(value_type), array };
        if let Ok(Some(mut cursor)) = Cursor::open(&stored, column_type, block.len()) {
            let (mut offsets, mut out, rest) = (Offsets::default(), values.clone(), cursor.rest());
            out.clear();
            let _ = match array {
                true => cursor.arrays(&stored, 300, &mut offsets, &mut out),
                false => cursor.values(&stored, 300, &mut out),
            };
            prop_assert!(matches!(out, Vector::Null(_)) || count(&out) <= 8 * rest.max(block.len()));
        }
    }
}

#[test]
fn runs_that_a_writer_would_join_come_back() {
    // Five zeros and thirty, where a writer makes one run of 35, and a boolean whose unused bits are set.
    let apart: &[u8] = &[0x0d, 0x71];
    let padded: &[u8] = &[2, 0xff];
    // Ones that are joined and zeros that are not: as many numbers, in as many bytes, as a writer makes of them.
    let crossed: &[u8] = &[3, 10, 12, 0, 0];
    for (value_type, block) in [
        (ValueType::Null, apart),
        (ValueType::Int, apart),
        (ValueType::Boolean, padded),
        (ValueType::Int, crossed),
        (ValueType::Boolean, crossed),
    ] {
        let stored = typed(Codec::Typed, block, ColumnType { value_type: Some(value_type), array: true });
        assert_eq!(untyped(Codec::Typed, &stored, block.len()).unwrap(), block);
    }
}

#[test]
fn integers_of_more_than_64_bits_come_back() {
    // Readers drop the bits that are too many; a writer would not write them.
    let long: [u8; 10] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    let plain = [&[4][..], &long, &[6]].concat();
    let arrays = [&[2][..], &long].concat();
    // Lengths of 35 bits.
    let lengths = [0x80, 0x80, 0x80, 0x80, 0x11].repeat(2);
    for (value_type, array, block) in
        [(ValueType::Long, false, plain), (ValueType::Long, true, arrays), (ValueType::Null, true, lengths)]
    {
        let stored = typed(Codec::Typed, &block, ColumnType { value_type: Some(value_type), array });
        assert_eq!(untyped(Codec::Typed, &stored, block.len()).unwrap(), block);
    }
}

#[test]
fn a_few_bytes_of_many_lengths_stay_as_they_are() {
    // A run of so many zeros.
    let mut block = Buffer::default();
    encode_length(3 - 2 * ((1 << 24) - 100), &mut block);
    let column_type = ColumnType { value_type: Some(ValueType::Int), array: true };
    let stored = typed(Codec::Typed, block.as_slice(), column_type);
    assert_eq!(stored[1..], *block.as_slice());
}

/// Of numbers with few first bytes and random other ones, the first bytes take hardly anything where bytes are split.
#[cfg(feature = "zstandard")]
#[test]
fn bytes_of_floats_are_split_before_zstandard() {
    const COUNT: usize = 100_000;
    let mut state = 1u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let firsts: Vec<u64> = (0..16).map(|_| random() >> 48 & 0xbfff).collect();
    let numbers: Vec<f64> =
        (0..COUNT).map(|_| f64::from_bits(firsts[random() as usize % 16] << 48 | random() >> 16)).collect();
    let mut block = Buffer::default();
    append(ValueType::Double, &Vector::Double(numbers), 0..COUNT, &mut block);
    let (block, mut back) = (block.as_slice(), Vec::new());
    let column_type = ColumnType { value_type: Some(ValueType::Double), array: false };
    let mut compressors = Compressors::default();
    let block_of = Uncompressed::Bytes(block);
    let stored = compressors.compress_block(Codec::TypedZstandard, block_of, column_type, 0).unwrap();
    assert!(stored.len() < COUNT * 29 / 4, "{}", stored.len());
    let decompressors = Decompressors::new(Framing::Raw);
    decompressors
        .decompress(Codec::TypedZstandard, &stored, block.len(), &mut back, &mut |_| Ok(()))
        .unwrap();
    assert!(back == block);
}
