//! Random rows: values of serde of any kind, which bytes decide.

use arbitrary::{Result, Unstructured};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

/// Names of fields, variants and types.
const NAMES: [&str; 8] = ["id", "name", "a", "b", "value", "key", "Item", "item"];
/// Values within values.
const DEPTH: u32 = 4;

/// A value as a serializer sees it.
#[derive(Clone, Debug)]
pub(crate) enum Row {
    Unit,
    Bool(bool),
    I8(i8),
    I32(i32),
    I64(i64),
    U64(u64),
    F64(f64),
    Char(char),
    Text(String),
    Missing,
    Some(Box<Row>),
    List(Vec<Row>),
    Map(Vec<(String, Row)>),
    Struct(Vec<(usize, Row)>),
    UnitVariant(usize),
    Variant(usize, Box<Row>),
}

/// What the values of a column are, most of the time.
#[derive(Clone)]
pub(crate) enum Plan {
    Leaf(u8),
    Optional(Box<Plan>),
    List(Box<Plan>),
    Map(Box<Plan>),
    Struct(Vec<(usize, Plan)>),
    Variants(Vec<Plan>),
}

impl Plan {
    pub(crate) fn any(u: &mut Unstructured<'_>, depth: u32) -> Result<Self> {
        let kind = u.int_in_range(0..=9u8)?;
        let below = |u: &mut Unstructured<'_>| Self::any(u, depth + 1);
        Ok(match kind {
            _ if depth >= DEPTH => Self::Leaf(u.int_in_range(0..=8)?),
            0..4 => Self::Leaf(u.int_in_range(0..=8)?),
            4 => Self::Optional(Box::new(below(u)?)),
            5 => Self::List(Box::new(below(u)?)),
            6 => Self::Map(Box::new(below(u)?)),
            7 => Self::Variants((0..u.int_in_range(1..=3)?).map(|_| below(u)).collect::<Result<_>>()?),
            _ => {
                let count = u.int_in_range(1..=4)?;
                Self::Struct((0..count).map(|name| Ok((name, below(u)?))).collect::<Result<_>>()?)
            }
        })
    }

    pub(crate) fn row(&self, u: &mut Unstructured<'_>) -> Result<Row> {
        Ok(match self {
            Self::Leaf(kind) => leaf(*kind, u)?,
            Self::Optional(item) if u.arbitrary()? => Row::Some(Box::new(item.row(u)?)),
            Self::Optional(_) => Row::Missing,
            Self::List(item) => Row::List(list(u, |u| item.row(u))?),
            Self::Map(item) => {
                let mut entries: Vec<(String, Row)> = list(u, |u| Ok((name(u)?.to_owned(), item.row(u)?)))?;
                entries.sort_by(|one, two| one.0.cmp(&two.0));
                entries.dedup_by(|one, two| one.0 == two.0);
                Row::Map(entries)
            }
            Self::Struct(fields) => Row::Struct(
                fields.iter().map(|(name, plan)| Ok((*name, plan.row(u)?))).collect::<Result<_>>()?,
            ),
            Self::Variants(variants) => match u.int_in_range(0..=variants.len())? {
                0 => Row::UnitVariant(u.int_in_range(5..=7)?),
                number => Row::Variant(number - 1, Box::new(variants[number - 1].row(u)?)),
            },
        })
    }
}

fn name(u: &mut Unstructured<'_>) -> Result<&'static str> {
    u.choose(&NAMES).copied()
}

fn list<T>(
    u: &mut Unstructured<'_>,
    mut item: impl FnMut(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let count = u.int_in_range(0..=3)?;
    (0..count).map(|_| item(u)).collect()
}

fn leaf(kind: u8, u: &mut Unstructured<'_>) -> Result<Row> {
    // Now and then a value of another type, so that shapes grow.
    let kind = if u.ratio(1, 30)? { u.int_in_range(0..=8)? } else { kind };
    Ok(match kind {
        0 => Row::Unit,
        1 => Row::Bool(u.arbitrary()?),
        2 => Row::I8(u.arbitrary()?),
        3 => Row::I32(u.arbitrary()?),
        4 => Row::I64(u.arbitrary()?),
        5 => Row::U64(u.arbitrary()?),
        6 => Row::F64(u.arbitrary::<i32>()?.into()),
        7 => Row::Char(u.arbitrary()?),
        _ => Row::Text(u.arbitrary::<&str>()?.chars().take(20).collect()),
    })
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Unit => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::I8(value) => serializer.serialize_i8(*value),
            Self::I32(value) => serializer.serialize_i32(*value),
            Self::I64(value) => serializer.serialize_i64(*value),
            Self::U64(value) => serializer.serialize_u64(*value),
            Self::F64(value) => serializer.serialize_f64(*value),
            Self::Char(value) => serializer.serialize_char(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Missing => serializer.serialize_none(),
            Self::Some(row) => serializer.serialize_some(row),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
            Self::Struct(fields) => {
                let mut record = serializer.serialize_struct("Record", fields.len())?;
                fields.iter().try_for_each(|(name, value)| record.serialize_field(NAMES[*name], value))?;
                record.end()
            }
            Self::UnitVariant(name) => {
                serializer.serialize_unit_variant("Choice", *name as u32, NAMES[*name])
            }
            Self::Variant(name, row) => {
                serializer.serialize_newtype_variant("Choice", *name as u32, NAMES[*name], row)
            }
        }
    }
}
