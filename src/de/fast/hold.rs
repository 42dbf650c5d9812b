//! Who holds the vectors of a tree: the tree itself, or a batch that lends them.

use super::{Node, Result};
use crate::de::{Plan, slow};
use crate::vector::{Binaries, ListVector, MapVector, Offsets, RecordVector, Strings, UnionVector, Vector};
use serde::de::Visitor;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// How the vectors of a tree are held.
pub(crate) trait Hold: Sized {
    /// The plan, as long as rows are read.
    type Plan;
    type Vector;
    type Values<T: Copy + 'static>: Deref<Target = [T]> + Default + From<Vec<T>>;
    type Texts: Default;
    type Bytes: Default;
    type Offsets;
    type Record;
    /// The name of a field.
    type Name;
    /// A part of the plan.
    type Shared<T: ?Sized + 'static>: Deref<Target = T>;
    /// A string of a tree that lives for `'n`.
    type Str<'n>: Deref<Target = str> + Copy;
    type Blob<'n>: Copy;

    /// Takes a vector out of its place.
    fn lift(vector: &mut Self::Vector) -> Self::Vector;

    /// The tree of a vector.
    fn tree(plan: &Self::Plan, vector: Self::Vector) -> Node<Self>;

    /// Puts the vector of a tree back in its place.
    fn lower(node: Node<Self>, vector: &mut Self::Vector);

    /// A vector of the same form without values, where a tree may take values and give them back.
    fn hollow(vector: &Self::Vector) -> Option<Self::Vector>;

    /// Whether a tree and a vector have the same form, so that they may exchange their values.
    fn fits(node: &Node<Self>, plan: &Self::Plan, vector: &Self::Vector) -> bool;

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

    fn lend_text(texts: &Self::Texts, index: usize) -> Option<Self::Str<'_>>;

    fn lend_bytes(bytes: &Self::Bytes, index: usize) -> Option<Self::Blob<'_>>;

    fn name(name: &Self::Name) -> Self::Str<'_>;

    /// A name in a part of the plan.
    fn name_in<T: ?Sized>(
        shared: &Self::Shared<T>,
        find: impl Fn(&T) -> Option<&str>,
    ) -> Option<Self::Str<'_>>;
}

/// What a tree takes from a plan that lives for `'p`.
pub(crate) trait Plant<'p>: Hold {
    fn own_name(name: &'p str) -> Self::Name;

    fn share<T: ?Sized>(part: &'p Arc<T>) -> Self::Shared<T>;
}

/// How a tree is seen: who holds it, and what of it values may keep.
pub(crate) trait View {
    type Hold: Hold;
}

/// Whether values may keep strings and bytes of a tree that lives for `'n`.
pub(crate) trait Lend<'n, 'de>: View {
    /// The same for the slow path.
    type Slow: slow::Lend<'de, 'de>;

    fn show_str<V: Visitor<'de>>(text: Str<'n, Self>, visitor: V) -> Result<V::Value>;

    fn show_bytes<V: Visitor<'de>>(bytes: Blob<'n, Self>, visitor: V) -> Result<V::Value>;
}

pub(super) type Str<'n, V> = <<V as View>::Hold as Hold>::Str<'n>;
pub(super) type Blob<'n, V> = <<V as View>::Hold as Hold>::Blob<'n>;

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
    Unread(u32),
}

/// By the tree.
pub(crate) enum Owned {}

/// By a batch, which lends strings and bytes as long as it lives.
pub(crate) struct Lent<'v>(PhantomData<&'v Vector>);

/// A tree that is refilled while values of it live: they must copy.
pub(crate) enum Copied {}

/// A tree that stays until a row is made, which keeps nothing of it.
pub(crate) enum Held {}

impl Hold for Owned {
    type Plan = Plan;
    type Vector = Vector;
    type Values<T: Copy + 'static> = Vec<T>;
    type Texts = Strings;
    type Bytes = Binaries;
    type Offsets = Offsets;
    type Record = RecordVector;
    type Name = String;
    type Shared<T: ?Sized + 'static> = Arc<T>;
    type Str<'n> = &'n str;
    type Blob<'n> = &'n [u8];

    fn lift(vector: &mut Vector) -> Vector {
        std::mem::replace(vector, Vector::Null(0))
    }

    fn tree(plan: &Plan, vector: Vector) -> Node<Self> {
        Node::new(plan, vector)
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
            // Batches have no such fields.
            Vector::Dictionary(values) => Parts::Null(values.len()),
            Vector::Enum(ordinals) => Parts::Enum(ordinals),
            Vector::Record(record) => Parts::Record(record),
            Vector::List(mut list) => {
                list.offsets.settle();
                Parts::List(list.offsets, list.item)
            }
            Vector::Map(mut map) => {
                map.offsets.settle();
                let MapVector { offsets, key, value } = *map;
                Parts::Map(offsets, key, value)
            }
            Vector::Optional(mut list) => {
                list.offsets.settle();
                Parts::Optional(list.offsets, list.item)
            }
            Vector::Union(UnionVector { tags, positions, variants }) => {
                Parts::Union(tags, positions, variants)
            }
            Vector::Unread(node) => Parts::Unread(node),
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
        offsets.settled_range(index)
    }

