//! Decides what becomes of values, by what is known of all of them.

use super::wishes::{Kind as Wanted, Wish};
use super::{Members, Node};
use crate::failure::Failure;
use crate::numbers::Integer;
use crate::plan::{Float, Kind, Object, Plan, Raw, Record};
use clap::ValueEnum;

/// What becomes of values of several kinds at one path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mixed {
    /// A union of the kinds
    #[default]
    Union,
    /// Text: the values as JSON
    Json,
    /// Text: texts as they are, other values as JSON
    String,
    /// Refuses the file
    Error,
}

/// What is asked for everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) mixed: Mixed,
    /// Values are cells, which are all text.
    pub(crate) cells: bool,
    /// No type but text.
    pub(crate) strings: bool,
}

/// The deepest nesting of a shape.
const MAX_DEPTH: usize = trevni::MAX_DEPTH;
/// The most fields of a record.
const MAX_FIELDS: usize = 10_000;

/// The plan for rows that are known.
///
/// # Errors
///
/// Values that no plan fits, and wishes for paths that are not there.
pub(crate) fn settle(node: &Node, rules: Rules) -> Result<Plan, Failure> {
    if let Some(wish) = &node.wish {
        wish.paths().iter().try_for_each(|path| is_there(node, path))?;
    }
    let mut plan = of(node, &mut Path { names: Vec::new(), depth: 0 }, rules)?;
    if plan.is_empty() && !plan.null {
        // There is no row.
        plan.kinds.push(Kind::Object);
        plan.object = Some(object(node, &mut Path { names: Vec::new(), depth: 0 }, rules)?);
    }
    Ok(plan)
}

/// Where in the tree this is.
struct Path {
    names: Vec<String>,
    /// Levels of the shape down to here.
    depth: usize,
}

impl Path {
    fn show(&self) -> String {
        if self.names.is_empty() { ".".to_owned() } else { self.names.join(".").replace(".[]", "[]") }
    }
}

fn of(node: &Node, path: &mut Path, rules: Rules) -> Result<Plan, Failure> {
    let mut plan = of_values(node, path, rules)?;
    // Two quotes are a text only where others are.
    plan.null |= node.blanks > 0 && !plan.has(Kind::Text) && plan.raw != Some(Raw::String);
    Ok(plan)
}

fn of_values(node: &Node, path: &mut Path, rules: Rules) -> Result<Plan, Failure> {
    let mut plan = Plan { null: node.nulls > 0, ..Plan::default() };
    // The row itself is made of cells.
    let strings = rules.strings && !path.names.is_empty();
    let wanted = node.wish.as_ref().and_then(|wish| wish.kind);
    if let Some(wanted) = wanted.or(strings.then_some(Wanted::String)) {
        give(&mut plan, wanted);
        return Ok(plan);
    }
    let mut kinds = kinds(node);
    let are_floats = node.integers.are_floats();
    if are_floats && node.floats > 0 && node.integers.count > 0 {
        kinds.retain(|kind| *kind != Kind::Integer);
    }
    if kinds.len() > 1 {
        match rules.mixed {
            _ if rules.cells => kinds = vec![Kind::Text],
            Mixed::Union => {}
            Mixed::Json => plan.raw = Some(Raw::Json),
            Mixed::String => plan.raw = Some(Raw::String),
            Mixed::Error => {
                let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
                let failure = format!("{} has values of several types: {}", path.show(), words.join(", "));
                return Err(Failure::new(failure).hint("To keep them: --mixed union, json or string"));
            }
        }
    }
    if plan.raw.is_some() {
        return Ok(plan);
    }
    if kinds.contains(&Kind::Integer) {
        plan.integer = match node.integers.kind() {
            Some(Integer::I128 | Integer::U128) if rules.cells => None,
            kind => kind,
        };
        if plan.integer.is_none() && rules.cells {
            kinds = vec![Kind::Text];
        } else if plan.integer.is_none() {
            return Err(too_wide(path));
        }
    }
    if kinds.contains(&Kind::Float) {
        plan.float = Some(Float { single: false, rounds: false });
    }
    path.depth += 1 + usize::from(plan.null) + usize::from(kinds.len() > 1);
    if path.depth > MAX_DEPTH {
        let failure = Failure::new(format!("{} is nested deeper than {MAX_DEPTH} levels", short(path)));
        return Err(failure.hint("To keep an outer value as JSON: -t PATH=json"));
    }
    let depth = path.depth;
    if let Some(item) = node.item.as_ref().filter(|_| kinds.contains(&Kind::List)) {
        path.names.push("[]".to_owned());
        plan.list = Some(Box::new(of(item, path, rules)?));
        path.names.pop();
        path.depth = depth;
    }
    if kinds.contains(&Kind::Object) {
        plan.object = Some(object(node, path, rules)?);
    }
    plan.kinds = kinds;
    Ok(plan)
}

