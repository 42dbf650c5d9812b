//! What was found and chosen, for people and for programs.

use super::settle::Found;
use super::{Counts, Members};
use crate::human::{self, thousands};
use crate::numbers::Integer;
use crate::plan::{Kind, Object, Plan, ValueKinds};
use crate::shown::shown;
use serde_json::{Value, json};
use trevni::path::format;

/// What becomes of one field.
pub struct Field {
    depth: usize,
    name: String,
    path: String,
    kind: String,
    /// How many values there are of each kind.
    counts: Vec<(&'static str, u64)>,
    note: String,
    /// It has a logical type, which was found.
    is_found: bool,
    /// How many integers are stored as floats, since there are floats too.
    wholes: u64,
}

/// What begins the note on strings that make all values of a field strings.
const SUCH: &str = "text such as";
/// What a note ends with whose column has numbers with a comma for the point.
const COMMA: &str = ": --numbers comma";
/// The note on integers of cells that are strings.
const WIDE: &str = "integers of more than 128 bits";
/// Longer strings are no spelling of null.
const SHORT: usize = 12;
/// Structs of this number of different keys may be meant as maps.
const MANY: usize = 17;

/// The fields of rows, each after the one that it is in. Without a node, nothing has been counted.
pub fn fields(plan: &Plan, node: Option<&Counts>, cells: bool) -> Vec<Field> {
    let mut fields = Vec::new();
    if plan.record().is_none() || plan.kinds().len() > 1 || plan.null {
        let counts = node.map_or(Vec::new(), |node| counts(node, 0));
        let (name, path) = (".".to_owned(), String::new());
        fields.push(Field {
            depth: 0,
            name,
            path,
            kind: plan.to_string(),
            counts,
            note: String::new(),
            is_found: is_found(plan),
            wholes: node.map_or(0, |node| wholes(plan, node)),
        });
    }
    let mut walk = Walk { fields, cells };
    walk.below(plan, node, 0, "");
    walk.fields
}

struct Walk {
    fields: Vec<Field>,
    cells: bool,
}

impl Walk {
    /// Adds the fields below a value.
    fn below(&mut self, plan: &Plan, node: Option<&Counts>, depth: usize, path: &str) {
        self.members(plan, node, depth, path);
        if let Some(item) = plan.item() {
            let (first, node) = (self.fields.len(), node.and_then(|node| node.item.as_deref()));
            self.below(item, node, depth, &format!("{path}[]"));
            if plan.object().is_some() {
                // The same names come above, for the objects that are in no list.
                let own = self.fields.iter_mut().skip(first).filter(|field| field.depth == depth);
                own.for_each(|field| field.name.insert_str(0, "[]."));
            }
        }
    }

    /// Adds what is in objects.
    fn members(&mut self, plan: &Plan, node: Option<&Counts>, depth: usize, path: &str) {
        match (plan.object(), node.map(|node| &node.members)) {
            (Some(Object::Map(value)), members) => {
                let node = match members {
                    Some(Members::Map(value)) => Some(&**value),
                    _ => None,
                };
                self.below(value, node, depth, &joined(path, "value"));
            }
            (Some(Object::Record(record)), members) => {
                for field in record.fields.iter().filter(|field| field.kept) {
                    let found = match members {
                        Some(Members::Fields(fields)) => {
                            fields.find(0, field.name).and_then(|place| fields.fields.get(place))
                        }
                        _ => None,
                    };
                    let absent =
                        found.and_then(|found| Some(node?.objects.saturating_sub(found.node.seen())));
                    let below = found.map(|found| &found.node);
                    let path = joined(path, &format([&field.name]));
                    self.fields.push(Field {
                        depth,
                        name: field.name.to_owned(),
                        kind: self.kind(&field.plan),
                        // Dates are found without being asked for.
                        is_found: is_found(&field.plan) && below.is_none_or(|node| node.dates.is_none()),
                        wholes: below.map_or(0, |node| wholes(&field.plan, node)),
                        counts: below.map_or(Vec::new(), |node| counts(node, absent.unwrap_or(0))),
                        note: below.map_or(String::new(), |node| self.note(&field.plan, node, &path)),
                        path: path.clone(),
                    });
                    self.below(&field.plan, below, depth + 1, &path);
                }
            }
            (None, _) => {}
        }
    }

