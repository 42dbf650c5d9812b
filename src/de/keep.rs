//! Strings that live as long as what is read, where a type borrows what no vector lends: the vector is refilled before,
//! or the string is made of another value.

use std::cell::{Cell, OnceCell};

/// Where strings are kept.
#[derive(Default)]
pub(crate) struct Kept {
    texts: Link<str>,
    bytes: Link<[u8]>,
}

/// The rest of a chain. It only grows, so what is in it can be lent while more comes.
struct Link<T: ?Sized>(OnceCell<Box<Node<T>>>);

struct Node<T: ?Sized> {
    next: Link<T>,
    value: Box<T>,
}

/// Keeps strings while something is read.
pub(crate) struct Keep<'k> {
    texts: Cell<&'k Link<str>>,
    bytes: Cell<&'k Link<[u8]>>,
    /// Whether strings are kept that vectors have.
    is_on: Cell<bool>,
}

impl<T: ?Sized> Default for Link<T> {
    fn default() -> Self {
        Self(OnceCell::new())
    }
}

impl<T: ?Sized> Drop for Link<T> {
    /// A loop: chains are long.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut node) = next {
            next = node.next.0.take();
        }
    }
}

impl<'k> Keep<'k> {
    pub(crate) fn new(kept: &'k Kept) -> Self {
        Self { texts: Cell::new(&kept.texts), bytes: Cell::new(&kept.bytes), is_on: Cell::new(false) }
    }

    /// Whether strings are kept that vectors have.
    pub(crate) fn is_on(&self) -> bool {
        self.is_on.get()
    }

    /// Says whether strings are kept that vectors have.
    pub(crate) fn turn(&self, is_on: bool) {
        self.is_on.set(is_on);
    }

    pub(super) fn text(&self, text: impl Into<Box<str>>) -> &'k str {
        push(&self.texts, text.into())
    }

    pub(super) fn bytes(&self, bytes: &[u8]) -> &'k [u8] {
        push(&self.bytes, bytes.into())
    }
}

/// Puts a value at the end of a chain.
fn push<'k, T: ?Sized>(end: &Cell<&'k Link<T>>, value: Box<T>) -> &'k T {
    let node = end.get().0.get_or_init(|| Box::new(Node { next: Link::default(), value }));
    end.set(&node.next);
    &node.value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_stays_and_is_dropped_without_a_deep_stack() {
        let kept = Kept::default();
        let keep = Keep::new(&kept);
        let texts: Vec<&str> = (0..100_000).map(|number| keep.text(number.to_string())).collect();
        assert_eq!((keep.bytes(b"\xff"), keep.bytes(b"")), (&b"\xff"[..], &b""[..]));
        assert!(texts.iter().zip(0..).all(|(text, number)| **text == number.to_string()));
    }
}
