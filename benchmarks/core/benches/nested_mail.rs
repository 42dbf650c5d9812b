//! Nested rows with lists in lists: written, read whole, read in part.
//!
//! ```text
//! cargo bench -p trevni-core-bench --bench nested_mail
//! ```
//!
//! The rows are 200 000 mail messages, made up but always the same.

mod data;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use data::mail::{Date, Mail, Route, mails};
use data::untimed_drop;

fn bench(criterion: &mut Criterion) {
    let rows = mails(data::rows_for_this_run(200_000));
    let bytes = trevni::to_vec(&rows).expect("the rows can be written");
    let again: Vec<Mail> = trevni::from_slice(&bytes).expect("the file can be read");
    assert!(again == rows, "the file gives back the rows");
    drop(again);
    println!("nested mail: {} rows, {} bytes", rows.len(), bytes.len());

    let mut group = criterion.benchmark_group("nested mail");
    group.sample_size(10);
    group.throughput(Throughput::Elements(rows.len() as u64));
    group.bench_function("write", |b| {
        untimed_drop(b, || trevni::to_vec(black_box(&rows)).unwrap());
    });
    group.bench_function("read all", |b| {
        untimed_drop(b, || trevni::from_slice::<Vec<Mail>>(black_box(&bytes)).unwrap());
    });
    group.bench_function("read 1 field", |b| {
        untimed_drop(b, || trevni::from_slice::<Vec<Date>>(black_box(&bytes)).unwrap());
    });
    group.bench_function("read 3 fields", |b| {
        untimed_drop(b, || trevni::from_slice::<Vec<Route>>(black_box(&bytes)).unwrap());
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
