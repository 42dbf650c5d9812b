//! What all values of a row share. The first error within it: a `Serialize` that goes on nevertheless must not come to an end.

use super::defaults::{DefaultValue, Defaults};
use crate::error::{Error, Result};
use crate::ser::maps::MAP_KEYS;
use crate::shape::RecordShape;
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
