//! Row groups of Parquet files, each as a file of its own that is made when it is wanted: what is not looked at is not read,
//! and not all of them need room at once.

use super::super::parquet::{ParquetInput, Part, fields_of_rows};
use super::{Input, OPEN, One, Place, Wanted};
use crate::failure::Failure;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Rows of small row groups that are read together.
const TOGETHER: u64 = 1 << 17;

/// Some row groups of a file.
pub(super) struct RowGroups {
    file: ParquetInput,
    part: Part,
    /// Whether columns are kept: a condition is asked about them first, and then they are printed.
    stays: bool,
    kept: Mutex<Option<Input>>,
}

/// The row groups of a file, by the number of rows before it.
pub(super) fn parts(
    file: &ParquetInput,
    wanted: &Wanted<'_>,
    mut before: u64,
    lenient: bool,
) -> Result<Vec<One>, Failure> {
    let fields = match file.needed(fields_of_rows(wanted.columns, wanted.condition)) {
        // Another file may have it.
        Err(_) if lenient => None,
        fields => fields?,
    };
    let part = Part { fields, ..Part::default() };
    let shape = file.rows(Part { rows: Some(0), ..part.clone() })?.shape().clone();
    let mut parts = Vec::new();
    for (numbers, rows) in together(file) {
        let rows = rows.min(wanted.rows.saturating_sub(before));
        before = before.saturating_add(rows);
        let part = Part { row_groups: Some(numbers), rows: Some(rows), ..part.clone() };
        let stays = wanted.condition.is_some() && parts.len() < OPEN;
        let kept = Mutex::new(None);
        let place = Place::Parquet(Box::new(RowGroups { file: file.clone(), part, stays, kept }));
        parts.push(One { shape: shape.clone(), rows, place });
    }
    Ok(parts)
}

/// Row groups that are read together, and their rows. There is one at least.
fn together(file: &ParquetInput) -> Vec<(Range<usize>, u64)> {
    let mut all: Vec<(Range<usize>, u64)> = Vec::new();
    for (number, group) in file.file.row_groups().enumerate() {
        match all.last_mut() {
            Some((numbers, rows)) if rows.saturating_add(group.rows) <= TOGETHER => {
                numbers.end = number + 1;
                *rows += group.rows;
            }
            _ => all.push((number..number + 1, group.rows)),
        }
    }
    if all.is_empty() {
        all.push((0..0, 0));
    }
    all
}

impl RowGroups {
    pub(super) fn columns(&self) -> Result<Input, Failure> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(input) = &*kept {
            return Ok(input.clone());
        }
        let input = self.file.columns(self.part.clone())?;
        if self.stays {
            *kept = Some(input.clone());
        }
        Ok(input)
    }
}
