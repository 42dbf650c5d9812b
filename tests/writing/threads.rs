//! Blocks are compressed by several threads, and nobody can tell from the file.

use crate::folder::Folder;
use crate::growing::{growing, options, write};
use trevni::{Category, Codec, Writer, WriterBuilder};

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    for (name, rows) in growing() {
        for builder in options() {
            let one = write(builder.clone(), &rows);
            for (threads, limit) in [(0, 0), (2, u64::MAX), (5, 700)] {
                let bytes = write(builder.clone().threads(threads).memory_limit(limit), &rows);
                assert!(bytes == one, "{name}, {builder:?}, {threads} threads, limit {limit}");
            }
        }
    }
}

#[test]
fn every_codec_may_be_used_by_many_threads_at_once() {
    let rows: Vec<(u32, String, [f64; 3])> = (0..20_000u32)
        .map(|id| (id, format!("row {}", id.wrapping_mul(2_654_435_761) >> 12), [f64::from(id % 777); 3]))
        .collect();
    for codec in Codec::ALL.into_iter().filter(|codec| codec.is_available()) {
        let write = |threads| {
            let builder = WriterBuilder::new().codec(codec).block_size(10_000).threads(threads);
            let mut writer = builder.build(Vec::new()).unwrap();
            writer.write_all(&rows).unwrap();
            writer.finish().unwrap()
        };
        let bytes = write(1);
        assert!(trevni::from_slice::<Vec<(u32, String, [f64; 3])>>(&bytes).unwrap() == rows, "{codec:?}");
        for threads in [2, 8] {
            assert!(write(threads) == bytes, "{codec:?}, {threads}");
        }
    }
}

#[test]
fn a_writer_with_threads_may_be_dropped_at_any_time() {
    let folder = Folder::new("threads-dropped");
    for rows in [0u32, 1, 10, 100, 1000, 10_000] {
        let builder = WriterBuilder::new().codec(Codec::Deflate).block_size(100).batch_rows(50);
        let mut writer = builder.threads(4).memory_limit(100).create(folder.0.join("f.trv")).unwrap();
        writer.write_all(0..rows).unwrap();
        drop(writer);
        assert_eq!(folder.names(), [""; 0]);
    }
}

#[test]
fn a_sink_that_fails_is_an_io_error_with_threads_too() {
    let mut small = [0u8; 100];
    let mut writer = WriterBuilder::new().threads(3).build(small.as_mut_slice()).unwrap();
    writer.write_all(0..100_000).unwrap();
    assert_eq!(writer.finish().map(drop).unwrap_err().category(), Category::Io);
}

#[test]
fn a_writer_may_be_sent_to_another_thread() {
    let builder = WriterBuilder::new().block_size(100).batch_rows(10).threads(2);
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(0..500).unwrap();
    let write = move |mut writer: Writer<Vec<u8>>| {
        writer.write_all(500..1000).unwrap();
        writer.finish().unwrap()
    };
    let bytes = std::thread::spawn(move || write(writer)).join().unwrap();
    assert_eq!(trevni::from_slice::<Vec<i32>>(&bytes).unwrap(), (0..1000).collect::<Vec<_>>());
}
