//! Files whose zone maps are damaged, or those of other blocks.

use crate::check::{check, small, write};
use crate::sums::mended;
use trevni::{Reader, Result};

fn rows() -> Vec<(i32, Option<String>)> {
    (0..60).map(|n| (n, (n % 3 > 0).then(|| format!("text {n}")))).collect()
}

/// Where the value of a column's zone map is in the file.
fn place(bytes: &[u8], column: usize) -> std::ops::Range<usize> {
    let reader = Reader::from_slice(bytes).unwrap();
    let value = reader.columns()[column].metadata().get("zone_map").unwrap();
    let start = bytes.windows(value.len()).position(|part| part == value).unwrap();
    start..start + value.len()
}

#[test]
fn every_flipped_bit_costs_the_map_and_no_rows() {
    let bytes = write(small(), &rows());
    check(&bytes);
    for column in 0..2 {
        for at in place(&bytes, column) {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                damaged = mended(&damaged);
                let reader = Reader::from_slice(&damaged).unwrap();
                assert_eq!(reader.zone_map(column).unwrap(), None, "column {column}, byte {at}, bit {bit}");
                assert!(reader.blocks(column).unwrap().iter().all(|block| block.zone.is_none()));
                assert!(reader.zone_map(1 - column).unwrap().is_some());
                let read: Result<Vec<(i32, Option<String>)>> = reader.rows().unwrap().collect();
                assert_eq!(read.unwrap(), rows());
            }
        }
    }
}

/// Puts another value in the place of a zone map; starts of columns move with it.
fn replaced(bytes: &[u8], column: usize, value: &[u8]) -> Vec<u8> {
    let place = place(bytes, column);
    assert!(place.len() < 64, "a length of one byte");
    let key = place.start - 1;
    let reader = Reader::from_slice(bytes).unwrap();
    let starts: Vec<u64> = reader.columns().iter().map(|column| column.start()).collect();
    let table = starts[0] as usize - 8 * starts.len();
    let mut out = bytes[..key].to_vec();
    let length = 2 * value.len();
    if length < 128 {
        out.push(length as u8);
    } else {
        out.extend([(length & 127 | 128) as u8, (length >> 7) as u8]);
    }
    out.extend_from_slice(value);
    out.extend_from_slice(&bytes[place.end..table]);
    let moved = (out.len() as u64 + 8 * starts.len() as u64).wrapping_sub(starts[0]);
    starts.iter().for_each(|start| out.extend_from_slice(&start.wrapping_add(moved).to_le_bytes()));
    out.extend_from_slice(&bytes[starts[0] as usize..]);
    mended(&out)
}

#[test]
fn other_values_are_no_maps() {
    // Few blocks, or the value is too long to be replaced simply.
    let bytes = write(small().block_size(200), &rows());
    check(&bytes);
    let map = bytes[place(&bytes, 0)].to_vec();
    assert_eq!(replaced(&bytes, 0, &map), bytes);
    let fewer = write(small(), &rows()[..10]);
    let other = write(small(), &rows().iter().map(|(number, text)| (number << 20, text)).collect::<Vec<_>>());
    let other = Reader::from_slice(&other).unwrap().columns()[0].metadata().get("zone_map").unwrap().to_vec();
    let values: [&[u8]; 6] =
        [b"", b"1", &map[..map.len() - 1], &[&map[..], b"x"].concat(), &fewer[place(&fewer, 0)], &other];
    for value in values {
        let damaged = replaced(&bytes, 0, value);
        let reader = Reader::from_slice(&damaged).unwrap();
        assert_eq!(reader.zone_map(0).unwrap(), None, "{value:?}");
        let read: Result<Vec<(i32, Option<String>)>> = reader.rows().unwrap().collect();
        assert_eq!(read.unwrap(), rows());
    }
}
