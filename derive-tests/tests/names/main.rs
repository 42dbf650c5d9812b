//! Types whose names meet: a variant named like its enum, a struct like a variant, a field like one of Avro's
//! types. What is written comes back, typed and untyped, in whatever order the rows come.

// Variants that are named like their enum are what these tests are about.
#![allow(clippy::enum_variant_names)]

mod absence;
mod avro_words;
mod enums;
mod failing;
mod keys;
mod nested_names;
mod references;
#[path = "../types/schema.rs"]
mod schema;

use std::fmt::Debug;

use derive_tests::{assert_reads, assert_reads_as_json, assert_round_trip, every_encoding};
use serde::{Serialize, de::DeserializeOwned};
use trevni::Reader;

/// Asserts that rows come back in several orders, alone, typed and as JSON, and that the stored schemas are
/// legal Avro.
#[track_caller]
fn assert_any_order<T>(rows: &[T])
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + Clone,
{
    for rows in orders(rows) {
        assert_legal_schema(&rows);
        assert_round_trip(&rows);
    }
}

/// As [`assert_any_order`], read as another type. Both lists are put in the same orders.
#[track_caller]
fn assert_any_order_reads<W, R>(written: &[W], expected: &[R])
where
    W: Serialize + Clone,
    R: DeserializeOwned + PartialEq + Debug + Clone,
{
    for (written, expected) in orders(written).into_iter().zip(orders(expected)) {
        assert_legal_schema(&written);
        assert_reads(&written, &expected);
        assert_reads_as_json(&written);
    }
}

/// Every row alone, and all of them beginning with each, forwards and backwards.
fn orders<T: Clone>(rows: &[T]) -> Vec<Vec<T>> {
    let mut orders: Vec<Vec<T>> = rows.iter().map(|row| vec![row.clone()]).collect();
    for first in 0..rows.len() {
        let mut order = rows.to_vec();
        order.rotate_left(first);
        orders.push(order.clone());
        order.reverse();
        orders.push(order);
    }
    orders
}

#[track_caller]
fn assert_legal_schema<T: Serialize>(rows: &[T]) {
    for file in every_encoding(rows) {
        let reader = Reader::from_slice(&file.bytes).unwrap();
        let stored = reader.metadata().get_str("avro.schema").expect("a schema").to_owned();
        for schema in [stored, reader.shape().to_avro()] {
            if let Err(error) = schema::check(&schema) {
                panic!("{error}, {}:\n{schema}", file.name);
            }
        }
    }
}
