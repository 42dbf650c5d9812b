//! Small integers, written and read.

use super::{Piece, Runs, ShortInts};
use crate::error::Result;

fn encoded(values: &[u8], bound: u8) -> Vec<u8> {
    let mut ints = ShortInts::new(bound);
    ints.extend(values);
    finished(&mut ints)
}

/// The stream of the values so far, which are forgotten.
fn finished(ints: &mut ShortInts) -> Vec<u8> {
    ints.end().unwrap();
    let stream = ints.stream().to_vec();
    ints.clear();
    stream
}

/// Replaces `out` by the values of a stream.
fn decode(stream: &[u8], bound: u8, count: u32, out: &mut Vec<u8>) -> Result<()> {
    out.clear();
    let mut runs = Runs::new(stream, bound, count)?;
    while let Some(Piece { values, count, is_run }) = runs.next(stream)? {
        match is_run {
            true => out.resize(out.len() + count as usize, values as u8),
            false => out.extend_from_slice(&values.to_le_bytes()[..count as usize]),
        }
    }
    Ok(())
}

#[test]
fn the_examples_of_the_format() {
    for (values, bound, bytes) in [
        (vec![0, 0, 1], 1, vec![0x02, 0x20]),
        (vec![1, 2, 2], 2, vec![0x04, 0x22, 0x01]),
        (vec![2, 2, 2], 2, vec![0x04, 0x1d, 0x00]),
        (vec![0; 17000], 1, vec![0x08, 0xa1, 0x13, 0x06, 0x00]),
        (vec![], 3, vec![0]),
        (vec![0; 5], 0, vec![]),
    ] {
        assert_eq!(encoded(&values, bound), bytes);
        let mut back = Vec::new();
        decode(&bytes, bound, values.len() as u32, &mut back).unwrap();
        assert_eq!(back, values);
    }
}

#[test]
fn values_of_any_width_come_back() {
    let mut seed = 7u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    for bound in [1u8, 2, 3, 4, 7, 8, 15, 16, 100, 250, 255] {
        let mut ints = ShortInts::new(bound);
        for _ in 0..30 {
            let mut values = Vec::new();
            for _ in 0..random() % 50 {
                let value = (random() % (usize::from(bound) + 1)) as u8;
                let count = if random() % 4 == 0 { random() % 300 } else { 1 };
                values.extend(std::iter::repeat_n(value, count));
            }
            let mut back = Vec::new();
            ints.extend(&values);
            let bytes = finished(&mut ints);
            assert_eq!(bytes, encoded(&values, bound), "what was before leaves nothing");
            decode(&bytes, bound, values.len() as u32, &mut back).unwrap();
            assert_eq!(back, values);
            let count = values.len() as u32;
            let mut out = Vec::new();
            // A few more may be in the bits that fill the last byte.
            assert!(decode(&bytes, bound, count + 4, &mut out).is_err());
            for end in 0..bytes.len() {
                assert!(decode(&bytes[..end], bound, count, &mut out).is_err());
            }
        }
    }
}

/// The stream of some values, bit by bit.
fn plainly(values: &[u8], bound: u8) -> Vec<u8> {
    let width = u8::BITS - bound.leading_zeros();
    let least = ((width + 9) / (width + 1)).max(2) as usize;
    let mut bits: Vec<bool> = Vec::new();
    let mut put = |value: usize, count: u32| bits.extend((0..count).map(|bit| value >> bit & 1 == 1));
    for run in values.chunk_by(|one, other| one == other) {
        let value = usize::from(run[0]) << 1;
        if run.len() < least {
            run.iter().for_each(|_| put(value, width + 1));
            continue;
        }
        put(value | 1, width + 1);
        let mut count = run.len();
        while count >= 0x80 {
            put(count & 0x7f | 0x80, 8);
            count >>= 7;
        }
        put(count, 8);
    }
    let bytes = bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit)));
    let mut out = Vec::new();
    crate::bytes::varint::encode_long(&mut out, bits.len().div_ceil(8) as i64);
    out.extend(bytes);
    out
}

