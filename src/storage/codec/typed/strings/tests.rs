use super::super::context::{Context, Layout};
use super::super::integers;
use super::super::section::{Read, Section, put_count, put_section};
use super::{Strings, encode};
use crate::bytes::reader::Bytes;
use crate::vector::Binaries;
use proptest::prelude::*;

fn encoded(strings: &[&[u8]], layout: Layout) -> Vec<u8> {
    let mut out = Vec::new();
    let mut context = Context::default();
    context.layout = layout;
    encode(strings, &mut context, &mut out);
    out
}

fn open(bytes: &[u8]) -> Read<Strings> {
    Strings::new(bytes, Section::rest(&Bytes::new(bytes)), 1 << 20)
}

/// The strings, some at a time; `every` second part of them is skipped.
fn parts(bytes: &[u8], some: usize, every: bool) -> Read<Vec<Vec<u8>>> {
    let (mut strings, mut out) = (open(bytes)?, Binaries::default());
    let mut passes = false;
    while strings.left() > 0 {
        let count = strings.left().min(some as u64);
        match passes {
            true => strings.skip(bytes, count)?,
            false => strings.next(bytes, count as usize, &mut out)?,
        }
        passes = every && !passes;
    }
    Ok(out.iter().map(<[u8]>::to_vec).collect())
}

fn decoded(bytes: &[u8]) -> Read<Vec<Vec<u8>>> {
    parts(bytes, 333, false)
}

fn strings() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let text = prop_oneof![
        3 => prop::sample::select(vec!["", "ORD", "JFK", "a longer text that comes often"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..40),
        1 => (0u32..500).prop_map(|number| format!("https://example.org/{number:05}").into_bytes()),
    ];
    (prop::collection::vec(text, 0..200), 1usize..8, any::<bool>()).prop_map(|(strings, times, sorted)| {
        let mut strings: Vec<Vec<u8>> = std::iter::repeat_n(strings, times).flatten().collect();
        if sorted {
            strings.sort();
        }
        strings
    })
}

proptest! {
    #[test]
    fn texts_come_back(strings in strings(), alone in any::<bool>(), some in 1usize..2000) {
        let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let layout = if alone { Layout::Alone } else { Layout::Bytes };
        let bytes = encoded(&slices, layout);
        let every: Vec<Vec<u8>> = strings.chunks(some).step_by(2).flatten().cloned().collect();
        prop_assert_eq!(parts(&bytes, some, true), Ok(every));
        prop_assert_eq!(parts(&bytes, some, false), Ok(strings));
    }

    #[test]
    fn damaged_bytes_are_texts_or_an_error(
        strings in strings(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let mut bytes = encoded(&slices, Layout::Alone);
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] = byte,
        }
        let _ = decoded(&bytes);
        let _ = parts(&bytes, 7, true);
    }
}

