//! Any damage: never a panic, and never other rows where blocks have checksums.

use crate::files::{compare, files, left};
use trevni::{Category, Limits, Reader};

/// Numbers that look like chance, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Salvages a file; whether it could be opened.
fn try_all(bytes: &[u8], rows: &[serde_json::Value], checked: bool, what: &str) -> bool {
    // A count that is flipped may say that there are billions of rows without bytes: passing over these takes its time.
    let mut limits = Limits::DEFAULT;
    limits.rows_without_bytes = 1 << 16;
    let reader = match Reader::builder().limits(limits).salvage().source(bytes) {
        Ok(reader) => reader,
        Err(error) => {
            assert_ne!(error.category(), Category::Internal, "{what}: {error}");
            return false;
        }
    };
    match (left(&reader), checked) {
        (Ok(left), true) => compare(&left, rows, what),
        (Ok(_), false) => {}
        (Err(error), _) => assert_ne!(error.category(), Category::Internal, "{what}: {error}"),
    }
    if let Ok(part) = reader.without_lost_columns() {
        let _ = part.rows::<serde_json::Value>().map(|rows| rows.filter(|row| row.is_ok()).count());
    }
    true
}

#[test]
fn single_bits() {
    let (mut opened, mut all) = (0, 0);
    for sample in files() {
        let bits = 8 * sample.bytes.len();
        for bit in (0..bits).step_by((bits / 250) | 1) {
            let mut bytes = sample.bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let what = format!("{}, bit {bit}", sample.name);
            opened += usize::from(try_all(&bytes, &sample.rows, sample.checked, &what));
            all += 1;
        }
    }
    assert!(all > 4000 && opened > 900, "{opened} of {all}");
}

#[test]
fn many_bytes() {
    let mut chance = Chance(7);
    let mut opened = 0;
    for sample in files() {
        let whole = Reader::from_slice(&sample.bytes).unwrap();
        let header = whole.columns().iter().map(|column| column.start()).min().unwrap() as usize;
        for round in 0..24 {
            let mut bytes = sample.bytes.clone();
            for _ in 0..1 + chance.below(12) {
                let at = header + chance.below(bytes.len() - header);
                bytes[at] = chance.below(256) as u8;
            }
            if round % 4 == 0 {
                bytes.truncate(header + chance.below(bytes.len() - header));
            }
            let what = format!("{}, round {round}", sample.name);
            opened += usize::from(try_all(&bytes, &sample.rows, sample.checked, &what));
        }
    }
    assert!(opened > 300, "{opened}");
}
