//! Values as bytes that are equal for equal values, whatever their types.

use trevni::ValueRef;
use trevni::shape::Form;
use trevni::value::RecordRef;
use trevni_query::ScalarRef;

const NULL: u8 = 0;
/// Above the first bytes of [`ScalarRef::encode`].
const HUGE: u8 = 32;
const LIST: u8 = 33;
const MAP: u8 = 34;
const STRUCT: u8 = 35;
const VARIANT: u8 = 36;

/// Appends the bytes of a value: numbers by what they count, entries of maps and fields of structs whatever their
/// order; a null field is left out.
pub(super) fn encode(value: Option<ValueRef<'_>>, out: &mut Vec<u8>) {
    let scalar = match value {
        None | Some(ValueRef::Null | ValueRef::Some(_)) => return out.push(NULL),
        Some(ValueRef::Boolean(value)) => ScalarRef::Boolean(value),
        Some(ValueRef::Int(value)) => ScalarRef::Integer(value.into()),
        Some(ValueRef::Long(value)) => ScalarRef::Integer(value.into()),
        Some(ValueRef::U64(value)) => ScalarRef::Integer(value.into()),
        Some(ValueRef::I128(value)) => ScalarRef::Integer(value),
        Some(ValueRef::U128(value)) => match i128::try_from(value) {
            Ok(value) => ScalarRef::Integer(value),
            Err(_) => {
                out.push(HUGE);
                return out.extend_from_slice(&value.to_be_bytes());
            }
        },
        Some(ValueRef::Float(value)) => ScalarRef::Float(value.into()),
        Some(ValueRef::Double(value)) => ScalarRef::Float(value),
        Some(ValueRef::String(text) | ValueRef::Symbol(text)) => ScalarRef::Text(text),
        Some(ValueRef::Bytes(bytes)) => ScalarRef::Bytes(bytes),
        Some(ValueRef::List(list)) => {
            out.push(LIST);
            out.extend_from_slice(&(list.len() as u64).to_be_bytes());
            return list.iter().for_each(|item| encode(Some(item), out));
        }
        Some(ValueRef::Map(map)) => {
            let entry = |(key, value)| {
                let mut bytes = Vec::new();
                encode(Some(key), &mut bytes);
                encode(Some(value), &mut bytes);
                bytes
            };
            let mut entries: Vec<Vec<u8>> = map.iter().map(entry).collect();
            entries.sort_unstable();
            out.push(MAP);
            return put(&entries, out);
        }
        Some(ValueRef::Record(record)) => return of_record(record, out),
        // There is no other kind.
        Some(_) => return out.push(NULL),
    };
    scalar.encode(out);
}

fn of_record(record: RecordRef<'_>, out: &mut Vec<u8>) {
    let shape = record.shape();
    if shape.form.is_variant() {
        out.push(VARIANT);
        ScalarRef::Text(&shape.name).encode(out);
    }
    let count = shape.fields.len();
    match shape.form {
        Form::NewtypeVariant => encode(record.field(0), out),
        Form::Tuple | Form::TupleVariant => {
            out.push(LIST);
            out.extend_from_slice(&(count as u64).to_be_bytes());
            (0..count).for_each(|number| encode(record.field(number), out));
        }
        _ => {
            let field = |number: usize| {
                let value = record
                    .field(number)
                    .filter(|value| !matches!(value, ValueRef::Null | ValueRef::Some(_)))?;
                let mut bytes = Vec::new();
                ScalarRef::Text(&shape.fields.get(number)?.name).encode(&mut bytes);
                encode(Some(value), &mut bytes);
                Some(bytes)
            };
            let mut fields: Vec<Vec<u8>> = (0..count).filter_map(field).collect();
            fields.sort_unstable();
            out.push(STRUCT);
            put(&fields, out);
        }
    }
}

fn put(parts: &[Vec<u8>], out: &mut Vec<u8>) {
    out.extend_from_slice(&(parts.len() as u64).to_be_bytes());
    parts.iter().for_each(|part| out.extend_from_slice(part));
}

/// Compares cells, with room that is used again.
#[derive(Default)]
pub(super) struct Comparing {
    one: Vec<u8>,
    other: Vec<u8>,
}

impl Comparing {
    /// Whether two cells have equal values.
    pub(super) fn is_same(&mut self, one: Option<ValueRef<'_>>, other: Option<ValueRef<'_>>) -> bool {
        match (one, other) {
            (None, None) => return true,
            (Some(ValueRef::Long(one)), Some(ValueRef::Long(other))) => return one == other,
            (Some(ValueRef::Int(one)), Some(ValueRef::Int(other))) => return one == other,
            (Some(ValueRef::String(one)), Some(ValueRef::String(other))) => return one == other,
            _ => {}
        }
        self.one.clear();
        self.other.clear();
        encode(one, &mut self.one);
        encode(other, &mut self.other);
        self.one == self.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn is_same(one: &Value, other: &Value) -> bool {
        let batches = [one, other].map(|value| {
            let bytes = trevni::to_vec([json!({"a": value})]).unwrap();
            trevni::Reader::from_slice(&bytes).unwrap().batches().unwrap().next().unwrap().unwrap()
        });
        let [one, other] = &batches;
        let cell = |batch: &'_ trevni::Batch| {
            let mut out = Vec::new();
            encode(batch.row(0).and_then(|row| row.get("a")), &mut out);
            out
        };
        let (one, other) = (cell(one), cell(other));
        one == other
    }

    #[test]
    fn values_are_compared_not_types() {
        for (one, other, expected) in [
            (json!(2), json!(2.0), true),
            (json!(2), json!(2.5), false),
            (json!(0.0), json!(-0.0), true),
            (json!(u64::MAX), json!(1.8446744073709552e19), false),
            (json!("2"), json!(2), false),
            (json!(""), Value::Null, false),
            (json!([]), Value::Null, false),
            (json!([[1], [2]]), json!([[1.0], [2]]), true),
            (json!([[1], []]), json!([[], [1]]), false),
            (json!({"b": 1, "c": null}), json!({"b": 1}), true),
            (json!({"b": 1, "c": 2}), json!({"c": 2, "b": 1}), true),
            (json!({"b": 1, "c": 2}), json!({"c": 1, "b": 2}), false),
            (json!({"b": "x", "c": "y"}), json!({"b": "xc", "c": "y"}), false),
            (json!(["ab", "c"]), json!(["a", "bc"]), false),
            (json!([null, 1]), json!([1]), false),
            (json!(true), json!(1), false),
        ] {
            assert_eq!(is_same(&one, &other), expected, "{one} {other}");
            assert_eq!(is_same(&other, &one), expected, "{other} {one}");
        }
    }
}
