//! The shape that the rows of several files have together.

use super::Reader;
use crate::convert::Conversion;
use crate::error::Result;
use crate::shape::branch::{Branches, depends_on_origin};
use crate::shape::join::{Rules, join};
use crate::shape::{Shape, Shown};
use crate::storage::zone_map::{Bound, Zone};
use crate::tree::{Kind, Leaf, Matches, NodeId, Slot, Tree};

/// The shape that one writer would have made from the rows of all files, in their order; `promote` as [`Rules::promote`].
pub(crate) fn joined<'r, 's: 'r>(
    readers: impl Iterator<Item = &'r Reader<'s>> + Clone,
    promote: bool,
) -> Shape {
    // A file without rows may have an unknown shape.
    let is_blank = |reader: &&Reader<'_>| reader.row_count() == 0 && *reader.shape() == Shape::Null;
    let readers = readers.filter(|reader| !is_blank(reader));
    let rules = rules(readers.clone(), promote);
    let of_all = |shapes: Vec<Shape>| shapes.into_iter().reduce(|one, two| join(&one, &two, rules));
    let shapes: Vec<Shape> = readers.clone().map(|reader| reader.known_shape().into_owned()).collect();
    let mut shapes_differ = shapes.windows(2).any(|pair| pair.first() != pair.last());
    let Some(whole) = (if shapes_differ { of_all(shapes) } else { shapes.into_iter().next() }) else {
        return Shape::Null;
    };
    // Where some values have 64 bits without a sign, it counts whether others have one.
    shapes_differ &=
        has(&whole, &Shape::I128) && readers.clone().any(|reader| has(reader.shape(), &Shape::U64));
    if !shapes_differ {
        return whole;
    }
    let tree = Tree::new(&whole);
    of_all(readers.map(|reader| without_signs(reader, &whole, &tree)).collect()).unwrap_or(whole)
}

/// The shape of rows as a reader of one file with them sees it, where `known` is what files have joined.
///
/// # Errors
///
/// A shape that no file can have.
pub(crate) fn as_read(known: &Shape, first: &Reader<'_>) -> Result<Shape> {
    known.check_joined()?;
    if *first.known_shape() == *known {
        Ok(first.shape().clone())
    } else {
        Shape::from_avro(&known.to_avro())
    }
}

/// How shapes of these files are joined.
pub(crate) fn rules<'r, 's: 'r>(
    mut readers: impl Iterator<Item = &'r Reader<'s>> + Clone,
    promote: bool,
) -> Rules {
    let is_text = |reader: &Reader<'_>| reader.shown() == Shown::Texts || !has_logical(reader.shape());
    let shown = if readers.clone().all(is_text) { Shown::Texts } else { Shown::Stored };
    Rules { promote, shown, derived: readers.all(is_derived) }
}

/// Whether nothing in a file says that its schema was given.
pub(crate) fn is_derived(reader: &Reader<'_>) -> bool {
    reader.branches() == Branches::Kinds || !depends_on_origin(reader.shape())
}

fn has_logical(shape: &Shape) -> bool {
    matches!(shape, Shape::Logical(_)) || shape.children().any(|child| has_logical(child.shape))
}

fn has(shape: &Shape, wanted: &Shape) -> bool {
    shape == wanted || shape.children().any(|child| has(child.shape, wanted))
}

/// The shape of a file, with `u64` for integers that are known to be without signs, where all files have 128 bits.
fn without_signs(reader: &Reader<'_>, whole: &Shape, whole_tree: &Tree) -> Shape {
    let mut shape = reader.known_shape().into_owned();
    let tree = Tree::new(&shape);
    let Some(conversion) = Conversion::between(&shape, whole) else { return shape };
    let wide = Matches::new(&conversion, &tree, whole_tree);
    let wide: Vec<NodeId> = wide
        .iter()
        .filter(|(_, found)| whole_tree.kind(found.whole) == Kind::Leaf(Leaf::Fixed(16)))
        .map(|(own, _)| own)
        .filter(|own| has_no_signs(reader, *own))
        .collect();
    shape.replace(&Shape::U64, |own, shape| {
        matches!(shape, Shape::Int | Shape::Long) && wide.binary_search(&own).is_ok()
    });
    shape
}

/// Whether the zones of a node say that none of its values is negative.
fn has_no_signs(reader: &Reader<'_>, node: NodeId) -> bool {
    let column = reader.part.in_whole(node).and_then(|node| reader.schema.column(Slot::Own(node)));
    let zones = column.and_then(|column| reader.zone_map(column).ok().flatten());
    zones.is_some_and(|map| map.zones.iter().all(is_unsigned))
}

fn is_unsigned(zone: &Zone) -> bool {
    zone.values == 0 || matches!(zone.min, Some(Bound::Integer(least)) if least >= 0)
}
