//! All contestants give the same rows, and these are the rows that were written.

use std::sync::Arc;
use trevni::{Reader, Writer};
use trevni_arrow::batch_of_record_batch_as;
use trevni_bench::data::{DataSet, Source, flights, log, mail, mesh, minecraft};
use trevni_bench_vortex::agree;
use trevni_bench_vortex::contestants::all;
use trevni_bench_vortex::measure::{MANY, selections};
use trevni_bench_vortex::table::Table;

fn check<D: DataSet>() {
    let rows = D::rows(&Source { scale: 0.02, flights: None });
    let table = Table::of::<D>(&rows).unwrap();
    let back = rows_of::<D>(&table, &trevni::to_vec(&rows).unwrap());
    assert!(back == rows, "{}: the record batches have other rows", D::NAME);

    let contestants = all::<D>(&rows, &table).unwrap();
    let selections = [selections(rows.len(), 1), selections(rows.len(), MANY)].concat();
    agree::check(&table, &contestants, &selections).unwrap();
}

/// The rows of a table, by way of another file of the shape that `file` has.
fn rows_of<D: DataSet>(table: &Table, file: &[u8]) -> Vec<D::Row> {
    let shape = Arc::new(Reader::from_slice(file).unwrap().shape().clone());
    let mut writer = Writer::builder().shape(&shape).build(Vec::new()).unwrap();
    for batch in &table.batches {
        writer.write_batch(&batch_of_record_batch_as(&shape, batch).unwrap()).unwrap();
    }
    trevni::from_slice(&writer.finish().unwrap()).unwrap()
}

#[test]
fn flights() {
    check::<flights::Flights>();
}

#[test]
fn nested() {
    check::<mail::Nested>();
}

#[test]
fn mesh() {
    check::<mesh::Mesh>();
}

#[test]
fn log() {
    check::<log::Log>();
}

#[test]
fn minecraft() {
    check::<minecraft::Minecraft>();
}
