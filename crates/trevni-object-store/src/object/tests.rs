//! Ranges, and threads that share what is fetched.

use super::*;
use crate::runtime;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::throttle::{ThrottleConfig, ThrottledStore};
use object_store::{ObjectStore, ObjectStoreExt};
use std::thread;
use std::time::Duration;

/// Bytes that are others everywhere.
fn bytes(len: u64) -> Vec<u8> {
    (0..len / 8).flat_map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()).collect()
}

/// An object in memory that answers each request with a delay.
fn slow(bytes: Vec<u8>) -> (Object, Arc<dyn ObjectStore>, Path) {
    let config =
        ThrottleConfig { wait_get_per_call: Duration::from_micros(500), ..ThrottleConfig::default() };
    let store: Arc<dyn ObjectStore> = Arc::new(ThrottledStore::new(InMemory::new(), config));
    let path = Path::from("rows.trv");
    let (to, at) = (Arc::clone(&store), path.clone());
    runtime::wait(async move { to.put(&at, bytes.into()).await }).unwrap().unwrap();
    let shown = Place::of("s3://bucket/rows.trv").map(|place| place.shown).unwrap();
    let place = Place { store: Arc::clone(&store), path: path.clone(), shown, is_bucket: true };
    (Object::at(place).unwrap(), store, path)
}

/// Ranges that look like chance: near each other, far away, some of them wanted by all threads.
fn ranges(seed: u64, len: u64) -> Vec<Range<u64>> {
    let mut state = seed;
    let mut below = |end: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    let mut start = below(len);
    let mut ranges = Vec::new();
    for _ in 0..below(5) + 1 {
        let most = if below(4) == 0 { 3 << 20 } else { 90_000 };
        let end = (start + below(most)).min(len);
        ranges.push(start..end);
        start = if below(3) == 0 { below(len) } else { end.min(len - 1) };
    }
    ranges
}

#[test]
fn threads_that_wait_for_each_other_get_their_bytes() {
    // More than is kept, so that what others wait for is forgotten, too.
    let len = 80 << 20;
    let all = bytes(len);
    let (object, ..) = slow(all.clone());
    let (object, all) = (&object, &all[..]);
    thread::scope(|scope| {
        for thread in 0..6u64 {
            scope.spawn(move || {
                for round in 0..25 {
                    // Two threads each want the same.
                    let ranges = ranges((round << 8) | (thread / 2), len);
                    let mut buffers: Vec<Vec<u8>> =
                        ranges.iter().map(|range| vec![0; (range.end - range.start) as usize]).collect();
                    let mut wanted: Vec<(u64, &mut [u8])> = ranges
                        .iter()
                        .zip(&mut buffers)
                        .map(|(range, buffer)| (range.start, &mut buffer[..]))
                        .collect();
                    object.read_ranges(&mut wanted).unwrap();
                    for (range, buffer) in ranges.into_iter().zip(buffers) {
                        assert!(all[range.start as usize..range.end as usize] == buffer, "{range:?}");
                    }
                }
            });
        }
    });
}

#[test]
fn what_cannot_be_fetched_is_an_error_of_all_that_wait() {
    let len = 4 << 20;
    let all = bytes(len);
    let (object, store, path) = slow(all.clone());
    let (object, all) = (&object, &all[..]);
    thread::scope(|scope| {
        for thread in 0..6u64 {
            scope.spawn(move || {
                for round in 0..25 {
                    for range in ranges((round << 8) | (thread / 2), len) {
                        let mut buffer = vec![0; (range.end - range.start) as usize];
                        match object.read_at(range.start, &mut buffer) {
                            Ok(()) => assert!(all[range.start as usize..range.end as usize] == buffer),
                            Err(error) => {
                                assert!(error.to_string().contains("s3://bucket/rows.trv"), "{error}")
                            }
                        }
                    }
                }
            });
        }
        thread::sleep(Duration::from_millis(5));
        runtime::wait(async move { store.delete(&path).await }).unwrap().unwrap();
    });
}
