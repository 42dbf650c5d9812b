//! Measuring: all contestants run once in each repetition, and a ratio is of times of one repetition.

use crate::contestants::{Contestant, Named, Outcome};
use trevni_bench::clock::time;
use trevni_bench::random::Random;

/// Rows of a selection of many.
pub const MANY: usize = 100;
/// How many selections of one size there are; each call takes the next one.
const SELECTIONS: usize = 16;
/// CPU time that a measurement takes at least, in nanoseconds.
const SAMPLE: f64 = 50e6;
/// Most calls in one measurement.
const MOST_CALLS: f64 = 1000.0;
/// Where the rows are.
const SEED: u64 = 7;

/// What is read.
#[derive(Clone, Debug)]
pub enum Task {
    /// Some rows by their numbers: one of these selections in turn.
    Take(Vec<Vec<u64>>),
    /// All rows.
    Read,
}

/// Selections of `count` rows among `rows`, which ascend.
#[must_use]
pub fn selections(rows: usize, count: usize) -> Vec<Vec<u64>> {
    let mut random = Random::new(SEED + count as u64);
    let mut selection = || {
        let mut numbers: Vec<u64> = Vec::new();
        while numbers.len() < count.min(rows) {
            let number = random.below(rows) as u64;
            if let Err(at) = numbers.binary_search(&number) {
                numbers.insert(at, number);
            }
        }
        numbers
    };
    (0..SELECTIONS).map(|_| selection()).collect()
}

/// CPU nanoseconds of a call: for each contestant, of each repetition.
///
/// # Errors
///
/// A contestant that fails.
pub fn measure(
    contestants: &[Named],
    task: &Task,
    repetitions: usize,
    smoke: bool,
) -> Outcome<Vec<Vec<f64>>> {
    let mut calls = Vec::new();
    for (_, contestant) in contestants {
        let once = run(contestant.as_ref(), task, 1)?;
        calls.push(if smoke { 1 } else { (SAMPLE / once).clamp(1.0, MOST_CALLS) as usize });
    }
    let mut times = vec![Vec::new(); contestants.len()];
    for repetition in 0..repetitions {
        for at in 0..contestants.len() {
            // Each comes first in turn: what the one before has left in the caches is not always the same.
            let at = (at + repetition) % contestants.len();
            times[at].push(run(contestants[at].1.as_ref(), task, calls[at])?);
        }
    }
    Ok(times)
}

/// The mean of some calls.
fn run(contestant: &dyn Contestant, task: &Task, calls: usize) -> Outcome<f64> {
    let mut failed = None;
    let mut call = 0;
    let all = time(calls, || {
        let batches = match task {
            Task::Take(selections) => contestant.take(&selections[call % selections.len()]),
            Task::Read => contestant.read(),
        };
        call += 1;
        batches.map_err(|error| failed = Some(error)).ok()
    });
    failed.map_or(Ok(all.cpu), Err)
}
