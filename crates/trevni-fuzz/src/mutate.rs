//! Mutations that a seed decides: of bytes alone, and of the parts of a file, with sizes and checksums mended.

use crate::container::{Column, Container};
use crate::metadata::Metadata;
use crate::redelm::RedElm;
use fastrand::Rng;
use serde_json::Value;

/// Strings that mean something in a file.
const WORDS: [&str; 27] = [
    "null",
    "crc32",
    "deflate",
    "snappy",
    "bzip2",
    "zstandard",
    "lz4",
    "typed",
    "typed-zstandard",
    "archive",
    "xz",
    "boolean",
    "int",
    "long",
    "float",
    "double",
    "string",
    "bytes",
    "fixed8",
    "fixed16",
    "fixed32",
    "fixed64",
    "0",
    "1",
    "2",
    "levels-first",
    "",
];
/// Numbers at the borders of what is possible.
const BORDERS: [i64; 14] = [
    0,
    1,
    2,
    127,
    128,
    255,
    65_536,
    16_777_216,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    i64::MAX,
    i64::MIN,
    -1,
];

/// Bytes with some changes: bits, bytes and runs.
pub fn damaged(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut rng = Rng::with_seed(seed);
    let mut bytes = bytes.to_vec();
    (0..rng.usize(1..4)).for_each(|_| damage(&mut bytes, &mut rng));
    bytes
}

/// A file with some of its parts changed, and all sizes, starts and checksums as they must be. What is no such file is damaged
/// anyhow.
pub fn mended(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut rng = Rng::with_seed(seed);
    if let Some(mut container) = Container::parse(bytes) {
        (0..rng.usize(1..4)).for_each(|_| change(&mut container, &mut rng));
        return container.encode();
    }
    if let Some(mut file) = RedElm::parse(bytes) {
        match rng.u8(0..4) {
            0 => damage(&mut file.body, &mut rng),
            1 if !file.others.is_empty() => {
                let at = rng.usize(..file.others.len());
                damage(&mut file.others[at].1, &mut rng);
            }
            _ => (0..rng.usize(1..4)).for_each(|_| change_json(&mut file.footer, &mut rng)),
        }
        return file.encode();
    }
    damaged(bytes, seed)
}

fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    if bytes.is_empty() {
        bytes.push(rng.u8(..));
        return;
    }
    let at = rng.usize(..bytes.len());
    let run = at..(at + rng.usize(1..9)).min(bytes.len());
    match rng.u8(0..9) {
        0..3 => bytes[at] ^= 1 << rng.u8(0..8),
        3 => bytes[at] = *rng.choice(&[0, 1, 2, 0x7f, 0x80, 0xfe, 0xff]).unwrap_or(&0),
        4 => drop(bytes.drain(run)),
        5 => {
            let copied = bytes[run].to_vec();
            let to = rng.usize(..=bytes.len());
            drop(bytes.splice(to..to, copied));
        }
        6 => {
            let number = rng.choice(BORDERS).unwrap_or(0).to_le_bytes();
            bytes[run].iter_mut().zip(number).for_each(|(byte, other)| *byte = other);
        }
        7 => {
            let word = rng.choice(WORDS).unwrap_or("");
            drop(bytes.splice(at..at, word.bytes()));
        }
        _ if rng.u8(0..4) == 0 => bytes.truncate(at),
        _ => bytes[run].fill(rng.u8(..)),
    }
}

fn number(old: u64, rng: &mut Rng) -> u64 {
    match rng.u8(0..4) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => rng.u64(..300),
        _ => rng.choice(BORDERS).unwrap_or(0) as u64,
    }
}

