//! Values as strings: as JSON, or as themselves.

use super::strings;
use crate::error::{Error, Result};
use crate::schema::logical_of_extension;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{DataType, Field};
use trevni::ValueRef;
use trevni::shape::LogicalShape;

/// How a value is written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// As JSON, with quotes around strings.
    Json,
    /// Strings without quotes.
    Plain,
}

/// The values of an array of any type.
pub(super) fn texts(array: &ArrayRef, field: &Field, form: Form) -> Result<ArrayRef> {
    let text = |index: usize| {
        let mut text = String::new();
        let is_there = value(array, field, index, form, &mut text)?;
        Ok(is_there.then_some(text))
    };
    Ok(strings((0..array.len()).map(text).collect::<Result<_>>()?))
}

/// Appends a value; returns whether there is one.
fn value(array: &dyn Array, field: &Field, index: usize, form: Form, out: &mut String) -> Result<bool> {
    use DataType as D;
    if array.is_null(index) || array.data_type().is_null() {
        return Ok(false);
    }
    let items = match array.data_type() {
        D::Union(fields, _) => {
            let union = array.as_union();
            let id = union.type_id(index);
            let part = fields.iter().find(|(own, _)| *own == id).map(|(_, part)| part);
            let part = part.ok_or_else(|| Error::internal("a union with an unknown type id"))?;
            return value(union.child(id), part, union.value_offset(index), form, out);
        }
        D::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let key = dictionary.normalized_keys().get(index).copied().unwrap_or_default();
            return value(dictionary.values(), field, key, form, out);
        }
        D::RunEndEncoded(ends, part) => {
            return match ends.data_type() {
                D::Int16 => run::<Int16Type>(array, part, index, form, out),
                D::Int32 => run::<Int32Type>(array, part, index, form, out),
                _ => run::<Int64Type>(array, part, index, form, out),
            };
        }
        D::Struct(fields) => {
            out.push('{');
            for (number, (part, column)) in fields.iter().zip(array.as_struct().columns()).enumerate() {
                comma(number, out);
                quoted(part.name(), out)?;
                out.push(':');
                json(column, part, index, out)?;
            }
            out.push('}');
            return Ok(true);
        }
        D::Map(entries, _) => {
            let pairs = array.as_map().value(index);
            let (D::Struct(fields), [keys, values]) = (entries.data_type(), pairs.columns()) else {
                return Err(Error::internal("entries of a map have not two fields"));
            };
            let [key, part] = &fields[..] else {
                return Err(Error::internal("entries of a map have not two fields"));
            };
            // Only strings are keys of JSON.
            let is_object = keys.data_type().is_string();
            out.push(if is_object { '{' } else { '[' });
            for entry in 0..pairs.len() {
                comma(entry, out);
                out.push_str(if is_object { "" } else { "[" });
                json(keys, key, entry, out)?;
                out.push(if is_object { ':' } else { ',' });
                json(values, part, entry, out)?;
                out.push_str(if is_object { "" } else { "]" });
            }
            out.push(if is_object { '}' } else { ']' });
            return Ok(true);
        }
        D::List(part) => (part, array.as_list::<i32>().value(index)),
        D::LargeList(part) => (part, array.as_list::<i64>().value(index)),
        D::ListView(part) => (part, array.as_list_view::<i32>().value(index)),
        D::LargeListView(part) => (part, array.as_list_view::<i64>().value(index)),
        D::FixedSizeList(part, _) => (part, array.as_fixed_size_list().value(index)),
        _ => {
            let (text, is_bare) = leaf(array, field, index)?;
            match form == Form::Plain || is_bare {
                true => out.push_str(&text),
                false => quoted(&text, out)?,
            }
            return Ok(true);
        }
    };
    out.push('[');
    for item in 0..items.1.len() {
        comma(item, out);
        json(&items.1, items.0, item, out)?;
    }
    out.push(']');
    Ok(true)
}

fn json(array: &dyn Array, field: &Field, index: usize, out: &mut String) -> Result<()> {
    if !value(array, field, index, Form::Json, out)? {
        out.push_str("null");
    }
    Ok(())
}

fn comma(number: usize, out: &mut String) {
    if number > 0 {
        out.push(',');
    }
}

fn quoted(text: &str, out: &mut String) -> Result<()> {
    let text = serde_json::to_string(text).map_err(|_| Error::internal("a string that is no JSON"))?;
    out.push_str(&text);
    Ok(())
}

fn run<R: RunEndIndexType>(
    array: &dyn Array,
    field: &Field,
    index: usize,
    form: Form,
    out: &mut String,
) -> Result<bool> {
    let runs = array.as_run::<R>();
    value(runs.values(), field, runs.get_physical_index(index), form, out)
}

/// A value without children, and whether it is a number or a boolean of JSON.
fn leaf(array: &dyn Array, field: &Field, index: usize) -> Result<(String, bool)> {
    let data_type = array.data_type();
    if let (DataType::FixedSizeBinary(_), Some(name)) = (data_type, field.extension_type_name())
        && let Some(logical) = logical_of_extension(name)
        && let Some(storage) = logical.storage()
        && let Ok(shape) = LogicalShape::new(logical, storage)
        && let Some(text) = shape.text(ValueRef::Bytes(array.as_fixed_size_binary().value(index)))
    {
        return Ok((text, false));
    }
    let options = FormatOptions::default().with_display_error(false);
    // Zones need a table that this crate has not: instants are those of UTC.
    if let DataType::Timestamp(unit, Some(_)) = data_type {
        let local = DataType::Timestamp(*unit, None);
        let local = make_array(array.slice(index, 1).to_data().into_builder().data_type(local).build()?);
        let text = ArrayFormatter::try_new(&local, &options)?.value(0).try_to_string()?;
        return Ok((format!("{text}Z"), false));
    }
    let text = ArrayFormatter::try_new(array, &options)?.value(index).try_to_string()?;
    let is_number = data_type.is_integer() || data_type.is_floating();
    let is_json = is_number && serde_json::from_str::<serde_json::Number>(&text).is_ok();
    Ok((text, is_json || *data_type == DataType::Boolean))
}
