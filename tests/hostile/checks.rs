//! A check takes all blocks of all columns out of their codecs: the work of that is limited, as reading is.

use super::memory::{alone, within};
use super::raw::{RawBlock, RawColumn, RawFile};
use trevni::verify::Verify;
use trevni::{Category, ErrorKind, Limits, ReaderBuilder};

/// An unsigned varint.
fn count(mut count: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while count > 0x7f {
        out.push(count as u8 | 0x80);
        count >>= 7;
    }
    out.push(count as u8);
    out
}

/// A typed block whose values are one integer, so often.
fn constant(kind: u8, values: u64) -> Vec<u8> {
    [&[kind][..], &count(values), &[0, 2]].concat()
}

#[test]
fn checks_of_many_columns_are_limited_together() {
    let _alone = alone();
    for (name, kind, values, size) in [("boolean", 2, 1 << 23, 1 << 20), ("fixed64", 5, 1 << 20, 1 << 23)] {
        let block = RawBlock { rows: values as u32, size, compressed: None, stored: constant(kind, values) };
        let column = |number: usize| RawColumn::new(&format!("p{number}"), name, [block.clone()]);
        let file = |columns: usize| {
            let columns: Vec<RawColumn> = (0..columns).map(column).collect();
            RawFile::new(values, columns).with("trevni.codec", "typed").bytes()
        };
        let limits = Limits::default().rows_without_bytes(values);
        let check = |bytes: &[u8]| {
            let verify = Verify::new().reader(ReaderBuilder::new().limits(limits));
            within(64 << 20, || verify.source(bytes)).unwrap()
        };
        assert!(check(&file(1)).is_ok(), "{name}");
        let report = check(&file(30));
        assert!(!report.is_damaged() && !report.is_ok(), "{name}");
        let kinds: Vec<_> = report.unchecked.iter().map(|finding| finding.error().kind()).collect();
        let of_blocks =
            |kind: &ErrorKind| matches!(kind, ErrorKind::Limit { what, .. } if what.contains("in blocks"));
        assert!(kinds.iter().copied().any(of_blocks), "{name}: {kinds:?}");
        assert!(report.unchecked.iter().all(|finding| finding.error().category() == Category::Limit));
    }
}
