//! What values may keep of a batch, or must copy, in both paths.

use super::Result;
use super::hold::{Hold, Lent, Owned};
use super::record::CheckedFields;
use crate::de::slow;
use crate::error;
use serde::de::Visitor;

/// How a tree is seen: who holds it, and what of it values may keep.
pub(crate) trait View {
    type Hold: Hold;
}

/// Whether values may keep strings and bytes of a tree that lives for `'n`.
pub(crate) trait Lend<'n, 'de>: View {
    /// The same for the slow path.
    type Slow: slow::Lend<'de, 'de>;

    fn show_str<V: Visitor<'de>>(text: Str<'n, Self>, visitor: V) -> Result<V::Value>;

    fn show_bytes<V: Visitor<'de>>(bytes: Blob<'n, Self>, visitor: V) -> Result<V::Value>;
}

pub(super) type Str<'n, V> = <<V as View>::Hold as Hold>::Str<'n>;
pub(super) type Blob<'n, V> = <<V as View>::Hold as Hold>::Blob<'n>;

/// A tree that is refilled while values of it live: they must copy.
pub(crate) enum Copied {}

/// A tree that stays until a row is made, which keeps nothing of it.
pub(crate) enum Held {}

impl View for Copied {
    type Hold = Owned;
}

impl<'n, 'de> Lend<'n, 'de> for Copied {
    type Slow = slow::Copied<'de>;

    #[inline(always)]
    fn show_str<V: Visitor<'de>>(text: &'n str, visitor: V) -> Result<V::Value> {
        visitor.visit_str(text)
    }

    #[inline(always)]
    fn show_bytes<V: Visitor<'de>>(bytes: &'n [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_bytes(bytes)
    }
}

impl View for Held {
    type Hold = Owned;
}

impl<'n> Lend<'n, 'n> for Held {
    type Slow = slow::Held<'n>;

    #[inline(always)]
    fn show_str<V: Visitor<'n>>(text: &'n str, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    #[inline(always)]
    fn show_bytes<V: Visitor<'n>>(bytes: &'n [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }
}

impl View for Lent<'_> {
    type Hold = Self;
}

impl<'v> Lend<'_, 'v> for Lent<'v> {
    type Slow = slow::Borrowed;

    #[inline(always)]
    fn show_str<V: Visitor<'v>>(text: &'v str, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    #[inline(always)]
    fn show_bytes<V: Visitor<'v>>(bytes: &'v [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }
}

impl<'de> slow::Lend<'de, 'de> for slow::Borrowed {
    type Fast = CheckedFields<'de, Lent<'de>>;

    fn text<V: Visitor<'de>>(self, text: &'de str, visitor: V) -> error::Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    fn bytes<V: Visitor<'de>>(self, bytes: &'de [u8], visitor: V) -> error::Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }

    fn made<V: Visitor<'de>>(self, text: String, visitor: V) -> error::Result<V::Value> {
        visitor.visit_string(text)
    }
}

impl<'de> slow::Lend<'de, 'de> for slow::Held<'de> {
    type Fast = CheckedFields<'de, Held>;

    fn text<V: Visitor<'de>>(self, text: &'de str, visitor: V) -> error::Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    fn bytes<V: Visitor<'de>>(self, bytes: &'de [u8], visitor: V) -> error::Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }

    fn made<V: Visitor<'de>>(self, text: String, visitor: V) -> error::Result<V::Value> {
        visitor.visit_borrowed_str(self.0.text(text))
    }
}

impl<'v, 'de> slow::Lend<'v, 'de> for slow::Copied<'de> {
    type Fast = CheckedFields<'de, Copied>;

    fn text<V: Visitor<'de>>(self, text: &'v str, visitor: V) -> error::Result<V::Value> {
        if self.0.is_on() { visitor.visit_borrowed_str(self.0.text(text)) } else { visitor.visit_str(text) }
    }

    fn bytes<V: Visitor<'de>>(self, bytes: &'v [u8], visitor: V) -> error::Result<V::Value> {
        match self.0.is_on() {
            true => visitor.visit_borrowed_bytes(self.0.bytes(bytes)),
            false => visitor.visit_bytes(bytes),
        }
    }

    fn made<V: Visitor<'de>>(self, text: String, visitor: V) -> error::Result<V::Value> {
        if self.0.is_on() {
            visitor.visit_borrowed_str(self.0.text(text))
        } else {
            visitor.visit_string(text)
        }
    }
}
