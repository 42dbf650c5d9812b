//! The types of a schema: how values lie in Avro's binary form, and what they are in columns.

use trevni::shape::Form;

/// A type, and how its values lie.
#[derive(Debug)]
pub(crate) enum Type {
    Null,
    Boolean,
    Int,
    Long,
    /// A long that holds the bits of a `u64`.
    U64,
    /// 16 bytes, big-endian.
    I128,
    /// 16 bytes, big-endian.
    U128,
    Float,
    Double,
    String,
    Bytes,
    Fixed(usize),
    Enum {
        name: &'static str,
        symbols: Vec<&'static str>,
    },
    Record(Record),
    List(Box<Type>),
    Map(Box<Type>),
    /// A map whose keys are not text: an array of records of key and value.
    Pairs(Box<(Type, Type)>),
    Union(Union),
}

impl Type {
    /// The types directly in it.
    fn inner(&self) -> Vec<&Self> {
        match self {
            Self::Record(record) => record.fields.iter().map(|(_, kind)| kind).collect(),
            Self::List(item) | Self::Map(item) => vec![item],
            Self::Pairs(pair) => vec![&pair.0, &pair.1],
            Self::Union(union) => union.branches.iter().flatten().map(|branch| &branch.kind).collect(),
            _ => Vec::new(),
        }
    }

    /// Number of types in it, its own included.
    pub(crate) fn count(&self) -> u64 {
        1 + self.inner().into_iter().map(Self::count).sum::<u64>()
    }

    /// The greatest number of types in an item of its lists and maps; 0 without them.
    pub(crate) fn item_count(&self) -> u64 {
        let own = match self {
            Self::List(_) | Self::Map(_) | Self::Pairs(_) => self.count() - 1,
            _ => 0,
        };
        self.inner().into_iter().map(Self::item_count).fold(own, u64::max)
    }
}

/// Fields, one after the other.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) form: Form,
    /// For the variant of an enum, the enum's name.
    pub(crate) namespace: &'static str,
    pub(crate) name: &'static str,
    pub(crate) fields: Vec<(&'static str, Type)>,
}

/// The number of a branch and its value.
#[derive(Debug)]
pub(crate) struct Union {
    /// None for null.
    pub(crate) branches: Vec<Option<Branch>>,
    /// The branches without null, as the shape counts them.
    pub(crate) variants: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Branch {
    /// The name by which serde finds the branch; `None` where the kind of its values says which it is.
    pub(crate) name: Option<&'static str>,
    pub(crate) kind: Type,
}

impl Union {
    /// Whether this is null or one type.
    pub(crate) fn is_optional(&self) -> bool {
        self.variants.len() == 1 && self.branches.len() > 1
    }

    /// The number of null's branch.
    pub(crate) fn null(&self) -> Option<usize> {
        self.branches.iter().position(Option::is_none)
    }

    /// The branch of a variant, as the shape counts them, and its number.
    pub(crate) fn variant(&self, tag: usize) -> Option<(usize, &Type)> {
        let number = *self.variants.get(tag)?;
        Some((number, &self.branches.get(number)?.as_ref()?.kind))
    }
}
