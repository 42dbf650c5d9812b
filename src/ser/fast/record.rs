//! Fields of structs, in the order of the rows before.

use super::list::Written;
use super::node::{Field, Node};
use super::{Fast, FastPathMiss, Result};
use crate::ser::compound::fields;
use crate::shape::{Name, Null};
use serde::Serialize;

/// How often another field is searched for at one place, before rows with fields in changing orders miss.
pub(in crate::ser) const SEARCHES_MAX: u32 = 64;

/// Writes the fields of one record.
pub(crate) struct Fields<'a> {
    /// With the spare one.
    fields: &'a mut [Field],
    /// The position of the field that is next.
    next: usize,
    written: Written,
}

impl<'a> Fields<'a> {
    /// `len` is a constant of a derived `serialize`, unless it skips fields. As it is compared with the number of fields here,
    /// the compiler knows that none of the first `len` is missing.
    #[inline(always)]
    pub(super) fn new(fields: &'a mut [Field], len: usize) -> Result<Self> {
        match fields.len() > len {
            true => Ok(Self { fields, next: 0, written: Written::default() }),
            false => Err(FastPathMiss),
        }
    }

    /// The fields of a tuple or a variant, which must announce as many items as there are fields: then the compiler knows that
    /// none is left at the end, too.
    #[inline(always)]
    pub(super) fn from_tuple(fields: &'a mut [Field], len: usize) -> Result<Self> {
        if fields.len() == len + 1 { Self::new(fields, len) } else { Err(FastPathMiss) }
    }

    #[inline(always)]
    fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let at = self.next;
        self.next += 1;
        let is_next = matches!(self.fields.get(at), Some(field) if is_same(&field.name, key));
        let node = match self.fields.get_mut(at) {
            Some(field) if is_next => Ok(&mut field.node),
            _ => elsewhere(self.fields, at, key),
        };
        self.written.note(node.and_then(|node| value.serialize(Fast(node))))
    }

    /// Skips a field that this row does not have, unless no row has it. The end finds one that must be there.
    #[inline]
    fn skip(&mut self, key: &'static str) -> Result<()> {
        if let Some(field) = self.fields.get(self.next)
            && (is_same(&field.name, key) || bring(self.fields, self.next, key))
            && let Some(Field { node: Node::Optional(list), .. }) = self.fields.get_mut(self.next)
            && list.null == Null::Absent
        {
            list.offsets.push_empty();
            self.next += 1;
        }
        Ok(())
    }

    /// A field of a tuple, whose place is its name.
    #[inline(always)]
    pub(super) fn next<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let (at, is_field) = (self.next, self.next + 1 < self.fields.len());
        self.next += 1;
        let node = match self.fields.get_mut(at) {
            Some(field) if is_field => Ok(&mut field.node),
            _ => unknown(self.fields, at, ""),
        };
        self.written.note(node.and_then(|node| value.serialize(Fast(node))))
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<()> {
        self.written.finish()?;
        let [fields @ .., spare] = self.fields else { return Err(FastPathMiss) };
        if fields.is_empty() {
            spare.position = spare.position.wrapping_add(1);
        }
        if self.next == fields.len() { Ok(()) } else { leave(fields, self.next) }
    }
}

/// The node of a field that is not the next one.
#[cold]
#[inline(never)]
fn elsewhere<'a>(fields: &'a mut [Field], at: usize, key: &'static str) -> Result<&'a mut Node> {
    match bring(fields, at, key) {
        true => fields.get_mut(at).map(|field| &mut field.node).ok_or(FastPathMiss),
        false => unknown(fields, at, key),
    }
}

/// The node of a field that the record does not have. It takes the place of the field at a position, which is left out.
#[cold]
#[inline(never)]
fn unknown<'a>(fields: &'a mut [Field], at: usize, key: &'static str) -> Result<&'a mut Node> {
    let [fields @ .., spare] = fields else { return Err(FastPathMiss) };
    let entry = match fields.first() {
        Some(first) => first.node.len().saturating_sub(usize::from(at > 0)),
        None => spare.position as usize,
    };
    if let Some(field) = fields.get_mut(at) {
        field.node.record_absent()?;
    }
    spare.node.record_key(entry, key)?;
    Ok(&mut spare.node)
}

/// Notes that the fields from a position on do not come.
#[cold]
#[inline(never)]
fn leave(fields: &mut [Field], from: usize) -> Result<()> {
    for field in fields.iter_mut().skip(from) {
        match &mut field.node {
            Node::Optional(list) if list.null == Null::Absent => list.offsets.push_empty(),
            node => node.record_absent()?,
        }
    }
    Ok(())
}

/// Whether two names are the same text in memory, as the names of one struct are.
#[inline(always)]
fn is_same(name: &Name, key: &'static str) -> bool {
    std::ptr::eq(&**name, key)
}

/// Puts the field of a name at a position, if it is there or follows: rows need not have the order in which their fields
/// were first seen. From then on the fields have the order of this row.
#[cold]
#[inline(never)]
fn bring(fields: &mut [Field], position: usize, key: &'static str) -> bool {
    let Some([field, others @ .., _]) = fields.get_mut(position..) else { return false };
    if field.name != key && !field.is_unnamed() {
        if field.searches >= SEARCHES_MAX {
            return false;
        }
        field.searches += 1;
        let Some(other) = others.iter_mut().find(|other| other.name == key || other.is_unnamed()) else {
            return false;
        };
        std::mem::swap(field, other);
        std::mem::swap(&mut field.searches, &mut other.searches);
    }
    // From now on it is the same text in memory too.
    field.name = Name::Borrowed(key);
    true
}

fields! { FastPathMiss:
    SerializeStruct Fields;
    SerializeStructVariant Fields;
}
