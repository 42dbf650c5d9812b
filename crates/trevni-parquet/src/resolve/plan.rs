//! How what is written becomes what is wanted, by the rules of Avro ("Schema Resolution").

use super::defaults;
use super::leaf;
use super::step::{Part, Step};
use super::wanted::{self, Wanted, WantedField};
use super::written::{Kind, Written, what};
use crate::error::{Error, Result};
use std::collections::BTreeSet;
use trevni::{Batch, Shape};

/// A step, and the columns that it needs.
pub(super) struct Plan {
    pub(super) step: Step,
    pub(super) columns: BTreeSet<usize>,
}

impl Plan {
    fn new(step: Step, written: &Written) -> Self {
        Self { step, columns: written.columns.clone().collect() }
    }

    fn map(self, step: impl FnOnce(Box<Step>) -> Step) -> Self {
        Self { step: step(Box::new(self.step)), columns: self.columns }
    }
}

/// The way from one to the other; `path` is that of the field.
pub(super) fn plan(written: &Written, wanted: &Wanted, path: &str) -> Result<Plan> {
    match (&written.kind, &wanted.kind) {
        (Kind::Members(members), _) => choice(written, members, wanted, path),
        (Kind::Optional(item), wanted::Kind::Optional(wanted)) => {
            Ok(plan(item, wanted, path)?.map(Step::Optional))
        }
        (Kind::Optional(_), wanted::Kind::Leaf) if wanted.shape == Shape::Null => {
            Ok(Plan { step: Step::Null, columns: written.first().into_iter().collect() })
        }
        (Kind::Optional(item), _) => Ok(plan(item, wanted, path)?.map(Step::Present)),
        (Kind::Leaf { shape: Shape::Null, .. }, wanted::Kind::Optional(item)) => {
            Ok(Plan::new(Step::Nothing(item.shape.clone()), written))
        }
        (_, wanted::Kind::Optional(wanted)) => Ok(plan(written, wanted, path)?.map(Step::Some)),
        (_, wanted::Kind::Union(variants)) => variant(written, variants, path),
        (
            Kind::Record { name, fields, is_interval, .. },
            wanted::Kind::Record { aliases, fields: wanted_fields },
        ) => {
            check_name(name.as_deref(), wanted, aliases, path)?;
            record(written, fields, *is_interval, wanted_fields, path)
        }
        (Kind::List(item), wanted::Kind::List(wanted)) => Ok(plan(item, wanted, path)?.map(Step::List)),
        (Kind::Map(entry), wanted::Kind::Map(wanted)) => {
            let key = plan(&entry.0, &wanted.0, &member(path, "key"))?;
            let value = plan(&entry.1, &wanted.1, &member(path, "value"))?;
            let columns = key.columns.union(&value.columns).copied().collect();
            Ok(Plan { step: Step::Map(Box::new((key.step, value.step))), columns })
        }
        (Kind::Leaf { shape, name, is_symbol }, kind) => {
            let (aliases, default): (&[String], _) = match kind {
                wanted::Kind::Leaf => (&[], None),
                wanted::Kind::Fixed { aliases } => (aliases, None),
                wanted::Kind::Enum { aliases, default } => (aliases, *default),
                _ => return Err(mismatch(written, wanted, path)),
            };
            let Some(step) = leaf::step(shape, *is_symbol, &wanted.shape, default) else {
                return Err(mismatch(written, wanted, path));
            };
            check_name(name.as_deref(), wanted, aliases, path)?;
            Ok(Plan::new(step, written))
        }
        _ => Err(mismatch(written, wanted, path)),
    }
}

