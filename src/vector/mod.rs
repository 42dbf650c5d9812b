//! Typed values of one node of a shape, for some rows.

mod check;
mod dictionary;
mod element;
pub(crate) mod gather;
pub(crate) mod kinds;
mod marks;
mod narrow;
mod offsets;
mod packed;
mod parts;
pub(crate) mod room;
pub(crate) mod strings;

pub use dictionary::{Dictionary, DictionaryVector};
pub use element::Element;
pub(crate) use kinds::Vector;
pub(crate) use marks::Marks;
pub use offsets::Offsets;
pub(crate) use packed::{Packer, SLACK, SLOT_BYTES, Slot};
pub use parts::Span;
pub use strings::Blobs;
pub(crate) use strings::{Binaries, Strings};

use crate::shape::Shape;

// Not derived: that would be a copy of this code in each part of the crate that clones.
impl Clone for Vector {
    fn clone(&self) -> Self {
        match self {
            Self::Null(len) => Self::Null(*len),
            Self::Boolean(values) => Self::Boolean(values.clone()),
            Self::Int(values) => Self::Int(values.clone()),
            Self::Long(values) => Self::Long(values.clone()),
            Self::Float(values) => Self::Float(values.clone()),
            Self::Double(values) => Self::Double(values.clone()),
            Self::String(values) => Self::String(values.clone()),
            Self::Bytes(values) => Self::Bytes(values.clone()),
            Self::Dictionary(values) => Self::Dictionary(values.clone()),
            Self::Enum(ordinals) => Self::Enum(ordinals.clone()),
            Self::Record(record) => Self::Record(record.clone()),
            Self::List(list) => Self::List(list.clone()),
            Self::Map(map) => Self::Map(map.clone()),
            Self::Optional(list) => Self::Optional(list.clone()),
            Self::Union(union) => Self::Union(union.clone()),
            Self::Unread(node) => Self::Unread(*node),
        }
    }
}

/// Records: one vector per field.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RecordVector {
    /// Number of records.
    pub len: usize,
    /// Whether there were records before the last [`Vector::clear`].
    pub(crate) earlier: bool,
    /// The fields' values, each of `len` entries.
    pub fields: Vec<Vector>,
}

/// Lists: where they begin and end, and their items.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ListVector {
    /// The items of each list.
    pub offsets: Offsets,
    /// The items of all lists.
    pub item: Vector,
}

/// Maps: where they begin and end, their keys and values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MapVector {
    /// The entries of each map.
    pub offsets: Offsets,
    /// The keys of all entries.
    pub key: Vector,
    /// The values of all entries.
    pub value: Vector,
}

/// Unions: which variant each entry has, and the variants' values without gaps.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct UnionVector {
    /// The variant of each entry.
    pub tags: Vec<u16>,
    /// The position of each entry within its variant's values.
    pub positions: Vec<u32>,
    /// The values, one vector per variant.
    pub variants: Vec<Vector>,
}

impl Vector {
    /// An empty vector of a shape's form.
    #[must_use]
    pub fn new(shape: &Shape) -> Self {
        match shape {
            Shape::Unknown | Shape::Null => Self::Null(0),
            Shape::Logical(logical) => Self::new(&logical.storage),
            Shape::Boolean => Self::Boolean(Vec::new()),
            Shape::Int => Self::Int(Vec::new()),
            Shape::Long | Shape::U64 => Self::Long(Vec::new()),
            Shape::Float => Self::Float(Vec::new()),
            Shape::Double => Self::Double(Vec::new()),
            Shape::String => Self::String(Strings::default()),
            Shape::Bytes | Shape::Fixed(_) | Shape::I128 | Shape::U128 => Self::Bytes(Binaries::default()),
            Shape::Enum(_) => Self::Enum(Vec::new()),
            Shape::Record(record) => {
                let fields = record.fields.iter().map(|field| Self::new(&field.shape)).collect();
                Self::Record(RecordVector { fields, ..RecordVector::default() })
            }
            Shape::List(item) => Self::List(Box::new(ListVector::new(Offsets::default(), Self::new(item)))),
            Shape::Map(map) => Self::Map(Box::new(MapVector {
                offsets: Offsets::default(),
                key: Self::new(&map.key),
                value: Self::new(&map.value),
            })),
            Shape::Optional(optional) => {
                Self::Optional(Box::new(ListVector::new(Offsets::default(), Self::new(&optional.item))))
            }
            Shape::Union(variants) => Self::Union(UnionVector {
                variants: variants.iter().map(Self::new).collect(),
                ..UnionVector::default()
            }),
        }
    }