fn change(file: &mut Container, rng: &mut Rng) {
    match rng.u8(0..12) {
        0 => file.rows = number(file.rows, rng),
        1 => file.magic[3] = rng.u8(0..5),
        2..4 => change_metadata(&mut file.metadata, rng),
        4 if file.columns.len() > 1 => {
            let (one, two) = (rng.usize(..file.columns.len()), rng.usize(..file.columns.len()));
            match rng.u8(0..4) {
                0 => file.columns.swap(one, two),
                1 => file.columns[one].blocks = file.columns[two].blocks.clone(),
                2 => drop(file.columns.remove(one)),
                _ => {
                    let copy = file.columns[one].clone();
                    file.columns.insert(two, copy);
                }
            }
        }
        _ if file.columns.is_empty() => {}
        kind => {
            let at = rng.usize(..file.columns.len());
            change_column(&mut file.columns[at], kind, rng);
        }
    }
}

fn change_column(column: &mut Column, kind: u8, rng: &mut Rng) {
    if kind < 7 || column.blocks.is_empty() {
        return change_metadata(&mut column.metadata, rng);
    }
    let (at, other) = (rng.usize(..column.blocks.len()), rng.usize(..column.blocks.len()));
    match rng.u8(0..10) {
        0 => column.blocks[at].rows = number(column.blocks[at].rows.into(), rng) as u32,
        1 => column.blocks[at].size = number(column.blocks[at].size.into(), rng) as u32,
        2 => column.blocks.swap(at, other),
        3 => drop(column.blocks.remove(at)),
        4 => {
            let copy = column.blocks[at].clone();
            column.blocks.insert(other, copy);
        }
        5 => damage(&mut column.blocks[at].first, rng),
        _ => {
            let block = &mut column.blocks[at];
            let is_right = block.size as usize == block.bytes.len();
            damage(&mut block.bytes, rng);
            // The table says how many bytes there are before the codec.
            if is_right && rng.u8(0..8) > 0 {
                block.size = block.bytes.len() as u32;
            }
        }
    }
}

fn change_metadata(metadata: &mut Metadata, rng: &mut Rng) {
    if metadata.0.is_empty() {
        metadata.0.push((b"trevni.codec".to_vec(), b"null".to_vec()));
    }
    let at = rng.usize(..metadata.0.len());
    match rng.u8(0..8) {
        0 => drop(metadata.0.remove(at)),
        1 => {
            let copy = metadata.0[at].clone();
            metadata.0.push(copy);
        }
        2 => damage(&mut metadata.0[at].0, rng),
        3 => metadata.0[at].1 = rng.choice(WORDS).unwrap_or("").as_bytes().to_vec(),
        4 => {
            let key =
                rng.choice(["trevni.array", "trevni.values", "trevni.parent", "trevni.codec", "block_rows"]);
            metadata.0.push((key.unwrap_or("").as_bytes().to_vec(), b"a".to_vec()));
        }
        _ => change_text(&mut metadata.0[at].1, rng),
    }
}

/// Changes a value within JSON, or bytes.
fn change_text(bytes: &mut Vec<u8>, rng: &mut Rng) {
    match serde_json::from_slice::<Value>(bytes) {
        Ok(mut value) if rng.bool() => {
            change_json(&mut value, rng);
            *bytes = value.to_string().into_bytes();
        }
        _ => damage(bytes, rng),
    }
}

fn change_json(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::Array(items) if !items.is_empty() && rng.u8(0..12) > 0 => {
            let at = rng.usize(..items.len());
            match rng.u8(0..12) {
                0 => drop(items.remove(at)),
                1 => {
                    let copy = items[at].clone();
                    items.push(copy);
                }
                _ => change_json(&mut items[at], rng),
            }
        }
        Value::Object(fields) if !fields.is_empty() && rng.u8(0..12) > 0 => {
            let at = rng.usize(..fields.len());
            if let Some((_, value)) = fields.iter_mut().nth(at) {
                change_json(value, rng);
            }
        }
        Value::Number(known) => *value = Value::from(number(known.as_u64().unwrap_or(0), rng) as i64),
        Value::String(text) => {
            let mut bytes = std::mem::take(text).into_bytes();
            damage(&mut bytes, rng);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        other => {
            let choices =
                [Value::Null, Value::from(7), Value::from(rng.choice(WORDS)), Value::Array(Vec::new())];
            *other = rng.choice(&choices).cloned().unwrap_or_default();
        }
    }
}
