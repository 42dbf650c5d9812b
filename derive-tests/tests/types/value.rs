//! Values of the modelled types. Two are equal if they are the same bit by bit.

use crate::model::{Scalar, Type};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Unit,
    Bool(bool),
    Int(i128),
    Nat(u128),
    F32(u32),
    F64(u64),
    Char(char),
    Text(String),
    Bytes(Vec<u8>),
    None,
    Some(Box<Value>),
    /// A list, a tuple or the fields of a struct.
    List(Vec<Value>),
    /// In the order of the keys, each once.
    Map(Vec<(Value, Value)>),
    Variant(usize, Vec<Value>),
}

impl Value {
    /// Whether `skip_serializing_if` leaves it out.
    pub fn is_skipped(&self) -> bool {
        match self {
            Self::None => true,
            Self::Text(text) => text.is_empty(),
            Self::Bytes(bytes) => bytes.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Map(entries) => entries.is_empty(),
            _ => false,
        }
    }

    /// `Default::default()`, of types that have it.
    pub fn default_of(ty: &Type) -> Self {
        match ty {
            Type::Scalar(scalar) => match scalar {
                Scalar::Bool => Self::Bool(false),
                Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::I128 => Self::Int(0),
                Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::U128 => Self::Nat(0),
                Scalar::F32 => Self::F32(0),
                Scalar::F64 => Self::F64(0),
                Scalar::Char => Self::Char('\0'),
                Scalar::Text => Self::Text(String::new()),
                Scalar::Bytes => Self::Bytes(Vec::new()),
                Scalar::Unit => Self::Unit,
            },
            Type::Option(_) => Self::None,
            Type::List(_) => Self::List(Vec::new()),
            Type::Map(..) => Self::Map(Vec::new()),
            Type::Tuple(items) => Self::List(items.iter().map(Self::default_of).collect()),
            Type::Array(item, len) => Self::List(vec![Self::default_of(item); *len]),
            Type::Boxed(_) | Type::Def(_) => unreachable!("definitions have no default"),
        }
    }
}
