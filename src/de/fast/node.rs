//! The tree that the fast path reads: the vectors of a batch, and what structs have asked for.

use super::hold::{Hold, Owned, Parts, Plant};
use super::named::Named;
use super::record::{self, Record};
use super::union::Union;
use crate::de::plan::{LogicalPlan, OptionalPlan, Plan, RecordPlan};
use crate::de::scalar::{self, FloatsAsked, Scalar, Width, convert};
use crate::logical::Kind;
use crate::vector::{ListVector, MapVector, Vector};

/// Values of one node: a vector for each kind that derived structs usually consist of, of which one has
/// values at most. So one look tells whether a value is of the kind asked for and whether it is there. Numbers
/// that have been asked for as floats of another kind are there as such, too.
pub(crate) struct Node<H: Hold> {
    pub(super) booleans: H::Values<bool>,
    pub(super) ints: H::Values<i32>,
    pub(super) longs: H::Values<i64>,
    /// The bits of `u64`s.
    pub(super) unsigned: H::Values<i64>,
    pub(super) floats: H::Values<f32>,
    pub(super) doubles: H::Values<f64>,
    pub(super) texts: H::Texts,
    pub(super) bytes: H::Bytes,
    /// The fields of a struct or a tuple.
    pub(super) record: Record<H>,
    pub(super) below: Below<H>,
}

/// What the node holds.
pub(super) enum Below<H: Hold> {
    /// No rows.
    Nothing,
    Booleans,
    Ints,
    Longs,
    Unsigned,
    Floats,
    Doubles,
    Texts,
    Bytes,
    Null(usize),
    /// Integers of 128 bits.
    I128(H::Bytes),
    U128(H::Bytes),
    /// Numbers or bytes of a logical type.
    Logical(H::Shared<LogicalPlan>),
    Enum(H::Shared<[String]>, H::Values<i32>),
    /// The record without the fields of the struct.
    Struct(H::Shared<RecordPlan>, H::Record),
    /// As for a struct: all fields.
    Tuple(H::Record),
    Named(Box<Named<H>>),
    /// A variant of an enum: its name, and what it holds.
    Variant(H::Shared<RecordPlan>, Box<Node<H>>),
    List(H::Offsets, Box<Node<H>>),
    Map(H::Offsets, Box<(Node<H>, Node<H>)>),
    Optional(H::Shared<OptionalPlan>, H::Offsets, Box<Node<H>>),
    Union(Box<Union<H>>),
    /// Not read.
    Unread(u32),
}

impl<H: Hold> Node<H> {
    /// A node without rows: all of them miss.
    pub(crate) fn nothing() -> Self {
        Self::holding(Below::Nothing)
    }

    pub(super) fn holding(below: Below<H>) -> Self {
        Self {
            booleans: Default::default(),
            ints: Default::default(),
            longs: Default::default(),
            unsigned: Default::default(),
            floats: Default::default(),
            doubles: Default::default(),
            texts: Default::default(),
            bytes: Default::default(),
            record: Record::default(),
            below,
        }
    }
}

impl<'p, H: Plant<'p>> Node<H> {
    /// The tree for a batch. What has nodes below it is made apart from leaves: so deep trees take less of the stack.
    pub(crate) fn new(plan: &'p Plan, vector: H::Vector) -> Self {
        match (H::parts(vector), plan) {
            (Parts::Record(fields), Plan::Record(plan)) => record::node(plan, fields),
            (Parts::List(offsets, item), Plan::List(plan)) => {
                Self::holding(Below::List(offsets, Self::boxed(plan, item)))
            }
            (Parts::Map(offsets, key, value), Plan::Map(plans)) => Self::map(offsets, plans, key, value),
            (Parts::Optional(offsets, item), Plan::Optional(plan)) => {
                Self::holding(Below::Optional(H::share(plan), offsets, Self::boxed(&plan.item, item)))
            }
            (Parts::Union(tags, positions, branches), Plan::Union(plan)) => {
                Self::holding(Below::Union(Box::new(Union::new(plan, tags, positions, branches))))
            }
            (parts, plan) => Self::leaf(plan, parts),
        }
    }

    fn boxed(plan: &'p Plan, vector: H::Vector) -> Box<Self> {
        Box::new(Self::new(plan, vector))
    }

    fn map(offsets: H::Offsets, plans: &'p (Plan, Plan), key: H::Vector, value: H::Vector) -> Self {
        let entry = (Self::new(&plans.0, key), Self::new(&plans.1, value));
        Self::holding(Below::Map(offsets, Box::new(entry)))
    }

