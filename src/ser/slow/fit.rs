//! Whether a shape takes a value.

use super::Mode;
use super::cell::Width;
use super::cell::{Incoming, Kind};
use crate::logical::{self, Texts};
use crate::shape::join::{Meet, meet};
use crate::shape::{Form, LogicalShape, Shape};
use crate::vector::{UnionVector, Vector};

/// How well a shape takes a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fit {
    As,
    /// As a value of what a logical type is stored as.
    Stored,
    /// By what a shape that was given takes beside, for it cannot grow.
    Given,
    /// As a wider shape, which this one becomes.
    Widened(Shape),
    /// Once values of a logical type, here or there, are strings.
    Strings,
    No,
}

/// Where a union takes a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Found {
    /// A variant as it is.
    Variant(usize),
    /// A variant that becomes a wider shape.
    Widened(usize, Shape),
    /// After a variant has become strings.
    Strings(usize),
    None,
}

/// The variant that a union has for a value, the best fitting first.
pub(super) fn find(
    variants: &[Shape],
    union: &UnionVector,
    incoming: &Incoming<'_>,
    mode: Mode<'_>,
) -> Found {
    if mode.grow()
        && let Some(found) = find_at_once(variants, incoming)
    {
        return found;
    }
    let fits: Vec<Fit> = variants
        .iter()
        .zip(&union.variants)
        .map(|(shape, vector)| fit(shape, vector, incoming, mode))
        .collect();
    let mut pairs = variants.iter().zip(&fits);
    let named = pairs.position(|(shape, fit)| *fit == Fit::As && has_name_of(shape, incoming));
    let first = |wanted: Fit| fits.iter().position(|fit| *fit == wanted);
    let first_of = |wanted: [Fit; 3]| wanted.into_iter().find_map(first);
    if let Some(at) = named.or_else(|| first_of([Fit::As, Fit::Stored, Fit::Given])) {
        return Found::Variant(at);
    }
    for (at, fit) in fits.into_iter().enumerate() {
        match fit {
            Fit::Widened(shape) => return Found::Widened(at, shape),
            Fit::Strings => return Found::Strings(at),
            Fit::As | Fit::Stored | Fit::Given | Fit::No => {}
        }
    }
    Found::None
}

/// The same where it needs no look at what shapes become together: most values.
fn find_at_once(variants: &[Shape], incoming: &Incoming<'_>) -> Option<Found> {
    for (at, shape) in variants.iter().enumerate() {
        if fits_at_once(shape, incoming)? {
            return Some(Found::Variant(at));
        }
    }
    Some(Found::None)
}

/// Whether a shape that grows takes a value as it is, where that is plain: the answer of [`meet`], which has no shapes to make.
#[inline]
fn fits_at_once(shape: &Shape, incoming: &Incoming<'_>) -> Option<bool> {
    use Incoming as In;
    match (shape, incoming) {
        (Shape::Boolean, In::Boolean)
        | (Shape::Int | Shape::Long, In::Integer { width: Width::Int, .. })
        | (Shape::Float, In::Float)
        | (Shape::Double, In::Double(_))
        | (Shape::String, In::String(_))
        | (Shape::Bytes, In::Bytes(_))
        | (Shape::List(_), In::List) => Some(true),
        (Shape::Long, In::Integer { value, width: Width::Long }) if i64::try_from(*value).is_ok() => {
            Some(true)
        }
        (Shape::Record(record), In::Map { record: true, .. }) if record.form == Form::Struct => Some(true),
        (Shape::Record(record), In::Record { name, form, .. }) => match record.form == *form {
            true if record.name == *name => Some(true),
            true if !form.is_variant() => None,
            _ => Some(false),
        },
        (Shape::Enum(shape), In::Symbol { name, .. }) if shape.name == *name => Some(true),
        _ => match (kind_of(shape), incoming.kind()) {
            (Some(one), Some(other)) if one != other => Some(false),
            _ => None,
        },
    }
}

/// The kind of a shape, where shapes of other kinds are other variants of a union.
fn kind_of(shape: &Shape) -> Option<Kind> {
    Some(match shape {
        Shape::Boolean => Kind::Boolean,
        Shape::String => Kind::String,
        Shape::Bytes | Shape::Fixed(_) => Kind::Bytes,
        Shape::Enum(_) => Kind::Enum,
        Shape::List(_) => Kind::List,
        Shape::Record(_) | Shape::Map(_) => Kind::Fields,
        Shape::Int | Shape::Long | Shape::U64 | Shape::I128 | Shape::U128 | Shape::Float | Shape::Double => {
            Kind::Number
        }
        _ => return None,
    })
}

fn has_name_of(shape: &Shape, incoming: &Incoming<'_>) -> bool {
    match (shape, incoming) {
        (Shape::Record(record), Incoming::Record { name, .. }) => record.name == *name,
        (Shape::Enum(shape), Incoming::Symbol { name, .. }) => shape.name == *name,
        _ => false,
    }
}

