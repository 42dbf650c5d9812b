//! An axis: what its numbers are, from where to where, and how they are written.

use crate::human::short;
use serde_json::{Value, json};
use trevni_query::{Moment, MomentKind};

/// The least and the greatest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) least: f64,
    pub(super) greatest: f64,
    /// Whether all are whole numbers.
    pub(super) whole: bool,
}

impl Default for Range {
    fn default() -> Self {
        Self { least: f64::INFINITY, greatest: f64::NEG_INFINITY, whole: true }
    }
}

impl Range {
    pub(super) fn take(&mut self, value: f64) {
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
        self.whole &= value.fract() == 0.0;
    }

    /// Without what is farther from 98 of 100 values than these from each other, by a sample.
    pub(super) fn without_far(self, sample: &[f64]) -> Self {
        let mut sorted = sample.to_vec();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        let at = |percent: usize| sorted.get(last * percent / 100).copied();
        let (Some(low), Some(high)) = (at(1), at(99)) else { return self };
        let span = high - low;
        let is_far = |distance: f64| span > 0.0 && distance > span;
        Self {
            least: if is_far(low - self.least) { low } else { self.least },
            greatest: if is_far(self.greatest - high) { high } else { self.greatest },
            ..self
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.least > self.greatest
    }

    /// Which of a number of equal parts a number is in.
    pub(super) fn part(&self, value: f64, parts: usize) -> usize {
        // Halves, so that the width of any range is finite.
        let share = (value / 2.0 - self.least / 2.0) / (self.greatest / 2.0 - self.least / 2.0);
        let part = if share.is_finite() { (share * parts as f64) as usize } else { 0 };
        part.min(parts.saturating_sub(1))
    }
}

/// What is drawn along one side.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) range: Range,
    /// Of nanoseconds, what they count.
    pub(super) moment: Option<MomentKind>,
}

const SECOND: f64 = 1e9;
const DAY: f64 = 86_400.0 * SECOND;

/// Widths of parts of times, in nanoseconds, from a second on.
const TIMES: [f64; 19] = [
    SECOND,
    5.0 * SECOND,
    15.0 * SECOND,
    30.0 * SECOND,
    60.0 * SECOND,
    300.0 * SECOND,
    900.0 * SECOND,
    1800.0 * SECOND,
    3600.0 * SECOND,
    3.0 * 3600.0 * SECOND,
    6.0 * 3600.0 * SECOND,
    12.0 * 3600.0 * SECOND,
    DAY,
    2.0 * DAY,
    7.0 * DAY,
    14.0 * DAY,
    28.0 * DAY,
    91.0 * DAY,
    365.0 * DAY,
];

impl Axis {
    /// How a number is written.
    pub(super) fn text(&self, value: f64) -> String {
        match self.moment {
            Some(kind) => Moment { kind, nanos: value as i128 }.to_string(),
            None => short(value),
        }
    }

    pub(super) fn to_json(&self, value: f64) -> Value {
        match self.moment {
            Some(_) => json!(self.text(value)),
            None => json!(value),
        }
    }

    /// Where the first of at most a number of equal parts begins, and their width: round numbers.
    pub(super) fn parts(&self, most: usize) -> (f64, f64) {
        let Range { least, greatest, whole } = self.range;
        let range = greatest - least;
        if range == 0.0 {
            return (least, 1.0);
        }
        let needed = |width: f64| (greatest / width).floor() - (least / width).floor() + 1.0;
        let least_width = match self.moment {
            Some(MomentKind::Date) => DAY,
            None if whole => 1.0,
            _ => 0.0,
        };
        let fits = |width: &f64| width.is_finite() && *width >= least_width && needed(*width) <= most as f64;
        let width = match self.moment {
            Some(_) => TIMES.into_iter().find(fits),
            None if range.is_finite() => round(range / most as f64).find(fits),
            None => None,
        };
        match width {
            // A quotient may be too small for a sign.
            Some(width) => (((least / width).floor() * width).min(least), width),
            None => (least, (greatest / most as f64 - least / most as f64).max(f64::MIN_POSITIVE)),
        }
    }
}

/// 1, 2 and 5 times powers of ten, from about a number on.
fn round(least: f64) -> impl Iterator<Item = f64> {
    let power = if least > 0.0 { least.log10().floor() as i32 } else { 0 };
    (power..power + 4).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: &[f64], moment: Option<MomentKind>) -> Axis {
        let mut range = Range::default();
        values.iter().for_each(|value| range.take(*value));
        Axis { name: "x".to_owned(), range, moment }
    }

    #[test]
    fn parts_begin_at_round_numbers() {
        assert_eq!(axis(&[-43.0, 1301.0], None).parts(20), (-100.0, 100.0));
        assert_eq!(axis(&[1.0, 7.0], None).parts(20), (1.0, 1.0));
        assert_eq!(axis(&[0.5, 0.5], None).parts(20).0, 0.5);
        assert_eq!(axis(&[0.12, 0.37], None).parts(10), (0.1, 0.05));
        let days = [10.0 * DAY, 17.0 * DAY];
        assert_eq!(axis(&days, Some(MomentKind::Date)).parts(20), (10.0 * DAY, DAY));
        assert_eq!(axis(&[0.0, 7200.0 * SECOND], Some(MomentKind::Instant)).parts(5), (0.0, 1800.0 * SECOND));
    }

    #[test]
    fn every_range_has_parts_that_hold_it() {
        let ends = [f64::MIN, -1e300, -7.5, -1e-300, 0.0, 5e-324, 0.1, 3.0, 1e18, f64::MAX];
        for (least, greatest) in ends.iter().flat_map(|one| ends.map(|two| (*one, two))) {
            for most in [1, 2, 20] {
                let axis = axis(&[least, greatest], None);
                let (from, width) = axis.parts(most);
                assert!(width > 0.0 && from <= axis.range.least, "{least} {greatest}: {from} {width}");
                assert!(axis.range.part(greatest, most) < most);
            }
        }
    }
}
