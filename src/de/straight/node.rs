//! The tree that rows are read from straight: the vectors of a batch, and what structs have asked for.

use super::named::Named;
use crate::de::plan::{Plan, RecordPlan, Straightness};
use crate::vector::{Binaries, ListVector, Offsets, RecordVector, Strings, Vector};
use std::cell::Cell;

/// Values of one node: a vector for each kind, of which one has values at most. So one look tells whether
/// a value is of the kind asked for and whether it is there.
pub(crate) struct Node {
    pub(super) booleans: Vec<bool>,
    pub(super) ints: Vec<i32>,
    pub(super) longs: Vec<i64>,
    /// Of columns whose longs are the bits of a `u64`.
    pub(super) unsigned: Vec<u64>,
    pub(super) floats: Vec<f32>,
    pub(super) doubles: Vec<f64>,
    pub(super) texts: Strings,
    pub(super) bytes: Binaries,
    /// The fields of a struct or a tuple.
    pub(super) record: Record,
    pub(super) below: Below,
}

/// What the node holds.
pub(super) enum Below {
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
    /// The record without the fields.
    Struct(RecordVector),
    Named(Box<Named>),
    /// As for a struct.
    Tuple(RecordVector),
    List(Offsets, Box<Node>),
    Optional(Offsets, Box<Node>),
    Other(Box<Other>),
}

/// The fields of a struct or a tuple.
#[derive(Default)]
pub(super) struct Record {
    /// The names of a struct's fields, known by their address.
    names: Cell<&'static [&'static str]>,
    nodes: Vec<Node>,
}

/// What is read the general way.
pub(super) struct Other {
    pub(super) plan: Plan,
    pub(super) vector: Vector,
}

impl Below {
    fn other(plan: &mut Plan, vector: Vector) -> Self {
        let plan = std::mem::replace(plan, Plan::Plain);
        Self::Other(Box::new(Other { plan, vector }))
    }
}

impl Node {
    /// A node without rows: all of them stray.
    pub(crate) fn nothing() -> Self {
        Self::holding(Below::Nothing)
    }

    fn holding(below: Below) -> Self {
        Self {
            booleans: Vec::new(),
            ints: Vec::new(),
            longs: Vec::new(),
            unsigned: Vec::new(),
            floats: Vec::new(),
            doubles: Vec::new(),
            texts: Strings::default(),
            bytes: Binaries::default(),
            record: Record::default(),
            below,
        }
    }

    /// Takes a batch over, and those parts of the plan that are needed for what is read the general way.
    pub(crate) fn of(plan: &mut Plan, vector: Vector) -> Self {
        let below = match (vector, &mut *plan) {
            (Vector::Boolean(booleans), _) => return Self { booleans, ..Self::holding(Below::Booleans) },
            (Vector::Int(ints), _) => return Self { ints, ..Self::holding(Below::Ints) },
            (Vector::Long(longs), Plan::Plain) => return Self { longs, ..Self::holding(Below::Longs) },
            (Vector::Long(values), Plan::U64) => {
                let unsigned = values.into_iter().map(i64::cast_unsigned).collect();
                return Self { unsigned, ..Self::holding(Below::Unsigned) };
            }
            (Vector::Float(floats), _) => return Self { floats, ..Self::holding(Below::Floats) },
            (Vector::Double(doubles), _) => return Self { doubles, ..Self::holding(Below::Doubles) },
            (Vector::String(texts), _) => return Self { texts, ..Self::holding(Below::Texts) },
            (Vector::Bytes(bytes), Plan::Plain) => return Self { bytes, ..Self::holding(Below::Bytes) },
            (Vector::Null(len), _) => Below::Null(len),
            (Vector::List(list), Plan::List(plan)) => {
                Below::List(list.offsets, Box::new(Self::of(plan, list.item)))
            }
            (Vector::Optional(list), Plan::Optional(plan)) => {
                Below::Optional(list.offsets, Box::new(Self::of(&mut plan.item, list.item)))
            }
            (Vector::Record(mut vector), Plan::Record(fields)) => match fields.straightness() {
                Some(Straightness::Struct(names)) => {
                    let record = Record::of(fields, names, names.len(), &mut vector);
                    return Self { record, ..Self::holding(Below::Struct(vector)) };
                }
                Some(Straightness::Tuple) => {
                    let record = Record::of(fields, &[], usize::MAX, &mut vector);
                    return Self { record, ..Self::holding(Below::Tuple(vector)) };
                }
                Some(Straightness::Named(names, places)) => {
                    Below::Named(Box::new(Named::of(fields, names, places, vector)))
                }
                None => Below::other(plan, Vector::Record(vector)),
            },
            (vector, _) => Below::other(plan, vector),
        };
        Self::holding(below)
    }