    /// A vector of the same form without entries.
    pub(crate) fn hollow(&self) -> Self {
        let list = |list: &ListVector| Box::new(ListVector::new(Offsets::default(), list.item.hollow()));
        match self {
            Self::Null(_) => Self::Null(0),
            Self::Boolean(_) => Self::Boolean(Vec::new()),
            Self::Int(_) => Self::Int(Vec::new()),
            Self::Long(_) => Self::Long(Vec::new()),
            Self::Float(_) => Self::Float(Vec::new()),
            Self::Double(_) => Self::Double(Vec::new()),
            Self::String(_) => Self::String(Strings::default()),
            Self::Bytes(_) => Self::Bytes(Binaries::default()),
            Self::Dictionary(values) => Self::Dictionary(Box::new(DictionaryVector::new(values.is_text))),
            Self::Enum(_) => Self::Enum(Vec::new()),
            Self::Record(record) => {
                let fields = record.fields.iter().map(Self::hollow).collect();
                Self::Record(RecordVector { fields, ..RecordVector::default() })
            }
            Self::List(items) => Self::List(list(items)),
            Self::Optional(items) => Self::Optional(list(items)),
            Self::Map(map) => {
                let (key, value) = (map.key.hollow(), map.value.hollow());
                Self::Map(Box::new(MapVector { offsets: Offsets::default(), key, value }))
            }
            Self::Union(union) => {
                let variants = union.variants.iter().map(Self::hollow).collect();
                Self::Union(UnionVector { variants, ..UnionVector::default() })
            }
            Self::Unread(node) => Self::Unread(*node),
        }
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Null(len) => *len,
            Self::Boolean(values) => values.len(),
            Self::Int(values) | Self::Enum(values) => values.len(),
            Self::Long(values) => values.len(),
            Self::Float(values) => values.len(),
            Self::Double(values) => values.len(),
            Self::String(values) => values.len(),
            Self::Bytes(values) => values.len(),
            Self::Dictionary(values) => values.len(),
            Self::Record(record) => record.len,
            Self::List(list) | Self::Optional(list) => list.offsets.len(),
            Self::Map(map) => map.offsets.len(),
            Self::Union(union) => union.tags.len(),
            Self::Unread(_) => 0,
        }
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all entries; buffers stay.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Null(len) => *len = 0,
            Self::Boolean(values) => values.clear(),
            Self::Int(values) | Self::Enum(values) => values.clear(),
            Self::Long(values) => values.clear(),
            Self::Float(values) => values.clear(),
            Self::Double(values) => values.clear(),
            Self::String(values) => values.clear(),
            Self::Bytes(values) => values.clear(),
            Self::Dictionary(values) => values.clear(),
            Self::Record(record) => {
                record.earlier |= record.len > 0;
                record.len = 0;
                record.fields.iter_mut().for_each(Self::clear);
            }
            Self::List(list) | Self::Optional(list) => {
                list.offsets.clear();
                list.item.clear();
            }
            Self::Map(map) => {
                map.offsets.clear();
                map.key.clear();
                map.value.clear();
            }
            Self::Union(union) => {
                union.tags.clear();
                union.positions.clear();
                union.variants.iter_mut().for_each(Self::clear);
            }
            Self::Unread(_) => *self = Self::Null(0),
        }
    }

    /// Removes all entries behind the first `len`, for example those of a row that failed.
    pub(crate) fn truncate(&mut self, len: usize) {
        match self {
            Self::Null(count) => *count = len.min(*count),
            Self::Boolean(values) => values.truncate(len),
            Self::Int(values) | Self::Enum(values) => values.truncate(len),
            Self::Long(values) => values.truncate(len),
            Self::Float(values) => values.truncate(len),
            Self::Double(values) => values.truncate(len),
            Self::String(values) => values.truncate(len),
            Self::Bytes(values) => values.truncate(len),
            Self::Dictionary(values) => values.truncate(len),
            Self::Record(record) => {
                record.len = len.min(record.len);
                record.fields.iter_mut().for_each(|field| field.truncate(len));
            }
            Self::List(list) | Self::Optional(list) => {
                list.offsets.truncate(len);
                let total = list.offsets.total();
                list.item.truncate(total);
            }
            Self::Map(map) => {
                map.offsets.truncate(len);
                let total = map.offsets.total();
                map.key.truncate(total);
                map.value.truncate(total);
            }
            Self::Union(union) => {
                union.tags.truncate(len);
                union.positions.truncate(len);
                let mut counts = vec![0; union.variants.len()];
                for (tag, position) in union.tags.iter().zip(&union.positions) {
                    if let Some(count) = counts.get_mut(*tag as usize) {
                        *count = *position as usize + 1;
                    }
                }
                for (variant, count) in union.variants.iter_mut().zip(counts) {
                    variant.truncate(count);
                }
            }
            Self::Unread(_) => {}
        }
    }

    /// Bytes of memory that the values take, roughly.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Null(_) | Self::Unread(_) => 0,
            Self::Boolean(values) => values.len(),
            Self::Int(values) | Self::Enum(values) => values.len() * 4,
            Self::Long(values) => values.len() * 8,
            Self::Float(values) => values.len() * 4,
            Self::Double(values) => values.len() * 8,
            Self::String(values) => values.data().len() + values.len() * 8,
            Self::Bytes(values) => values.data().len() + values.len() * 8,
            Self::Dictionary(values) => values.size(),
            Self::Record(record) => record.fields.iter().map(Self::size).sum(),
            Self::List(list) | Self::Optional(list) => list.offsets.len() * 4 + list.item.size(),
            Self::Map(map) => map.offsets.len() * 4 + map.key.size() + map.value.size(),
            Self::Union(union) => union.tags.len() * 6 + union.variants.iter().map(Self::size).sum::<usize>(),
        }
    }
}
