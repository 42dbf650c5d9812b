//! The shape that a single writer would have made from the rows of two shapes.
//!
//! Growth of a shape, datasets, merges, tables and the command line ask [`join`], and so do checks whether
//! a value fits a node ([`meet()`]). Names of fields and variants say what belongs together, as serde reads rows by name.

mod meet;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use meet::{Meet, meet};

use super::branch::branch_name;
use super::{
    EnumShape, FieldShape, Form, MapShape, Name, Null, OptionalShape, RECORD_FIELDS_MAX, RecordShape, Shape,
    Shown,
};
use std::collections::HashMap;

/// How shapes are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Whether values may become values of a wider kind, as in the columns of a table: integers and decimals beside floats
    /// become floats, integers beside decimals decimals, enums beside strings strings, strings beside bytes bytes. Otherwise
    /// each stays what it is, in a variant of a union.
    pub(crate) promote: bool,
    /// What values of logical types are to those who ask for no type.
    pub(crate) shown: Shown,
    /// Whether all unions come from rows, so that structs of other names may be the same variant.
    pub(crate) derived: bool,
}

impl Rules {
    /// The rules for rows of one writer.
    pub(crate) const ROWS: Self = Self { promote: false, shown: Shown::Texts, derived: true };
    /// The rules for columns of a table.
    pub(crate) const TABLE: Self = Self { promote: true, shown: Shown::Stored, derived: false };
}

/// The shape of the rows of both.
///
/// * Null makes the other optional; what is unknown adds nothing. A field that only one has may be absent.
/// * Integers become the narrowest that has both: `int`, `long`, `i128`. `u64` beside integers with a sign is `i128`, and `u128`
///   stays apart from all of these. `float` beside `double` is `double`.
/// * Values of logical types that differ have the finer unit, the greater precision or any family of IP addresses, or else become strings; so do those beside
///   strings, and beside plain values that a union could not tell from them.
/// * Symbols of enums are joined. Bytes of two sizes are bytes.
/// * Structs and tuples go field by field, by name; lists and maps by what is in them; a record without fields beside a map is
///   an empty map, and the fields of a struct beside an open map are its entries. Two structs with more than 10,000 fields
///   together become an open map.
/// * All else becomes a union, whose variants are joined likewise. Variants of enums go by name.
///
/// The result does not depend on the order of the shapes, but for the order of fields, variants and symbols.
pub(crate) fn join(one: &Shape, two: &Shape, rules: Rules) -> Shape {
    match (one, two) {
        _ if one == two => one.clone(),
        (Shape::Unknown, other) | (other, Shape::Unknown) => other.clone(),
        (Shape::Null, other) | (other, Shape::Null) => nullable(other),
        (Shape::Optional(one), Shape::Optional(two)) => optionals(one, two, rules),
        (Shape::Optional(one), two) => optional(one.null, join(&one.item, two, rules)),
        (one, Shape::Optional(two)) => optional(two.null, join(one, &two.item, rules)),
        (Shape::Union(one), Shape::Union(two)) => union(one, two, rules),
        (Shape::Union(one), two) => union(one, std::slice::from_ref(two), rules),
        (one, Shape::Union(two)) => union(std::slice::from_ref(one), two, rules),
        (one, two) => single(one, two, rules),
    }
}

/// The shape of values of two shapes, neither of which is null, optional or a union.
fn single(one: &Shape, two: &Shape, rules: Rules) -> Shape {
    match meet(one, two, rules) {
        Meet::Together => within(one, two, rules),
        Meet::As(shape) => shape,
        Meet::Strings => single(&string(one), &string(two), rules),
        Meet::Apart => Shape::Union(vec![one.clone(), two.clone()]),
    }
}

/// The shape of entries of one node, whose children are joined.
fn within(one: &Shape, two: &Shape, rules: Rules) -> Shape {
    match (one, two) {
        (Shape::Record(one), Shape::Record(two)) => record(one, two, rules),
        (Shape::Enum(one), Shape::Enum(two)) => enums(one, two),
        (Shape::List(one), Shape::List(two)) => Shape::List(Box::new(join(one, two, rules))),
        (Shape::Map(one), Shape::Map(two)) => map(one, two, rules),
        (Shape::Map(one), Shape::Record(two)) => map(one, &entries(two, rules), rules),
        (Shape::Record(one), Shape::Map(two)) => map(&entries(one, rules), two, rules),
        // Leaves of one kind, and variants without data.
        (one, _) => one.clone(),
    }
}

/// What a shape becomes beside one that it cannot be told from in a union.
pub(crate) fn string(shape: &Shape) -> Shape {
    match shape {
        Shape::Logical(logical) if logical.logical.has_texts() => Shape::String,
        other => other.clone(),
    }
}

/// A shape with null beside its values.
fn nullable(shape: &Shape) -> Shape {
    match shape {
        Shape::Null | Shape::Unknown => Shape::Null,
        // Null is not what is absent.
        Shape::Optional(inner) if inner.null == Null::Absent => optional(Null::Absent, nullable(&inner.item)),
        Shape::Optional(_) => shape.clone(),
        other => Shape::optional(other.clone()),
    }
}

