//! Fields of structs, in the order of the rows before.

use super::node::{Field, Node};
use super::{Fast, FastPathMiss, Result};
use crate::ser::compound::fields;
use crate::shape::{Name, Null};
use serde::Serialize;

/// How often another field is searched for at one place, before rows with fields in changing orders miss.
pub(in crate::ser) const SEARCHES_MAX: u32 = 64;

/// Writes the fields of one record.
pub(crate) struct Fields<'a> {
    fields: &'a mut [Field],
    /// The position of the field that is next.
    next: usize,
    /// Whether a field missed. A `Serialize` that goes on nevertheless must not come to an end.
    missed: bool,
}

impl<'a> Fields<'a> {
    /// `len` is a constant of a derived `serialize`, unless it skips fields. As it is compared with the number of fields here,
    /// the compiler knows that none of the first `len` is missing.
    #[inline(always)]
    pub(super) fn new(fields: &'a mut [Field], len: usize) -> Result<Self> {
        if fields.len() < len { Err(FastPathMiss) } else { Ok(Self { fields, next: 0, missed: false }) }
    }

    /// The fields of a tuple or a variant, which must announce as many items as there are fields: then the compiler knows that
    /// none is left at the end, too.
    #[inline(always)]
    pub(super) fn of_tuple(fields: &'a mut [Field], len: usize) -> Result<Self> {
        if fields.len() == len { Self::new(fields, len) } else { Err(FastPathMiss) }
    }

    #[inline(always)]
    fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let is_next = match self.fields.get(self.next) {
            Some(field) => is_same(&field.name, key) || bring(self.fields, self.next, key),
            None => false,
        };
        let pushed = match self.fields.get_mut(self.next) {
            Some(field) if is_next => value.serialize(Fast(&mut field.node)),
            _ => Err(FastPathMiss),
        };
        self.next += 1;
        self.missed |= pushed.is_err();
        pushed
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
        let pushed = match self.fields.get_mut(self.next) {
            Some(field) => value.serialize(Fast(&mut field.node)),
            None => Err(FastPathMiss),
        };
        self.next += 1;
        self.missed |= pushed.is_err();
        pushed
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<()> {
        if self.missed || self.next != self.fields.len() { Err(FastPathMiss) } else { Ok(()) }
    }
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
    let Some([field, others @ ..]) = fields.get_mut(position..) else { return false };
    if field.name != key {
        if field.searches >= SEARCHES_MAX {
            return false;
        }
        field.searches += 1;
        let Some(other) = others.iter_mut().find(|other| other.name == key) else { return false };
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
