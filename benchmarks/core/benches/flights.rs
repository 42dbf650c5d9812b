//! Flat rows with 19 fields: written, read whole, read in part.
//!
//! ```text
//! cargo bench -p trevni-core-bench --bench flights
//! TREVNI_FLIGHTS_CSV=flights.csv cargo bench -p trevni-core-bench --bench flights
//! ```
//!
//! The rows are the sample of `examples/data`, repeated to a million, or those
//! of a whole CSV file.

mod data;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use data::flights::{Departure, Distance, Flight, flights};
use data::untimed_drop;

fn bench(criterion: &mut Criterion) {
    let rows = flights(data::rows_for_this_run(1_000_000));
    let bytes = trevni::to_vec(&rows).expect("the rows can be written");
    let again: Vec<Flight> = trevni::from_slice(&bytes).expect("the file can be read");
    assert!(again == rows, "the file gives back the rows");
    drop(again);
    println!("flights: {} rows, {} bytes", rows.len(), bytes.len());

    let mut group = criterion.benchmark_group("flights");
    group.sample_size(10);
    group.throughput(Throughput::Elements(rows.len() as u64));
    group.bench_function("write", |b| {
        untimed_drop(b, || trevni::to_vec(black_box(&rows)).unwrap());
    });
    group.bench_function("read all", |b| {
        untimed_drop(b, || trevni::from_slice::<Vec<Flight>>(black_box(&bytes)).unwrap());
    });
    group.bench_function("read 1 field", |b| {
        untimed_drop(b, || trevni::from_slice::<Vec<Distance>>(black_box(&bytes)).unwrap());
    });
    group.bench_function("read 3 fields", |b| {
        untimed_drop(b, || trevni::from_slice::<Vec<Departure>>(black_box(&bytes)).unwrap());
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
