//! Rows into vectors, on the fast path or the slow one.

use super::WRITE_BATCH_BYTES;
use super::fast::{Fast, Node, Rules};
use super::slow::{FirstError, Growth, Mode, Slow};
use super::wishes::Wishes;
use crate::error::{ErrorKind, Result};
use crate::shape::Shape;
use crate::vector::Vector;
use serde::Serialize;

/// A row for the slow path: all that is known of it there is how it is serialized.
pub(crate) type SlowRow<'a> = &'a dyn Fn(Slow<'_>) -> Result<()>;

/// The rows of one batch, and the shape that all rows have shown so far.
///
/// The first row of a batch takes the slow path, the others are tried on the fast path. A row that misses it
/// is taken back and takes the slow path.
pub(crate) struct Shredder {
    shape: Shape,
    /// Whether the shape may grow; false for one that was given.
    grow: bool,
    /// Whether it began with a shape.
    known: bool,
    once: bool,
    /// The logical types that are wanted.
    wishes: Wishes,
    /// Whether no map is taken for a record any more.
    maps: bool,
    /// Whether values of logical types are shown as they are stored.
    stored: bool,
    /// The rows, except on the fast path: then the tree has them.
    vector: Vector,
    tree: Option<Tree>,
    /// Number of rows.
    len: usize,
    /// How many rows the vectors get room for.
    expected: usize,
    backoff: Backoff,
}

/// The rows on the fast path.
struct Tree {
    root: Node,
    /// Number of rows that were there before.
    before: usize,
}

/// How many rows take the slow path after one that missed the fast path.
struct Backoff {
    rows: usize,
    left: usize,
}

impl Backoff {
    /// The most rows: if all rows miss, they cost a thousandth more than if none was tried.
    const ROWS_MAX: usize = 1024;

    /// The fast path pays if it takes this many times the rows of the last backoff.
    const PAYS_TIMES: usize = 4;

    /// Begins anew: for longer than last time, unless many rows took the fast path meanwhile.
    fn begin(&mut self, fast_rows: usize) {
        let pays = fast_rows > Self::PAYS_TIMES * self.rows;
        self.rows = if pays { 1 } else { (2 * self.rows).clamp(1, Self::ROWS_MAX) };
        self.left = self.rows;
    }

    /// Counts a row of the slow path; true if it was the last one.
    fn ends(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }
}

impl Shredder {
    /// Begins with a shape, which may grow or not.
    pub(crate) fn new(shape: Shape, grow: bool) -> Self {
        let (vector, backoff) = (Vector::of(&shape), Backoff { rows: 0, left: 0 });
        let known = shape != Shape::Unknown;
        Self {
            shape,
            grow,
            known,
            once: false,
            wishes: Wishes::default(),
            maps: false,
            stored: false,
            vector,
            tree: None,
            len: 0,
            expected: 0,
            backoff,
        }
    }

    /// Whether no row may be serialized twice, so that all take the slow path.
    pub(crate) fn once(self, once: bool) -> Self {
        Self { once, ..self }
    }

    /// Wants logical types at some paths, where the shape grows.
    pub(crate) fn wishing(self, wishes: Wishes) -> Self {
        Self { wishes, ..self }
    }

    /// Checks that there is something at the paths where logical types are wanted.
    pub(crate) fn check_wishes(&self) -> Result<()> {
        self.wishes.check(&self.shape)
    }

    /// The same from another shape on, without rows.
    pub(crate) fn with_shape(self, shape: Shape) -> Self {
        Self { stored: self.stored, ..Self::new(shape, self.grow).once(self.once).wishing(self.wishes) }
    }

    /// Whether values of logical types are shown as they are stored.
    pub(crate) fn storing(self, stored: bool) -> Self {
        Self { stored, ..self }
    }

    /// Says how many rows will come before the next [`clear`](Self::clear), at least.
    pub(crate) fn expect(&mut self, more: usize) {
        self.expected = self.len.saturating_add(more);
    }

    /// The shape of the rows so far.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The shape of all rows.
    pub(crate) fn into_shape(self) -> Shape {
        self.shape
    }

    /// Whether the shape may grow.
    pub(crate) fn grows(&self) -> bool {
        self.grow
    }

    /// Number of rows.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory that the values take, roughly.
    pub(crate) fn size(&self) -> usize {
        self.tree.as_ref().map_or_else(|| self.vector.size(), |tree| tree.root.size())
    }

    /// Shape and values, for encoding. The values are to be the same afterwards.
    pub(crate) fn parts(&mut self) -> (&Shape, &mut Vector) {
        self.give_back();
        (&self.shape, &mut self.vector)
    }

    /// Removes the rows; buffers stay.
    pub(crate) fn clear(&mut self) {
        self.give_back();
        self.vector.clear();
        self.len = 0;
    }

    /// Appends a row that looks like the rows before; false for one that does not, and for one that fails:
    /// it is for [`push_slow`](Self::push_slow).
    #[inline(always)]
    pub(crate) fn push_fast<T: Serialize + ?Sized>(&mut self, row: &T) -> bool {
        let pushed = match &mut self.tree {
            Some(tree) => row.serialize(Fast(&mut tree.root)).is_ok(),
            None => false,
        };
        self.len += usize::from(pushed);
        pushed
    }

    /// Appends any row. `fresh` says that no batch has been encoded yet, so that the vectors hold all
    /// values there are; `check` refuses shapes.
    #[cold]
    pub(crate) fn push_slow(
        &mut self,
        row: SlowRow<'_>,
        fresh: bool,
        check: &dyn Fn(&Shape) -> Result<()>,
    ) -> Result<()> {
        if let Some(tree) = &self.tree {
            self.backoff.begin(self.len - tree.before);
            self.give_back();
            // What the row has left.
            self.vector.truncate(self.len);
        }
        let mut pushed = self.append(row, fresh, check);
        if let Err(error) = &pushed
            && matches!(error.kind(), ErrorKind::KeyNotText)
            && self.may_turn_to_maps()
        {
            self.maps = true;
            if !self.known && fresh && self.len == 0 {
                (self.shape, self.vector) = (Shape::Unknown, Vector::Null(0));
            }
            pushed = self.append(row, fresh, check);
        }
        if self.backoff.ends() && !self.once {
            let most = WRITE_BATCH_BYTES / (self.vector.size() / self.len.max(1)).max(1);
            let vector = std::mem::replace(&mut self.vector, Vector::Null(0));
            let mut root = Node::of(&self.shape, vector, self.rules());
            root.reserve(self.expected.min(most).saturating_sub(self.len));
            self.tree = Some(Tree { root, before: self.len });
        }
        pushed
    }

    fn rules(&self) -> Rules {
        Rules { grow: self.grow, texts: !self.grow || !self.wishes.is_empty(), stored: self.stored }
    }

    /// Whether a row that was taken for a record, but has a key that is not text, can be written once more.
    /// From then on all such maps are maps, so it happens once.
    fn may_turn_to_maps(&self) -> bool {
        self.grow && !self.once && !self.maps
    }

    /// Appends a row on the slow path, or nothing.
    fn append(&mut self, row: SlowRow<'_>, fresh: bool, check: &dyn Fn(&Shape) -> Result<()>) -> Result<()> {
        let first_error = FirstError::default();
        let Self { grow, maps, stored, .. } = *self;
        let growth = Growth { grow, fresh, maps, absorbs: false, texts: self.rules().texts, stored };
        let mode = Mode::new(growth, &first_error);
        let pushed = row(Slow { shape: &mut self.shape, vector: &mut self.vector, mode });
        let pushed = pushed.and_then(|()| self.wishes.fulfil(&mut self.shape, &mut self.vector));
        let pushed = pushed.and_then(|()| check(&self.shape));
        match pushed {
            Ok(()) => self.len += 1,
            Err(_) => self.vector.truncate(self.len),
        }
        pushed
    }

    /// Goes back to the shape from before a row that was refused, where the rows that wait fit it.
    #[cold]
    pub(crate) fn go_back(&mut self, shape: Shape) {
        if self.shape == shape {
            return;
        }
        self.give_back();
        if let Some(vector) = self.vector.clone().narrowed(&self.shape, &shape) {
            (self.shape, self.vector) = (shape, vector);
        }
    }

    /// Makes a vector of the tree.
    fn give_back(&mut self) {
        if let Some(tree) = self.tree.take() {
            self.vector = tree.root.into_vector(self.len);
        }
    }
}

#[cfg(test)]
mod tests;
