//! What a row has that the tree does not take: recorded in trees of its own, until the slow path writes the row.
//!
//! A node that gets something else than it takes is put within a [`Recorded`], and all that comes to it later in this row
//! is recorded there. So a row is serialized once, and its other values are pushed as ever.

use super::node::{Field, List, Map, Node, Optional, Record};
use super::{FastPathMiss, Result, Variant};
use crate::shape::{Form, MAX_DEPTH, Name, Null};
use crate::vector::{Binaries, Offsets, Strings};
use std::cell::Cell;

thread_local! {
    /// How often anything was recorded. Nodes know of no row, and to pass this on through all values would cost those that
    /// are not recorded.
    static RECORDED: Cell<u64> = const { Cell::new(0) };
}

/// How often anything was recorded by this thread: if that changes while a row is pushed, some of it is recorded.
#[inline(always)]
pub(in crate::ser) fn recorded_so_far() -> u64 {
    RECORDED.get()
}

/// A node, and what has come to it since that it does not take.
pub(in crate::ser) struct Recorded {
    pub(super) node: Node,
    /// How many entries of the node are of this row; known once these are taken out of it.
    pub(super) before: usize,
    pub(super) parts: Vec<Part>,
    /// Where these are fields that a record does not have: the entries of the record that they are of, and their names.
    pub(super) keys: Vec<(usize, &'static str)>,
    /// How many levels of values may be within values.
    levels: usize,
}

/// Entries of one kind that follow each other.
pub(super) struct Part {
    pub(super) kind: Kind,
    /// How many entries are in the parts before.
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) node: Node,
}

