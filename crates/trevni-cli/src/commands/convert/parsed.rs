//! Strings as the values whose JSON they are: the way back from `--mixed json`.

use super::temporary::{Defaults, Temporary};
use super::{Convert, Format, TextSource, export, import};
use crate::failure::Failure;
use crate::human::count;
use crate::input::{self, Input};
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::rows::{Mixed, rewritten};
use serde_json::value::RawValue;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use trevni::value::RecordRef;
use trevni::{Batch, Reader, Shape, ValueRef, Vector};
use trevni_infer::counts::wanted::WantedType;
use trevni_query::paths::{FieldPath, Pattern, chosen};

/// Whether there are strings to parse.
pub(super) fn is_asked_for(args: &Convert) -> bool {
    args.types.types.iter().any(|(_, wanted)| *wanted == WantedType::Any)
}

/// Converts files to one, with values in the place of strings.
pub(super) fn run(
    args: &Convert,
    sources: Vec<(TextSource, Format)>,
    to: Format,
    output: &Path,
) -> Result<(), Failure> {
    let (any, types): (Vec<_>, Vec<_>) =
        args.types.types.iter().cloned().partition(|(_, wanted)| *wanted == WantedType::Any);
    let paths: Vec<String> = any.iter().map(|(path, _)| path.clone()).collect();
    let is_text = sources.iter().all(|(_, format)| format.is_text());
    let name = import::several(sources.iter().map(|(source, _)| &*source.name));
    let bytes: Option<u64> = sources.iter().map(|(source, _)| source.size()).sum();
    let mut strings = Convert { columns: Vec::new(), ..args.clone() };
    // Of text formats, the type of the strings would be inferred.
    let as_strings = any.into_iter().map(|(path, _)| (path, WantedType::String)).filter(|_| is_text);
    strings.types.types = types.into_iter().chain(as_strings).collect();
    let whole = Temporary::of(&strings, sources)?;
    let whole = input::open_columns(&whole.path, Progress::default())?;
    let reader = parsed(args, &whole.reader, &name, &Pattern::all(&paths)?)?;
    let input = Input { name, reader, bytes: bytes.unwrap_or(whole.bytes) };
    strings.columns.clone_from(&args.columns);
    strings.types.mixed = Mixed::Union;
    if export::can_be(to) {
        return export::run(&strings, input, to, output);
    }
    let rows = import::copy(&strings, &input, output)?;
    output::made(&input.name, output, count(rows, "row"), input.bytes);
    Ok(())
}

/// Rows with values in the place of the strings of some fields.
fn parsed(
    args: &Convert,
    rows: &Reader<'static>,
    name: &str,
    patterns: &[Pattern],
) -> Result<Reader<'static>, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let paths = chosen(rows.shape(), patterns)?.unwrap_or_default();
    let Shape::Record(record) = rows.shape() else {
        return Err(Failure::usage(format!("{name}: rows without fields have no strings to parse")));
    };
    let place = |path: &FieldPath| match path.names() {
        [name] => record.fields.iter().position(|field| field.name == **name && is_string(&field.shape)),
        _ => None,
    };
    if let Some(path) = paths.iter().find(|path| place(path).is_none()) {
        let failure = Failure::usage(format!("{name}: {path} is not an outermost field of strings"));
        return Err(failure.hint("-t PATH=any parses the JSON of such fields"));
    }
    // The values alone, as JSON lines, whose types are inferred.
    let lines = Temporary::new()?;
    let text = lines.path.with_extension("jsonl");
    let mut out = Output::new(Some(&text), false)?;
    let strings = rows.project_paths(&paths).map_err(failed)?;
    for batch in strings.batches().map_err(failed)? {
        let batch = batch.map_err(failed)?;
        for row in (0..batch.len()).filter_map(|row| batch.row(row)) {
            let ValueRef::Record(row) = row else { continue };
            put(row, &mut out).map_err(|error| out.failed(&error))?;
        }
    }
    out.finish()?;
    let mut types = Defaults::of(&text)?;
    (types.types.mixed, types.types.map_keys) = (args.types.mixed, args.types.map_keys);
    let mut source = TextSource::open(&text)?;
    name.clone_into(&mut source.name);
    import::to_temporary(&types, vec![(source, Format::Jsonl)], &lines.path)?;
    let values = input::open_columns(&lines.path, Progress::default())?.reader;
    // These in the place of the strings.
    let (mut shape, mut places) = (record.clone(), Vec::new());
    if let Shape::Record(found) = values.shape() {
        for (number, field) in found.fields.iter().enumerate() {
            if let Some(own) = shape.fields.iter_mut().enumerate().find(|(_, own)| own.name == field.name) {
                own.1.shape = field.shape.clone();
                places.push((own.0, number));
            }
        }
    }
    let mut first = 0;
    rewritten(rows, name, &Arc::new(Shape::Record(shape)), u64::MAX, |batch| {
        let next = first + batch.len() as u64;
        let parts: Vec<Batch> = values.select(first..next)?.batches()?.collect::<trevni::Result<_>>()?;
        first = next;
        let rows = parts.iter().enumerate();
        let rows: Vec<_> = rows.flat_map(|(at, part)| (0..part.len()).map(move |row| (at, row))).collect();
        let (mut vector, mut values) = (batch.vector().clone(), Batch::gather(&parts, &rows)?.into_parts().1);
        if let (Vector::Record(vector), Vector::Record(values)) = (&mut vector, &mut values) {
            for (own, found) in &places {
                if let (Some(own), Some(found)) = (vector.fields.get_mut(*own), values.fields.get_mut(*found))
                {
                    std::mem::swap(own, found);
                }
            }
        }
        Ok(vector)
    })
}

fn is_string(shape: &Shape) -> bool {
    match shape {
        Shape::Optional(optional) => is_string(&optional.item),
        shape => *shape == Shape::String,
    }
}

/// Writes a row of strings, each as the value whose JSON it is; a string that is not JSON is one itself.
fn put(row: RecordRef<'_>, out: &mut Output) -> io::Result<()> {
    let mut line = String::from("{");
    for (number, field) in row.shape().fields.iter().enumerate() {
        let Some(value) = row.field(number) else { continue };
        line.push_str(if line.len() > 1 { "," } else { "" });
        line.push_str(&serde_json::to_string(&*field.name)?);
        line.push(':');
        match value.as_str() {
            None => line.push_str("null"),
            // Only between values of JSON are there ends of lines.
            Some(text) => match serde_json::from_str::<&RawValue>(text) {
                Ok(_) => line.push_str(&text.replace(['\r', '\n'], " ")),
                Err(_) => line.push_str(&serde_json::to_string(text)?),
            },
        }
    }
    line.push_str("}\n");
    out.write_all(line.as_bytes())
}
