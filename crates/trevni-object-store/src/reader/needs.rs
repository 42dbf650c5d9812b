//! The columns that rows of a type are made of, as far as they are known before.
//!
//! A derived struct says its fields, by name, before it gets a value. So a type is asked without any: down to each struct within it that
//! the file has a record for. Of fields that are no structs, all columns are read, and if a row needs more, it is fetched then.

use serde::de::value::{BorrowedStrDeserializer, Error as NoValue};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use std::ops::Range;
use trevni::shape::RecordShape;
use trevni::{Reader, Shape};

/// The columns that rows need, as a reader of their fields.
pub(super) struct Needs {
    /// Of all fields.
    all: Reader<'static>,
    /// The fields by their paths; `None` for all of them.
    paths: Option<Vec<Vec<String>>>,
    /// A reader of these; `None` where no field is known.
    reader: Option<Reader<'static>>,
    /// How often fields were added.
    additions: u32,
}

impl Needs {
    /// Of all fields.
    pub(super) fn all(all: Reader<'static>) -> Self {
        Self { paths: None, reader: Some(all.clone()), all, additions: 0 }
    }

    /// Of the fields of a type.
    pub(super) fn of<T: DeserializeOwned>(all: Reader<'static>) -> Self {
        let Shape::Record(record) = all.shape() else { return Self::all(all) };
        let mut paths = Vec::new();
        if !common::<T>(record, &mut Vec::new(), &mut paths) {
            return Self::all(all);
        }
        let mut needs = Self { all, paths: Some(paths), reader: None, additions: 0 };
        needs.project();
        needs
    }

    pub(super) fn reader(&self) -> Option<&Reader<'static>> {
        self.reader.as_ref()
    }

    /// The numbers of the columns.
    pub(super) fn columns(&self) -> Vec<usize> {
        self.reader().map(Reader::columns_read).unwrap_or_default()
    }

    pub(super) fn additions(&self) -> u32 {
        self.additions
    }

    /// Adds the fields that some bytes are of.
    pub(super) fn add(&mut self, missed: &[Range<u64>]) {
        self.additions += 1;
        let (Some(paths), Shape::Record(record)) = (&mut self.paths, self.all.shape()) else { return };
        let mut starts: Vec<(u64, usize)> = (0..self.all.columns().len())
            .filter_map(|column| Some((self.all.table_start(column)?, column)))
            .collect();
        starts.sort_unstable();
        let column = |range: &Range<u64>| {
            let after = starts.partition_point(|(start, _)| *start <= range.start);
            starts.get(after.checked_sub(1)?).map(|(_, column)| *column)
        };
        let Some(columns) = missed.iter().map(column).collect::<Option<Vec<usize>>>() else {
            return self.add_all();
        };
        let before = paths.len();
        for field in &record.fields {
            let path = vec![field.name.to_string()];
            let Ok(part) = self.all.project_paths([&path]) else { return self.add_all() };
            let own = part.columns_read();
            if columns.iter().any(|column| own.binary_search(column).is_ok()) && !paths.contains(&path) {
                paths.push(path);
            }
        }
        // Bytes of the predicate, or of no column.
        if paths.len() == before {
            return self.add_all();
        }
        self.project();
    }

    /// Adds all fields.
    pub(super) fn add_all(&mut self) {
        self.additions += 1;
        (self.paths, self.reader) = (None, Some(self.all.clone()));
    }

    fn project(&mut self) {
        let Some(paths) = self.paths.as_ref().filter(|paths| !paths.is_empty()) else { return };
        match self.all.project_paths(paths) {
            Ok(reader) => self.reader = Some(reader),
            Err(_) => self.add_all(),
        }
    }
}

/// The paths of the fields that a record of the file and a struct within a type have; false if there is no struct.
fn common<T: DeserializeOwned>(
    record: &RecordShape,
    above: &mut Vec<&'static str>,
    paths: &mut Vec<Vec<String>>,
) -> bool {
    let mut names: Option<&[&str]> = None;
    // It always fails: there is no value.
    let _ = T::deserialize(Asked { above, names: &mut names });
    let Some(names) = names else { return false };
    for name in names {
        let Some(field) = record.fields.iter().find(|field| field.name == *name) else { continue };
        above.push(name);
        let is_record = match items(&field.shape) {
            Shape::Record(record) => common::<T>(record, above, paths),
            _ => false,
        };
        if !is_record {
            paths.push(above.iter().map(|name| (*name).to_owned()).collect());
        }
        above.pop();
    }
    true
}

