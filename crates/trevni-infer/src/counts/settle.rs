//! Decides what becomes of values, by what is known of all of them.

use super::wanted::WantedType;
use super::wishes::Wish;
use super::{Counts, Members};
use crate::Error;
use crate::drawing::ellipsis;
use crate::numbers::Integer;
use crate::plan::{Float, Kind, LogicalKind, Object, Part, Plan, Raw, Record, ValueKinds, shown};
use trevni::Shape;
use trevni::path::format;

/// What becomes of values of several types in one field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mixed {
    /// A union of the types.
    #[default]
    Union,
    /// Strings: the values as JSON.
    Json,
    /// Strings: strings as they are, other values as JSON.
    String,
    /// An error.
    Error,
}

/// What is asked for everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// What becomes of values of several types in one field.
    pub mixed: Mixed,
    /// Values are cells, which are all text.
    pub cells: bool,
    /// No type but text.
    pub strings: bool,
}

/// The deepest nesting of a shape.
const MAX_DEPTH: usize = trevni::shape::MAX_DEPTH;
/// The most fields of a record.
const MAX_FIELDS: usize = 10_000;

/// The plan for rows that are known.
///
/// # Errors
///
/// Values that no plan fits, and wishes for paths that are not there.
pub fn settle(node: &Counts, rules: Rules) -> Result<Plan, Error> {
    if let Some(wish) = &node.wish {
        wish.paths().iter().try_for_each(|path| is_there(node, path))?;
    }
    let path = || Path { names: Vec::new(), depth: 0 };
    let mut plan = of(node, &mut path(), rules)?;
    if plan.is_empty() && !plan.null {
        // There is no row.
        plan.values = ValueKinds::One(Kind::Object(object(node, &mut path(), rules)?));
    }
    Ok(plan)
}

/// Where in the tree this is.
struct Path {
    names: Vec<Part>,
    /// Levels of the shape down to here.
    depth: usize,
}

impl Path {
    fn show(&self) -> String {
        if self.names.is_empty() { ".".to_owned() } else { shown(&self.names) }
    }
}

fn of(node: &Counts, path: &mut Path, rules: Rules) -> Result<Plan, Error> {
    // The row itself is made of cells.
    let strings = rules.strings && !path.names.is_empty();
    let wanted = node.wish.as_ref().and_then(|wish| wish.kind.as_ref());
    let found = logical(node, rules).filter(|_| wanted.is_none());
    let is_given = wanted.is_some() || (strings && found.is_none());
    let values = match (wanted, found) {
        (Some(wanted), _) => given(wanted),
        (None, Some(found)) => ValueKinds::One(Kind::Logical(Box::new(found))),
        (None, None) if strings => given(&WantedType::String),
        (None, None) => values(node, path, rules)?,
    };
    let mut plan = Plan { given: is_given, ..Plan::new(node.nulls > 0, values) };
    // Two quotes are a text only where others are.
    plan.null |= node.blanks > 0 && !plan.has_texts() && plan.raw() != Some(Raw::String);
    Ok(plan)
}

/// The logical type that all values have as strings, where it is to be found.
fn logical(node: &Counts, rules: Rules) -> Option<LogicalKind> {
    if let Some(dates) = node.dates.as_deref().filter(|_| !rules.strings) {
        let values = node.booleans + node.integers.count + node.floats + node.named + node.strings;
        return dates.found(values);
    }
    let finder = node.finder.as_deref()?;
    let others = node.booleans + node.lists + node.objects;
    let numbers = node.integers.count + node.floats;
    let is_text = match rules.cells {
        // All cells have been looked at. Floats stay floats, unless their strings would not come back.
        true => others == 0 && (node.strings > 0 || rules.strings || finder.is_reshaped()),
        false => others == 0 && numbers == 0 && node.strings > 0,
    };
    finder.shape().filter(|_| is_text).map(LogicalKind::exact)
}

