//! Prints rows that are chosen at random.

use super::cat::{self, PrintRows};
use crate::failure::Failure;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni sample -n 5 flights.trv
  trevni sample -n 1000 --seed 7 flights.trv -w 'dep_delay > 60' -f csv")]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) rows: PrintRows,
    /// Seed: equal seeds choose equal rows
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
}

pub(crate) fn run(args: &Sample) -> Result<u8, Failure> {
    cat::sample(&args.rows, args.seed.unwrap_or_else(|| fastrand::u64(..)))
}
