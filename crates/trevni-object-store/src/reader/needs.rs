//! The columns that rows of a type are made of, as far as they are known before.
//!
//! The type says which fields it has ([`Shape::of`]). A struct with a field that takes values of any kind says at least their names;
//! other types get all columns. Where a row asks for more than its type has said, that is fetched then.

use serde::de::value::Error as NoValue;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use std::ops::Range;
use trevni::shape::RecordShape;
use trevni::{Reader, Shape};

/// The columns that rows need, as a reader of their fields.
pub(super) struct Needs {
    /// Of all fields.
    all: Reader<'static>,
    /// The fields by their paths; none for all of them.
    paths: Option<Vec<Vec<String>>>,
    /// A reader of these; none where no field is known.
    reader: Option<Reader<'static>>,
}

impl Needs {
    /// Of all fields.
    pub(super) fn all(all: Reader<'static>) -> Self {
        Self { paths: None, reader: Some(all.clone()), all }
    }

    /// Of the fields of a type.
    pub(super) fn of<T: DeserializeOwned>(all: Reader<'static>) -> Self {
        let Shape::Record(record) = all.shape() else { return Self::all(all) };
        let (mut paths, names) = (Vec::new(), names::<T>());
        match Shape::of::<T>() {
            Ok(Shape::Record(wanted)) => common(record, &wanted, &mut Vec::new(), &mut paths),
            Ok(_) => return Self::all(all),
            Err(_) if names.is_empty() => return Self::all(all),
            Err(_) => {}
        }
        // Other names of fields are among these, too.
        let is_new = |name: &str| !paths.iter().any(|path: &Vec<String>| path[0] == name);
        let names: Vec<&str> = names.iter().copied().filter(|name| is_new(name)).collect();
        let others = names.into_iter().filter(|name| record.fields.iter().any(|field| field.name == *name));
        paths.extend(others.map(|name| vec![name.to_owned()]).collect::<Vec<_>>());
        let mut needs = Self { all, paths: Some(paths), reader: None };
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

    /// Adds the fields that some bytes are of.
    pub(super) fn add(&mut self, missed: &[Range<u64>]) {
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

    fn add_all(&mut self) {
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

/// The names of the fields that a struct asks for, with their aliases; none of other types.
fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &[&str] = &[];
    let _ = T::deserialize(Asked(&mut names));
    names
}

/// Has no value, and keeps what a struct says of itself.
struct Asked<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = NoValue;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        Err(NoValue::custom("there is no value"))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, NoValue> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NoValue> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The paths of the fields that both records have.
fn common(file: &RecordShape, wanted: &RecordShape, above: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    for field in &wanted.fields {
        let Some(own) = file.fields.iter().find(|own| own.name == field.name) else { continue };
        above.push(field.name.to_string());
        match (items(&own.shape), items(&field.shape)) {
            (Shape::Record(file), Shape::Record(wanted)) => common(file, wanted, above, paths),
            _ => paths.push(above.clone()),
        }
        above.pop();
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

    #[test]
    fn types_say_their_fields() {
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct Part {
            lines: Vec<Option<Count>>,
            #[serde(default)]
            other: u8,
        }
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct Count {
            count: u8,
        }
        let needs = Needs::of::<Part>(reader());
        assert_eq!(needs.paths, Some(vec![vec!["lines".to_owned(), "count".to_owned()]]));
        let names: Vec<&str> =
            needs.columns().iter().map(|number| needs.all.columns()[*number].name()).collect();
        assert!(names.len() < 5 && !names.contains(&"id") && !names.contains(&"last"), "{names:?}");
        assert_eq!(Needs::of::<u32>(reader()).columns().len(), reader().columns().len());
    }

    #[test]
    fn structs_with_any_values_say_names() {
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct Part {
            lines: serde_json::Value,
            #[serde(alias = "last")]
            end: f32,
        }
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct Around(Part);
        let paths = |names: [&str; 2]| Some(names.map(|name| vec![name.to_owned()]).to_vec());
        assert_eq!(Needs::of::<Part>(reader()).paths, paths(["lines", "last"]));
        let mut needs = Needs::of::<Around>(reader());
        assert_eq!(needs.paths, paths(["lines", "last"]));
        needs.add(&[needs.all.columns()[0].start()..u64::MAX]);
        assert_eq!(needs.paths.as_ref().map(Vec::len), Some(3));
        needs.add(&[0..1]);
        assert_eq!(needs.paths, None);
        assert_eq!(Needs::of::<serde_json::Value>(reader()).paths, None);
    }
}
