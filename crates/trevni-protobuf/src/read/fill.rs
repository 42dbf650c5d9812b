//! Messages into columns.

use super::column::Column;
use super::json;
use super::mapping::{Content, Field, Member, Message, Presence};
use crate::error::Misfit;
use prost_reflect::{DynamicMessage, MapKey, Value};

/// Appends a message as a record. Returns how many fields it has that the descriptors do not know.
pub(super) fn row(plan: &Message, message: &DynamicMessage, column: &mut Column) -> Result<u64, Misfit> {
    let mut unknown = 0;
    record(plan, message, column, &mut unknown)?;
    Ok(unknown)
}

fn record(
    plan: &Message,
    message: &DynamicMessage,
    column: &mut Column,
    unknown: &mut u64,
) -> Result<(), Misfit> {
    let Column::Record(count, columns) = column else {
        return Err(Misfit::form());
    };
    *count += 1;
    *unknown += message.unknown_fields().count() as u64;
    if let Some(slot) = plan.cut.iter().find(|slot| slot.is_in(message)) {
        return Err(Misfit::new("one level more of such messages than are kept").within(&slot.name()));
    }
    for (member, column) in plan.members.iter().zip(columns) {
        match member {
            Member::Field(own) => {
                field(own, message, column, unknown).map_err(|misfit| misfit.within(&own.name))?
            }
            Member::Oneof(fields) => oneof(fields, message, column, unknown)?,
        }
    }
    Ok(())
}

fn field(
    field: &Field,
    message: &DynamicMessage,
    column: &mut Column,
    unknown: &mut u64,
) -> Result<(), Misfit> {
    let Field { slot, presence, content, .. } = field;
    match presence {
        Presence::Required if !slot.is_in(message) => Err(Misfit::new("a required field that is missing")),
        Presence::Implicit | Presence::Required => push(content, &slot.get(message), column, unknown),
        Presence::Optional => {
            let is_there = slot.is_in(message);
            let item = column.optional(is_there)?;
            if is_there { push(content, &slot.get(message), item, unknown) } else { Ok(()) }
        }
        Presence::List => match (&*slot.get(message), column) {
            (Value::List(values), Column::List(lengths, item)) => {
                lengths.push(length(values.len())?);
                values.iter().try_for_each(|value| push(content, value, item, unknown))
            }
            _ => Err(Misfit::form()),
        },
        Presence::Map => match (&*slot.get(message), column, content) {
            (Value::Map(values), Column::Map(lengths, pair), Content::Entry(contents)) => {
                lengths.push(length(values.len())?);
                let mut entries: Vec<(&MapKey, &Value)> = values.iter().collect();
                entries.sort_unstable_by(|one, other| one.0.cmp(other.0));
                entries.into_iter().try_for_each(|(key, value)| {
                    push(&contents.0, &Value::from(key.clone()), &mut pair.0, unknown)?;
                    push(&contents.1, value, &mut pair.1, unknown)
                })
            }
            _ => Err(Misfit::form()),
        },
    }
}

fn length(count: usize) -> Result<u32, Misfit> {
    u32::try_from(count).map_err(|_| Misfit::new("a list of more than 4,294,967,295 items"))
}

fn oneof(
    fields: &[Field],
    message: &DynamicMessage,
    column: &mut Column,
    unknown: &mut u64,
) -> Result<(), Misfit> {
    let set = fields.iter().enumerate().find(|(_, field)| field.slot.is_in(message));
    let union = column.optional(set.is_some())?;
    let Some((tag, own)) = set else {
        return Ok(());
    };
    let Column::Union(tags, variants) = union else {
        return Err(Misfit::form());
    };
    tags.push(u16::try_from(tag).map_err(|_| Misfit::form())?);
    match variants.get_mut(tag) {
        Some(Column::Record(count, columns)) => {
            *count += 1;
            let column = columns.first_mut().ok_or_else(Misfit::form)?;
            field(own, message, column, unknown).map_err(|misfit| misfit.within(&own.name))
        }
        _ => Err(Misfit::form()),
    }
}

/// Appends a value.
fn push(content: &Content, value: &Value, column: &mut Column, unknown: &mut u64) -> Result<(), Misfit> {
    match (content, value, column) {
        (Content::Message(plan), Value::Message(message), column) => {
            return record(plan, message, column, unknown);
        }
        (Content::Wrapped(slot, content), Value::Message(message), column) => {
            *unknown += message.unknown_fields().count() as u64;
            return push(content, &slot.get(message), column, unknown);
        }
        (Content::Json, Value::Message(message), Column::String(texts)) => {
            return all_pushed(texts.push(&json::text(message)?));
        }
        (Content::Null, _, Column::Null(count)) => *count += 1,
        (Content::Enum(ordinals), Value::EnumNumber(number), Column::Enum(values)) => {
            values.push(*ordinals.get(number).ok_or_else(|| nameless(*number))?);
        }
        (Content::Plain, value, column) => return plain(value, column),
        _ => return Err(Misfit::form()),
    }
    Ok(())
}

#[cold]
fn nameless(number: i32) -> Misfit {
    Misfit::new(format!("{number} has no name in the enum; numbers of enums can be kept as numbers"))
}

fn plain(value: &Value, column: &mut Column) -> Result<(), Misfit> {
    match (value, column) {
        (Value::Bool(value), Column::Boolean(values)) => values.push(*value),
        (Value::I32(value) | Value::EnumNumber(value), Column::Int(values)) => values.push(*value),
        (Value::I64(value), Column::Long(values)) => values.push(*value),
        (Value::U32(value), Column::Long(values)) => values.push((*value).into()),
        (Value::U64(value), Column::Long(values)) => values.push(value.cast_signed()),
        (Value::F32(value), Column::Float(values)) => values.push(*value),
        (Value::F64(value), Column::Double(values)) => values.push(*value),
        (Value::String(value), Column::String(texts)) => return all_pushed(texts.push(value)),
        (Value::Bytes(value), Column::Bytes(binaries)) => return all_pushed(binaries.push(value)),
        _ => return Err(Misfit::form()),
    }
    Ok(())
}

fn all_pushed(pushed: bool) -> Result<(), Misfit> {
    if pushed { Ok(()) } else { Err(Misfit::new("more than 4 GiB of text or bytes in one batch")) }
}
