//! How a shape grows when a value does not fit it.

use super::{Slow, Width};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{EnumShape, Form, MapShape, Name, Null, OptionalShape, RecordShape, Shape};
use crate::vector::{ListVector, MapVector, Offsets, UnionVector, Vector};

/// What is to be written next.
pub(super) enum Incoming<'a> {
    Boolean,
    Integer {
        value: i128,
        width: Width,
    },
    /// A `u128` above `i128::MAX`.
    LargeU128,
    Float,
    Double,
    String(&'a str),
    /// Bytes of this number.
    Bytes(usize),
    Symbol {
        name: &'static str,
        symbol: &'static str,
    },
    Record {
        namespace: &'static str,
        name: &'static str,
        form: Form,
    },
    List,
    /// A map; the flag says that it is to be a record.
    Map {
        record: bool,
    },
}

/// The three ways in which there can be no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    None,
    Unit,
    Absent,
}

/// How well a shape takes a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    As,
    /// By what a shape that was given takes beside, for it cannot grow.
    Given,
    /// After the shape has been widened without loss.
    Widened,
    No,
}

/// The cell that takes the value: the one given, or one below it. Grows the shape if it must.
#[cold]
pub(super) fn place<'a>(cell: Slow<'a>, incoming: &Incoming<'_>) -> Result<Slow<'a>> {
    let Slow { shape, vector, mode } = cell;
    if matches!(shape, Shape::Logical(_)) {
        return place_logical(Slow { shape, vector, mode }, incoming);
    }
    match (&*shape, &*vector) {
        (Shape::Optional(_), _) | (Shape::Union(_), _) => {}
        (Shape::Unknown, _) if mode.grow() => {
            adopt(shape, vector, incoming);
            return Ok(Slow { shape, vector, mode });
        }
        (Shape::Null, _) if mode.grow() => optional_of_nulls(shape, vector),
        _ => match fit(shape, vector, incoming, mode) {
            Fit::As | Fit::Given => return Ok(Slow { shape, vector, mode }),
            Fit::Widened => {
                widen(shape, vector, incoming);
                return Ok(Slow { shape, vector, mode });
            }
            Fit::No if mode.grow() => {
                mode.wrapped()?.check_room(shape)?;
                wrap_union(shape, vector);
            }
            Fit::No => return Err(refused(shape.kind(), incoming)),
        },
    }
    match (shape, vector) {
        (Shape::Optional(shape), Vector::Optional(list)) => {
            list.offsets.push_one();
            let mode = mode.wrapped()?.in_branch()?.without_somes();
            place(Slow { shape: &mut shape.item, vector: &mut list.item, mode }, incoming)
        }
        (Shape::Union(variants), Vector::Union(union)) => {
            let tag = match find(variants, union, incoming, mode) {
                Some(tag) => tag,
                None if mode.grow() => {
                    let (mut shape, mut vector) = (Shape::Unknown, Vector::Null(0));
                    adopt(&mut shape, &mut vector, incoming);
                    add_variant(variants, union, shape, vector)?
                }
                None => return Err(refused("union", incoming)),
            };
            let (shape, vector) = enter(variants, union, tag)?;
            place(Slow { shape, vector, mode: mode.in_branch()? }, incoming)
        }
        (shape, _) => Err(refused(shape.kind(), incoming)),
    }
}

/// As [`place`], for a logical type: a value that its storage does not take makes it what its storage says.
fn place_logical<'a>(cell: Slow<'a>, incoming: &Incoming<'_>) -> Result<Slow<'a>> {
    let Slow { shape, vector, mode } = cell;
    if mode.grow() && !matches!(fit(shape, vector, incoming, mode), Fit::As | Fit::Given) {
        *shape = std::mem::replace(shape.storage_mut(), Shape::Null);
    }
    place(Slow { shape: shape.storage_mut(), vector, mode }, incoming)
}

