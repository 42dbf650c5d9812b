//! Fields with Dremel's levels: at which of the lists around a value a new item begins, and how much of its path
//! is there.

use super::{Trouble, misplaced};
use crate::columns::Column;
use crate::rows::View;
use crate::shown::shown;
use std::io::Write;
use trevni::{Reader, Shape, Vector};

/// For each field that has values a line that says what it is, and a line `value N: R:r D:d V:value` for each
/// value and each place where one is missing.
pub(super) fn dump(reader: &Reader<'_>, columns: &[Column<'_>], out: &mut impl Write) -> Result<(), Trouble> {
    let mut leaves = Vec::new();
    collect(reader.shape(), &Path::default(), &mut Vec::new(), &mut leaves);
    leaves.retain(|leaf| columns.iter().any(|column| column.info.path_names() == Some(&leaf.path.names)));
    for leaf in &leaves {
        let name = if leaf.path.names.is_empty() { "value" } else { &leaf.path.shown };
        let (definition, repetition) = (leaf.definition(), leaf.repetition());
        writeln!(out, "# column {} type={} D={definition} R={repetition}", shown(name), leaf.shape.kind())?;
        let part = leaf.read_alone(reader)?;
        let mut dump = LeafDump { shape: leaf.shape, out, number: 0 };
        let reader = part.as_ref().map_or(reader, |(reader, _)| reader);
        let steps = part.as_ref().map_or(leaf.steps.as_slice(), |(_, steps)| steps.as_slice());
        for batch in reader.batches()? {
            let batch = batch?;
            for row in 0..batch.len() {
                dump.value(batch.vector(), row, steps, Levels { repetition: 0, definition: 0, depth: 0 })?;
            }
        }
    }
    Ok(())
}

/// A step from a value into what is in it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Field(usize),
    /// Into what may be missing.
    Some,
    /// Into the items of a list, or the keys or values of a map.
    Items,
    Keys,
    Values,
    Variant(usize),
}

/// The path of a field: as it is shown, with short names of variants, and its full names.
#[derive(Clone, Default)]
struct Path {
    shown: String,
    names: Vec<String>,
}

impl Path {
    fn below(&self, name: &str, full: &str) -> Self {
        let shown = if self.shown.is_empty() { name.to_owned() } else { format!("{}.{name}", self.shown) };
        Self { shown, names: [&self.names[..], &[full.to_owned()]].concat() }
    }
}

/// A field that has values.
struct Leaf<'s> {
    path: Path,
    shape: &'s Shape,
    steps: Vec<Step>,
}

impl Leaf<'_> {
    /// The greatest definition level.
    fn definition(&self) -> usize {
        self.steps.iter().filter(|step| !matches!(step, Step::Field(_))).count()
    }

    /// The greatest repetition level.
    fn repetition(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Items | Step::Keys | Step::Values)).count()
    }

    /// A reader of the outermost field alone, and the steps in its rows; none where rows have no fields.
    fn read_alone<'s>(&self, reader: &Reader<'s>) -> Result<Option<(Reader<'s>, Vec<Step>)>, Trouble> {
        let (Shape::Record(_), Some(name)) = (reader.shape(), self.path.names.first()) else {
            return Ok(None);
        };
        let part = reader.project_paths([[name]])?;
        let mut steps = self.steps.clone();
        match (part.shape(), steps.first_mut()) {
            (Shape::Record(record), Some(first)) if record.fields.len() == 1 => *first = Step::Field(0),
            _ => return Ok(None),
        }
        Ok(Some((part, steps)))
    }
}

