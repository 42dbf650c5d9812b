//! Names that Avro accepts, unique where Avro wants it.

pub(crate) use crate::shape::branch::{RESERVED, UNIT};
use crate::shape::{Name, Shape};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Records around the inner of two optionals; numbered in depth-first order.
pub(crate) const SOME: &str = "Some";
/// Records of key and value; numbered in depth-first order.
pub(crate) const ENTRY: &str = "Entry";
/// Namespace of the variants of an enum without a name.
const ENUM: &str = "Enum";
/// Namespace of types without one of their own, but are mentioned where Avro looks in another one.
const TYPES: &str = "types";

/// Names of Avro's types without a name, which no type may have in any namespace.
const PRIMITIVES: [&str; 8] = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];
/// The other words of Avro's schemas for types: with these as a full name, a branch of a union could be two things.
const WORDS: [&str; 8] = ["array", "enum", "error", "error_union", "fixed", "map", "record", "union"];

/// A name with a number where it is not the first of its kind.
pub(crate) fn numbered(base: &str, number: usize) -> String {
    if number <= 1 { base.to_owned() } else { format!("{base}_{number}") }
}

/// The name with all that Avro does not allow in names replaced by `_`.
pub(crate) fn valid(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        let good = character.is_ascii_alphanumeric() || character == '_';
        if out.is_empty() && character.is_ascii_digit() {
            out.push('_');
        }
        out.push(if good { character } else { '_' });
    }
    if out.is_empty() {
        out.push('_');
    }
    out
}

/// A [`valid`] name for a type; the words of Avro itself get a `_` at the end.
pub(crate) fn valid_type(namespace: &str, name: &str) -> String {
    let mut name = valid(name);
    if PRIMITIVES.contains(&&*name) || namespace.is_empty() && WORDS.contains(&&*name) {
        name.push('_');
    }
    name
}

