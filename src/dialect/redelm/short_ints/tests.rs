//! Small integers, written and read.

use super::{Runs, ShortInts};
use crate::error::Result;

fn encoded(values: &[u8], bound: u8) -> Vec<u8> {
    let (mut ints, mut out) = (ShortInts::new(bound), Vec::new());
    ints.extend(values);
    ints.finish(&mut out).unwrap();
    out
}

/// Replaces `out` by the values of a stream.
fn decode(stream: &[u8], bound: u8, count: u32, out: &mut Vec<u8>) -> Result<()> {
    out.clear();
    let mut runs = Runs::new(stream, bound, count)?;
    while let Some((value, count)) = runs.next(stream)? {
        out.resize(out.len() + count as usize, value);
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
            let (mut bytes, mut back) = (Vec::new(), Vec::new());
            ints.extend(&values);
            ints.finish(&mut bytes).unwrap();
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

#[test]
fn a_run_of_all_that_can_be_is_one_run() {
    let (mut ints, mut out) = (ShortInts::new(1), Vec::new());
    ints.push_run(0, i32::MAX as u32);
    ints.finish(&mut out).unwrap();
    assert_eq!(out.len(), 7);
    let mut runs = Runs::new(&out, 1, i32::MAX as u32).unwrap();
    assert_eq!(runs.next(&out).unwrap(), Some((0, i32::MAX as u32)));
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
