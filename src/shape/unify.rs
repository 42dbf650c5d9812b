//! The shape that rows of two shapes have together, as serde reads them: by name.

use super::branch::branch_name;
use super::{
    EnumShape, FieldShape, Form, LogicalShape, MapShape, Name, Null, OptionalShape, RecordShape, Shape, Shown,
};
use std::collections::HashMap;

#[cfg(test)]
mod tests;

/// Where two shapes do not fit together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// Names joined by dots; empty for the whole row.
    pub(crate) path: String,
    /// What the first shape has there.
    pub(crate) one: &'static str,
    /// What the second shape has there.
    pub(crate) two: &'static str,
}

impl Mismatch {
    /// Puts a name in front of the path.
    fn below(mut self, name: &str) -> Self {
        if !self.path.is_empty() {
            self.path.insert(0, '.');
        }
        self.path.insert_str(0, name);
        self
    }
}

/// The shape that takes the rows of both.
///
/// * What is null everywhere, or may be, makes the other optional.
/// * Numbers widen: `int` to `long` to `u64`, integers beside floats to `double`, beside `i128` or
///   `u128` to these.
/// * A logical type stays only where both have the same; otherwise the values are what their storage says. Decimals of one
///   scale have the greater precision.
/// * Symbols of enums are joined; beside text an enum is text. Bytes of any constant number are bytes.
/// * A map without entries takes the keys of the other, and so does a record without fields.
/// * Records go field by field, by name; a field that only one has may be absent. Lists and maps go by
///   what is in them.
/// * Unions go variant by variant, by name; what stands beside a union joins it. Variants of an enum
///   that stand alone become a union.
///
/// # Errors
///
/// Everything else, such as a text beside a number.
pub(crate) fn unify(one: &Shape, two: &Shape) -> Result<Shape, Mismatch> {
    unify_shown(one, two, Shown::Stored)
}

/// As [`unify`], for rows whose values of logical types are shown like this. Where they are shown as texts, instants and
/// times have the finer unit, and two other types, or one beside texts, are texts.
pub(crate) fn unify_shown(one: &Shape, two: &Shape, shown: Shown) -> Result<Shape, Mismatch> {
    Ok(match (one, two) {
        _ if one == two => one.clone(),
        (Shape::Null | Shape::Unknown, other) | (other, Shape::Null | Shape::Unknown) => nullable(other),
        (Shape::Optional(one), Shape::Optional(two)) => optionals(one, two, shown)?,
        (Shape::Optional(one), two) => optional(one.null, unify_shown(&one.item, two, shown)?),
        (one, Shape::Optional(two)) => optional(two.null, unify_shown(one, &two.item, shown)?),
        (Shape::Union(one), Shape::Union(two)) => union(one, two, shown)?,
        (Shape::Union(one), two) => union(one, std::slice::from_ref(two), shown)?,
        (one, Shape::Union(two)) => union(std::slice::from_ref(one), two, shown)?,
        (Shape::Record(one), Shape::Record(two)) if is_same(one, two) => record(one, two, shown)?,
        (Shape::Enum(one), Shape::Enum(two)) => enums(one, two),
        (one, two) if is_variant(one) && is_variant(two) => Shape::Union(vec![one.clone(), two.clone()]),
        (Shape::Enum(_), Shape::String) | (Shape::String, Shape::Enum(_)) => Shape::String,
        (Shape::Bytes | Shape::Fixed(_), Shape::Bytes | Shape::Fixed(_)) => Shape::Bytes,
        (Shape::List(one), Shape::List(two)) => Shape::List(Box::new(unify_shown(one, two, shown)?)),
        // An empty map that was taken for a record.
        (Shape::Record(record), map @ Shape::Map(_)) | (map @ Shape::Map(_), Shape::Record(record))
            if record.form == Form::Struct && record.fields.is_empty() =>
        {
            map.clone()
        }
        (Shape::Map(one), Shape::Map(two)) if is_empty(one) || is_empty(two) => {
            let key = if is_empty(one) { two.key.clone() } else { one.key.clone() };
            let value = unify_shown(&one.value, &two.value, shown).map_err(|error| error.below("value"))?;
            Shape::Map(Box::new(MapShape { key, value }))
        }
        (Shape::Map(one), Shape::Map(two)) => {
            let key = unify_shown(&one.key, &two.key, shown).map_err(|error| error.below("key"))?;
            let value = unify_shown(&one.value, &two.value, shown).map_err(|error| error.below("value"))?;
            Shape::Map(Box::new(MapShape { key, value }))
        }
        (Shape::Logical(_), _) | (_, Shape::Logical(_)) => match logical(one, two, shown) {
            Some(shape) => shape,
            None => unify_shown(one.storage(), two.storage(), shown)?,
        },
        (one, two) => match number(one, two) {
            Some(number) => number,
            None => return Err(Mismatch { path: String::new(), one: called(one), two: called(two) }),
        },
    })
}

/// What values of logical types have in common with others, beyond what is stored.
fn logical(one: &Shape, two: &Shape, shown: Shown) -> Option<Shape> {
    let has_texts = |shape: &Shape| match shape {
        Shape::Logical(shape) => shape.logical.has_texts(),
        other => *other == Shape::String,
    };
    if let (Shape::Logical(one), Shape::Logical(two)) = (one, two)
        && let Some(logical) = one.logical.wider(&two.logical, shown)
    {
        let (finer, coarser) = if logical == one.logical { (one, two) } else { (two, one) };
        let is_stored_as = logical.fits(&finer.storage);
        let is_same = one.storage == two.storage || matches!(coarser.storage, Shape::Int | Shape::Long);
        if is_stored_as && is_same {
            return Some(Shape::Logical(Box::new(LogicalShape { logical, storage: finer.storage.clone() })));
        }
    }
    (shown == Shown::Texts && has_texts(one) && has_texts(two)).then_some(Shape::String)
}

