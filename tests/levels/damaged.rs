//! Damaged files: an error or the same rows, never a panic, and with checksums never other rows.

use crate::data;
use serde_json::{Value, json};
use trevni::formats::{Layout, Levels};
use trevni::{Checksum, Codec, Reader, ReaderBuilder, Result, Writer};

fn rows() -> Vec<Value> {
    let row = |number: i64| {
        json!({
            "id": number,
            "name": if number % 3 == 0 { Value::Null } else { json!(format!("name {number}")) },
            "tags": (0..number % 4).collect::<Vec<_>>(),
            "deep": (0..number % 3).map(|n| json!({"x": vec![n; n as usize], "y": {"z": n % 2 == 0}})).collect::<Vec<_>>(),
        })
    };
    (0..9).map(row).collect()
}

/// Each layout and each codec, with and without what this crate adds.
fn files() -> Vec<Vec<u8>> {
    let file = |(layout, codec)| {
        let options = Writer::builder().format(Levels::new().layout(layout)).codec(codec);
        let options = options.checksum(Checksum::Crc32).block_size(64);
        let options = if codec == Codec::Snappy { options.without_zone_maps() } else { options };
        let mut writer = options.build(Vec::new()).unwrap();
        writer.write_all(rows()).unwrap();
        writer.finish().unwrap()
    };
    let forms = [
        (Layout::LevelsFirst, Codec::Null),
        (Layout::ValuesFirst, Codec::Null),
        (Layout::LevelsFirst, Codec::Deflate),
        (Layout::ValuesFirst, Codec::Gzip),
        (Layout::LevelsFirst, Codec::Snappy),
    ];
    forms.map(file).into()
}

/// Reads all that there is.
fn read(bytes: &[u8], options: ReaderBuilder) -> Result<Vec<Value>> {
    let reader = options.source(bytes)?;
    for column in 0..reader.columns().len() {
        reader.blocks(column)?;
        reader.raw_column(column)?;
    }
    reader.rows::<Value>()?.collect()
}

/// The bits to flip: all of a small file, and of others this many, spread over all bytes and places within them.
fn bits(len: usize, most: usize) -> impl Iterator<Item = usize> {
    let step = (8 * len).div_ceil(most).max(1);
    // Odd, so that all eight bits of bytes have their turn.
    (0..8 * len).step_by(if step == 1 { 1 } else { step | 1 })
}

#[test]
fn bits_are_all_or_spread() {
    assert_eq!(bits(10, 80).collect::<Vec<_>>(), (0..80).collect::<Vec<_>>());
    for (len, most) in [(1000, 300), (8302, 3000), (11, 80)] {
        let bits: Vec<usize> = bits(len, most).collect();
        assert!(bits.len() <= most && bits.len() > most / 3, "{}", bits.len());
        assert!((0..8).all(|place| bits.iter().any(|bit| bit % 8 == place)));
    }
}

#[test]
fn no_prefix_is_a_file() {
    for file in files() {
        assert_eq!(read(&file, Reader::builder()).unwrap(), rows());
        for end in 0..file.len() {
            assert!(read(&file[..end], Reader::builder()).is_err(), "{end} of {}", file.len());
        }
    }
}

#[test]
fn a_flipped_bit_gives_an_error_or_the_same_rows() {
    let mut flips = 0;
    for file in files() {
        // What is before the first column has a checksum of its own, in files with zone maps.
        let has_sum = file.windows(12).any(|bytes| bytes == b"crc32_header");
        let start = Reader::from_slice(&file).unwrap().columns()[0].start() as usize;
        for bit in 0..8 * file.len() {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            flips += 1;
            match read(&damaged, Reader::builder()) {
                // Its bits may say other names.
                Ok(_) if bit / 8 < start && !has_sum => {}
                Ok(_) if bit / 8 < start => panic!("bit {bit} of the header"),
                Ok(found) => assert_eq!(found, rows(), "bit {bit}"),
                Err(_) => {}
            }
        }
    }
    println!("{flips} flipped bits");
    assert!(flips > 15_000, "{flips}");
}

/// Files of at most 400 bytes have all their bits flipped, larger ones 3200 of them.
const GOLDEN_FLIPS: usize = 8 * 400;

#[test]
fn golden_files_may_be_damaged() {
    let (mut flips, mut whole, mut prefixes) = (0, 0, 0);
    for golden in data::all() {
        let file = golden.bytes();
        let own = read(&file, golden.options()).unwrap_or_else(|error| panic!("{}: {error}", golden.name));
        let sums = Reader::from_slice(&file)
            .is_ok_and(|reader| reader.columns().iter().all(|column| column.checksum_name() != "null"));
        let start = golden.reader(&file).columns().iter().map(|column| column.start()).min().unwrap();
        for end in 0..file.len() {
            prefixes += 1;
            assert!(read(&file[..end], golden.options()).is_err(), "{end} of {}", golden.name);
        }
        let before = flips;
        for bit in bits(file.len(), GOLDEN_FLIPS) {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            flips += 1;
            match read(&damaged, golden.options()) {
                Ok(found) if sums && bit / 8 >= start as usize => {
                    assert_eq!(found, own, "{}, bit {bit}", golden.name);
                }
                _ => {}
            }
        }
        whole += usize::from(flips - before == 8 * file.len());
    }
    println!("{flips} flipped bits and {prefixes} prefixes, {whole} files with all bits");
    assert!(flips > 40_000 && whole >= 6, "{flips}, {whole}");
}

#[test]
fn exchanged_blocks_are_found() {
    for file in files() {
        let reader = Reader::from_slice(&file).unwrap();
        let mut tried = 0;
        for number in 0..reader.columns().len() {
            let blocks = reader.blocks(number).unwrap();
            let place = |at: usize| {
                blocks[at].offset as usize
                    ..blocks[at].offset as usize + blocks[at].compressed_size as usize + 4
            };
            for (one, two) in (1..blocks.len()).map(|at| (place(at - 1), place(at))) {
                if one.len() == two.len() && file[one.clone()] != file[two.clone()] {
                    let mut damaged = file.clone();
                    damaged[one.clone()].copy_from_slice(&file[two.clone()]);
                    damaged[two].copy_from_slice(&file[one]);
                    assert!(read(&damaged, Reader::builder()).is_err(), "column {number}");
                    tried += 1;
                }
            }
        }
        let same_size = |number: usize| reader.blocks(number).unwrap().len() > 1;
        assert!(tried > 0 || !(0..reader.columns().len()).any(same_size));
    }
}