/// Writes that there is no value.
#[cold]
pub(super) fn null(cell: Slow<'_>, entry: Entry) -> Result<()> {
    let Slow { shape, vector, mode } = show_somes(cell)?;
    match (&mut *shape, &mut *vector, entry) {
        (Shape::Null, Vector::Null(len), Entry::Unit | Entry::None) => {
            *len += 1;
            return Ok(());
        }
        (Shape::Unknown, Vector::Null(len), Entry::Unit) if mode.grow() => {
            *len += 1;
            *shape = Shape::Null;
            return Ok(());
        }
        (Shape::Optional(optional), Vector::Optional(list), entry) => {
            let is_absent = entry == Entry::Absent;
            let nullable = is_nullable(&optional.item);
            if !is_absent && optional.null == Null::Absent && (mode.grow() || nullable) {
                list.offsets.push_one();
                let mode = mode.wrapped()?.in_branch()?;
                return null(Slow { shape: &mut optional.item, vector: &mut list.item, mode }, entry);
            }
            let wanted = if is_absent { Null::Absent } else { Null::None };
            let open = optional.null == Null::Unseen && !(is_absent && nullable);
            if optional.null == wanted || open || !mode.grow() {
                if mode.grow() {
                    optional.null = wanted;
                }
                list.offsets.push_empty();
                return Ok(());
            }
        }
        _ => {}
    }
    if !mode.grow() {
        let found = if entry == Entry::Absent { "a missing field" } else { "null" };
        return Err(super::does_not_fit(shape.kind(), found));
    }
    mode.wrapped()?.check_room(shape)?;
    wrap_optional(shape, vector, if entry == Entry::Absent { Null::Absent } else { Null::None });
    if let Vector::Optional(list) = vector {
        list.offsets.push_empty();
    }
    Ok(())
}