#[test]
fn eight_at_once_are_as_one_by_one() {
    // All that there is of 14 values up to 1, and of 9 up to 2.
    for number in 0..1 << 14 {
        let values: Vec<u8> = (0..14).map(|bit| (number >> bit & 1) as u8).collect();
        assert_eq!(encoded(&values, 1), plainly(&values, 1), "{values:?}");
    }
    for number in 0..3u32.pow(9) {
        let values: Vec<u8> = (0..9).map(|place| (number / 3u32.pow(place) % 3) as u8).collect();
        assert_eq!(encoded(&values, 2), plainly(&values, 2), "{values:?}");
    }
    let mut seed = 3u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    for bound in [1u8, 2, 3, 4, 7, 8, 15, 16, 100, 127, 128, 255] {
        for _ in 0..400 {
            // Runs of one value, of a few, and of many, and pieces that begin anywhere.
            let most = [1, 3, 6, 12, 200][random() % 5];
            let run = |value: usize, count: usize| {
                std::iter::repeat_n((value % (usize::from(bound) + 1)) as u8, count)
            };
            let values: Vec<u8> =
                (0..random() % 40).flat_map(|_| run(random(), 1 + random() % most)).collect();
            let mut ints = ShortInts::new(bound);
            let mut rest = values.as_slice();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(rest.len().min(1 + random() % 30));
                ints.extend(piece);
                rest = after;
            }
            assert_eq!(finished(&mut ints), plainly(&values, bound), "{bound}: {values:?}");
        }
    }
}

#[test]
fn parts_of_pieces_are_those_of_their_values() {
    let run = |value, count| Piece { values: value, count, is_run: true };
    let singles = |bytes: &[u8]| {
        let values = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        Piece { values, count: bytes.len() as u32, is_run: false }
    };
    let pieces = [
        (run(0, 20), vec![0; 20]),
        (run(3, 11), vec![3; 11]),
        (run(2, 5), vec![2; 5]),
        (singles(&[0, 1, 2, 0, 0, 200, 255, 0]), vec![0, 1, 2, 0, 0, 200, 255, 0]),
        (singles(&[1, 2, 0]), vec![1, 2, 0]),
        (singles(&[128]), vec![128]),
    ];
    for (piece, values) in pieces {
        for rows in 0..25u32 {
            // All values before the row after the last of these.
            let mut begun = 0;
            let within = values.iter().take_while(|value| {
                begun += u32::from(**value == 0);
                begun <= rows
            });
            let count = within.count() as u32;
            assert_eq!(piece.of_rows(rows), (count, begun.min(rows)), "{piece:?} {rows}");
        }
        for count in 0..=values.len() {
            let (first, rest) = values.split_at(count);
            let mut out = vec![9];
            piece.append(count as u32, &mut out);
            assert_eq!(out[1..], *first);
            for value in [0, 1, 2, 3, 128, 200, 255] {
                let equal = first.iter().filter(|own| **own == value).count();
                assert_eq!(piece.count_of(value, count as u32), equal as u32);
                assert_eq!(piece.has_above(value, count as u32), first.iter().any(|own| *own > value));
            }
            let (mut passed, mut left) = (piece, Vec::new());
            passed.pass(count as u32);
            assert_eq!(passed.count as usize, rest.len());
            passed.append(passed.count, &mut left);
            assert_eq!(left, rest);
        }
    }
}

#[test]
fn a_run_of_all_that_can_be_is_one_run() {
    let mut ints = ShortInts::new(1);
    ints.push_run(0, i32::MAX as u32);
    let out = finished(&mut ints);
    assert_eq!(out.len(), 7);
    let mut runs = Runs::new(&out, 1, i32::MAX as u32).unwrap();
    let all = Piece { values: 0, count: i32::MAX as u32, is_run: true };
    assert_eq!(runs.next(&out).unwrap(), Some(all));
    assert_eq!(runs.next(&out).unwrap(), None);
}

#[test]
fn levels_that_cannot_be_are_refused() {
    let mut out = Vec::new();
    for (bytes, bound, count, expected) in [
        (&[0x04, 0x20][..], 1, 3, "levels of 2 bytes have 1"),
        (&[0x01, 0x20], 1, 3, "levels of -1 bytes have 1"),
        (&[0x02, 0x20], 1, 2, "levels go on after the last"),
        (&[0x02, 0x20], 1, 5, "levels end 1 before the last"),
        (&[0x04, 0x22, 0x01], 2, 2, "levels go on after the last"),
        (&[0x04, 0x20, 0x00], 1, 3, "levels go on after the last"),
        (&[0x02, 0x26], 2, 2, "a level is 3, and can be 2 at most"),
        (&[0x08, 0xa1, 0x13, 0x06, 0x00], 1, 16999, "levels go on after the last"),
        (&[0x0c, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff], 1, 9, "levels go on after the last"),
        (&[0x00], 0, 3, "levels go on after the last"),
        (&[], 1, 0, "the length of levels is truncated: 1 bytes needed, 0 available"),
    ] {
        let message = decode(bytes, bound, count, &mut out).unwrap_err().to_string();
        assert_eq!(message, expected, "{bytes:02x?}");
    }
}
