//! The vectors of some rows as one tree, with what there is to know of their shape.

use super::logical::StringStruct;
use super::recorded::Recorded;
use super::union::{Symbols, Union};
use crate::logical::Texts;
use crate::shape::{Form, MAX_DEPTH, Name, Null, RecordShape, Shape, TUPLE_FIELDS};
use crate::vector::{Binaries, ListVector, MapVector, Offsets, RecordVector, Strings, Vector};

/// A node of a shape with its values. Records are not counted: there are as many as the node above needs.
pub(in crate::ser) enum Node {
    Null(usize),
    Boolean(Vec<bool>),
    Int {
        values: Vec<i32>,
        logical: Option<Box<Logical>>,
    },
    Long {
        values: Vec<i64>,
        /// Whether the values are the bits of `u64`.
        unsigned: bool,
        logical: Option<Box<Logical>>,
    },
    /// Numbers that are marked as those of a logical type: it takes only these.
    Marked(Box<Marked>),
    /// A logical type that is stored as bytes.
    Logical(Box<LogicalBytes>),
    I128(Binaries),
    U128(Binaries),
    Float(Vec<f32>),
    Double(Vec<f64>),
    String(Strings),
    /// Strings, each the only field of a struct.
    StringStruct(Box<StringStruct>),
    Bytes(Binaries),
    Enum(Box<Symbols>),
    /// A struct.
    Record(Record),
    /// A tuple, its fields in order.
    Tuple(Record),
    List(Box<List>),
    Map(Box<Map>),
    Optional(Box<Optional>),
    Union(Box<Union>),
    /// What only the slow path writes.
    Other(Box<Vector>),
    /// A node that got something else in this row.
    Recorded(Box<Recorded>),
}

/// The logical type of numbers, which takes strings too.
pub(in crate::ser) struct Logical {
    pub(super) texts: Texts,
    /// The name of newtype structs around its numbers.
    pub(super) mark: &'static str,
}

/// Numbers of a logical type.
pub(in crate::ser) struct Marked {
    /// The name of newtype structs around its numbers.
    pub(super) mark: &'static str,
    /// The numbers.
    pub(super) numbers: Node,
}

impl Logical {
    /// `None` where strings are not taken.
    fn wanted(shape: &Shape, rules: Rules) -> Option<Box<Self>> {
        if rules.texts { Self::from_shape(shape) } else { None }
    }

    fn from_shape(shape: &Shape) -> Option<Box<Self>> {
        let Shape::Logical(logical) = shape else {
            return None;
        };
        let texts = Texts::from_shape(logical)?;
        Some(Box::new(Self { texts, mark: texts.mark() }))
    }
}

/// A logical type that is stored as bytes, of a number that is always the same where there is one.
pub(in crate::ser) struct LogicalBytes {
    pub(super) texts: Texts,
    pub(super) size: Option<usize>,
    pub(super) values: Binaries,
}

/// What values may do to the shape.
#[derive(Clone, Copy)]
pub(in crate::ser) struct Rules {
    /// Whether it may grow.
    pub(in crate::ser) grow: bool,
    /// Whether logical types are wanted, so that they take strings of their values.
    pub(in crate::ser) texts: bool,
    /// Whether numbers of logical types are plain ones to rows.
    pub(in crate::ser) stored: bool,
}

pub(in crate::ser) struct Record {
    /// The fields, and a spare one.
    pub(super) fields: Vec<Field>,
    /// See [`RecordVector`].
    pub(super) earlier: bool,
}

pub(in crate::ser) struct Field {
    /// The position in the shape. Here, the fields have the order of the rows. The spare one of a record without fields
    /// has the number of entries.
    pub(super) position: u32,
    /// How often another field was searched for here.
    pub(super) searches: u32,
    pub(super) name: Name,
    pub(super) node: Node,
}

pub(in crate::ser) struct List {
    pub(super) offsets: Offsets,
    pub(super) item: Node,
}

