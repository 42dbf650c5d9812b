//! A schema as Rust types that read the rows.

mod names;

use names::{camel, of_type, snake, unique};
use std::collections::HashSet;
use trevni::shape::{FieldShape, IpFamily, Logical, LogicalShape, Null, RecordShape, StringStyle};
use trevni::{Reader, Shape};

const DERIVES: &str = "#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]\n";

/// What reads fields that are absent or null.
const PRESENT: &str = "\
/// Reads a field that is there, so that null is not taken for a field that is left out.
fn present<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::Deserialize<'de>,
{
    match <Option<T> as serde::Deserialize>::deserialize(from)? {
        Some(value) => Ok(Some(value)),
        None => T::deserialize(serde::de::value::UnitDeserializer::new()).map(Some),
    }
}
";

/// The types of rows: that of the row first, then those in it.
pub(super) fn structs(name: &str, reader: &Reader<'_>) -> String {
    let shape = reader.shape();
    let mut types = Types { is_derived: reader.metadata().get("serde.schema").is_some(), ..Types::default() };
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
    if types.has_present {
        types.items.push(PRESENT.to_owned());
    }
    types.items.join("\n")
}

#[derive(Default)]
struct Types {
    /// Names that have been given.
    names: HashSet<String>,
    /// The text of each type, in the order in which they were met.
    items: Vec<String>,
    /// Structs that have been made, to be used again for records of the same fields.
    records: Vec<(RecordShape, bool, String)>,
    /// Whether a field needs [`PRESENT`].
    has_present: bool,
    /// Whether the schema was derived from rows: values of logical types are then strings to untagged enums.
    is_derived: bool,
    /// Whether this is within an untagged enum.
    is_untagged: bool,
}

impl Types {
    /// A place for a type whose parts come after it.
    fn reserve(&mut self) -> usize {
        self.items.push(String::new());
        self.items.len() - 1
    }

    /// A name for a type that no other has.
    fn name(&mut self, wanted: &str) -> String {
        unique(of_type(wanted), "", &mut self.names)
    }

    /// The Rust type of a shape; `name` is that of the field it is in.
    fn of(&mut self, shape: &Shape, name: &str) -> String {
        if let Shape::Logical(logical) = shape
            && self.is_text(logical)
        {
            return "String".to_owned();
        }
        match shape.storage() {
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
                let mut used = HashSet::new();
                let variants = symbols.symbols.iter().map(|symbol| variant(symbol, "", &mut used));
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
                let untagged = self.is_untagged && !self.is_derived;
                let same =
                    |own: &&(RecordShape, bool, String)| own.1 == untagged && are_alike(record, &own.0);
                if let Some((.., name)) = self.records.iter().find(same) {
                    return name.clone();
                }
                let place = self.reserve();
                let name = self.name(if record.name.is_empty() { name } else { &record.name });
                self.records.push((record.clone(), untagged, name.clone()));
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
            let own = unique(snake(&field.name), "_", &mut used);
            text.extend(self.comment(&field.shape));
            if let Some(attributes) = self.attributes(&own, field) {
                text.push_str(&format!("    {attributes}\n"));
            }
            let field_type = self.of(&field.shape, &field.name);
            text.push_str(&format!("    pub {own}: {field_type},\n"));
        }
        text + "}\n"
    }

    /// Whether values of a logical type are read as strings.
    fn is_text(&self, logical: &LogicalShape) -> bool {
        logical.logical.storage().is_some() && (self.is_derived || !self.is_untagged)
    }

    /// What the strings of a field are.
    fn comment(&self, shape: &Shape) -> Option<String> {
        match shape {
            Shape::Optional(optional) => self.comment(&optional.item),
            Shape::List(item) => self.comment(item),
            Shape::Map(map) => self.comment(&map.value),
            Shape::Logical(logical) if self.is_text(logical) => {
                let others = others(logical, self.is_derived);
                Some(format!("    /// {}, as text; {others} reads it too\n", logical.logical))
            }
            _ => None,
        }
    }

