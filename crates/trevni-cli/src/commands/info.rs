//! What a file is: rows, columns, bytes, codecs, metadata.

use crate::failure::Failure;
use crate::human::{bytes, thousands};
use crate::input::{self, Input};
use crate::output::Output;
use crate::paths;
use clap::Args;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni info --json *.trv")]
pub(crate) struct Info {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// One JSON object for each file
    #[arg(long)]
    pub(crate) json: bool,
    /// Only the value of this key of the metadata
    #[arg(long, value_name = "KEY", conflicts_with = "json")]
    pub(crate) key: Option<String>,
}

/// Metadata that is shown elsewhere.
const KNOWN: [&str; 3] = ["avro.schema", "trevni.codec", "trevni.checksum"];

pub(crate) fn run(args: &Info) -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    for (number, path) in input::files(&args.files)?.iter().enumerate() {
        let input = input::open(path)?;
        let written = match &args.key {
            Some(key) => match input.reader.metadata().get(key) {
                Some(value) => out.write_all(value).and_then(|()| out.write_all(b"\n")),
                None => return Err(Failure::new(format!("{}: no key {key:?} in the metadata", input.name))),
            },
            None if args.json => writeln!(out, "{}", as_json(&input)?),
            None => {
                let gap = if number > 0 { out.write_all(b"\n") } else { Ok(()) };
                gap.and_then(|()| Facts::of(&input).map_err(io::Error::other)?.write(&input, &mut out))
            }
        };
        written.map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| 0)
}

/// Names, and how many columns have each.
type Names = BTreeMap<String, usize>;

/// What the columns have in common.
struct Facts {
    codecs: Names,
    checksums: Names,
    blocks: usize,
}

impl Facts {
    fn of(input: &Input) -> Result<Self, trevni::Error> {
        let mut facts = Self { codecs: Names::new(), checksums: Names::new(), blocks: 0 };
        for (number, column) in input.reader.columns().iter().enumerate() {
            *facts.codecs.entry(column.codec().to_owned()).or_default() += 1;
            *facts.checksums.entry(column.checksum().to_owned()).or_default() += 1;
            facts.blocks += input.reader.blocks(number)?.len();
        }
        Ok(facts)
    }

    fn write(&self, input: &Input, out: &mut Output) -> io::Result<()> {
        let reader = &input.reader;
        let columns = reader.columns().len();
        let (rows, size) = (thousands(reader.row_count()), bytes(input.bytes));
        let version = reader.version().number();
        writeln!(out, "{}  Trevni {version}, {rows} rows, {columns} columns, {size}", input.name)?;
        let fields = paths::fields(reader.shape());
        let top = fields.iter().filter(|path| !path.contains('.')).count();
        writeln!(out, "schema    {top} fields, {} with those inside", fields.len())?;
        writeln!(out, "codec     {}", listed(&self.codecs, columns))?;
        writeln!(out, "checksum  {}", listed(&self.checksums, columns))?;
        writeln!(out, "blocks    {}", thousands(self.blocks as u64))?;
        for (key, value) in reader.metadata().iter().filter(|(key, _)| !KNOWN.contains(key)) {
            writeln!(out, "metadata  {key}={}", shown(value))?;
        }
        Ok(())
    }
}

fn listed(names: &Names, columns: usize) -> String {
    if names.len() == 1 && columns > 0 {
        return names.keys().next().cloned().unwrap_or_default();
    }
    names.iter().map(|(name, count)| format!("{name} ({count})")).collect::<Vec<_>>().join(", ")
}

/// A value of the metadata: text where it is some.
fn shown(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) if !text.contains(|c: char| c.is_control()) => text.to_owned(),
        _ => format!("{} bytes", value.len()),
    }
}

fn as_json(input: &Input) -> Result<Value, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
    let facts = Facts::of(input).map_err(failed)?;
    let metadata: Map<String, Value> = input
        .reader
        .metadata()
        .iter()
        .map(|(key, value)| (key.to_owned(), String::from_utf8_lossy(value).into_owned().into()))
        .collect();
    Ok(json!({
        "file": input.name,
        "format": "trevni",
        "version": input.reader.version().number(),
        "rows": input.reader.row_count(),
        "columns": input.reader.columns().len(),
        "blocks": facts.blocks,
        "bytes": input.bytes,
        "codecs": facts.codecs,
        "checksums": facts.checksums,
        "metadata": metadata,
    }))
}
