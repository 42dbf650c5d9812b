//! Enums: symbols, and variants with data.

use super::Variant;
use super::node::{Field, Node, Record, Rules, is_numbered, split};
use crate::shape::{EnumShape, Form, Name, Shape};
use crate::vector::{UnionVector, Vector};

/// Symbols, found by the number that their variant has in Rust.
pub(in crate::ser) struct Symbols {
    ordinals: Vec<i32>,
    names: Vec<Name>,
    /// The variants seen so far, with their ordinals.
    known: Vec<Option<(&'static str, i32)>>,
}

impl Symbols {
    pub(super) fn new(shape: &EnumShape, ordinals: Vec<i32>) -> Self {
        Self { ordinals, names: shape.symbols.clone(), known: Vec::new() }
    }

    pub(super) fn into_values(self) -> Vec<i32> {
        self.ordinals
    }

    pub(super) fn len(&self) -> usize {
        self.ordinals.len()
    }

    pub(super) fn reserve(&mut self, more: usize) {
        self.ordinals.reserve(more);
    }

    /// Appends a variant; false where it is not one of the symbols.
    #[inline(always)]
    pub(super) fn push(&mut self, index: u32, variant: &'static str) -> bool {
        match self.ordinal(index, variant) {
            Some(ordinal) => {
                self.ordinals.push(ordinal);
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    fn ordinal(&mut self, index: u32, variant: &'static str) -> Option<i32> {
        match self.known.get(index as usize) {
            Some(Some((name, ordinal))) if std::ptr::eq(*name, variant) => Some(*ordinal),
            _ => self.find(index, variant),
        }
    }

    #[cold]
    fn find(&mut self, index: u32, variant: &'static str) -> Option<i32> {
        let ordinal = self.names.iter().position(|name| *name == variant)?;
        // From now on it is the same text in memory.
        *self.names.get_mut(ordinal)? = Name::Borrowed(variant);
        remember(&mut self.known, index, (variant, ordinal as i32));
        Some(ordinal as i32)
    }

    /// The variant of an entry that was pushed.
    pub(super) fn variant(&self, entry: usize) -> Option<&'static str> {
        match self.names.get(*self.ordinals.get(entry)? as usize)? {
            Name::Borrowed(variant) => Some(variant),
            Name::Owned(_) => None,
        }
    }

    /// Takes the entries from a position on out.
    pub(super) fn split(&mut self, at: usize) -> Self {
        let ordinals = split(&mut self.ordinals, at);
        Self { ordinals, names: self.names.clone(), known: Vec::new() }
    }
}

/// Variants, found by the number that they have in Rust.
pub(in crate::ser) struct Union {
    tags: Vec<u16>,
    positions: Vec<u32>,
    branches: Vec<Branch>,
    /// The variants seen so far.
    known: Vec<Option<Known>>,
}

/// A variant with data that has been seen.
#[derive(Clone, Copy)]
struct Known {
    variant: &'static str,
    tag: u16,
    form: Form,
    /// Number of fields of the record.
    fields: usize,
}

impl Known {
    /// Whether the record takes a number of fields in a form.
    #[inline(always)]
    fn takes(&self, form: Form, len: usize) -> bool {
        let is_taken = if form == Form::StructVariant { self.fields > len } else { self.fields == len + 1 };
        self.form == form && is_taken
    }
}

struct Branch {
    /// Number of entries.
    len: u32,
    values: Values,
}

enum Values {
    Symbols(Name, Symbols),
    Variant(Name, Form, Record),
    Other(Vector),
}

impl Union {
    pub(super) fn new(shapes: &[Shape], union: UnionVector, rules: Rules, below: usize) -> Self {
        let branch = |(shape, vector): (&Shape, Vector)| Branch {
            len: vector.len() as u32,
            values: Values::from_shape(shape, vector, rules, below),
        };
        let branches = shapes.iter().zip(union.variants).map(branch).collect();
        Self { tags: union.tags, positions: union.positions, branches, known: Vec::new() }
    }

    pub(super) fn into_vector(self) -> UnionVector {
        let variant = |branch: Branch| match branch.values {
            Values::Symbols(_, symbols) => Vector::Enum(symbols.into_values()),
            Values::Variant(.., record) => Vector::Record(record.into_vector(branch.len as usize)),
            Values::Other(vector) => vector,
        };
        let variants = self.branches.into_iter().map(variant).collect();
        UnionVector { tags: self.tags, positions: self.positions, variants }
    }

    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.tags.len()
    }

    pub(super) fn size(&self) -> usize {
        let size = |branch: &Branch| match &branch.values {
            Values::Symbols(_, symbols) => symbols.len() * 4,
            Values::Variant(.., record) => record.size(),
            Values::Other(vector) => vector.size(),
        };
        self.tags.len() * 6 + self.branches.iter().map(size).sum::<usize>()
    }

    /// The tag of a variant with data, if there is one that takes a number of fields.
    #[inline(always)]
    fn tag(&mut self, variant: Variant, form: Form, len: usize) -> Option<u16> {
        let known = match self.known.get(variant.index as usize) {
            Some(Some(known)) if std::ptr::eq(known.variant, variant.variant) => *known,
            _ => self.find(variant, form)?,
        };
        known.takes(form, len).then_some(known.tag)
    }

    /// Writes a variant without data, which is a symbol of the branch of its enum; false where it is not one of these.
    pub(super) fn push_symbol(&mut self, name: &'static str, index: u32, variant: &'static str) -> bool {
        let is_enum = |branch: &Branch| matches!(&branch.values, Values::Symbols(of, _) if *of == name);
        let Some(tag) = self.branches.iter().position(is_enum) else { return false };
        let Some(Branch { len, values: Values::Symbols(of, symbols) }) = self.branches.get_mut(tag) else {
            return false;
        };
        if !symbols.push(index, variant) {
            return false;
        }
        if matches!(of, Name::Owned(_)) {
            *of = Name::Borrowed(name);
        }
        self.tags.push(tag as u16);
        self.positions.push(*len);
        *len += 1;
        true
    }

    /// Starts an entry of a branch.
    #[inline(always)]
    fn next_of(&mut self, tag: u16) -> Option<&mut [Field]> {
        let branch = self.branches.get_mut(usize::from(tag))?;
        self.tags.push(tag);
        self.positions.push(branch.len);
        branch.len += 1;
        match &mut branch.values {
            Values::Variant(.., record) => Some(&mut record.fields),
            Values::Symbols(..) | Values::Other(_) => None,
        }
    }

    #[cold]
    fn find(&mut self, variant: Variant, form: Form) -> Option<Known> {
        let is = |branch: &Branch| matches!(&branch.values, Values::Variant(name, of, _) if *name == variant.variant && *of == form);
        let tag = self.branches.iter().position(is)?;
        let Values::Variant(name, _, record) = &mut self.branches.get_mut(tag)?.values else { return None };
        // From now on it is the same text in memory.
        *name = Name::Borrowed(variant.variant);
        let fields = record.fields.len();
        let known = Known { variant: variant.variant, tag: tag as u16, form, fields };
        remember(&mut self.known, variant.index, known);
        Some(known)
    }

    /// What was pushed at a position.
    pub(super) fn entry(&self, position: usize) -> Option<UnionEntry<'_>> {
        let branch = self.branches.get(usize::from(*self.tags.get(position)?))?;
        let index = *self.positions.get(position)? as usize;
        match &branch.values {
            Values::Symbols(Name::Borrowed(name), symbols) => {
                Some(UnionEntry::Symbol(name, symbols.variant(index)?))
            }
            Values::Variant(Name::Borrowed(variant), form, record) => {
                Some(UnionEntry::Variant(variant, *form, record, index))
            }
            Values::Symbols(..) | Values::Variant(..) | Values::Other(_) => None,
        }
    }