fn values(node: &Counts, path: &mut Path, rules: Rules) -> Result<ValueKinds, Error> {
    let mut found = found(node);
    if node.integers.are_floats() && found.contains(&Found::Floats) {
        found.retain(|kind| *kind != Found::Integers);
    }
    if found.len() > 1 {
        match rules.mixed {
            _ if rules.cells => found = vec![Found::Texts],
            Mixed::Union => {}
            Mixed::Json => return Ok(ValueKinds::Raw(Raw::Json)),
            Mixed::String => return Ok(ValueKinds::Raw(Raw::String)),
            Mixed::Error => {
                return Err(Error::several_types(
                    &path.show(),
                    found.iter().map(|kind| kind.word().to_owned()),
                ));
            }
        }
    }
    let integer = node.integers.kind();
    if found.contains(&Found::Integers) && integer.is_none() {
        match rules.cells {
            true => found = vec![Found::Texts],
            false => return Err(too_wide(path)),
        }
    }
    path.depth += 1 + usize::from(node.nulls > 0) + usize::from(found.len() > 1);
    if path.depth > MAX_DEPTH {
        let failure = Error::new(format!("{} is nested deeper than {MAX_DEPTH} levels", short(path)));
        return Err(failure.hint("To keep an outer value as JSON: -t PATH=json"));
    }
    let depth = path.depth;
    // Items come before the fields of objects, so that the first error is the same whatever is more frequent.
    let mut item = None;
    if let Some(node) = node.item.as_ref().filter(|_| found.contains(&Found::Lists)) {
        path.names.push(Part::Items);
        item = Some(of(node, path, rules)?);
        path.names.pop();
        path.depth = depth;
    }
    let mut kinds = Vec::with_capacity(found.len());
    for kind in found {
        kinds.push(match kind {
            Found::Objects => Kind::Object(object(node, path, rules)?),
            Found::Lists => {
                let item = item.take().unwrap_or_else(|| Plan::new(false, ValueKinds::None));
                Kind::List(Box::new(item))
            }
            Found::Texts => Kind::Text,
            Found::Integers => Kind::Integer(integer.unwrap_or(Integer::Long)),
            Found::Floats => Kind::Float(Float { single: false, rounds: false }),
            Found::Booleans => Kind::Boolean,
        });
    }
    Ok(ValueKinds::of(kinds))
}

/// A kind of values that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Booleans,
    Integers,
    Floats,
    Texts,
    Lists,
    Objects,
}

impl Found {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Booleans => "boolean",
            Self::Integers => "int64",
            Self::Floats => "float64",
            Self::Texts => "string",
            Self::Lists => "list",
            Self::Objects => "struct",
        }
    }
}

/// The kinds of values that are there, the most frequent first.
fn found(node: &Counts) -> Vec<Found> {
    let (floats, texts) = node.floats_and_texts();
    let mut counts = [
        (node.objects, Found::Objects),
        (node.lists, Found::Lists),
        (texts, Found::Texts),
        (node.integers.count, Found::Integers),
        (floats, Found::Floats),
        (node.booleans, Found::Booleans),
    ];
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let found: Vec<Found> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, kind)| kind).collect();
    if found.is_empty() && node.blanks > 0 { vec![Found::Texts] } else { found }
}

fn object(node: &Counts, path: &mut Path, rules: Rules) -> Result<Object, Error> {
    let depth = path.depth;
    match &node.members {
        Members::None => Ok(Object::Record(Record::default())),
        Members::Map(value) => {
            path.names.push(Part::Name("value".to_owned()));
            let value = of(value, path, rules)?;
            path.names.pop();
            Ok(Object::Map(Box::new(value)))
        }
        Members::Fields(fields) => {
            // A table is no map, however many columns it has.
            if fields.fields.len() > MAX_FIELDS && !rules.cells {
                let count = fields.fields.len();
                let failure = format!("{} has {count} different keys, more than {MAX_FIELDS}", path.show());
                return Err(Error::new(failure).hint("To read such objects as maps: leave --struct out"));
            }
            let mut record = Record::default();
            for field in fields.in_order() {
                path.names.push(Part::Name(field.name.to_string()));
                let absent = field.node.seen() < node.objects;
                path.depth = depth + usize::from(absent);
                let mut plan = of(&field.node, path, rules)?;
                plan.absent = absent;
                record.add(&field.name, plan);
                path.names.pop();
            }
            path.depth = depth;
            Ok(Object::Record(record))
        }
    }
}

