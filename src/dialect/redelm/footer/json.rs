//! Footers as JSON, with the names that the Java implementation gave to it.
//!
//! They are read without a value of their text in between, which takes many times as much memory.

use super::held::Held;
use super::{Chunk, Footer, RowGroup, count, small_count};
use crate::error::{Error, Result};
use crate::private::NUMBER;
use crate::schema::message::Primitive;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::json;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Reads a text; keys that are not known are not looked at.
pub(super) fn read(bytes: &[u8], held: &mut Held) -> Result<Footer> {
    let (mut reading, mut text) =
        (Reading { held, wrong: None }, serde_json::Deserializer::from_slice(bytes));
    let read = Object::<FooterRead>::of(&mut reading).deserialize(&mut text);
    match read.and_then(|footer| text.end().map(|()| footer)) {
        Ok(footer) => Ok(footer),
        Err(error) => Err(reading.wrong.unwrap_or_else(|| {
            let wrong = if error.is_data() { "has something else" } else { "is not JSON" };
            Error::metadata(format!("the footer {wrong}: {error}"))
        })),
    }
}

/// What all that is being read shares.
struct Reading<'h> {
    held: &'h mut Held,
    /// What is wrong with a footer that is JSON.
    wrong: Option<Error>,
}

impl Reading<'_> {
    /// Ends reading where something is wrong.
    fn check<T, E: serde::de::Error>(&mut self, result: Result<T>) -> Result<T, E> {
        result.map_err(|error| {
            self.wrong = Some(error);
            E::custom("")
        })
    }
}

/// An object that is being read, and what it becomes.
trait Part: Default {
    type Whole;

    /// Reads the value of a key.
    fn entry<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        entries: &mut A,
        reading: &mut Reading<'_>,
    ) -> Result<(), A::Error>;

    fn whole(self) -> Result<Self::Whole>;
}

#[derive(Default)]
struct FooterRead {
    file: Option<(String, Option<String>)>,
    groups: Option<Vec<RowGroup>>,
}

impl Part for FooterRead {
    type Whole = Footer;

