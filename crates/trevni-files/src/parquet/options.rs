//! Options of Parquet files, for reading and for writing.

use crate::failure::Failure;
use clap::{Args, ValueEnum};
use std::fmt::Display;
use std::sync::OnceLock;
use trevni::Codec;
use trevni_parquet::{Int96, ParquetOptions, ParquetReader, ParquetReaderBuilder};

/// Where help has the options.
const HEADING: &str = "Parquet";

/// How files are read that do not say all of themselves.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ParquetReading {
    /// Unit of instants of 96 bits in Parquet files: nanos, or micros for days before 1677 or after 2262 [default: nanos]
    #[arg(long, global = true, help_heading = HEADING, value_name = "UNIT", hide_possible_values = true, hide_short_help = true)]
    int96: Option<Unit>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Unit {
    Nanos,
    Micros,
}

static INT96: OnceLock<Int96> = OnceLock::new();

impl ParquetReading {
    /// Makes this what all files are read with.
    pub(crate) fn configure(&self) {
        let unit = match self.int96 {
            Some(Unit::Micros) => Int96::Micros,
            Some(Unit::Nanos) | None => Int96::Nanos,
        };
        INT96.get_or_init(|| unit);
    }
}

/// How files are read.
pub fn reading() -> ParquetReaderBuilder {
    ParquetReader::builder().int96(INT96.get().copied().unwrap_or_default())
}

/// How Parquet files are written.
#[derive(Clone, Debug, Default, Args)]
pub struct ParquetWriting {
    /// Option of a Parquet file by the name that Hadoop gives it, such as parquet.block.size=64000000 (bytes of a row
    /// group), parquet.page.size, parquet.dictionary.page.size, parquet.enable.dictionary, parquet.compression and
    /// parquet.writer.version (v1 or v2); can be repeated
    #[arg(long, help_heading = HEADING, value_name = "NAME=VALUE", value_parser = property, hide_short_help = true)]
    pub(crate) property: Vec<(String, String)>,
}

impl ParquetWriting {
    /// What properties and codecs say, of which the last one counts. `parse` is for the codec's name.
    pub fn options(
        &self,
        codecs: &[String],
        row_group_bytes: Option<usize>,
    ) -> Result<ParquetOptions, Failure> {
        let mut options = ParquetOptions::new();
        if let Some(bytes) = row_group_bytes {
            options = options.row_group_bytes(bytes);
        }
        for (name, value) in &self.property {
            options = options.property(name, value).map_err(|error| {
                let failure = Failure::usage(format!("--property {name}={value}: {error}"));
                match ParquetOptions::PROPERTIES.contains(&name.as_str()) {
                    true => failure,
                    false => failure.hint(format!("Properties: {}", ParquetOptions::PROPERTIES.join(", "))),
                }
            })?;
        }
        for text in codecs {
            options = with_codec(options, text)?;
        }
        Ok(options)
    }
}

impl ParquetWriting {
    /// An error for properties that are given where another format is written.
    pub fn is_not_for(&self, format: impl Display) -> Result<(), Failure> {
        if self.property.is_empty() {
            return Ok(());
        }
        let failure = Failure::usage(format!("--property is not for {format}"));
        Err(failure.hint("It is for Parquet: --to parquet"))
    }
}

/// The codecs by the names that options have.
const CODECS: [(&str, Codec); 8] = [
    ("none", Codec::Null),
    ("null", Codec::Null),
    ("uncompressed", Codec::Null),
    ("snappy", Codec::Snappy),
    ("gzip", Codec::Deflate),
    ("zstd", Codec::Zstandard),
    ("zstandard", Codec::Zstandard),
    ("lz4", Codec::Lz4),
];

/// With a codec and its level: `zstd:9`.
fn with_codec(options: ParquetOptions, text: &str) -> Result<ParquetOptions, Failure> {
    let (name, level) = match text.split_once(':') {
        Some((name, level)) => (name, Some(level)),
        None => (text, None),
    };
    if name.contains('=') {
        return Err(Failure::usage(format!("--codec {text}: Parquet files have one codec for all columns")));
    }
    let lower = name.to_ascii_lowercase();
    let Some((_, codec)) = CODECS.iter().find(|(known, _)| *known == lower) else {
        let failure = Failure::usage(format!("Parquet has no codec {name:?} that can be written"));
        return Err(failure.hint("Codecs: none, snappy, gzip, zstd, lz4"));
    };
    let wrong = || Failure::usage(format!("--codec {text}: there is no such level"));
    let options = options.codec(*codec).map_err(|_| wrong())?;
    match level {
        Some(level) => options.level(level.parse().map_err(|_| wrong())?).map_err(|_| wrong()),
        None => Ok(options),
    }
}

/// A name and a value: `parquet.page.size=65536`.
fn property(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("a name and a value, such as parquet.page.size=65536")?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codecs_and_levels_are_those_of_parquet() {
        let options = |codec: &str| ParquetWriting::default().options(&[codec.to_owned()], None);
        for codec in ["none", "SNAPPY", "gzip:9", "zstd:22", "lz4", "uncompressed"] {
            assert!(options(codec).is_ok(), "{codec}");
        }
        for wrong in ["bzip2", "auto", "lzo", "zstd:99", "snappy:1", "zstd:", "a=zstd", ""] {
            assert_eq!(options(wrong).unwrap_err().code(), 2, "{wrong}");
        }
    }
}