pub(in crate::ser) struct Map {
    pub(super) offsets: Offsets,
    /// Whether the number of entries of one was not known before they came.
    pub(super) is_open: bool,
    pub(super) key: Node,
    pub(super) value: Node,
}

pub(in crate::ser) struct Optional {
    pub(super) offsets: Offsets,
    /// What null means.
    pub(super) null: Null,
    pub(super) item: Node,
}

impl Map {
    fn split(&mut self, at: usize) -> Self {
        let total = self.offsets.total();
        let offsets = split_lists(&mut self.offsets, at);
        let start = self.offsets.total();
        let (key, value) = (self.key.split(start, total), self.value.split(start, total));
        Self { offsets, is_open: self.is_open, key, value }
    }
}

impl Optional {
    /// Whether null says that a field is not there, and the rest may be null too.
    #[inline(always)]
    pub(super) fn is_nested(&self) -> bool {
        self.null == Null::Absent
            && matches!(self.item, Node::Optional(_) | Node::Null(_) | Node::Recorded(_))
    }
}

impl Node {
    /// Takes the vector of a shape.
    pub(in crate::ser) fn new(shape: &Shape, vector: Vector, rules: Rules) -> Self {
        Self::at(shape, vector, rules, MAX_DEPTH)
    }

    /// A node with at most `levels` of nodes that hold others.
    pub(super) fn at(shape: &Shape, vector: Vector, rules: Rules, levels: usize) -> Self {
        let below = levels.checked_sub(1);
        if !rules.texts
            && !rules.stored
            && let Some(logical) = Logical::from_shape(shape)
            && let Vector::Int(_) | Vector::Long(_) = vector
        {
            let numbers = Self::at(shape.storage(), vector, rules, levels);
            return Self::Marked(Box::new(Marked { mark: logical.mark, numbers }));
        }
        let is_bytes = matches!(shape.storage(), Shape::Bytes | Shape::Fixed(_));
        let logical = if rules.texts && is_bytes { Logical::from_shape(shape) } else { None };
        let vector = match (vector, logical) {
            (Vector::Bytes(values), Some(logical)) => {
                let size = if let Shape::Fixed(fixed) = shape.storage() { Some(fixed.size) } else { None };
                return Self::Logical(Box::new(LogicalBytes { texts: logical.texts, size, values }));
            }
            (vector, _) => vector,
        };
        match (shape.storage(), vector, below) {
            (Shape::Null, Vector::Null(len), _) => Self::Null(len),
            (Shape::Boolean, Vector::Boolean(values), _) => Self::Boolean(values),
            (Shape::Int, Vector::Int(values), _) => {
                Self::Int { values, logical: Logical::wanted(shape, rules) }
            }
            (Shape::Long, Vector::Long(values), _) => {
                Self::Long { values, unsigned: false, logical: Logical::wanted(shape, rules) }
            }
            (Shape::U64, Vector::Long(values), _) => Self::Long { values, unsigned: true, logical: None },
            (Shape::I128, Vector::Bytes(values), _) => Self::I128(values),
            (Shape::U128, Vector::Bytes(values), _) => Self::U128(values),
            (Shape::Float, Vector::Float(values), _) => Self::Float(values),
            (Shape::Double, Vector::Double(values), _) => Self::Double(values),
            (Shape::String, Vector::String(values), _) => Self::String(values),
            (Shape::Bytes, Vector::Bytes(values), _) => Self::Bytes(values),
            (Shape::Enum(shape), Vector::Enum(all), _) => Self::Enum(Box::new(Symbols::new(shape, all))),
            (Shape::Record(shape), Vector::Record(vector), Some(below)) if shape.form == Form::Struct => {
                Self::Record(Record::from_shape(shape, vector, rules, below))
            }
            (Shape::Record(shape), Vector::Record(vector), Some(below))
                if shape.form == Form::Tuple && is_numbered(shape) =>
            {
                Self::Tuple(Record::from_shape(shape, vector, rules, below))
            }
            (Shape::List(shape), Vector::List(list), Some(below)) => {
                let ListVector { offsets, item } = *list;
                Self::List(Box::new(List { offsets, item: Self::at(shape, item, rules, below) }))
            }
            (Shape::Map(shape), Vector::Map(map), Some(below)) => {
                let MapVector { offsets, key, value } = *map;
                let key = Self::at(&shape.key, key, rules, below);
                let value = Self::at(&shape.value, value, rules, below);
                Self::Map(Box::new(Map { offsets, is_open: false, key, value }))
            }
            (Shape::Optional(shape), Vector::Optional(list), Some(below)) => {
                let ListVector { offsets, item } = *list;
                let item = Self::at(&shape.item, item, rules, below);
                Self::Optional(Box::new(Optional { offsets, null: shape.null, item }))
            }
            // Variants find the branches of a union that was given by other rules.
            (Shape::Union(shapes), Vector::Union(union), Some(below)) if rules.grow => {
                Self::Union(Box::new(Union::new(shapes, union, rules, below)))
            }
            (_, vector, _) => Self::Other(Box::new(vector)),
        }
    }