    /// Takes the entries from a position on out.
    pub(super) fn split(&mut self, at: usize) -> Self {
        let (tags, mut positions) = (split(&mut self.tags, at), split(&mut self.positions, at));
        let mut branches = Vec::with_capacity(self.branches.len());
        for (branch, tag) in self.branches.iter_mut().zip(0u16..) {
            let taken = tags.iter().filter(|of| **of == tag).count() as u32;
            let (start, total) = (branch.len - taken, branch.len as usize);
            for (position, _) in positions.iter_mut().zip(&tags).filter(|(_, of)| **of == tag) {
                *position -= start;
            }
            branch.len = start;
            branches.push(Branch { len: taken, values: branch.values.split(start as usize, total) });
        }
        Self { tags, positions, branches, known: Vec::new() }
    }
}

/// An entry of a union that was pushed.
pub(super) enum UnionEntry<'n> {
    /// An enum and its variant.
    Symbol(&'static str, &'static str),
    /// A variant with data, and the entry of its record.
    Variant(&'static str, Form, &'n Record, usize),
}

/// The fields of the next entry of a variant with data, or the node that does not take it.
#[inline(always)]
pub(super) fn enter(
    node: &mut Node,
    variant: Variant,
    form: Form,
    len: usize,
) -> std::result::Result<&mut [Field], &mut Node> {
    let tag = match &mut *node {
        Node::Union(union) => union.tag(variant, form, len),
        _ => None,
    };
    match (node, tag) {
        (Node::Union(union), Some(tag)) => Ok(union.next_of(tag).unwrap_or_default()),
        (node, _) => Err(node),
    }
}

impl Values {
    fn from_shape(shape: &Shape, vector: Vector, rules: Rules, below: usize) -> Self {
        match (shape, vector, below.checked_sub(1)) {
            (Shape::Enum(shape), Vector::Enum(values), _) => {
                Self::Symbols(shape.name.clone(), Symbols::new(shape, values))
            }
            (Shape::Record(shape), Vector::Record(record), Some(below))
                if shape.form == Form::StructVariant || shape.form.is_variant() && is_numbered(shape) =>
            {
                Self::Variant(shape.name.clone(), shape.form, Record::from_shape(shape, record, rules, below))
            }
            (_, vector, _) => Self::Other(vector),
        }
    }

    fn split(&mut self, at: usize, total: usize) -> Self {
        match self {
            Self::Symbols(name, symbols) => Self::Symbols(name.clone(), symbols.split(at)),
            Self::Variant(name, form, record) => Self::Variant(name.clone(), *form, record.split(at, total)),
            // The fast path pushes nothing there.
            Self::Other(_) => Self::Other(Vector::Null(0)),
        }
    }
}

/// Keeps what is known of the variant of a number.
fn remember<T: Clone>(known: &mut Vec<Option<T>>, index: u32, of: T) {
    /// Variants of higher numbers are searched for each time.
    const KNOWN_VARIANTS_MAX: usize = 1024;
    let index = index as usize;
    if index < KNOWN_VARIANTS_MAX {
        known.resize(known.len().max(index + 1), None);
        if let Some(entry) = known.get_mut(index) {
            *entry = Some(of);
        }
    }
}
