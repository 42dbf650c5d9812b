//! A place for values that are decoded when they are first asked for.

use super::Vector;
use std::sync::OnceLock;

/// Values that may not have been decoded yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Lazy {
    node: u32,
    values: OnceLock<Vector>,
}

impl Lazy {
    /// A place for the values of a node of the shape, counted from 0 in depth-first order.
    pub(crate) fn new(node: u32) -> Self {
        Self { node, values: OnceLock::new() }
    }

    /// Makes this as [`Lazy::new`] does.
    pub(crate) fn reset(&mut self, node: u32) {
        self.node = node;
        self.values.take();
    }

    /// Takes the values out, where they have been decoded.
    pub(crate) fn take(&mut self) -> Option<Vector> {
        self.values.take()
    }

    /// Puts values back that have been taken out.
    pub(crate) fn put(&mut self, values: Vector) {
        self.values = OnceLock::from(values);
    }

    /// Number of the node of the shape.
    pub(crate) fn node(&self) -> u32 {
        self.node
    }

    /// The values, where they have been decoded.
    #[must_use]
    pub fn get(&self) -> Option<&Vector> {
        self.values.get()
    }

    /// The values, decoded by `load` if they have not been yet.
    pub(crate) fn get_or_load<E>(&self, load: impl FnOnce(u32) -> Result<Vector, E>) -> Result<&Vector, E> {
        if let Some(values) = self.values.get() {
            return Ok(values);
        }
        let values = load(self.node)?;
        Ok(self.values.get_or_init(|| values))
    }
}
