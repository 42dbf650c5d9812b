//! Plans in a few words: `union<string, list<string>>?`.

use super::{Kind, Object, Plan};
use crate::numbers::Integer;
use std::fmt;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.other, self.raw, self.kinds.as_slice()) {
            (Some(shape), ..) => f.write_str(shape.kind())?,
            (_, Some(super::Raw::Json), _) => f.write_str("json")?,
            (_, Some(super::Raw::String), _) => f.write_str("string")?,
            (.., []) => return f.write_str(if self.absent { "null?" } else { "null" }),
            (.., [kind]) => self.write(*kind, f)?,
            (.., kinds) => {
                f.write_str("union<")?;
                for (number, kind) in kinds.iter().enumerate() {
                    f.write_str(if number > 0 { ", " } else { "" })?;
                    self.write(*kind, f)?;
                }
                f.write_str(">")?;
            }
        }
        f.write_str(if self.absent || self.null { "?" } else { "" })
    }
}

impl Plan {
    fn write(&self, kind: Kind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (kind, &self.list, &self.object) {
            (Kind::List, Some(item), _) => write!(f, "list<{item}>"),
            (Kind::Object, _, Some(Object::Map(value))) => write!(f, "map<{value}>"),
            (Kind::Integer, ..) => f.write_str(match self.integer {
                Some(Integer::Int) => "int32",
                Some(Integer::U64) => "uint64",
                Some(Integer::I128) => "int128",
                Some(Integer::U128) => "uint128",
                Some(Integer::Long) | None => "int64",
            }),
            (Kind::Float, ..) if self.float.is_some_and(|float| float.single) => f.write_str("float32"),
            (kind, ..) => f.write_str(kind.word()),
        }
    }
}

impl Kind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "int64",
            Self::Float => "float64",
            Self::Text => "string",
            Self::List => "list",
            Self::Object => "struct",
        }
    }
}