/// What becomes of values whose type is wanted.
fn given(wanted: &WantedType) -> ValueKinds {
    match wanted {
        WantedType::String => ValueKinds::Raw(Raw::String),
        WantedType::Json => ValueKinds::Raw(Raw::Json),
        WantedType::Int64 => ValueKinds::One(Kind::Integer(Integer::Long)),
        WantedType::Int32 => ValueKinds::One(Kind::Integer(Integer::Int)),
        WantedType::Float64 => ValueKinds::One(Kind::Float(Float { single: false, rounds: true })),
        WantedType::Float32 => ValueKinds::One(Kind::Float(Float { single: true, rounds: true })),
        WantedType::Boolean => ValueKinds::One(Kind::Boolean),
        WantedType::Bytes => logical_kind(Some(LogicalKind::of_bytes(Shape::Bytes))),
        WantedType::Logical(logical, counts) => logical_kind(LogicalKind::new(logical.clone(), *counts)),
        WantedType::Pattern(pattern) => logical_kind(LogicalKind::of_pattern(pattern.clone())),
        // These are wishes for objects and for what is found, not types.
        WantedType::Map | WantedType::Struct | WantedType::Auto | WantedType::Any => ValueKinds::None,
    }
}

fn logical_kind(kind: Option<LogicalKind>) -> ValueKinds {
    kind.map_or(ValueKinds::None, |kind| ValueKinds::One(Kind::Logical(Box::new(kind))))
}

#[cold]
fn too_wide(path: &Path) -> Error {
    let path = path.show();
    let failure = Error::new(format!("no integer type can hold both the smallest and the largest {path}"));
    failure.hint(format!("To read strings: -t {path}=string; rounded numbers: -t {path}=float64"))
}

/// A path that may be long.
fn short(path: &Path) -> String {
    let shown = path.show();
    match shown.char_indices().nth(60) {
        Some((end, _)) => format!("{}{}", shown.get(..end).unwrap_or_default(), ellipsis()),
        None => shown,
    }
}

/// An error where the rows have nothing at a path.
fn is_there(node: &Counts, path: &[&Part]) -> Result<(), Error> {
    let mut at = node;
    for part in path {
        while let (Some(item), true) = (&at.item, at.objects == 0) {
            at = item;
        }
        let Part::Name(name) = part else { continue };
        at = match &at.members {
            Members::Map(value) => value,
            Members::Fields(fields) => {
                match fields.find(0, name).and_then(|place| fields.fields.get(place)) {
                    Some(field) => &field.node,
                    None => return Err(not_there(path, fields.fields.iter().map(|field| &*field.name))),
                }
            }
            Members::None if at.is_given() => return Ok(()),
            Members::None => return Err(not_there(path, std::iter::empty())),
        };
    }
    Ok(())
}

fn not_there<'a>(path: &[&Part], names: impl Iterator<Item = &'a str>) -> Error {
    let failure = Error::usage(format!("no row has a field {:?}", shown(path.iter().copied())));
    let names: Vec<String> = names.take(12).map(|name| format([name])).collect();
    if names.is_empty() { failure } else { failure.hint(format!("Its fields: {}", names.join(", "))) }
}

/// What the options of a command line want; of cells, paths are names of columns.
pub fn wish(
    types: &[(String, WantedType)],
    maps: &[String],
    structs: &[String],
    cells: bool,
) -> Result<Wish, Error> {
    let mut wish = Wish::default();
    for (path, kind) in types {
        wish.add(path, kind, cells)?;
    }
    maps.iter().try_for_each(|path| wish.add(path, &WantedType::Map, cells))?;
    structs.iter().try_for_each(|path| wish.add(path, &WantedType::Struct, cells))?;
    Ok(wish)
}