    /// Gives the vector back; `len` is the number of its entries.
    pub(in crate::ser) fn into_vector(self, len: usize) -> Vector {
        match self {
            Self::Null(_) => Vector::Null(len),
            Self::Boolean(values) => Vector::Boolean(values),
            Self::Int { values, .. } => Vector::Int(values),
            Self::Long { values, .. } => Vector::Long(values),
            Self::Float(values) => Vector::Float(values),
            Self::Double(values) => Vector::Double(values),
            Self::String(values) => Vector::String(values),
            Self::StringStruct(string) => string.into_node().into_vector(len),
            Self::Bytes(values) | Self::I128(values) | Self::U128(values) => Vector::Bytes(values),
            Self::Logical(logical) => Vector::Bytes(logical.values),
            Self::Marked(marked) => marked.numbers.into_vector(len),
            Self::Enum(symbols) => Vector::Enum(symbols.into_values()),
            Self::Record(record) | Self::Tuple(record) => Vector::Record(record.into_vector(len)),
            Self::List(list) => Vector::List(list_vector(list.offsets, list.item)),
            Self::Optional(list) => Vector::Optional(list_vector(list.offsets, list.item)),
            Self::Map(map) => {
                let total = map.offsets.total();
                let (key, value) = (map.key.into_vector(total), map.value.into_vector(total));
                Vector::Map(Box::new(MapVector { offsets: map.offsets, key, value }))
            }
            Self::Union(union) => Vector::Union(union.into_vector()),
            Self::Other(vector) => *vector,
            Self::Recorded(recorded) => recorded.node.into_vector(len),
        }
    }

