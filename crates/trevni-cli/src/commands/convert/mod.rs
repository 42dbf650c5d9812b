//! Converts files to Trevni, and Trevni files to other formats.

mod args;
mod export;
mod foreign;
mod import;
#[cfg(feature = "protobuf")]
mod messages;
#[cfg(feature = "parquet")]
mod parquet;
mod parsed;
mod temporary;

pub(crate) use args::Convert;
pub(crate) use foreign::{Foreign, columns};
pub(crate) use import::{KnownField, described};
#[cfg(feature = "sql")]
pub(crate) use temporary::copied;
pub(crate) use temporary::{by_name, printed, written};

use super::written::format;
use crate::dialect;
use crate::failure::Failure;
use crate::format::{Format, guess, has_other_ending, stem};
#[cfg(feature = "parquet")]
use crate::human::count;
use crate::input::{self, is_standard};
#[cfg(feature = "parquet")]
use crate::output;
use crate::output::refuse_existing;
use crate::progress::Progress;
use crate::text::TextSource;
use std::path::{Path, PathBuf};
use trevni_infer::counts::wanted::WantedType;

pub(crate) fn run(args: &Convert) -> Result<u8, Failure> {
    for (inputs, output) in outputs(args)? {
        if let Some(output) = &output {
            may_be_written(args, output)?;
        }
        let sources = inputs.iter().map(|input| source(args, input)).collect::<Result<Vec<_>, _>>()?;
        if parsed::is_asked_for(args) {
            parse(args, sources, output)?;
            continue;
        }
        match <[_; 1]>::try_from(sources) {
            Ok([(source, from)]) => one(args, source, from, output)?,
            Err(sources) => several(args, sources, output)?,
        }
    }
    Ok(0)
}

/// Converts files to one, with values in the place of strings that are their JSON.
fn parse(args: &Convert, sources: Vec<(TextSource, Format)>, output: Option<PathBuf>) -> Result<(), Failure> {
    let Some(output) = output.filter(|_| !args.check) else {
        let failure = Failure::usage("-t PATH=any cannot be used with --dry-run or --check");
        return Err(failure.hint("To see the types that it finds: trevni schema, on the output"));
    };
    let from = sources.first().map_or(Format::Trv, |(_, from)| *from);
    let to = to(args, from, Some(&output))?;
    if let Some(other) = sources.iter().map(|(_, from)| *from).find(|from| !from.is_text()) {
        only_from_text(args, other, to)?;
    }
    match is_columns(to) || export::can_be(to) {
        true => parsed::run(args, sources, to, &output),
        false => Err(not_there("this", from, to, false)),
    }
}

/// Converts a file.
fn one(args: &Convert, source: TextSource, from: Format, output: Option<PathBuf>) -> Result<(), Failure> {
    let to = to(args, from, output.as_deref())?;
    #[cfg(feature = "protobuf")]
    only_for_messages(args, from, to)?;
    #[cfg(feature = "parquet")]
    if to != Format::Parquet {
        args.written.parquet.is_not_for(to)?;
    }
    match (from, to, output) {
        (from, to, output) if from.is_text() && (is_columns(to) || output.is_none()) => {
            import::run(args, vec![(source, from)], output)
        }
        (from, to, Some(output)) if temporary::has_rows(from) && export::can_be(to) => {
            if !from.is_text() {
                only_from_text(args, from, Format::Trv)?;
            }
            temporary::convert(args, vec![(source, from)], to, &output)
        }
        (Format::Avro, to, Some(output)) if is_columns(to) => {
            only_from_text(args, from, to)?;
            import::avro::run(args, &source, &output)
        }
        #[cfg(feature = "parquet")]
        (Format::Arrow, to, Some(output)) if is_columns(to) => {
            only_from_text(args, from, to)?;
            let (rows, bytes) = import::of_arrow(args, &source, &output)?;
            output::made(&source.name, &output, count(rows, "row"), bytes);
            Ok(())
        }
        #[cfg(feature = "protobuf")]
        (Format::Protobuf, to, Some(output)) if is_columns(to) => {
            only_from_text(args, from, to)?;
            import::protobuf::run(args, &source, &output)
        }
        #[cfg(feature = "parquet")]
        (from, to, Some(output)) if parquet::can_be(from, to) => {
            only_from_text(args, from, to)?;
            parquet::run(args, source, from, to, &output)
        }
        (Format::Trv, to, Some(output)) if export::can_be(to) => {
            only_from_text(args, from, to)?;
            export::run(args, source.opened(Progress::default())?.columns()?, to, &output)
        }
        (from, to, _) => Err(not_there(&source.name, from, to, args.dry_run)),
    }
}

