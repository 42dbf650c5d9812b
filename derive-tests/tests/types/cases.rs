//! Random cases: a graph of types and rows that serde itself brings back.

use crate::checks::Case;
use crate::finite;
use crate::generate;
use crate::model::Graph;
use crate::oracle;
use crate::random::Random;
use crate::value::Value;
use crate::values::Values;
use std::cell::Cell;

/// Values of one row, about, before it goes no deeper.
const MOST_VALUES: usize = 1000;

/// The case of a number; none where serde brings back no row of its type.
pub fn case(seed: u64, number: usize) -> Option<Case> {
    let mut random = Random::new(seed ^ (number as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    let (graph, pool) = generate::graph(&mut random);
    if !finite::is_finite(&graph) {
        return None;
    }
    let graph = graph.leak();
    let count = match random.below(16) {
        0 => 0,
        1 => 60,
        _ => random.between(1, 9),
    };
    let mut rows = rows_of(&mut random, graph, &pool, count);
    if rows.is_empty() && count > 0 {
        return None;
    }
    // The same rows again and again, so that most are written and read as those before them were.
    if random.one_in(5) && rows.len() < 10 {
        rows = rows.iter().cycle().take(rows.len() * 12).cloned().collect();
    }
    Some(Case { graph, pool, rows, seed: random.next() })
}

/// Rows of a type, without those that serde does not bring back.
pub fn rows_of(
    random: &mut Random,
    graph: &'static Graph,
    pool: &[&'static str],
    count: usize,
) -> Vec<Value> {
    let rows = (0..count).map(|_| {
        let depth = random.between(1, 4);
        Values { graph, pool, depth, left: Cell::new(MOST_VALUES) }.row(random)
    });
    rows.filter(|row| oracle::comes_back(graph, row)).collect()
}