    fn leaf(plan: &'p Plan, parts: Parts<H>) -> Self {
        let node = Self::holding;
        match (parts, plan) {
            (Parts::Booleans(booleans), _) => Self { booleans, ..node(Below::Booleans) },
            (Parts::Ints(ints), Plan::Number(asked)) => Self { ints, ..node(Below::Ints) }.with_floats(asked),
            (Parts::Longs(longs), Plan::Number(asked)) => {
                Self { longs, ..node(Below::Longs) }.with_floats(asked)
            }
            (Parts::Longs(unsigned), Plan::U64(asked)) => {
                Self { unsigned, ..node(Below::Unsigned) }.with_floats(asked)
            }
            (Parts::Ints(ints), Plan::Logical(plan)) => {
                Self { ints, ..node(Below::Logical(H::share(plan))) }.with_floats(&plan.floats)
            }
            (Parts::Longs(longs), Plan::Logical(plan)) => {
                Self { longs, ..node(Below::Logical(H::share(plan))) }.with_floats(&plan.floats)
            }
            (Parts::Bytes(bytes), Plan::Logical(plan)) => {
                Self { bytes, ..node(Below::Logical(H::share(plan))) }.with_floats(&plan.floats)
            }
            (Parts::Floats(floats), Plan::Number(asked)) => {
                Self { floats, ..node(Below::Floats) }.with_floats(asked)
            }
            (Parts::Doubles(doubles), Plan::Number(asked)) => {
                Self { doubles, ..node(Below::Doubles) }.with_floats(asked)
            }
            (Parts::Texts(texts), _) => Self { texts, ..node(Below::Texts) },
            (Parts::Bytes(bytes), Plan::I128) => node(Below::I128(bytes)),
            (Parts::Bytes(bytes), Plan::U128) => node(Below::U128(bytes)),
            (Parts::Bytes(bytes), _) => Self { bytes, ..node(Below::Bytes) },
            (Parts::Null(len), _) => node(Below::Null(len)),
            (Parts::Enum(ordinals), Plan::Enum(symbols)) => node(Below::Enum(H::share(symbols), ordinals)),
            (Parts::Unread(id), _) => node(Below::Unread(id)),
            // A plan of another form: there is no entry.
            _ => Self::nothing(),
        }
    }
}

impl<H: Hold> Node<H> {
    /// The numbers with the floats that have been asked for.
    fn with_floats(mut self, asked: &FloatsAsked) -> Self {
        if asked.has(Width::Double)
            && let Some(doubles) = self.floats_of(Scalar::as_f64)
        {
            self.doubles = doubles.into();
        }
        if asked.has(Width::Single)
            && let Some(floats) = self.floats_of(Scalar::as_f32)
        {
            self.floats = floats.into();
        }
        self
    }

    fn floats_of<F>(&self, as_float: impl Fn(Scalar) -> Option<F>) -> Option<Vec<F>> {
        match &self.below {
            Below::Ints => convert(&self.ints, |value| as_float(Scalar::Int(value))),
            Below::Longs => convert(&self.longs, |value| as_float(Scalar::Long(value))),
            Below::Unsigned => {
                convert(&self.unsigned, |value| as_float(Scalar::Unsigned(value.cast_unsigned())))
            }
            Below::Floats => convert(&self.floats, |value| as_float(Scalar::Float(value))),
            Below::Doubles => convert(&self.doubles, |value| as_float(Scalar::Double(value))),
            Below::Logical(plan) => match plan.texts.kind() {
                Kind::Int => convert(&self.ints, |value| as_float(Scalar::Int(value))),
                Kind::Long => convert(&self.longs, |value| as_float(Scalar::Long(value))),
                Kind::Bytes => (0..)
                    .map_while(|index| H::bytes(&self.bytes, index))
                    .map(|bytes| as_float(Scalar::Double(scalar::double(plan.texts, bytes)?)))
                    .collect(),
            },
            _ => None,
        }
    }
}

impl Node<Owned> {
    /// Gives the batch back.
    pub(super) fn release(self) -> Vector {
        let list = |offsets, item: Box<Self>| Box::new(ListVector::new(offsets, item.release()));
        match self.below {
            Below::Nothing => Vector::Null(0),
            Below::Booleans => Vector::Boolean(self.booleans),
            Below::Ints => Vector::Int(self.ints),
            Below::Longs => Vector::Long(self.longs),
            Below::Unsigned => Vector::Long(self.unsigned),
            Below::Floats => Vector::Float(self.floats),
            Below::Doubles => Vector::Double(self.doubles),
            Below::Texts => Vector::String(self.texts),
            Below::Bytes => Vector::Bytes(self.bytes),
            Below::Logical(plan) => match plan.texts.kind() {
                Kind::Int => Vector::Int(self.ints),
                Kind::Long => Vector::Long(self.longs),
                Kind::Bytes => Vector::Bytes(self.bytes),
            },
            Below::Null(len) => Vector::Null(len),
            Below::I128(bytes) | Below::U128(bytes) => Vector::Bytes(bytes),
            Below::Enum(_, ordinals) => Vector::Enum(ordinals),
            Below::Struct(plan, rest) => Vector::Record(self.record.release(plan.places(), rest)),
            Below::Tuple(rest) => Vector::Record(self.record.release(0u32.., rest)),
            Below::Named(fields) => Vector::Record(fields.release()),
            Below::Variant(_, record) => record.release(),
            Below::List(offsets, item) => Vector::List(list(offsets, item)),
            Below::Map(offsets, entry) => {
                let (key, value) = (entry.0.release(), entry.1.release());
                Vector::Map(Box::new(MapVector { offsets, key, value }))
            }
            Below::Optional(_, offsets, item) => Vector::Optional(list(offsets, item)),
            Below::Union(union) => Vector::Union(union.release()),
            Below::Unread(node) => Vector::Unread(node),
        }
    }
}
