//! Fields of structs, in the order of the rows before.

use super::node::{Field, Node};
use super::{Fast, Result, Stray};
use crate::shape::{Name, Null};
use serde::ser::{self, Serialize};
use std::slice::IterMut;

/// Writes the fields of one record.
pub(crate) struct Fields<'a> {
    /// As many fields as the row has.
    rest: IterMut<'a, Field>,
    /// Those after them, for a row that skips some of the first.
    more: IterMut<'a, Field>,
    /// Whether a field missed. A `Serialize` that goes on nevertheless must not come to an end.
    missed: bool,
}

impl<'a> Fields<'a> {
    /// `len` is a constant of a derived `serialize`, unless it leaves fields out. As it is the length of the
    /// slice too, the compiler knows that no field is missing and none is left.
    #[inline(always)]
    pub(super) fn new(fields: &'a mut [Field], len: usize) -> Result<Self> {
        match fields.split_at_mut_checked(len) {
            Some((rest, more)) => Ok(Self { rest: rest.iter_mut(), more: more.iter_mut(), missed: false }),
            None => Err(Stray),
        }
    }

    #[inline(always)]
    fn named<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let pushed = match self.rest.next().or_else(|| self.more.next()) {
            Some(Field { name, node }) => {
                if is_same(name, key) || has_text(name, key) {
                    value.serialize(Fast(node))
                } else {
                    Err(Stray)
                }
            }
            None => Err(Stray),
        };
        self.missed |= pushed.is_err();
        pushed
    }

    /// Skips a field that this row does not have. The end finds one that must be there.
    #[inline]
    fn skip(&mut self, key: &'static str) {
        let from = if self.rest.len() > 0 { &mut self.rest } else { &mut self.more };
        let mut fields = std::mem::take(from).into_slice();
        if let [Field { name, node: Node::Optional(list) }, ..] = fields
            && list.null == Null::Absent
            && (is_same(name, key) || has_text(name, key))
        {
            list.offsets.push_empty();
            fields = fields.split_at_mut(1).1;
        }
        *from = fields.iter_mut();
    }

    /// A field of a tuple, whose place is its name.
    #[inline(always)]
    pub(super) fn next<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let pushed = match self.rest.next() {
            Some(field) => value.serialize(Fast(&mut field.node)),
            None => Err(Stray),
        };
        self.missed |= pushed.is_err();
        pushed
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<()> {
        if self.missed || self.rest.len() + self.more.len() > 0 { Err(Stray) } else { Ok(()) }
    }
}

/// Whether two names are the same text in memory, as those of one struct are.
#[inline(always)]
fn is_same(name: &Name, key: &'static str) -> bool {
    std::ptr::eq(&**name, key)
}

/// Whether two names have the same letters; from now on they are the same text in memory.
#[cold]
fn has_text(name: &mut Name, key: &'static str) -> bool {
    let same = *name == key;
    if same {
        *name = Name::Borrowed(key);
    }
    same
}

macro_rules! fields {
    ($($trait:ident)*) => {
        $(impl ser::$trait for Fields<'_> {
            type Ok = ();
            type Error = Stray;

            #[inline(always)]
            fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
                self.named(key, value)
            }

            #[inline]
            fn skip_field(&mut self, key: &'static str) -> Result<()> {
                self.skip(key);
                Ok(())
            }

            #[inline(always)]
            fn end(self) -> Result<()> {
                self.finish()
            }
        })*
    };
}

fields! {
    SerializeStruct
    SerializeStructVariant
}
