//! A column as a typed array.

use crate::fault::Result;
use crate::to_js;
use js_sys::{Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int32Array, Uint8Array};
use trevni::shape::{Form, LogicalShape};
use trevni::{Batch, Reader, Shape, ValueRef, path};
use wasm_bindgen::JsValue;

/// What the values of a path are.
pub(crate) struct Column<'s> {
    /// How many records are around the value.
    depth: usize,
    shape: &'s Shape,
    pub(crate) is_nullable: bool,
}

impl<'s> Column<'s> {
    /// The column that a reader of only this path has.
    pub(crate) fn of(reader: &'s Reader<'_>, path: &str) -> Result<Self> {
        let (mut shape, mut depth, mut is_nullable) = (reader.shape(), 0, false);
        let names = path::parse(path)?.len();
        loop {
            match shape {
                Shape::Optional(optional) => (shape, is_nullable) = (&optional.item, true),
                Shape::Record(record) if record.form == Form::Struct && depth < names => {
                    let [field] = &record.fields[..] else { break };
                    (shape, depth) = (&field.shape, depth + 1);
                }
                _ => break,
            }
        }
        Ok(Self { depth, shape, is_nullable })
    }

    /// The logical type, where there is one.
    pub(crate) fn logical(&self) -> Option<&'s LogicalShape> {
        match self.shape {
            Shape::Logical(logical) => Some(logical),
            _ => None,
        }
    }

    /// The array that the values are in.
    pub(crate) fn kind(&self) -> &'static str {
        match self.shape.storage() {
            Shape::Boolean => "boolean",
            Shape::Int => "int32",
            Shape::Long => "int64",
            Shape::U64 => "uint64",
            Shape::Float => "float32",
            Shape::Double => "float64",
            Shape::String | Shape::Enum(_) => "string",
            Shape::Bytes | Shape::Fixed(_) if self.logical().is_none() => "bytes",
            // Their strings.
            Shape::Bytes | Shape::Fixed(_) => "string",
            _ => "value",
        }
    }

    fn at<'b>(&self, batch: &'b Batch, row: usize) -> ValueRef<'b> {
        let mut value = batch.row(row).unwrap_or(ValueRef::Null);
        for _ in 0..self.depth {
            value = match value {
                ValueRef::Record(record) => record.field(0).unwrap_or(ValueRef::Null),
                _ => ValueRef::Null,
            };
        }
        value
    }

    /// The values of the rows of a reader, and 1 for each null; no nulls are nothing.
    pub(crate) fn read(&self, reader: &Reader<'_>) -> Result<Array> {
        let mut nulls = Vec::new();
        let values: JsValue = match self.kind() {
            "boolean" => {
                let values = self.packed(reader, &mut nulls, |value| match value {
                    ValueRef::Boolean(value) => Some(u8::from(value)),
                    _ => None,
                })?;
                Uint8Array::from(&values[..]).into()
            }
            "int32" => {
                let values = self.packed(reader, &mut nulls, |value| match value {
                    ValueRef::Int(value) => Some(value),
                    _ => None,
                })?;
                Int32Array::from(&values[..]).into()
            }
            "int64" => {
                let values = self.packed(reader, &mut nulls, |value| match value {
                    ValueRef::Long(value) => Some(value),
                    _ => None,
                })?;
                BigInt64Array::from(&values[..]).into()
            }
            "uint64" => {
                let values = self.packed(reader, &mut nulls, |value| match value {
                    ValueRef::U64(value) => Some(value),
                    _ => None,
                })?;
                BigUint64Array::from(&values[..]).into()
            }
            "float32" => {
                let values = self.packed(reader, &mut nulls, |value| match value {
                    ValueRef::Float(value) => Some(value),
                    _ => None,
                })?;
                Float32Array::from(&values[..]).into()
            }
            "float64" => {
                let values = self.packed(reader, &mut nulls, |value| match value {
                    ValueRef::Double(value) => Some(value),
                    _ => None,
                })?;
                Float64Array::from(&values[..]).into()
            }
            _ => {
                let logical = self.logical();
                let values = self.packed(reader, &mut nulls, |value| match value {
                    ValueRef::Null | ValueRef::Some(_) => None,
                    value => Some(match logical.and_then(|logical| logical.text(value)) {
                        Some(text) => text.into(),
                        None => to_js::value(value),
                    }),
                })?;
                // A new array: `undefined` is null in it.
                let null = |value: JsValue| if value.is_undefined() { JsValue::NULL } else { value };
                values.into_iter().map(null).collect::<Array>().into()
            }
        };
        let nulls = match nulls.contains(&1) {
            true => Uint8Array::from(&nulls[..]).into(),
            false => JsValue::UNDEFINED,
        };
        Ok(Array::of2(&values, &nulls))
    }

    fn packed<T: Default>(
        &self,
        reader: &Reader<'_>,
        nulls: &mut Vec<u8>,
        of: impl Fn(ValueRef<'_>) -> Option<T>,
    ) -> Result<Vec<T>> {
        let mut values = Vec::new();
        for batch in reader.batches()? {
            let batch = batch?;
            values.reserve(batch.len());
            for row in 0..batch.len() {
                let value = of(self.at(&batch, row));
                nulls.push(u8::from(value.is_none()));
                values.push(value.unwrap_or_default());
            }
        }
        Ok(values)
    }
}
