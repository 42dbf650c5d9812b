//! What all values of a row share: the first error, what values may do to the shape, and how deep they are.

use super::defaults::{DefaultValue, Defaults};
use crate::error::{Error, ErrorKind, Result};
use crate::ser::maps::MAP_KEYS;
use crate::shape::join::Rules;
use crate::shape::{MAX_DEPTH, RecordShape, Shape, Shown};
use std::cell::{Cell, OnceCell};
use std::sync::Arc;

/// Remembers the first error of a row, for all its compounds: each of them only knows that it failed.
#[derive(Default)]
pub(super) struct FirstError(OnceCell<Box<str>>);

/// What all values of a row share.
#[derive(Default)]
pub(in crate::ser) struct Context {
    pub(super) first_error: FirstError,
    defaults: Option<Arc<Defaults>>,
    has_many_keys: Cell<bool>,
}

impl Context {
    /// A row whose fields have these defaults.
    pub(in crate::ser) fn new(defaults: Option<Arc<Defaults>>) -> Self {
        Self { defaults, ..Default::default() }
    }

    /// Counts the fields of a record that got a new key.
    #[inline]
    pub(super) fn count_keys(&self, count: usize) {
        if count.is_multiple_of(MAP_KEYS) {
            self.has_many_keys.set(true);
        }
    }

    /// Whether a record may have enough keys to become a map.
    #[inline]
    pub(in crate::ser) fn has_many_keys(&self) -> bool {
        self.has_many_keys.get()
    }

    /// The value of a field that does not come, by its position.
    #[inline]
    pub(super) fn default(&self, record: &RecordShape, at: usize) -> Option<&DefaultValue> {
        self.defaults.as_ref()?.get(record, &record.fields.get(at)?.name)
    }
}

impl FirstError {
    /// Remembers an error of a compound, unless there is one already; the compound has failed.
    #[cold]
    #[inline(never)]
    pub(super) fn note(&self, failed: &mut bool, error: Error) -> Error {
        *failed = true;
        self.0.get_or_init(|| error.to_string().into());
        error
    }

    /// Refuses the end of a compound that failed.
    #[inline]
    pub(super) fn check(&self, failed: bool) -> Result<()> {
        if failed { Err(self.went_on()) } else { Ok(()) }
    }

    #[cold]
    fn went_on(&self) -> Error {
        let first = self.0.get().map_or("", |text| text);
        Error::option(format!("a Serialize implementation went on after an error: {first}"))
    }
}

/// How values may change the shape of a row.
#[derive(Clone, Copy, Default)]
pub(in crate::ser) struct Growth {
    /// Whether the shape may grow; false for one that was given.
    pub(in crate::ser) grow: bool,
    /// Whether no batch has been encoded yet, so that the vectors hold all values there are.
    pub(in crate::ser) fresh: bool,
    /// Whether no map is taken for a record.
    pub(in crate::ser) maps: bool,
    /// Whether maps take what would be a record elsewhere.
    pub(in crate::ser) absorbs: bool,
    /// Whether logical types are wanted, of strings too.
    pub(in crate::ser) texts: bool,
    /// Whether values of logical types are shown as they are stored.
    pub(in crate::ser) stored: bool,
}

/// How values may change the shape, how many `Some` are around them, and how deep they are.
#[derive(Clone, Copy)]
pub(crate) struct Mode<'a> {
    /// Flags, then a count, then the depth, so that they pass in a register.
    bits: u32,
    /// Where a compound that fails says so, among others.
    pub(super) context: &'a Context,
}

impl<'a> Mode<'a> {
    const GROW: u32 = 1;
    const FRESH: u32 = 2;
    const DYNAMIC: u32 = 4;
    const MAPS: u32 = 8;
    const BRANCH: u32 = 16;
    const TEXTS: u32 = 32;
    const ABSORBS: u32 = 64;
    const STORED: u32 = 128;
    /// One `Some`.
    const SOME: u32 = 256;
    const SOMES: u32 = 127 * Self::SOME;
    /// One level of depth.
    const LEVEL: u32 = 128 * Self::SOME;
    /// The deepest.
    const BOTTOM: u32 = MAX_DEPTH as u32 * Self::LEVEL;

