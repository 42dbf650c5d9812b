//! Plans in a few words: `union<string, list<string>>?`.

use super::{Kind, Object, Plan, Raw, ValueKinds};
use crate::numbers::Integer;
use std::fmt;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.values {
            ValueKinds::None => return f.write_str(if self.absent { "null?" } else { "null" }),
            ValueKinds::Raw(Raw::Json) => f.write_str("json")?,
            ValueKinds::Raw(Raw::String) => f.write_str("string")?,
            ValueKinds::One(kind) => kind.fmt(f)?,
            ValueKinds::Union(kinds) => {
                f.write_str("union<")?;
                for (number, kind) in kinds.iter().enumerate() {
                    f.write_str(if number > 0 { ", " } else { "" })?;
                    kind.fmt(f)?;
                }
                f.write_str(">")?;
            }
            ValueKinds::Other(shape, _) => f.write_str(shape.kind())?,
        }
        f.write_str(if self.absent || self.null { "?" } else { "" })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logical(kind) => return kind.meaning.fmt(f),
            Self::List(item) => return write!(f, "list<{item}>"),
            Self::Object(Object::Map(value)) => return write!(f, "map<{value}>"),
            Self::Object(Object::Record(_)) => "struct",
            Self::Boolean => "boolean",
            Self::Integer(Integer::Int) => "int32",
            Self::Integer(Integer::Long) => "int64",
            Self::Integer(Integer::U64) => "uint64",
            Self::Integer(Integer::I128) => "int128",
            Self::Integer(Integer::U128) => "uint128",
            Self::Float(float) if float.single => "float32",
            Self::Float(_) => "float64",
            Self::Text => "string",
        })
    }
}
