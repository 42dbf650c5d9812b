//! The levels of the entries of a column.

/// A place in the rows: how many lists are around it, and how many of the nodes that may be missing, lists included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) repetition: u8,
    pub(crate) definition: u8,
}

impl Place {
    /// Within an optional or a variant.
    pub(crate) fn within(self) -> Self {
        Self { definition: self.definition.saturating_add(1), ..self }
    }

    /// Within a list.
    pub(crate) fn items(self) -> Self {
        Self { repetition: self.repetition.saturating_add(1), ..self.within() }
    }
}

/// The levels of some entries of a column. Empty where the greatest level is 0: all of them are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Levels {
    /// Number of entries.
    pub(crate) entries: usize,
    pub(crate) repetition: Vec<u8>,
    pub(crate) definition: Vec<u8>,
}

/// Levels that are lent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LevelsRef<'l> {
    /// Number of entries.
    pub(crate) entries: usize,
    pub(crate) repetition: &'l [u8],
    pub(crate) definition: &'l [u8],
}

impl Levels {
    pub(crate) fn as_ref(&self) -> LevelsRef<'_> {
        LevelsRef { entries: self.entries, repetition: &self.repetition, definition: &self.definition }
    }
}

impl<'l> LevelsRef<'l> {
    /// Levels of entries below lists, which have both levels.
    pub(crate) fn new(repetition: &'l [u8], definition: &'l [u8]) -> Self {
        Self { entries: definition.len(), repetition, definition }
    }

    /// Number of rows.
    pub(crate) fn rows(self) -> usize {
        if self.repetition.is_empty() { self.entries } else { count(self.repetition, 0) }
    }

    /// Repetition and definition level of each entry.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        // There are no levels where the greatest is 0: all are 0.
        let at = |levels: &[u8], entry| levels.get(entry).copied().unwrap_or_default();
        (0..self.entries).map(move |entry| (at(self.repetition, entry), at(self.definition, entry)))
    }
}

/// How many of some levels are this one; many are compared at once.
pub(crate) fn count(levels: &[u8], level: u8) -> usize {
    // A byte counts up to 255.
    let piece = |piece: &[u8]| piece.iter().fold(0u8, |count, one| count + u8::from(*one == level));
    levels.chunks(255).map(|levels| usize::from(piece(levels))).sum()
}
