//! The rows of a batch: by the fast path, and by the slow one where that misses.

use super::fast::{CheckedFields, Copied, Fast, Held, Hold, Lent, Node, Owned, View};
use super::slow::{self, Missed};
use super::{Keep, weight};
use crate::error::Result;
use crate::vector::Vector;
use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed, Visitor};
use std::marker::PhantomData;

/// After this many rows by the fast path, a row that misses is an exception.
const MANY_ROWS: usize = 64;

/// At most this many rows are read by the slow path before the fast one is tried again.
const MAX_WAIT: u32 = 1024;

/// Makes rows of a batch.
pub(crate) struct Assembler<H: Hold> {
    plan: H::Plan,
    /// The batch, where the tree does not hold it.
    vector: H::Vector,
    /// The same for the fast path, or else nothing.
    node: Node<H>,
    is_fast: bool,
    /// A tree without values that takes those of each batch, where such a tree is kept.
    kept: Kept<H>,
    /// Position of the first row since the tree was made.
    first: usize,
    /// Rows by the fast path since the last miss.
    rows: usize,
    /// How many rows are read by the slow path before the fast path is tried again.
    wait: u32,
    /// How many these are after the next miss.
    next_wait: u32,
}

/// What becomes of the tree between batches.
enum Kept<H: Hold> {
    /// Each row gets a new one.
    No,
    /// It is kept, once it has been made.
    NotYet,
    Yes(Box<Node<H>>),
    /// It has the values of the batch, and is the assembler's tree; this is the empty one.
    InUse(Box<Node<H>>),
}

impl<H: Hold> Assembler<H> {
    pub(crate) fn new(plan: H::Plan, vector: H::Vector) -> Self {
        let node = Node::nothing();
        Self { plan, vector, node, is_fast: false, kept: Kept::No, first: 0, rows: 0, wait: 0, next_wait: 1 }
    }

    /// Whether rows are read by the fast path. If not, all of them miss.
    #[inline(always)]
    pub(crate) fn is_fast(&self) -> bool {
        self.is_fast
    }

    /// The row at a position, by the fast path.
    #[inline(always)]
    pub(crate) fn fast<L: View<Hold = H>>(&self, index: usize) -> Fast<'_, L> {
        Fast { node: &self.node, index }
    }

    /// Goes over to the fast path from the row at a position on, if it is time; tells whether rows are read by
    /// it then.
    pub(crate) fn enter(&mut self, index: usize) -> bool {
        if self.is_fast || self.wait > 0 {
            self.wait = self.wait.saturating_sub(1);
            return self.is_fast;
        }
        if !self.take_kept() {
            self.node = H::tree(&self.plan, H::lift(&mut self.vector));
        }
        self.first = index;
        self.is_fast = true;
        true
    }

    /// The same, where a tree is kept; if none can be, rows are not read by the fast path.
    pub(crate) fn enter_kept(&mut self, index: usize) -> bool {
        if self.is_fast || self.wait > 0 {
            self.wait = self.wait.saturating_sub(1);
            return self.is_fast;
        }
        if self.take_kept() {
            self.first = index;
            self.is_fast = true;
        }
        self.is_fast
    }

    /// From now on, the tree of a batch is kept for the next: batches have few rows.
    pub(crate) fn keep_tree(&mut self) {
        self.kept = Kept::NotYet;
    }

    /// Gives the values of the batch to the tree that is kept. From the first batch that it cannot take, none is.
    fn take_kept(&mut self) -> bool {
        let kept = match std::mem::replace(&mut self.kept, Kept::No) {
            Kept::Yes(node) => Some(node),
            Kept::NotYet => self.new_kept(),
            Kept::No | Kept::InUse(_) => None,
        };
        let Some(mut node) = kept else {
            return false;
        };
        if !H::exchange(&mut node, &mut self.vector) {
            H::exchange(&mut node, &mut self.vector);
            return false;
        }
        std::mem::swap(&mut self.node, &mut node);
        self.kept = Kept::InUse(node);
        true
    }

    /// A tree without values that takes those of batches like this one.
    fn new_kept(&mut self) -> Option<Box<Node<H>>> {
        let node = H::tree(&self.plan, H::hollow(&self.vector)?);
        H::fits(&node, &self.plan, &self.vector).then(|| Box::new(node))
    }

    /// Leaves the fast path before the row at a position.
    pub(crate) fn leave(&mut self, index: usize) {
        if std::mem::take(&mut self.is_fast) {
            match std::mem::replace(&mut self.kept, Kept::No) {
                Kept::InUse(mut node) => {
                    std::mem::swap(&mut self.node, &mut node);
                    H::exchange(&mut node, &mut self.vector);
                    self.kept = Kept::Yes(node);
                }
                kept => {
                    self.kept = kept;
                    let node = std::mem::replace(&mut self.node, Node::nothing());
                    H::lower(node, &mut self.vector);
                }
            }
            self.rows = self.rows.saturating_add(index.saturating_sub(self.first));
        }
    }

    /// Forgets misses: what rows had asked for was not decoded.
    pub(crate) fn settle(&mut self) {
        (self.wait, self.next_wait) = (0, 1);
    }

    /// Leaves the fast path because a row misses.
    fn miss(&mut self, index: usize) {
        if !self.is_fast {
            return;
        }
        self.leave(index);
        if matches!(self.kept, Kept::Yes(_)) {
            // What the plan learns from this row is for the next tree.
            self.kept = Kept::NotYet;
        }
        if std::mem::take(&mut self.rows) >= MANY_ROWS {
            self.next_wait = 1;
        }
        self.wait = self.next_wait;
        self.next_wait = (self.next_wait * 2).min(MAX_WAIT);
    }
}

