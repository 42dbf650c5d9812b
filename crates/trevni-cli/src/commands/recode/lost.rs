//! What is lost of a damaged file: said on standard error, also where all else is quiet.

use crate::failure::{DAMAGED, Failure};
use crate::human::{count, thousands};
use crate::limits::told;
use crate::shown::tell;
use std::path::Path;
use trevni::Reader;

/// Damage that is listed at most.
const DAMAGE_MAX: usize = 100;

/// The rows without the columns of which nothing is left; these are named.
pub(super) fn without_columns(rows: Reader<'static>, name: &str) -> Result<Reader<'static>, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let lost = rows.lost().map_err(failed)?;
    let left = rows.without_lost_columns().map_err(failed)?;
    if left.shape() != rows.shape() {
        for column in lost.columns().iter().filter_map(|number| rows.columns().get(*number)) {
            tell("", &format!("{name}: column {:?} is lost", column.name()));
        }
    }
    Ok(left)
}

/// Says which rows are lost, and why; the exit code.
pub(super) fn report(rows: &Reader<'static>, all: &Reader<'static>, name: &str) -> Result<u8, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let lost = rows.lost().map_err(failed)?;
    for damage in lost.damage().take(DAMAGE_MAX) {
        let (own, error) = (damage.rows(), told(damage.error()));
        match own.is_empty() {
            true => tell("", &format!("{name}: no row lost: {error}")),
            false => {
                let (first, last) = (thousands(own.start), thousands(own.end - 1));
                tell("", &format!("{name}: rows {first} to {last} lost: {error}"));
            }
        }
    }
    let more = lost.damage().count().saturating_sub(DAMAGE_MAX);
    if more > 0 {
        tell("", &format!("{name}: and {} more", thousands(more as u64)));
    }
    let sum = lost.rows().row_count();
    if sum > 0 {
        tell("", &format!("{name}: {} of {} lost", thousands(sum), count(rows.row_count(), "row")));
    }
    let is_whole = all.lost().map_err(failed)?.is_empty();
    Ok(if is_whole { 0 } else { DAMAGED })
}
