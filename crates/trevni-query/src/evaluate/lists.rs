//! What is computed of lists and maps.

use super::column::{ScalarColumn, ScalarValues};
use super::steps::located;
use super::{Accessor, Scope, offsets};
use crate::error::Error;
use crate::step::{BoundExpression, Step};
use trevni::{Shape, Vector};

/// Numbers of items, characters or bytes.
pub(super) fn lengths<'b>(part: &'b BoundExpression, scope: &Scope<'b>) -> Result<ScalarColumn<'b>, Error> {
    let column = part.evaluate(scope)?;
    let lengths = match (&column.values, &part.step) {
        (ScalarValues::Text(texts), _) => texts.iter().map(|text| text.chars().count() as i128).collect(),
        (ScalarValues::Bytes(values), _) => values.iter().map(|value| value.len() as i128).collect(),
        (_, Step::Access(place)) => {
            let located = located(scope, place)?;
            let Some(offsets) = offsets(located.vector) else {
                return Ok(ScalarColumn::nulls(column.len()));
            };
            let length =
                |row| located.entry(row).and_then(|at| offsets.range(at)).map_or(0, |range| range.len());
            (0..scope.len()).map(|row| length(row) as i128).collect()
        }
        _ => return Ok(ScalarColumn::nulls(column.len())),
    };
    Ok(ScalarColumn::new(ScalarValues::Integer(lengths), column.present))
}

/// Whether a condition is true for one item of each list, or for all.
pub(super) fn items<'b>(
    every: bool,
    list: &Accessor,
    condition: &'b BoundExpression,
    scope: &Scope<'b>,
) -> Result<ScalarColumn<'b>, Error> {
    let located = located(scope, list)?;
    let within = match (located.shape, located.vector) {
        (Shape::List(shape), Vector::List(list)) => Scope::items_of(shape, &list.item),
        (Shape::Map(shape), Vector::Map(map)) => Scope::entries_of(shape, map),
        _ => return Ok(ScalarColumn::nulls(scope.len())),
    };
    let truths = condition.evaluate(&within)?;
    let (mut values, mut known) = (Vec::with_capacity(scope.len()), Vec::with_capacity(scope.len()));
    for row in 0..scope.len() {
        let range = located.entry(row).and_then(|at| offsets(located.vector)?.range(at));
        let Some(mut range) = range else {
            values.push(false);
            known.push(false);
            continue;
        };
        let is_known = range.clone().all(|item| truths.is_present(item));
        // One item decides: any that is true, or for all any that is false.
        let decided = range.any(|item| truths.is_present(item) && truths.is_true(item) != every);
        values.push(decided != every);
        known.push(decided || is_known);
    }
    Ok(ScalarColumn::new(ScalarValues::Boolean(values), known.contains(&false).then_some(known)))
}
