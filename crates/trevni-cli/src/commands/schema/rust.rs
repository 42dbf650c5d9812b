//! A schema as Rust types that read the rows.

use std::collections::HashSet;
use trevni::{Null, RecordShape, Shape};

const DERIVES: &str = "#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]\n";

/// Words that cannot be names of fields.
const KEYWORDS: [&str; 39] = [
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where",
    "while", "yield",
];

/// The types of rows: that of the row first, then those in it.
pub(super) fn structs(name: &str, shape: &Shape) -> String {
    let mut types = Types { names: HashSet::new(), items: Vec::new(), records: Vec::new() };
    let place = types.reserve();
    match shape {
        Shape::Record(record) if !record.form.is_tuple() => {
            // The writer calls rows so that have no name.
            let own = if ["", "Row"].contains(&&*record.name) { name } else { &record.name };
            let name = types.name(own);
            types.items[place] = types.record(&name, record);
        }
        shape => {
            let row = types.name(name);
            types.items[place] = format!("pub type {row} = {};\n", types.of(shape, name));
        }
    }
    types.items.join("\n")
}

struct Types {
    /// Names that have been given.
    names: HashSet<String>,
    /// The text of each type, in the order in which they were met.
    items: Vec<String>,
    /// Structs that have been made, to be used again for records of the same fields.
    records: Vec<(RecordShape, String)>,
}

impl Types {
    /// A place for a type whose parts come behind it.
    fn reserve(&mut self) -> usize {
        self.items.push(String::new());
        self.items.len() - 1
    }

    /// A name for a type that no other has.
    fn name(&mut self, wanted: &str) -> String {
        let wanted = camel(wanted);
        let numbered = (2..).map(|number| format!("{wanted}{number}"));
        let free = std::iter::once(wanted.clone()).chain(numbered).find(|name| !self.names.contains(name));
        let name = free.unwrap_or(wanted);
        self.names.insert(name.clone());
        name
    }

    /// The Rust type of a shape; `name` is that of the field it is in.
    fn of(&mut self, shape: &Shape, name: &str) -> String {
        match shape {
            Shape::Boolean => "bool".to_owned(),
            Shape::Int => "i32".to_owned(),
            Shape::Long => "i64".to_owned(),
            Shape::U64 => "u64".to_owned(),
            Shape::I128 => "i128".to_owned(),
            Shape::U128 => "u128".to_owned(),
            Shape::Float => "f32".to_owned(),
            Shape::Double => "f64".to_owned(),
            Shape::String => "String".to_owned(),
            Shape::Bytes | Shape::Fixed(_) => "Vec<u8>".to_owned(),
            Shape::Enum(symbols) => {
                let place = self.reserve();
                let name = self.name(if symbols.name.is_empty() { name } else { &symbols.name });
                let variants = symbols.symbols.iter().map(|symbol| variant(symbol, ""));
                self.items[place] =
                    format!("{DERIVES}pub enum {name} {{\n{}}}\n", variants.collect::<String>());
                name
            }
            Shape::Record(record) if record.form.is_tuple() => {
                let fields: Vec<String> =
                    record.fields.iter().map(|field| self.of(&field.shape, name)).collect();
                let comma = if fields.len() == 1 { "," } else { "" };
                format!("({}{comma})", fields.join(", "))
            }
            Shape::Record(record) => {
                if let Some((_, name)) = self.records.iter().find(|(other, _)| are_alike(record, other)) {
                    return name.clone();
                }
                let place = self.reserve();
                let name = self.name(if record.name.is_empty() { name } else { &record.name });
                self.records.push((record.clone(), name.clone()));
                self.items[place] = self.record(&name, record);
                name
            }
            Shape::List(item) => format!("Vec<{}>", self.of(item, name)),
            Shape::Map(map) => {
                let key = self.of(&map.key, &format!("{name} key"));
                format!("std::collections::BTreeMap<{key}, {}>", self.of(&map.value, name))
            }
            Shape::Optional(optional) => format!("Option<{}>", self.of(&optional.item, name)),
            Shape::Union(variants) => self.union(variants, name),
            _ => "()".to_owned(),
        }
    }

    fn record(&mut self, name: &str, record: &RecordShape) -> String {
        let mut used = HashSet::new();
        let mut text = format!("{DERIVES}pub struct {name} {{\n");
        for field in &record.fields {
            let own = unique(snake(&field.name), &mut used);
            let absent = matches!(&field.shape, Shape::Optional(optional) if optional.null == Null::Absent);
            let mut attributes = Vec::new();
            if own != field.name {
                attributes.push(format!("rename = {:?}", field.name));
            }
            if absent {
                attributes.push("default".to_owned());
                attributes.push("skip_serializing_if = \"Option::is_none\"".to_owned());
            }
            if !attributes.is_empty() {
                text.push_str(&format!("    #[serde({})]\n", attributes.join(", ")));
            }
            let field_type = self.of(&field.shape, &field.name);
            text.push_str(&format!("    pub {own}: {field_type},\n"));
        }
        text + "}\n"
    }