/// Whether a map may never have had an entry, so that its keys are not known.
fn is_empty(map: &MapShape) -> bool {
    map.key == Shape::String && map.value == Shape::Null
}

fn nullable(shape: &Shape) -> Shape {
    match shape {
        Shape::Null | Shape::Unknown => Shape::Null,
        Shape::Optional(_) => shape.clone(),
        other => Shape::optional(other.clone()),
    }
}

fn optional(null: Null, item: Shape) -> Shape {
    Shape::Optional(Box::new(OptionalShape { null, item }))
}

/// An absent field is not a `None`: where one shape has each, the first is around the second.
fn optionals(one: &OptionalShape, two: &OptionalShape, shown: Shown) -> Result<Shape, Mismatch> {
    let whole = |shape: &OptionalShape| Shape::Optional(Box::new(shape.clone()));
    Ok(match (one.null, two.null) {
        (Null::Absent, Null::Absent) => optional(Null::Absent, unify_shown(&one.item, &two.item, shown)?),
        (Null::Absent, _) => optional(Null::Absent, unify_shown(&one.item, &whole(two), shown)?),
        (_, Null::Absent) => optional(Null::Absent, unify_shown(&whole(one), &two.item, shown)?),
        _ => optional(Null::None, unify_shown(&one.item, &two.item, shown)?),
    })
}

/// Whether two records are to have one set of fields.
fn is_same(one: &RecordShape, two: &RecordShape) -> bool {
    one.form == two.form && (!one.form.is_variant() || one.name == two.name)
}

fn is_variant(shape: &Shape) -> bool {
    match shape {
        Shape::Record(record) => record.form.is_variant(),
        Shape::Enum(_) => true,
        _ => false,
    }
}

fn record(one: &RecordShape, two: &RecordShape, shown: Shown) -> Result<Shape, Mismatch> {
    let mut others: HashMap<&str, &FieldShape> =
        two.fields.iter().map(|field| (&*field.name, field)).collect();
    let mut fields = Vec::with_capacity(one.fields.len().max(two.fields.len()));
    for field in &one.fields {
        let shape = match others.remove(&*field.name) {
            Some(other) => {
                unify_shown(&field.shape, &other.shape, shown).map_err(|error| error.below(&field.name))?
            }
            None => absent(&field.shape),
        };
        fields.push(FieldShape { name: field.name.clone(), shape });
    }
    for field in two.fields.iter().filter(|field| others.contains_key(&*field.name)) {
        fields.push(FieldShape { name: field.name.clone(), shape: absent(&field.shape) });
    }
    let named = if one.name.is_empty() { two } else { one };
    Ok(Shape::Record(RecordShape {
        namespace: named.namespace.clone(),
        name: named.name.clone(),
        form: one.form,
        fields,
    }))
}

/// The shape of a field that some rows do not have.
fn absent(shape: &Shape) -> Shape {
    match shape {
        Shape::Optional(inner) if inner.null == Null::Absent => shape.clone(),
        other => optional(Null::Absent, other.clone()),
    }
}

fn enums(one: &EnumShape, two: &EnumShape) -> Shape {
    let mut symbols: Vec<Name> = one.symbols.clone();
    symbols.extend(two.symbols.iter().filter(|symbol| !one.symbols.contains(symbol)).cloned());
    Shape::Enum(EnumShape { namespace: one.namespace.clone(), name: one.name.clone(), symbols })
}

fn union(one: &[Shape], two: &[Shape], shown: Shown) -> Result<Shape, Mismatch> {
    let mut variants = one.to_vec();
    for more in two {
        let name = branch_name(more);
        match variants.iter_mut().find(|variant| branch_name(variant) == name) {
            Some(variant) => {
                *variant = unify_shown(variant, more, shown).map_err(|error| error.below(name.name))?
            }
            None => variants.push(more.clone()),
        }
    }
    Ok(Shape::Union(variants))
}

fn number(one: &Shape, two: &Shape) -> Option<Shape> {
    let is_integer = |shape: &Shape| matches!(shape, Shape::Int | Shape::Long | Shape::U64);
    let is_float = |shape: &Shape| matches!(shape, Shape::Float | Shape::Double);
    let is_number = |shape: &Shape| is_integer(shape) || is_float(shape);
    match (one, two) {
        (Shape::I128 | Shape::U128, other) if is_integer(other) => Some(one.clone()),
        (other, Shape::I128 | Shape::U128) if is_integer(other) => Some(two.clone()),
        _ if !is_number(one) || !is_number(two) => None,
        _ if is_float(one) || is_float(two) => Some(Shape::Double),
        _ if *one == Shape::U64 || *two == Shape::U64 => Some(Shape::U64),
        _ => Some(Shape::Long),
    }
}

/// What to call a shape in a message.
fn called(shape: &Shape) -> &'static str {
    match shape {
        Shape::Record(record) if record.form == Form::Tuple => "tuple",
        Shape::Record(record) if record.form.is_variant() => "variant",
        other => other.kind(),
    }
}
