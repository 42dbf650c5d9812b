//! Measures what logical types change: fields of real data sets as strings, and as the types that are found in them.

use clap::Parser;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use trevni::shape::Logical;
use trevni::{Reader, Shape, Writer, col};
use trevni_bench::clock::time;
use trevni_bench::codec::Codec;
use trevni_bench::data::Source;
use trevni_bench::data::flights::{self, Flight};
use trevni_bench::figures::median;
use trevni_bench::report::machine::Machine;
use trevni_bench::report::marks;
use trevni_bench::report::numbers::{ratio, table, thousands};

/// Rows of flights, where they are the sample.
const ROWS: usize = 300_000;

/// Compares fields stored as strings with the same fields stored as logical types.
#[derive(Parser)]
struct Options {
    /// CSV file of flights, in place of the sample in the repository
    #[arg(long)]
    flights: Option<PathBuf>,
    /// Files of JSON lines, data sets of their own
    #[arg(long, value_name = "JSONL", num_args = 1..)]
    lines: Vec<PathBuf>,
    /// How often everything is measured; the medians are reported
    #[arg(long, default_value_t = 7)]
    repetitions: usize,
    /// Markdown file to write the report into, between its marks
    #[arg(long)]
    report: Option<PathBuf>,
    /// Few rows, everything once: only to see that it works
    #[arg(long)]
    smoke: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let repetitions = if options.smoke { 1 } else { options.repetitions.max(1) };
    let mut report = Report { repetitions, ..Report::default() };
    let source = Source { scale: if options.smoke { 0.001 } else { 1.0 }, flights: options.flights };
    let once = flights::read(&source);
    let count = if source.flights.is_some() { once.len() } else { source.count(ROWS) };
    report.add("flights", &once.iter().cycle().take(count).cloned().collect::<Vec<Flight>>())?;
    for path in &options.lines {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        report.add(&name, &lines(path)?)?;
    }
    let text = report.to_markdown();
    println!("{text}");
    if let Some(path) = &options.report {
        marks::write(path, "logical", &text)?;
    }
    Ok(())
}

/// The rows of a file of JSON lines.
fn lines(path: &Path) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

#[derive(Default)]
struct Report {
    repetitions: usize,
    sets: Vec<String>,
    files: Vec<Vec<String>>,
    fields: Vec<Vec<String>>,
}

impl Report {
    fn add<T: Serialize + DeserializeOwned>(&mut self, name: &str, rows: &[T]) -> Result<(), Box<dyn Error>> {
        eprintln!("{name}: {} rows", rows.len());
        let mut found = Vec::new();
        for codec in [Codec::None, Codec::Zstandard] {
            let (texts, types) = (write(rows, codec, false)?, write(rows, codec, true)?);
            let fields = fields(Reader::from_slice(&types)?.shape());
            found = fields.iter().map(|(field, logical)| format!("`{field}` ({logical})")).collect();
            if fields.is_empty() {
                break;
            }
            self.files.push(self.file(name, rows, codec, [&texts, &types])?);
            for (field, logical) in fields {
                self.fields.push(self.field(name, &field, &logical, codec, [&texts, &types])?);
            }
        }
        let found = if found.is_empty() { "no field has a type".to_owned() } else { found.join(", ") };
        self.sets.push(format!("* {name}, {} rows: {found}\n", thousands(rows.len())));
        Ok(())
    }