    /// An enum: of variants where the rows were written from one, else of types.
    fn union(&mut self, variants: &[Shape], name: &str) -> String {
        let place = self.reserve();
        let of_variants = |shape: &Shape| matches!(shape, Shape::Record(record) if record.form.is_variant());
        let tagged = variants.iter().any(of_variants);
        let own = variants.iter().find_map(|variant| match variant {
            Shape::Record(record) if record.form.is_variant() && !record.namespace.is_empty() => {
                record.namespace.rsplit('.').next().map(str::to_owned)
            }
            _ => None,
        });
        let name = self.name(own.as_deref().unwrap_or(name));
        let mut text = DERIVES.to_owned();
        if !tagged {
            text.push_str("#[serde(untagged)]\n");
        }
        text.push_str(&format!("pub enum {name} {{\n"));
        for shape in variants {
            text.push_str(&match shape {
                Shape::Record(record) if record.form.is_variant() => self.variant(record),
                Shape::Enum(symbols) if tagged => {
                    symbols.symbols.iter().map(|symbol| variant(symbol, "")).collect()
                }
                shape => format!(
                    "    {}({}),\n",
                    camel(shape.kind()),
                    self.of(shape, &format!("{name} {}", shape.kind()))
                ),
            });
        }
        self.items[place] = text + "}\n";
        name
    }

    fn variant(&mut self, record: &RecordShape) -> String {
        let mut types: Vec<String> = Vec::new();
        let mut used = HashSet::new();
        let named = record.form == trevni::Form::StructVariant;
        for field in &record.fields {
            let own = unique(snake(&field.name), &mut used);
            let field_type = self.of(&field.shape, &format!("{} {}", record.name, field.name));
            let rename = format!("#[serde(rename = {:?})] ", field.name);
            types.push(match named {
                true if own == field.name => format!("{own}: {field_type}"),
                true => format!("{rename}{own}: {field_type}"),
                false => field_type,
            });
        }
        let fields = types.join(", ");
        variant(&record.name, &if named { format!(" {{ {fields} }}") } else { format!("({fields})") })
    }
}

/// Whether one struct reads both: the same fields, and names that differ by a number at most, since each
/// record of a schema has a name of its own.
fn are_alike(one: &RecordShape, two: &RecordShape) -> bool {
    let base = |record: &RecordShape| {
        record.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').to_owned()
    };
    one.fields == two.fields && one.form == two.form && base(one) == base(two)
}

/// A variant of an enum, with its name in the file where Rust wants another.
fn variant(name: &str, fields: &str) -> String {
    let own = camel(name);
    let rename = if own == name { String::new() } else { format!("    #[serde(rename = {name:?})]\n") };
    format!("{rename}    {own}{fields},\n")
}

/// A name that is not used yet.
fn unique(wanted: String, used: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{wanted}_{number}"));
    let name = std::iter::once(wanted.clone()).chain(numbered).find(|name| !used.contains(name));
    let name = name.unwrap_or(wanted);
    used.insert(name.clone());
    name
}

/// Parts of a name: at other characters than letters and digits, and where a small letter meets a large one.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || before.is_lowercase() && c.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.push(c);
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// `CamelCase`.
fn camel(name: &str) -> String {
    let mut text = String::new();
    for word in words(name) {
        let mut chars = word.chars();
        text.extend(chars.next().map(|first| first.to_uppercase().to_string()));
        text.push_str(chars.as_str());
    }
    match text.chars().next() {
        Some(first) if first.is_alphabetic() && text != "Self" => text,
        _ => format!("T{text}"),
    }
}

/// `snake_case`, and no keyword.
fn snake(name: &str) -> String {
    let text = words(name).join("_").to_lowercase();
    match text.chars().next() {
        Some(first) if first.is_alphabetic() && KEYWORDS.contains(&text.as_str()) => format!("{text}_"),
        Some(first) if first.is_alphabetic() => text,
        _ => format!("_{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_rust() {
        let cases = [("dep_time", "DepTime", "dep_time"), ("imdbRating", "ImdbRating", "imdb_rating")];
        let more = [("type", "Type", "type_"), ("5.5", "T55", "_5_5"), ("", "T", "_"), ("ID", "ID", "id")];
        for (name, camel_case, snake_case) in cases.into_iter().chain(more) {
            assert_eq!((camel(name).as_str(), snake(name).as_str()), (camel_case, snake_case), "{name:?}");
        }
    }
}
