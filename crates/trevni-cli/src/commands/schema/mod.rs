//! The schema of a file: a tree, a list, JSON, as Avro, or as Rust structs.

mod flat;
mod json;
mod rust;
mod tree;

use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};

/// How a schema is shown.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SchemaFormat {
    /// A tree of fields
    Tree,
    /// One path and type per line
    Flat,
    /// JSON with all details, in a format of its own
    Json,
    /// Avro's JSON, as it is in the file
    Avro,
    /// Rust structs that read the rows
    Rust,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni schema -f rust flights.trv > flight.rs")]
pub(crate) struct Schema {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// Output format
    #[arg(short, long, value_enum, default_value_t = SchemaFormat::Tree)]
    pub(crate) format: SchemaFormat,
}

pub(crate) fn run(args: &Schema) -> Result<u8, Failure> {
    let input = input::open(&args.file)?;
    let name = Path::new(&input.name).file_stem().map_or("row".into(), |stem| stem.to_string_lossy());
    let mut out = Output::new(None, false)?;
    let text = match args.format {
        SchemaFormat::Flat => {
            flat::flat(input.reader.shape()).write(&mut out).map_err(|error| out.failed(&error))?;
            return out.finish().map(|()| 0);
        }
        SchemaFormat::Json => format!("{:#}\n", json::json(input.reader.shape())),
        SchemaFormat::Tree => tree::tree(&name, input.reader.shape()),
        SchemaFormat::Rust => rust::structs(&name, input.reader.shape()),
        SchemaFormat::Avro => match input.reader.metadata().get_str("avro.schema") {
            Some(text) => match serde_json::from_str::<serde_json::Value>(text) {
                Ok(schema) => format!("{schema:#}\n"),
                Err(_) => format!("{text}\n"),
            },
            None => return Err(Failure::new(format!("{} has no Avro schema, only columns", input.name))),
        },
    };
    out.write_all(text.as_bytes()).map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}
