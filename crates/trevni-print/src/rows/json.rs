//! Values as JSON: nothing is lost in printing.

use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use trevni::ValueRef;
use trevni::shape::Form;
use trevni::value::{ListRef, MapRef, RecordRef};

/// A value as JSON: absent fields are skipped, bytes are hexadecimal, maps are objects, floats that are no numbers are
/// strings, variants of enums are objects of one entry.
#[derive(Clone, Copy, Debug)]
pub struct Json<'v, 'b>(pub &'v ValueRef<'b>);

/// Whether a value is null, or a null within optionals.
#[inline]
pub fn is_null(value: &ValueRef<'_>) -> bool {
    matches!(value, ValueRef::Null | ValueRef::Some(_))
}

/// The value, unless it is null.
#[inline]
pub fn non_null(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    (!is_null(&value)).then_some(value)
}

impl Serialize for Json<'_, '_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        put(*self.0, serializer)
    }
}

/// Bytes as hexadecimal digits: `00ff`.
#[derive(Clone, Copy, Debug)]
pub struct Hex<'b>(pub &'b [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for bytes in self.0.chunks(32) {
            let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
            let digits = digits.filter_map(|digit| char::from_digit(digit.into(), 16));
            f.write_str(&digits.collect::<String>())?;
        }
        Ok(())
    }
}

/// Where a value goes: the place of a value, an item, or an entry.
pub trait Place {
    type Ok;
    type Error;
    fn put<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Self::Error>;
}

impl<S: Serializer> Place for S {
    type Ok = S::Ok;
    type Error = S::Error;

    #[inline(always)]
    fn put<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }
}

/// An item of a list.
struct Item<'o, O>(&'o mut O);

impl<O: SerializeSeq> Place for Item<'_, O> {
    type Ok = ();
    type Error = O::Error;

    #[inline(always)]
    fn put<T: Serialize + ?Sized>(self, value: &T) -> Result<(), O::Error> {
        self.0.serialize_element(value)
    }
}

/// The value of an entry, after its key.
struct Entry<'o, O>(&'o mut O);

impl<O: SerializeMap> Place for Entry<'_, O> {
    type Ok = ();
    type Error = O::Error;

    #[inline(always)]
    fn put<T: Serialize + ?Sized>(self, value: &T) -> Result<(), O::Error> {
        self.0.serialize_value(value)
    }
}

/// Puts a value in its place. A part of its caller, so that a value is printed where it is read, and never copied.
#[inline(always)]
pub fn put<P: Place>(value: ValueRef<'_>, place: P) -> Result<P::Ok, P::Error> {
    match value {
        ValueRef::Null | ValueRef::Some(_) => place.put(&()),
        ValueRef::Boolean(value) => place.put(&value),
        ValueRef::Int(value) => place.put(&value),
        ValueRef::Long(value) => place.put(&value),
        ValueRef::U64(value) => place.put(&value),
        ValueRef::I128(value) => place.put(&value),
        ValueRef::U128(value) => place.put(&value),
        ValueRef::Float(value) if !value.is_finite() => place.put(as_text(value.into())),
        ValueRef::Float(value) => place.put(&value),
        ValueRef::Double(value) if !value.is_finite() => place.put(as_text(value)),
        ValueRef::Double(value) => place.put(&value),
        ValueRef::String(text) | ValueRef::Symbol(text) => place.put(text),
        ValueRef::Bytes(bytes) => place.put(&format_args!("{}", Hex(bytes))),
        ValueRef::List(list) => place.put(&Items(list)),
        ValueRef::Map(map) => place.put(&Entries(map)),
        ValueRef::Record(record) => place.put(&Record(record)),
        other => place.put(&other),
    }
}

struct Items<'b>(ListRef<'b>);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_seq(Some(self.0.len()))?;
        for value in self.0.iter() {
            put(value, Item(&mut out))?;
        }
        out.end()
    }
}

struct Entries<'b>(MapRef<'b>);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in self.0.iter() {
            match key.as_str() {
                Some(key) => out.serialize_key(key)?,
                None => out.serialize_key(&json_text(&key).map_err(S::Error::custom)?)?,
            }
            put(value, Entry(&mut out))?;
        }
        out.end()
    }
}

struct Record<'b>(RecordRef<'b>);

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.0.shape().form.is_variant() {
            return Fields(self.0).serialize(serializer);
        }
        let mut out = serializer.serialize_map(Some(1))?;
        out.serialize_entry(&*self.0.shape().name, &Fields(self.0))?;
        out.end()
    }
}

