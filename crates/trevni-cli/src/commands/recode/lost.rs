//! What is lost of a damaged file: said on standard error, also where all else is quiet.

use crate::failure::{DAMAGED, Failure};
use crate::human::{count, thousands};
use crate::limits::told;
use crate::shown::tell;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use trevni::reader::Lost;
use trevni::shape::FieldShape;
use trevni::{Reader, Shape};

/// Damage that is listed at most.
const DAMAGE_MAX: usize = 100;

/// The rows without the columns of which nothing is left; these are named.
pub(super) fn without_columns(rows: Reader<'static>, name: &str) -> Result<Reader<'static>, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let lost = rows.lost().map_err(failed)?;
    let left = rows.without_lost_columns().map_err(failed)?;
    if left.shape() != rows.shape() {
        columns(&rows, &lost, name);
    }
    Ok(left)
}

/// Names the columns of which nothing is left.
pub(super) fn columns(rows: &Reader<'static>, lost: &Lost, name: &str) {
    for column in lost.columns().iter().filter_map(|number| rows.columns().get(*number)) {
        tell("", &format!("{name}: column {:?} is lost", column.name()));
    }
}

/// What to do so that fewer rows are lost.
fn hints(rows: &Reader<'static>, lost: &Lost) {
    let damage = lost.damage().filter(|damage| !damage.rows().is_empty());
    let names: HashSet<&str> =
        damage.filter_map(|damage| damage.error().location().column.as_deref()).collect();
    // The names of columns are not always those of fields.
    let columns = rows.columns().iter().filter(|column| names.contains(column.name()));
    let fields: BTreeSet<&str> =
        columns.filter_map(|column| Some(column.path_names()?.first()?.as_str())).collect();
    let Shape::Record(record) = rows.shape() else { return };
    let is_optional = |field: &FieldShape| matches!(field.shape, Shape::Optional(_));
    if record.fields.iter().any(|field| fields.contains(&*field.name) && is_optional(field)) {
        tell("  ", "To keep rows that have lost a field that may be null: --salvage=nulls");
    }
    if !fields.is_empty() && fields.len() < record.fields.len() {
        let fields: Vec<String> =
            fields.iter().map(|field| format!("!{}", trevni::path::format([field]))).collect();
        tell("  ", &format!("To keep all rows without these fields: -c '{}'", fields.join(",")));
    }
}

/// Says what is wrong, and which rows are lost or null for it.
pub(super) fn damage(lost: &Lost, name: &str, what: &str) {
    for damage in lost.damage().take(DAMAGE_MAX) {
        let (own, error) = (damage.rows(), told(damage.error()));
        match own.is_empty() {
            true => tell("", &format!("{name}: no row {what}: {error}")),
            false => {
                let (first, last) = (thousands(own.start), thousands(own.end - 1));
                tell("", &format!("{name}: rows {first} to {last} {what}: {error}"));
            }
        }
    }
    let more = lost.damage().count().saturating_sub(DAMAGE_MAX);
    if more > 0 {
        tell("", &format!("{name}: and {} more", thousands(more as u64)));
    }
}

/// Says which rows are lost, and why; the exit code.
pub(super) fn report(rows: &Reader<'static>, all: &Reader<'static>, name: &str) -> Result<u8, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let lost = rows.lost().map_err(failed)?;
    damage(&lost, name, "lost");
    let sum = lost.rows().row_count();
    if sum > 0 {
        tell("", &format!("{name}: {} of {} lost", thousands(sum), count(rows.row_count(), "row")));
        hints(rows, &lost);
    }
    let is_whole = all.lost().map_err(failed)?.is_empty();
    Ok(if is_whole { 0 } else { DAMAGED })
}
