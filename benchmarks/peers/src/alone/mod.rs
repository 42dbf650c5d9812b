//! What has no contestants: the crate beside itself, and beside memory.

pub mod checksums;
pub mod scaling;
pub mod ways;

use crate::clock::{Time, time};
use crate::figures::median;
use crate::options::Options;
use serde::{Deserialize, Serialize};

/// What has been found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Alone {
    /// By the number of rows, and a column beside memory.
    pub scaling: scaling::Scaling,
    /// By data set.
    pub checksums: Vec<checksums::Checksums>,
    /// By data set.
    pub ways: Vec<ways::Ways>,
}

/// Measures.
///
/// # Errors
///
/// None, unless the crate fails.
pub fn measure(options: &Options) -> trevni::Result<Alone> {
    let (source, repetitions) = (options.source(), options.repetitions());
    Ok(Alone {
        scaling: scaling::measure(&source, repetitions)?,
        checksums: checksums::measure(&source, repetitions)?,
        ways: ways::measure(&source, repetitions)?,
    })
}

/// Times two calls in turn.
fn both<A, B>(
    repetitions: usize,
    iterations: usize,
    mut first: impl FnMut() -> A,
    mut second: impl FnMut() -> B,
) -> (Vec<Time>, Vec<Time>) {
    (0..repetitions).map(|_| (time(iterations, &mut first), time(iterations, &mut second))).unzip()
}

/// How long a measurement of a pair should take, in nanoseconds.
const SAMPLE: f64 = 20e6;

/// The medians of the ratios of pairs, CPU and wall.
fn ratio<A, B>(pairs: usize, above: impl FnMut() -> A, mut below: impl FnMut() -> B) -> Time {
    let iterations = (SAMPLE / time(1, &mut below).cpu) as usize;
    let (above, below) = both(pairs, iterations.max(1), above, below);
    let of = |which: fn(&Time) -> f64| {
        let ratios = above.iter().zip(&below).map(|(above, below)| which(above) / which(below));
        median(&ratios.collect::<Vec<_>>())
    };
    Time { cpu: of(|time| time.cpu), wall: of(|time| time.wall) }
}

fn cpu(times: &[Time]) -> f64 {
    median(&times.iter().map(|time| time.cpu).collect::<Vec<_>>())
}

fn wall(times: &[Time]) -> f64 {
    median(&times.iter().map(|time| time.wall).collect::<Vec<_>>())
}
