//! Prints rows that are chosen at random.

use super::cat::{self, Rows};
use crate::failure::Failure;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni sample -n 5 flights.trv
  trevni sample -n 1000 --seed 7 flights.trv -w 'dep_delay > 60' -f csv")]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) rows: Rows,
    /// A number that chooses the rows: the same rows for the same number
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
}

pub(crate) fn run(args: &Sample) -> Result<u8, Failure> {
    cat::sample(&args.rows, args.seed.unwrap_or_else(|| fastrand::u64(..)))
}
