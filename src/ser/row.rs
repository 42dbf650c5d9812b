//! Rows into vectors, on the fast path or the slow one.

use super::WRITE_BATCH_BYTES;
use super::fast::{Entry, Fast, Node, Rules, recorded_so_far};
use super::maps::{Keys, Maps, keeps, opened, path_of_full, set_earlier};
use super::slow::{Context, Defaults, Growth, Mode, Slow};
use super::wishes::Wishes;
use crate::convert::Conversion;
use crate::error::{Error, ErrorKind, Result};
use crate::ser::miss::FastPathMiss;
use crate::shape::Shape;
use crate::vector::Vector;
use serde::Serialize;
use std::sync::Arc;

/// A row for the slow path: all that is known of it there is how it is serialized.
pub(crate) type SlowRow<'a> = &'a dyn Fn(Slow<'_>) -> Result<()>;

/// The rows of one batch, and the shape that all rows have shown so far.
///
/// The first row of a batch takes the slow path, the others are tried on the fast path. A row that misses it
/// is recorded, and takes the slow path from there: each row is serialized once.
pub(crate) struct Shredder {
    shape: Shape,
    /// Whether the shape may grow; false for one that was given.
    grow: bool,
    /// Whether it began with a shape.
    known: bool,
    /// The logical types that are wanted.
    wishes: Wishes,
    /// Whether no map is taken for a record any more.
    maps: bool,
    /// Whether maps take what would be a record elsewhere.
    absorbs: bool,
    /// Whether records of rows that have been encoded are maps now.
    opened: bool,
    /// Paths that options are for: what is there stays there.
    kept: Vec<String>,
    /// Whether values of logical types are shown as they are stored.
    stored: bool,
    /// Whether a row that failed is not serialized again.
    once: bool,
    /// The values of fields that do not come, of a schema that was given.
    defaults: Option<Arc<Defaults>>,
    /// The rows, except on the fast path: then the tree has them.
    vector: Vector,
    tree: Option<Tree>,
    /// What is known of a row that is serialized again.
    again: Option<Again>,
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
    /// Whether the last row failed, if it was not pushed.
    missed: Option<Option<FastPathMiss>>,
}

/// A row that the fast path has missed.
enum Missed {
    Recorded(Node),
    /// Its `Serialize` failed, and said this.
    Failed(Option<String>),
}

/// What is known of a row that came to a key that is not text where names of fields were expected.
struct Again {
    /// What it had pushed until then.
    until: u64,
    /// What it was when it was recorded, once it has been.
    recorded: Option<u64>,
}

/// What there is to do after a row on the slow path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Row,
    /// The row is to be pushed again, first on the fast path.
    Again,
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

    /// Begins again: for longer than last time, unless many rows took the fast path meanwhile.
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
        let (vector, backoff) = (Vector::new(&shape), Backoff { rows: 0, left: 0 });
        let known = shape != Shape::Unknown;
        Self {
            shape,
            grow,
            known,
            wishes: Wishes::default(),
            maps: false,
            absorbs: false,
            opened: false,
            kept: Vec::new(),
            stored: false,
            once: false,
            defaults: None,
            vector,
            tree: None,
            again: None,
            len: 0,
            expected: 0,
            backoff,
        }
    }

    /// Wants logical types at some paths, where the shape grows.
    pub(crate) fn wishing(self, wishes: Wishes) -> Self {
        Self { wishes, ..self }
    }

    /// Begins with a shape that has maps where rows have objects with open keys; elsewhere it grows.
    pub(crate) fn mapping(self, maps: &Maps) -> Self {
        match maps.shape() {
            Some(shape) if self.grow => {
                Self { absorbs: true, stored: self.stored, ..Self::new(shape, true).wishing(self.wishes) }
            }
            _ => self,
        }
    }

    /// Makes no map of what has something at these paths.
    pub(crate) fn keeping(self, paths: impl IntoIterator<Item = String>) -> Self {
        Self { kept: paths.into_iter().chain(self.wishes.paths()).collect(), ..self }
    }

    /// Says whether a row that failed is not serialized again.
    pub(crate) fn once(self, once: bool) -> Self {
        Self { once, ..self }
    }

    /// Fills fields in that do not come.
    pub(crate) fn filling(self, defaults: Option<Defaults>) -> Self {
        Self { defaults: defaults.map(Arc::new), ..self }
    }

    /// Checks that there is something at the paths where logical types are wanted.
    pub(crate) fn check_wishes(&self) -> Result<()> {
        self.wishes.check(&self.shape)
    }

    /// The same from another shape on, without rows.
    pub(crate) fn with_shape(self, shape: Shape) -> Self {
        let Self { stored, absorbs, once, .. } = self;
        Self { stored, absorbs, once, ..Self::new(shape, self.grow).wishing(self.wishes) }
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
        let Some(tree) = &mut self.tree else { return false };
        let before = recorded_so_far();
        let pushed = row.serialize(Fast(&mut tree.root));
        if pushed.is_ok() && recorded_so_far() == before {
            self.len += 1;
            return true;
        }
        tree.missed = Some(pushed.err());
        false
    }

    /// Appends a row that the fast path was not tried for, or that it has missed. `fresh` says that no batch has been
    /// encoded yet, so that the vectors hold all values there are; `check` refuses shapes.
    #[cold]
    pub(crate) fn push_slow(
        &mut self,
        row: SlowRow<'_>,
        fresh: bool,
        check: &dyn Fn(&Shape) -> Result<()>,
    ) -> Result<Next> {
        let next = match self.leave_tree() {
            Some(Missed::Recorded(recorded)) => self.push_recorded(&recorded, fresh, check),
            Some(Missed::Failed(message)) => self.append_failing(row, message, fresh, check),
            None => match self.append(row, fresh, check) {
                Ok(()) => Ok(Next::Row),
                Err(error) if self.turns_to_maps(&error) || is_full(&error) => Ok(self.push_again(None)),
                Err(error) => Err(self.take_back(error)),
            },
        };
        if matches!(next, Ok(Next::Row) | Err(_)) && self.backoff.ends() {
            let most = WRITE_BATCH_BYTES / (self.vector.size() / self.len.max(1)).max(1);
            let vector = std::mem::replace(&mut self.vector, Vector::Null(0));
            let mut root = Node::new(&self.shape, vector, self.rules());
            root.reserve(self.expected.min(most).saturating_sub(self.len));
            self.tree = Some(Tree { root, before: self.len, missed: None });
        }
        next
    }

    /// Appends a row that was recorded, unless that takes another recording.
    fn push_recorded(
        &mut self,
        recorded: &Node,
        fresh: bool,
        check: &dyn Fn(&Shape) -> Result<()>,
    ) -> Result<Next> {
        if let Some(again) = self.again.take()
            && let Some(again) = self.is_same(recorded, again, fresh)?
        {
            return Ok(self.push_again(Some(again)));
        }
        match self.append_recorded(recorded, fresh, check) {
            Ok(()) => Ok(Next::Row),
            Err(error) => Err(self.take_back(error)),
        }
    }

    fn rules(&self) -> Rules {
        Rules { grow: self.grow, texts: !self.grow || !self.wishes.is_empty(), stored: self.stored }
    }

    /// Leaves the fast path, and tells why it did not take the last row, if it was tried.
    fn leave_tree(&mut self) -> Option<Missed> {
        let Tree { mut root, before, missed } = self.tree.take()?;
        // Else the tree has nothing but a row that is recorded.
        let is_of_rows = self.again.is_none();
        let rows = if is_of_rows { self.len } else { 0 };
        let missed = missed.map(|error| match error {
            None => Missed::Recorded(root.split(rows, rows + 1)),
            Some(FastPathMiss) => Missed::Failed(FastPathMiss::take_message()),
        });
        if is_of_rows {
            self.backoff.begin(self.len - before);
            self.vector = root.into_vector(self.len);
            // What a row that failed has left.
            self.vector.truncate(self.len);
        } else if missed.is_none() || matches!(missed, Some(Missed::Failed(_))) {
            self.again = None;
        }
        missed
    }

    /// Whether an error says that a row was taken for a record, but has a key that is not text, and it can be written as
    /// a map. From then on all such maps are maps, so it happens once; where the shape was given, it may have places for both, and
    /// it happens in each such row.
    fn turns_to_maps(&self, error: &Error) -> bool {
        matches!(error.kind(), ErrorKind::KeyNotText) && !self.maps
    }

    /// Appends a row that was recorded.
    fn append_recorded(
        &mut self,
        recorded: &Node,
        fresh: bool,
        check: &dyn Fn(&Shape) -> Result<()>,
    ) -> Result<()> {
        let row = |slow: Slow<'_>| Entry::only(recorded).serialize(slow);
        match self.append(&row, fresh, check) {
            Err(error) if self.turns_to_maps(&error) => {
                self.vector.truncate(self.len);
                self.maps = true;
                if !self.known && fresh && self.len == 0 {
                    (self.shape, self.vector) = (Shape::Unknown, Vector::Null(0));
                }
                let pushed = self.append(&row, fresh, check);
                self.maps = self.grow;
                pushed
            }
            Err(error) if is_full(&error) && self.open(Keys::Full, fresh, check) => {
                self.append_recorded(recorded, fresh, check)
            }
            pushed => pushed,
        }
    }

    /// Makes maps of objects with open keys; false where there are no such objects, and where the file cannot have the maps.
    /// Rows that failed are gone then.
    #[cold]
    fn open(&mut self, keys: Keys, fresh: bool, check: &dyn Fn(&Shape) -> Result<()>) -> bool {
        self.vector.truncate(self.len);
        let Some(shape) = opened(&self.shape, &self.vector, keys) else { return false };
        if !self.grow || check(&shape).is_err() || !keeps(&self.kept, &self.shape, &shape) {
            return false;
        }
        let converted = Conversion::between(&self.shape, &shape);
        let Some(Ok(mut vector)) = converted.map(|conversion| conversion.apply(self.vector.clone())) else {
            return false;
        };
        if !fresh {
            set_earlier(&mut vector);
            self.opened = true;
        }
        (self.shape, self.vector) = (shape, vector);
        true
    }

    /// Whether records of rows that have been encoded have become maps since this was asked.
    pub(crate) fn take_opened(&mut self) -> bool {
        std::mem::take(&mut self.opened)
    }

    /// Serializes a row that failed again, to know where. What it said counts, as it may fail otherwise now.
    fn append_failing(
        &mut self,
        row: SlowRow<'_>,
        message: Option<String>,
        fresh: bool,
        check: &dyn Fn(&Shape) -> Result<()>,
    ) -> Result<Next> {
        if self.once {
            let failed = serde::ser::Error::custom(message.unwrap_or_default());
            return Err(self.take_back(failed));
        }
        let again = self.append(row, fresh, check);
        self.len -= usize::from(again.is_ok());
        let failed = match (again, message) {
            (Err(error), None) => error,
            (Err(error), Some(message)) if error.to_string().contains(&message) => error,
            (_, Some(message)) => serde::ser::Error::custom(message),
            (Ok(()), None) => Error::option("a Serialize implementation went on after an error"),
        };
        Err(self.take_back(failed))
    }

    /// Says that a row is to be pushed again, to be recorded. Now and then that is needed twice.
    fn push_again(&mut self, again: Option<Again>) -> Next {
        let until = || Again { until: self.vector.digest(), recorded: None };
        self.again = Some(again.unwrap_or_else(until));
        self.vector.truncate(self.len);
        self.tree = Some(Tree { root: Node::recorder(), before: 0, missed: None });
        Next::Again
    }

    /// Checks that a row that was recorded is the same as when it came to a key that is not text: it was not serialized
    /// to its end then, so what can be serialized only once lacks something now. Returns what is known if that takes
    /// another recording.
    ///
    /// # Errors
    ///
    /// It is another one.
    fn is_same(&mut self, recorded: &Node, again: Again, fresh: bool) -> Result<Option<Again>> {
        let mut other = Self::new(Shape::Unknown, true);
        other.maps = true;
        other.append_recorded(recorded, true, &|_| Ok(()))?;
        let now = other.vector.digest();
        let Some(before) = again.recorded else {
            return Ok(Some(Again { recorded: Some(now), ..again }));
        };
        let pushed = self.append(&|slow| Entry::only(recorded).serialize(slow), fresh, &|_| Ok(()));
        let is_same = now == before
            && matches!(&pushed, Err(error) if self.turns_to_maps(error) || is_full(error))
            && self.vector.digest() == again.until;
        self.len -= usize::from(pushed.is_ok());
        self.vector.truncate(self.len);
        if is_same { Ok(None) } else { Err(changed()) }
    }

    /// Appends a row on the slow path. What a row has pushed that fails is there for [`take_back`](Self::take_back).
    fn append(&mut self, row: SlowRow<'_>, fresh: bool, check: &dyn Fn(&Shape) -> Result<()>) -> Result<()> {
        let context = Context::new(self.defaults.clone());
        let Self { grow, maps, absorbs, stored, .. } = *self;
        let growth = Growth { grow, fresh, maps, absorbs, texts: self.rules().texts, stored };
        let mode = Mode::new(growth, &context);
        let pushed = row(Slow { shape: &mut self.shape, vector: &mut self.vector, mode });
        let pushed = pushed.and_then(|()| self.wishes.fulfil(&mut self.shape, &mut self.vector));
        pushed.and_then(|()| check(&self.shape))?;
        self.len += 1;
        if context.has_many_keys() {
            self.open(Keys::Sparse, fresh, check);
        }
        Ok(())
    }

    /// Takes back what a row has pushed that failed.
    #[cold]
    fn take_back(&mut self, error: Error) -> Error {
        self.vector.truncate(self.len);
        match error.kind() {
            ErrorKind::TooManyFields { .. } => error.at_map(path_of_full(&self.shape)),
            _ => error,
        }
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

/// Whether an error says that a record has all fields that it can have.
fn is_full(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::TooManyFields { .. })
}

#[cold]
fn changed() -> Error {
    Error::option(
        "a map has keys that are text and others, so its row is serialized again, and is another row then: its Serialize \
         can run only once",
    )
}

#[cfg(test)]
mod tests;