/// Whether a shape takes a value. One that was given is more liberal, for it cannot grow.
pub(super) fn fit(shape: &Shape, vector: &Vector, incoming: &Incoming<'_>, mode: Mode<'_>) -> Fit {
    if let Shape::Logical(logical) = shape
        && let Some(fit) = fit_logical(logical, incoming, mode)
    {
        return fit;
    }
    if mode.grow() { grown(shape, vector, incoming, mode) } else { given(shape, incoming) }
}

/// Whether a shape that grows takes a value: as shapes are joined.
fn grown(shape: &Shape, vector: &Vector, incoming: &Incoming<'_>, mode: Mode<'_>) -> Fit {
    match (shape, incoming) {
        // Most values.
        (
            Shape::Record(record),
            Incoming::Record { form: Form::Struct, .. } | Incoming::Map { record: true, .. },
        ) if record.form == Form::Struct => {
            return Fit::As;
        }
        (Shape::Map(map), Incoming::Map { record: true, is_empty: false }) => {
            return if map.open { Fit::As } else { Fit::No };
        }
        // Its fields are still to come.
        (Shape::Map(_), Incoming::Record { .. }) => return Fit::No,
        (Shape::Int | Shape::Long, Incoming::Integer { value, width: Width::Long })
            if i64::try_from(*value).is_err() && mode.fresh() && no_negatives(vector) =>
        {
            return Fit::Widened(Shape::U64);
        }
        _ => {}
    }
    match fits_at_once(shape, incoming) {
        Some(true) => return Fit::As,
        Some(false) => return Fit::No,
        None => {}
    }
    match meet(shape, &incoming.shape(), mode.rules()) {
        Meet::Together => Fit::As,
        Meet::As(wider) if wider == *shape => Fit::As,
        // A plain number, to those who are shown such.
        Meet::As(wider) if mode.stores() && wider == *shape.storage() => Fit::Stored,
        Meet::As(wider) => Fit::Widened(wider),
        // The text of a marked number is a string.
        Meet::Strings if *shape == Shape::String => Fit::As,
        Meet::Strings => Fit::Strings,
        Meet::Apart => Fit::No,
    }
}

/// Whether a shape that was given takes a value.
pub(super) fn given(shape: &Shape, incoming: &Incoming<'_>) -> Fit {
    let yes = |condition: bool| if condition { Fit::As } else { Fit::No };
    let may = |condition: bool| if condition { Fit::Given } else { Fit::No };
    match (shape.storage(), incoming) {
        (_, Incoming::Marked { value, .. }) => {
            given(shape, &Incoming::Integer { value: (*value).into(), width: Width::Long })
        }
        (Shape::Boolean, Incoming::Boolean)
        | (Shape::Float | Shape::Double, Incoming::Float)
        | (Shape::Double, Incoming::Double(_))
        | (Shape::String, Incoming::String(_))
        | (Shape::Bytes, Incoming::Bytes(_))
        | (Shape::List(_), Incoming::List | Incoming::Record { form: Form::Tuple, .. })
        | (Shape::U128, Incoming::LargeU128)
        | (Shape::Map(_), Incoming::Map { .. }) => Fit::As,
        (Shape::Float, Incoming::Double(value)) => may(float_of(*value).is_some()),
        (storage, Incoming::Integer { value, width }) => integer(storage, *value, *width),
        (Shape::Fixed(fixed), Incoming::Bytes(size)) => yes(fixed.size == *size),
        (Shape::Enum(shape), Incoming::Symbol { symbol, .. }) => {
            yes(shape.symbols.iter().any(|s| s == symbol))
        }
        (Shape::Enum(shape), Incoming::String(text)) => may(shape.symbols.iter().any(|s| s == text)),
        (Shape::String, Incoming::Symbol { .. }) => Fit::Given,
        (Shape::Record(record), Incoming::Record { name, form, .. }) => {
            yes(record.form == *form && (!form.is_variant() || record.name == *name))
        }
        (Shape::Record(record), Incoming::Map { record: wanted, .. }) if record.form == Form::Struct => {
            if *wanted {
                Fit::As
            } else {
                Fit::Given
            }
        }
        (Shape::Map(_), Incoming::Record { form: Form::Struct, .. }) => Fit::Given,
        _ => Fit::No,
    }
}

/// The float that has the digits of a double, as strings have them; `None` where it has more.
fn float_of(value: f64) -> Option<f32> {
    let float = value as f32;
    let has_digits = || format!("{float:e}") == format!("{value:e}");
    (f64::from(float) == value || value.is_nan() || has_digits()).then_some(float)
}

