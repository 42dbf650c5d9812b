//! Long zone maps are not kept with the header: they are read once more where they are wanted.

use crate::check::{check, small, write};
use crate::sums::mended;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use trevni::{Category, Reader, Source, col};

/// A file that is not in memory, and fails when it is told to.
struct Apart {
    bytes: Vec<u8>,
    fails: AtomicBool,
    reads: AtomicUsize,
}

impl Apart {
    fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), fails: AtomicBool::new(false), reads: AtomicUsize::new(0) }
    }
}

impl Source for &Apart {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        if self.fails.load(Ordering::Relaxed) {
            return Err(io::Error::other("gone"));
        }
        self.bytes.as_slice().read_at(offset, buffer)
    }
}

/// Three columns: the zone maps of the first and the last are long, that of the second is not.
fn file(rows: u32) -> Vec<u8> {
    let rows: Vec<(u32, bool, String)> =
        (0..rows).map(|n| (n, n % 2 == 0, format!("a text that is {n}"))).collect();
    let bytes = write(small(), &rows);
    check(&bytes);
    bytes
}

#[test]
fn they_are_the_same_wherever_the_file_is() {
    let bytes = file(6000);
    let near = Reader::from_slice(&bytes).unwrap();
    let apart = Apart::new(&bytes);
    let far = Reader::new(&apart).unwrap();
    let lengths = [0, 1, 2].map(|n| near.columns()[n].metadata().get("zone_map").unwrap().len());
    assert!(lengths[0] > 1024 && lengths[1] <= 1024 && lengths[2] > 1024, "{lengths:?}");
    for (number, (one, two)) in near.columns().iter().zip(far.columns()).enumerate() {
        assert_eq!(one.metadata(), two.metadata());
        let map = near.zone_map(number).unwrap();
        assert!(map.is_some());
        assert_eq!(map, far.zone_map(number).unwrap());
    }
}

#[test]
fn they_are_read_once_where_a_filter_wants_them() {
    let bytes = file(6000);
    let apart = Apart::new(&bytes);
    let reader = Reader::new(&apart).unwrap();
    let wanted = reader.project(["_0"]).unwrap().filter(col("_0").eq(2000)).unwrap();
    let rows: Vec<(u32,)> = wanted.rows().unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows, [(2000,)]);
    let before = apart.reads.load(Ordering::Relaxed);
    assert_eq!(wanted.explain().unwrap().matching, 1);
    assert!(reader.zone_map(0).unwrap().is_some());
    let again = apart.reads.load(Ordering::Relaxed) - before;
    assert!(again <= 1, "one block, and no zone map: {again} reads");
}

#[test]
fn a_source_that_fails_is_an_error_and_other_metadata_stay() {
    let bytes = file(6000);
    let apart = Apart::new(&bytes);
    let reader = Reader::new(&apart).unwrap();
    apart.fails.store(true, Ordering::Relaxed);
    let error = reader.zone_map(0).unwrap_err();
    assert_eq!(error.category(), Category::Io);
    assert!(error.to_string().contains("\"_0\""), "{error}");
    let metadata = |number: usize| reader.columns()[number].metadata();
    assert_eq!(metadata(0).get_str("trevni.name"), Some("_0"));
    assert!(!metadata(0).contains("zone_map") && metadata(1).contains("zone_map"));
}

#[test]
fn one_that_is_damaged_is_left_alone() {
    let mut bytes = file(6000);
    let map = Reader::from_slice(&bytes).unwrap().columns()[0].metadata().get("zone_map").unwrap().to_vec();
    let start = bytes.windows(map.len()).position(|part| part == map).unwrap();
    bytes[start + map.len() / 2] ^= 1;
    bytes = mended(&bytes);
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(reader.zone_map(0).unwrap(), None);
    assert!(reader.zone_map(2).unwrap().is_some());
    let found: Vec<(u32, bool, String)> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(found.len(), 6000);
}
