use super::super::context::Context;
use super::super::section::{Read, Section, put_count, put_section};
use super::{Integers, encode, encode_lengths, form};
use crate::bytes::reader::Bytes;
use proptest::prelude::*;

fn encoded(integers: &[i64]) -> Vec<u8> {
    let mut out = Vec::new();
    encode(integers, &mut Context::default(), &mut out);
    out
}

fn encoded_lengths(lengths: &[i64]) -> Vec<u8> {
    let mut out = Vec::new();
    encode_lengths(lengths, &mut Context::default(), &mut out);
    out
}

fn open(bytes: &[u8]) -> Read<Integers> {
    Integers::with_copies(bytes, Section::rest(&Bytes::new(bytes)))
}

fn decoded(bytes: &[u8]) -> Read<Vec<i64>> {
    let (mut integers, mut out) = (open(bytes)?, Vec::new());
    loop {
        let more = integers.next(bytes, 700)?;
        if more.is_empty() || out.len() > 1 << 20 {
            return Ok(out);
        }
        out.extend(more.iter());
    }
}

/// Integers as columns have them: few or many, near each other or not, ascending, with outliers.
fn integers() -> impl Strategy<Value = Vec<i64>> {
    let value = prop_oneof![
        4 => 0i64..3,
        3 => -100i64..100,
        2 => (0i64..9).prop_map(|value| value * 3_600_000 + 7),
        1 => prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX)],
    ];
    (prop::collection::vec(value, 0..300), 1usize..12, any::<bool>(), 0usize..6).prop_map(
        |(values, times, sums, kind)| {
            let values: Vec<i64> = match kind {
                0 => values.iter().map(|value| value & 7).collect(),
                1 => values.iter().map(|value| value % 1000 * 1000).collect(),
                _ => values,
            };
            // All of them again, or each.
            let mut values: Vec<i64> = match kind {
                5 => values.repeat(times),
                _ => values.iter().flat_map(|value| vec![*value; times]).collect(),
            };
            if sums && kind < 5 {
                let mut sum = 0i64;
                values.iter_mut().for_each(|value| {
                    sum = sum.wrapping_add(*value);
                    *value = sum;
                });
            }
            values
        },
    )
}

proptest! {
    #[test]
    fn integers_come_back(integers in integers(), from in 0usize..4000, first in 0usize..4000) {
        let first = first.min(from);
        let bytes = encoded(&integers);
        prop_assert_eq!(decoded(&bytes), Ok(integers.clone()));
        let mut rest = open(&bytes).unwrap();
        let skipped = rest.skip(&bytes, first as u64).and_then(|()| rest.skip(&bytes, (from - first) as u64));
        prop_assert_eq!(skipped.is_ok(), from <= integers.len());
        if let Some(after) = integers.get(from) {
            prop_assert_eq!(rest.left(), (integers.len() - from) as u64);
            prop_assert_eq!(rest.one(&bytes), Ok(Some(*after)));
        }
    }

    #[test]
    fn few_integers_come_after_any_skip(
        integers in integers(), steps in prop::collection::vec((0usize..600, 0usize..40), 1..30), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut bytes = encoded(&integers);
        let (mut rest, mut start) = (open(&bytes).unwrap(), 0);
        for (skipped, taken) in &steps {
            start = (start + skipped).min(integers.len());
            let end = (start + taken).min(integers.len());
            let left = rest.left() as usize;
            rest.skip(&bytes, (start - (integers.len() - left)) as u64).unwrap();
            let mut found = Vec::new();
            rest.each(&bytes, end - start, &mut |some| found.extend(some.iter())).unwrap();
            prop_assert_eq!(&found, &integers[start..end]);
            start = end;
        }
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(mut rest) = open(&bytes) {
            for (skipped, taken) in steps {
                let _ = rest.skip(&bytes, skipped as u64);
                let _ = rest.next(&bytes, taken);
            }
        }
    }

    #[test]
    fn lengths_are_summed(
        runs in prop::collection::vec((0i64..3, 0usize..3000), 0..9), more in 0i64..99, far in 0i64..70,
        first in 0usize..5000, then in 0usize..5000, at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut lengths: Vec<i64> = runs.iter().flat_map(|(length, count)| vec![*length; *count]).collect();
        // With and without larger ones.
        (0..lengths.len()).step_by(9).for_each(|place| lengths[place] += place as i64 * far % 37);
        lengths.push(more);
        let first = first.min(lengths.len());
        let then = then.min(lengths.len() - first);
        for bytes in [encoded(&lengths), encoded_lengths(&lengths)] {
            prop_assert_eq!(decoded(&bytes), Ok(lengths.clone()));
            let mut integers = open(&bytes).unwrap();
            prop_assert_eq!(integers.skip_lengths(&bytes, first as u64), Ok(lengths[..first].iter().sum::<i64>() as u64));
            let sum = lengths[first..first + then].iter().sum::<i64>() as u64;
            prop_assert_eq!(integers.clone().skip_lengths(&bytes, then as u64), Ok(sum));
            prop_assert!(integers.skip(&bytes, then as u64).is_ok());
            prop_assert_eq!(integers.one(&bytes), Ok(lengths.get(first + then).copied()));
        }
        let mut bytes = encoded_lengths(&lengths);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = decoded(&bytes);
        if let Ok(mut integers) = open(&bytes) {
            let _ = integers.skip_lengths(&bytes, first as u64);
            let _ = integers.next(&bytes, then);
        }
    }

    #[test]
    fn damaged_bytes_are_integers_or_an_error(
        integers in integers(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let mut bytes = encoded(&integers);
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] = byte,
        }
        let _ = decoded(&bytes);
        if let Ok(mut integers) = open(&bytes) {
            let _ = integers.clone().skip(&bytes, integers.left().min(1 << 20));
            let _ = integers.skip_lengths(&bytes, integers.left().min(1 << 20));
        }
    }
}