    /// Gives the batch and the parts of the plan back.
    pub(crate) fn release(self, plan: &mut Plan) -> Vector {
        let list = |offsets, item: Box<Self>, plan| Box::new(ListVector::new(offsets, item.release(plan)));
        match (self.below, &mut *plan) {
            (Below::Booleans, _) => Vector::Boolean(self.booleans),
            (Below::Ints, _) => Vector::Int(self.ints),
            (Below::Longs, _) => Vector::Long(self.longs),
            (Below::Unsigned, _) => Vector::Long(self.unsigned.into_iter().map(u64::cast_signed).collect()),
            (Below::Floats, _) => Vector::Float(self.floats),
            (Below::Doubles, _) => Vector::Double(self.doubles),
            (Below::Texts, _) => Vector::String(self.texts),
            (Below::Bytes, _) => Vector::Bytes(self.bytes),
            (Below::List(offsets, item), Plan::List(plan)) => Vector::List(list(offsets, item, plan)),
            (Below::Optional(offsets, item), Plan::Optional(plan)) => {
                Vector::Optional(list(offsets, item, &mut plan.item))
            }
            (Below::Struct(rest) | Below::Tuple(rest), Plan::Record(plan)) => {
                Vector::Record(self.record.release(plan, rest))
            }
            (Below::Named(fields), Plan::Record(plan)) => Vector::Record(fields.release(plan)),
            (Below::Other(other), plan) => {
                *plan = other.plan;
                other.vector
            }
            (Below::Null(len), _) => Vector::Null(len),
            (Below::Nothing, _) => Vector::Null(0),
            // A plan of another form: there is none.
            (
                Below::List(..) | Below::Optional(..) | Below::Struct(_) | Below::Named(_) | Below::Tuple(_),
                _,
            ) => Vector::Null(0),
        }
    }

    /// Whether this is read the general way altogether.
    pub(crate) fn is_other(&self) -> bool {
        matches!(self.below, Below::Other(_))
    }
}

impl Record {
    /// Takes the first fields of a record.
    fn of(
        plan: &mut RecordPlan,
        names: &'static [&'static str],
        count: usize,
        record: &mut RecordVector,
    ) -> Self {
        let taken = record.fields.drain(..count.min(record.fields.len()));
        let nodes = plan.fields.iter_mut().zip(taken);
        let nodes = nodes.map(|(field, vector)| Node::of(&mut field.plan, vector)).collect();
        Self { names: Cell::new(names), nodes }
    }

    /// Gives them back to the rest of the record.
    fn release(self, plan: &mut RecordPlan, mut rest: RecordVector) -> RecordVector {
        let nodes = plan.fields.iter_mut().zip(self.nodes);
        rest.fields.splice(..0, nodes.map(|(field, node)| node.release(&mut field.plan)));
        rest
    }

    /// All fields.
    #[inline(always)]
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The fields of a struct, if its list of names is known by its address. So it is that of this node and
    /// of no other kind of node; but empty lists all have the same.
    #[inline(always)]
    pub(super) fn of_known(&self, names: &'static [&'static str]) -> Option<&[Node]> {
        if names.is_empty() || self.names.get().as_ptr() != names.as_ptr() || self.nodes.len() != names.len()
        {
            return None;
        }
        // Known to the compiler to have as many as the struct has fields.
        self.nodes.get(..names.len())
    }

    /// The fields of a struct whose list of names is a copy of the one that is known: the compiler may make
    /// several.
    pub(super) fn of_equal(&self, names: &'static [&'static str]) -> Option<&[Node]> {
        if self.names.get() != names {
            return None;
        }
        self.names.set(names);
        Some(&self.nodes)
    }
}