/// The leaves below a place: its path, and the steps to it.
fn collect<'s>(shape: &'s Shape, path: &Path, steps: &mut Vec<Step>, leaves: &mut Vec<Leaf<'s>>) {
    let joined = |name: &str| path.below(name, name);
    let mut below = |shape: &'s Shape, path: &Path, step: Step| {
        steps.push(step);
        collect(shape, path, steps, leaves);
        steps.pop();
    };
    match shape {
        Shape::Record(record) => {
            for (number, field) in record.fields.iter().enumerate() {
                below(&field.shape, &joined(&field.name), Step::Field(number));
            }
        }
        Shape::Optional(optional) => below(&optional.item, path, Step::Some),
        Shape::List(item) => below(item, path, Step::Items),
        Shape::Map(map) => {
            below(&map.key, &joined("key"), Step::Keys);
            below(&map.value, &joined("value"), Step::Values);
        }
        Shape::Union(variants) => {
            for (number, variant) in variants.iter().enumerate() {
                let full = variant.branch_name();
                let name = full.rsplit('.').next().unwrap_or_default();
                below(variant, &path.below(name, &full), Step::Variant(number));
            }
        }
        simple => leaves.push(Leaf { path: path.clone(), shape: simple, steps: steps.clone() }),
    }
}

/// Levels at a place, and the number of lists around it.
#[derive(Clone, Copy)]
struct Levels {
    repetition: usize,
    definition: usize,
    depth: usize,
}

struct LeafDump<'o, W> {
    shape: &'o Shape,
    out: &'o mut W,
    /// Lines so far.
    number: u64,
}

impl<W: Write> LeafDump<'_, W> {
    /// Prints what is at the end of the steps below a value.
    fn value(
        &mut self,
        vector: &Vector,
        index: usize,
        steps: &[Step],
        levels: Levels,
    ) -> Result<(), Trouble> {
        let Some((step, rest)) = steps.split_first() else {
            return self.line(levels, Some((vector, index)));
        };
        match (step, vector) {
            (Step::Field(number), Vector::Record(record)) => {
                let field = record.fields.get(*number).ok_or_else(misplaced)?;
                self.value(field, index, rest, levels)
            }
            (Step::Some, Vector::Optional(list)) => {
                match list.offsets.range(index).ok_or_else(misplaced)?.next() {
                    Some(place) => {
                        let definition = levels.definition + 1;
                        self.value(&list.item, place, rest, Levels { definition, ..levels })
                    }
                    None => self.line(levels, None),
                }
            }
            (Step::Items, Vector::List(list)) => self.items(&list.offsets, &list.item, index, rest, levels),
            (Step::Keys, Vector::Map(map)) => self.items(&map.offsets, &map.key, index, rest, levels),
            (Step::Values, Vector::Map(map)) => self.items(&map.offsets, &map.value, index, rest, levels),
            (Step::Variant(number), Vector::Union(union)) => {
                let tag = *union.tags.get(index).ok_or_else(misplaced)?;
                if usize::from(tag) != *number {
                    return self.line(levels, None);
                }
                let place = *union.positions.get(index).ok_or_else(misplaced)? as usize;
                let variant = union.variants.get(*number).ok_or_else(misplaced)?;
                let definition = levels.definition + 1;
                self.value(variant, place, rest, Levels { definition, ..levels })
            }
            _ => Err(misplaced()),
        }
    }

    fn items(
        &mut self,
        offsets: &trevni::Offsets,
        item: &Vector,
        index: usize,
        rest: &[Step],
        levels: Levels,
    ) -> Result<(), Trouble> {
        let places = offsets.range(index).ok_or_else(misplaced)?;
        if places.is_empty() {
            return self.line(levels, None);
        }
        let (definition, depth) = (levels.definition + 1, levels.depth + 1);
        for (number, place) in places.enumerate() {
            let repetition = if number == 0 { levels.repetition } else { depth };
            self.value(item, place, rest, Levels { repetition, definition, depth })?;
        }
        Ok(())
    }

    fn line(&mut self, levels: Levels, value: Option<(&Vector, usize)>) -> Result<(), Trouble> {
        self.number += 1;
        write!(self.out, "value {}: R:{} D:{} V:", self.number, levels.repetition, levels.definition)?;
        match value {
            Some((vector, index)) => {
                let value = View { shape: self.shape, vector, index };
                serde_json::to_writer(&mut *self.out, &value).map_err(std::io::Error::from)?;
                self.out.write_all(b"\n")?;
            }
            None => self.out.write_all(b"<null>\n")?,
        }
        Ok(())
    }
}