impl Assembler<Owned> {
    /// The batch, for refilling; rows are not read by the fast path then.
    pub(crate) fn batch(&mut self, index: usize) -> &mut Vector {
        self.leave(index);
        &mut self.vector
    }

    /// About how much memory the rows of the batch take elsewhere than in their own place.
    pub(crate) fn heap(&self) -> u64 {
        weight::heap(&self.plan, &self.vector)
    }

    /// The row at a position, by the slow path, and so the next rows.
    pub(crate) fn slow<T: DeserializeOwned>(&mut self, index: usize, missed: &Missed) -> Result<T> {
        self.miss(index);
        slow::read_held(&self.plan, &self.vector, index, missed)
    }

    /// The same for what may live longer than the batch, with what is kept for it.
    pub(crate) fn slow_copied<'de, S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
        index: usize,
        missed: &Missed,
        keep: &'de Keep<'de>,
    ) -> Result<S::Value> {
        self.miss(index);
        slow::read(seed, &self.plan, &self.vector, index, missed, slow::Copied(keep))
    }
}

impl<'v> Assembler<Lent<'v>> {
    /// The row at a position, by the slow path, and so the next rows.
    pub(crate) fn slow_lent<T: Deserialize<'v>>(&mut self, index: usize) -> Result<T> {
        self.miss(index);
        slow::read(PhantomData, self.plan, self.vector, index, &Missed::default(), slow::Borrowed)
    }
}

impl<'de> slow::Lend<'de, 'de> for slow::Borrowed {
    type Fast = CheckedFields<'de, Lent<'de>>;

    fn text<V: Visitor<'de>>(self, text: &'de str, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    fn bytes<V: Visitor<'de>>(self, bytes: &'de [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }

    fn made<V: Visitor<'de>>(self, text: String, visitor: V) -> Result<V::Value> {
        visitor.visit_string(text)
    }
}

impl<'de> slow::Lend<'de, 'de> for slow::Held<'de> {
    type Fast = CheckedFields<'de, Held>;

    fn text<V: Visitor<'de>>(self, text: &'de str, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    fn bytes<V: Visitor<'de>>(self, bytes: &'de [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }

    fn made<V: Visitor<'de>>(self, text: String, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.0.text(text))
    }
}

impl<'v, 'de> slow::Lend<'v, 'de> for slow::Copied<'de> {
    type Fast = CheckedFields<'de, Copied>;

    fn text<V: Visitor<'de>>(self, text: &'v str, visitor: V) -> Result<V::Value> {
        if self.0.is_on() { visitor.visit_borrowed_str(self.0.text(text)) } else { visitor.visit_str(text) }
    }

    fn bytes<V: Visitor<'de>>(self, bytes: &'v [u8], visitor: V) -> Result<V::Value> {
        match self.0.is_on() {
            true => visitor.visit_borrowed_bytes(self.0.bytes(bytes)),
            false => visitor.visit_bytes(bytes),
        }
    }

    fn made<V: Visitor<'de>>(self, text: String, visitor: V) -> Result<V::Value> {
        if self.0.is_on() {
            visitor.visit_borrowed_str(self.0.text(text))
        } else {
            visitor.visit_string(text)
        }
    }
}