#[test]
fn forms_are_as_short_as_they_should_be() {
    let size = |integers: &[i64]| encoded(integers).len();
    assert!(size(&[5; 100_000]) < 8);
    let ascending: Vec<i64> = (0..10_000).map(|value| 1_700_000_000_000 + value * 250).collect();
    assert!(size(&ascending) < 150, "{}", size(&ascending));
    let hours: Vec<i64> = (0..10_000).map(|value| value * 7919 % 8760 * 3_600_000).collect();
    assert!(size(&hours) < 10_000 * 14 / 8 + 200, "{}", size(&hours));
    let few: Vec<i64> = (0..10_000).map(|value| [3, 1 << 40, -9, 77_777][value * 7919 % 101 % 4]).collect();
    assert!(size(&few) < 10_000 * 2 / 8 + 200, "{}", size(&few));
    let outliers: Vec<i64> =
        (0..10_000).map(|value| if value % 400 == 7 { 1 << 50 } else { value * 31 % 16 }).collect();
    assert!(size(&outliers) < 10_000 * 4 / 8 + 400, "{}", size(&outliers));
}

/// Lists of a pool, one after the other.
fn lists(pool: &[Vec<i64>], picks: &[usize]) -> Vec<i64> {
    picks.iter().flat_map(|pick| pool[pick % pool.len()].clone()).collect()
}

proptest! {
    #[test]
    fn lists_that_come_again_are_shorter_and_come_back(
        pool in prop::collection::vec(prop::collection::vec(any::<i64>(), 10..60), 1..5),
        picks in prop::collection::vec(0usize..5, 60..120), from in 0usize..7000, some in 1usize..3000,
        at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let integers = lists(&pool, &picks);
        let mut bytes = encoded(&integers);
        prop_assert!(bytes.len() < 4 * integers.len(), "{} of {}", bytes.len(), integers.len());
        prop_assert_eq!(decoded(&bytes), Ok(integers.clone()));
        let (mut rest, from) = (open(&bytes).unwrap(), from.min(integers.len()));
        let again = rest.clone();
        rest.skip(&bytes, from as u64).unwrap();
        let end = integers.len().min(from + some);
        let mut found = Vec::new();
        rest.each(&bytes, end - from, &mut |some| found.extend(some.iter())).unwrap();
        prop_assert_eq!(&found, &integers[from..end]);
        rest.rewind(&again);
        prop_assert_eq!(rest.one(&bytes), Ok(Some(integers[0])));
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = decoded(&bytes);
    }
}

/// Integers of which some are copies.
fn copies(count: u64, parts: [&[i64]; 4]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_count(count, &mut bytes);
    bytes.push(form::REPEATS);
    for part in parts {
        put_section(&mut bytes, |out| encode(part, &mut Context::default(), out));
    }
    bytes
}

