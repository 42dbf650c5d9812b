//! Text columns whose values are all canonical strings of one logical type, which are stored as that type.
//!
//! Rows keep their strings until they are encoded. A column that has had a type becomes text again with the first batch that has
//! another text; the encoder writes its earlier values again then, as with all growth.

use crate::error::{Error, Result};
use crate::logical::{LogicalDetector, Pushed, Texts};
use crate::path::push_name;
use crate::shape::{Logical, LogicalShape, Shape};
use crate::vector::Vector;
use std::borrow::Cow;
use std::collections::HashMap;

/// The text columns, and what their values are.
#[derive(Default)]
pub(crate) struct Detection {
    /// By path. A column that is not there has not had a batch.
    columns: HashMap<String, Column>,
    /// The shape of the rows of the last batch, and how they are stored.
    last: Option<(Shape, Shape)>,
}

/// A text column.
enum Column {
    Text,
    /// Stored as the type, which all strings so far have.
    Logical(LogicalDetector, LogicalShape),
}

/// The strings of the columns that a batch has as other values.
#[must_use]
pub(crate) struct Kept(Vec<Vector>);

/// The columns whose types a batch has changed.
#[derive(Default)]
struct Changes {
    /// Those that had no batch before.
    new: Vec<String>,
    /// Those that had another type.
    old: Vec<(String, Logical)>,
}

impl Changes {
    fn any(&self) -> bool {
        !self.new.is_empty() || !self.old.is_empty()
    }
}

impl Column {
    fn from_detector(detector: LogicalDetector) -> Self {
        match detector.shape() {
            Some(logical) => Self::Logical(detector, logical),
            None => Self::Text,
        }
    }

    fn logical(&self) -> Option<&LogicalShape> {
        match self {
            Self::Text => None,
            Self::Logical(_, logical) => Some(logical),
        }
    }
}

impl Detection {
    /// For a writer, if it is to detect.
    pub(crate) fn new(is_wanted: bool) -> Option<Box<Self>> {
        is_wanted.then(Box::default)
    }

    /// How rows of a shape are stored, by what is known so far.
    pub(crate) fn stored<'s>(&'s self, shape: &'s Shape) -> Cow<'s, Shape> {
        match &self.last {
            Some((rows, stored)) if rows == shape => Cow::Borrowed(stored),
            Some(_) => Cow::Owned(self.stored_anew(shape)),
            None => Cow::Borrowed(shape),
        }
    }

    /// Keeps the columns as strings that have had no batch: rows of batches before may have come there since.
    #[cold]
    pub(crate) fn keep_strings(&mut self, shape: &Shape) {
        texts(shape, &mut Vector::new(shape), &mut String::new(), &mut |path, _| {
            self.columns.entry(path.to_owned()).or_insert(Column::Text);
        });
        self.last = Some((shape.clone(), self.stored_anew(shape)));
    }

    /// Converts the strings of a batch to their stored type, and returns them. New types that `check` refuses are not stored.
    ///
    /// # Errors
    ///
    /// Strings that do not have the type of those before, which the file cannot change any more.
    pub(crate) fn store(
        &mut self,
        shape: &Shape,
        vector: &mut Vector,
        check: impl Fn(&Shape) -> Result<()>,
    ) -> Result<Kept> {
        let mut changes = Changes::default();
        texts(shape, vector, &mut String::new(), &mut |path, vector| self.look(path, vector, &mut changes));
        let is_known = self.last.as_ref().is_some_and(|(rows, _)| rows == shape);
        if !is_known || changes.any() {
            let mut stored = self.stored_anew(shape);
            if changes.any() && check(&stored).is_err() {
                if let Some((path, logical)) = changes.old.pop() {
                    return Err(cannot_change(&path, &logical));
                }
                self.columns.extend(changes.new.into_iter().map(|path| (path, Column::Text)));
                stored = self.stored_anew(shape);
            }
            self.last = Some((shape.clone(), stored));
        }
        let (mut kept, mut all) = (Vec::new(), true);
        texts(shape, vector, &mut String::new(), &mut |path, vector| {
            if let Some(logical) = self.columns.get(path).and_then(Column::logical) {
                let values = values(logical, vector);
                all &= values.is_some();
                kept.push(std::mem::replace(vector, values.unwrap_or(Vector::Null(0))));
            }
        });
        let kept = Kept(kept);
        if !all {
            self.give_back(shape, vector, kept);
            return Err(Error::internal("a string does not fit the type of its column"));
        }
        Ok(kept)
    }

