//! A number for values, by which two vectors can be told apart.

use super::Vector;
use std::hash::{DefaultHasher, Hash, Hasher};

impl Vector {
    /// A number that is the same for the same values; others seldom have it.
    pub(crate) fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn hash(&self, hasher: &mut DefaultHasher) {
        std::mem::discriminant(self).hash(hasher);
        match self {
            Self::Null(len) => len.hash(hasher),
            Self::Boolean(values) => values.hash(hasher),
            Self::Int(values) | Self::Enum(values) => values.hash(hasher),
            Self::Long(values) => values.hash(hasher),
            Self::Float(values) => values.iter().for_each(|value| value.to_bits().hash(hasher)),
            Self::Double(values) => values.iter().for_each(|value| value.to_bits().hash(hasher)),
            Self::String(values) => values.iter().for_each(|value| value.hash(hasher)),
            Self::Bytes(values) => values.iter().for_each(|value| value.hash(hasher)),
            Self::Record(record) => {
                record.len.hash(hasher);
                record.fields.iter().for_each(|field| field.hash(hasher));
            }
            Self::List(list) | Self::Optional(list) => {
                list.offsets.as_slice().hash(hasher);
                list.item.hash(hasher);
            }
            Self::Map(map) => {
                map.offsets.as_slice().hash(hasher);
                map.key.hash(hasher);
                map.value.hash(hasher);
            }
            Self::Union(union) => {
                union.tags.hash(hasher);
                union.variants.iter().for_each(|variant| variant.hash(hasher));
            }
            // No rows that are written have them.
            Self::Dictionary(values) => values.len().hash(hasher),
            Self::Unread(node) => node.hash(hasher),
        }
    }
}
