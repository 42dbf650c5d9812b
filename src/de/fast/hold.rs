//! Who holds the vectors of a tree: the tree itself, or a batch that lends them.

use super::{FastPathMiss, Node, Result};
use crate::de::{Plan, slow};
use crate::vector::{
    Binaries, Lazy, ListVector, MapVector, Offsets, RecordVector, Strings, UnionVector, Vector,
};
use serde::de::Visitor;
use std::borrow::Cow;
use std::ops::{Deref, Range};

/// How the vectors of a tree are held.
pub(crate) trait Hold: Sized {
    type Vector;
    type Values<T: Copy + 'static>: Deref<Target = [T]> + Default + From<Vec<T>>;
    type Texts: Default;
    type Bytes: Default;
    type Offsets;
    type Record;
    type Lazy;

    /// Takes a vector out of its place.
    fn lift(vector: &mut Self::Vector) -> Self::Vector;

    /// Puts the vector of a tree back in its place.
    fn lower(node: Node<Self>, vector: &mut Self::Vector);

    /// A vector of the same form without values, where a tree may take values and give them back.
    fn hollow(vector: &Self::Vector) -> Option<Self::Vector>;

    /// Whether a tree and a vector have the same form, so that they may exchange their values.
    fn fits(node: &Node<Self>, plan: &Plan, vector: &Self::Vector) -> bool;

    /// Exchanges the values of a tree and those of a vector; false where a part of the vector has another form, which
    /// stays. The same call again takes it back.
    fn exchange(node: &mut Node<Self>, vector: &mut Self::Vector) -> bool;

    fn parts(vector: Self::Vector) -> Parts<Self>;

    fn fields(record: &Self::Record) -> usize;

    /// Takes a field out of a record.
    fn field(record: &mut Self::Record, place: usize) -> Option<Self::Vector>;

    fn range(offsets: &Self::Offsets, index: usize) -> Option<Range<usize>>;

    fn text(texts: &Self::Texts, index: usize) -> Option<&str>;

    fn bytes(bytes: &Self::Bytes, index: usize) -> Option<&[u8]>;
}

/// Whether values may keep texts and bytes of the vectors.
pub(crate) trait Lend<'de>: Hold {
    /// The same for the slow path.
    type Slow: slow::Lend<'de, 'de, Hold = Self>;

    /// Shows a text, or does something else where there is none.
    fn show_text<V: Visitor<'de>>(
        texts: &Self::Texts,
        index: usize,
        visitor: V,
        otherwise: impl FnOnce(V) -> Result<V::Value>,
    ) -> Result<V::Value>;

    fn show_bytes<V: Visitor<'de>>(bytes: &Self::Bytes, index: usize, visitor: V) -> Result<V::Value>;
}

/// A vector in its parts.
pub(crate) enum Parts<H: Hold> {
    Null(usize),
    Booleans(H::Values<bool>),
    Ints(H::Values<i32>),
    Longs(H::Values<i64>),
    Floats(H::Values<f32>),
    Doubles(H::Values<f64>),
    Texts(H::Texts),
    Bytes(H::Bytes),
    Enum(H::Values<i32>),
    Record(H::Record),
    List(H::Offsets, H::Vector),
    Map(H::Offsets, H::Vector, H::Vector),
    Optional(H::Offsets, H::Vector),
    Union(H::Values<u16>, H::Values<u32>, Vec<H::Vector>),
    /// With what has been decoded.
    Lazy(H::Lazy, Option<H::Vector>),
}

/// By the tree. Values must copy: the vectors are refilled later.
pub(crate) enum Owned {}

/// By a batch, which lends them.
pub(crate) struct Lent<'v>(std::marker::PhantomData<&'v Vector>);

impl Hold for Owned {
    type Vector = Vector;
    type Values<T: Copy + 'static> = Vec<T>;
    type Texts = Strings;
    type Bytes = Binaries;
    type Offsets = Offsets;
    type Record = RecordVector;
    type Lazy = Box<Lazy>;

    fn lift(vector: &mut Vector) -> Vector {
        std::mem::replace(vector, Vector::Null(0))
    }

    fn lower(node: Node<Self>, vector: &mut Vector) {
        *vector = node.release();
    }

    fn hollow(vector: &Vector) -> Option<Vector> {
        Some(vector.hollow())
    }

    fn fits(node: &Node<Self>, plan: &Plan, vector: &Vector) -> bool {
        node.fits(plan, vector)
    }

    fn exchange(node: &mut Node<Self>, vector: &mut Vector) -> bool {
        node.exchange(vector)
    }

    fn parts(vector: Vector) -> Parts<Self> {
        match vector {
            Vector::Null(len) => Parts::Null(len),
            Vector::Boolean(values) => Parts::Booleans(values),
            Vector::Int(values) => Parts::Ints(values),
            Vector::Long(values) => Parts::Longs(values),
            Vector::Float(values) => Parts::Floats(values),
            Vector::Double(values) => Parts::Doubles(values),
            Vector::String(values) => Parts::Texts(values),
            Vector::Bytes(values) => Parts::Bytes(values),
            // Batches have none.
            Vector::Dictionary(values) => Parts::Null(values.len()),
            Vector::Enum(ordinals) => Parts::Enum(ordinals),
            Vector::Record(record) => Parts::Record(record),
            Vector::List(list) => Parts::List(list.offsets, list.item),
            Vector::Map(map) => {
                let MapVector { offsets, key, value } = *map;
                Parts::Map(offsets, key, value)
            }
            Vector::Optional(list) => Parts::Optional(list.offsets, list.item),
            Vector::Union(UnionVector { tags, positions, variants }) => {
                Parts::Union(tags, positions, variants)
            }
            Vector::Lazy(mut lazy) => {
                let vector = lazy.take();
                Parts::Lazy(lazy, vector)
            }
        }
    }

