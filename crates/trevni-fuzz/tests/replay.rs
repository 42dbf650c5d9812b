//! Each target over its corpus, and over mutations of it that are the same in every run.

use std::panic::catch_unwind;
use trevni_fuzz::{TARGETS, corpus, mutated};

/// Runs a target over its corpus and `count` mutations.
fn replay(target: &str, count: u64) {
    let (_, run) = TARGETS.into_iter().find(|(name, _)| *name == target).unwrap();
    let inputs = corpus::of(target);
    assert!(!inputs.is_empty());
    let check = |name: &str, seed: u64, bytes: &[u8]| {
        assert!(catch_unwind(|| run(bytes)).is_ok(), "{target}: {name}, seed {seed}");
    };
    inputs.iter().for_each(|(name, bytes)| check(name, 0, bytes));
    for seed in 1..=count {
        let (name, bytes) = &inputs[seed as usize % inputs.len()];
        check(name, seed, &mutated(target, bytes, seed));
    }
}

#[test]
fn reading_damaged_bytes() {
    replay("read", 1000);
}

#[test]
fn reading_files_with_mended_sums() {
    replay("mended", 1000);
}

#[test]
fn random_rows_and_options() {
    replay("round_trip", 600);
}

#[test]
fn other_formats() {
    replay("importers", 1500);
}

#[test]
fn texts() {
    replay("texts", 1500);
}

#[test]
fn expressions() {
    replay("expressions", 3000);
}

/// Mutations of the parts of a file keep all sums right; else they would only test that sums are compared.
#[test]
fn mended_files_are_opened() {
    let files = corpus::of("mended");
    let whole = |bytes: &[u8]| trevni::Reader::from_slice(bytes).is_ok();
    let (mut opened, mut tried) = (0, 0);
    for seed in 0..1000 {
        let (name, bytes) = &files[seed as usize % files.len()];
        if name.starts_with("own") && whole(bytes) {
            tried += 1;
            opened += usize::from(whole(&trevni_fuzz::mended(bytes, seed)));
        }
    }
    assert!(tried > 200 && opened * 3 > tried, "{opened} of {tried}");
}

/// Changes get inside the codecs: many blocks are refused for what is in them, not for their checksums.
#[test]
fn mended_blocks_are_decompressed() {
    let files = corpus::of("mended");
    for codec in ["deflate", "snappy", "bzip2", "zstandard", "lz4"] {
        let of_codec = |bytes: &[u8]| {
            let reader = trevni::Reader::from_slice(bytes).ok()?;
            let has_codec = reader.columns().iter().any(|column| column.codec_name() == codec);
            (bytes.starts_with(b"Trv") && has_codec).then_some(())
        };
        let files: Vec<&Vec<u8>> =
            files.iter().filter(|(_, bytes)| of_codec(bytes).is_some()).map(|(_, bytes)| bytes).collect();
        assert!(!files.is_empty(), "{codec}");
        let (mut inside, mut changed) = (0, 0);
        for seed in 0..400 {
            let mended = trevni_fuzz::mended(files[seed as usize % files.len()], seed);
            let Ok(reader) = trevni::Reader::from_slice(&mended) else { continue };
            for column in 0..reader.columns().len() {
                let Err(error) = reader.raw_column(column) else { continue };
                changed += 1;
                let outside =
                    ["checksum", "codec", "crc"].iter().any(|word| error.to_string().contains(word));
                inside += usize::from(!outside);
            }
        }
        // The others are of names that were changed.
        assert!(inside > 100, "{codec}: {inside} of {changed} errors are of what is inside");
    }
}
