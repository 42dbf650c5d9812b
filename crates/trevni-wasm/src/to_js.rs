//! Values as JavaScript has them.

use js_sys::{Array, BigInt, Map, Object, Reflect, Uint8Array};
use trevni::ValueRef;
use trevni::shape::Form;
use trevni::value::{MapRef, RecordRef};
use wasm_bindgen::{JsValue, intern};

/// Integers up to this size are exact as numbers.
const EXACT: i64 = (1 << 53) - 1;

/// A value: absent fields are left out, variants of enums are objects of one entry, integers that a number is not exact for are bigints.
pub(crate) fn value(value: ValueRef<'_>) -> JsValue {
    match value {
        ValueRef::Boolean(value) => value.into(),
        ValueRef::Int(value) => value.into(),
        ValueRef::Long(value) => integer(value),
        ValueRef::U64(value) => match i64::try_from(value) {
            Ok(value) => integer(value),
            Err(_) => BigInt::from(value).into(),
        },
        ValueRef::I128(value) => match i64::try_from(value) {
            Ok(value) => integer(value),
            Err(_) => BigInt::from(value).into(),
        },
        ValueRef::U128(value) => match i64::try_from(value) {
            Ok(value) => integer(value),
            Err(_) => BigInt::from(value).into(),
        },
        ValueRef::Float(value) => single(value).into(),
        ValueRef::Double(value) => value.into(),
        ValueRef::String(text) => text.into(),
        ValueRef::Symbol(text) => intern(text).into(),
        ValueRef::Bytes(bytes) => Uint8Array::from(bytes).into(),
        ValueRef::List(list) => list.iter().map(self::value).collect::<Array>().into(),
        ValueRef::Map(map) => entries(map),
        ValueRef::Record(record) => self::record(record),
        _ => JsValue::NULL,
    }
}

/// The number that is written with the fewest digits and is this float: 0.1, not 0.10000000149011612.
fn single(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(value.into())
}

fn integer(value: i64) -> JsValue {
    match (-EXACT..=EXACT).contains(&value) {
        true => (value as f64).into(),
        false => value.into(),
    }
}

/// A map as an object; one whose keys are no strings as a `Map`.
fn entries(map: MapRef<'_>) -> JsValue {
    if map.iter().all(|(key, _)| key.as_str().is_some()) {
        let object = Object::new();
        for (key, entry) in map.iter() {
            set(&object, key.as_str().unwrap_or_default(), &value(entry));
        }
        return object.into();
    }
    let entries = Map::new();
    for (key, entry) in map.iter() {
        entries.set(&value(key), &value(entry));
    }
    entries.into()
}

fn record(record: RecordRef<'_>) -> JsValue {
    if !record.shape().form.is_variant() {
        return fields(record);
    }
    let object = Object::new();
    set(&object, intern(&record.shape().name), &fields(record));
    object.into()
}

/// What a record holds, without the name of a variant.
fn fields(record: RecordRef<'_>) -> JsValue {
    let count = record.shape().fields.len();
    let field = |number| record.field(number).map_or(JsValue::NULL, value);
    match record.shape().form {
        Form::NewtypeVariant => field(0),
        Form::Tuple | Form::TupleVariant => (0..count).map(field).collect::<Array>().into(),
        _ => {
            let object = Object::new();
            for (number, field) in record.shape().fields.iter().enumerate() {
                if let Some(there) = record.field(number) {
                    set(&object, intern(&field.name), &value(there));
                }
            }
            object.into()
        }
    }
}

/// Sets a property. A name of a file may be `__proto__`, which is a property like others here.
pub(crate) fn set(object: &Object, name: &str, value: &JsValue) {
    let key = JsValue::from_str(name);
    // A new object takes everything.
    if name == "__proto__" {
        let own = Object::new();
        for part in ["enumerable", "configurable", "writable"] {
            let _ = Reflect::set(&own, &part.into(), &JsValue::TRUE);
        }
        let _ = Reflect::set(&own, &"value".into(), value);
        Object::define_property(object, &key, &own);
    } else {
        let _ = Reflect::set(object, &key, value);
    }
}