/// Converts files to one; without an output, it only says what would become of them.
fn several(
    args: &Convert,
    sources: Vec<(TextSource, Format)>,
    output: Option<PathBuf>,
) -> Result<(), Failure> {
    if args.check {
        return Err(Failure::usage("--check compares one file with what is made of it"));
    }
    let to = to(args, Format::Csv, output.as_deref())?;
    let other = sources.iter().map(|(_, from)| *from).find(|from| !from.is_text());
    if let Some(other) = other {
        only_from_text(args, other, to)?;
    }
    let is_cells = |format: Format| matches!(format, Format::Csv | Format::Tsv);
    let cells = sources.iter().filter(|(_, from)| is_cells(*from)).count();
    let is_alike = other.is_none() && (cells == 0 || cells == sources.len());
    match output {
        output if is_alike && (is_columns(to) || output.is_none()) => import::run(args, sources, output),
        Some(output) if is_columns(to) || export::can_be(to) => {
            temporary::convert(args, sources, to, &output)
        }
        _ => Err(not_there("these files", Format::Trv, to, args.dry_run)),
    }
}

/// The source and its format; it is looked into where its name does not say that this is of no use.
fn source(args: &Convert, input: &Path) -> Result<(TextSource, Format), Failure> {
    #[cfg(feature = "protobuf")]
    if args.from.or_else(|| Format::of_name(input)) == Some(Format::Protobuf) {
        return Ok((TextSource::binary(input)?, Format::Protobuf));
    }
    let mut source = TextSource::encoded(input, args.cells.encoding)?;
    source.skip_lines(args.cells.skip_lines);
    let Some(from) = args.from.or_else(|| guess(input, &source.start)) else {
        let failure = Failure::usage(format!("{}: its format is not known", source.name));
        return Err(failure.hint(format!("To name it: --from {}", Format::names())));
    };
    Ok((source, from))
}

/// The format of the result.
fn to(args: &Convert, from: Format, output: Option<&Path>) -> Result<Format, Failure> {
    let path = output.filter(|path| !is_standard(path) && has_other_ending(path));
    if let (None, Some(path)) = (args.to, path) {
        let failure = Failure::usage(format!("{}: no format has this ending", path.display()));
        return Err(
            failure.hint(format!("To choose a format: --to trv; known endings are {}", Format::endings()))
        );
    }
    let usual = if from == Format::Trv { Format::Jsonl } else { Format::Trv };
    Ok(format(args.to, output).unwrap_or(usual))
}

/// Whether a file of a format is made of columns.
fn is_columns(format: Format) -> bool {
    match format {
        Format::Trv => true,
        #[cfg(feature = "parquet")]
        Format::Parquet => true,
        _ => false,
    }
}

/// Why one format cannot be made another.
fn not_there(name: &str, from: Format, to: Format, dry_run: bool) -> Failure {
    let failure = match dry_run {
        true => Failure::usage(format!("{name}: --dry-run infers types, and {from} files state theirs")),
        false => Failure::usage(format!("{name}: {from} cannot be converted to {to}")),
    };
    match (from, to) {
        _ if dry_run => failure.hint(format!("To see it: trevni schema {name}")),
        (Format::Trv, Format::Trv) => failure.hint("To write a file again: trevni recode"),
        #[cfg(not(feature = "parquet"))]
        (Format::Parquet | Format::Arrow, _) | (_, Format::Parquet | Format::Arrow) => {
            failure.hint(crate::input::NO_PARQUET)
        }
        _ => failure.hint("By way of Trevni: trevni convert twice"),
    }
}