    /// Puts the strings of a batch back.
    pub(crate) fn give_back(&self, shape: &Shape, vector: &mut Vector, kept: Kept) {
        let mut kept = kept.0.into_iter();
        texts(shape, vector, &mut String::new(), &mut |path, vector| {
            if self.columns.get(path).and_then(Column::logical).is_some() {
                kept.next().into_iter().for_each(|texts| *vector = texts);
            }
        });
    }

    /// Takes the strings of a column into account.
    fn look(&mut self, path: &str, vector: &Vector, changes: &mut Changes) {
        let Vector::String(texts) = vector else { return };
        match self.columns.get_mut(path) {
            None => {
                let mut detector = LogicalDetector::new();
                texts.iter().all(|text| detector.push(text));
                let column = Column::from_detector(detector);
                if column.logical().is_some() {
                    changes.new.push(path.to_owned());
                }
                self.columns.insert(path.to_owned(), column);
            }
            Some(Column::Text) => {}
            Some(column @ Column::Logical(..)) => {
                let Column::Logical(detector, before) = &mut *column else { return };
                texts.iter().all(|text| detector.push(text));
                if detector.shape().as_ref() != Some(before) {
                    changes.old.push((path.to_owned(), before.logical.clone()));
                    *column = Column::from_detector(std::mem::take(detector));
                }
            }
        }
    }

    /// How rows of a shape are stored.
    fn stored_anew(&self, shape: &Shape) -> Shape {
        let mut stored = shape.clone();
        self.store_shape(&mut stored, &mut String::new());
        stored
    }

    /// Makes the text columns that have a type that type. Branches of unions and keys stay what they are.
    fn store_shape(&self, shape: &mut Shape, path: &mut String) {
        match shape {
            Shape::Record(record) => {
                for field in &mut record.fields {
                    let length = path.len();
                    push_name(path, &field.name);
                    self.store_shape(&mut field.shape, path);
                    path.truncate(length);
                }
            }
            Shape::List(item) => self.store_shape(item, path),
            Shape::Optional(optional) => self.store_shape(&mut optional.item, path),
            Shape::Map(map) => {
                let length = path.len();
                push_name(path, VALUE);
                self.store_shape(&mut map.value, path);
                path.truncate(length);
            }
            Shape::String => {
                if let Some(logical) = self.columns.get(path.as_str()).and_then(Column::logical) {
                    *shape = Shape::Logical(Box::new(logical.clone()));
                }
            }
            _ => {}
        }
    }
}

/// The name of the values of a map in a path.
const VALUE: &str = "value";

/// Calls with the strings at each path where a type can be detected: not with those of unions, nor with keys.
fn texts(shape: &Shape, vector: &mut Vector, path: &mut String, call: &mut dyn FnMut(&str, &mut Vector)) {
    let length = path.len();
    match (shape, vector) {
        (Shape::Record(record), Vector::Record(vector)) => {
            for (field, vector) in record.fields.iter().zip(&mut vector.fields) {
                push_name(path, &field.name);
                texts(&field.shape, vector, path, call);
                path.truncate(length);
            }
        }
        (Shape::List(item), Vector::List(list)) => texts(item, &mut list.item, path, call),
        (Shape::Optional(optional), Vector::Optional(list)) => {
            texts(&optional.item, &mut list.item, path, call);
        }
        (Shape::Map(map), Vector::Map(vector)) => {
            push_name(path, VALUE);
            texts(&map.value, &mut vector.value, path, call);
            path.truncate(length);
        }
        (Shape::String, vector) => call(path, vector),
        _ => {}
    }
}

/// Strings as values of the type that they all have.
fn values(logical: &LogicalShape, vector: &Vector) -> Option<Vector> {
    let Vector::String(strings) = vector else { return None };
    let (texts, mut values) = (Texts::from_shape(logical)?, Vector::new(&logical.storage));
    strings.iter().all(|text| texts.push(text, &mut values) == Pushed::Yes).then_some(values)
}

#[cold]
fn cannot_change(path: &str, logical: &Logical) -> Error {
    Error::option(format!(
        "the strings at {path:?} are not all {logical}, as those before them, which have been written in a row group: do not \
         detect logical types (see WriterBuilder::detect_logical), or have larger row groups"
    ))
}
