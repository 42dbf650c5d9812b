//! Files and streams that have no columns, which commands that read rows take too.

use super::Convert;
use super::args::CellOptions;
use super::temporary::{Defaults, Temporary, has_rows};
use crate::failure::{Failure, LIMITED};
use crate::format::{Format, guess};
use crate::human::{self, count};
use crate::input::{self, Begun, Spooled, Stream, name_of, spool};
use crate::limits::limits;
use crate::progress::{self, Progress};
use crate::remote;
use crate::text::TextSource;
use clap::builder::Resettable;
use clap::{Args, Id};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

/// How files without columns are read by commands that have no such options themselves.
#[derive(Clone, Debug, Args)]
pub(crate) struct Foreign {
    /// Format of files without columns: jsonl, json, csv, tsv, … [default: by name or content]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    from: Option<Format>,
    #[command(flatten)]
    cells: CellOptions,
}

static FOREIGN: OnceLock<Foreign> = OnceLock::new();

/// The options that commands may have for what they write.
const OF_OUTPUTS: [&str; 2] = ["null", "no_header"];
/// The others.
const OF_INPUTS: [&str; 14] = [
    "from",
    "delimiter",
    "quote",
    "escape",
    "comment",
    "skip_lines",
    "trim",
    "encoding",
    "header",
    "pad",
    "numbers",
    "booleans",
    "date_format",
    "all_strings",
];

impl Foreign {
    /// Makes this what all files are read with.
    pub(crate) fn configure(self) {
        FOREIGN.get_or_init(|| self);
    }

    /// Gives its options to all commands; two of them are for what is read before the name of the command only. Help has them
    /// where they are to be shown.
    pub(crate) fn shared(program: clap::Command, is_shown: bool) -> clap::Command {
        program.mut_args(|arg| match arg.get_id().as_str() {
            id if OF_OUTPUTS.contains(&id) => arg.hide(true),
            id if OF_INPUTS.contains(&id) => {
                arg.global(true).hide(!is_shown).short(None).conflicts_with(Resettable::<Id>::Reset)
            }
            _ => arg,
        })
    }
}

/// Converts a file or stream to a column file, if it is JSON, CSV, TSV, Avro or Arrow. Where only the first rows are wanted, it
/// has no others, and the types are those of these rows.
pub(crate) fn columns(path: &Path, begun: Option<Begun>, rows: u64) -> Result<Option<File>, Failure> {
    let mut args = Defaults::of(path)?;
    if let Some(Foreign { from, cells }) = FOREIGN.get().cloned() {
        (args.from, args.cells) = (from, cells);
    }
    args.number = Some(rows).filter(|rows| *rows < u64::MAX);
    if let Some((start, stream)) = begun {
        return of_stream(&args, path, start, stream);
    }
    // An object needs a request.
    let may_have_rows = Format::of_name(path).map_or(!remote::is_url(path) || args.from.is_some(), has_rows);
    if !may_have_rows || (!remote::is_url(path) && !path.is_file()) {
        return Ok(None);
    }
    let begun = Instant::now();
    let source = opened(&args, path, None)?;
    let Some(format) = format_of(&args, path, &source) else {
        return Ok(None);
    };
    let temporary = Temporary::of(&args, vec![(source, format)])?;
    let (name, seconds) = (path.display(), begun.elapsed().as_secs_f64());
    let what = args.number.map_or(String::new(), |rows| format!("the first {} ", count(rows, "row")));
    progress::note(format_args!(
        "{name}: {format}, {what}converted in {seconds:.1} s to be read; to do so once: trevni convert {name}"
    ));
    temporary.open().map(Some)
}

/// The format of a file that needs another to be read. What is said is not of files that are no text.
fn format_of(args: &Convert, path: &Path, source: &TextSource) -> Option<Format> {
    let found = guess(path, &source.start);
    let said = args.from.filter(|_| found.is_none_or(Format::is_text));
    said.or(found).filter(|format| has_rows(*format))
}

/// A source, with what is said of it.
fn opened(args: &Convert, path: &Path, spooled: Option<Spooled>) -> Result<TextSource, Failure> {
    let mut source = match spooled {
        None => TextSource::encoded(path, args.cells.encoding)?,
        Some(spooled) => TextSource::spooled(name_of(path), spooled, args.cells.encoding)?,
    };
    source.skip_lines(args.cells.skip_lines);
    Ok(source)
}

/// Bytes that a format is told by.
const LOOK: usize = 4096;

/// Converts a stream. Where only the first rows are wanted, it is not read to its end: lines that do for them are, and more where
/// they do not.
fn of_stream(
    args: &Convert,
    path: &Path,
    mut bytes: Vec<u8>,
    mut stream: Stream,
) -> Result<Option<File>, Failure> {
    let failed = |error: io::Error| Failure::io(name_of(path), &error);
    let format = |source: &TextSource| format_of(args, path, source);
    let Some(rows) = args.number else {
        // What is of no known format may have no end.
        while bytes.len() < LOOK && stream.more(&mut bytes).map_err(failed)? {}
        let start = opened(args, path, Some(Spooled::Memory(bytes.clone())));
        if start.is_ok_and(|start| format(&start).is_none()) {
            return Ok(None);
        }
        let source = opened(args, path, Some(spool(bytes.chain(stream)).map_err(failed)?))?;
        let Some(format) = format(&source) else { return Ok(None) };
        return Temporary::of(args, vec![(source, format)])?.open().map(Some);
    };
    // With one of names.
    let mut lines = rows.saturating_add(args.cells.skip_lines).saturating_add(1);
    let (mut ends, mut looked) = (Vec::new(), 0);
    loop {
        let end = loop {
            let last = usize::try_from(lines - 1).unwrap_or(usize::MAX);
            let new = memchr::memchr_iter(b'\n', bytes.get(looked..).unwrap_or_default());
            ends.extend(new.map(|at| looked + at + 1));
            looked = bytes.len();
            match ends.get(last) {
                Some(end) => break Some(*end),
                None if bytes.len() as u64 > limits().memory => {
                    let most = human::bytes(limits().memory);
                    let name = name_of(path);
                    return Err(Failure::new(format!("{name}: the first rows take more than {most}"))
                        .with_code(LIMITED));
                }
                None if stream.more(&mut bytes).map_err(failed)? => {}
                None => break None,
            }
        };
        let is_whole = end.is_none();
        let mut part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default().to_vec();
        if !is_whole && args.from.or_else(|| Format::of_start(&part)) == Some(Format::Json) {
            end_array(&mut part);
        }
        let source = opened(args, path, Some(Spooled::Memory(part)));
        let made = source.and_then(|source| match format(&source) {
            Some(format) => Temporary::of(args, vec![(source, format)]).map(Some),
            None => Ok(None),
        });
        let has_all = |made: &Temporary| {
            let input = input::open_columns(&made.path, Progress::default());
            input.is_ok_and(|input| input.reader.row_count() >= rows)
        };
        match made {
            Ok(None) if is_whole || bytes.len() >= LOOK => return Ok(None),
            Ok(Some(made)) if is_whole || has_all(&made) => return made.open().map(Some),
            Err(failure) if is_whole => return Err(failure),
            _ => lines = lines.saturating_add(lines / 2 + 1),
        }
    }
}

/// Ends an array after its last whole line.
fn end_array(text: &mut Vec<u8>) {
    if text.trim_ascii_start().starts_with(b"[") {
        let rows = text.trim_ascii_end();
        let end = rows.strip_suffix(b",").unwrap_or(rows).len();
        text.truncate(end);
        text.push(b']');
    }
}