    fn entry<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        entries: &mut A,
        reading: &mut Reading<'_>,
    ) -> Result<(), A::Error> {
        match key {
            "fileMetaData" => self.file = Some(entries.next_value_seed(Object::<FileRead>::of(reading))?),
            "blocks" => self.groups = Some(entries.next_value_seed(List(Object::<GroupRead>::of(reading)))?),
            _ => drop(entries.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }

    fn whole(self) -> Result<Footer> {
        let (schema, codec) = there(self.file, "fileMetaData")?;
        Ok(Footer { schema, codec, groups: there(self.groups, "blocks")? })
    }
}

#[derive(Default)]
struct FileRead {
    schema: Option<Scalar>,
    codec: Option<Scalar>,
}

impl Part for FileRead {
    type Whole = (String, Option<String>);

    fn entry<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        entries: &mut A,
        _: &mut Reading<'_>,
    ) -> Result<(), A::Error> {
        match key {
            "schema" => self.schema = Some(entries.next_value_seed(Scalar::Null)?),
            "codecClassName" => self.codec = Some(entries.next_value_seed(Scalar::Null)?),
            _ => drop(entries.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }

    fn whole(self) -> Result<Self::Whole> {
        let codec = match self.codec {
            None | Some(Scalar::Null) => None,
            Some(codec) => Some(codec.text("codecClassName")?),
        };
        Ok((there(self.schema, "schema")?.text("schema")?, codec))
    }
}

#[derive(Default)]
struct GroupRead {
    start: Option<Scalar>,
    end: Option<Scalar>,
    rows: Option<Scalar>,
    chunks: Option<Vec<Chunk>>,
}

impl Part for GroupRead {
    type Whole = RowGroup;

    fn entry<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        entries: &mut A,
        reading: &mut Reading<'_>,
    ) -> Result<(), A::Error> {
        let scalar = match key {
            "startIndex" => &mut self.start,
            "endIndex" => &mut self.end,
            "recordCount" => &mut self.rows,
            "columns" => {
                let held = reading.held.take::<RowGroup>(0);
                reading.check(held)?;
                self.chunks = Some(entries.next_value_seed(List(Object::<ChunkRead>::of(reading)))?);
                return Ok(());
            }
            _ => return entries.next_value::<IgnoredAny>().map(drop),
        };
        *scalar = Some(entries.next_value_seed(Scalar::Null)?);
        Ok(())
    }

    fn whole(self) -> Result<RowGroup> {
        Ok(RowGroup {
            start: position(self.start, "startIndex")?,
            end: position(self.end, "endIndex")?,
            rows: small_count("recordCount", there(self.rows, "recordCount")?.number("recordCount")?)?,
            chunks: there(self.chunks, "columns")?,
        })
    }
}

/// The keys of the borders of a chunk, and of its sizes before compression.
const BORDERS: [&str; 4] = ["repetitionStart", "definitionStart", "dataStart", "dataEnd"];
const SIZES: [&str; 3] =
    ["repetitionUncompressedLength", "definitionUncompressedLength", "dataUncompressedLength"];

#[derive(Default)]
struct ChunkRead {
    path: Option<Vec<Arc<str>>>,
    primitive: Option<Scalar>,
    entries: Option<Scalar>,
    borders: [Option<Scalar>; 4],
    sizes: [Option<Scalar>; 3],
}

impl Part for ChunkRead {
    type Whole = Chunk;

    fn entry<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        entries: &mut A,
        reading: &mut Reading<'_>,
    ) -> Result<(), A::Error> {
        let place = |keys: &[&str]| keys.iter().position(|known| *known == key);
        let scalar = match key {
            "path" => {
                let held = reading.held.take::<Chunk>(0);
                reading.check(held)?;
                self.path = Some(entries.next_value_seed(List(Name(reading)))?);
                return Ok(());
            }
            "type" => Some(&mut self.primitive),
            "valueCount" => Some(&mut self.entries),
            _ => place(&BORDERS)
                .and_then(|place| self.borders.get_mut(place))
                .or(place(&SIZES).and_then(|place| self.sizes.get_mut(place))),
        };
        match scalar {
            Some(scalar) => *scalar = Some(entries.next_value_seed(Scalar::Null)?),
            None => drop(entries.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }

    fn whole(self) -> Result<Chunk> {
        let [repetition, definition, data, end] = self.borders;
        Ok(Chunk {
            path: there(self.path, "path")?,
            primitive: Primitive::from_footer(&there(self.primitive, "type")?.text("type")?)?,
            entries: small_count("valueCount", there(self.entries, "valueCount")?.number("valueCount")?)?,
            borders: [
                position(repetition, "repetitionStart")?,
                position(definition, "definitionStart")?,
                position(data, "dataStart")?,
                position(end, "dataEnd")?,
            ],
            uncompressed: self.sizes.map(|size| match size {
                Some(Scalar::Number(size)) => u64::try_from(size).unwrap_or_default(),
                _ => 0,
            }),
        })
    }
}

fn there<T>(value: Option<T>, key: &'static str) -> Result<T> {
    value.ok_or_else(|| Error::metadata(format!("the footer lacks {key:?}")))
}

fn position(value: Option<Scalar>, key: &'static str) -> Result<u64> {
    count(key, there(value, key)?.number(key)?)
}

/// Reads an object.
struct Object<'r, 'h, P> {
    reading: &'r mut Reading<'h>,
    part: P,
}

impl<'r, 'h, P: Part> Object<'r, 'h, P> {
    fn of(reading: &'r mut Reading<'h>) -> Self {
        Self { reading, part: P::default() }
    }
}

impl<'de, P: Part> DeserializeSeed<'de> for Object<'_, '_, P> {
    type Value = P::Whole;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<P::Whole, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, P: Part> Visitor<'de> for Object<'_, '_, P> {
    type Value = P::Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<P::Whole, A::Error> {
        while let Some(key) = entries.next_key::<Cow<'_, str>>()? {
            self.part.entry(&key, &mut entries, self.reading)?;
        }
        let whole = self.part.whole();
        self.reading.check(whole)
    }
}

/// Reads a list of what a seed reads.
struct List<S>(S);

/// What reads one item of a list after the other.
trait Items<'de> {
    type Item;

    fn next<A: SeqAccess<'de>>(&mut self, items: &mut A) -> Result<Option<Self::Item>, A::Error>;
}

