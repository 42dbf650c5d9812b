//! The names that the text of a schema has for its parts: of these, the names of columns are made.

use crate::shape::Shape;

/// A schema with the names of its text.
pub(crate) struct Named<'a> {
    pub(crate) shape: Shape,
    /// The nodes of the shape as a limit counts them.
    pub(crate) nodes: usize,
    /// The name of the whole, then the names of fields and of branches of unions but null, as a walk through the shape
    /// meets them.
    pub(super) names: Vec<PathName<'a>>,
}

impl Named<'_> {
    /// The name of the whole, and the other names in their order.
    pub(crate) fn names(&self) -> &[PathName<'_>] {
        &self.names
    }
}

/// The name of a field, or the full name of a type.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PathName<'a> {
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
}

impl<'a> PathName<'a> {
    /// A name without a namespace.
    pub(super) fn from_path(name: &'a str) -> Self {
        Self { namespace: "", name }
    }

    /// The parts that make the name, one after the other.
    pub(crate) fn parts(self) -> [&'a str; 3] {
        [self.namespace, if self.namespace.is_empty() { "" } else { "." }, self.name]
    }
}
