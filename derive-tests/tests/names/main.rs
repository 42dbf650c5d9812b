//! Types whose names meet: a variant named like its enum, a struct like a variant, a field like one of Avro's
//! types. What is written comes back, typed and untyped, in whatever order the rows come.

#![allow(unreachable_pub, reason = "what modules of a test share is `pub`")]
// Variants that are named like their enum are what these tests are about.
#![allow(clippy::enum_variant_names)]

mod absence;
mod avro_words;
mod enums;
mod failing;
mod keys;
mod nested_names;
mod references;

use std::fmt::Debug;

use derive_tests::{assert_reads, assert_reads_as_json, assert_round_trip};
use serde::{Serialize, de::DeserializeOwned};

/// Asserts that rows come back in several orders, alone, typed and as JSON.
#[track_caller]
fn assert_any_order<T>(rows: &[T])
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + Clone,
{
    for rows in orders(rows) {
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
