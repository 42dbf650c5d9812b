//! What is measured.

use datafusion::error::{DataFusionError, Result};
use std::path::PathBuf;

pub(crate) const HELP: &str = "\
cargo bench -p trevni-datafusion --all-features -- [SET…] [OPTION…]

sets: flights, tpch, nested, clicks; all without any

  --scale N         rows ÷ the usual number: TPC-H's scale factor; 0.01 without it for tpch, 1 for the others
  --flights FILE    a CSV file of flights in place of the repository's sample
  --files N         files of each table [4]
  --codec NAME      codec of Trevni's files, or default [default]
  --parquet NAME    compression of Parquet's files, or default [default]
  --duckdb PYTHON   asks DuckDB too, by a Python that has it
  --query TEXT      only queries whose names have it
  --turns N         measured turns [7]
  --test            everything once, with few rows";

pub(crate) struct Options {
    pub(crate) sets: Vec<String>,
    pub(crate) scale: Option<f64>,
    pub(crate) flights: Option<PathBuf>,
    pub(crate) files: usize,
    pub(crate) codec: String,
    pub(crate) parquet_codec: String,
    pub(crate) python: Option<PathBuf>,
    pub(crate) query: String,
    pub(crate) turns: usize,
}

impl Options {
    /// `None` where help is asked for.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Self>> {
        let mut options = Self {
            sets: Vec::new(),
            scale: None,
            flights: None,
            files: 4,
            codec: "default".to_owned(),
            parquet_codec: "default".to_owned(),
            python: None,
            query: String::new(),
            turns: 7,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| wrong(&word, "has no value"));
            match &*word {
                "--scale" => options.scale = Some(number(&value()?)?),
                "--flights" => options.flights = Some(value()?.into()),
                "--files" => options.files = number::<usize>(&value()?)?.max(1),
                "--codec" => options.codec = value()?,
                "--parquet" => options.parquet_codec = value()?,
                "--duckdb" => options.python = Some(value()?.into()),
                "--query" => options.query = value()?,
                "--turns" => options.turns = number(&value()?)?,
                "--test" => (options.scale, options.turns) = (Some(0.001), 1),
                // `cargo bench` says so to all benches.
                "--bench" => {}
                "--help" => return Ok(None),
                name if super::sets::NAMES.contains(&name) => options.sets.push(word),
                _ => return Err(wrong(&word, "is no set and no option")),
            }
        }
        if options.sets.is_empty() {
            options.sets = super::sets::NAMES.map(str::to_owned).to_vec();
        }
        Ok(Some(options))
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T> {
    text.parse().map_err(|_| wrong(text, "is no number"))
}

fn wrong(word: &str, what: &str) -> DataFusionError {
    DataFusionError::Configuration(format!("{word} {what}; see --help"))
}