/// What a record holds, without the name of a variant.
struct Fields<'b>(RecordRef<'b>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = self.0;
        let count = record.shape().fields.len();
        match record.shape().form {
            Form::NewtypeVariant => put(record.field(0).unwrap_or(ValueRef::Null), serializer),
            Form::Tuple | Form::TupleVariant => {
                let mut out = serializer.serialize_seq(Some(count))?;
                for number in 0..count {
                    put(record.field(number).unwrap_or(ValueRef::Null), Item(&mut out))?;
                }
                out.end()
            }
            _ => object(record, 0..count, serializer),
        }
    }
}

/// The fields of these numbers that are there.
fn object<S: Serializer>(
    record: RecordRef<'_>,
    numbers: impl Iterator<Item = usize>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_map(None)?;
    for number in numbers {
        if let (Some(field), Some(value)) = (record.shape().fields.get(number), record.field(number)) {
            out.serialize_key(&*field.name)?;
            put(value, Entry(&mut out))?;
        }
    }
    out.end()
}

/// Whether a float was printed that JSON has no number for.
static NO_NUMBERS: AtomicBool = AtomicBool::new(false);

/// The text for a float that is no number.
#[cold]
fn as_text(value: f64) -> &'static str {
    NO_NUMBERS.store(true, Ordering::Relaxed);
    no_number(value)
}

/// Whether a float was printed as text, because JSON has no number for it.
pub fn printed_no_number() -> bool {
    NO_NUMBERS.load(Ordering::Relaxed)
}

/// The name of a float that is no number.
#[must_use]
pub fn no_number(value: f64) -> &'static str {
    match value {
        _ if value.is_nan() => "NaN",
        _ if value > 0.0 => "Infinity",
        _ => "-Infinity",
    }
}

/// A value as JSON; strings without quotes, as keys and cells of a table have them.
pub fn json_text(value: &ValueRef<'_>) -> serde_json::Result<String> {
    match value.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Ok(serde_json::to_string(&Json(value))?.trim_matches('"').to_owned()),
    }
}

/// A row whose outermost fields come in another order.
pub struct Ordered<'o, 'b> {
    pub row: ValueRef<'b>,
    /// Numbers of the fields; empty for their own order.
    pub order: &'o [usize],
}

impl Serialize for Ordered<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.row {
            ValueRef::Record(record) if !self.order.is_empty() => {
                object(record, self.order.iter().copied(), serializer)
            }
            row => put(row, serializer),
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    enum Kind {
        Unit,
        New(i32),
        Tuple(i32, bool),
        Fields { a: u8 },
    }

    #[derive(Serialize)]
    struct Row {
        float: f32,
        nan: f64,
        large: u64,
        huge: i128,
        text: &'static str,
        options: [Option<i32>; 2],
        #[serde(skip_serializing_if = "Option::is_none")]
        absent: Option<i32>,
        counts: BTreeMap<u8, bool>,
        kinds: Vec<Kind>,
        #[serde(serialize_with = "bytes")]
        bytes: &'static [u8],
        both: (),
    }

    fn bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    #[test]
    fn nothing_is_lost() {
        let row = |absent| Row {
            float: 0.1,
            nan: f64::NAN,
            large: u64::MAX,
            huge: i128::MIN,
            text: "a\"b",
            options: [None, Some(1)],
            absent,
            counts: BTreeMap::from([(7, true)]),
            kinds: vec![Kind::Unit, Kind::New(1), Kind::Tuple(2, true), Kind::Fields { a: 3 }],
            bytes: &[0, 255],
            both: (),
        };
        let bytes = trevni::to_vec([row(None), row(Some(5))]).unwrap();
        let reader = trevni::Reader::from_slice(&bytes).unwrap();
        let batch = reader.batches().unwrap().next().unwrap().unwrap();
        // A field that is seen late comes last.
        let expected = |absent: &str| {
            let kinds = r#"["Unit",{"New":1},{"Tuple":[2,true]},{"Fields":{"a":3}}]"#;
            format!(
                r#"{{"float":0.1,"nan":"NaN","large":{},"huge":{},"text":"a\"b","options":[null,1],"counts":{{"7":true}},"kinds":{kinds},"bytes":"00ff","both":null{absent}}}"#,
                u64::MAX,
                i128::MIN
            )
        };
        let json = |index| serde_json::to_string(&Json(&batch.row(index).unwrap())).unwrap();
        assert_eq!(json(0), expected(""));
        assert_eq!(json(1), expected(r#","absent":5"#));
        assert!(batch.row(2).is_none());
        let ordered = Ordered { row: batch.row(0).unwrap(), order: &[4, 11, 0] };
        assert_eq!(serde_json::to_string(&ordered).unwrap(), r#"{"text":"a\"b","float":0.1}"#);
    }
}