    /// Takes the entries from a position on out, of a number of entries. What is recorded goes with them.
    pub(in crate::ser) fn split(&mut self, at: usize, total: usize) -> Self {
        match self {
            Self::Null(_) | Self::Other(_) => Self::Null(0),
            Self::Boolean(values) => Self::Boolean(split(values, at)),
            Self::Int { values, .. } => Self::Int { values: split(values, at), logical: None },
            Self::Long { values, unsigned, .. } => {
                Self::Long { values: split(values, at), unsigned: *unsigned, logical: None }
            }
            Self::Float(values) => Self::Float(split(values, at)),
            Self::Double(values) => Self::Double(split(values, at)),
            Self::String(values) => Self::String(split_texts(values, at)),
            // Strings alone are written alike.
            Self::StringStruct(string) => string.node_mut().split(at, total),
            Self::Bytes(values) => Self::Bytes(split_bytes(values, at)),
            Self::Marked(marked) => {
                let numbers = marked.numbers.split(at, total);
                Self::Marked(Box::new(Marked { mark: marked.mark, numbers }))
            }
            Self::Logical(logical) => Self::Bytes(split_bytes(&mut logical.values, at)),
            Self::I128(values) => Self::I128(split_bytes(values, at)),
            Self::U128(values) => Self::U128(split_bytes(values, at)),
            Self::Enum(symbols) => Self::Enum(Box::new(symbols.split(at))),
            Self::Record(record) => Self::Record(record.split(at, total)),
            Self::Tuple(record) => Self::Tuple(record.split(at, total)),
            Self::List(list) => {
                let total = list.offsets.total();
                let offsets = split_lists(&mut list.offsets, at);
                let item = list.item.split(list.offsets.total(), total);
                Self::List(Box::new(List { offsets, item }))
            }
            Self::Optional(list) => {
                let (total, null) = (list.offsets.total(), list.null);
                let offsets = split_lists(&mut list.offsets, at);
                let item = list.item.split(list.offsets.total(), total);
                Self::Optional(Box::new(Optional { offsets, null, item }))
            }
            Self::Map(map) => Self::Map(Box::new(map.split(at))),
            Self::Union(union) => Self::Union(Box::new(union.split(at))),
            Self::Recorded(recorded) => {
                let split = recorded.split(at, total);
                *self = std::mem::replace(&mut recorded.node, Self::Null(0));
                Self::Recorded(Box::new(split))
            }
        }
    }

    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Null(len) => *len,
            Self::Boolean(values) => values.len(),
            Self::Int { values, .. } => values.len(),
            Self::Long { values, .. } => values.len(),
            Self::Float(values) => values.len(),
            Self::Double(values) => values.len(),
            Self::String(values) => values.len(),
            Self::StringStruct(string) => string.node().len(),
            Self::Bytes(values) | Self::I128(values) | Self::U128(values) => values.len(),
            Self::Logical(logical) => logical.values.len(),
            Self::Marked(marked) => marked.numbers.len(),
            Self::Enum(symbols) => symbols.len(),
            Self::Record(record) | Self::Tuple(record) => match record.fields.as_slice() {
                [first, _, ..] => first.node.len(),
                [spare] => spare.position as usize,
                [] => 0,
            },
            Self::List(list) => list.offsets.len(),
            Self::Map(map) => map.offsets.len(),
            Self::Optional(list) => list.offsets.len(),
            Self::Union(union) => union.len(),
            Self::Other(vector) => vector.len(),
            Self::Recorded(recorded) => recorded.node.len() + recorded.len(),
        }
    }

    /// As [`Vector::size`].
    pub(in crate::ser) fn size(&self) -> usize {
        match self {
            Self::Null(_) => 0,
            Self::Boolean(values) => values.len(),
            Self::Int { values, .. } => values.len() * 4,
            Self::Long { values, .. } => values.len() * 8,
            Self::Float(values) => values.len() * 4,
            Self::Double(values) => values.len() * 8,
            Self::String(values) => values.data().len() + values.len() * 8,
            Self::StringStruct(string) => string.node().size(),
            Self::Bytes(values) | Self::I128(values) | Self::U128(values) => {
                values.data().len() + values.len() * 8
            }
            Self::Enum(symbols) => symbols.len() * 4,
            Self::Record(record) | Self::Tuple(record) => record.size(),
            Self::List(list) => list.offsets.len() * 4 + list.item.size(),
            Self::Optional(list) => list.offsets.len() * 4 + list.item.size(),
            Self::Map(map) => map.offsets.len() * 4 + map.key.size() + map.value.size(),
            Self::Union(union) => union.size(),
            Self::Logical(logical) => logical.values.data().len() + logical.values.len() * 8,
            Self::Marked(marked) => marked.numbers.size(),
            Self::Other(vector) => vector.size(),
            Self::Recorded(recorded) => recorded.node.size(),
        }
    }

    /// Makes room for more entries, but not for values of lists, as their number is not known.
    pub(in crate::ser) fn reserve(&mut self, more: usize) {
        match self {
            Self::Null(_) | Self::Union(_) | Self::Other(_) | Self::Recorded(_) => {}
            Self::Boolean(values) => values.reserve(more),
            Self::Int { values, .. } => values.reserve(more),
            Self::Long { values, .. } => values.reserve(more),
            Self::Float(values) => values.reserve(more),
            Self::Double(values) => values.reserve(more),
            Self::String(values) => values.reserve(more),
            Self::StringStruct(string) => string.node_mut().reserve(more),
            Self::Bytes(values) | Self::I128(values) | Self::U128(values) => values.reserve(more),
            Self::Logical(logical) => logical.values.reserve(more),
            Self::Marked(marked) => marked.numbers.reserve(more),
            Self::Enum(symbols) => symbols.reserve(more),
            Self::Record(record) | Self::Tuple(record) => {
                record.fields.iter_mut().for_each(|field| field.node.reserve(more));
            }
            Self::List(list) => list.offsets.reserve(more),
            Self::Map(map) => map.offsets.reserve(more),
            Self::Optional(list) => {
                list.offsets.reserve(more);
                list.item.reserve(more);
            }
        }
    }
}

