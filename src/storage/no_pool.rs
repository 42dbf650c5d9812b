//! In the place of `pool.rs` where the feature `threads` is off: all work is done on this thread.

use crate::error::{Error, Result};
use std::convert::Infallible;
use std::marker::PhantomData;

/// Has no values, so the compiler removes the code that uses it.
pub(crate) struct Pool<J, R>(Infallible, PhantomData<(J, R)>);

impl<J, R> Pool<J, R> {
    /// Fails: there are no threads to start.
    pub(crate) fn start<W: FnMut(J) -> R>(_: usize, _: impl Fn() -> W) -> Result<Self> {
        Err(Error::internal("threads are to be started without the feature `threads`"))
    }

    pub(crate) fn waiting(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn push(&mut self, _: J) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn try_next(&mut self) -> Result<Option<R>> {
        match self.0 {}
    }

    pub(crate) fn next(&mut self) -> Result<Option<R>> {
        match self.0 {}
    }
}

/// Does what is given, and then something else.
pub(crate) fn beside<'w>(others: Vec<Box<dyn FnOnce() + Send + 'w>>, own: &mut dyn FnMut()) -> bool {
    others.into_iter().for_each(|other| other());
    own();
    true
}

/// Works on all items, in order.
pub(crate) fn each<T>(
    _: usize,
    mut items: impl Iterator<Item = T>,
    work: impl Fn(T) -> Result<()>,
) -> Result<()> {
    items.try_for_each(work)
}