/// The kinds of values that are there, the most frequent first.
fn kinds(node: &Node) -> Vec<Kind> {
    let mut counts = [
        (node.objects, Kind::Object),
        (node.lists, Kind::List),
        (node.texts, Kind::Text),
        (node.integers.count, Kind::Integer),
        (node.floats, Kind::Float),
        (node.booleans, Kind::Boolean),
    ];
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let kinds: Vec<Kind> = counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, kind)| kind).collect();
    if kinds.is_empty() && node.blanks > 0 { vec![Kind::Text] } else { kinds }
}

fn object(node: &Node, path: &mut Path, rules: Rules) -> Result<Object, Failure> {
    let depth = path.depth;
    match &node.members {
        Members::None => Ok(Object::Record(Record::default())),
        Members::Map(value) => {
            path.names.push("value".to_owned());
            let value = of(value, path, rules)?;
            path.names.pop();
            Ok(Object::Map(Box::new(value)))
        }
        Members::Fields(fields) => {
            if fields.fields.len() > MAX_FIELDS {
                let count = fields.fields.len();
                let failure = format!("{} has {count} different keys, more than {MAX_FIELDS}", path.show());
                return Err(Failure::new(failure).hint("Such objects are maps: leave --struct out"));
            }
            let mut record = Record::default();
            for field in &fields.fields {
                path.names.push(field.name.replace('.', "\\."));
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

/// The plan for a type that is wanted.
fn give(plan: &mut Plan, wanted: Wanted) {
    plan.given = true;
    match wanted {
        Wanted::String => plan.raw = Some(Raw::String),
        Wanted::Json => plan.raw = Some(Raw::Json),
        Wanted::Int64 | Wanted::Int32 => {
            plan.kinds.push(Kind::Integer);
            plan.integer = Some(if wanted == Wanted::Int32 { Integer::Int } else { Integer::Long });
        }
        Wanted::Float64 | Wanted::Float32 => {
            plan.kinds.push(Kind::Float);
            plan.float = Some(Float { single: wanted == Wanted::Float32, rounds: true });
        }
        Wanted::Boolean => plan.kinds.push(Kind::Boolean),
        // These are wishes for objects, not types.
        Wanted::Map | Wanted::Struct => {}
    }
}

#[cold]
fn too_wide(path: &Path) -> Failure {
    let path = path.show();
    let failure =
        Failure::new(format!("no integer type has room for both the least and the greatest {path}"));
    failure.hint(format!("As text: -t {path}=string; rounded: -t {path}=float64"))
}

/// A path that may be long.
fn short(path: &Path) -> String {
    let shown = path.show();
    match shown.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", shown.get(..end).unwrap_or_default()),
        None => shown,
    }
}

/// An error where the rows have nothing at a path.
fn is_there(node: &Node, path: &[&str]) -> Result<(), Failure> {
    let mut at = node;
    for name in path {
        while let (Some(item), true) = (&at.item, at.objects == 0) {
            at = item;
        }
        if *name == "[]" {
            continue;
        }
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

fn not_there<'a>(path: &[&str], names: impl Iterator<Item = &'a str>) -> Failure {
    let failure = Failure::usage(format!("no row has a field {:?}", path.join(".")));
    let names: Vec<&str> = names.take(12).collect();
    if names.is_empty() { failure } else { failure.hint(format!("There are {}", names.join(", "))) }
}

/// What the options of a command line want; of cells, paths are names of columns.
pub(crate) fn wish(
    types: &[(String, Wanted)],
    maps: &[String],
    structs: &[String],
    cells: bool,
) -> Result<Wish, Failure> {
    let mut wish = Wish::default();
    for (path, kind) in types {
        wish.add(path, *kind, cells)?;
    }
    maps.iter().try_for_each(|path| wish.add(path, Wanted::Map, cells))?;
    structs.iter().try_for_each(|path| wish.add(path, Wanted::Struct, cells))?;
    Ok(wish)
}
