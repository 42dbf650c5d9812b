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
    /// As many fields as the row has.
    rest: &'a mut [Field],
    /// Those after them, for a row that skips some of the first.
    more: &'a mut [Field],
    /// Whether a field missed. A `Serialize` that goes on nevertheless must not come to an end.
    missed: bool,
}

impl<'a> Fields<'a> {
    /// `len` is a constant of a derived `serialize`, unless it leaves fields out. As it is the length of the
    /// slice too, the compiler knows that no field is missing and none is left.
    #[inline(always)]
    pub(super) fn new(fields: &'a mut [Field], len: usize) -> Result<Self> {
        match fields.split_at_mut_checked(len) {
            Some((rest, more)) => Ok(Self { rest, more, missed: false }),
            None => Err(FastPathMiss),
        }
    }

    #[inline(always)]
    fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let pushed = match self.rest.split_off_first_mut().or_else(|| self.more.split_off_first_mut()) {
            Some(field) => {
                if is_same(&field.name, key) || bring(field, self.rest, self.more, key) {
                    value.serialize(Fast(&mut field.node))
                } else {
                    Err(FastPathMiss)
                }
            }
            None => Err(FastPathMiss),
        };
        self.missed |= pushed.is_err();
        pushed
    }

    /// Skips a field that this row does not have, unless no row has it. The end finds one that must be there.
    #[inline]
    fn skip(&mut self, key: &'static str) -> Result<()> {
        let (from, more) = match self.rest {
            [] => (&mut self.more, &mut [][..]),
            _ => (&mut self.rest, &mut *self.more),
        };
        if let [field, others @ ..] = &mut **from
            && (is_same(&field.name, key) || bring(field, others, more, key))
            && let Node::Optional(list) = &mut field.node
            && list.null == Null::Absent
        {
            list.offsets.push_empty();
            from.split_off_first_mut();
        }
        Ok(())
    }

    /// A field of a tuple, whose place is its name.
    #[inline(always)]
    pub(super) fn next<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let pushed = match self.rest.split_off_first_mut() {
            Some(field) => value.serialize(Fast(&mut field.node)),
            None => Err(FastPathMiss),
        };
        self.missed |= pushed.is_err();
        pushed
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<()> {
        if self.missed || self.rest.len() + self.more.len() > 0 { Err(FastPathMiss) } else { Ok(()) }
    }
}

/// Whether two names are the same text in memory, as the names of one struct are.
#[inline(always)]
fn is_same(name: &Name, key: &'static str) -> bool {
    std::ptr::eq(&**name, key)
}

/// Puts the field of a name where another one is, if that one follows: rows need not have the
/// order in which their fields were first seen. From then on the fields have the order of this row.
#[cold]
#[inline(never)]
fn bring(field: &mut Field, rest: &mut [Field], more: &mut [Field], key: &'static str) -> bool {
    if field.name != key {
        if field.searches >= SEARCHES_MAX {
            return false;
        }
        field.searches += 1;
        let Some(other) = rest.iter_mut().chain(more).find(|other| other.name == key) else { return false };
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
