//! Enums: symbols, and variants with data.

use super::node::{Field, Record, Rules, is_numbered};
use super::{FastPathMiss, Result};
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
    pub(super) fn of(shape: &EnumShape, ordinals: Vec<i32>) -> Self {
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

    #[inline(always)]
    pub(super) fn push(&mut self, index: u32, variant: &'static str) -> Result<()> {
        let ordinal = match self.known.get(index as usize) {
            Some(Some((name, ordinal))) if std::ptr::eq(*name, variant) => *ordinal,
            _ => self.find(index, variant)?,
        };
        self.ordinals.push(ordinal);
        Ok(())
    }

    #[cold]
    fn find(&mut self, index: u32, variant: &'static str) -> Result<i32> {
        let ordinal = self.names.iter().position(|name| *name == variant).ok_or(FastPathMiss)? as i32;
        remember(&mut self.known, index, (variant, ordinal));
        Ok(ordinal)
    }
}

/// Variants, found by the number that they have in Rust.
pub(in crate::ser) struct Union {
    tags: Vec<u16>,
    positions: Vec<u32>,
    branches: Vec<Branch>,
    /// The variants seen so far, with their tags.
    known: Vec<Option<(&'static str, u16)>>,
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
    pub(super) fn of(shapes: &[Shape], union: UnionVector, rules: Rules, below: usize) -> Self {
        let branch = |(shape, vector): (&Shape, Vector)| Branch {
            len: vector.len() as u32,
            values: Values::of(shape, vector, rules, below),
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

    pub(super) fn size(&self) -> usize {
        let size = |branch: &Branch| match &branch.values {
            Values::Symbols(_, symbols) => symbols.len() * 4,
            Values::Variant(.., record) => record.size(),
            Values::Other(vector) => vector.size(),
        };
        self.tags.len() * 6 + self.branches.iter().map(size).sum::<usize>()
    }

    /// The fields of a variant's next entry.
    #[inline(always)]
    pub(super) fn enter(&mut self, index: u32, variant: &'static str, form: Form) -> Result<&mut [Field]> {
        let tag = match self.known.get(index as usize) {
            Some(Some((name, tag))) if std::ptr::eq(*name, variant) => *tag,
            _ => self.find(index, variant, form)?,
        };
        match self.next_of(tag)? {
            Values::Variant(_, found, record) if *found == form => Ok(&mut record.fields),
            _ => Err(FastPathMiss),
        }
    }

    /// Writes a variant without data, which is a symbol of the branch of its enum.
    pub(super) fn push_symbol(
        &mut self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<()> {
        let is_enum = |branch: &Branch| matches!(&branch.values, Values::Symbols(of, _) if *of == name);
        let tag = self.branches.iter().position(is_enum).ok_or(FastPathMiss)?;
        match self.next_of(tag as u16)? {
            Values::Symbols(_, symbols) => symbols.push(index, variant),
            _ => Err(FastPathMiss),
        }
    }

    /// Starts an entry of a branch.
    #[inline(always)]
    fn next_of(&mut self, tag: u16) -> Result<&mut Values> {
        let branch = self.branches.get_mut(usize::from(tag)).ok_or(FastPathMiss)?;
        self.tags.push(tag);
        self.positions.push(branch.len);
        branch.len += 1;
        Ok(&mut branch.values)
    }

    #[cold]
    fn find(&mut self, index: u32, variant: &'static str, form: Form) -> Result<u16> {
        let is = |branch: &Branch| matches!(&branch.values, Values::Variant(name, of, _) if *name == variant && *of == form);
        let tag = self.branches.iter().position(is).ok_or(FastPathMiss)? as u16;
        remember(&mut self.known, index, (variant, tag));
        Ok(tag)
    }
}

impl Values {
    fn of(shape: &Shape, vector: Vector, rules: Rules, below: usize) -> Self {
        match (shape, vector, below.checked_sub(1)) {
            (Shape::Enum(shape), Vector::Enum(values), _) => {
                Self::Symbols(shape.name.clone(), Symbols::of(shape, values))
            }
            (Shape::Record(shape), Vector::Record(record), Some(below))
                if shape.form == Form::StructVariant || shape.form.is_variant() && is_numbered(shape) =>
            {
                Self::Variant(shape.name.clone(), shape.form, Record::of(shape, record, rules, below))
            }
            (_, vector, _) => Self::Other(vector),
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
