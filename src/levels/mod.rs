//! Repetition and definition levels of the Dremel paper, which other column formats have instead of lengths.
//!
//! A leaf of a shape has an entry for each of its values, and one for each place where something around a value is
//! missing. The **definition level** of an entry says how much of the path is there: how many of the optionals,
//! lists, maps and unions around the value. The **repetition level** says which of the lists and maps around it goes
//! on with this entry; 0 begins a row.
//!
//! * An optional adds one definition level, a list or a map one of each; a map has two leaves at least, of the path
//!   names `key` and `value`.
//! * Each variant of a union is like an optional of its own: it adds one definition level, and is there in the entries
//!   of this variant.
//! * A record without fields and a union without variants are leaves, so that no row is without an entry.
//!
//! ```
//! use trevni::vector::Offsets;
//! use trevni::{Batch, Shape, Vector, levels};
//!
//! let shape = Shape::list(Shape::optional(Shape::Int));
//! let item = Vector::try_from_options([Some(7), None, Some(8)])?;
//! let batch = Batch::try_new(shape, Vector::list(Offsets::from_lengths([2, 0, 1])?, item))?;
//!
//! let columns = batch.levels()?;
//! let [column] = columns.as_slice() else { unreachable!() };
//! assert_eq!((column.leaf.max_repetition, column.leaf.max_definition), (1, 2));
//! assert_eq!(column.levels.repetition, [0, 1, 0, 0]);
//! assert_eq!(column.levels.definition, [2, 1, 0, 2]);
//! assert_eq!(*column.values, Vector::Int(vec![7, 8]));
//!
//! let vector = levels::assemble(batch.shape(), [(column.levels.clone(), column.values.clone())])?;
//! assert_eq!(vector, *batch.vector());
//! # Ok::<(), trevni::Error>(())
//! ```

pub(crate) mod agree;
mod assemble;
pub(crate) mod below;
mod entries;
pub(crate) mod lengths;
mod shred;
pub(crate) mod tags;

pub use assemble::assemble;
pub(crate) use entries::{Levels, LevelsRef, Place, count};
pub use shred::shred;

use crate::shape::Shape;
use crate::shape::branch::branch_name;
use crate::vector::Vector;
use std::borrow::Cow;

/// A part of a shape that holds values and no other parts.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Leaf<'s> {
    /// Names of the fields on the way; `key` and `value` in maps, names of branches in unions.
    pub path: Vec<Cow<'s, str>>,
    /// The shape of its values.
    pub shape: &'s Shape,
    /// Number of lists and maps around its values.
    pub max_repetition: u8,
    /// Number of optionals, lists, maps and unions around its values.
    pub max_definition: u8,
    /// The definition level within each of the lists and maps around its values, outermost first.
    lists: Vec<u8>,
}

/// The levels of a leaf: two for each entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryLevels {
    /// Which of the lists around the value the entry continues; 0 begins a row.
    pub repetition: Vec<u8>,
    /// How many of the optionals, lists, maps and unions around the value are there.
    pub definition: Vec<u8>,
}

/// A leaf of a vector: its levels and its values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LeafColumn<'v> {
    /// What the leaf is.
    pub leaf: Leaf<'v>,
    /// The levels of its entries.
    pub levels: EntryLevels,
    /// The values: one for each entry of the greatest definition level.
    pub values: &'v Vector,
}

/// The leaves of a shape, depth first.
///
/// ```
/// use trevni::{Shape, levels};
///
/// let link = Shape::record("Links", [("backward", Shape::list(Shape::Long))]);
/// let shape = Shape::record("Document", [("id", Shape::Long), ("links", Shape::optional(link))]);
/// let leaves = levels::leaves(&shape);
/// assert_eq!(leaves[1].path, ["links", "backward"]);
/// assert_eq!((leaves[1].max_repetition, leaves[1].max_definition), (1, 2));
/// ```
#[must_use]
pub fn leaves(shape: &Shape) -> Vec<Leaf<'_>> {
    let mut leaves = Vec::new();
    let root = Leaf { path: Vec::new(), shape, max_repetition: 0, max_definition: 0, lists: Vec::new() };
    collect(root, &mut leaves);
    leaves
}

impl<'s> Leaf<'s> {
    /// What is in it, under a name where it has one.
    fn below(&self, name: Option<Cow<'s, str>>, shape: &'s Shape, repetition: u8, definition: u8) -> Self {
        let mut leaf = Self { shape, ..self.clone() };
        leaf.path.extend(name);
        leaf.max_repetition = leaf.max_repetition.saturating_add(repetition);
        leaf.max_definition = leaf.max_definition.saturating_add(definition);
        if repetition > 0 {
            leaf.lists.push(leaf.max_definition);
        }
        leaf
    }
}

fn collect<'s>(node: Leaf<'s>, leaves: &mut Vec<Leaf<'s>>) {
    let named = |name: &'s str| Some(Cow::Borrowed(name));
    match node.shape {
        Shape::Record(record) if !record.fields.is_empty() => {
            for field in &record.fields {
                collect(node.below(named(&field.name), &field.shape, 0, 0), leaves);
            }
        }
        Shape::Optional(optional) => collect(node.below(None, &optional.item, 0, 1), leaves),
        Shape::List(item) => collect(node.below(None, item, 1, 1), leaves),
        Shape::Map(map) => {
            collect(node.below(named("key"), &map.key, 1, 1), leaves);
            collect(node.below(named("value"), &map.value, 1, 1), leaves);
        }
        Shape::Union(variants) if !variants.is_empty() => {
            for variant in variants {
                collect(node.below(Some(branch_name(variant).full()), variant, 0, 1), leaves);
            }
        }
        _ => leaves.push(node),
    }
}