fn list_vector(offsets: Offsets, item: Node) -> Box<ListVector> {
    let item = item.into_vector(offsets.total());
    Box::new(ListVector::new(offsets, item))
}

impl Record {
    pub(super) fn from_shape(shape: &RecordShape, vector: RecordVector, rules: Rules, below: usize) -> Self {
        let fields =
            shape.fields.iter().zip(vector.fields).zip(0..).map(|((field, vector), position)| Field {
                position,
                searches: 0,
                name: field.name.clone(),
                node: Node::at(&field.shape, vector, rules, below),
            });
        let fields = fields.chain([Field::spare(vector.len)]).collect();
        Self { fields, earlier: vector.earlier }
    }

    pub(super) fn into_vector(mut self, len: usize) -> RecordVector {
        self.fields.pop();
        let mut fields: Vec<Vector> = self.fields.iter().map(|_| Vector::Null(0)).collect();
        for field in self.fields {
            if let Some(place) = fields.get_mut(field.position as usize) {
                *place = field.node.into_vector(len);
            }
        }
        RecordVector { len, earlier: self.earlier, fields }
    }

    pub(super) fn size(&self) -> usize {
        self.fields.iter().map(|field| field.node.size()).sum()
    }

    /// Takes the entries from a position on out, of a number of entries.
    pub(super) fn split(&mut self, at: usize, total: usize) -> Self {
        let mut fields = Vec::with_capacity(self.fields.len());
        for Field { position, searches, name, node } in &mut self.fields {
            let (position, searches, name) = (*position, *searches, name.clone());
            fields.push(Field { position, searches, name, node: node.split(at, total) });
        }
        if let Some(Field { node: Node::Recorded(spare), .. }) = fields.last_mut() {
            // It has only what is recorded, however many entries the fields have.
            spare.before = 0;
            spare.keys.iter_mut().for_each(|(entry, _)| *entry -= at);
        }
        Self { fields, earlier: self.earlier }
    }
}

/// Takes the values from a position on out.
pub(super) fn split<T>(values: &mut Vec<T>, at: usize) -> Vec<T> {
    values.split_off(at.min(values.len()))
}

/// Takes the lists from a position on out.
fn split_lists(offsets: &mut Offsets, at: usize) -> Offsets {
    let mut tail = Offsets::default();
    let lengths: Vec<u32> = offsets.lengths().skip(at).collect();
    let _ = lengths.into_iter().all(|length| tail.push_length(length));
    offsets.truncate(at);
    tail
}

fn split_bytes(values: &mut Binaries, at: usize) -> Binaries {
    let mut tail = Binaries::default();
    // There is room for what a batch had room for.
    let _ = tail.extend_from(values, at..values.len());
    values.truncate(at);
    tail
}

fn split_texts(values: &mut Strings, at: usize) -> Strings {
    let mut tail = Strings::default();
    // There is room for what a batch had room for.
    let _ = tail.extend_from(values, at..values.len());
    values.truncate(at);
    tail
}

/// Whether the fields are numbered in order, as they are where the shape was not given.
pub(super) fn is_numbered(shape: &RecordShape) -> bool {
    shape.fields.len() <= TUPLE_FIELDS.len()
        && shape.fields.iter().zip(TUPLE_FIELDS).all(|(field, name)| field.name == name)
}