/// Long strings that come again a little changed, so that pieces of them are compressed; one may be longer than a piece.
fn long_texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let text = (0usize..3000, 0u8..9, prop::bool::weighted(0.01)).prop_map(|(len, seed, is_long)| {
        let line = |at: usize| format!("line {} of the text {seed}; ", at * 7919 % 61);
        let lines: String = (0..300).map(line).collect();
        lines.bytes().cycle().take(if is_long { len * 60 } else { len }).collect::<Vec<u8>>()
    });
    prop::collection::vec(prop_oneof![9 => text, 1 => Just(Vec::new())], 20..150)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn pieces_come_back(strings in long_texts(), some in 1usize..60, at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let mut bytes = encoded(&slices, Layout::Alone);
        let every: Vec<Vec<u8>> = strings.chunks(some).step_by(2).flatten().cloned().collect();
        prop_assert_eq!(parts(&bytes, some, true), Ok(every));
        prop_assert_eq!(parts(&bytes, some, false), Ok(strings));
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = parts(&bytes, some, true);
    }

    #[test]
    fn groups_with_symbols_come_back(
        lens in prop::collection::vec(prop_oneof![1 => Just(0usize), 6 => 5usize..20, 3 => 900usize..1100], 40..200),
        long in prop::bool::weighted(0.1), some in 1usize..90, skipped in prop::collection::vec(0usize..70, 1..9),
    ) {
        // Syllables in an order that does not come again, so that neither a list nor pieces are shorter.
        let mut state = 1u32;
        let mut syllable = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ["ka", "ni", "to", "re", "mu", "so", "li", "ve"][(state >> 29) as usize]
        };
        let lens = lens.into_iter().chain([3000, if long { 100_000 } else { 0 }, 1, 0]);
        let strings: Vec<Vec<u8>> = lens.map(|len| (0..len).flat_map(|_| syllable().bytes()).collect()).collect();
        let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let bytes = encoded(&slices, Layout::Alone);
        let form = bytes[if strings.len() > 127 { 2 } else { 1 }];
        prop_assume!(form == super::form::SYMBOLS);
        let every: Vec<Vec<u8>> = strings.chunks(some).step_by(2).flatten().cloned().collect();
        prop_assert_eq!(parts(&bytes, some, true), Ok(every));
        // Clones decode their group again.
        let (mut rest, mut next) = (open(&bytes).unwrap(), 0);
        for skipped in skipped {
            if next + skipped >= strings.len() {
                break;
            }
            rest.skip(&bytes, skipped as u64).unwrap();
            let mut out = Binaries::default();
            rest.clone().next(&bytes, 1, &mut out).unwrap();
            rest.next(&bytes, 1, &mut out).unwrap();
            next += skipped + 1;
            prop_assert!(out.iter().all(|text| text == strings[next - 1]) && out.iter().count() == 2);
        }
    }

    #[test]
    fn single_texts_of_a_list_come_back(
        // Few or many, and such that share what they begin with.
        numbers in prop::collection::vec(0usize..3000, 1..40), sorted in any::<bool>(), all in 4000usize..9000,
    ) {
        let text = |at: usize| format!("{:04}-{}", at * if sorted { 1 } else { 7919 } % 4999, "x".repeat(at % 7)).into_bytes();
        let strings: Vec<Vec<u8>> = (0..all).map(|at| text(at % 3000)).collect();
        let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let bytes = encoded(&slices, Layout::Alone);
        let (mut rest, mut out, mut next) = (open(&bytes).unwrap(), Binaries::default(), 0);
        for skipped in numbers.iter().map(|number| number / 31) {
            rest.skip(&bytes, skipped as u64).unwrap();
            rest.next(&bytes, 1, &mut out).unwrap();
            next += skipped + 1;
            prop_assert_eq!(out.iter().last(), Some(&*strings[next - 1]));
        }
    }
}

#[test]
fn texts_that_are_passed_over_have_no_more_bytes_than_others() {
    // Each has the thousand bytes of the first.
    let mut bytes = Vec::new();
    put_count(5000, &mut bytes);
    bytes.push(super::form::SHARED);
    let mut integers = |first, others| {
        let mut all = [others; 5000];
        all[0] = first;
        put_section(&mut bytes, |out| integers::encode(&all, &mut Context::default(), out));
    };
    integers(1000, 0);
    integers(0, 1000);
    bytes.extend([b'a'; 1000]);
    let more = Err("its strings have more bytes than they should");
    assert_eq!(open(&bytes).unwrap().next(&bytes, 5000, &mut Binaries::default()), more);
    assert_eq!(open(&bytes).unwrap().skip(&bytes, 4999), more);
    let (mut some, mut out) = (open(&bytes).unwrap(), Binaries::default());
    some.skip(&bytes, 1000).and_then(|()| some.next(&bytes, 1, &mut out)).unwrap();
    assert_eq!(out.iter().next(), Some(&[b'a'; 1000][..]));
}

#[test]
fn a_text_in_two_pieces_is_refused() {
    let mut bytes = vec![1, super::form::PIECES];
    put_section(&mut bytes, |out| integers::encode(&[6], &mut Context::default(), out));
    for piece in ["a t", "ext"] {
        put_section(&mut bytes, |out| {
            out.extend(snap::raw::Encoder::new().compress_vec(piece.as_bytes()).unwrap());
        });
    }
    assert_eq!(decoded(&bytes), Err("a string is longer than its piece"));
}

#[test]
fn few_texts_and_sorted_ones_take_few_bytes() {
    let few: Vec<&[u8]> = (0..10_000).map(|at| [&b"EWR"[..], b"JFK", b"LGA"][at * 7919 % 101 % 3]).collect();
    assert!(encoded(&few, Layout::Alone).len() < 10_000 / 4 + 200);
    let sorted: Vec<String> = (0..10_000).map(|at| format!("https://example.org/items/{at:08}")).collect();
    let sorted: Vec<&[u8]> = sorted.iter().map(String::as_bytes).collect();
    assert!(encoded(&sorted, Layout::Alone).len() < 10_000 * 3);
}
