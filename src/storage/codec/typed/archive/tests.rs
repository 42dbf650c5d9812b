use super::super::super::{Codec, ColumnType, Compressors, Decompressors, Framing, Uncompressed};
use super::super::tests::{block, values};
use super::*;
use crate::storage::value_type::ValueType;
use proptest::prelude::*;

fn archived(block: &[u8], column_type: ColumnType) -> Vec<u8> {
    Compressors::default().compress_block(Codec::Archive, Uncompressed::Bytes(block), column_type, 0).unwrap()
}

/// The block before the codec, and the memory that is asked for.
fn unarchived(stored: &[u8], size: usize) -> (crate::Result<Vec<u8>>, usize) {
    let (mut out, mut most) = (Vec::new(), 0);
    let decompressors = Decompressors::new(Framing::Raw);
    let room = &mut |bytes: usize| {
        most = most.max(bytes);
        Ok(())
    };
    let done = decompressors.decompress(Codec::Archive, stored, size, &mut out, room);
    (done.map(|()| out), most)
}

fn decoded(stored: &[u8], size: usize) -> Read<Vec<u8>> {
    let mut out = Vec::new();
    decode(stored, size, &mut out).map(|()| out)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn blocks_come_back_to_the_byte(
        (value_type, values) in values(),
        pool in prop::collection::vec(prop_oneof![4 => 0u32..3, 1 => 0u32..99], 1..9),
        form in 0..3, at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let mut pool = pool;
        pool.push(1);
        let lengths = match form { 0 => None, 1 => Some((&*pool, false)), _ => Some((&*pool, true)) };
        let block = block(value_type, &values, lengths);
        let column_type = ColumnType { value_type: Some(value_type), array: form > 0 };
        for column_type in [column_type, ColumnType::BYTES] {
            let mut stored = archived(&block, column_type);
            prop_assert!(stored.len() <= block.len() + 12);
            let (back, memory) = unarchived(&stored, block.len());
            prop_assert_eq!(back.unwrap(), &*block);
            // Lengths, whole numbers, places and exceptions may be chunks of pco, of 2 MiB each.
            prop_assert!(memory <= 40 * block.len() + (8 << 20));
            // Damaged bytes are a block or an error, of no more bytes than asked for.
            let at = at.index(stored.len());
            match cut {
                true => stored.truncate(at),
                false => stored[at] = byte,
            }
            if let (Ok(back), _) = unarchived(&stored, block.len()) {
                prop_assert_eq!(back.len(), block.len());
            }
        }
    }

    #[test]
    fn parts_come_back_where_other_forms_are_smaller(
        (value_type, values) in values(), pool in prop::collection::vec(0u32..4, 1..9), form in 0..3,
    ) {
        let mut pool = pool;
        pool.push(1);
        let lengths = match form { 0 => None, 1 => Some((&*pool, false)), _ => Some((&*pool, true)) };
        let block = block(value_type, &values, lengths);
        let column_type = ColumnType { value_type: Some(value_type), array: form > 0 };
        if let Some(parts) = Parts::new(&block, column_type) {
            let mut compressor = Compressor(Trial::new().unwrap());
            let mut of_parts = vec![form::PARTS];
            put_count(64 << 20, &mut of_parts);
            compressor.put_parts(&parts, &mut of_parts).unwrap();
            prop_assert_eq!(decoded(&of_parts, block.len()), Ok(block));
        }
    }
}

/// Numbers that look random, always the same ones.
fn random(count: usize) -> impl Iterator<Item = i64> {
    let mut state = 1u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as i64
    })
    .take(count)
}

fn integers(values: &[i64]) -> Vec<u8> {
    let mut block = Vec::new();
    values.iter().for_each(|value| crate::bytes::varint::encode_long(&mut block, *value));
    block
}

#[test]
fn it_is_as_small_as_any_other_codec() {
    let long = ColumnType { value_type: Some(ValueType::Long), array: false };
    let string = ColumnType { value_type: Some(ValueType::String), array: false };
    let steps: Vec<i64> = random(5000)
        .scan(0, |sum, step| {
            *sum += step % 90;
            Some(*sum)
        })
        .collect();
    let skewed: Vec<i64> = random(5000).map(|number| (number % 1000).pow(3) / 1_000_000).collect();
    let prose: Vec<u8> = include_str!("../../../../../docs/format.md")
        .lines()
        .flat_map(|line| {
            let mut text = Vec::new();
            crate::bytes::varint::encode_long(&mut text, line.len() as i64);
            text.extend_from_slice(line.as_bytes());
            text
        })
        .collect();
    for (block, column_type) in [(integers(&steps), long), (integers(&skewed), long), (prose, string)] {
        let ours = archived(&block, column_type);
        assert_eq!(decoded(&ours, block.len()), Ok(block.clone()));
        for codec in [Codec::Typed, Codec::Zstandard, Codec::TypedZstandard] {
            let mut compressors = Compressors::new(Framing::Raw, codec.levels().map(|_| 19));
            let other =
                compressors.compress_block(codec, Uncompressed::Bytes(&block), column_type, 0).unwrap();
            assert!(ours.len() < other.len(), "{} bytes with {codec}, {} archived", other.len(), ours.len());
        }
    }
    // By pco: near the entropy.
    assert!(archived(&integers(&skewed), long).len() < 5000 * 9 / 8);
}

#[test]
fn what_claims_to_be_long_is_refused_early() {
    // A constant, 2^60 times, as integers, and as lengths of nothing that are not joined.
    let constant = |out: &mut Vec<u8>, count: u64| {
        put_count(count, out);
        out.extend_from_slice(&[0, 0]);
    };
    for head in [3, 0x11] {
        let mut stored = vec![form::PARTS, 0, head];
        constant(&mut stored, 1 << 60);
        assert!(decoded(&stored, 1 << 16).is_err());
    }
    // Lengths of nothing that are joined, and take no bytes each: 2^24 zeros a chunk of pco.
    let mut chunk = Vec::new();
    pcodec::put(&[0i64; 1000], &mut chunk).unwrap();
    let mut stored = vec![form::PARTS];
    put_count(8 << 20, &mut stored);
    stored.push(0x31);
    put_count(1 << 40, &mut stored);
    stored.push(2);
    stored.extend_from_slice(&chunk);
    assert_eq!(decoded(&stored, 1 << 10), Err("it holds more lengths than it can"));
    // More memory than it says.
    let block: Vec<u8> = random(1000).map(|number| number as u8).collect();
    let mut parts = Vec::new();
    let parts_of = Parts::new(&block[..], ColumnType { value_type: Some(ValueType::Float), array: false });
    Compressor(Trial::new().unwrap()).put_parts(&parts_of.unwrap(), &mut parts).unwrap();
    let stored = [&[form::PARTS, 1], &*parts].concat();
    assert_eq!(decoded(&stored, block.len()), Err("it takes more memory than it says"));
    assert_eq!(decoded(&[9], 10), Err("it begins with an unknown byte"));
    assert!(decoded(&[], 10).is_err());
}

#[test]
fn memory_that_it_says_is_asked_for() {
    let mut stored = vec![form::PARTS];
    put_count(u64::MAX, &mut stored);
    assert_eq!(memory(&stored, 10), usize::MAX);
    let block = integers(&random(100_000).collect::<Vec<_>>());
    let stored = archived(&block, ColumnType { value_type: Some(ValueType::Long), array: false });
    assert!(memory(&stored, block.len()) < 4 * block.len() + (4 << 20));
}
