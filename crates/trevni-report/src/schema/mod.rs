//! The schema of a file: a tree, a list, JSON, Avro, a message, Rust structs, or definitions of Protocol Buffers or Thrift.

mod avro;
pub mod flat;
mod json;
mod rust;
pub(crate) mod tree;

use crate::failure::Failure;
use crate::input::{self, Input, Opened};
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Report, most_lines, tell_of_all};
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
    /// Avro's JSON, as it is in the file; for files with levels, of its rows
    Avro,
    /// A message { }, as RedElm files and the Dremel paper have it; of a Parquet file, its own schema
    Message,
    /// Rust structs that read the rows
    Rust,
    /// Definitions of Protocol Buffers, as convert --to protobuf writes rows
    Proto,
    /// Definitions of Thrift
    Thrift,
}

/// A schema as it is written.
enum Printed {
    Text(String),
    /// A tree, and how many fields there are.
    Tree(String, usize),
    Report(Report),
}

impl SchemaFormat {
    /// The schema of a file; `name` is that of the row. Each format has a variant, a line here, and a file or crate.
    fn print(self, name: &str, input: &Input, most: usize) -> Result<Printed, Failure> {
        let shape = input.reader.shape();
        Ok(Printed::Text(match self {
            Self::Tree => {
                let (text, fields) = tree::tree(name, shape, most);
                return Ok(Printed::Tree(text, fields));
            }
            Self::Flat => return Ok(Printed::Report(flat::flat(shape))),
            Self::Json => format!("{:#}\n", json::json(shape)),
            Self::Avro => avro::avro(input)?,
            Self::Message => shape.to_message(),
            Self::Rust => rust::structs(name, &input.reader),
            Self::Proto => trevni_idl::proto(name, shape).to_string(),
            Self::Thrift => trevni_idl::thrift(name, shape),
        }))
    }
}

/// Options of `trevni schema`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni schema -f rust flights.trv > flight.rs
  trevni schema -f proto flights.trv > flight.proto")]
pub struct Schema {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// Output format
    #[arg(short, long, value_enum, default_value_t = SchemaFormat::Tree)]
    pub(crate) format: SchemaFormat,
    /// Print at most this many lines of a tree or list: the outermost fields, the first and the last [default: 100
    /// on a terminal, else all]
    #[arg(short = 'n', long, value_name = "LINES")]
    pub(crate) number: Option<usize>,
}

/// Runs `trevni schema`; the exit code.
///
/// # Errors
///
/// What cannot be read or written.
pub fn run(args: &Schema) -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    let most = most_lines(args.number, &out);
    let printed = match input::open_rows(&args.file, Progress::default())? {
        Opened::Columns(input) => print(args, &input, most)?,
        #[cfg(feature = "parquet")]
        Opened::Parquet(file) => match args.format {
            SchemaFormat::Message => Printed::Text(file.file.message()),
            _ => print(args, &file.columns(input::Part { rows: Some(0), ..input::Part::default() })?, most)?,
        },
    };
    let written = match printed {
        Printed::Text(text) => out.write_all(text.as_bytes()),
        Printed::Tree(text, fields) => {
            out.write_all(text.as_bytes()).and_then(|()| tell_of_all(fields, args.number, &mut out))
        }
        Printed::Report(report) => report.write_ends(args.number, &mut out),
    };
    written.map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}

/// The schema of a column file, named after it.
fn print(args: &Schema, input: &Input, most: usize) -> Result<Printed, Failure> {
    let name = Path::new(&input.name).file_stem().map_or("row".into(), |stem| stem.to_string_lossy());
    args.format.print(&name, input, most)
}
