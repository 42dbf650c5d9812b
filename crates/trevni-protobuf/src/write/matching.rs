//! Which field of a message a field of a row is, and which value of an enum a symbol.

use crate::slot::Slot;
use prost_reflect::{EnumDescriptor, MessageDescriptor, OneofDescriptor};
use trevni_idl::normal;

/// A part of a message: a field, or a oneof.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Field(Slot),
    Oneof(OneofDescriptor),
}

impl Target {
    fn names(&self) -> (String, String) {
        match self {
            Self::Field(slot) => (slot.name(), slot.column()),
            Self::Oneof(oneof) => (oneof.name().to_owned(), oneof.name().to_owned()),
        }
    }

    /// The first of its numbers.
    pub(super) fn number(&self) -> u32 {
        match self {
            Self::Field(slot) => slot.number(),
            Self::Oneof(oneof) => oneof.fields().map(|field| field.number()).min().unwrap_or_default(),
        }
    }
}

/// The parts of a message, by their numbers.
pub(super) fn targets(message: &MessageDescriptor) -> Vec<Target> {
    let oneofs = message.oneofs().filter(|oneof| !oneof.is_synthetic()).map(Target::Oneof);
    let in_oneof = |slot: &Slot| matches!(slot, Slot::Own(field) if field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic()));
    let slots = message.fields().map(Slot::Own).chain(message.extensions().map(Slot::Extension));
    let mut out: Vec<Target> =
        slots.filter(|slot| !in_oneof(slot)).map(Target::Field).chain(oneofs).collect();
    out.sort_by_key(Target::number);
    out
}

/// The place of the name among names: the name itself, the one in JSON, or the only one that differs from it in
/// underscores and capitals alone.
fn find(wanted: &str, names: &[(String, String)]) -> Option<usize> {
    let exact = names.iter().position(|(name, _)| name == wanted);
    exact.or_else(|| names.iter().position(|(_, json)| json == wanted)).or_else(|| {
        let wanted = normal(wanted);
        let mut alike = names
            .iter()
            .enumerate()
            .filter(|(_, (name, json))| normal(name) == wanted || normal(json) == wanted);
        match (alike.next(), alike.next()) {
            (Some((place, _)), None) => Some(place),
            _ => None,
        }
    })
}

/// The part of a message that a field of a row is.
pub(super) fn target(name: &str, targets: &[Target]) -> Option<Target> {
    let names: Vec<(String, String)> = targets.iter().map(Target::names).collect();
    find(name, &names).and_then(|place| targets.get(place)).cloned()
}

/// The field of a oneof that a variant is. It may have the name of the oneof before its own.
pub(super) fn variant(name: &str, oneof: &OneofDescriptor) -> Option<Slot> {
    let slots: Vec<Slot> = oneof.fields().map(Slot::Own).collect();
    let names: Vec<(String, String)> = slots.iter().map(|slot| (slot.name(), slot.column())).collect();
    let place = find(name, &names).or_else(|| find(&format!("{}_{name}", oneof.name()), &names))?;
    slots.into_iter().nth(place)
}

/// The numbers of symbols, `None` where the enum has no value of the name. A value may have the name of the enum before
/// its own, as in `COLOR_RED`. No two symbols are the same value, unless the names say so.
pub(super) fn numbers<'s>(
    symbols: impl Iterator<Item = &'s str>,
    descriptor: &EnumDescriptor,
) -> Vec<Option<i32>> {
    let symbols: Vec<&str> = symbols.collect();
    let values: Vec<(String, i32)> = descriptor
        .enum_descriptor_proto()
        .value
        .iter()
        .map(|value| (value.name().to_owned(), value.number()))
        .collect();
    let is_symbol = |name: &str| symbols.contains(&name);
    // What is a symbol as it is, is no other one.
    let others: Vec<&(String, i32)> = values.iter().filter(|(name, _)| !is_symbol(name)).collect();
    let names: Vec<(String, String)> = others.iter().map(|(name, _)| (name.clone(), name.clone())).collect();
    let number = |symbol: &&str| {
        let exact = values.iter().find(|(name, _)| name == symbol);
        exact.map(|(_, number)| *number).or_else(|| {
            let place =
                find(symbol, &names).or_else(|| find(&format!("{}_{symbol}", descriptor.name()), &names));
            place.and_then(|place| others.get(place)).map(|(_, number)| *number)
        })
    };
    symbols.iter().map(number).collect()
}
