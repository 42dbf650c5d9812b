//! Converts Parquet files to column files, and column files to Parquet: `convert [OPTION]... [FROM TO]...`
//!
//! A file whose name ends in `.parquet` is Parquet, any other a column file. Options come before the files:
//! `--property NAME=VALUE` as Hadoop has them, `--read-schema JSON`, `--projection-schema JSON`, `--int96 micros`.

use std::error::Error;
use std::fs::File;
use std::path::Path;
use trevni::{AtomicFile, Reader, Writer};
use trevni_parquet::{Int96, ParquetOptions, ParquetReader, ParquetReaderBuilder};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Err(error) = convert(&arguments) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn convert(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (mut reading, mut writing) = (ParquetReader::builder(), ParquetOptions::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("{argument} needs a second one"))?;
        match argument.as_str() {
            "--property" => {
                let (name, value) = value.split_once('=').ok_or("a property is NAME=VALUE")?;
                writing = writing.property(name, value)?;
            }
            "--read-schema" => reading = reading.read_schema(value),
            "--projection-schema" => reading = reading.projection_schema(value),
            "--int96" => {
                reading = reading.int96(if value == "micros" { Int96::Micros } else { Int96::Nanos })
            }
            from => file(&reading, &writing, from.as_ref(), value.as_ref())
                .map_err(|error| format!("{from}: {error}"))?,
        }
    }
    Ok(())
}

fn file(
    reading: &ParquetReaderBuilder,
    writing: &ParquetOptions,
    from: &Path,
    to: &Path,
) -> Result<(), Box<dyn Error>> {
    if from.extension().is_some_and(|ending| ending == "parquet") {
        trevni_parquet::to_trevni(reading.open(from)?, Writer::builder(), AtomicFile::create(to)?)?
            .commit()?;
    } else {
        trevni_parquet::to_parquet(&Reader::open(from)?, writing.clone(), File::create(to)?)?;
    }
    Ok(())
}