/// Whether a shape that was given takes an integer: as a wider one, or where its value fits.
fn integer(shape: &Shape, value: i128, width: Width) -> Fit {
    let is_narrow = matches!(width, Width::Int | Width::Long);
    let (as_it_is, fits) = match shape {
        Shape::Int => (width == Width::Int, i32::try_from(value).is_ok()),
        Shape::Long => (is_narrow, i64::try_from(value).is_ok()),
        Shape::U64 => (is_narrow, u64::try_from(value).is_ok()),
        Shape::I128 => (true, true),
        Shape::U128 => (true, value >= 0),
        Shape::Float => (false, value.unsigned_abs() <= 1 << 24),
        Shape::Double => (false, value.unsigned_abs() <= 1 << 53),
        _ => return Fit::No,
    };
    match (fits, as_it_is) {
        (false, _) => Fit::No,
        (true, true) => Fit::As,
        (true, false) => Fit::Given,
    }
}

/// Whether a logical type takes a value that is not as it is stored; `None` where that is for others to say.
fn fit_logical(shape: &LogicalShape, incoming: &Incoming<'_>, mode: Mode<'_>) -> Option<Fit> {
    let own = Texts::from_shape(shape)?;
    let is_taken = match incoming {
        Incoming::Marked { texts, .. } if *texts == own => return Some(Fit::As),
        _ if !mode.texts() => return None,
        Incoming::Marked { texts, value } => texts.convert(*value, own).is_some(),
        Incoming::String(text) => own.reads(text),
        Incoming::Integer { value, .. } => match own.kind() {
            logical::Kind::Bytes => own.bytes_of_integer(*value, &mut Vec::new()),
            logical::Kind::Int => i32::try_from(*value).is_ok(),
            logical::Kind::Long => i64::try_from(*value).is_ok(),
        },
        _ => return None,
    };
    Some(if is_taken { Fit::Given } else { Fit::No })
}

fn no_negatives(vector: &Vector) -> bool {
    match vector {
        Vector::Int(values) => values.iter().all(|value| *value >= 0),
        Vector::Long(values) => values.iter().all(|value| *value >= 0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::join::Rules;
    use crate::shape::{EnumShape, FixedShape, Name, RecordShape};

    fn record(name: &'static str, form: Form) -> Shape {
        let (namespace, name) = (Name::Borrowed(""), Name::Borrowed(name));
        Shape::Record(RecordShape { namespace, name, form, fields: Vec::new() })
    }

    fn shapes() -> Vec<Shape> {
        let (namespace, name) = (Name::Borrowed(""), Name::Borrowed("A"));
        let mut shapes = vec![Shape::Boolean, Shape::Int, Shape::Long, Shape::U64, Shape::I128, Shape::U128];
        shapes.extend([Shape::Float, Shape::Double, Shape::String, Shape::Bytes]);
        shapes.extend([Shape::Fixed(FixedShape::new("f", 4)), Shape::List(Box::new(Shape::Int))]);
        shapes.extend([
            Shape::Enum(EnumShape { namespace, name, symbols: Vec::new() }),
            Shape::map(Shape::String, Shape::Int),
        ]);
        let forms =
            [Form::Struct, Form::Tuple, Form::NewtypeVariant, Form::TupleVariant, Form::StructVariant];
        shapes.extend(forms.into_iter().flat_map(|form| ["A", "B"].map(|name| record(name, form))));
        shapes
    }

    fn incoming() -> Vec<Incoming<'static>> {
        use Incoming as In;
        let integer = |value, width| In::Integer { value, width };
        let mut all = vec![In::Boolean, In::Float, In::Double(0.1), In::String("s"), In::Bytes(4), In::List];
        all.extend([Width::Int, Width::Long, Width::I128, Width::U128].map(|width| integer(1, width)));
        all.extend([integer(i128::from(u64::MAX), Width::Long), In::LargeU128]);
        all.extend(["A", "B"].map(|name| In::Symbol { name, symbol: "S" }));
        all.extend([In::Map { record: true, is_empty: false }, In::Map { record: false, is_empty: true }]);
        let forms =
            [Form::Struct, Form::Tuple, Form::NewtypeVariant, Form::TupleVariant, Form::StructVariant];
        let record = |form| ["A", "B"].map(|name| In::Record { namespace: "", name, form });
        all.extend(forms.into_iter().flat_map(record));
        all
    }

    #[test]
    fn answers_at_once_are_those_of_meeting_shapes() {
        let mut answers = 0;
        for shape in shapes() {
            for incoming in incoming() {
                let Some(at_once) = fits_at_once(&shape, &incoming) else { continue };
                answers += 1;
                let met = meet(&shape, &incoming.shape(), Rules::ROWS);
                let fits = met == Meet::Together || met == Meet::As(shape.clone());
                assert_eq!((fits, met == Meet::Apart), (at_once, !at_once), "{shape} {:?}", incoming.shape());
            }
        }
        assert!(answers > 400, "{answers}");
    }
}
