//! Measures trevni against other formats and against code written by hand, in one run.

use clap::Parser;
use serde::Serialize;
use std::error::Error;
use std::fs;
use trevni_bench::alone::{self, Alone};
use trevni_bench::figures::Figures;
use trevni_bench::options::{self, Options, Part};
use trevni_bench::report::{self, choices, machine::Machine, marks};
use trevni_bench::{
    apart::{self, Memory},
    run, warm,
};

/// Everything that has been measured.
#[derive(Serialize)]
struct Measured {
    machine: Machine,
    keep_memory: bool,
    figures: Figures,
    /// Codec none, with an allocator that keeps memory.
    kept: Figures,
    alone: Option<Alone>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if options.keep_memory {
        warm::keep_memory()?;
    }
    match &options.part {
        Some(Part::Alone) => return print(&alone::measure(&options)?),
        Some(Part::Data) => return print(&run::run(&options)),
        None => {}
    }
    let (mut figures, mut kept) = (Figures::default(), Figures::default());
    let wanted = options.kept().filter(|_| !options.keep_memory);
    for data in options.data_sets() {
        figures.append(apart::measure(&options, Part::Data, data, Memory::Default)?);
        if let Some(wanted) = &wanted {
            kept.append(apart::measure(wanted, Part::Data, data, Memory::Kept)?);
        }
    }
    let alone: Option<Alone> = match options.scaling() {
        true => Some(apart::measure(&options, Part::Alone, options::SCALING, Memory::Default)?),
        false => None,
    };
    let machine = Machine::here();
    let text =
        report::speed(&machine, options.keep_memory, [&figures, &kept], alone.as_ref(), options.show());
    println!("{text}");
    if let Some(path) = &options.report {
        marks::write(path, "speed", &text)?;
    }
    if let Some(path) = &options.choices {
        let folder = path.with_extension("");
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        marks::write(path, "choices", &choices::tables([&figures, &kept], &name))?;
        choices::pictures(&figures, &folder)?;
    }
    if let Some(path) = &options.json {
        let measured = Measured { machine, keep_memory: options.keep_memory, figures, kept, alone };
        fs::write(path, serde_json::to_vec(&measured)?)?;
    }
    Ok(())
}

fn print(measured: &impl Serialize) -> Result<(), Box<dyn Error>> {
    println!("{}", serde_json::to_string(measured)?);
    Ok(())
}
