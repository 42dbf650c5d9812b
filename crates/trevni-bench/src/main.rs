//! Measures trevni against other formats and against code written by hand, in one run.

use clap::Parser;
use serde::Serialize;
use std::error::Error;
use std::fs;
use trevni_bench::alone::{self, Alone};
use trevni_bench::figures::Figures;
use trevni_bench::options::Options;
use trevni_bench::report::{self, machine::Machine, marks};
use trevni_bench::{run, warm};

/// Everything that has been measured.
#[derive(Serialize)]
struct Measured {
    machine: Machine,
    keep_memory: bool,
    figures: Figures,
    alone: Option<Alone>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if options.keep_memory {
        warm::keep_memory()?;
    }
    if options.alone {
        println!("{}", serde_json::to_string(&alone::measure(&options)?)?);
        return Ok(());
    }
    let figures = run::run(&options);
    let alone = match options.scaling() {
        true => Some(alone::measure_apart(&options)?),
        false => None,
    };
    let machine = Machine::here();
    let text = report::speed(&machine, options.keep_memory, &figures, alone.as_ref());
    println!("{text}");
    if let Some(path) = &options.report {
        marks::write(path, "speed", &text)?;
    }
    if let Some(path) = &options.json {
        let measured = Measured { machine, keep_memory: options.keep_memory, figures, alone };
        fs::write(path, serde_json::to_vec_pretty(&measured)?)?;
    }
    Ok(())
}
