//! What has no contestants: the crate beside itself, and beside memory. Measured in a process of its own, because
//! what others have left of the heap costs time.

pub mod checksums;
pub mod scaling;

use crate::clock::{Time, time};
use crate::figures::median;
use crate::options::Options;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::process::{Command, Stdio};

/// What has been found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Alone {
    /// By the number of rows, and a column beside memory.
    pub scaling: scaling::Scaling,
    /// By data set.
    pub checksums: Vec<checksums::Checksums>,
}

/// Measures here.
///
/// # Errors
///
/// None, unless the crate fails.
pub fn measure(options: &Options) -> trevni::Result<Alone> {
    let (source, repetitions) = (options.source(), options.repetitions());
    Ok(Alone {
        scaling: scaling::measure(&source, repetitions)?,
        checksums: checksums::measure(&source, repetitions)?,
    })
}

/// Measures in another process.
///
/// # Errors
///
/// A process that cannot be started, or fails.
pub fn measure_apart(options: &Options) -> Result<Alone, Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--alone").arg(format!("--repetitions={}", options.repetitions));
    command.arg(format!("--rows-scale={}", options.rows_scale));
    command.args(options.flights.iter().flat_map(|path| ["--flights".as_ref(), path.as_os_str()]));
    command.args(options.smoke.then_some("--smoke"));
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("measuring what has no contestants: {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
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

fn cpu(times: &[Time]) -> f64 {
    median(&times.iter().map(|time| time.cpu).collect::<Vec<_>>())
}

fn wall(times: &[Time]) -> f64 {
    median(&times.iter().map(|time| time.wall).collect::<Vec<_>>())
}
