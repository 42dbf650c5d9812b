//! How the values of a column lie along its rows.

/// A range of rows between 0 and 1, and the range of their values: the shares of the column's values below and up to them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) rows: [f64; 2],
    pub(crate) values: [f64; 2],
}

/// How the values of a column lie along its rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spread {
    /// Of parts of the rows of equal length; parts without values are not there.
    pub(crate) parts: Vec<Stretch>,
    /// Of the blocks with zone maps, neighbours together where there are many.
    pub(crate) blocks: Vec<Stretch>,
    pub(crate) order: Order,
}

/// An order of values along the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    /// Fewer than two different values.
    Constant,
    Ascending,
    Descending,
    /// A part of the rows has a small part of the values.
    Clustered,
    Mixed,
}
