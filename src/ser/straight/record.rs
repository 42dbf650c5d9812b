//! Fields of structs, in the order of the rows before.

use super::tree::Field;
use super::{Result, Straight, Stray};
use crate::shape::Name;
use serde::ser::{self, Serialize};
use std::slice::IterMut;

/// Writes the fields of one record.
pub(crate) struct Fields<'a> {
    rest: IterMut<'a, Field>,
    /// Whether a field strayed. A `Serialize` that goes on nevertheless must not come to an end.
    strayed: bool,
}

impl<'a> Fields<'a> {
    /// `len` is a constant of a derived `serialize`. As it is the length of the slice too, the compiler
    /// knows that no field is missing and none is left.
    #[inline(always)]
    pub(super) fn new(fields: &'a mut [Field], len: usize) -> Result<Self> {
        if fields.len() != len {
            return Err(Stray);
        }
        match fields.get_mut(..len) {
            Some(fields) => Ok(Self { rest: fields.iter_mut(), strayed: false }),
            None => Err(Stray),
        }
    }

    #[inline(always)]
    fn named<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let pushed = match self.rest.next() {
            Some(Field { name, node }) => {
                if is_same(name, key) || has_text(name, key) {
                    value.serialize(Straight(node))
                } else {
                    Err(Stray)
                }
            }
            None => Err(Stray),
        };
        self.strayed |= pushed.is_err();
        pushed
    }

    /// A field of a tuple, whose place is its name.
    #[inline(always)]
    pub(super) fn next<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let pushed = match self.rest.next() {
            Some(field) => value.serialize(Straight(&mut field.node)),
            None => Err(Stray),
        };
        self.strayed |= pushed.is_err();
        pushed
    }

    #[inline(always)]
    pub(super) fn finish(mut self) -> Result<()> {
        if self.strayed || self.rest.next().is_some() { Err(Stray) } else { Ok(()) }
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

impl ser::SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Stray;

    #[inline(always)]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.named(key, value)
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl ser::SerializeStructVariant for Fields<'_> {
    type Ok = ();
    type Error = Stray;

    #[inline(always)]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.named(key, value)
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        self.finish()
    }
}
