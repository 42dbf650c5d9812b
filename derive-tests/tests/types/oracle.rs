//! What serde makes of a value in a format that describes itself: written into content, read from it again.
//!
//! The format is what the crate's mapping promises: characters are text, bytes are numbers where nobody asks
//! for bytes, and `Some` shows only around an option or a unit.

use crate::buffered::Buffered;
use crate::content::Content;
use crate::deserialize::Seed;
use crate::model::Graph;
use crate::serialize::Typed;
use crate::value::Value;
use serde::de::DeserializeSeed;
use serde::de::value::Error;
use serde::ser::{self, Serialize, Serializer};

type Result<T> = std::result::Result<T, Error>;

pub fn write(graph: &Graph, row: &Value) -> Result<Content> {
    Typed { graph, ty: &graph.row, value: row }.serialize(Writer)
}

fn read(graph: &'static Graph, content: Content) -> Result<Value> {
    Seed { graph, ty: &graph.row }.deserialize(Buffered::new(content))
}

/// What is read as a type; an error also where the order of fields matters, which files need not keep.
pub fn read_in_any_order(graph: &'static Graph, content: Content) -> Result<Value> {
    let value = read(graph, content.clone())?;
    match read(graph, content.reversed())? {
        other if other == value => Ok(value),
        _ => Err(ser::Error::custom("another value with the fields in another order")),
    }
}

/// Whether serde brings the row back as it was.
pub fn comes_back(graph: &'static Graph, row: &Value) -> bool {
    write(graph, row).and_then(|content| read_in_any_order(graph, content)).as_ref() == Ok(row)
}

struct Writer;

/// A list or a map that is being written, with the variant around it.
struct Open {
    variant: Option<&'static str>,
    items: Vec<Content>,
    entries: Vec<(Content, Content)>,
}

impl Open {
    fn new(variant: Option<&'static str>) -> Self {
        Self { variant, items: vec![], entries: vec![] }
    }

    fn close(self, content: Content) -> Content {
        match self.variant {
            Some(name) => single(name, content),
            None => content,
        }
    }

    fn items(mut self) -> Content {
        let items = Content::Seq(std::mem::take(&mut self.items));
        self.close(items)
    }

    fn entries(mut self) -> Content {
        let entries = Content::Map(std::mem::take(&mut self.entries));
        self.close(entries)
    }
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

fn single(name: &str, content: Content) -> Content {
    Content::Map(vec![(text(name), content)])
}

macro_rules! scalars {
    ($($method:ident($kind:ty) $make:expr;)*) => {
        $(fn $method(self, value: $kind) -> Result<Content> {
            Ok($make(value.into()))
        })*
    };
}

impl Serializer for Writer {
    type Ok = Content;
    type Error = Error;
    type SerializeSeq = Open;
    type SerializeTuple = Open;
    type SerializeTupleStruct = Open;
    type SerializeTupleVariant = Open;
    type SerializeMap = Open;
    type SerializeStruct = Open;
    type SerializeStructVariant = Open;

    scalars! {
        serialize_bool(bool) Content::Bool;
        serialize_i8(i8) Content::I64;
        serialize_i16(i16) Content::I64;
        serialize_i32(i32) Content::I64;
        serialize_i64(i64) Content::I64;
        serialize_i128(i128) Content::I128;
        serialize_u8(u8) Content::U64;
        serialize_u16(u16) Content::U64;
        serialize_u32(u32) Content::U64;
        serialize_u64(u64) Content::U64;
        serialize_u128(u128) Content::U128;
        serialize_f32(f32) Content::F32;
        serialize_f64(f64) Content::F64;
        serialize_char(char) Content::Text;
        serialize_str(&str) Content::Text;
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Content> {
        Ok(Content::Seq(bytes.iter().map(|byte| Content::U64((*byte).into())).collect()))
    }

    fn serialize_none(self) -> Result<Content> {
        Ok(Content::None)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Content> {
        Ok(match value.serialize(Writer)? {
            inner @ (Content::None | Content::Some(_) | Content::Unit) => Content::Some(Box::new(inner)),
            inner => inner,
        })
    }

    fn serialize_unit(self) -> Result<Content> {
        Ok(Content::Unit)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Content> {
        Ok(Content::Unit)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Content> {
        Ok(text(variant))
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<Content> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Content> {
        Ok(single(variant, value.serialize(self)?))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Open> {
        Ok(Open::new(None))
    }

    fn serialize_tuple(self, _: usize) -> Result<Open> {
        Ok(Open::new(None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Open> {
        Ok(Open::new(None))
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, name: &'static str, _: usize) -> Result<Open> {
        Ok(Open::new(Some(name)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Open> {
        Ok(Open::new(None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Open> {
        Ok(Open::new(None))
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, name: &'static str, _: usize) -> Result<Open> {
        Ok(Open::new(Some(name)))
    }
}

macro_rules! items {
    ($($of:ident $method:ident;)*) => {
        $(impl ser::$of for Open {
            type Ok = Content;
            type Error = Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                self.items.push(value.serialize(Writer)?);
                Ok(())
            }

            fn end(self) -> Result<Content> {
                Ok(self.items())
            }
        })*
    };
}

items! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! fields {
    ($($of:ident)*) => {
        $(impl ser::$of for Open {
            type Ok = Content;
            type Error = Error;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
                self.entries.push((text(key), value.serialize(Writer)?));
                Ok(())
            }

            fn end(self) -> Result<Content> {
                Ok(self.entries())
            }
        })*
    };
}

fields! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Open {
    type Ok = Content;
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        self.entries.push((key.serialize(Writer)?, Content::Unit));
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.entries.last_mut().expect("a key before").1 = value.serialize(Writer)?;
        Ok(())
    }

    fn end(self) -> Result<Content> {
        Ok(self.entries())
    }
}
