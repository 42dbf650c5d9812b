//! The footer as Java objects, with the bytes that Java's own serialization gives.

use super::super::blocks::to_modified;
use super::super::{Chunk, Footer, RowGroup};
use super::classes::{ARRAY_LIST, COLUMN, Class, FILE, FOOTER, Field, Holds, ROW_GROUP, TEXTS, TYPE};
use super::{FIRST_HANDLE, MAGIC, tag};
use crate::error::{Error, Result};
use crate::schema::message::Primitive;
use std::collections::HashMap;
use std::sync::Arc;

/// The stream of one `RedelmMetaData`.
pub(in super::super) fn write(footer: &Footer) -> Result<Vec<u8>> {
    let mut writer = Writer { out: MAGIC.to_vec(), ..Writer::default() };
    writer.object(FOOTER)?;
    writer.list(&footer.groups, Writer::row_group)?;
    writer.object(FILE)?;
    match &footer.codec {
        Some(codec) => writer.text(codec)?,
        None => writer.out.push(tag::NULL),
    }
    writer.text(&footer.schema)?;
    Ok(writer.out)
}

/// Writes objects, each of them once: a reference is in its place after that.
#[derive(Default)]
struct Writer<'a> {
    out: Vec<u8>,
    /// Number of things that can be referred to.
    things: u32,
    classes: HashMap<&'static str, u32>,
    signatures: HashMap<&'static str, u32>,
    /// The names of the nodes of the schema, by their paths: two nodes of one name are two strings.
    names: HashMap<&'a [Arc<str>], u32>,
    constants: HashMap<&'static str, u32>,
}

impl<'a> Writer<'a> {
    /// Numbers what is being written.
    fn number(&mut self) -> Result<u32> {
        let number = self.things;
        let most = u32::MAX - FIRST_HANDLE;
        if number >= most {
            return Err(Error::too_large(
                "the number of Java objects of a footer",
                number.into(),
                most.into(),
            ));
        }
        self.things += 1;
        Ok(number)
    }

    fn reference(&mut self, number: u32) {
        self.out.push(tag::REFERENCE);
        self.out.extend_from_slice(&(FIRST_HANDLE + number).to_be_bytes());
    }

    fn int(&mut self, value: u32) {
        self.out.extend_from_slice(&value.to_be_bytes());
    }

    fn long(&mut self, value: u64) {
        self.out.extend_from_slice(&value.to_be_bytes());
    }

    /// A text after its length in two bytes; for names of classes and fields, which are short.
    fn utf(&mut self, text: &str) {
        self.out.extend_from_slice(&(text.len() as u16).to_be_bytes());
        self.out.extend_from_slice(text.as_bytes());
    }

    /// A text as an object.
    fn text(&mut self, text: &str) -> Result<()> {
        self.number()?;
        let bytes = to_modified(text);
        match u16::try_from(bytes.len()) {
            Ok(length) => {
                self.out.push(tag::TEXT);
                self.out.extend_from_slice(&length.to_be_bytes());
            }
            Err(_) => {
                self.out.push(tag::LONG_TEXT);
                self.long(bytes.len() as u64);
            }
        }
        self.out.extend_from_slice(&bytes);
        Ok(())
    }

    fn class(&mut self, class: &'static Class) -> Result<()> {
        if let Some(number) = self.classes.get(class.name) {
            self.reference(*number);
            return Ok(());
        }
        self.out.push(tag::CLASS);
        self.utf(class.name);
        self.long(class.serial);
        let number = self.number()?;
        self.classes.insert(class.name, number);
        self.out.push(class.flags);
        self.out.extend_from_slice(&(class.fields.len() as u16).to_be_bytes());
        class.fields.iter().try_for_each(|field| self.field(field))?;
        self.out.push(tag::END);
        match class.parent {
            Some(parent) => self.class(parent),
            None => {
                self.out.push(tag::NULL);
                Ok(())
            }
        }
    }

    fn field(&mut self, Field(name, holds): &Field) -> Result<()> {
        let (kind, signature) = match holds {
            Holds::Int => (b'I', None),
            Holds::Long => (b'J', None),
            Holds::Object(signature) if signature.starts_with('[') => (b'[', Some(*signature)),
            Holds::Object(signature) => (b'L', Some(*signature)),
        };
        self.out.push(kind);
        self.utf(name);
        match signature.map(|signature| (signature, self.signatures.get(signature).copied())) {
            None => {}
            Some((_, Some(number))) => self.reference(number),
            Some((signature, None)) => {
                self.signatures.insert(signature, self.things);
                self.text(signature)?;
            }
        }
        Ok(())
    }

    /// Begins an object; its fields come next.
    fn object(&mut self, class: &'static Class) -> Result<()> {
        self.out.push(tag::OBJECT);
        self.class(class)?;
        self.number().map(drop)
    }

    fn list<T>(&mut self, items: &'a [T], item: impl Fn(&mut Self, &'a T) -> Result<()>) -> Result<()> {
        let most = i32::MAX as u64;
        let size = u32::try_from(items.len()).ok().filter(|size| u64::from(*size) <= most);
        let size = size.ok_or_else(|| Error::too_large("a list in a footer", items.len() as u64, most))?;
        self.object(ARRAY_LIST)?;
        self.int(size);
        // The room of the list, which no one reads.
        self.out.extend([tag::BLOCK, 4]);
        self.int(size);
        items.iter().try_for_each(|one| item(self, one))?;
        self.out.push(tag::END);
        Ok(())
    }

    fn row_group(&mut self, group: &'a RowGroup) -> Result<()> {
        self.object(ROW_GROUP)?;
        self.long(group.end);
        self.int(group.rows);
        self.long(group.start);
        self.list(&group.chunks, Self::chunk)
    }

    fn chunk(&mut self, chunk: &'a Chunk) -> Result<()> {
        self.object(COLUMN)?;
        let [repetition, definition, data, end] = chunk.borders;
        let [repetition_length, definition_length, data_length] = chunk.uncompressed;
        for number in [end, data, data_length, definition, definition_length, repetition, repetition_length] {
            self.long(number);
        }
        self.int(chunk.entries);
        self.path(&chunk.path)?;
        self.constant(chunk.primitive)
    }

    fn path(&mut self, path: &'a [Arc<str>]) -> Result<()> {
        self.out.push(tag::ARRAY);
        self.class(TEXTS)?;
        self.number()?;
        self.int(path.len() as u32);
        for (depth, name) in path.iter().enumerate() {
            let node = &path[..=depth];
            match self.names.get(node).copied() {
                Some(number) => self.reference(number),
                None => {
                    self.names.insert(node, self.things);
                    self.text(name)?;
                }
            }
        }
        Ok(())
    }

    fn constant(&mut self, primitive: Primitive) -> Result<()> {
        let name = primitive.footer_name();
        if let Some(number) = self.constants.get(name) {
            self.reference(*number);
            return Ok(());
        }
        self.out.push(tag::ENUM);
        self.class(TYPE)?;
        let number = self.number()?;
        self.constants.insert(name, number);
        self.text(name)
    }
}
