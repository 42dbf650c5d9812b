//! A value that others are more or less than, and its place among the values of its column.

use std::cmp::Ordering;

/// Bytes of a text that count.
const BYTES: usize = 128;

/// A value that has an order with others of its column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Edge {
    Whole(i128),
    /// A finite number.
    Float(f64),
    Bytes(Box<[u8]>),
}

impl Edge {
    /// Bytes or a text, of which the start counts.
    pub(super) fn bytes(bytes: &[u8]) -> Self {
        Self::Bytes(bytes[..bytes.len().min(BYTES)].into())
    }
}

impl PartialOrd for Edge {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(one), Self::Whole(two)) => one.partial_cmp(two),
            (Self::Float(one), Self::Float(two)) => one.partial_cmp(two),
            (Self::Bytes(one), Self::Bytes(two)) => one.partial_cmp(two),
            _ => None,
        }
    }
}

/// A sample of the values of a column, in their order.
pub(super) struct Ranks(Vec<Edge>);

impl Ranks {
    pub(super) fn of(mut sample: Vec<Edge>) -> Self {
        sample.sort_by(|one, two| one.partial_cmp(two).unwrap_or(Ordering::Equal));
        Self(sample)
    }

    /// The share of the values that are less than the least of some, and that are not more than the greatest of them.
    pub(super) fn places(&self, least: &Edge, greatest: &Edge) -> [f64; 2] {
        let all = self.0.len().max(1) as f64;
        let up_to = self.0.partition_point(|value| value <= greatest) as f64;
        let below = self.below(least);
        [below, (up_to / all).max(below)]
    }

    /// The share of the values that are less than one.
    pub(super) fn below(&self, edge: &Edge) -> f64 {
        self.0.partition_point(|value| value < edge) as f64 / self.0.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_shares_of_the_values() {
        let ranks = Ranks::of([3, 1, 2, 2].map(Edge::Whole).into());
        let places = |least, greatest| ranks.places(&Edge::Whole(least), &Edge::Whole(greatest));
        assert_eq!(places(1, 3), [0.0, 1.0]);
        assert_eq!(places(2, 2), [0.25, 0.75]);
        assert_eq!(places(-5, 1), [0.0, 0.25]);
        assert_eq!(places(7, 9), [1.0, 1.0]);
        assert_eq!(Ranks::of(Vec::new()).places(&Edge::Float(0.0), &Edge::Float(1.0)), [0.0, 0.0]);
    }

    #[test]
    fn long_texts_are_their_starts() {
        let Edge::Bytes(bytes) = Edge::bytes(&[7; 10_000]) else { unreachable!() };
        assert_eq!(bytes.len(), BYTES);
        assert_eq!(Edge::Whole(1).partial_cmp(&Edge::Float(1.0)), None);
    }
}
