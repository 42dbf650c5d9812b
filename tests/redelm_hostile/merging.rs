//! Merging files of any formats takes the memory of a few batches, and of what its limit allows.

use crate::memory::{MIB, alone, within};
use crate::sink::Counting;
use trevni::merge::Merge;
use trevni::{Codec, Dialect, Reader, Writer};

fn file(dialect: Dialect) -> Vec<u8> {
    let options = Writer::builder().dialect(dialect).codec(Codec::Null).memory_limit(MIB as u64);
    let mut writer = options.build(Vec::new()).unwrap();
    for number in 0..40_000u64 {
        let words: Vec<u64> = (0..number % 5).map(|word| word.wrapping_mul(number << 40)).collect();
        writer.write(&(number, format!("a name of {number}"), words)).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn memory_does_not_grow_with_the_files() {
    let _alone = alone();
    for (from, target) in [
        (Dialect::Trevni, Dialect::RedElm),
        (Dialect::RedElm, Dialect::RedElm),
        (Dialect::RedElm, Dialect::Levels),
        (Dialect::Levels, Dialect::Trevni),
    ] {
        let bytes = file(from);
        let reader = Reader::from_slice(&bytes).unwrap();
        let readers = vec![reader; 12];
        let merge = Merge::new().dialect(target).memory_limit(MIB as u64);
        let mut sink = Counting(0);
        within(7 * MIB, || merge.write(&readers, &mut sink).unwrap());
        assert!(sink.0 > 13 * MIB as u64, "{} of {from:?} as {target:?}", sink.0);
    }
}