/// The path of a field of the record at a path.
pub(super) fn member(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn mismatch(written: &Written, wanted: &Wanted, path: &str) -> Error {
    Error::unresolved(path, format!("{} cannot be read as {}", written.what(), what(&wanted.shape)))
}

/// Named types have the same name, or one is another name of the other.
fn check_name(written: Option<&str>, wanted: &Wanted, aliases: &[String], path: &str) -> Result<()> {
    let name = match wanted.shape.storage() {
        Shape::Record(record) => &record.name,
        Shape::Enum(shape) => &shape.name,
        Shape::Fixed(fixed) => &fixed.name,
        _ => return Ok(()),
    };
    match written {
        Some(written) if written != name && !aliases.iter().any(|alias| alias == written) => {
            Err(Error::unresolved(
                path,
                format!("a type named {written} cannot be read as one named {name}, which has no such alias"),
            ))
        }
        _ => Ok(()),
    }
}

fn record(
    written: &Written,
    fields: &[(String, Written)],
    is_interval: bool,
    wanted: &[WantedField],
    path: &str,
) -> Result<Plan> {
    let mut columns = BTreeSet::new();
    // For each wanted field, the number of the written one.
    let mut sources = Vec::with_capacity(wanted.len());
    for field in wanted {
        let path = member(path, &field.name);
        let is_named = |name: &str| fields.iter().position(|(written, _)| written == name);
        let found = is_named(&field.name).or_else(|| field.aliases.iter().find_map(|alias| is_named(alias)));
        sources.push(match found.and_then(|number| Some((number, fields.get(number)?))) {
            Some((number, (_, written))) => {
                let plan = plan(written, &field.wanted, &path)?;
                columns.extend(plan.columns);
                Ok((number, plan.step))
            }
            None => Err(default(field, &path)?),
        });
    }
    // Something has to say how many there are.
    if columns.is_empty() && !path.is_empty() {
        columns.extend(written.first());
    }
    let is_read = |(_, field): &&(String, Written)| columns.range(field.columns.clone()).next().is_some();
    let place = |number: usize| match is_interval {
        true => number,
        false => fields.iter().take(number).filter(is_read).count(),
    };
    let part = |(field, source): (&WantedField, Result<(usize, Step), Batch>)| match source {
        Ok((number, step)) => Part::Field { name: field.name.clone(), at: place(number), step },
        Err(default) => Part::Default(default),
    };
    let parts = wanted.iter().zip(sources).map(part).collect();
    Ok(Plan { step: Step::Record(parts), columns })
}

/// A row with the default of a field.
fn default(field: &WantedField, path: &str) -> Result<Batch> {
    let Some(value) = &field.default else {
        return Err(Error::unresolved(path, "the file has no such field, and the schema no default for it"));
    };
    let vector = defaults::vector(&field.wanted, &[value]);
    let vector = vector.ok_or_else(|| {
        Error::unresolved(path, format!("the default {value} is no {}", what(&field.wanted.shape)))
    })?;
    Batch::try_new(field.wanted.shape.clone(), vector).map_err(|error| Error::unresolved(path, error))
}

/// One type of a union: of those that fit, the first of the same type or kind, otherwise the first.
fn variant(written: &Written, variants: &[Wanted], path: &str) -> Result<Plan> {
    let shapes: Vec<Shape> = variants.iter().map(|variant| variant.shape.clone()).collect();
    let distance = |variant: &Wanted| match (&written.kind, &variant.kind) {
        (Kind::Leaf { shape, .. }, _) if *shape == variant.shape => 0,
        (Kind::Leaf { shape, .. }, _) if shape.storage().kind() == variant.shape.storage().kind() => 1,
        (Kind::Record { .. }, wanted::Kind::Record { .. })
        | (Kind::List(_), wanted::Kind::List(_))
        | (Kind::Map(_), wanted::Kind::Map(_)) => 1,
        _ => 2,
    };
    let mut order: Vec<(usize, &Wanted)> = variants.iter().enumerate().collect();
    order.sort_by_key(|(_, variant)| distance(variant));
    let mut nearest = None;
    for (tag, variant) in order {
        match (plan(written, variant, path), u16::try_from(tag)) {
            (Ok(plan), Ok(tag)) => return Ok(plan.map(|step| Step::Variant { tag, step, variants: shapes })),
            (Err(error), _) if distance(variant) < 2 && nearest.is_none() => nearest = Some(error),
            _ => {}
        }
    }
    Err(nearest.unwrap_or_else(|| {
        let names: Vec<String> = shapes.iter().map(what).collect();
        let none = format!("{} cannot be read as any of {}", written.what(), names.join(", "));
        Error::unresolved(path, none)
    }))
}

/// Each member of a union by itself: those that do not fit are errors where they come.
fn choice(written: &Written, members: &[Written], wanted: &Wanted, path: &str) -> Result<Plan> {
    let mut columns = BTreeSet::new();
    let mut steps = Vec::with_capacity(members.len());
    let mut last = None;
    for member in members {
        steps.push(match plan(member, wanted, path) {
            Ok(plan) => {
                columns.extend(plan.columns);
                Ok(plan.step)
            }
            Err(error) => {
                columns.extend(member.first());
                let message = error.to_string();
                last = Some(error);
                Err(message)
            }
        });
    }
    match last {
        Some(error) if steps.iter().all(Result::is_err) => Err(error),
        _ if columns.is_empty() => Err(mismatch(written, wanted, path)),
        _ => Ok(Plan { step: Step::Members { members: steps, shape: wanted.shape.clone() }, columns }),
    }
}
