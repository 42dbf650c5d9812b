//! Rows that have lost a field that may be null: they are kept, with nulls.

use super::lost;
use crate::failure::{DAMAGED, Failure};
use crate::human::{count, thousands};
use crate::output::Columns;
use crate::progress::Progress;
use crate::shown::tell;
use serde::ser::{Error, Serialize, SerializeMap, Serializer};
use std::path::Path;
use std::sync::Arc;
use trevni::reader::{Batches, Lost};
use trevni::shape::{Form, RecordShape};
use trevni::{Batch, Reader, Shape, ValueRef};

/// Rows in parts: what may not be null, and each field that may.
pub(super) struct Parts<'n> {
    name: &'n str,
    /// Of the rows that are written.
    pub(super) shape: Shape,
    /// `None` where all may be null.
    kept: Option<Part>,
    nullable: Vec<Part>,
    field: Field,
    count: u64,
    /// Whether nothing is lost of what may not be null, columns that are left out included.
    is_whole: bool,
}

/// Some fields of the rows.
struct Part {
    path: Vec<String>,
    rows: Reader<'static>,
    lost: Arc<Lost>,
}

/// Where the values of a field come from.
enum Field {
    /// The part that may not be null.
    Kept,
    /// A part by its number.
    Nullable(usize),
    Record(Vec<(String, Self)>),
}

impl<'n> Parts<'n> {
    /// Takes rows apart.
    pub(super) fn of(rows: &Reader<'static>, name: &'n str) -> Result<Self, Failure> {
        let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
        let (mut required, mut optional) = (Vec::new(), Vec::new());
        paths(rows.shape(), &mut Vec::new(), &mut required, &mut optional);
        let part = |path: Vec<String>, rows: Reader<'static>| {
            let lost = rows.lost().map_err(failed)?;
            Ok::<_, Failure>(Part { path, rows, lost })
        };
        let (mut kept, mut is_whole) = (None, true);
        if !required.is_empty() {
            let rows = rows.project_paths(&required).map_err(failed)?;
            is_whole = rows.lost().map_err(failed)?.is_empty();
            let left = part(Vec::new(), lost::without_columns(rows, name)?)?;
            // The only columns that may not be null stay, where there is nothing else; here there is.
            let is_gone = !optional.is_empty() && left.lost.columns().len() == left.rows.columns_read().len();
            if is_gone {
                lost::columns(&left.rows, &left.lost, name);
            }
            kept = (!is_gone).then_some(left);
        }
        let mut nullable = Vec::with_capacity(optional.len());
        for path in optional {
            let rows = rows.project_paths([&path]).map_err(failed)?;
            nullable.push(part(path, rows)?);
        }
        let mut shape = rows.shape().clone();
        let field = fields(&mut shape, kept.as_ref().map(|kept| kept.rows.shape()), &mut 0);
        Ok(Self { name, shape, kept, nullable, field, count: rows.row_count(), is_whole })
    }

    /// Writes the rows that have all that may not be null.
    pub(super) fn write(&self, columns: &mut Columns) -> trevni::Result<()> {
        let progress = Progress::rows("writing", self.count);
        let whole = self.kept.as_ref().map_or(&[][..], |kept| kept.lost.rows().ranges());
        let kept = without(self.count, whole);
        let mut base = self.kept.as_ref().map(|part| Cursor::new(&part.rows)).transpose()?;
        let cursors = self.nullable.iter().map(|part| Cursor::new(&part.rows.select(kept.clone())?));
        let mut cursors = cursors.collect::<trevni::Result<Vec<_>>>()?;
        let lost: Vec<_> = self.nullable.iter().map(|part| part.lost.rows().ranges()).collect();
        for row in kept.into_iter().flatten() {
            if let Some(base) = &mut base {
                base.advance()?;
            }
            let mut values = Vec::with_capacity(cursors.len());
            for (cursor, lost) in cursors.iter_mut().zip(&lost) {
                let at = lost.partition_point(|range| range.end <= row);
                if lost.get(at).is_none_or(|range| row < range.start) {
                    cursor.advance()?;
                    values.push(Some(&*cursor));
                } else {
                    values.push(None);
                }
            }
            let mut nullable = Vec::with_capacity(values.len());
            for (cursor, part) in values.iter().zip(&self.nullable) {
                nullable.push(cursor.map(|cursor| cursor.at(&part.path)));
            }
            let base = base.as_ref().and_then(Cursor::value);
            columns.write(&Value { field: &self.field, base, nullable: &nullable })?;
            progress.set(row + 1);
        }
        Ok(())
    }

    /// Says what is lost, and what is null for it; the exit code.
    pub(super) fn report(&self) -> Result<u8, Failure> {
        let name = self.name;
        let mut is_whole = self.is_whole;
        let all = without(self.count, self.kept.as_ref().map_or(&[][..], |kept| kept.lost.rows().ranges()));
        for part in self.nullable.iter().filter(|part| !part.lost.is_empty()) {
            is_whole = false;
            lost::damage(&part.lost, name, "null");
            let kept = part.lost.rows().intersection(&all.iter().cloned().collect());
            let field = trevni::path::format(&part.path);
            tell("", &format!("{name}: {field} is null in {}", count(kept.row_count(), "row")));
        }
        if let Some(kept) = self.kept.as_ref().filter(|kept| !kept.lost.is_empty()) {
            lost::damage(&kept.lost, name, "lost");
            let sum = kept.lost.rows().row_count();
            tell("", &format!("{name}: {} of {} lost", thousands(sum), count(self.count, "row")));
        }
        Ok(if is_whole { 0 } else { DAMAGED })
    }
}

