//! Makes Trevni files of others.

mod args;
mod import;

pub(crate) use args::Convert;

use crate::failure::Failure;
use crate::input::is_standard;
use crate::output::refuse_existing;
use crate::text::{Format, Source, guess, stem};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Convert) -> Result<u8, Failure> {
    for (input, output) in outputs(args)? {
        if let Some(output) = &output {
            may_be_written(args, output)?;
        }
        let source = Source::open(&input)?;
        let from = args.from.or_else(|| guess(&input, &source.start));
        let Some(from) = from else {
            let failure = Failure::usage(format!("{}: what format is this?", source.name));
            return Err(failure.hint("To say so: --from jsonl, json, csv or tsv"));
        };
        match (from, args.to.unwrap_or(Format::Trv)) {
            (Format::Jsonl | Format::Json | Format::Csv | Format::Tsv, Format::Trv) => {
                import::run(args, source, from, output)?;
            }
            (from, to) => {
                let failure = format!("{}: {from:?} cannot be converted to {to:?}", source.name);
                return Err(Failure::usage(failure.to_lowercase()));
            }
        }
    }
    Ok(0)
}

/// An error where an output cannot be, before anything is read.
fn may_be_written(args: &Convert, output: &Path) -> Result<(), Failure> {
    match (is_standard(output), args.check) {
        (false, _) => refuse_existing(output, args.force),
        (true, false) => Ok(()),
        (true, true) => {
            let failure = Failure::usage("what goes to standard output cannot be read back to check it");
            Err(failure.hint("To write a file: -o FILE"))
        }
    }
}

/// The files and what becomes of each; nothing where nothing is written.
fn outputs(args: &Convert) -> Result<Vec<(PathBuf, Option<PathBuf>)>, Failure> {
    let (mut files, mut output) = (args.files.clone(), args.output.clone());
    if let ([first, second], None) = (files.as_slice(), &output) {
        let is_trevni = |path: &Path| Format::of_name(path) == Some(Format::Trv);
        if is_trevni(first) != is_trevni(second) {
            output = files.pop();
        }
    }
    let folder = output.as_deref().filter(|path| path.is_dir());
    if let (Some(output), None, true) = (&output, folder, files.len() > 1) {
        let failure = Failure::usage(format!("{} files cannot all be {}", files.len(), output.display()));
        return Err(failure.hint("The output of several files is a folder"));
    }
    let one = |input: PathBuf| {
        if args.dry_run {
            return Ok((input, None));
        }
        let output = match (&output, folder, is_standard(&input)) {
            (_, Some(folder), false) => folder.join(name(&input).file_name().unwrap_or_default()),
            (Some(output), None, _) => output.clone(),
            (None, _, false) => name(&input),
            _ => {
                let failure = Failure::usage("standard input has no name that the output could have");
                return Err(failure.hint("To give it one: -o FILE; to write to standard output: -o -"));
            }
        };
        Ok((input, Some(output)))
    };
    files.into_iter().map(one).collect()
}

/// The name of the output for an input.
fn name(input: &Path) -> PathBuf {
    let mut name = stem(input).into_os_string();
    name.push(".trv");
    PathBuf::from(name)
}
