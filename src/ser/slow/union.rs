//! Variants of enums: symbols where they have no data, records where they have.

use super::Slow;
use super::cell::Incoming;
use super::cell::does_not_fit;
use super::grow::place;
use super::null::{enter, optional_of_nulls};
use super::record::RecordSerializer;
use crate::error::Result;
use crate::shape::branch::branch_name;
use crate::shape::{Form, Name, Shape};
use crate::vector::Vector;
use serde::ser::{Serialize, Serializer};

/// Writes a variant without data.
#[inline]
pub(super) fn push_unit(cell: Slow<'_>, name: &'static str, variant: &'static str) -> Result<()> {
    match (&mut *cell.shape, &mut *cell.vector) {
        (Shape::Enum(shape), Vector::Enum(values)) => {
            // Only a shape that may grow takes new symbols.
            match shape.symbols.iter().position(|symbol| is(symbol, variant)) {
                Some(ordinal) => {
                    values.push(ordinal as i32);
                    Ok(())
                }
                None if cell.mode.grow() => {
                    values.push(shape.symbols.len() as i32);
                    shape.symbols.push(Name::Borrowed(variant));
                    Ok(())
                }
                None => push_unit_slow(cell, name, variant),
            }
        }
        _ => push_unit_slow(cell, name, variant),
    }
}

#[cold]
fn push_unit_slow(cell: Slow<'_>, name: &'static str, variant: &'static str) -> Result<()> {
    let cell = match enter_branch(cell, variant, Content::Unit)? {
        Branch::Entered(cell) => return RecordSerializer::over(cell)?.finish(),
        Branch::Other(cell) => cell,
    };
    let cell = place(cell, &Incoming::Symbol { name, symbol: variant })?;
    match (&*cell.shape, &*cell.vector) {
        (Shape::Enum(_), Vector::Enum(_)) => push_unit(cell, name, variant),
        // A given text takes symbols too.
        _ => cell.serialize_str(variant),
    }
}

#[inline]
fn is(symbol: &Name, variant: &'static str) -> bool {
    std::ptr::eq(symbol.as_ptr(), variant.as_ptr()) && symbol.len() == variant.len() || **symbol == *variant
}

/// Writes a variant with one unnamed field.
pub(super) fn push_newtype<T: ?Sized + Serialize>(
    cell: Slow<'_>,
    name: &'static str,
    variant: &'static str,
    value: &T,
) -> Result<()> {
    match newtype_variant(cell, name, variant)? {
        Newtype::Branch(cell) => value.serialize(cell),
        Newtype::Record(mut record) => {
            record.field("_0", value)?;
            record.finish()
        }
    }
}

/// What takes the content of a variant with one unnamed field.
enum Newtype<'a> {
    Branch(Slow<'a>),
    Record(RecordSerializer<'a>),
}

fn newtype_variant<'a>(cell: Slow<'a>, name: &'static str, variant: &'static str) -> Result<Newtype<'a>> {
    let mode = cell.mode.typed();
    let cell = match enter_branch(Slow { mode, ..cell }, variant, Content::Data)? {
        Branch::Entered(cell) => return Ok(Newtype::Branch(cell)),
        Branch::Other(cell) => cell,
    };
    RecordSerializer::over(place_variant(cell, name, variant, Form::NewtypeVariant)?).map(Newtype::Record)
}

/// Starts a variant with named fields.
pub(super) fn struct_variant<'a>(
    cell: Slow<'a>,
    name: &'static str,
    variant: &'static str,
) -> Result<RecordSerializer<'a>> {
    let mode = cell.mode.typed();
    RecordSerializer::over(place_variant(Slow { mode, ..cell }, name, variant, Form::StructVariant)?)
}

/// The cell of a record for a variant with data.
pub(super) fn place_variant<'a>(
    cell: Slow<'a>,
    name: &'static str,
    variant: &'static str,
    form: Form,
) -> Result<Slow<'a>> {
    let cell = match enter_branch(cell, variant, Content::Data)? {
        Branch::Entered(cell) => return Ok(cell),
        Branch::Other(cell) => cell,
    };
    if cell.mode.grow() {
        start_union(cell.shape, cell.vector);
    }
    place(cell, &Incoming::Record { namespace: name, name: variant, form })
}

/// Makes what is unknown a union without variants: a variant is always part of a union, also when
/// it is the only one seen.
fn start_union(shape: &mut Shape, vector: &mut Vector) {
    match (&mut *shape, &mut *vector) {
        (Shape::Unknown, _) => {
            *shape = Shape::Union(Vec::new());
            *vector = Vector::new(shape);
        }
        (Shape::Null, _) => {
            optional_of_nulls(shape, vector);
            start_union(shape, vector);
        }
        (Shape::Optional(optional), Vector::Optional(list)) => {
            start_union(&mut optional.item, &mut list.item)
        }
        _ => {}
    }
}

/// A cell, and whether it belongs to a branch that was chosen by name.
enum Branch<'a> {
    Entered(Slow<'a>),
    Other(Slow<'a>),
}

/// Whether a variant holds anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Unit,
    Data,
}

/// With a given union, enters the branch that has the variant's name, if that is no variant of an
/// enum itself: `enum U { int(i32), string(String) }` writes to Avro's `["int","string"]`.
fn enter_branch<'a>(cell: Slow<'a>, variant: &str, content: Content) -> Result<Branch<'a>> {
    if cell.mode.grow() || branch_of(cell.shape, variant, content).is_none() {
        return Ok(Branch::Other(cell));
    }
    let mode = cell.mode.in_branch()?;
    match (cell.shape, cell.vector) {
        (Shape::Optional(shape), Vector::Optional(list)) => {
            list.offsets.push_one();
            let inner = Slow { shape: &mut shape.item, vector: &mut list.item, mode };
            if matches!(inner.shape, Shape::Union(_)) {
                enter_branch(inner, variant, content)
            } else {
                Ok(Branch::Entered(inner))
            }
        }
        (Shape::Union(variants), Vector::Union(union)) => {
            let tag = position(variants, variant, content).unwrap_or_default();
            let (shape, vector) = enter(variants, union, tag)?;
            Ok(Branch::Entered(Slow { shape, vector, mode }))
        }
        (shape, _) => Err(does_not_fit(shape.kind(), variant)),
    }
}

/// The position of the branch of this name in a union, or in the union of an optional with its one type.
fn branch_of(shape: &Shape, variant: &str, content: Content) -> Option<usize> {
    match shape {
        Shape::Optional(optional) => match &optional.item {
            Shape::Union(variants) => position(variants, variant, content),
            item => position(std::slice::from_ref(item), variant, content),
        },
        Shape::Union(variants) => position(variants, variant, content),
        _ => None,
    }
}

/// The position of a branch of this name. Where some branches are marked as variants, or one has the variant
/// for a symbol, names of the others say nothing.
fn position(branches: &[Shape], variant: &str, content: Content) -> Option<usize> {
    let is_symbol = |branch: &Shape| matches!(branch, Shape::Enum(shape) if shape.symbols.iter().any(|symbol| symbol == variant));
    if branches.iter().any(Shape::is_variant) || content == Content::Unit && branches.iter().any(is_symbol) {
        return None;
    }
    branches.iter().position(|branch| branch_name(branch).matches(variant))
}
