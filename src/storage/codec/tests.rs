//! What all codecs promise.

use super::compress::Compressor;
use super::{Codec, ColumnType, Compressors, Decompressor, Framing, TABLE, Uncompressed};
use std::collections::BTreeSet;

/// The features that the hint of an entry names.
fn features(entry: &super::Entry) -> impl Iterator<Item = &'static str> {
    entry.hint.split('`').skip(1).step_by(2)
}

fn available() -> impl Iterator<Item = Codec> {
    Codec::ALL.into_iter().filter(|codec| codec.is_available())
}

fn blocks() -> Vec<Vec<u8>> {
    let mixed = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    vec![vec![], vec![7], vec![0; 70_000], b"abcabcabc".repeat(1000), mixed]
}

#[test]
fn every_block_comes_back_under_every_codec() {
    for codec in available() {
        let mut compressor = Compressor::new(codec, Framing::Raw, None).unwrap();
        let mut decompressor = Decompressor::new(codec, Framing::Raw).unwrap();
        for block in blocks() {
            let (mut stored, mut back) = (Vec::new(), vec![1, 2, 3]);
            compressor.compress(Uncompressed::Bytes(&block), ColumnType::BYTES, &mut stored).unwrap();
            decompressor.decompress(&stored, block.len(), &mut back).unwrap();
            assert_eq!(back, block, "{codec:?}");
        }
    }
}

#[test]
fn a_longer_stream_is_cut_and_a_shorter_one_refused() {
    for codec in available().filter(|codec| *codec != Codec::Null) {
        let mut stored = Vec::new();
        Compressor::new(codec, Framing::Raw, None)
            .unwrap()
            .compress(Uncompressed::Bytes(&[5; 1000]), ColumnType::BYTES, &mut stored)
            .unwrap();
        let mut decompressor = Decompressor::new(codec, Framing::Raw).unwrap();
        let mut out = Vec::new();
        decompressor.decompress(&stored, 10, &mut out).unwrap();
        assert_eq!(out, [5; 10], "{codec:?}");
        assert!(decompressor.decompress(&stored, 1001, &mut out).is_err(), "{codec:?}");
    }
}

#[test]
fn cut_and_flipped_streams_never_panic() {
    for codec in available() {
        let mut stored = Vec::new();
        let block = b"some text, some text, some more text".repeat(20);
        Compressor::new(codec, Framing::Raw, None)
            .unwrap()
            .compress(Uncompressed::Bytes(&block), ColumnType::BYTES, &mut stored)
            .unwrap();
        let mut decompressor = Decompressor::new(codec, Framing::Raw).unwrap();
        let mut out = Vec::new();
        for end in 0..stored.len() {
            let _ = decompressor.decompress(&stored[..end], block.len(), &mut out);
        }
        for bit in 0..stored.len() * 8 {
            let mut bad = stored.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let _ = decompressor.decompress(&bad, block.len(), &mut out);
        }
        decompressor.decompress(&stored, block.len(), &mut out).unwrap();
        assert_eq!(out, block, "{codec:?} works again after errors");
    }
}

#[test]
fn a_size_that_lies_reserves_little() {
    for codec in available().filter(|codec| *codec != Codec::Null) {
        let mut stored = Vec::new();
        Compressor::new(codec, Framing::Raw, None)
            .unwrap()
            .compress(Uncompressed::Bytes(&[9; 100]), ColumnType::BYTES, &mut stored)
            .unwrap();
        let mut out = Vec::new();
        let error = Decompressor::new(codec, Framing::Raw).unwrap().decompress(&stored, 1 << 30, &mut out);
        assert!(error.is_err(), "{codec:?}");
        assert!(out.capacity() < 1 << 20, "{codec:?} reserved {}", out.capacity());
    }
}

#[test]
fn levels_are_those_of_the_libraries() {
    // More than the block of bzip2's first level, with copies that are far apart.
    let block = (0..60_000u32).flat_map(|i| (i * i % 9973).to_le_bytes()).collect::<Vec<u8>>();
    for codec in available() {
        let Some(levels) = codec.levels() else { continue };
        let size =
            |level| Compressors::new(Framing::Raw, Some(level)).compress(codec, &block, 0).unwrap().len();
        assert!(size(*levels.end()) < size(*levels.start()), "{codec:?}");
        for level in levels {
            let stored =
                Compressors::new(Framing::Raw, Some(level)).compress(codec, &block[..999], 4).unwrap();
            let mut back = Vec::new();
            Decompressor::new(codec, Framing::Raw).unwrap().decompress(&stored, 999, &mut back).unwrap();
            assert_eq!(back, block[..999], "{codec:?} {level}");
        }
    }
}

#[test]
fn every_codec_has_an_entry_of_its_own() {
    assert_eq!(Codec::ALL.map(|codec| codec.entry().unwrap().codec), Codec::ALL);
    let names: BTreeSet<&str> = TABLE.iter().map(|entry| entry.name).chain([Codec::Auto.name()]).collect();
    assert_eq!(names.len(), TABLE.len() + 1, "{names:?}");
    for entry in &TABLE {
        assert_eq!((entry.codec.name(), entry.codec.block_size()), (entry.name, entry.block_size));
        assert!(entry.is_available || features(entry).next().is_some(), "{}", entry.name);
        assert!(
            features(entry).all(|feature| entry.name.split('-').any(|name| name == feature)),
            "{}",
            entry.name
        );
        let named = Codec::from_name(entry.name);
        assert_eq!(named.ok(), entry.is_available.then_some(entry.codec));
    }
    assert!(Codec::Auto.is_available() && Codec::from_name("auto").is_err());
}

#[test]
fn auto_is_resolved_before_a_block_is_compressed() {
    let error = Decompressor::new(Codec::Auto, Framing::Raw).err().unwrap();
    assert_eq!(error.category(), crate::error::Category::Internal);
    assert!(Compressors::default().compress(Codec::Auto, b"block", 0).is_err());
}

#[test]
fn the_documents_name_every_codec() {
    let readme = include_str!("../../../README.md");
    let format = include_str!("../../../docs/format.md");
    let front_page = include_str!("../../lib.rs");
    let manifest = include_str!("../../../Cargo.toml");
    for entry in &TABLE {
        let name = entry.name;
        let in_a_row = |line: &str| line.starts_with('|') && line.contains(&format!("`{name}`"));
        assert!(readme.lines().any(in_a_row), "README.md has no row for {name}");
        assert!(format.lines().any(in_a_row), "docs/format.md has no row for {name}");
        let link = format!("[`Codec::{:?}`]", entry.codec);
        assert!(front_page.contains(&link), "the front page does not name {link}");
        let is_there = |feature| manifest.contains(&format!("\n{feature} = ["));
        assert!(features(entry).all(is_there), "no feature {name}");
    }
}

#[test]
fn names_are_exact() {
    assert!(Codec::from_name("Deflate").is_err());
    assert_eq!(Codec::from_name("deflate").unwrap(), Codec::Deflate);
    let error = Codec::from_name("lzo").unwrap_err();
    assert!(error.to_string().contains("\"lzo\""), "{error}");
}
