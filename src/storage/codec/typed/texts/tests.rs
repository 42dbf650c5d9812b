use super::super::context::{Context, Layout};
use super::super::section::{Read, Section};
use super::{Texts, encode};
use crate::bytes::reader::Bytes;
use crate::vector::Binaries;
use proptest::prelude::*;

fn encoded(texts: &[&[u8]], layout: Layout) -> Vec<u8> {
    let mut out = Vec::new();
    let mut context = Context::default();
    context.layout = layout;
    encode(texts, &mut context, &mut out);
    out
}

fn open(bytes: &[u8]) -> Read<Texts> {
    Texts::new(bytes, Section::rest(&Bytes::new(bytes)), 1 << 20)
}

/// The texts, some at a time; `every` second part of them is skipped.
fn parts(bytes: &[u8], some: usize, every: bool) -> Read<Vec<Vec<u8>>> {
    let (mut texts, mut out) = (open(bytes)?, Binaries::default());
    let mut passes = false;
    while texts.left() > 0 {
        let count = texts.left().min(some as u64);
        match passes {
            true => texts.skip(bytes, count)?,
            false => texts.next(bytes, count as usize, &mut out)?,
        }
        passes = every && !passes;
    }
    Ok(out.iter().map(<[u8]>::to_vec).collect())
}

fn decoded(bytes: &[u8]) -> Read<Vec<Vec<u8>>> {
    parts(bytes, 333, false)
}

fn texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let text = prop_oneof![
        3 => prop::sample::select(vec!["", "ORD", "JFK", "a longer text that comes often"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..40),
        1 => (0u32..500).prop_map(|number| format!("https://example.org/{number:05}").into_bytes()),
    ];
    (prop::collection::vec(text, 0..200), 1usize..8, any::<bool>()).prop_map(|(texts, times, sorted)| {
        let mut texts: Vec<Vec<u8>> = std::iter::repeat_n(texts, times).flatten().collect();
        if sorted {
            texts.sort();
        }
        texts
    })
}

proptest! {
    #[test]
    fn texts_come_back(texts in texts(), alone in any::<bool>(), some in 1usize..2000) {
        let slices: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        let layout = if alone { Layout::Alone } else { Layout::Bytes };
        let bytes = encoded(&slices, layout);
        let every: Vec<Vec<u8>> = texts.chunks(some).step_by(2).flatten().cloned().collect();
        prop_assert_eq!(parts(&bytes, some, true), Ok(every));
        prop_assert_eq!(parts(&bytes, some, false), Ok(texts));
    }

    #[test]
    fn damaged_bytes_are_texts_or_an_error(
        texts in texts(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let slices: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
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

#[test]
fn few_texts_and_sorted_ones_take_few_bytes() {
    let few: Vec<&[u8]> = (0..10_000).map(|at| [&b"EWR"[..], b"JFK", b"LGA"][at * 7919 % 101 % 3]).collect();
    assert!(encoded(&few, Layout::Alone).len() < 10_000 / 4 + 200);
    let sorted: Vec<String> = (0..10_000).map(|at| format!("https://example.org/items/{at:08}")).collect();
    let sorted: Vec<&[u8]> = sorted.iter().map(String::as_bytes).collect();
    assert!(encoded(&sorted, Layout::Alone).len() < 10_000 * 3);
}
