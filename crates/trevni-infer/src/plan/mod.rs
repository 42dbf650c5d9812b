//! What becomes of the values at each path: a shape, and how the values of a text fit it.

pub mod cells;
pub mod compare;
mod context;
mod exact;
mod keep;
mod keys;
mod logical;
mod part;
mod row;
mod shape;
mod stream;
mod values;
mod words;

pub use context::{Context, Problem};
pub use logical::{Counted, LogicalKind};
pub(crate) use part::{Part, shown};
pub use row::Row;

use crate::numbers::Integer;
use std::collections::HashMap;

/// What becomes of the values at one path.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The field may be missing.
    pub(crate) absent: bool,
    pub(crate) null: bool,
    /// The type was given, so that values are made to fit it; not found in the values.
    pub(crate) given: bool,
    /// The logical type of a schema that was given.
    pub(crate) meaning: Option<Box<trevni::shape::Logical>>,
    pub(crate) values: ValueKinds,
}

/// What becomes of values that are not null.
#[derive(Clone, Debug)]
pub(crate) enum ValueKinds {
    /// There are no values.
    None,
    /// They are kept as text.
    Raw(Raw),
    /// They are of one kind.
    One(Kind),
    /// They are of several kinds, in the order of a union's variants.
    Union(Vec<Kind>),
    /// Of a schema that was given, what is more than all this: the writer decides. The kinds are the variants
    /// before the one that is more.
    Other(Box<trevni::Shape>, Vec<Kind>),
}

/// A kind of values, and how they are kept.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Boolean,
    Integer(Integer),
    Float(Float),
    Text,
    /// The only kind where it is.
    Logical(Box<LogicalKind>),
    List(Box<Plan>),
    Object(Object),
}

/// How values are kept as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Raw {
    /// As JSON: strings have quotes.
    Json,
    /// Strings as they are, other values as JSON.
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
pub struct Record {
    /// In their order.
    pub fields: Vec<Field>,
    places: HashMap<&'static str, usize>,
    /// Number of fields that each object has.
    required: usize,
    /// Name and namespace, of a schema that was given.
    pub(crate) named: Option<Box<(trevni::shape::Name, trevni::shape::Name)>>,
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What becomes of its values.
    pub plan: Plan,
    /// Whether it is written.
    pub kept: bool,
}

impl Plan {
    /// For values that have been found.
    pub(crate) fn new(null: bool, values: ValueKinds) -> Self {
        Self { absent: false, null, given: false, meaning: None, values }
    }

    /// Whether there is no value but null.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.values, ValueKinds::None)
    }

    /// The kinds of values.
    #[inline]
    pub(crate) fn kinds(&self) -> &[Kind] {
        match &self.values {
            ValueKinds::None | ValueKinds::Raw(_) => &[],
            ValueKinds::One(kind) => std::slice::from_ref(kind),
            ValueKinds::Union(kinds) | ValueKinds::Other(_, kinds) => kinds,
        }
    }

    fn kinds_mut(&mut self) -> &mut [Kind] {
        match &mut self.values {
            ValueKinds::None | ValueKinds::Raw(_) => &mut [],
            ValueKinds::One(kind) => std::slice::from_mut(kind),
            ValueKinds::Union(kinds) | ValueKinds::Other(_, kinds) => kinds,
        }
    }

    /// What is found of a kind; of a schema that has it twice, of the last.
    #[inline]
    fn find<'p, T>(&'p self, mut of: impl FnMut(&'p Kind) -> Option<T>) -> Option<T> {
        match &self.values {
            ValueKinds::None | ValueKinds::Raw(_) => None,
            ValueKinds::One(kind) => of(kind),
            ValueKinds::Union(kinds) | ValueKinds::Other(_, kinds) => kinds.iter().rev().find_map(of),
        }
    }

    #[inline]
    pub(crate) fn has_booleans(&self) -> bool {
        self.find(|kind| matches!(kind, Kind::Boolean).then_some(())).is_some()
    }

    #[inline]
    pub(crate) fn has_texts(&self) -> bool {
        self.find(|kind| matches!(kind, Kind::Text).then_some(())).is_some()
    }

    /// How values are kept as text, where they are.
    #[inline]
    pub(crate) fn raw(&self) -> Option<Raw> {
        match self.values {
            ValueKinds::Raw(raw) => Some(raw),
            _ => None,
        }
    }

    /// The type of integers.
    #[inline]
    pub(crate) fn integer(&self) -> Option<Integer> {
        self.find(|kind| if let Kind::Integer(integer) = kind { Some(*integer) } else { None })
    }

    /// How floats are kept.
    #[inline]
    pub(crate) fn float(&self) -> Option<Float> {
        self.find(|kind| if let Kind::Float(float) = kind { Some(*float) } else { None })
    }

    /// How values of a logical type are read, where they are of one.
    #[inline]
    pub(crate) fn logical(&self) -> Option<&LogicalKind> {
        match &self.values {
            ValueKinds::One(Kind::Logical(kind)) => Some(kind),
            _ => None,
        }
    }

    /// What becomes of the items of lists.
    #[inline]
    pub(crate) fn item(&self) -> Option<&Plan> {
        self.find(|kind| if let Kind::List(item) = kind { Some(&**item) } else { None })
    }

    /// What becomes of objects.
    #[inline]
    pub(crate) fn object(&self) -> Option<&Object> {
        self.find(|kind| if let Kind::Object(object) = kind { Some(object) } else { None })
    }

    /// Makes ready for writing, when nothing is changed any more.
    pub fn ready(&mut self) {
        for kind in self.kinds_mut() {
            match kind {
                Kind::List(item) => item.ready(),
                Kind::Object(Object::Map(value)) => value.ready(),
                Kind::Object(Object::Record(record)) => {
                    record.fields.iter_mut().for_each(|field| field.plan.ready());
                    record.required = record.fields.iter().filter(|field| field.is_required()).count();
                }
                _ => {}
            }
        }
    }

    /// The record of a row.
    pub fn record(&self) -> Option<&Record> {
        match self.object() {
            Some(Object::Record(record)) => Some(record),
            _ => None,
        }
    }
}

impl ValueKinds {
    /// Values of some kinds.
    pub(crate) fn of(mut kinds: Vec<Kind>) -> Self {
        match kinds.len() {
            0 | 1 => kinds.pop().map_or(Self::None, Self::One),
            _ => Self::Union(kinds),
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
    pub fn find(&self, likely: usize, name: &str) -> Option<usize> {
        match self.fields.get(likely) {
            Some(field) if field.name == name => Some(likely),
            _ => self.places.get(name).copied(),
        }
    }
}
