//! Reads everything, and says what is damaged.

#[cfg(feature = "parquet")]
mod parquet;

use crate::failure::{DAMAGED, Failure, LIMITED};
use crate::human::{count, thousands};
use crate::input::{self, Unopened};
use crate::limits::told;
use crate::output::Output;
use crate::progress::Progress;
use crate::reading;
use crate::shown::shown;
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use trevni::Dialect;
use trevni::verify::{Finding, Tier, Verify as Check, VerifyReport};
use unicode_width::UnicodeWidthStr;

#[derive(Debug, Args)]
#[command(after_help = "Tiers: structure, checksums, decoding, lengths, schema, statistics, unowned

Examples:
  trevni verify *.trv
  trevni verify --only checksums parts

Exit code 3 if a file is damaged, 1 if some of it has not been checked because it takes more than the limits
allow: see --max-memory.")]
pub(crate) struct Verify {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Look only at these tiers, such as structure,checksums
    #[arg(long, value_name = "TIERS", value_delimiter = ',')]
    pub(crate) only: Vec<Tier>,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &Verify) -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    let mut code = 0;
    let files = input::files(&args.files)?;
    let files: Vec<&Path> = files.iter().map(|file| file.path()).collect();
    let width = files.iter().map(|path| shown(&path.display().to_string()).width()).max().unwrap_or(0);
    let mut check = Check::new().reader(reading::builder());
    if !args.only.is_empty() {
        check = check.tiers(args.only.iter().copied());
    }
    for path in files {
        let name = path.display().to_string();
        let written = match input::unopened(path, progress(path)) {
            #[cfg(feature = "parquet")]
            Ok(Unopened::Parquet(file)) => {
                let decodes = args.only.is_empty() || args.only.contains(&Tier::Decoding);
                let report = parquet::ParquetReport::of(&file, decodes)?;
                code = code.max(report.code());
                let gap = " ".repeat(width.saturating_sub(shown(&name).width()));
                match args.json {
                    true => writeln!(out, "{}", report.as_json(&name)),
                    false => report.write(&name, &gap, &mut out),
                }
            }
            Ok(Unopened::Columns(opened, source)) => {
                let failed = |error: trevni::Error| Failure::of(Path::new(&opened), &error);
                let report = check.source(source).map_err(failed)?;
                code = worse(code, &report);
                match args.json {
                    true => writeln!(out, "{}", as_json(&name, &report)),
                    false => write(&name, width, &report, &mut out),
                }
            }
            Err(failure) if failure.code() == DAMAGED => {
                code = DAMAGED;
                let message = failure.message();
                let message =
                    message.strip_prefix(&name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(message);
                match args.json {
                    true => writeln!(out, "{}", no_file(&name, message)),
                    false => {
                        let gap = width.saturating_sub(shown(&name).width());
                        writeln!(out, "damaged  {}{:gap$}  {}", shown(&name), "", shown(message))
                    }
                }
            }
            Err(failure) => return Err(failure),
        };
        written.map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| code)
}

/// The exit code after a file: what is damaged counts more than what has not been checked.
fn worse(code: u8, report: &VerifyReport) -> u8 {
    match (report.is_damaged(), report.is_ok()) {
        (true, _) => DAMAGED,
        (false, false) if code == 0 => LIMITED,
        _ => code,
    }
}

/// Bytes are read three times: as blocks, as columns, and as rows.
fn progress(path: &Path) -> Progress {
    Progress::bytes("verifying", input::size(path) * 3)
}

fn write(name: &str, width: usize, report: &VerifyReport, out: &mut Output) -> io::Result<()> {
    let (safe, gap) = (shown(name), width.saturating_sub(shown(name).width()));
    let gap = " ".repeat(gap);
    if report.is_ok() {
        let (blocks, rows) = (count(report.blocks, "block"), count(report.rows, "row"));
        writeln!(out, "ok       {safe}{gap}  {blocks}, {rows}")?;
    }
    for note in &report.notes {
        writeln!(out, "note     {safe}{gap}  {}", shown(&note.to_string()))?;
    }
    for finding in &report.findings {
        writeln!(out, "damaged  {safe}{gap}  {}", shown(&told(finding.error())))?;
        if let Some(rows) = finding.rows() {
            let (first, last) = (thousands(rows.start), thousands(rows.end - 1));
            let what = if is_lost(finding.tier()) { "cannot be read" } else { "are not what the file says" };
            writeln!(out, "         {:width$}  rows {first} to {last} {what}", "")?;
        }
    }
    if report.omitted > 0 {
        writeln!(out, "damaged  {safe}{gap}  and {} more", thousands(report.omitted))?;
    }
    for finding in &report.unchecked {
        writeln!(out, "limited  {safe}{gap}  not checked: {}", shown(&told(finding.error())))?;
        if let Some(rows) = finding.rows() {
            let (first, last) = (thousands(rows.start), thousands(rows.end - 1));
            writeln!(out, "         {:width$}  rows {first} to {last} have not been read", "")?;
        }
    }
    Ok(())
}

/// As [`as_json`], for what is no file of a known format.
fn no_file(name: &str, message: &str) -> Value {
    let damage = json!([{"tier": Tier::Structure.name(), "message": message}]);
    json!({"file": Path::new(name), "ok": false, "blocks": 0, "rows": 0, "damage": damage, "omitted": 0, "unchecked": [], "notes": []})
}

/// Whether the rows of a finding are lost.
fn is_lost(tier: Tier) -> bool {
    tier < Tier::Schema
}

/// `{"file", "ok", "format", "columns", "blocks", "rows", "damage": [{"tier", "message", "column", "block", "byte",
/// "first_row", "rows"}], "omitted", "unchecked": as damage, "notes": ["..."]}`; places that are not known are not there.
fn as_json(name: &str, report: &VerifyReport) -> Value {
    let one = |finding: &Finding| {
        let place = finding.error().location();
        let mut one = json!({"tier": finding.tier().name(), "message": told(finding.error())});
        let rows = finding.rows();
        let places = [
            ("column", place.column.clone().map(Value::from)),
            ("block", place.block.map(Value::from)),
            ("byte", place.offset.map(Value::from)),
            ("first_row", rows.as_ref().map(|rows| rows.start.into())),
            ("rows", rows.map(|rows| (rows.end - rows.start).into())),
        ];
        for (key, value) in places {
            if let (Some(value), Some(one)) = (value, one.as_object_mut()) {
                one.insert(key.to_owned(), value);
            }
        }
        one
    };
    let damage: Vec<Value> = report.findings.iter().map(one).collect();
    let unchecked: Vec<Value> = report.unchecked.iter().map(one).collect();
    let notes: Vec<String> = report.notes.iter().map(trevni::Error::to_string).collect();
    json!({
        "file": Path::new(name),
        "ok": report.is_ok(),
        "format": report.dialect.map(Dialect::name),
        "columns": report.columns,
        "blocks": report.blocks,
        "rows": report.rows,
        "damage": damage,
        "omitted": report.omitted,
        "unchecked": unchecked,
        "notes": notes,
    })
}