    pub(in crate::ser) fn new(growth: Growth, context: &'a Context) -> Self {
        let Growth { grow, fresh, maps, absorbs, texts, stored } = growth;
        let flags = [
            (grow, Self::GROW),
            (fresh, Self::FRESH),
            (maps, Self::MAPS),
            (absorbs, Self::ABSORBS),
            (texts, Self::TEXTS),
            (stored, Self::STORED),
        ];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set).fold(0, |flags, (_, flag)| flags | flag);
        Self { bits: flags | Self::DYNAMIC, context }
    }

    #[inline]
    fn with_bits(self, bits: u32) -> Self {
        Self { bits, ..self }
    }

    /// Whether the shape may grow; false for one that was given.
    #[inline]
    pub(super) fn grow(self) -> bool {
        self.bits & Self::GROW != 0
    }

    #[inline]
    pub(super) fn fresh(self) -> bool {
        self.bits & Self::FRESH != 0
    }

    /// Whether maps are taken for records: true as long as no struct was met on the way here.
    #[inline]
    pub(super) fn dynamic(self) -> bool {
        self.bits & Self::DYNAMIC != 0
    }

    /// Whether no map is taken for a record.
    #[inline]
    pub(super) fn maps(self) -> bool {
        self.bits & Self::MAPS != 0
    }

    /// Whether logical types are wanted: they take strings of their values, and do not become what their storage says.
    #[inline]
    pub(super) fn texts(self) -> bool {
        self.bits & Self::TEXTS != 0
    }

    /// Whether values of logical types are shown as they are stored.
    #[inline]
    pub(super) fn stores(self) -> bool {
        self.bits & Self::STORED != 0
    }

    /// How shapes are joined.
    pub(super) fn rules(self) -> Rules {
        let shown = if self.stores() { Shown::Stored } else { Shown::Texts };
        Rules { shown, ..Rules::ROWS }
    }

    /// Whether maps take what would be a record elsewhere.
    #[inline]
    pub(super) fn absorbs(self) -> bool {
        self.bits & Self::ABSORBS != 0
    }

    /// How many `Some` are around the value that no optional of the shape represents.
    #[inline]
    pub(super) fn somes(self) -> u32 {
        (self.bits & Self::SOMES) / Self::SOME
    }

    /// The mode within one more `Some` that no optional of the shape represents.
    #[inline]
    pub(super) fn with_some(self) -> Result<Self> {
        let most = self.somes() as usize >= MAX_DEPTH;
        if most { Err(too_deep()) } else { Ok(self.with_bits(self.bits + Self::SOME)) }
    }

    /// The mode within none of them.
    #[inline]
    pub(super) fn without_somes(self) -> Self {
        self.with_bits(self.bits & !Self::SOMES)
    }

    /// The mode one node further down.
    #[inline]
    pub(super) fn below(self) -> Result<Self> {
        if self.bits >= Self::BOTTOM {
            return Err(too_deep());
        }
        Ok(self.with_bits((self.bits + Self::LEVEL) & !(Self::SOMES | Self::BRANCH)))
    }

    /// The mode below an optional or a union.
    #[inline]
    pub(super) fn in_branch(self) -> Result<Self> {
        let mode = self.below()?;
        Ok(self.with_bits(mode.bits | self.bits & Self::SOMES | Self::BRANCH))
    }

    /// The mode of a node that Avro has a record around, directly below an optional or a union.
    #[inline]
    pub(super) fn wrapped(self) -> Result<Self> {
        if self.bits & Self::BRANCH == 0 { Ok(self) } else { self.deeper() }
    }

    /// The mode of a node that Avro needs one more type for.
    #[inline]
    pub(super) fn deeper(self) -> Result<Self> {
        if self.bits < Self::BOTTOM { Ok(self.with_bits(self.bits + Self::LEVEL)) } else { Err(too_deep()) }
    }

    /// Checks that a shape may go one node down.
    ///
    /// # Errors
    ///
    /// A shape that would be too deep then.
    #[cold]
    pub(super) fn check_room(self, shape: &Shape) -> Result<()> {
        let level = (self.bits / Self::LEVEL) as usize;
        if level + shape.nesting() <= MAX_DEPTH { Ok(()) } else { Err(too_deep()) }
    }

    /// The mode below a struct, whose maps are maps.
    #[inline]
    pub(super) fn typed(self) -> Self {
        self.with_bits(self.bits & !Self::DYNAMIC)
    }
}

#[cold]
fn too_deep() -> Error {
    ErrorKind::TooDeep { limit: MAX_DEPTH }.into()
}