/// What the entries of a part are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What the node says.
    Plain,
    Unit,
    /// Fields that do not come.
    Absent,
    /// The values within newtype structs of a name.
    Newtype(&'static str),
    /// Lists of the items of tuples that have a name, or none, and announce a number of items.
    Tuple(&'static str, usize),
    Struct(&'static str),
    /// What the variants of enums hold: items of tuples are lists here too.
    Variant(Variant, Form, usize),
}

impl Recorded {
    /// Around a node.
    fn around(node: Node, levels: usize) -> Node {
        Node::Recorded(Box::new(Self { node, before: 0, parts: Vec::new(), keys: Vec::new(), levels }))
    }

    /// How many entries are recorded.
    pub(super) fn len(&self) -> usize {
        self.parts.last().map_or(0, |part| part.start + part.len)
    }

    /// The node for the next entry: that of the last part, or of a new one.
    fn next(
        &mut self,
        kind: Kind,
        takes: impl FnOnce(&Node) -> bool,
        new: impl FnOnce() -> Node,
    ) -> Result<&mut Node> {
        if !self.parts.last().is_some_and(|part| part.kind == kind && takes(&part.node)) {
            self.parts.push(Part { kind, start: self.len(), len: 0, node: new() });
        }
        let part = self.parts.last_mut().ok_or(FastPathMiss)?;
        part.len += 1;
        Ok(&mut part.node)
    }

    /// A node that records all that comes, one level down.
    fn below(&self) -> Result<impl Fn() -> Node + use<>> {
        let levels = self.levels.checked_sub(1).ok_or(FastPathMiss)?;
        Ok(move || Self::around(Node::Null(0), levels))
    }

    fn list(&mut self, kind: Kind) -> Result<&mut List> {
        let below = self.below()?;
        let new = || Node::List(Box::new(List { offsets: Offsets::default(), item: below() }));
        match self.next(kind, |node| matches!(node, Node::List(_)), new)? {
            Node::List(list) => Ok(list),
            _ => Err(FastPathMiss),
        }
    }

    fn optional(&mut self) -> Result<&mut Optional> {
        let below = self.below()?;
        let new = || {
            let (offsets, null, item) = (Offsets::default(), Null::None, below());
            Node::Optional(Box::new(Optional { offsets, null, item }))
        };
        match self.next(Kind::Plain, |node| matches!(node, Node::Optional(_)), new)? {
            Node::Optional(list) => Ok(list),
            _ => Err(FastPathMiss),
        }
    }

    /// The fields of a struct. They get their names as they come.
    fn fields(&mut self, kind: Kind, len: usize) -> Result<&mut [Field]> {
        let below = self.below()?;
        let takes = |node: &Node| matches!(node, Node::Record(record) if record.fields.len() > len);
        match self.next(kind, takes, || Node::Record(Record::unnamed(len, below)))? {
            Node::Record(record) => Ok(&mut record.fields),
            _ => Err(FastPathMiss),
        }
    }

    /// Takes what is recorded out, with the entries of the node from a position on. Both have the same length.
    pub(super) fn split(&mut self, at: usize, total: usize) -> Self {
        let own = total.saturating_sub(self.len());
        let (node, before) = (self.node.split(at, own), own.saturating_sub(at));
        let (parts, keys) = (std::mem::take(&mut self.parts), std::mem::take(&mut self.keys));
        Self { node, before, parts, keys, levels: 0 }
    }

    /// Puts the last entry within a newtype struct.
    fn wrap_last(&mut self, name: &'static str) -> Result<()> {
        let last = self.parts.last_mut().filter(|part| part.len > 0).ok_or(FastPathMiss)?;
        last.len -= 1;
        let node = last.node.split(last.len, last.len + 1);
        let part = Part { kind: last.kind, start: 0, len: 1, node };
        let within = Self { node: Node::Null(0), before: 0, parts: vec![part], keys: Vec::new(), levels: 0 };
        let node = Node::Recorded(Box::new(within));
        self.parts.push(Part { kind: Kind::Newtype(name), start: self.len(), len: 1, node });
        Ok(())
    }
}

/// Values without others in them.
macro_rules! leaves {
    ($($method:ident($value:ident: $kind:ty) $takes:pat, $new:expr, $push:pat => $pushed:expr;)*) => {
        $(#[cold]
        #[inline(never)]
        pub(super) fn $method(&mut self, $value: $kind) -> Result<()> {
            let takes = |node: &Node| matches!(node, $takes);
            match self.recorded()?.next(Kind::Plain, takes, || $new)? {
                $push => $pushed,
                _ => return Err(FastPathMiss),
            }
            Ok(())
        })*
    };
}

/// Values that have others in them, by the node that takes these.
macro_rules! nodes {
    ($($method:ident($($name:ident: $kind:ty),*) -> $node:ty, |$recorded:ident| $body:expr;)*) => {
        $(#[cold]
        #[inline(never)]
        pub(super) fn $method(&mut self, $($name: $kind),*) -> Result<&mut $node> {
            let $recorded = self.recorded()?;
            $body
        })*
    };
}

impl Node {
    /// A node that records all that comes.
    pub(in crate::ser) fn recorder() -> Self {
        Recorded::around(Self::Null(0), 2 * MAX_DEPTH)
    }

    /// This node within one that records.
    fn recorded(&mut self) -> Result<&mut Recorded> {
        RECORDED.set(RECORDED.get().wrapping_add(1));
        if !matches!(self, Self::Recorded(_)) {
            let node = std::mem::replace(self, Self::Null(0));
            *self = Recorded::around(node, 2 * MAX_DEPTH);
        }
        match self {
            Self::Recorded(recorded) => Ok(recorded),
            _ => Err(FastPathMiss),
        }
    }

    leaves! {
        record_bool(value: bool) Node::Boolean(_), Node::Boolean(Vec::new()), Node::Boolean(values) => values.push(value);
        record_int(value: i32) Node::Int { .. }, Node::Int { values: Vec::new(), logical: None },
            Node::Int { values, .. } => values.push(value);
        record_long(value: i64) Node::Long { unsigned: false, .. },
            Node::Long { values: Vec::new(), unsigned: false, logical: None },
            Node::Long { values, .. } => values.push(value);
        record_unsigned(value: u64) Node::Long { unsigned: true, .. },
            Node::Long { values: Vec::new(), unsigned: true, logical: None },
            Node::Long { values, .. } => values.push(value.cast_signed());
        record_i128(value: i128) Node::I128(_), Node::I128(Binaries::default()),
            Node::I128(values) => kept(values.push(&value.to_be_bytes()))?;
        record_u128(value: u128) Node::U128(_), Node::U128(Binaries::default()),
            Node::U128(values) => kept(values.push(&value.to_be_bytes()))?;
        record_float(value: f32) Node::Float(_), Node::Float(Vec::new()), Node::Float(values) => values.push(value);
        record_double(value: f64) Node::Double(_), Node::Double(Vec::new()), Node::Double(values) => values.push(value);
        record_str(value: &str) Node::String(_), Node::String(Strings::default()),
            Node::String(values) => kept(values.push(value))?;
        record_bytes(value: &[u8]) Node::Bytes(_), Node::Bytes(Binaries::default()),
            Node::Bytes(values) => kept(values.push(value))?;
    }

    nodes! {
        record_some() -> Node, |recorded| {
            let list = recorded.optional()?;
            list.offsets.push_one();
            Ok(&mut list.item)
        };
        record_newtype(name: &'static str) -> Node, |recorded| {
            let below = recorded.below()?;
            recorded.next(Kind::Newtype(name), |_| true, below)
        };
        record_newtype_variant(variant: Variant) -> Node, |recorded| {
            let below = recorded.below()?;
            recorded.next(Kind::Variant(variant, Form::NewtypeVariant, 1), |_| true, below)
        };
        record_list() -> List, |recorded| recorded.list(Kind::Plain);
        record_tuple(name: &'static str, len: usize) -> List, |recorded| recorded.list(Kind::Tuple(name, len));
        record_tuple_variant(variant: Variant, len: usize) -> List, |recorded| {
            recorded.list(Kind::Variant(variant, Form::TupleVariant, len))
        };
        record_map() -> Map, |recorded| {
            let below = recorded.below()?;
            let new = || {
                let (key, value) = (below(), below());
                Node::Map(Box::new(Map { offsets: Offsets::default(), is_open: false, key, value }))
            };
            match recorded.next(Kind::Plain, |node| matches!(node, Node::Map(_)), new)? {
                Node::Map(map) => Ok(map),
                _ => Err(FastPathMiss),
            }
        };
        record_struct(name: &'static str, len: usize) -> [Field], |recorded| recorded.fields(Kind::Struct(name), len);
        record_struct_variant(variant: Variant, len: usize) -> [Field], |recorded| {
            recorded.fields(Kind::Variant(variant, Form::StructVariant, 0), len)
        };
    }

    #[cold]
    #[inline(never)]
    pub(super) fn record_none(&mut self) -> Result<()> {
        self.recorded()?.optional()?.offsets.push_empty();
        Ok(())
    }

    #[cold]
    #[inline(never)]
    pub(super) fn record_unit(&mut self) -> Result<()> {
        self.record_nothing(Kind::Unit)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn record_unit_variant(
        &mut self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<()> {
        self.record_nothing(Kind::Variant(Variant { name, index, variant }, Form::Struct, 0))
    }

    /// Records that a field does not come.
    pub(super) fn record_absent(&mut self) -> Result<()> {
        self.record_nothing(Kind::Absent)
    }

    fn record_nothing(&mut self, kind: Kind) -> Result<()> {
        self.recorded()?.next(kind, |_| true, || Self::Null(0))?;
        Ok(())
    }

    /// Says that the next entry is a field of this name, of this entry of a record.
    pub(super) fn record_key(&mut self, entry: usize, key: &'static str) -> Result<()> {
        self.recorded()?.keys.push((entry, key));
        Ok(())
    }

    /// Puts the entry that was recorded last within a newtype struct.
    #[cold]
    pub(super) fn wrap_last(&mut self, name: &'static str) -> Result<()> {
        self.recorded()?.wrap_last(name)
    }
}

fn kept(pushed: bool) -> Result<()> {
    if pushed { Ok(()) } else { Err(FastPathMiss) }
}

/// The name of a field that has not got one yet; known by its address.
static UNNAMED: &str = "unnamed";

impl Field {
    fn unnamed(node: Node) -> Self {
        Self { position: 0, searches: 0, name: Name::Borrowed(UNNAMED), node }
    }

    /// The position of fields that a record of this number of entries lacks. It comes after all fields.
    pub(super) fn spare(entries: usize) -> Self {
        Self { position: entries as u32, ..Self::unnamed(Node::Null(0)) }
    }

    /// Whether it has no name yet.
    pub(super) fn is_unnamed(&self) -> bool {
        std::ptr::eq(&*self.name, UNNAMED)
    }
}

impl Record {
    /// Fields without names, and a spare one.
    fn unnamed(len: usize, below: impl Fn() -> Node) -> Self {
        let fields = std::iter::repeat_with(|| Field::unnamed(below())).take(len);
        Self { fields: fields.chain([Field::spare(0)]).collect(), earlier: false }
    }
}
