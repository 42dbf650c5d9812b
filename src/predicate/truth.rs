//! Truth in three values, and sets of them.

use std::ops::Not;

/// Whether a predicate holds; unknown where it compares what is missing.
///
/// In order: the lesser of two is their `and`, the greater their `or`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Truth {
    False = 0,
    Unknown = 1,
    True = 2,
}

impl From<bool> for Truth {
    #[inline]
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

impl Not for Truth {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
            Self::True => Self::False,
        }
    }
}

/// The results that a predicate may have in some rows, as far as it is known without decoding them. No
/// result at all is possible where there is nothing to compare, such as the items of empty lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truths(u8);

impl Truths {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const FALSE: Self = Self(1);
    pub(crate) const UNKNOWN: Self = Self(2);
    pub(crate) const TRUE: Self = Self(4);

    /// The result of all rows, where all have the same.
    pub(crate) fn new(truth: Truth) -> Self {
        match truth {
            Truth::False => Self::FALSE,
            Truth::Unknown => Self::UNKNOWN,
            Truth::True => Self::TRUE,
        }
    }

    /// Whether the result of a row may be this one.
    pub(crate) fn contains(self, truth: Truth) -> bool {
        self.0 & Self::new(truth).0 != 0
    }

    /// Whether the predicate may hold in some of the rows.
    pub(crate) fn may_be_true(self) -> bool {
        self.contains(Truth::True)
    }

    /// Whether the predicate is sure to hold in all of the rows.
    pub(crate) fn is_true(self) -> bool {
        self == Self::TRUE
    }

    /// What is possible in one of both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These results where the condition holds, else the empty set.
    pub(crate) fn only_if(self, condition: bool) -> Self {
        if condition { self } else { Self::NONE }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        self.combined(other, Truth::min)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        self.combined(other, Truth::max)
    }

    /// What is possible for lists, from what is possible for their items: the greatest result of the
    /// items is the result of one of them.
    pub(crate) fn any(self, may_be_empty: bool) -> Self {
        self.with(Self::FALSE.only_if(may_be_empty))
    }

    fn combined(self, other: Self, combine: impl Fn(Truth, Truth) -> Truth) -> Self {
        const ALL: [Truth; 3] = [Truth::False, Truth::Unknown, Truth::True];
        let mut result = Self::NONE;
        for one in ALL.into_iter().filter(|truth| self.contains(*truth)) {
            for two in ALL.into_iter().filter(|truth| other.contains(*truth)) {
                result = result.with(Self::new(combine(one, two)));
            }
        }
        result
    }
}

impl Not for Truths {
    type Output = Self;

    fn not(self) -> Self {
        Self((self.0 & 1) << 2 | self.0 & 2 | (self.0 & 4) >> 2)
    }
}
