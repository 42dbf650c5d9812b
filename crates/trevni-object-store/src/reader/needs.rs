//! The columns that rows of a type are made of, as far as they are known before.
//!
//! The type says which fields it has ([`Shape::of`]). One that cannot say so, since it takes values of any kind, shows with its first row
//! which fields of the file it asks for; of these all columns are read. Where a later row asks for more, that is fetched then.

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

    /// Of the fields of a type, none yet if it does not say these.
    pub(super) fn of(all: Reader<'static>, wanted: trevni::Result<Shape>) -> Self {
        let Shape::Record(record) = all.shape() else { return Self::all(all) };
        let paths = match wanted {
            Ok(Shape::Record(wanted)) => {
                let mut paths = Vec::new();
                common(record, &wanted, &mut Vec::new(), &mut paths);
                paths
            }
            Ok(_) => return Self::all(all),
            Err(_) => Vec::new(),
        };
        let mut needs = Self { all, paths: Some(paths), reader: None };
        needs.project();
        needs
    }

    /// Whether no field is known.
    pub(super) fn is_empty(&self) -> bool {
        self.reader.is_none()
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
        let needs = Needs::of(reader(), Shape::of::<Part>());
        assert_eq!(needs.paths, Some(vec![vec!["lines".to_owned(), "count".to_owned()]]));
        let names: Vec<&str> =
            needs.columns().iter().map(|number| needs.all.columns()[*number].name()).collect();
        assert!(names.len() < 5 && !names.contains(&"id") && !names.contains(&"last"), "{names:?}");
        assert_eq!(Needs::of(reader(), Shape::of::<u32>()).columns().len(), reader().columns().len());
    }

    #[test]
    fn others_show_them() {
        let mut needs = Needs::of(reader(), Shape::of::<serde_json::Value>());
        assert!(needs.is_empty() && needs.columns().is_empty());
        let last = needs.all.columns().last().unwrap().start();
        needs.add(&[last + 1..last + 2]);
        assert_eq!(needs.paths, Some(vec![vec!["last".to_owned()]]));
        needs.add(&[0..1]);
        assert_eq!(needs.paths, None);
    }
}