    #[inline(always)]
    fn text(texts: &Strings, index: usize) -> Option<&str> {
        texts.get(index)
    }

    #[inline(always)]
    fn bytes(bytes: &Binaries, index: usize) -> Option<&[u8]> {
        bytes.get(index)
    }

    #[inline(always)]
    fn lend_text(texts: &Strings, index: usize) -> Option<&str> {
        texts.get(index)
    }

    #[inline(always)]
    fn lend_bytes(bytes: &Binaries, index: usize) -> Option<&[u8]> {
        bytes.get(index)
    }

    #[inline(always)]
    fn name(name: &String) -> &str {
        name
    }

    #[inline]
    fn name_in<T: ?Sized>(shared: &Arc<T>, find: impl Fn(&T) -> Option<&str>) -> Option<&str> {
        find(shared)
    }
}

impl<'p> Plant<'p> for Owned {
    fn own_name(name: &'p str) -> String {
        name.to_owned()
    }

    fn share<T: ?Sized>(part: &'p Arc<T>) -> Arc<T> {
        Arc::clone(part)
    }
}

impl View for Copied {
    type Hold = Owned;
}

impl<'n, 'de> Lend<'n, 'de> for Copied {
    type Slow = slow::Copied<'de>;

    #[inline(always)]
    fn show_str<V: Visitor<'de>>(text: &'n str, visitor: V) -> Result<V::Value> {
        visitor.visit_str(text)
    }

    #[inline(always)]
    fn show_bytes<V: Visitor<'de>>(bytes: &'n [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_bytes(bytes)
    }
}

impl View for Held {
    type Hold = Owned;
}

impl<'n> Lend<'n, 'n> for Held {
    type Slow = slow::Held<'n>;

    #[inline(always)]
    fn show_str<V: Visitor<'n>>(text: &'n str, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    #[inline(always)]
    fn show_bytes<V: Visitor<'n>>(bytes: &'n [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }
}

impl<'v> Hold for Lent<'v> {
    type Plan = &'v Plan;
    type Vector = &'v Vector;
    type Values<T: Copy + 'static> = Cow<'v, [T]>;
    type Texts = Option<&'v Strings>;
    type Bytes = Option<&'v Binaries>;
    type Offsets = &'v [u32];
    type Record = &'v RecordVector;
    type Name = &'v str;
    type Shared<T: ?Sized + 'static> = &'v T;
    type Str<'n> = &'v str;
    type Blob<'n> = &'v [u8];

    fn lift(vector: &mut &'v Vector) -> &'v Vector {
        vector
    }

    fn tree(plan: &&'v Plan, vector: &'v Vector) -> Node<Self> {
        Node::new(plan, vector)
    }

    fn lower(_node: Node<Self>, _vector: &mut &'v Vector) {}

    fn hollow(_vector: &&'v Vector) -> Option<&'v Vector> {
        None
    }

    fn fits(_node: &Node<Self>, _plan: &&'v Plan, _vector: &&'v Vector) -> bool {
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
            Vector::Unread(node) => Parts::Unread(*node),
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
    fn text<'n>(texts: &'n Option<&'v Strings>, index: usize) -> Option<&'n str> {
        texts.and_then(|texts| texts.get(index))
    }

    #[inline(always)]
    fn bytes<'n>(bytes: &'n Option<&'v Binaries>, index: usize) -> Option<&'n [u8]> {
        bytes.and_then(|bytes| bytes.get(index))
    }

    #[inline(always)]
    fn lend_text(texts: &Option<&'v Strings>, index: usize) -> Option<&'v str> {
        texts.and_then(|texts| texts.get(index))
    }

    #[inline(always)]
    fn lend_bytes(bytes: &Option<&'v Binaries>, index: usize) -> Option<&'v [u8]> {
        bytes.and_then(|bytes| bytes.get(index))
    }

    #[inline(always)]
    fn name<'n>(name: &'n &'v str) -> &'v str {
        name
    }

    #[inline]
    fn name_in<'n, T: ?Sized>(shared: &'n &'v T, find: impl Fn(&T) -> Option<&str>) -> Option<&'v str> {
        find(shared)
    }
}

impl<'v> Plant<'v> for Lent<'v> {
    fn own_name(name: &'v str) -> &'v str {
        name
    }

    fn share<T: ?Sized>(part: &'v Arc<T>) -> &'v T {
        part
    }
}

impl View for Lent<'_> {
    type Hold = Self;
}

impl<'v> Lend<'_, 'v> for Lent<'v> {
    type Slow = slow::Borrowed;

    #[inline(always)]
    fn show_str<V: Visitor<'v>>(text: &'v str, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    #[inline(always)]
    fn show_bytes<V: Visitor<'v>>(bytes: &'v [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }
}
