//! Definitions of Thrift.

mod words;

use crate::names::{Names, capitalized, identifier_but, quoted, type_name};
use crate::remark::remark;
use crate::variants::{named_row, variant_of};
use std::fmt::Write;
use trevni::Shape;
use trevni::shape::{EnumShape, FieldShape, Form, RecordShape};
use words::WORDS;

/// The text for rows of a shape.
pub(crate) fn document(name: &str, shape: &Shape) -> String {
    let mut builder = Builder::default();
    let hint = capitalized(name);
    match shape {
        Shape::Record(record) => builder.record(&named_row(record), &hint),
        shape => builder.within(shape, &hint, ""),
    };
    builder.definitions.into_iter().map(|(_, _, text)| text).collect::<Vec<_>>().join("\n")
}

/// What a definition is of.
#[derive(PartialEq)]
enum Defined {
    Record(RecordShape),
    Enum(EnumShape),
    Union(Vec<Shape>),
    /// The struct without fields.
    Null,
}

#[derive(Default)]
struct Builder {
    names: Names,
    /// Definitions with their names and strings; what they mention comes before.
    definitions: Vec<(Defined, String, String)>,
}

impl Builder {
    fn known(&self, wanted: &Defined) -> Option<String> {
        self.definitions.iter().find(|(known, ..)| known == wanted).map(|(_, name, _)| name.clone())
    }

    /// Takes a name for a definition, and says what it was before, where it is another.
    fn claim(&mut self, wanted: &str) -> (String, String) {
        let wanted = type_name(wanted);
        let name = self.names.claim(&identifier_but(&wanted, &WORDS));
        let comment = if name == wanted { String::new() } else { format!("// {}\n", quoted(&wanted)) };
        (name, comment)
    }

    fn record(&mut self, record: &RecordShape, hint: &str) -> String {
        let defined = Defined::Record(record.clone());
        if let Some(name) = self.known(&defined) {
            return name;
        }
        let is_named = !record.name.is_empty() && record.form != Form::Tuple;
        let (name, mut text) = self.claim(if is_named { &record.name } else { hint });
        let _ = writeln!(text, "struct {name} {{");
        let mut scope = Names::default();
        for (number, field) in record.fields.iter().enumerate() {
            let (word, shape) = match &field.shape {
                Shape::Optional(optional) => ("optional ", &optional.item),
                Shape::Null | Shape::Unknown => ("optional ", &field.shape),
                shape => ("required ", shape),
            };
            self.field(&mut text, number, word, &field.name, shape, &name, &mut scope);
        }
        text.push_str("}\n");
        self.definitions.push((defined, name.clone(), text));
        name
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one line")]
    fn field(
        &mut self,
        text: &mut String,
        number: usize,
        word: &str,
        wanted: &str,
        shape: &Shape,
        around: &str,
        scope: &mut Names,
    ) {
        let kind = self.kind(shape, &format!("{around}{}", capitalized(wanted)));
        let name = scope.claim(&identifier_but(wanted, &WORDS));
        let renamed = (name != wanted).then(|| quoted(wanted));
        let remarks: Vec<String> = renamed.into_iter().chain(remark_on(shape)).collect();
        if !remarks.is_empty() {
            let _ = writeln!(text, "  // {}", remarks.join(", "));
        }
        let _ = writeln!(text, "  {}: {word}{kind} {name}", number + 1);
    }

    fn kind(&mut self, shape: &Shape, hint: &str) -> String {
        match shape.storage() {
            Shape::Boolean => "bool".to_owned(),
            Shape::Int => "i32".to_owned(),
            Shape::Long | Shape::U64 => "i64".to_owned(),
            Shape::Float | Shape::Double => "double".to_owned(),
            Shape::String => "string".to_owned(),
            Shape::Bytes | Shape::Fixed(_) | Shape::I128 | Shape::U128 => "binary".to_owned(),
            Shape::Enum(shape) => self.symbols(shape, hint),
            Shape::Record(record) => self.record(record, hint),
            Shape::List(item) => format!("list<{}>", self.kind(item, hint)),
            Shape::Map(map) => {
                let key = self.kind(&map.key, &format!("{hint}Key"));
                format!("map<{key}, {}>", self.kind(&map.value, hint))
            }
            Shape::Optional(_) => self.within(shape, hint, "Option"),
            Shape::Union(variants) => self.union(variants, hint),
            _ => self.null(),
        }
    }

    /// A struct around what cannot be where it is.
    fn within(&mut self, shape: &Shape, hint: &str, suffix: &str) -> String {
        let fields = vec![FieldShape::new("value", shape.clone())];
        self.record(&RecordShape::new(format!("{hint}{suffix}"), fields), hint)
    }

    fn null(&mut self) -> String {
        self.known(&Defined::Null).unwrap_or_else(|| {
            let name = self.names.claim("Null");
            self.definitions.push((
                Defined::Null,
                name.clone(),
                format!("// no value\nstruct {name} {{\n}}\n"),
            ));
            name
        })
    }

    fn symbols(&mut self, shape: &EnumShape, hint: &str) -> String {
        let defined = Defined::Enum(shape.clone());
        if let Some(name) = self.known(&defined) {
            return name;
        }
        let (name, mut text) = self.claim(if shape.name.is_empty() { hint } else { &shape.name });
        let _ = writeln!(text, "enum {name} {{");
        let mut scope = Names::default();
        for (number, symbol) in shape.symbols.iter().enumerate() {
            let value = scope.claim(&identifier_but(symbol, &WORDS));
            if value != *symbol {
                let _ = writeln!(text, "  // {}", quoted(symbol));
            }
            let _ = writeln!(text, "  {value} = {number}");
        }
        text.push_str("}\n");
        self.definitions.push((defined, name.clone(), text));
        name
    }

    fn union(&mut self, variants: &[Shape], hint: &str) -> String {
        let defined = Defined::Union(variants.to_vec());
        if let Some(name) = self.known(&defined) {
            return name;
        }
        // Variants know the name of their enum.
        let own = variants.iter().find_map(|variant| match variant {
            Shape::Record(record) if record.form.is_variant() && !record.namespace.is_empty() => {
                Some(&*record.namespace)
            }
            _ => None,
        });
        let (name, mut text) = self.claim(own.unwrap_or(hint));
        let _ = writeln!(text, "union {name} {{");
        let mut scope = Names::default();
        for (number, variant) in variants.iter().enumerate() {
            let (wanted, shape) = variant_of(variant);
            self.field(&mut text, number, "", wanted, shape, &name, &mut scope);
        }
        text.push_str("}\n");
        self.definitions.push((defined, name.clone(), text));
        name
    }
}

/// What to say of values that the language has no type for.
fn remark_on(shape: &Shape) -> Option<String> {
    match shape {
        Shape::U64 => Some("64 bits without sign".to_owned()),
        Shape::Float => Some("32 bits".to_owned()),
        shape => remark(shape),
    }
}
