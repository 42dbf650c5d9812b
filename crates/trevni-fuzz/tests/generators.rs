//! Each generator, with inputs that are the same in every run.

use std::panic::catch_unwind;
use trevni_fuzz::{GENERATORS, TARGETS, made, mutated};

/// Runs a generator n times.
fn generate(target: &str, count: u64) {
    assert!(GENERATORS.contains(&target));
    let (_, run) = TARGETS.into_iter().find(|(name, _)| *name == target).unwrap();
    for seed in 0..count {
        let bytes = mutated(target, b"", seed);
        assert!(catch_unwind(|| run(&bytes)).is_ok(), "{target}: seed {seed}");
    }
}

#[test]
fn typed_blocks() {
    generate("typed", 80);
}

#[test]
fn compact_files() {
    generate("compact", 150);
}

#[test]
fn datasets() {
    generate("datasets", 400);
}

#[test]
fn conditions() {
    generate("conditions", 600);
}

#[test]
fn messages() {
    generate("messages", 400);
}

#[test]
fn literals() {
    generate("literals", 600);
}

/// Most files have no wrong number, so that their rows are compared; most of the others are opened, so that what is wrong is read.
#[test]
fn generated_files_are_right_or_wrong_within() {
    for target in ["typed", "compact"] {
        let (mut right, mut wrong, mut opened) = (0, 0, 0);
        for seed in 0..200 {
            let (file, is_right) = made(target, &mutated(target, b"", seed)).unwrap();
            match is_right {
                true => right += 1,
                false => {
                    wrong += 1;
                    opened += usize::from(trevni::Reader::from_slice(&file).is_ok());
                }
            }
        }
        assert!(right > 100 && wrong > 20, "{target}: {right} are right, {wrong} wrong");
        assert!(target == "compact" || opened == wrong, "{target}: {opened} of {wrong} are opened");
        assert!(opened > 0, "{target}: no wrong file is opened");
    }
}
