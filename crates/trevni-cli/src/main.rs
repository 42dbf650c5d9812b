//! The command line of trevni.

mod columns;
mod commands;
mod dialect;
mod encoding;
mod extents;
mod failure;
mod human;
mod infer;
mod input;
mod interrupt;
mod numbers;
mod order;
mod output;
mod parallel;
mod plan;
mod progress;
mod report;
mod report_value;
mod rows;
mod selecting;
mod shown;
mod text;
mod type_name;

use anstream::ColorChoice;
use clap::{CommandFactory, Parser, ValueEnum};
use commands::Command;
use std::process::ExitCode;

/// Inspect, query and convert Trevni column files.
#[derive(Debug, Parser)]
#[command(name = "trevni", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
    /// Print only errors on standard error
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Show no progress bars
    #[arg(long, global = true)]
    no_progress: bool,
    /// Milliseconds before a progress bar appears
    #[arg(long, global = true, value_name = "MILLISECONDS", hide = true)]
    progress_after: Option<u64>,
}

const EXAMPLES: &str = "Examples:
  trevni info flights.trv
  trevni head -n 3 flights.trv -c carrier,dep_delay
  trevni cat flights.trv -w 'carrier = \"AA\" and dep_delay > 60' -f csv";

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes this the choice of all output.
    fn write_global(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.write_global();
    progress::configure(cli.quiet, cli.no_progress, cli.progress_after);
    interrupt::listen();
    match cli.command.run(Cli::command()) {
        Ok(code) => ExitCode::from(code),
        // Whoever reads the output has seen enough.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            ExitCode::from(failure.code())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_do_not_clash() {
        Cli::command().debug_assert();
    }
}