fn optional(null: Null, item: Shape) -> Shape {
    Shape::Optional(Box::new(OptionalShape { null, item }))
}

/// Absent and null are two optionals, one in the other.
fn optionals(one: &OptionalShape, two: &OptionalShape, rules: Rules) -> Shape {
    let whole = |shape: &OptionalShape| Shape::Optional(Box::new(shape.clone()));
    match (one.null, two.null) {
        (Null::Absent, Null::Absent) => optional(Null::Absent, join(&one.item, &two.item, rules)),
        (Null::Absent, _) => optional(Null::Absent, join(&one.item, &whole(two), rules)),
        (_, Null::Absent) => optional(Null::Absent, join(&whole(one), &two.item, rules)),
        _ => optional(Null::None, join(&one.item, &two.item, rules)),
    }
}

fn record(one: &RecordShape, two: &RecordShape, rules: Rules) -> Shape {
    let mut others: HashMap<&str, &FieldShape> =
        two.fields.iter().map(|field| (&*field.name, field)).collect();
    let mut fields = Vec::with_capacity(one.fields.len().max(two.fields.len()));
    for field in &one.fields {
        let shape = match others.remove(&*field.name) {
            Some(other) => join(&field.shape, &other.shape, rules),
            None => absent(&field.shape),
        };
        fields.push(FieldShape { name: field.name.clone(), shape });
    }
    for field in two.fields.iter().filter(|field| others.contains_key(&*field.name)) {
        fields.push(FieldShape { name: field.name.clone(), shape: absent(&field.shape) });
    }
    let named = if one.name.is_empty() { two } else { one };
    let (namespace, name) = (named.namespace.clone(), named.name.clone());
    let record = RecordShape { namespace, name, form: one.form, fields };
    let has_many = |record: &RecordShape| record.fields.len() > RECORD_FIELDS_MAX;
    match record.form == Form::Struct && has_many(&record) && !has_many(one) && !has_many(two) {
        true => Shape::Map(Box::new(entries(&record, rules))),
        false => Shape::Record(record),
    }
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

fn map(one: &MapShape, two: &MapShape, rules: Rules) -> Shape {
    let key = match (is_empty(one), is_empty(two)) {
        (true, _) => two.key.clone(),
        (_, true) => one.key.clone(),
        _ => join(&one.key, &two.key, rules),
    };
    let value = join(&one.value, &two.value, rules);
    Shape::Map(Box::new(MapShape { key, value, open: one.open || two.open }))
}

/// A record as a map: each field that is present is an entry.
pub(crate) fn entries(record: &RecordShape, rules: Rules) -> MapShape {
    let values = record.fields.iter().map(|field| field.shape.present().0);
    MapShape::open(values.fold(Shape::Unknown, |all, shape| join(&all, shape, rules)))
}

/// Whether a map may never have had an entry, so that its keys are not known.
fn is_empty(map: &MapShape) -> bool {
    matches!(map.key, Shape::String | Shape::Unknown) && map.value == Shape::Unknown
}

fn union(one: &[Shape], two: &[Shape], rules: Rules) -> Shape {
    let mut variants = one.to_vec();
    two.iter().for_each(|more| add(&mut variants, more.clone(), rules));
    Shape::Union(variants)
}

/// Adds values of a shape to the variants of a union.
fn add(variants: &mut Vec<Shape>, more: Shape, rules: Rules) {
    if let Some(at) = variant_for(variants, &more, rules) {
        let joined = single(&variants[at], &more, rules);
        if joined == variants[at] {
            return;
        }
        // It may have become what another variant is.
        variants[at] = joined;
        let changed = variants[at].clone();
        let is_other = |(number, shape): (usize, &Shape)| number != at && !is_apart(shape, &changed, rules);
        if variants.iter().enumerate().any(is_other) {
            variants.remove(at);
            add(variants, changed, rules);
        }
        return;
    }
    let conflict = |shape: &Shape| meet(shape, &more, rules) == Meet::Strings;
    let Some(at) = variants.iter().position(conflict) else {
        variants.push(more);
        return;
    };
    let strings = string(&variants[at]);
    if variants[at] != strings {
        match variants.contains(&strings) {
            true => drop(variants.remove(at)),
            false => variants[at] = strings,
        }
    }
    add(variants, string(&more), rules);
}

fn is_apart(one: &Shape, two: &Shape, rules: Rules) -> bool {
    meet(one, two, rules) == Meet::Apart
}

/// The variant of a union that values of a shape join.
fn variant_for(variants: &[Shape], more: &Shape, rules: Rules) -> Option<usize> {
    let name = branch_name(more);
    let fits = |variant: &Shape| matches!(meet(variant, more, rules), Meet::Together | Meet::As(_));
    let named = |variant: &Shape| branch_name(variant) == name && fits(variant);
    let by_name = variants.iter().position(named);
    by_name.or_else(|| variants.iter().position(|variant| fits(variant) && !is_foreign(variant, rules)))
}

/// Whether a variant takes only values of its own name: a struct of a schema that was not made from rows.
fn is_foreign(variant: &Shape, rules: Rules) -> bool {
    !rules.derived && matches!(variant, Shape::Record(record) if record.form == Form::Struct)
}
