//! The formats of rows, and the options of commands that print them.

use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// One JSON object per line
    Jsonl,
    /// A JSON array
    Json,
    /// Avro's JSON encoding, one row per line; unions are {"branch": value}
    AvroJson,
    /// Comma-separated values; lists and maps as JSON
    Csv,
    /// Tab-separated values
    Tsv,
    /// A table
    Table,
}

/// How and where rows are printed.
#[derive(Debug, Args)]
pub(crate) struct Printing {
    /// Output format [default: jsonl for cat, else table]
    #[arg(short, long, value_enum)]
    pub(crate) format: Option<RowFormat>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(long)]
    force: bool,
    /// Text for null in CSV and TSV
    #[arg(long, value_name = "TEXT", default_value = "")]
    null: String,
    /// Omit field names in CSV and TSV
    #[arg(long)]
    no_header: bool,
    /// Print values of logical types, such as instants, as they are stored: numbers and bytes
    #[arg(long)]
    pub(crate) stored: bool,
}

impl Printing {
    /// Where rows are printed.
    pub(crate) fn output(&self) -> Result<Output, Failure> {
        Output::new(self.output.as_deref(), self.force)
    }

    pub(crate) fn style(&self) -> Style {
        Style { header: !self.no_header, null: self.null.clone(), stored: self.stored }
    }
}

/// How rows are printed, beside the form.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    /// Whether CSV and TSV begin with the names of the fields.
    pub(crate) header: bool,
    /// The text for null in CSV and TSV.
    pub(crate) null: String,
    /// Whether values of logical types are printed as they are stored, not as texts.
    pub(crate) stored: bool,
}
