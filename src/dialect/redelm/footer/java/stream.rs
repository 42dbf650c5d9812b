//! Reads a Java serialization stream: any objects, as a list of them that refer to each other.

use super::super::Held;
use super::super::blocks::{from_modified, read_text};
use super::{FIRST_HANDLE, MAGIC, flag, tag};
use crate::bytes::reader::Bytes;
use crate::error::{Error, ErrorKind, Result};
use std::sync::Arc;

/// How deep objects may be in one another; those of a footer are seven deep.
const DEPTH_MAX: usize = 32;
/// The most classes that a class may extend.
const PARENTS_MAX: usize = 8;

/// The value of a field, or an item of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Number(i64),
    /// A thing by its number.
    Thing(usize),
}

/// What other things can refer to.
#[derive(Debug)]
enum Thing {
    /// It is being read.
    Open,
    Class(Class),
    Text(Arc<str>),
    Object(Object),
    Array(Vec<Value>),
    /// A constant of an enum, with the text of its name.
    Constant(Value),
}

#[derive(Debug)]
struct Class {
    name: Box<str>,
    flags: u8,
    fields: Vec<Field>,
    /// The classes that it extends, the nearest first.
    parents: Vec<usize>,
}

#[derive(Debug)]
struct Field {
    kind: u8,
    name: Box<str>,
}

#[derive(Debug)]
struct Object {
    class: usize,
    /// The values of all fields, the farthest class's first.
    fields: Vec<Value>,
    /// What the classes write after the fields.
    more: Vec<Value>,
}

/// The things of a stream.
#[derive(Debug, Default)]
pub(super) struct Graph {
    things: Vec<Thing>,
}

impl Graph {
    /// Reads a stream of one object, the root.
    pub(super) fn read(stream: &[u8], held: &mut Held) -> Result<(Self, Value)> {
        let mut reader = Reader { bytes: Bytes::new(stream), graph: Self::default(), depth: 0, held };
        if reader.take::<4>()? != MAGIC {
            return Err(Error::metadata("the footer is no Java serialization stream of version 5"));
        }
        let root = reader.content()?;
        match reader.bytes.remaining() {
            0 => Ok((reader.graph, root)),
            count => Err(Error::metadata(format!("{count} bytes follow the object of the footer"))),
        }
    }

    fn thing(&self, value: Value) -> Option<&Thing> {
        match value {
            Value::Thing(number) => self.things.get(number),
            Value::Null | Value::Number(_) => None,
        }
    }

    fn object(&self, value: Value) -> Option<(&Object, &Class)> {
        match self.thing(value)? {
            Thing::Object(object) => Some((object, self.class(object.class)?)),
            _ => None,
        }
    }

    fn class(&self, number: usize) -> Option<&Class> {
        match self.things.get(number)? {
            Thing::Class(class) => Some(class),
            _ => None,
        }
    }

    /// The value of a field of an object of a class.
    pub(super) fn field(&self, value: Value, class: &'static str, name: &'static str) -> Result<Value> {
        let missing = || Error::metadata(format!("the footer lacks the field {name} of a {class}"));
        let (object, own) = self.object(value).filter(|(_, own)| &*own.name == class).ok_or_else(missing)?;
        let place = own.fields.iter().position(|field| &*field.name == name).ok_or_else(missing)?;
        // Its own fields are the last.
        let before = object.fields.len().checked_sub(own.fields.len()).ok_or_else(missing)?;
        object.fields.get(before + place).copied().ok_or_else(missing)
    }

    /// The items of an `ArrayList`.
    pub(super) fn list(&self, value: Value, what: &'static str) -> Result<&[Value]> {
        match self.object(value) {
            Some((object, class)) if &*class.name == "java.util.ArrayList" => Ok(&object.more),
            _ => Err(Error::metadata(format!("the footer has no list of {what}"))),
        }
    }

    /// The items of an array.
    pub(super) fn array(&self, value: Value, what: &'static str) -> Result<&[Value]> {
        match self.thing(value) {
            Some(Thing::Array(items)) => Ok(items),
            _ => Err(Error::metadata(format!("the footer has no array of {what}"))),
        }
    }

