//! What becomes of the values at each path: a shape, and how the values of a text fit it.

pub(crate) mod cells;
pub(crate) mod compare;
mod context;
mod exact;
mod keep;
mod objects;
mod shape;
mod stream;
mod values;
mod words;

pub(crate) use context::{Context, Problem};
pub(crate) use stream::Row;

use crate::numbers::Integer;
use std::collections::HashMap;

/// What becomes of the values at one path. Several kinds of values are a union.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The field may be missing.
    pub(crate) absent: bool,
    pub(crate) null: bool,
    /// Values are kept as text.
    pub(crate) raw: Option<Raw>,
    /// The type was given, so that values are made to fit it; not found in the values.
    pub(crate) given: bool,
    /// The kinds of values, in the order of a union's variants.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) integer: Option<Integer>,
    pub(crate) float: Option<Float>,
    pub(crate) list: Option<Box<Plan>>,
    pub(crate) object: Option<Object>,
    pub(crate) takes: values::Takes,
    /// Of a schema that was given, what is more than all this: the writer decides.
    pub(crate) other: Option<Box<trevni::Shape>>,
}

/// Kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Boolean,
    Integer,
    Float,
    Text,
    List,
    Object,
}

/// How values are kept as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Raw {
    /// As JSON: texts have quotes.
    Json,
    /// Texts as they are, other values as JSON.
    String,
}

/// How floats are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Float {
    /// 32 bits.
    pub(crate) single: bool,
    /// Integers that no float is equal to are rounded.
    pub(crate) rounds: bool,
}

/// What becomes of objects.
#[derive(Clone, Debug)]
pub(crate) enum Object {
    Record(Record),
    Map(Box<Plan>),
}

/// A record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) fields: Vec<Field>,
    places: HashMap<&'static str, usize>,
    /// Number of fields that each object has.
    required: usize,
    /// Name and namespace, of a schema that was given.
    pub(crate) named: Option<Box<(trevni::Name, trevni::Name)>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) plan: Plan,
    /// Whether it is written.
    pub(crate) kept: bool,
}

impl Plan {
    /// Whether there is no value but null.
    pub(crate) fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.raw.is_none() && self.other.is_none()
    }

    #[inline]
    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Makes ready for writing, when nothing is changed any more.
    pub(crate) fn ready(&mut self) {
        self.takes = self.taken();
        if let Some(item) = &mut self.list {
            item.ready();
        }
        match &mut self.object {
            Some(Object::Map(value)) => value.ready(),
            Some(Object::Record(record)) => {
                record.fields.iter_mut().for_each(|field| field.plan.ready());
                record.required = record.fields.iter().filter(|field| field.is_required()).count();
            }
            None => {}
        }
    }

    /// The record of a row.
    pub(crate) fn record(&self) -> Option<&Record> {
        match &self.object {
            Some(Object::Record(record)) => Some(record),
            _ => None,
        }
    }
}

impl Record {
    pub(crate) fn add(&mut self, name: &str, plan: Plan) {
        // serde wants names of fields that live on; there is one for each path.
        let name: &'static str = String::leak(name.to_owned());
        self.places.insert(name, self.fields.len());
        self.fields.push(Field { name, plan, kept: true });
    }

    /// The place of a field, which is likely the one given.
    #[inline]
    pub(crate) fn find(&self, likely: usize, name: &str) -> Option<usize> {
        match self.fields.get(likely) {
            Some(field) if field.name == name => Some(likely),
            _ => self.places.get(name).copied(),
        }
    }
}
