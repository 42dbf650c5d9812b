//! Types that contain themselves, and the limit of nesting.

use std::collections::BTreeMap;

use derive_tests::assert_round_trip;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Loose;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    value: usize,
    next: Option<Box<Node>>,
}

fn chain(length: usize) -> Node {
    (1..length).fold(Node { value: 0, next: None }, |node, value| Node { value, next: Some(Box::new(node)) })
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Tree {
    id: u32,
    children: Vec<Tree>,
}

fn tree(id: u32, fan: u32, depth: u32) -> Tree {
    let children =
        if depth == 0 { vec![] } else { (0..fan).map(|n| tree(id * fan + n, fan, depth - 1)).collect() };
    Tree { id, children }
}

#[test]
fn a_chain_that_grows_from_row_to_row() {
    assert_round_trip(&(1..12).map(chain).collect::<Vec<_>>());
}

#[test]
fn a_chain_of_forty_nodes() {
    assert_round_trip(&[chain(1), chain(40), chain(3)]);
}

#[test]
fn trees_of_several_shapes() {
    assert_round_trip(&[tree(1, 2, 0), tree(1, 2, 4), tree(1, 5, 2), tree(1, 1, 8), tree(1, 0, 1)]);
}

#[test]
fn an_expression_of_boxed_variants() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Expr {
        Number(f64),
        Neg(Box<Expr>),
        Add(Box<Expr>, Box<Expr>),
        Call { name: String, args: Vec<Expr> },
    }
    let number = |n| Box::new(Expr::Number(n));
    assert_round_trip(&[
        Expr::Number(1.0),
        Expr::Add(number(1.0), Box::new(Expr::Neg(number(2.0)))),
        Expr::Call { name: "max".into(), args: vec![Expr::Number(3.0), Expr::Add(number(4.0), number(5.0))] },
    ]);
}

#[track_caller]
fn assert_too_deep(row: &impl Serialize) {
    let error = trevni::to_vec([row]).unwrap_err().to_string().to_lowercase();
    assert!(["nest", "deep", "depth"].iter().any(|word| error.contains(word)), "{error}");
}

#[test]
fn a_chain_beyond_the_limit_is_a_clear_error() {
    assert_too_deep(&chain(1_000));
}

#[test]
fn lists_beyond_the_limit_are_a_clear_error() {
    assert_too_deep(&(0..1_000).fold(Loose::Int(0), |inner, _| Loose::List(vec![inner])));
}

#[test]
fn maps_beyond_the_limit_are_a_clear_error() {
    assert_too_deep(
        &(0..1_000).fold(Loose::Int(0), |inner, _| Loose::Map(BTreeMap::from([("k".into(), inner)]))),
    );
}

#[test]
fn json_values_nested_sixty_deep() {
    let deep = (0..30).fold(json!(1), |inner, n| json!({"n": n, "in": [inner]}));
    assert_round_trip(&[deep]);
}