    /// A text, or the name of a constant.
    pub(super) fn text(&self, value: Value, what: &'static str) -> Result<&Arc<str>> {
        let thing = match self.thing(value) {
            Some(Thing::Constant(name)) => self.thing(*name),
            other => other,
        };
        match thing {
            Some(Thing::Text(text)) => Ok(text),
            _ => Err(Error::metadata(format!("the footer has no string for {what}"))),
        }
    }
}

struct Reader<'a, 'h> {
    bytes: Bytes<'a>,
    graph: Graph,
    depth: usize,
    held: &'h mut Held,
}

impl Reader<'_, '_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.bytes.array().map_err(|bad| bad.of("the Java object of the footer"))
    }

    fn tag(&mut self) -> Result<u8> {
        self.take().map(|[tag]| tag)
    }

    fn utf(&mut self) -> Result<Box<str>> {
        read_text(&mut self.bytes).map(|text| text.into())
    }

    /// Gives a thing that is about to be read its number.
    fn open(&mut self) -> Result<usize> {
        self.held.take::<Thing>(0)?;
        self.graph.things.push(Thing::Open);
        Ok(self.graph.things.len() - 1)
    }

    fn close(&mut self, number: usize, thing: Thing) -> Value {
        if let Some(place) = self.graph.things.get_mut(number) {
            *place = thing;
        }
        Value::Thing(number)
    }

    /// Reads an object, or nothing.
    fn content(&mut self) -> Result<Value> {
        let tag = self.tag()?;
        self.content_of(tag)
    }

    fn content_of(&mut self, tag: u8) -> Result<Value> {
        if self.depth == DEPTH_MAX {
            return Err(ErrorKind::TooDeep { limit: DEPTH_MAX }.into());
        }
        self.depth += 1;
        let value = match tag {
            tag::NULL => Ok(Value::Null),
            tag::REFERENCE => self.reference().map(Value::Thing),
            tag::TEXT => {
                let length = self.take().map(u16::from_be_bytes)?;
                self.text(u64::from(length))
            }
            tag::LONG_TEXT => {
                let length = self.take().map(u64::from_be_bytes)?;
                self.text(length)
            }
            tag::OBJECT => self.object(),
            tag::ARRAY => self.array(),
            tag::ENUM => self.constant(),
            other => Err(Error::metadata(format!("byte {other:#04x} in the footer begins no Java object"))),
        };
        self.depth -= 1;
        value
    }

    /// The number of a thing that has been before.
    fn reference(&mut self) -> Result<usize> {
        let handle = self.take().map(u32::from_be_bytes)?;
        let number = handle.checked_sub(FIRST_HANDLE).map(|number| number as usize);
        let number = number.filter(|number| *number < self.graph.things.len());
        number.ok_or_else(|| Error::metadata(format!("no Java object has the handle {handle:#x}")))
    }

    fn text(&mut self, length: u64) -> Result<Value> {
        let number = self.open()?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let bytes = self.bytes.take(length).map_err(|bad| bad.of("a string of the footer"))?;
        self.held.take::<Arc<str>>(bytes.len())?;
        let text = from_modified(bytes)?;
        Ok(self.close(number, Thing::Text(text.into())))
    }

    fn object(&mut self) -> Result<Value> {
        let class = self.class()?;
        let number = self.open()?;
        let mut object = Object { class, fields: Vec::new(), more: Vec::new() };
        // The farthest class first.
        let parents = self.graph.class(class).map(|class| class.parents.clone()).unwrap_or_default();
        for class in parents.into_iter().rev().chain([class]) {
            self.part(class, &mut object)?;
        }
        Ok(self.close(number, Thing::Object(object)))
    }

    /// What one class says of an object.
    fn part(&mut self, class: usize, object: &mut Object) -> Result<()> {
        let (flags, kinds) = match self.graph.class(class) {
            Some(class) => (class.flags, class.fields.iter().map(|field| field.kind).collect::<Vec<_>>()),
            None => return Err(no_class()),
        };
        if flags & flag::FIELDS == 0 {
            return Err(Error::metadata("a Java object of the footer writes itself in a way of its own"));
        }
        for kind in kinds {
            let value = self.value(kind)?;
            object.fields.push(value);
        }
        if flags & flag::WRITES != 0 { self.annotation(&mut object.more) } else { Ok(()) }
    }

    /// What a class writes of its own, up to an end.
    fn annotation(&mut self, more: &mut Vec<Value>) -> Result<()> {
        loop {
            let block = match self.tag()? {
                tag::END => return Ok(()),
                tag::BLOCK => usize::from(self.tag()?),
                tag::LONG_BLOCK => self.take().map(u32::from_be_bytes)? as usize,
                other => {
                    self.held.take::<Value>(0)?;
                    more.push(self.content_of(other)?);
                    0
                }
            };
            self.bytes.take(block).map_err(|bad| bad.of("the Java object of the footer"))?;
        }
    }

    /// The value of a field or item of a type.
    fn value(&mut self, kind: u8) -> Result<Value> {
        self.held.take::<Value>(0)?;
        let number = match kind {
            b'B' => self.take().map(i8::from_be_bytes)?.into(),
            b'Z' => self.take::<1>()?[0].into(),
            b'C' => self.take().map(u16::from_be_bytes)?.into(),
            b'S' => self.take().map(i16::from_be_bytes)?.into(),
            b'I' | b'F' => self.take().map(i32::from_be_bytes)?.into(),
            b'J' | b'D' => self.take().map(i64::from_be_bytes)?,
            b'L' | b'[' => return self.content(),
            other => return Err(Error::metadata(format!("Java has no type {:?}", char::from(other)))),
        };
        Ok(Value::Number(number))
    }

    fn array(&mut self) -> Result<Value> {
        let class = self.class()?;
        let number = self.open()?;
        let kind = self.graph.class(class).and_then(|class| class.name.as_bytes().get(1).copied());
        let kind = kind.ok_or_else(no_class)?;
        let count = self.take().map(i32::from_be_bytes)?;
        let items = (0..count).map(|_| self.value(kind)).collect::<Result<_>>()?;
        Ok(self.close(number, Thing::Array(items)))
    }

    fn constant(&mut self) -> Result<Value> {
        self.class()?;
        let number = self.open()?;
        let name = self.content()?;
        Ok(self.close(number, Thing::Constant(name)))
    }

    /// The number of a class, which is described here or has been before.
    fn class(&mut self) -> Result<usize> {
        match self.tag()? {
            tag::CLASS => self.described_class(0),
            tag::REFERENCE => self.known_class(),
            _ => Err(no_class()),
        }
    }

    fn known_class(&mut self) -> Result<usize> {
        let number = self.reference()?;
        // A class that is being described cannot be named yet, so no class extends itself.
        self.graph.class(number).map(|_| number).ok_or_else(no_class)
    }

    fn described_class(&mut self, below: usize) -> Result<usize> {
        if below == PARENTS_MAX {
            return Err(ErrorKind::TooDeep { limit: PARENTS_MAX }.into());
        }
        let name = self.utf()?;
        self.take::<8>()?;
        let number = self.open()?;
        let flags = self.tag()?;
        let count = self.take().map(u16::from_be_bytes)?;
        let fields = (0..count).map(|_| self.described_field()).collect::<Result<_>>()?;
        self.annotation(&mut Vec::new())?;
        let parent = match self.tag()? {
            tag::NULL => None,
            tag::CLASS => Some(self.described_class(below + 1)?),
            tag::REFERENCE => Some(self.known_class()?),
            _ => return Err(no_class()),
        };
        let grand = parent.and_then(|parent| self.graph.class(parent));
        let grand = grand.map(|class| class.parents.clone()).unwrap_or_default();
        let parents: Vec<usize> = parent.into_iter().chain(grand).collect();
        if parents.len() > PARENTS_MAX {
            return Err(ErrorKind::TooDeep { limit: PARENTS_MAX }.into());
        }
        self.close(number, Thing::Class(Class { name, flags, fields, parents }));
        Ok(number)
    }

    fn described_field(&mut self) -> Result<Field> {
        self.held.take::<Field>(0)?;
        let kind = self.tag()?;
        let name = self.utf()?;
        if matches!(kind, b'L' | b'[') {
            self.content()?;
        }
        Ok(Field { kind, name })
    }
}

#[cold]
fn no_class() -> Error {
    Error::metadata("the footer lacks the class of a Java object")
}
