//! Damaged bytes give an error or rows, never a panic, and a checksum notices all damage to blocks.

use super::memory::{MIB, alone, within};
use super::samples::{Sample, read, samples};
use trevni::{Category, Reader};

/// Where the blocks of a file are, checksums included.
fn blocks(sample: &Sample) -> Vec<std::ops::Range<usize>> {
    let reader = Reader::from_slice(&sample.bytes).unwrap();
    let checksum = if sample.checked { 4 } else { 0 };
    let range = |block: trevni::BlockInfo| {
        let start = block.offset as usize;
        start..start + block.compressed_size as usize + checksum
    };
    (0..reader.columns().len()).flat_map(|column| reader.blocks(column).unwrap()).map(range).collect()
}

#[test]
fn samples_are_what_they_should_be() {
    let _alone = alone();
    for sample in samples() {
        assert_eq!(read(&sample.bytes).unwrap(), sample.rows, "{}", sample.name);
        let reader = Reader::from_slice(&sample.bytes).unwrap();
        let several = |column| reader.blocks(column).unwrap().len() > 1;
        assert!((0..reader.columns().len()).any(several), "{} has one block a column", sample.name);
        assert!(sample.bytes.len() < 3000, "{} has {} bytes", sample.name, sample.bytes.len());
    }
}

#[test]
fn every_flipped_bit_is_survived() {
    let _alone = alone();
    within(64 * MIB, || {
        let samples = samples();
        std::thread::scope(|scope| {
            let (even, odd): (Vec<_>, Vec<_>) = samples.iter().enumerate().partition(|(i, _)| i % 2 == 0);
            scope.spawn(move || even.iter().for_each(|(_, sample)| flip_each_bit(sample)));
            scope.spawn(move || odd.iter().for_each(|(_, sample)| flip_each_bit(sample)));
        });
    });
}

fn flip_each_bit(sample: &Sample) {
    let blocks = blocks(sample);
    let mut bytes = sample.bytes.clone();
    for bit in 0..bytes.len() * 8 {
        let at = bit / 8;
        bytes[at] ^= 1 << (bit % 8);
        let result = read(&bytes);
        if sample.checked && blocks.iter().any(|block| block.contains(&at)) {
            match result {
                Ok(rows) => assert_eq!(rows, sample.rows, "{}, bit {bit} unnoticed", sample.name),
                Err(error) => {
                    assert_eq!(error.category(), Category::Corrupt, "{}, bit {bit}: {error}", sample.name);
                    let location = error.location();
                    assert!(location.column.is_some() && location.block.is_some(), "no place: {error}");
                }
            }
        } else if let Err(error) = result {
            // In memory nothing fails to be read.
            assert_ne!(error.category(), Category::Io, "{}, bit {bit}: {error}", sample.name);
            assert_ne!(error.category(), Category::Misuse, "{}, bit {bit}: {error}", sample.name);
            assert_ne!(error.category(), Category::Internal, "{}, bit {bit}: {error}", sample.name);
        }
        bytes[at] ^= 1 << (bit % 8);
    }
}

/// Marsaglia's xorshift: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Overwrites, removes, inserts or copies some bytes.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let (at, length) = (random.below(bytes.len()), 1 + random.below(9));
        let end = bytes.len().min(at + length);
        match random.below(6) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, vec![random.next() as u8; length])),
            2 => {
                let to = random.below(bytes.len() - (end - at));
                bytes.copy_within(at..end, to);
            }
            3 => bytes[at..end].fill([0x00, 0x01, 0x7f, 0x80, 0xff][random.below(5)]),
            _ => bytes[at..end].iter_mut().for_each(|byte| *byte = random.next() as u8),
        }
    }
}

#[test]
fn random_damage_is_survived() {
    let _alone = alone();
    within(64 * MIB, || {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for sample in samples() {
            let first_block = blocks(&sample).iter().map(|block| block.start).min().unwrap();
            for case in 0..600 {
                let mut bytes = sample.bytes.clone();
                // Half of the cases leave the header as it is, or few would come further.
                let kept = if case % 2 == 0 { first_block.saturating_sub(16) } else { 0 };
                let mut rest = bytes.split_off(kept);
                damage(&mut rest, &mut random);
                bytes.append(&mut rest);
                let blamed = read(&bytes).err().map(|error| error.category());
                assert_ne!(blamed, Some(Category::Internal), "{}, case {case}", sample.name);
            }
        }
    });
}
