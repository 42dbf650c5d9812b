//! One time through a type: what it has shown, and what it was given last.

use super::fault::Fault;
use super::leaf::{Leaf, try_next};
use std::any::type_name;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// One time through a type.
#[derive(Default)]
pub(super) struct Pass {
    learned: Cell<bool>,
    /// The leaf that was given a value last.
    last: RefCell<Option<Rc<Cell<usize>>>>,
    /// The named types around the present place.
    open: RefCell<Vec<Named>>,
}

impl Pass {
    /// Notes that something new has been seen.
    pub(super) fn learn(&self) {
        self.learned.set(true);
    }

    /// Whether something new has been seen.
    pub(super) fn has_learned(&self) -> bool {
        self.learned.get()
    }

    /// Gives another value next time, where the type has refused the last one; false after the last.
    pub(super) fn try_another(&self) -> bool {
        self.last.borrow().as_ref().is_some_and(|tried| try_next(tried))
    }

    /// Notes which leaf is given a value.
    pub(super) fn give(&self, leaf: &Leaf) {
        self.last.replace(Some(Rc::clone(&leaf.tried)));
    }

    /// Calls within a named type.
    pub(super) fn within<V, T>(
        &self,
        name: &'static str,
        parts: &'static [&'static str],
        call: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let named = Named { visitor: type_name::<V>(), name, parts };
        if self.open.borrow().contains(&named) {
            return Err(Fault::untraceable(format!(
                "type {name} holds itself, so its columns depend on how deep the data is: write rows without a shape"
            )));
        }
        self.open.borrow_mut().push(named);
        let result = call();
        self.open.borrow_mut().pop();
        result
    }
}

/// A type: its name, its fields or variants, and what visits it, which tells types of one name apart.
#[derive(PartialEq)]
struct Named {
    visitor: &'static str,
    name: &'static str,
    parts: &'static [&'static str],
}
