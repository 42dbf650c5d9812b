//! Rows whose keys keep coming are encoded again, a few at a time where they are large.

use super::memory::{MIB, alone, within};
use serde_json::{Value, json};
use trevni::{Codec, Reader, Writer};

const ROWS: u64 = 1500;

/// A key of its own, and a string of 40 kB that does not compress.
fn row(number: u64) -> Value {
    let mut state = number;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'!' + (state >> 57) as u8 % 90)
    };
    json!({"counts": {(format!("user {number}")): number}, "text": (0..40_000).map(|_| letter()).collect::<String>()})
}

#[test]
fn large_rows_that_are_encoded_again_take_little_memory() {
    let _alone = alone();
    let file = std::env::temp_dir().join(format!("trevni-encoded-again-{}.trv", std::process::id()));
    within(64 * MIB, || {
        let options = Writer::builder().codec(Codec::Null).memory_limit(1);
        let mut writer = options.create(&file).unwrap();
        (0..ROWS).for_each(|number| writer.write(&row(number)).unwrap());
        writer.finish().unwrap();
    });
    let reader = Reader::open(&file).unwrap();
    assert!(reader.shape().to_string().contains("counts: map of"), "{}", reader.shape());
    for number in [0, 999, 1000, ROWS - 1] {
        assert_eq!(reader.row::<Value>(number).unwrap(), row(number));
    }
    std::fs::remove_file(file).unwrap();
}