impl<'de, P: Part> Items<'de> for Object<'_, '_, P> {
    type Item = P::Whole;

    fn next<A: SeqAccess<'de>>(&mut self, items: &mut A) -> Result<Option<P::Whole>, A::Error> {
        items.next_element_seed(Object::<P>::of(self.reading))
    }
}

/// Reads the names of a path.
struct Name<'r, 'h>(&'r mut Reading<'h>);

impl<'de> Items<'de> for Name<'_, '_> {
    type Item = Arc<str>;

    fn next<A: SeqAccess<'de>>(&mut self, items: &mut A) -> Result<Option<Arc<str>>, A::Error> {
        let Some(name) = items.next_element::<Cow<'_, str>>()? else { return Ok(None) };
        // Beside the text, two counts of those who have it.
        let held = self.0.held.take::<Arc<str>>(2 * size_of::<usize>() + name.len());
        self.0.check(held)?;
        Ok(Some(Arc::from(name)))
    }
}

impl<'de, S: Items<'de>> DeserializeSeed<'de> for List<S> {
    type Value = Vec<S::Item>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<S::Item>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, S: Items<'de>> Visitor<'de> for List<S> {
    type Value = Vec<S::Item>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Vec<S::Item>, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = self.0.next(&mut items)? {
            all.push(item);
        }
        Ok(all)
    }
}

/// A value without others in it.
enum Scalar {
    Null,
    Number(i64),
    Text(String),
    Other,
}

impl Scalar {
    fn text(self, key: &'static str) -> Result<String> {
        match self {
            Self::Text(text) => Ok(text),
            _ => Err(Error::metadata(format!("{key:?} in the footer is not a text"))),
        }
    }

    fn number(self, key: &'static str) -> Result<i64> {
        match self {
            Self::Number(number) => Ok(number),
            _ => Err(Error::metadata(format!("{key:?} in the footer is not a whole number of 64 bits"))),
        }
    }
}

/// Reads any value.
impl<'de> DeserializeSeed<'de> for Scalar {
    type Value = Self;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scalar {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(Self::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(Self::Other)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self, E> {
        Ok(Self::Number(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self, E> {
        Ok(i64::try_from(number).map_or(Self::Other, Self::Number))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(Self::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Self, E> {
        Ok(Self::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
        while let Some(key) = entries.next_key::<Cow<'_, str>>()? {
            if key == NUMBER {
                // In a program where numbers have any digits.
                let digits = entries.next_value::<Cow<'_, str>>()?;
                return Ok(digits.parse().map_or(Self::Other, Self::Number));
            }
            entries.next_value::<IgnoredAny>()?;
        }
        Ok(Self::Other)
    }
}

/// The text, without spaces and line breaks.
pub(super) fn write(footer: &Footer) -> String {
    let head = json!({"schema": footer.schema, "codecClassName": footer.codec});
    let mut text = format!("{{\"fileMetaData\":{head},\"blocks\":[");
    for (number, group) in footer.groups.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        write_row_group(group, &mut text);
    }
    text.push_str("]}");
    text
}

fn write_row_group(group: &RowGroup, text: &mut String) {
    let RowGroup { start, end, rows, chunks } = group;
    text.push_str(&format!(
        "{{\"startIndex\":{start},\"endIndex\":{end},\"recordCount\":{rows},\"columns\":["
    ));
    for (number, chunk) in chunks.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        write_chunk(chunk, text);
    }
    text.push_str("]}");
}

fn write_chunk(chunk: &Chunk, text: &mut String) {
    let path: Vec<&str> = chunk.path.iter().map(|name| &**name).collect();
    let [repetition, definition, data, end] = chunk.borders;
    let [repetition_length, definition_length, data_length] = chunk.uncompressed;
    text.push_str(&format!(
        "{{\"repetitionStart\":{repetition},\"definitionStart\":{definition},\"dataStart\":{data},\"dataEnd\":{end},\
         \"path\":{},\"type\":\"{}\",\"valueCount\":{},\"repetitionUncompressedLength\":{repetition_length},\
         \"definitionUncompressedLength\":{definition_length},\"dataUncompressedLength\":{data_length}}}",
        json!(path),
        chunk.primitive.footer_name(),
        chunk.entries,
    ));
}