/// Has no value: leads to a field, and keeps the names that a struct there says.
struct Asked<'n> {
    above: &'n [&'static str],
    names: &'n mut Option<&'static [&'static str]>,
}

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = NoValue;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        Err(NoValue::custom("there is no value"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NoValue> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, NoValue> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NoValue> {
        visitor.visit_seq(Inside(Some(self)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NoValue> {
        if !self.above.is_empty() {
            return visitor.visit_map(Inside(Some(self)));
        }
        *self.names = Some(fields);
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct tuple tuple_struct map enum identifier ignored_any
    }
}

/// The one item of a list, or field of a struct, that leads on.
struct Inside<'n>(Option<Asked<'n>>);

impl Inside<'_> {
    fn value<'de, S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, NoValue> {
        let asked = self.0.take().ok_or_else(|| NoValue::custom("there is one value"))?;
        seed.deserialize(asked)
    }
}

impl<'de> SeqAccess<'de> for Inside<'_> {
    type Error = NoValue;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, NoValue> {
        self.value(seed).map(Some)
    }
}

impl<'de> MapAccess<'de> for Inside<'_> {
    type Error = NoValue;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, NoValue> {
        let Some(Asked { above: [name, rest @ ..], names }) = self.0.take() else { return Ok(None) };
        self.0 = Some(Asked { above: rest, names });
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, NoValue> {
        self.value(seed)
    }
}

/// What is in lists and optionals, which have no names.
fn items(mut shape: &Shape) -> &Shape {
    loop {
        shape = match shape {
            Shape::List(item) => item,
            Shape::Optional(optional) => &optional.item,
            shape => return shape,
        };
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init, reason = "lists of ranges")]

    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Serialize)]
    struct Row {
        id: u32,
        lines: Vec<Option<Line>>,
        last: f32,
    }

    #[derive(Serialize)]
    struct Line {
        word: &'static str,
        count: u8,
    }

    fn reader() -> Reader<'static> {
        let line = Some(Line { word: "a", count: 1 });
        let bytes = trevni::to_vec([Row { id: 1, lines: vec![None, line], last: 0.0 }]).unwrap();
        Reader::new(bytes).unwrap()
    }

    fn paths<T: DeserializeOwned>() -> Option<Vec<String>> {
        let paths = Needs::of::<T>(reader()).paths?;
        Some(paths.iter().map(|path| path.join(".")).collect())
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Part {
        lines: Vec<Option<Count>>,
        #[serde(default)]
        other: u8,
        #[serde(alias = "last", deserialize_with = "early")]
        end: f32,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Count {
        count: serde_json::Value,
    }

    /// No value is made up: this would panic.
    fn early<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        let number = f32::deserialize(deserializer)?;
        panic!("{number}");
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Around(Part);

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Recursive {
        lines: Box<[Recursive]>,
        word: Option<String>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Flat {
        id: u32,
        #[serde(flatten)]
        rest: std::collections::HashMap<String, serde_json::Value>,
    }

    #[test]
    fn types_say_their_fields() {
        let all = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(paths::<Part>(), all(&["lines.count", "last"]));
        assert_eq!(paths::<Around>(), all(&["lines.count", "last"]));
        assert_eq!(paths::<Recursive>(), all(&["lines.word"]));
        assert_eq!(paths::<Flat>(), None);
        assert_eq!(paths::<serde_json::Value>(), None);
        assert_eq!(paths::<(u32, f32)>(), None);
        let needs = Needs::of::<Part>(reader());
        let names: Vec<&str> =
            needs.columns().iter().map(|number| needs.all.columns()[*number].name()).collect();
        assert_eq!(names.iter().filter(|name| ["id", "last"].contains(name)).count(), 1, "{names:?}");
        assert_eq!(Needs::of::<u32>(reader()).columns().len(), reader().columns().len());
    }

    #[test]
    fn more_fields_are_added_by_their_bytes() {
        let mut needs = Needs::of::<Count>(reader());
        assert!(needs.reader().is_none() && needs.columns().is_empty());
        needs.add(&[needs.all.columns()[0].start()..u64::MAX]);
        assert_eq!(needs.paths, Some(vec![vec!["id".to_owned()]]));
        needs.add(&[0..1]);
        assert_eq!(needs.paths, None);
    }
}