    fn kind(&self, plan: &Plan) -> String {
        let words = plan.to_string();
        match &plan.values {
            ValueKinds::One(Kind::Object(Object::Record(record))) => {
                let optional = record.fields.iter().filter(|field| field.plan.absent).count();
                let (count, mark) = (record.fields.len(), if words.ends_with('?') { "?" } else { "" });
                let which = if optional == count && count > 0 { " optional" } else { "" };
                format!("struct{mark} of {count}{which} field{}", if count == 1 { "" } else { "s" })
            }
            _ => words,
        }
    }

    /// What the user may want to do.
    fn note(&self, plan: &Plan, node: &Counts, path: &str) -> String {
        let numbers = node.integers.count + node.floats + node.booleans;
        match (plan.object(), &node.example) {
            (Some(Object::Record(record)), _) if record.fields.len() >= MANY => {
                format!("{} different keys: --map {path}", record.fields.len())
            }
            _ if self.cells
                && !plan.given
                && plan.has_texts()
                && plan.logical().is_none()
                && is_wide(node) =>
            {
                WIDE.to_owned()
            }
            (_, Some(example))
                if self.cells
                    && !plan.given
                    && plan.has_texts()
                    && node.commas > 0
                    && node.commas == node.strings
                    && node.floats == 0 =>
            {
                format!("{SUCH} {example:?}{COMMA}")
            }
            (_, Some(example)) if self.cells && numbers > 0 && !plan.given && plan.logical().is_none() => {
                let may_be_null = node.strings < numbers && may_be_null(example);
                let hint = match may_be_null {
                    true => format!(": --null {}", quoted(example)),
                    false => String::new(),
                };
                format!("{SUCH} {example:?}{hint}")
            }
            _ if plan.is_empty() => "always null".to_owned(),
            _ => String::new(),
        }
    }
}

/// Whether a text may be a spelling of null: it is short, and neither a code nor a truth value.
fn may_be_null(text: &str) -> bool {
    text.chars().count() <= SHORT && !text.contains(|c: char| c.is_ascii_digit()) && !is_truth(text)
}

/// Whether a text is a spelling of true or false.
fn is_truth(text: &str) -> bool {
    ["true", "false", "yes", "no", "t", "f", "y", "on", "off"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether cells are integers that no column of integers has: they have more than 128 bits, or some are above those with
/// a sign.
fn is_wide(node: &Counts) -> bool {
    let is_long = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        is_whole && digits.len() >= 39
    };
    node.integers.kind().is_none() || node.example.as_deref().is_some_and(is_long)
}

/// Whether a logical type was found in the strings of a field, of its items or of its map values.
fn is_found(plan: &Plan) -> bool {
    let below = match plan.object() {
        Some(Object::Map(value)) => is_found(value),
        _ => false,
    };
    below || plan.item().is_some_and(is_found) || (!plan.given && plan.logical().is_some())
}

/// How many integers of a field, of its items or of its map values are stored as floats, which nobody asked for.
fn wholes(plan: &Plan, node: &Counts) -> u64 {
    let below = match (plan.object(), &node.members) {
        (Some(Object::Map(value)), Members::Map(node)) => wholes(value, node),
        _ => 0,
    };
    let items = plan.item().zip(node.item.as_deref()).map_or(0, |(item, node)| wholes(item, node));
    let own = if plan.float().is_some() && !plan.given { node.integers.count } else { 0 };
    own + items + below
}

/// How many values there are of each kind, the most frequent first.
fn counts(node: &Counts, absent: u64) -> Vec<(&'static str, u64)> {
    let integers = match node.integers.kind() {
        Some(Integer::U64) => "uint64",
        Some(Integer::I128) => "int128",
        Some(Integer::U128) | None => "uint128",
        _ => "int64",
    };
    let (floats, texts) = node.floats_and_texts();
    let values = node.objects + node.lists + node.integers.count + floats + node.booleans;
    // As the plan takes them.
    let (texts, nulls) = match texts > 0 || values == 0 {
        true => (texts + node.blanks, node.nulls),
        false => (0, node.nulls + node.blanks),
    };
    let mut counts = vec![
        (Found::Objects.word(), node.objects),
        (Found::Lists.word(), node.lists),
        (Found::Texts.word(), texts),
        (integers, node.integers.count),
        (Found::Floats.word(), floats),
        (Found::Booleans.word(), node.booleans),
    ];
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.extend([("null", nulls), ("absent", absent)]);
    counts.retain(|(_, count)| *count > 0);
    counts
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// A text as an argument of a command.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{text}'") }
}

/// One line for each field.
pub fn lines(fields: &[Field]) -> String {
    let name = |field: &Field| {
        let dot = if field.depth > 0 { "." } else { "" };
        format!("{}{dot}{}", "  ".repeat(field.depth), shown(&field.name))
    };
    let width = |of: &dyn Fn(&Field) -> usize| fields.iter().map(of).max().unwrap_or(0).min(60);
    let names = width(&|field| name(field).chars().count());
    let kinds = width(&|field| field.kind.chars().count());
    let line = |field: &Field| {
        let such = field.note.starts_with(SUCH);
        let count = |(word, count): &(&'static str, u64)| match *word {
            "string" if such => format!("{} {}", thousands(*count), field.note),
            word => format!("{} {word}", thousands(*count)),
        };
        let mut counts: Vec<String> = field.counts.iter().map(count).collect();
        counts.sort_by_key(|count| count.contains(SUCH));
        let note = match field.note.as_str() {
            "" => String::new(),
            _ if such => String::new(),
            note => format!("; {note}"),
        };
        let line = format!("{:names$}  {:kinds$}  {}{note}", name(field), field.kind, counts.join(", "));
        shown(line.trim_end()).into_owned() + "\n"
    };
    fields.iter().map(line).collect()
}

/// What would make numbers of columns that are text because of few cells: a spelling of null.
pub fn advice(fields: &[Field]) -> Option<String> {
    let hint = |field: &&Field| {
        field.note.strip_prefix(SUCH).is_some_and(|note| note.contains(": --null ") || note.ends_with(COMMA))
    };
    let mut texts = fields.iter().filter(hint);
    let first = texts.next()?;
    let (names, have) = match texts.count() {
        0 => (first.path.clone(), "has"),
        1 => (format!("{} and 1 more column", first.path), "have"),
        more => (format!("{} and {more} more columns", first.path), "have"),
    };
    let such = first.note.strip_prefix(SUCH).unwrap_or_default();
    Some(format!("{names} {have} strings because of cells such as{such}"))
}

/// Which columns are text because their integers are too large.
pub fn wide(fields: &[Field]) -> Option<String> {
    let names: Vec<&str> =
        fields.iter().filter(|field| field.note == WIDE).map(|field| &*field.path).collect();
    match names[..] {
        [] => None,
        [name] => Some(format!("{name} has strings, because of {WIDE}")),
        _ => Some(format!("{} have strings, because of {WIDE}", names.join(", "))),
    }
}

/// How many integers come back as floats.
pub fn rounded(fields: &[Field]) -> Option<String> {
    let count: u64 = fields.iter().map(|field| field.wholes).sum();
    let mut mixed = fields.iter().filter(|field| field.wholes > 0);
    let first = mixed.next()?;
    let name = if first.path.is_empty() { "rows" } else { &*first.path };
    let (numbers, are) = match count {
        1 => ("whole number", "is a float, since there are others: 2 comes"),
        _ => ("whole numbers", "are floats, since there are others: 2 comes"),
    };
    let more = match mixed.count() {
        0 => String::new(),
        more => format!(" and {}", human::count(more as u64, "more column")),
    };
    Some(format!("{} {numbers} of {name}{more} {are} back as 2.0", thousands(count)))
}

/// The logical types that were found.
pub fn found(fields: &[Field]) -> String {
    let found = fields.iter().filter(|field| field.is_found);
    let found: Vec<String> = found.map(|field| format!("{} {}", field.path, field.kind)).collect();
    match found.is_empty() {
        true => "no field has strings of one logical type".to_owned(),
        false => format!("logical types of strings: {}", found.join(", ")),
    }
}

/// One object for a file.
pub fn as_json(file: &str, rows: Option<u64>, fields: &[Field], schema: &str) -> Value {
    let field = |field: &Field| {
        let counts: serde_json::Map<String, Value> =
            field.counts.iter().map(|(word, count)| ((*word).to_owned(), json!(count))).collect();
        let mut value = json!({"path": field.path, "type": field.kind, "counts": counts});
        if let (Some(object), false) = (value.as_object_mut(), field.note.is_empty()) {
            object.insert("note".to_owned(), json!(field.note));
        }
        value
    };
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    json!({"file": file, "rows": rows, "fields": fields.iter().map(field).collect::<Vec<_>>(), "schema": schema})
}
