//! The columns of rows: the leaves of a message, with their paths and greatest levels.

use crate::levels::Place;
use crate::schema::message::{Field, Kind, Message, Primitive, Repetition};
use crate::storage::value_type::ValueType;
use std::cmp::Ordering;
use std::sync::Arc;

/// A column, before any bytes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// The names on the way to it.
    pub(super) path: Vec<Arc<str>>,
    pub(super) primitive: Primitive,
    /// The greatest levels of its entries.
    pub(super) greatest: Place,
}

/// The leaves of a message, in its order.
pub(super) fn leaves(message: &Message) -> Vec<Leaf> {
    let mut found = Vec::new();
    message.fields.iter().for_each(|field| walk(field, &mut Vec::new(), Place::default(), &mut found));
    found
}

fn walk(field: &Field, path: &mut Vec<Arc<str>>, place: Place, found: &mut Vec<Leaf>) {
    let greatest = match field.repetition {
        Repetition::Required => place,
        Repetition::Optional => place.within(),
        Repetition::Repeated => place.items(),
    };
    path.push(Arc::from(field.name.as_str()));
    match &field.kind {
        Kind::Leaf(primitive) => found.push(Leaf { path: path.clone(), primitive: *primitive, greatest }),
        Kind::Group(fields) => fields.iter().for_each(|field| walk(field, path, greatest, found)),
    }
    path.pop();
}

/// The order of columns in a row group: by their paths, name by name, as Java compares strings.
pub(super) fn compare(one: &[Arc<str>], two: &[Arc<str>]) -> Ordering {
    let units = |name: &Arc<str>| name.encode_utf16().collect::<Vec<u16>>();
    let names = one.iter().zip(two).map(|(one, two)| units(one).cmp(&units(two)));
    names.fold(Ordering::Equal, Ordering::then).then(one.len().cmp(&two.len()))
}

impl Leaf {
    /// The path as one name.
    pub(super) fn name(&self) -> String {
        self.path.join(".")
    }
}

impl Primitive {
    /// What its values are called in a column.
    pub(super) fn value_type(self) -> ValueType {
        match self {
            Self::String => ValueType::String,
            Self::Int64 => ValueType::Long,
            Self::Int32 => ValueType::Int,
            Self::Boolean => ValueType::Boolean,
            Self::Binary => ValueType::Bytes,
            Self::Float => ValueType::Float,
            Self::Double => ValueType::Double,
        }
    }
}
