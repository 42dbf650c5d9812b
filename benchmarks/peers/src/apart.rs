//! Measures a part in a process of its own: what others have left of the heap costs time, and small data sets most.

use crate::options::{Options, Part};
use crate::warm::SETTINGS;
use clap::ValueEnum;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::process::{Command, Stdio};

/// What the allocator does with memory that has been freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// As it always does.
    Default,
    /// It keeps it ([`SETTINGS`]).
    Kept,
}

/// What another process of this program finds, with the same options: `data` is the data set.
///
/// # Errors
///
/// A process that cannot be started, or fails.
pub fn measure<T: DeserializeOwned>(
    options: &Options,
    part: Part,
    data: &str,
    memory: Memory,
) -> Result<T, Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    if memory == Memory::Kept {
        command.envs(SETTINGS);
    }
    command.args(arguments(options, part, data));
    let output = command.args(&options.flights).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("measuring {data}: {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The options of a part; the file of flights, if there is one, follows.
fn arguments(options: &Options, part: Part, data: &str) -> Vec<String> {
    let mut arguments = vec![
        format!("--part={}", name(part)),
        format!("--data={data}"),
        format!("--codec={}", names(&options.codec)),
        format!("--checksum={}", names(&options.checksum)),
        format!("--repetitions={}", options.repetitions),
        format!("--rows-scale={}", options.rows_scale),
    ];
    if !options.peers.is_empty() {
        arguments.push(format!("--peers={}", names(&options.peers)));
    }
    arguments.extend(options.smoke.then(|| "--smoke".to_owned()));
    arguments.extend(options.flights.is_some().then(|| "--flights".to_owned()));
    arguments
}

fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn names(values: &[impl ValueEnum + Copy]) -> String {
    values.iter().map(|value| name(*value)).collect::<Vec<_>>().join(",")
}