#[test]
fn copies_are_of_integers_before_them() {
    let good = copies(11, [&[7, 8, 9], &[2, 0], &[4, 4], &[2, 1]]);
    assert_eq!(decoded(&good), Ok(vec![7, 8, 7, 8, 7, 8, 8, 8, 8, 8, 9]));
    assert_eq!(decoded(&copies(3, [&[7, 8, 9], &[], &[], &[]])), Ok(vec![7, 8, 9]));
    for (count, parts) in [
        // Fewer and more than there are.
        (10, [&[7, 8, 9][..], &[2, 0], &[4, 4], &[2, 1]]),
        (12, [&[7, 8, 9], &[2, 0], &[4, 4], &[2, 1]]),
        (11, [&[7, 8, 9], &[4, 0], &[4, 4], &[2, 1]]),
        // Of nothing, of what comes before the first, and of what comes later.
        (11, [&[7, 8, 9], &[0, 2], &[4, 4], &[2, 1]]),
        (11, [&[7, 8, 9], &[2, 0], &[4, 4], &[3, 1]]),
        (11, [&[7, 8, 9], &[2, 0], &[4, 4], &[2, 0]]),
        (11, [&[7, 8, 9], &[2, 0], &[4, 4], &[2, -1]]),
        (11, [&[7, 8, 9], &[2, -1], &[4, 4], &[2, 1]]),
        // Of too few, and of too many.
        (10, [&[7, 8, 9], &[2, 0], &[4, 3], &[2, 1]]),
        (11, [&[7, 8, 9], &[2, 0], &[4, -4], &[2, 1]]),
        (11, [&[7, 8, 9], &[2, 0], &[4, i64::MAX], &[2, 1]]),
        // Parts of different lengths.
        (7, [&[7, 8, 9], &[2, 0], &[4], &[2]]),
        (7, [&[7, 8, 9], &[2], &[4], &[2, 1]]),
        (11, [&[7, 8, 9], &[2], &[4, 4], &[2, 1]]),
    ] {
        assert!(decoded(&copies(count, parts)).is_err(), "{count} {parts:?}");
    }
    let most = super::repeats::MOST as u64;
    let constant = |count: u64| copies(count, [&[7], &[1], &[count.cast_signed() - 1], &[1]]);
    assert!(decoded(&constant(most)).is_ok_and(|all| all.len() as u64 == most));
    assert_eq!(decoded(&constant(most + 1)), Err("too many integers have copies"));
}

/// What has copies says how much memory it takes, and neither lengths nor parts of other forms may have them.
#[test]
fn copies_are_values_alone() {
    let good = copies(11, [&[7, 8, 9], &[2, 0], &[4, 4], &[2, 1]]);
    assert!(open(&good).unwrap().memory() >= 11 * size_of::<i64>());
    assert_eq!(open(&encoded(&[7; 100])).unwrap().memory(), 0);
    let unknown = "integers have an unknown form";
    assert_eq!(Integers::new(&good, Section::rest(&Bytes::new(&good))).unwrap_err(), unknown);
    let mut within = vec![3, form::REPEATS];
    put_section(&mut within, |out| out.extend_from_slice(&good));
    (0..3).for_each(|_| put_section(&mut within, |out| out.push(0)));
    assert_eq!(decoded(&within), Err(unknown));
    let lengths: Vec<i64> = (0..9).map(|at| 1 << (at * 3)).collect::<Vec<_>>().repeat(300);
    assert!(encoded(&lengths).len() < 100);
    let bytes = encoded_lengths(&lengths);
    assert!(Integers::new(&bytes, Section::rest(&Bytes::new(&bytes))).is_ok());
}

#[test]
fn a_sum_that_is_another_is_an_error() {
    let lengths: Vec<i64> = (0..3000).map(|at| at * 7919 % 13).collect();
    let mut bytes = encoded_lengths(&lengths);
    assert_eq!(decoded(&bytes), Ok(lengths));
    // The number of lengths takes two bytes, the form one, the widths three, the bases one and a width of 0: the least sum follows.
    assert_eq!(bytes[2], super::form::FRAMES | super::directory::flag::SUMS);
    bytes[8] ^= 2;
    assert_eq!(decoded(&bytes), Err("the integers of a frame have another sum"));
}

#[test]
fn differences_add_up_on_both_sides_of_32_bits() {
    // 1,024 of 2²¹ are 2³¹.
    for step in [1, 999, (1 << 21) - 1, 1 << 21, (1 << 21) + 1, 1 << 31, 1 << 40] {
        for start in [0, i64::from(i32::MIN), i64::from(i32::MAX) - 1023 * step, i64::MAX - 5] {
            for sign in [1, -1] {
                // More exceptions than are unpacked at a time.
                let jump = |at: i64| if at % 19 == 0 { at % 7 * step } else { 0 };
                let integers: Vec<i64> =
                    (0..2500).map(|at| start.wrapping_add(sign * (step * at + jump(at)))).collect();
                assert_eq!(decoded(&encoded(&integers)).as_ref(), Ok(&integers), "{start} {step} {sign}");
            }
        }
    }
}