    /// The serde attributes of a field.
    fn attributes(&mut self, own: &str, field: &FieldShape) -> Option<String> {
        let mut attributes = Vec::new();
        if own != field.name {
            attributes.push(format!("rename = {:?}", field.name));
        }
        if let Shape::Optional(optional) = &field.shape
            && optional.null == Null::Absent
        {
            attributes.push("default".to_owned());
            if matches!(optional.item, Shape::Optional(_) | Shape::Null | Shape::Unknown) {
                attributes.push("deserialize_with = \"present\"".to_owned());
                self.has_present = true;
            }
            attributes.push("skip_serializing_if = \"Option::is_none\"".to_owned());
        }
        (!attributes.is_empty()).then(|| format!("#[serde({})]", attributes.join(", ")))
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
        let around = self.is_untagged;
        self.is_untagged |= !tagged;
        text.push_str(&format!("pub enum {name} {{\n"));
        let mut used = HashSet::new();
        for shape in variants {
            text.push_str(&match shape {
                Shape::Record(record) if record.form.is_variant() => self.variant(record, &mut used),
                Shape::Enum(symbols) if tagged => {
                    symbols.symbols.iter().map(|symbol| variant(symbol, "", &mut used)).collect()
                }
                shape => {
                    let own = unique(camel(shape.kind()), "", &mut used);
                    format!("    {own}({}),\n", self.of(shape, &format!("{name} {}", shape.kind())))
                }
            });
        }
        self.is_untagged = around;
        self.items[place] = text + "}\n";
        name
    }

    fn variant(&mut self, record: &RecordShape, variants: &mut HashSet<String>) -> String {
        let mut fields: Vec<String> = Vec::new();
        let mut used = HashSet::new();
        let named = record.form == trevni::shape::Form::StructVariant;
        for field in &record.fields {
            let own = unique(snake(&field.name), "_", &mut used);
            let field_type = self.of(&field.shape, &format!("{} {}", record.name, field.name));
            let attributes = self.attributes(&own, field).filter(|_| named);
            fields.push(match (named, attributes) {
                (true, Some(attributes)) => format!("{attributes} {own}: {field_type}"),
                (true, None) => format!("{own}: {field_type}"),
                (false, _) => field_type,
            });
        }
        let fields = fields.join(", ");
        let fields = if named { format!(" {{ {fields} }}") } else { format!("({fields})") };
        variant(&record.name, &fields, variants)
    }
}

/// A type that may take the place of a text of a logical type.
fn others(shape: &LogicalShape, is_derived: bool) -> &'static str {
    match shape.style {
        StringStyle::Time => return of_time(&shape.logical, is_derived),
        StringStyle::Space | StringStyle::Minutes => return of_jiff(&shape.logical),
        _ => {}
    }
    match shape.logical {
        Logical::Date => "chrono::NaiveDate",
        Logical::TimeMillis | Logical::TimeMicros | Logical::TimeNanos => "chrono::NaiveTime",
        Logical::TimestampMillis | Logical::TimestampMicros | Logical::TimestampNanos => {
            "chrono::DateTime<chrono::Utc>"
        }
        // Decimals of these crates ask for no type: they are shown strings where the schema was derived.
        Logical::Decimal { .. } if is_derived => "bigdecimal::BigDecimal",
        Logical::Decimal { .. } => "f64",
        Logical::Uuid => "uuid::Uuid",
        Logical::Duration => "jiff::Span",
        Logical::IpAddress(IpFamily::V4) => "std::net::Ipv4Addr",
        Logical::IpAddress(IpFamily::V6) => "std::net::Ipv6Addr",
        Logical::IpAddress(IpFamily::Any) => "std::net::IpAddr",
        Logical::IpNetwork(IpFamily::V4) => "ipnet::Ipv4Net",
        Logical::IpNetwork(IpFamily::V6) => "ipnet::Ipv6Net",
        Logical::IpNetwork(IpFamily::Any) => "ipnet::IpNet",
        _ => "chrono::NaiveDateTime",
    }
}

/// The same, of the `time` crate, which asks for no type.
fn of_time(logical: &Logical, is_derived: bool) -> &'static str {
    match logical {
        _ if !is_derived => "i64",
        Logical::TimeMillis | Logical::TimeMicros | Logical::TimeNanos => "time::Time",
        Logical::TimestampMillis | Logical::TimestampMicros | Logical::TimestampNanos => {
            "time::OffsetDateTime"
        }
        _ => "time::PrimitiveDateTime",
    }
}

/// The same, of `jiff`, which reads a space before the time, and times without seconds.
fn of_jiff(logical: &Logical) -> &'static str {
    match logical {
        Logical::TimeMillis | Logical::TimeMicros | Logical::TimeNanos => "jiff::civil::Time",
        Logical::TimestampMillis | Logical::TimestampMicros | Logical::TimestampNanos => "jiff::Timestamp",
        _ => "jiff::civil::DateTime",
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
fn variant(name: &str, fields: &str, used: &mut HashSet<String>) -> String {
    let own = unique(camel(name), "", used);
    let rename = if own == name { String::new() } else { format!("    #[serde(rename = {name:?})]\n") };
    format!("{rename}    {own}{fields},\n")
}