/// Whether [`valid`] leaves a name as it is.
pub(crate) fn is_valid(name: &str) -> bool {
    name.bytes().all(|byte| GOOD[usize::from(byte)])
        && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// Which bytes Avro allows in names.
const GOOD: [bool; 256] = {
    let mut good = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        good[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    good
};

/// Names that are taken.
#[derive(Default)]
pub(crate) struct Taken {
    names: HashSet<String>,
    /// The number to try next, by name.
    next: HashMap<String, usize>,
}

impl Taken {
    /// Takes the name, or else the first with a number behind it that is free.
    pub(crate) fn free(&mut self, base: &str) -> String {
        let next = self.next.entry(base.to_owned()).or_insert(1);
        loop {
            let name = numbered(base, *next);
            *next += 1;
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Valid names for the fields of a record or the symbols of an enum, each used once.
pub(crate) fn valid_unique<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<Cow<'a, str>> {
    let mut sorted: Vec<&str> = names.clone().collect();
    sorted.sort_unstable();
    let unique = sorted.windows(2).all(|pair| pair.first() != pair.last());
    if unique && sorted.iter().all(|name| is_valid(name)) {
        return names.map(Cow::Borrowed).collect();
    }
    // Names that are valid as they are keep themselves.
    let own = names.clone().filter(|name| valid(name) == **name).map(str::to_owned);
    let mut taken = Taken { names: own.collect(), next: HashMap::new() };
    let mut seen = HashSet::new();
    names
        .map(|name| {
            let base = valid(name);
            if base == name && seen.insert(base.clone()) {
                return Cow::Owned(base);
            }
            Cow::Owned(taken.free(&base))
        })
        .collect()
}

/// Gives all named types of a shape full names that are valid, and that two types share only where
/// they are the same.
pub(crate) fn resolve(mut shape: Shape) -> Shape {
    Resolver::default().resolve(&mut shape, "Row");
    shape
}

#[derive(Default)]
struct Resolver {
    types: HashMap<String, Shape>,
}

impl Resolver {
    /// Names the types of a shape, inner ones first; `place` names what has no name.
    fn resolve(&mut self, shape: &mut Shape, place: &str) {
        match shape {
            Shape::Record(record) => {
                for field in &mut record.fields {
                    self.resolve(&mut field.shape, &field.name);
                }
                if !record.form.is_variant() {
                    record.name = own_name(&record.namespace, &record.name, place);
                }
            }
            Shape::Enum(shape) => shape.name = own_name(&shape.namespace, &shape.name, place),
            Shape::Fixed(fixed) => fixed.name = own_name(&fixed.namespace, &fixed.name, place),
            Shape::Logical(logical) => match &mut logical.storage {
                Shape::Fixed(fixed) => fixed.name = own_name(&fixed.namespace, &fixed.name, place),
                _ => return,
            },
            Shape::List(item) => return self.resolve(item, place),
            Shape::Map(map) => {
                self.resolve(&mut map.key, place);
                return self.resolve(&mut map.value, place);
            }
            Shape::Optional(optional) => return self.resolve(&mut optional.item, place),
            Shape::Union(variants) => {
                return variants.iter_mut().for_each(|variant| self.resolve(variant, place));
            }
            _ => return,
        }
        self.make_unique(shape);
    }

    /// Numbers the namespace of a variant, the names of others, until no other type has it.
    fn make_unique(&mut self, shape: &mut Shape) {
        let Some([namespace, name]) = names_of(shape).map(|names| names.map(|name| name.clone())) else {
            return;
        };
        for number in 1.. {
            rename(shape, [&namespace, &name], number);
            let full = full_name(shape);
            match self.types.get(&full) {
                Some(other) if other != shape => {}
                Some(_) => return,
                None => {
                    self.types.insert(full, shape.clone());
                    return;
                }
            }
        }
    }
}

/// The name of a type in the schema; a type without a name has that of its place.
fn own_name(namespace: &str, name: &str, place: &str) -> Name {
    Name::Owned(valid_type(namespace, if name.is_empty() { place } else { name }))
}

/// The full name of a type in the schema.
pub(crate) fn full_name(shape: &Shape) -> String {
    match shape {
        Shape::Record(record) if record.form.is_variant() => {
            format!("{}.{}", record.namespace, valid_type(&record.namespace, &record.name))
        }
        other => crate::shape::branch::branch_name(other).full().into_owned(),
    }
}

/// Moves types, of these full names, into a namespace of their own.
pub(crate) fn into_namespace(shape: &mut Shape, names: &BTreeSet<String>) {
    let mut taken = HashSet::new();
    visit_named(shape, &mut |named| {
        taken.insert(full_name(named));
    });
    let mut moved: HashMap<&str, Name> = HashMap::new();
    for name in names {
        let mut free = (1..).map(|number| numbered(name, number));
        let free = free.find(|name| taken.insert(format!("{TYPES}.{name}")));
        moved.extend(free.map(|free| (name.as_str(), Name::Owned(free))));
    }
    visit_named(shape, &mut |named| {
        let Some(new) = moved.get(full_name(named).as_str()).cloned() else {
            return;
        };
        if let Some([namespace, name]) = names_of(named) {
            (*namespace, *name) = (Name::Borrowed(TYPES), new);
        }
    });
}

/// Calls with each part of a shape that has a name.
fn visit_named(shape: &mut Shape, call: &mut impl FnMut(&mut Shape)) {
    match shape {
        Shape::Record(record) => {
            record.fields.iter_mut().for_each(|field| visit_named(&mut field.shape, call));
            call(shape);
        }
        Shape::Enum(_) | Shape::Fixed(_) => call(shape),
        Shape::Logical(logical) if matches!(logical.storage, Shape::Fixed(_)) => call(shape),
        Shape::List(item) => visit_named(item, call),
        Shape::Map(map) => {
            visit_named(&mut map.key, call);
            visit_named(&mut map.value, call);
        }
        Shape::Optional(optional) => visit_named(&mut optional.item, call),
        Shape::Union(variants) => variants.iter_mut().for_each(|variant| visit_named(variant, call)),
        _ => {}
    }
}

/// The namespace with all that Avro does not allow replaced, and not this crate's own.
fn valid_namespace(namespace: &str) -> String {
    let parts: Vec<String> = namespace.split('.').filter(|part| !part.is_empty()).map(valid).collect();
    let joined = parts.join(".");
    if joined == RESERVED { format!("{RESERVED}_") } else { joined }
}

/// The namespace and the name of a shape that has them.
fn names_of(shape: &mut Shape) -> Option<[&mut Name; 2]> {
    match shape.storage_mut() {
        Shape::Record(record) => Some([&mut record.namespace, &mut record.name]),
        Shape::Enum(shape) => Some([&mut shape.namespace, &mut shape.name]),
        Shape::Fixed(fixed) => Some([&mut fixed.namespace, &mut fixed.name]),
        _ => None,
    }
}

/// Gives a shape a number, after its namespace where it is a variant, or else after its name, which were these.
fn rename(shape: &mut Shape, [old_namespace, old_name]: [&str; 2], number: usize) {
    let is_variant = shape.is_variant();
    let valid = valid_namespace(old_namespace);
    let Some(names) = names_of(shape) else { return };
    match (is_variant, names) {
        (true, [namespace, _]) => {
            let valid = if valid.is_empty() { ENUM } else { &valid };
            *namespace = Name::Owned(numbered(valid, number));
        }
        (false, [namespace, name]) => {
            *namespace = Name::Owned(valid);
            *name = Name::Owned(numbered(old_name, number));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_become_valid_and_stay_apart() {
        let names = ["a-b", "a_b", "a b", "1", "", "ok", "é"];
        let made = valid_unique(names.into_iter());
        assert_eq!(made, ["a_b_2", "a_b", "a_b_3", "_1", "_", "ok", "__2"]);
    }
}
