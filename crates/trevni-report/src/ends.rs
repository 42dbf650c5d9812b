//! The first and the last of many.

use crate::drawing::ellipsis;
use crate::human::thousands;

/// Which of some things are shown: some from the front, and some from the back where there are more.
pub(crate) struct Ends {
    front: usize,
    back: usize,
    all: usize,
}

impl Ends {
    /// At most this number, three quarters of them from the front.
    pub(crate) fn at_most(all: usize, most: usize) -> Self {
        Self::of(all, most - most / 4, most / 4)
    }

    pub(crate) fn of(all: usize, front: usize, back: usize) -> Self {
        match all <= front + back {
            true => Self { front: all, back: 0, all },
            false => Self { front, back, all },
        }
    }

    /// How many are not shown.
    pub(crate) fn hidden(&self) -> usize {
        self.all - self.front - self.back
    }

    /// What is said in the place of those that are not shown; `None` where all are.
    pub(crate) fn more(&self, what: &str) -> Option<String> {
        let more = |hidden: usize| format!("{} {} more {what}", ellipsis(), thousands(hidden as u64));
        Some(self.hidden()).filter(|hidden| *hidden > 0).map(more)
    }

    /// The places of those that are shown; none in the place of the others.
    pub(crate) fn places(&self) -> impl Iterator<Item = Option<usize>> + use<> {
        let gap = (self.hidden() > 0).then_some(None);
        let last = self.all - self.back..self.all;
        (0..self.front).map(Some).chain(gap).chain(last.map(Some))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_last_are_shown() {
        let places = |all| Ends::of(all, 2, 1).places().collect::<Vec<_>>();
        assert_eq!(places(0), []);
        assert_eq!(places(3), [Some(0), Some(1), Some(2)]);
        assert_eq!(places(4), [Some(0), Some(1), None, Some(3)]);
        assert_eq!(places(9), [Some(0), Some(1), None, Some(8)]);
        assert_eq!(Ends::at_most(10, 4).places().flatten().collect::<Vec<_>>(), [0, 1, 2, 9]);
        assert_eq!(Ends::at_most(10, 0).hidden(), 10);
        assert_eq!(Ends::of(3, 2, 1).more("fields"), None);
        assert_eq!(Ends::of(5003, 2, 1).more("fields").as_deref(), Some("… 5,000 more fields"));
    }
}
