//! How values are spread between the least and the greatest, and as a picture of one line.

use crate::drawing::drawing;
use crate::report_value::ReportValue;
use serde::Serialize;

/// The most parts of a histogram.
const PARTS: usize = 16;
/// Values of a sample.
const SAMPLE: usize = 8192;

/// How many values are in each of some parts of equal width.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// The least value, which may be a text.
    pub(crate) from: ReportValue,
    /// Width of a part.
    pub(crate) width: f64,
    /// Values in each part.
    pub counts: Vec<u64>,
    /// Whether the counts are of a sample.
    pub(crate) sampled: bool,
}

impl Histogram {
    /// A histogram of values between two bounds. `None` where the bounds are no numbers.
    pub(super) fn new(
        from: f64,
        to: f64,
        whole: bool,
        values: impl Iterator<Item = (f64, u64)>,
    ) -> Option<Self> {
        let range = to - from;
        if !range.is_finite() || range < 0.0 {
            return None;
        }
        let parts = PARTS as f64;
        let (parts, width) = match whole {
            // Each part has as many whole numbers as the others.
            true => {
                let width = ((range + 1.0) / parts).ceil();
                (((range + 1.0) / width).ceil(), width)
            }
            false if range == 0.0 => (1.0, 1.0),
            false => (parts, range / parts),
        };
        let last = (parts as usize).clamp(1, PARTS) - 1;
        let mut counts = vec![0; last + 1];
        for (value, count) in values.filter(|(value, _)| value.is_finite()) {
            counts[(((value - from) / width).max(0.0) as usize).min(last)] += count;
        }
        Some(Self { from: ReportValue::Double(from), width, counts, sampled: false })
    }

    /// The histogram with half as many parts.
    pub(super) fn halved(&self) -> Self {
        let counts = self.counts.chunks(2).map(|pair| pair.iter().sum()).collect();
        Self { counts, width: 2.0 * self.width, ..self.clone() }
    }

    /// Where the parts begin; of what is no number only the first is known.
    pub fn labels(&self) -> Vec<String> {
        let start = |part: usize| match &self.from {
            ReportValue::Double(from) => crate::human::short(from + part as f64 * self.width),
            from if part == 0 => from.to_string(),
            _ => String::new(),
        };
        (0..self.counts.len()).map(start).collect()
    }

    /// Whether the counts are of a sample.
    pub fn is_sampled(&self) -> bool {
        self.sampled
    }

    /// The histogram in one line: a bar for each part, empty without values.
    pub(super) fn picture(&self) -> String {
        drawing().heights(&self.counts)
    }
}

/// A sample of values of which each has the same chance: Li's "Algorithm L" (1994).
pub struct Sample<V> {
    values: Vec<V>,
    most: usize,
    seen: u64,
    /// The number of the value to be taken next.
    next: u64,
    threshold: f64,
    random: fastrand::Rng,
}

impl<V> Sample<V> {
    /// A sample of at most a number of values, at least one.
    pub(super) fn of(most: usize) -> Self {
        // The same values give the same sample.
        let random = fastrand::Rng::with_seed(8192);
        Self { values: Vec::new(), most: most.max(1), seen: 0, next: 0, threshold: 1.0, random }
    }

    /// Adds values; `value` is that at a position.
    pub(super) fn add(&mut self, len: usize, value: impl Fn(usize) -> V) {
        let end = self.seen + len as u64;
        while self.next < end {
            self.take(value((self.next - self.seen) as usize));
        }
        self.seen = end;
    }

    /// Adds a value, which is made only if it is taken.
    pub fn offer(&mut self, value: impl FnOnce() -> V) {
        if self.seen == self.next {
            self.take(value());
        }
        self.seen += 1;
    }

    fn take(&mut self, value: V) {
        self.next += 1;
        if self.values.len() < self.most {
            self.values.push(value);
        } else {
            let place = self.random.usize(..self.most);
            self.values[place] = value;
        }
        if self.values.len() == self.most {
            self.skip();
        }
    }

    fn skip(&mut self) {
        // No logarithm of zero.
        let mut random = || 1.0 - self.random.f64();
        self.threshold *= (random().ln() / self.most as f64).exp();
        let skipped = (random().ln() / (1.0 - self.threshold).ln()).floor();
        self.next = self.next.saturating_add(skipped as u64);
    }

    /// The values that were taken.
    pub fn values(&self) -> &[V] {
        &self.values
    }
}

impl<V> Default for Sample<V> {
    /// Of the usual size, without values.
    fn default() -> Self {
        Self::of(SAMPLE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_the_values() {
        let of = |values: &[f64], whole| {
            let (from, to) = (values[0], values[values.len() - 1]);
            let histogram = Histogram::new(from, to, whole, values.iter().map(|value| (*value, 1)));
            histogram.map(|histogram| (histogram.counts.len(), histogram.picture()))
        };
        assert_eq!(of(&[1.0, 2.0, 2.0, 4.0], true), Some((4, "▄█ ▄".to_owned())));
        assert_eq!(of(&[1.0, 2.0, 31.0], true), Some((16, "█              ▄".to_owned())));
        assert_eq!(of(&[3.0], false), Some((1, "█".to_owned())));
        assert_eq!(of(&[0.0, 0.1, 1.0], false), Some((16, "██             █".to_owned())));
        assert_eq!(of(&[0.0, f64::INFINITY], false), None);
    }

    #[test]
    fn samples_are_even() {
        let mut sample = Sample::default();
        for batch in 0..100 {
            sample.add(1000, |at| f64::from(batch * 1000 + at as i32));
        }
        let values = sample.values().iter().map(|value| (*value, 1));
        let histogram = Histogram::new(0.0, 99_999.0, true, values).unwrap();
        assert_eq!(histogram.counts.iter().sum::<u64>(), SAMPLE as u64);
        assert!(histogram.counts.iter().all(|count| (400..640).contains(count)), "{histogram:?}");
        let mut offered = Sample::default();
        (0..100_000).for_each(|value| offered.offer(|| f64::from(value)));
        assert_eq!(offered.values(), sample.values());
    }
}