/// The cell within an optional for each `Some` around a null. Around other values, `Some` need not be seen.
fn show_somes(cell: Slow<'_>) -> Result<Slow<'_>> {
    let Slow { shape, vector, mode } = cell;
    let somes = mode.somes();
    if somes == 0 || !mode.grow() && !matches!(shape, Shape::Optional(_)) {
        return Ok(Slow { shape, vector, mode: mode.without_somes() });
    }
    match shape {
        Shape::Optional(_) => {}
        Shape::Null => optional_of_nulls(shape, vector),
        _ => {
            mode.wrapped()?.check_room(shape)?;
            wrap_optional(shape, vector, Null::Unseen);
        }
    }
    match (shape, vector) {
        (Shape::Optional(optional), Vector::Optional(list)) => {
            list.offsets.push_one();
            let shown = u32::from(optional.null != Null::Absent);
            let mut mode = mode.wrapped()?.in_branch()?.without_somes();
            for _ in shown..somes {
                mode = mode.with_some()?;
            }
            show_somes(Slow { shape: &mut optional.item, vector: &mut list.item, mode })
        }
        (shape, vector) => Ok(Slow { shape, vector, mode: mode.without_somes() }),
    }
}

/// Whether a shape has a null of its own, so that a `Some` around it needs an optional.
fn is_nullable(shape: &Shape) -> bool {
    matches!(shape, Shape::Optional(_) | Shape::Null)
}

/// Turns a cell without values into an optional one, as the first `Some` does; others take the value as
/// it is.
#[inline]
pub(super) fn make_optional(cell: &mut Slow<'_>) {
    match cell.shape {
        Shape::Unknown if cell.mode.grow() => wrap_optional(cell.shape, cell.vector, Null::Unseen),
        Shape::Null if cell.mode.grow() => optional_of_nulls(cell.shape, cell.vector),
        _ => {}
    }
}

/// The position of the variant that a union has for a value, the best fitting first.
fn find(
    variants: &[Shape],
    union: &UnionVector,
    incoming: &Incoming<'_>,
    mode: super::Mode<'_>,
) -> Option<usize> {
    // Avro has one long: an int beside a u64 stays an int.
    let has_long = variants.iter().any(|shape| matches!(shape, Shape::Long | Shape::U64));
    let fit_of = |(shape, vector)| match fit(shape, vector, incoming, mode) {
        Fit::Widened if has_long && *shape == Shape::Int => Fit::No,
        fit => fit,
    };
    let fits: Vec<Fit> = variants.iter().zip(&union.variants).map(fit_of).collect();
    let named = || {
        variants.iter().zip(&fits).position(|(shape, fit)| *fit == Fit::As && has_name_of(shape, incoming))
    };
    let first = |wanted| fits.iter().position(|fit| *fit == wanted);
    named().or_else(|| first(Fit::As)).or_else(|| first(Fit::Given)).or_else(|| first(Fit::Widened))
}

fn has_name_of(shape: &Shape, incoming: &Incoming<'_>) -> bool {
    match (shape, incoming) {
        (Shape::Record(record), Incoming::Record { name, .. }) => record.name == *name,
        (Shape::Enum(shape), Incoming::Symbol { name, .. }) => shape.name == *name,
        _ => false,
    }
}

/// Whether a shape takes a value. A shape that was given is more liberal, for it cannot grow.
fn fit(shape: &Shape, vector: &Vector, incoming: &Incoming<'_>, mode: super::Mode<'_>) -> Fit {
    let given = !mode.grow();
    let yes = |condition: bool| if condition { Fit::As } else { Fit::No };
    let if_given = |condition: bool| if given && condition { Fit::Given } else { Fit::No };
    match (shape.storage(), incoming) {
        (Shape::Boolean, Incoming::Boolean)
        | (Shape::Float | Shape::Double, Incoming::Float)
        | (Shape::Double, Incoming::Double)
        | (Shape::String, Incoming::String(_))
        | (Shape::Bytes, Incoming::Bytes(_))
        | (Shape::List(_), Incoming::List)
        | (Shape::U128, Incoming::LargeU128) => Fit::As,
        (Shape::Map(_), Incoming::Map { .. }) => Fit::As,
        (Shape::Float, Incoming::Double) => {
            if given {
                Fit::No
            } else {
                Fit::Widened
            }
        }
        (Shape::Int, Incoming::Integer { value, width }) => match width {
            Width::Int => Fit::As,
            _ if given => if_given(i32::try_from(*value).is_ok()),
            Width::Long if u64::try_from(*value).is_ok_and(|v| i64::try_from(v).is_err()) => Fit::No,
            Width::Long => Fit::Widened,
            Width::I128 | Width::U128 => Fit::No,
        },
        (Shape::Long, Incoming::Integer { value, width }) => match width {
            Width::Int | Width::Long if i64::try_from(*value).is_ok() => Fit::As,
            Width::Long if mode.grow() && mode.fresh() && no_negatives(vector) => Fit::Widened,
            Width::I128 | Width::U128 => if_given(i64::try_from(*value).is_ok()),
            _ => Fit::No,
        },
        (Shape::U64, Incoming::Integer { value, width }) => match width {
            Width::Int | Width::Long => yes(u64::try_from(*value).is_ok()),
            Width::I128 | Width::U128 => if_given(u64::try_from(*value).is_ok()),
        },
        (Shape::I128, Incoming::Integer { .. }) => Fit::As,
        (Shape::U128, Incoming::Integer { value, .. }) => yes(*value >= 0),
        (Shape::Float, Incoming::Integer { value, .. }) => if_given(value.unsigned_abs() <= 1 << 24),
        (Shape::Double, Incoming::Integer { value, .. }) => if_given(value.unsigned_abs() <= 1 << 53),
        (Shape::Fixed(fixed), Incoming::Bytes(size)) => yes(fixed.size == *size),
        (Shape::Enum(shape), Incoming::Symbol { symbol, .. }) => {
            yes(mode.grow() || shape.symbols.iter().any(|s| s == symbol))
        }
        (Shape::Enum(shape), Incoming::String(text)) => if_given(shape.symbols.iter().any(|s| s == text)),
        (Shape::String, Incoming::Symbol { .. }) => if_given(true),
        (Shape::Record(record), Incoming::Record { name, form, .. }) => {
            yes(record.form == *form && (!form.is_variant() || record.name == *name))
        }
        (Shape::Record(record), Incoming::Map { record: wanted }) if record.form == Form::Struct => {
            // An empty map that was taken for a record.
            let is_empty = record.name.is_empty() && record.fields.is_empty();
            match *wanted {
                true => Fit::As,
                false if given => Fit::Given,
                false if is_empty => Fit::Widened,
                false => Fit::No,
            }
        }
        (Shape::List(_), Incoming::Record { form: Form::Tuple, .. }) => Fit::As,
        (Shape::Map(_), Incoming::Record { form: Form::Struct, .. }) => if_given(true),
        _ => Fit::No,
    }
}

fn no_negatives(vector: &Vector) -> bool {
    matches!(vector, Vector::Long(values) if values.iter().all(|value| *value >= 0))
}

/// Widens int to long, float to double, long to u64, and records without fields to maps.
fn widen(shape: &mut Shape, vector: &mut Vector, incoming: &Incoming<'_>) {
    match (&*shape, &*vector, incoming) {
        (Shape::Int, Vector::Int(values), _) => {
            *vector = Vector::Long(values.iter().map(|value| i64::from(*value)).collect());
            *shape = Shape::Long;
        }
        (Shape::Float, Vector::Float(values), _) => {
            *vector = Vector::Double(values.iter().map(|value| f64::from(*value)).collect());
            *shape = Shape::Double;
        }
        (Shape::Long, _, Incoming::Integer { .. }) => *shape = Shape::U64,
        (Shape::Record(_), _, Incoming::Map { .. }) => {
            let offsets = Offsets::zeros(vector.len());
            *vector =
                Vector::Map(Box::new(MapVector { offsets, key: Vector::Null(0), value: Vector::Null(0) }));
            *shape = Shape::Map(Box::new(MapShape { key: Shape::Unknown, value: Shape::Unknown }));
        }
        _ => {}
    }
}

/// Gives an unknown cell the shape of its first value.
fn adopt(shape: &mut Shape, vector: &mut Vector, incoming: &Incoming<'_>) {
    *shape = match incoming {
        Incoming::Boolean => Shape::Boolean,
        Incoming::Integer { width: Width::Int, .. } => Shape::Int,
        Incoming::Integer { width: Width::Long, value } if i64::try_from(*value).is_ok() => Shape::Long,
        Incoming::Integer { width: Width::Long, .. } => Shape::U64,
        Incoming::Integer { width: Width::I128, .. } => Shape::I128,
        Incoming::Integer { width: Width::U128, .. } | Incoming::LargeU128 => Shape::U128,
        Incoming::Float => Shape::Float,
        Incoming::Double => Shape::Double,
        Incoming::String(_) => Shape::String,
        Incoming::Bytes(_) => Shape::Bytes,
        Incoming::Symbol { name, .. } => Shape::Enum(EnumShape {
            namespace: Name::Borrowed(""),
            name: Name::Borrowed(name),
            symbols: Vec::new(),
        }),
        Incoming::Record { namespace, name, form } => record(namespace, name, *form),
        Incoming::List => Shape::List(Box::new(Shape::Unknown)),
        Incoming::Map { record: true } => record("", "", Form::Struct),
        Incoming::Map { record: false } => {
            Shape::Map(Box::new(MapShape { key: Shape::Unknown, value: Shape::Unknown }))
        }
    };
    *vector = Vector::of(shape);
}

fn record(namespace: &'static str, name: &'static str, form: Form) -> Shape {
    Shape::Record(RecordShape {
        namespace: Name::Borrowed(namespace),
        name: Name::Borrowed(name),
        form,
        fields: Vec::new(),
    })
}

/// Puts what is there below an optional, all of it present.
pub(super) fn wrap_optional(shape: &mut Shape, vector: &mut Vector, null: Null) {
    let item = std::mem::replace(shape, Shape::Null);
    let values = std::mem::replace(vector, Vector::Null(0));
    *vector = Vector::Optional(Box::new(ListVector::new(Offsets::ones(values.len()), values)));
    *shape = Shape::Optional(Box::new(OptionalShape { null, item }));
}

/// Turns units into the nulls of an optional whose values are still unknown.
pub(super) fn optional_of_nulls(shape: &mut Shape, vector: &mut Vector) {
    let list = ListVector::new(Offsets::zeros(vector.len()), Vector::Null(0));
    *vector = Vector::Optional(Box::new(list));
    *shape = Shape::optional(Shape::Unknown);
}

/// Makes what is there the first variant of a union.
pub(super) fn wrap_union(shape: &mut Shape, vector: &mut Vector) {
    let first = std::mem::replace(shape, Shape::Null);
    let values = std::mem::replace(vector, Vector::Null(0));
    let len = values.len();
    *vector = Vector::Union(UnionVector {
        tags: vec![0; len],
        positions: (0..len as u32).collect(),
        variants: vec![values],
    });
    *shape = Shape::Union(vec![first]);
}

/// Adds a variant to a union; returns its tag.
pub(super) fn add_variant(
    variants: &mut Vec<Shape>,
    union: &mut UnionVector,
    mut shape: Shape,
    mut vector: Vector,
) -> Result<usize> {
    // Avro has one long: beside another integer of 64 bits, the other becomes 128 bits wide.
    if matches!(shape, Shape::Long | Shape::U64)
        && variants.iter().any(|other| matches!(other, Shape::Long | Shape::U64))
    {
        shape = Shape::I128;
        vector = Vector::of(&shape);
    }
    if variants.len() >= usize::from(u16::MAX) {
        return Err(ErrorKind::TooManyFields { limit: usize::from(u16::MAX) }.into());
    }
    variants.push(shape);
    union.variants.push(vector);
    Ok(variants.len() - 1)
}

/// Starts an entry of a variant.
pub(super) fn enter<'a>(
    variants: &'a mut [Shape],
    union: &'a mut UnionVector,
    tag: usize,
) -> Result<(&'a mut Shape, &'a mut Vector)> {
    match (variants.get_mut(tag), union.variants.get_mut(tag)) {
        (Some(shape), Some(vector)) => {
            union.tags.push(tag as u16);
            union.positions.push(vector.len() as u32);
            Ok((shape, vector))
        }
        _ => Err(Error::internal(format!("a union has no variant {tag}"))),
    }
}

#[cold]
fn refused(expected: &str, incoming: &Incoming<'_>) -> Error {
    let found = match incoming {
        Incoming::Boolean => "a boolean".to_owned(),
        Incoming::Integer { value, .. } => format!("integer {value}"),
        Incoming::LargeU128 => "a u128".to_owned(),
        Incoming::Float => "a float".to_owned(),
        Incoming::Double => "a double".to_owned(),
        Incoming::String(text) => format!("text {text:?}"),
        Incoming::Bytes(size) => format!("{size} bytes"),
        Incoming::Symbol { symbol, .. } => format!("symbol {symbol:?}"),
        Incoming::Record { name, form: Form::Struct, .. } => format!("struct {name}"),
        Incoming::Record { form: Form::Tuple, .. } => "a tuple".to_owned(),
        Incoming::Record { name, .. } => format!("variant {name}"),
        Incoming::List => "a sequence".to_owned(),
        Incoming::Map { .. } => "a map".to_owned(),
    };
    ErrorKind::DoesNotFit { expected: expected.to_owned(), found }.into()
}
