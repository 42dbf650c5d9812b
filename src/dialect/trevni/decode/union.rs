//! Decodes the branches of unions.

use super::super::Ends;
use super::node::{Array, At, Node, Null, empty_list, in_column};
use crate::error::{Error, Result};
use crate::vector::{ListVector, Offsets, UnionVector, Vector};

/// Decodes the branches, whose items are the nodes `below`, and finds for each entry the one that has a value.
pub(super) fn read(
    branches: &mut [Array],
    below: &mut [Node],
    null: Null,
    at: &At<'_, '_>,
    ends: Ends<'_>,
    out: &mut Vector,
) -> Result<()> {
    let mut lists: Vec<ListVector> = Vec::with_capacity(branches.len());
    for (branch, item) in branches.iter_mut().zip(below) {
        let mut list = *empty_list();
        branch.read(Some(item), at, ends, &mut list)?;
        lists.push(list);
    }
    let entries = at.window(ends).selected_entries();
    let mut present = Offsets::default();
    let mut union = UnionVector::default();
    for entry in 0..entries {
        let mut tags = lists.iter().enumerate().filter_map(|(tag, list)| {
            let range = list.offsets.range(entry).filter(|range| !range.is_empty())?;
            Some((tag, range.start))
        });
        match (tags.next(), tags.next(), null) {
            (Some((tag, position)), None, _) => {
                union.tags.push(tag as u16);
                union.positions.push(position as u32);
                present.push_one();
            }
            (None, _, Null::Allowed) => present.push_empty(),
            (None, _, Null::Refused) => {
                return Err(Error::value("a union has no value where it must have one"));
            }
            (Some((one, _)), Some((two, _)), _) => {
                let number = |tag: usize| branches.get(tag).map_or(0, |branch| branch.column.number);
                let error = Error::value(format!("variants {one} and {two} of a union have a value at once"));
                return Err(in_column(at, number(one), error));
            }
        }
    }
    union.variants = lists.into_iter().map(|list| list.item).collect();
    *out = match null {
        Null::Refused => Vector::Union(union),
        Null::Allowed => Vector::Optional(Box::new(ListVector::new(present, Vector::Union(union)))),
    };
    Ok(())
}