/// An error for options that are about finding types, where the types are known.
fn only_from_text(args: &Convert, from: Format, to: Format) -> Result<(), Failure> {
    let types = &args.types;
    let given = [
        ("--check", (from != Format::Avro || to != Format::Trv) && args.check),
        ("--type", types.types.iter().any(|(_, wanted)| *wanted != WantedType::Any)),
        ("--schema", types.schema.is_some()),
        ("--infer-rows", types.infer_rows.is_some()),
        ("--map", !types.map.is_empty()),
        ("--struct", !types.structs.is_empty()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            let failure = Failure::usage(format!("{option} is not for files that are {from}"));
            Err(failure.hint("It applies only to JSON, CSV and TSV, whose types are inferred"))
        }
        None => Ok(()),
    }
}

/// An error for options that are about messages, where there are none.
#[cfg(feature = "protobuf")]
fn only_for_messages(args: &Convert, from: Format, to: Format) -> Result<(), Failure> {
    match [from, to].contains(&Format::Protobuf) || !args.messages.is_given() {
        true => Ok(()),
        false => {
            let failure = Failure::usage(format!("--descriptor is not for {from} and {to}"));
            Err(failure.hint("It is for Protocol Buffers: --from protobuf, or --to protobuf"))
        }
    }
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

/// The files that become one, and that one; nothing where nothing is written.
type Job = (Vec<PathBuf>, Option<PathBuf>);

/// What is to be done.
fn outputs(args: &Convert) -> Result<Vec<Job>, Failure> {
    let (mut files, mut output) = (args.files.clone(), args.output.clone());
    if let ([first, second], None) = (files.as_slice(), &output) {
        let is_trevni = |path: &Path| Format::of_name(path) == Some(Format::Trv);
        if is_trevni(first) != is_trevni(second) && !first.is_dir() {
            output = files.pop();
        }
    }
    let all = input::files(&files)?;
    if let Some(file) = all.iter().find(|file| file.is_in_partition()) {
        let failure = format!("{} is in a folder whose name is a value of its rows", file.path().display());
        return Err(Failure::usage(failure).hint("To have it in the rows: trevni cat FOLDER -o all.trv"));
    }
    let files: Vec<PathBuf> = all.into_iter().map(|file| file.path().to_owned()).collect();
    let folder = output.as_deref().filter(|path| path.is_dir());
    if let (Some(output), None, true) = (&output, folder, files.len() > 1) {
        // The output of an earlier call is not one of them.
        let is_other = |file: &PathBuf| args.files.contains(file) || file != output;
        let files = files.into_iter().filter(is_other).collect();
        return Ok(vec![(files, Some(output.clone()).filter(|_| !args.dry_run))]);
    }
    let one = |input: PathBuf| {
        if args.dry_run {
            return Ok((vec![input], None));
        }
        let output = match (&output, folder, is_standard(&input)) {
            (_, Some(folder), false) => folder.join(name(args, &input).file_name().unwrap_or_default()),
            (Some(output), None, _) => output.clone(),
            (None, _, false) => name(args, &input),
            _ => {
                let failure = Failure::usage("the output needs a name, for standard input has no name");
                return Err(failure.hint("To give it one: -o FILE; to write to standard output: -o -"));
            }
        };
        Ok((vec![input], Some(output)))
    };
    files.into_iter().map(one).collect()
}

/// The name of the output for an input.
fn name(args: &Convert, input: &Path) -> PathBuf {
    let usual = match Format::of_name(input) {
        Some(Format::Trv) => Format::Jsonl,
        _ => Format::Trv,
    };
    let mut name = stem(input).into_os_string();
    name.push(".");
    name.push(match args.to.unwrap_or(usual) {
        Format::Trv => dialect::ending(args.written.encoding.formats.dialect.unwrap_or_default()),
        other => other.ending(),
    });
    PathBuf::from(name)
}
