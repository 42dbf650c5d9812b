//! The command line of trevni.

mod args;
mod avro;
mod columns;
mod commands;
mod encoding;
mod expression;
mod extents;
mod failure;
mod human;
mod infer;
mod input;
mod interrupt;
mod order;
mod output;
mod parallel;
mod paths;
mod plan;
mod progress;
mod report;
mod rows;
mod scalar;
mod selecting;
mod shown;
mod text;
mod type_name;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.write_global();
    progress::configure(cli.quiet, cli.no_progress, cli.progress_after);
    interrupt::listen();
    match run(cli.command) {
        Ok(code) => ExitCode::from(code),
        // Who reads has seen enough.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            ExitCode::from(failure.code())
        }
    }
}

fn run(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Convert(args) => commands::convert::run(&args),
        Command::Info(args) => commands::info::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Size(args) => commands::size::run(&args),
        Command::Layout(args) => commands::layout::run(&args),
        Command::Stats(args) => commands::stats::run(&args),
        Command::Dump(args) => commands::dump::run(&args),
        Command::Cat(args) => commands::cat::cat(&args),
        Command::Head(args) => commands::cat::head(&args),
        Command::Tail(args) => commands::cat::tail(&args),
        Command::Sample(args) => commands::sample::run(&args),
        Command::Count(args) => commands::count::run(&args),
        Command::Query(args) => commands::query::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Split(args) => commands::split::run(&args),
        Command::Recode(args) => commands::recode::run(&args),
        Command::Random(args) => commands::random::run(&args),
        Command::Completions { shell } => commands::help::completions(shell),
        Command::Man { command } => commands::help::man(command.as_deref()),
    }
}
