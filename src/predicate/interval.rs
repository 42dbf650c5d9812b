//! Sets of values, as intervals.

use std::borrow::Borrow;
use std::cmp::Ordering;

/// Values from `start` on; up to the last value before `end`, if there is an end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interval<T> {
    pub(super) start: T,
    pub(super) end: Option<T>,
}

/// A set of values: intervals that ascend and do not touch.
///
/// The values may be of a type that `T` is borrowed as, such as `[u8]` for `Vec<u8>`. What has no place
/// in the order, that is NaN, is in no set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Intervals<T>(Vec<Interval<T>>);

impl<T: PartialOrd> Intervals<T> {
    /// The union of intervals in any order; they may be empty, and overlap.
    pub(super) fn new(mut intervals: Vec<Interval<T>>) -> Self {
        intervals.retain(|interval| interval.end.as_ref().is_none_or(|end| interval.start < *end));
        intervals.sort_by(|one, two| one.start.partial_cmp(&two.start).unwrap_or(Ordering::Equal));
        let mut merged: Vec<Interval<T>> = Vec::with_capacity(intervals.len());
        for interval in intervals {
            match merged.last_mut() {
                Some(last) if last.end.as_ref().is_none_or(|end| interval.start <= *end) => {
                    let further = match (&last.end, &interval.end) {
                        (Some(last), Some(end)) => last < end,
                        (Some(_), None) => true,
                        (None, _) => false,
                    };
                    if further {
                        last.end = interval.end;
                    }
                }
                _ => merged.push(interval),
            }
        }
        Self(merged)
    }

    pub(super) fn as_slice(&self) -> &[Interval<T>] {
        &self.0
    }

    /// The first interval that has values not less than this one.
    fn reaching<V: ?Sized + PartialOrd>(&self, value: &V) -> Option<&Interval<T>>
    where
        T: Borrow<V>,
    {
        let ended = |interval: &Interval<T>| interval.end.as_ref().is_some_and(|end| end.borrow() <= value);
        self.0.get(self.0.partition_point(ended))
    }

    /// Whether the value is in the set.
    pub(super) fn contains<V: ?Sized + PartialOrd>(&self, value: &V) -> bool
    where
        T: Borrow<V>,
    {
        self.reaching(value).is_some_and(|interval| interval.start.borrow() <= value)
    }

    /// Whether the set has values that are not less than `min` and not greater than `max`.
    pub(super) fn overlaps<V: ?Sized + PartialOrd>(&self, min: Option<&V>, max: Option<&V>) -> bool
    where
        T: Borrow<V>,
    {
        let first = min.map_or_else(|| self.0.first(), |min| self.reaching(min));
        first.is_some_and(|interval| max.is_none_or(|max| interval.start.borrow() <= max))
    }

    /// Whether the set has all values that are not less than `min` and not greater than `max`.
    pub(super) fn covers<V: ?Sized + PartialOrd>(&self, min: Option<&V>, max: Option<&V>) -> bool
    where
        T: Borrow<V>,
    {
        let Some(min) = min else { return false };
        self.reaching(min).is_some_and(|interval| {
            let to_end = match (&interval.end, max) {
                (None, _) => true,
                (Some(end), Some(max)) => max < end.borrow(),
                (Some(_), None) => false,
            };
            interval.start.borrow() <= min && to_end
        })
    }
}
