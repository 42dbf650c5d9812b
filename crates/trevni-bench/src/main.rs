//! Measures trevni against other formats and against code written by hand, in one run.

use clap::Parser;
use serde::Serialize;
use std::error::Error;
use std::fs;
use trevni_bench::figures::Figures;
use trevni_bench::options::Options;
use trevni_bench::report::{self, machine::Machine, marks};
use trevni_bench::scaling::{self, Scaling};
use trevni_bench::{run, warm};

/// Everything that has been measured.
#[derive(Serialize)]
struct Measured {
    machine: Machine,
    keep_memory: bool,
    figures: Figures,
    scaling: Option<Scaling>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if options.keep_memory {
        warm::keep_memory()?;
    }
    let figures = run::run(&options);
    let scaling = match options.scaling() {
        true => Some(scaling::measure(&options.source(), options.repetitions())?),
        false => None,
    };
    let machine = Machine::here();
    let text = report::speed(&machine, options.keep_memory, &figures, scaling.as_ref());
    println!("{text}");
    if let Some(path) = &options.report {
        marks::write(path, "speed", &text)?;
    }
    if let Some(path) = &options.json {
        let measured = Measured { machine, keep_memory: options.keep_memory, figures, scaling };
        fs::write(path, serde_json::to_vec_pretty(&measured)?)?;
    }
    Ok(())
}
