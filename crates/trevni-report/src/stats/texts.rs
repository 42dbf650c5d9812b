//! Statistics of strings and bytes: the first and last in order, and the most frequent.

use super::distinct::{Bound, Distinct, each_run};
use super::summary::{Summary, Top};
use crate::report_value::ReportValue;

/// Values that are named at most.
const NAMED: usize = 5;

/// What is known of some strings or byte strings.
pub(super) struct Texts {
    /// Whether they are strings.
    text: bool,
    /// How many are empty.
    empty: u64,
    least: Option<Box<[u8]>>,
    greatest: Option<Box<[u8]>>,
    distinct: Distinct<Box<[u8]>>,
}

impl Texts {
    pub(super) fn new(text: bool, bound: Bound) -> Self {
        Self { text, empty: 0, least: None, greatest: None, distinct: Distinct::new(bound) }
    }

    pub(super) fn add<'v>(&mut self, values: impl Iterator<Item = &'v [u8]>) {
        each_run(values, |value, times| self.one(value, times));
    }

    fn one(&mut self, value: &[u8], times: u64) {
        if value.is_empty() {
            self.empty += times;
        }
        if !self.distinct.add(value, times, value.len(), || value.into()) {
            return;
        }
        if self.least.as_deref().is_none_or(|least| value < least) {
            self.least = Some(value.into());
        }
        if self.greatest.as_deref().is_none_or(|greatest| value > greatest) {
            self.greatest = Some(value.into());
        }
    }

    fn scalar(&self, value: &[u8]) -> ReportValue {
        match self.text {
            true => ReportValue::Text(String::from_utf8_lossy(value).into_owned()),
            false => ReportValue::Bytes(value.to_vec()),
        }
    }

    /// Writes down what is known.
    pub(super) fn tell(&self, summary: &mut Summary) {
        summary.distinct = Some(self.distinct.count());
        summary.empty = Some(self.empty);
        summary.min = self.least.as_deref().map(|value| self.scalar(value));
        summary.max = self.greatest.as_deref().map(|value| self.scalar(value));
        if let Some(counts) = self.distinct.counts() {
            let counts: Vec<(&[u8], u64)> = counts.map(|(value, count)| (&**value, count)).collect();
            let top = most(counts);
            summary.top =
                top.into_iter().map(|(value, count)| Top { value: self.scalar(value), count }).collect();
        }
    }
}

/// The values that occur most often, and how often; of equally frequent ones the first in order.
pub(super) fn most<V: Ord>(mut counts: Vec<(V, u64)>) -> Vec<(V, u64)> {
    counts.sort_unstable_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
    counts.truncate(NAMED);
    counts
}