/// Whether the fields of a record may be named one by one.
fn is_struct(record: &RecordShape) -> bool {
    record.form == Form::Struct && !record.fields.is_empty()
}

/// Collects the paths of optional and of required fields. Records are entered.
fn paths(
    shape: &Shape,
    path: &mut Vec<String>,
    required: &mut Vec<Vec<String>>,
    optional: &mut Vec<Vec<String>>,
) {
    match shape {
        Shape::Record(record) if is_struct(record) => {
            for field in &record.fields {
                path.push(field.name.to_string());
                paths(&field.shape, path, required, optional);
                path.pop();
            }
        }
        // A row is not a field.
        Shape::Optional(_) if !path.is_empty() => optional.push(path.clone()),
        _ => required.push(path.clone()),
    }
}

/// Finds the part that has the values of each field, and removes fields of which nothing is left from the shape. `next` is the
/// number of the next optional part.
fn fields(shape: &mut Shape, kept: Option<&Shape>, next: &mut usize) -> Field {
    let Shape::Record(record) = shape else { return Field::Kept };
    if !is_struct(record) {
        return Field::Kept;
    }
    let mut found = Vec::with_capacity(record.fields.len());
    record.fields.retain_mut(|field| {
        let kept = match kept {
            Some(Shape::Record(kept)) => kept.fields.iter().find(|kept| kept.name == field.name),
            _ => None,
        };
        let from = match &mut field.shape {
            Shape::Optional(_) => {
                *next += 1;
                Field::Nullable(*next - 1)
            }
            Shape::Record(inner) if is_struct(inner) => {
                fields(&mut field.shape, kept.map(|kept| &kept.shape), next)
            }
            own => {
                let Some(kept) = kept else { return false };
                own.clone_from(&kept.shape);
                Field::Kept
            }
        };
        found.push((field.name.to_string(), from));
        true
    });
    Field::Record(found)
}

/// The rows that are not lost.
fn without(count: u64, lost: &[std::ops::Range<u64>]) -> Vec<std::ops::Range<u64>> {
    let ends = lost.iter().map(|range| range.start).chain([count]);
    let starts = [0].into_iter().chain(lost.iter().map(|range| range.end));
    starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
}

/// The rows of a part, one by one.
struct Cursor {
    batches: Batches<'static>,
    batch: Option<Batch>,
    /// The row after the one at hand.
    next: usize,
}

impl Cursor {
    fn new(rows: &Reader<'static>) -> trevni::Result<Self> {
        Ok(Self { batches: rows.batches()?, batch: None, next: 0 })
    }

    /// Goes on to the next row.
    fn advance(&mut self) -> trevni::Result<()> {
        while self.batch.as_ref().is_none_or(|batch| self.next == batch.len()) {
            match self.batches.next() {
                Some(batch) => (self.batch, self.next) = (Some(batch?), 0),
                None => return Err(Error::custom("a part of the rows ends too early")),
            }
        }
        self.next += 1;
        Ok(())
    }

    fn value(&self) -> Option<ValueRef<'_>> {
        let batch = self.batch.as_ref()?;
        ValueRef::new(batch.shape(), batch.vector(), self.next.checked_sub(1)?)
    }

    /// The value at a path through records.
    fn at(&self, path: &[String]) -> Option<ValueRef<'_>> {
        path.iter().try_fold(self.value()?, |value, name| value.get(name))
    }
}

/// A value that is put together: of `base`, and for each part that may be null its value, where it is not lost.
struct Value<'r> {
    field: &'r Field,
    base: Option<ValueRef<'r>>,
    nullable: &'r [Option<Option<ValueRef<'r>>>],
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let missing = || S::Error::custom("a part of the rows does not have a value");
        match self.field {
            Field::Kept => self.base.as_ref().ok_or_else(missing)?.serialize(serializer),
            Field::Nullable(number) => match self.nullable.get(*number) {
                Some(Some(value)) => value.as_ref().ok_or_else(missing)?.serialize(serializer),
                _ => serializer.serialize_none(),
            },
            Field::Record(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, field) in fields {
                    let base = self.base.as_ref().and_then(|base| base.get(name));
                    map.serialize_entry(name, &Value { field, base, nullable: self.nullable })?;
                }
                map.end()
            }
        }
    }
}