    /// Whole files.
    fn file<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        rows: &[T],
        codec: Codec,
        [texts, types]: [&[u8]; 2],
    ) -> Result<Vec<String>, Box<dyn Error>> {
        let written = self.pairs(|with| write(rows, codec, with).map(drop))?;
        let read = self.pairs(|with| {
            let rows: Vec<T> = trevni::from_slice(if with { types } else { texts })?;
            std::hint::black_box(rows);
            Ok(())
        })?;
        Ok(vec![
            name.to_owned(),
            codec.name().to_owned(),
            thousands(texts.len()),
            ratio(types.len() as f64 / texts.len() as f64),
            ratio(written),
            ratio(read),
        ])
    }

    /// A field alone.
    fn field(
        &self,
        name: &str,
        field: &str,
        logical: &Logical,
        codec: Codec,
        files: [&[u8]; 2],
    ) -> Result<Vec<String>, Box<dyn Error>> {
        let [texts, types] = [Reader::from_slice(files[0])?, Reader::from_slice(files[1])?];
        let all = texts.column::<Option<String>>(field)?;
        assert_eq!(all, types.column::<Option<String>>(field)?, "{name}: {field}");
        let mut sorted: Vec<&str> = all.iter().flatten().map(String::as_str).collect();
        sorted.sort_unstable();
        let (low, high) = (sorted[sorted.len() / 2], sorted[sorted.len() * 51 / 100]);
        let between = col(field).ge(low) & col(field).le(high);
        let [some, typed] = [texts.filter(between.clone())?, types.filter(between)?];
        let size = |reader: &Reader<'_>| -> trevni::Result<u64> {
            Ok(reader.project([field])?.explain()?.bytes_read())
        };
        let of = |with: bool| if with { &types } else { &texts };
        let as_texts = self.pairs(|with| of(with).column::<Option<String>>(field).map(drop))?;
        let as_numbers = self.pairs(|with| match with {
            true => types.column::<Option<i64>>(field).map(drop),
            false => texts.column::<Option<String>>(field).map(drop),
        })?;
        let filtered =
            self.pairs(|with| if with { &typed } else { &some }.column::<Option<String>>(field).map(drop))?;
        Ok(vec![
            format!("{name} `{field}`"),
            logical.to_string(),
            codec.name().to_owned(),
            thousands(size(&texts)? as usize),
            ratio(size(&types)? as f64 / size(&texts)? as f64),
            ratio(as_texts),
            ratio(as_numbers),
            ratio(filtered),
        ])
    }

    /// CPU time with types ÷ without them: the median of all repetitions.
    fn pairs(&self, mut run: impl FnMut(bool) -> trevni::Result<()>) -> Result<f64, Box<dyn Error>> {
        let mut ratios = Vec::new();
        for repetition in 0..self.repetitions {
            let mut times = [0.0; 2];
            for with in [repetition % 2 == 0, repetition % 2 == 1] {
                let mut done = Ok(());
                times[usize::from(with)] = time(1, || done = run(with)).cpu;
                done?;
            }
            ratios.push(times[1] / times[0]);
        }
        Ok(median(&ratios))
    }

    fn to_markdown(&self) -> String {
        format!(
            "## Logical types\n\n{}\nFields of dates and instants as strings, and as the types that `WriterBuilder::detect_logical` \
             finds in them; the rows are equal. All ratios are with types ÷ with strings, CPU time, medians of {}; \
             both have their turn in each repetition.\n\n{}\n### Files\n\n{}\n### Fields alone\n\nThe column as \
             texts, the column as numbers ÷ as strings, and a filter that one value in a hundred passes.\n\n{}",
            Machine::here().to_markdown(),
            self.repetitions,
            self.sets.concat(),
            table(&["data", "codec", "bytes with strings", "bytes", "write", "full read"], &self.files),
            table(
                &[
                    "field",
                    "type",
                    "codec",
                    "bytes as strings",
                    "bytes",
                    "as strings",
                    "as numbers",
                    "filter"
                ],
                &self.fields
            ),
        )
    }
}

fn write<T: Serialize>(rows: &[T], codec: Codec, detect: bool) -> trevni::Result<Vec<u8>> {
    let builder = Writer::builder().codec(codec.trevni());
    let mut writer = if detect { builder.detect_logical() } else { builder }.build(Vec::new())?;
    writer.write_all(rows)?;
    writer.finish()
}

/// The outermost fields that have logical types.
fn fields(shape: &Shape) -> Vec<(String, Logical)> {
    let Shape::Record(record) = shape else { return Vec::new() };
    let logical = |shape: &Shape| match shape {
        Shape::Logical(logical) => Some(logical.logical.clone()),
        Shape::Optional(optional) => match &optional.item {
            Shape::Logical(logical) => Some(logical.logical.clone()),
            _ => None,
        },
        _ => None,
    };
    let field =
        record.fields.iter().filter_map(|field| Some((field.name.to_string(), logical(&field.shape)?)));
    field.collect()
}
