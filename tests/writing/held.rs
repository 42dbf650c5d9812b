//! Blocks of typed codecs hold values as they are, up to a limit: what is beyond it, or wider than what came before, is the same file.

use serde::{Deserialize, Serialize};
use trevni::{Codec, Reader, Writer};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    number: i64,
    short: Option<i32>,
    text: String,
    list: Vec<u8>,
}

/// Small values, and a large one at each of some rows.
fn rows(count: usize, large: &[usize]) -> Vec<Row> {
    let row = |at: usize| {
        let is_large = large.contains(&at);
        Row {
            number: if is_large { [i64::MIN, i64::MAX, 1 << 31, -129][at % 4] } else { at as i64 % 7 },
            short: (!at.is_multiple_of(5)).then_some(if is_large { i32::MIN } else { at as i32 % 3 }),
            text: if is_large { "é".repeat(1_600_000) } else { format!("{}", at % 300) },
            list: vec![at as u8; if is_large { 70_000 } else { at % 3 }],
        }
    };
    (0..count).map(row).collect()
}

#[test]
fn large_values_among_small_ones_come_back() {
    let count = 60_000;
    for large in [vec![], vec![0], vec![count - 1], vec![1, 2, 3], vec![0, 31_001, 31_002, count - 3]] {
        let rows = rows(count, &large);
        let files = [1, 3].map(|threads| {
            let mut writer =
                Writer::builder().codec(Codec::Typed).threads(threads).build(Vec::new()).unwrap();
            rows.iter().for_each(|row| writer.write(row).unwrap());
            writer.finish().unwrap()
        });
        let back: Vec<Row> =
            Reader::from_slice(&files[0]).unwrap().rows().unwrap().collect::<Result<_, _>>().unwrap();
        assert!(back == rows, "{large:?}");
        assert!(files[0] == files[1], "{large:?}: threads change the file");
    }
}
