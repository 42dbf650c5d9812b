//! The text of definitions.

use super::{Enum, Field, File, Label, Message, Part, Type};
use std::fmt::{Display, Formatter, Result};

impl Display for File {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "syntax = \"proto3\";")?;
        if !self.imports.is_empty() {
            writeln!(f)?;
        }
        self.imports.iter().try_for_each(|import| writeln!(f, "import \"{import}\";"))?;
        self.messages.iter().try_for_each(|message| write!(f, "\n{message}"))
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        comment(f, "", self.comment.as_deref())?;
        writeln!(f, "message {} {{", self.name)?;
        self.enums.iter().try_for_each(|shape| writeln!(f, "{shape}"))?;
        for part in &self.parts {
            match part {
                Part::Field(own) => field(f, "  ", own)?,
                Part::Oneof { name, comment: above, fields } => {
                    comment(f, "  ", above.as_deref())?;
                    writeln!(f, "  oneof {name} {{")?;
                    fields.iter().try_for_each(|own| field(f, "    ", own))?;
                    writeln!(f, "  }}")?;
                }
            }
        }
        writeln!(f, "}}")
    }
}

impl Display for Enum {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        comment(f, "  ", self.comment.as_deref())?;
        writeln!(f, "  enum {} {{", self.name)?;
        for (number, (name, above)) in self.values.iter().enumerate() {
            comment(f, "    ", above.as_deref())?;
            writeln!(f, "    {name} = {number};")?;
        }
        writeln!(f, "  }}")
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Scalar(name) => f.write_str(name),
            Self::Message(name) | Self::Enum(name) => f.write_str(name),
            Self::Null => f.write_str("google.protobuf.NullValue"),
            Self::Map(key, value) => write!(f, "map<{key}, {value}>"),
        }
    }
}

fn field(f: &mut Formatter<'_>, indent: &str, field: &Field) -> Result {
    comment(f, indent, field.comment.as_deref())?;
    let label = match field.label {
        Label::Plain => "",
        Label::Optional => "optional ",
        Label::Repeated => "repeated ",
    };
    write!(f, "{indent}{label}{} {} = {}", field.kind, field.name, field.number)?;
    match &field.json_name {
        Some(name) => writeln!(f, " [json_name = {}];", literal(name)),
        None => writeln!(f, ";"),
    }
}

fn comment(f: &mut Formatter<'_>, indent: &str, text: Option<&str>) -> Result {
    match text {
        Some(text) => writeln!(f, "{indent}// {text}"),
        None => Ok(()),
    }
}

/// A text as a literal.
fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            letter if letter.is_ascii_control() => out.push_str(&format!("\\{:03o}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}