    fn fields(record: &RecordVector) -> usize {
        record.fields.len()
    }

    fn field(record: &mut RecordVector, place: usize) -> Option<Vector> {
        record.fields.get_mut(place).map(Self::lift)
    }

    #[inline(always)]
    fn range(offsets: &Offsets, index: usize) -> Option<Range<usize>> {
        offsets.range(index)
    }

    #[inline(always)]
    fn text(texts: &Strings, index: usize) -> Option<&str> {
        texts.get(index)
    }

    #[inline(always)]
    fn bytes(bytes: &Binaries, index: usize) -> Option<&[u8]> {
        bytes.get(index)
    }
}

impl<'de> Lend<'de> for Owned {
    type Slow = slow::Transient;

    #[inline(always)]
    fn show_text<V: Visitor<'de>>(
        texts: &Strings,
        index: usize,
        visitor: V,
        otherwise: impl FnOnce(V) -> Result<V::Value>,
    ) -> Result<V::Value> {
        match texts.get(index) {
            Some(text) => visitor.visit_str(text),
            None => otherwise(visitor),
        }
    }

    #[inline(always)]
    fn show_bytes<V: Visitor<'de>>(bytes: &Binaries, index: usize, visitor: V) -> Result<V::Value> {
        match bytes.get(index) {
            Some(bytes) => visitor.visit_bytes(bytes),
            None => Err(FastPathMiss),
        }
    }
}

impl<'v> Hold for Lent<'v> {
    type Vector = &'v Vector;
    type Values<T: Copy + 'static> = Cow<'v, [T]>;
    type Texts = Option<&'v Strings>;
    type Bytes = Option<&'v Binaries>;
    type Offsets = &'v [u32];
    type Record = &'v RecordVector;
    type Lazy = ();

    fn lift(vector: &mut &'v Vector) -> &'v Vector {
        vector
    }

    fn lower(_node: Node<Self>, _vector: &mut &'v Vector) {}

    fn hollow(_vector: &&'v Vector) -> Option<&'v Vector> {
        None
    }

    fn fits(_node: &Node<Self>, _plan: &Plan, _vector: &&'v Vector) -> bool {
        false
    }

    fn exchange(_node: &mut Node<Self>, _vector: &mut &'v Vector) -> bool {
        false
    }

    fn parts(vector: &'v Vector) -> Parts<Self> {
        match vector {
            Vector::Null(len) => Parts::Null(*len),
            Vector::Boolean(values) => Parts::Booleans(values.into()),
            Vector::Int(values) => Parts::Ints(values.into()),
            Vector::Long(values) => Parts::Longs(values.into()),
            Vector::Float(values) => Parts::Floats(values.into()),
            Vector::Double(values) => Parts::Doubles(values.into()),
            Vector::String(values) => Parts::Texts(Some(values)),
            Vector::Bytes(values) => Parts::Bytes(Some(values)),
            Vector::Dictionary(values) => Parts::Null(values.len()),
            Vector::Enum(ordinals) => Parts::Enum(ordinals.into()),
            Vector::Record(record) => Parts::Record(record),
            Vector::List(list) => {
                let ListVector { offsets, item } = &**list;
                Parts::List(offsets.as_slice(), item)
            }
            Vector::Map(map) => Parts::Map(map.offsets.as_slice(), &map.key, &map.value),
            Vector::Optional(list) => Parts::Optional(list.offsets.as_slice(), &list.item),
            Vector::Union(union) => {
                let (tags, positions) = (Cow::from(&union.tags), Cow::from(&union.positions));
                Parts::Union(tags, positions, union.variants.iter().collect())
            }
            Vector::Lazy(lazy) => Parts::Lazy((), lazy.get()),
        }
    }

    fn fields(record: &&'v RecordVector) -> usize {
        record.fields.len()
    }

    fn field(record: &mut &'v RecordVector, place: usize) -> Option<&'v Vector> {
        record.fields.get(place)
    }

    #[inline(always)]
    fn range(offsets: &&'v [u32], index: usize) -> Option<Range<usize>> {
        match offsets.get(index..)? {
            [start, end, ..] => Some(*start as usize..*end as usize),
            _ => None,
        }
    }

    #[inline(always)]
    fn text<'a>(texts: &'a Option<&'v Strings>, index: usize) -> Option<&'a str> {
        texts.and_then(|texts| texts.get(index))
    }

    #[inline(always)]
    fn bytes<'a>(bytes: &'a Option<&'v Binaries>, index: usize) -> Option<&'a [u8]> {
        bytes.and_then(|bytes| bytes.get(index))
    }
}

impl<'v> Lend<'v> for Lent<'v> {
    type Slow = slow::Borrowed;

    #[inline(always)]
    fn show_text<V: Visitor<'v>>(
        texts: &Option<&'v Strings>,
        index: usize,
        visitor: V,
        otherwise: impl FnOnce(V) -> Result<V::Value>,
    ) -> Result<V::Value> {
        match texts.and_then(|texts| texts.get(index)) {
            Some(text) => visitor.visit_borrowed_str(text),
            None => otherwise(visitor),
        }
    }

    #[inline(always)]
    fn show_bytes<V: Visitor<'v>>(
        bytes: &Option<&'v Binaries>,
        index: usize,
        visitor: V,
    ) -> Result<V::Value> {
        match bytes.and_then(|bytes| bytes.get(index)) {
            Some(bytes) => visitor.visit_borrowed_bytes(bytes),
            None => Err(FastPathMiss),
        }
    }
}
