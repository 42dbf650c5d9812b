//! The memory of a batch is used by the next one: a program of its own, so that nothing else takes memory meanwhile.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::fs;
use trevni::{Codec, Reader, Writer};
use trevni_arrow::ArrowReader;

/// Page faults of this process that needed no disk: the tenth field of `/proc/self/stat` (proc(5)).
fn page_faults() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    // The second field is the name of the program in parentheses.
    let fields = stat.rsplit_once(')').unwrap().1;
    fields.split_whitespace().nth(7).unwrap().parse().unwrap()
}

#[test]
fn batches_use_the_memory_of_the_ones_before() {
    for codec in [Codec::Null, Codec::Snappy, Codec::Typed] {
        let mut writer = Writer::builder().codec(codec).build(Vec::new()).unwrap();
        for row in 0..400_000_i64 {
            let some = (row * 7919) % 100_003;
            writer.write(&(row, some, some as f64 / 8.0, [some, row], Some(some as i32))).unwrap();
        }
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        let read = || {
            let before = page_faults();
            let (mut batches, mut bytes) = (0, 0);
            for batch in ArrowReader::new(&reader).unwrap() {
                bytes += batch.unwrap().get_array_memory_size();
                batches += 1;
            }
            (page_faults() - before, batches, bytes)
        };
        read();
        let (faults, batches, bytes) = read();
        // Without reuse each page of 4 KiB is a fault.
        let pages = bytes as u64 / 4096;
        assert!(batches > 20 && pages > 4_000, "{batches} batches, {pages} pages");
        assert!(faults < pages / 10, "{codec:?}: {faults} faults for {pages} pages of {batches} batches");
    }
}
