//! What is to be said of numbers: least, greatest, mean, and how they are spread.

use super::distinct::{Bound, Distinct, each_run};
use super::histogram::{Histogram, Sample};
use super::summary::{PERCENTS, Percentile, Summary};
use crate::report_value::ReportValue;
use std::cmp::Ordering;
use std::hash::Hash;

/// A number that statistics are made of.
pub(super) trait Number: Copy + PartialOrd {
    /// What distinguishes numbers.
    type Key: Copy + Hash + Eq;
    /// Whether there are whole numbers only.
    const WHOLE: bool;
    fn key(self) -> Self::Key;
    fn of_key(key: Self::Key) -> Self;
    fn as_f64(self) -> f64;
    fn sum(values: &[Self]) -> f64;
    fn scalar(self) -> ReportValue;
}

macro_rules! whole {
    ($($type:ty, $sum:ty, $scalar:ident;)*) => {
        $(impl Number for $type {
            type Key = $type;
            const WHOLE: bool = true;
            fn key(self) -> $type {
                self
            }
            fn of_key(key: $type) -> Self {
                key
            }
            fn as_f64(self) -> f64 {
                self as f64
            }
            fn sum(values: &[Self]) -> f64 {
                values.iter().map(|value| *value as $sum).sum::<$sum>() as f64
            }
            fn scalar(self) -> ReportValue {
                ReportValue::$scalar(self.into())
            }
        })*
    };
}

// Sums of large numbers are rounded rather than too large.
whole! { i32, i64, Integer; u32, u64, Integer; i64, i128, Integer; u64, u128, Unsigned; i128, f64, Integer; u128, f64, Unsigned; }

macro_rules! floats {
    ($($type:ty, $bits:ty, $scalar:ident;)*) => {
        $(impl Number for $type {
            type Key = $bits;
            const WHOLE: bool = false;
            fn key(self) -> $bits {
                // Zeros of both signs are one value.
                (self + 0.0).to_bits()
            }
            fn of_key(key: $bits) -> Self {
                Self::from_bits(key)
            }
            fn as_f64(self) -> f64 {
                self.into()
            }
            fn sum(values: &[Self]) -> f64 {
                values.iter().filter(|value| !value.is_nan()).map(|value| f64::from(*value)).sum()
            }
            fn scalar(self) -> ReportValue {
                ReportValue::$scalar(self)
            }
        })*
    };
}

floats! { f32, u32, Single; f64, u64, Double; }

/// What is known of some numbers.
pub(super) struct Numbers<T: Number> {
    count: u64,
    nan: u64,
    sum: f64,
    /// The sum of the squares of the distances from a value, and that value.
    squares: f64,
    middle: f64,
    least: Option<T>,
    greatest: Option<T>,
    distinct: Distinct<T::Key>,
    sample: Sample<T>,
}

impl<T: Number> Numbers<T> {
    pub(super) fn new(bound: Bound) -> Self {
        let (distinct, sample) = (Distinct::new(bound), Sample::default());
        Self {
            count: 0,
            nan: 0,
            sum: 0.0,
            squares: 0.0,
            middle: 0.0,
            least: None,
            greatest: None,
            distinct,
            sample,
        }
    }

    pub(super) fn add(&mut self, values: &[T]) {
        self.count += values.len() as u64;
        self.sum += T::sum(values);
        let is_number = |value: &&T| value.partial_cmp(value).is_some();
        let mut numbers = values.iter().copied().filter(|value| is_number(&value));
        if let Some(first) = numbers.next() {
            if self.least.is_none() {
                self.middle = first.as_f64();
            }
            let middle = self.middle;
            let distance = |value: &T| value.as_f64() - middle;
            let squares = values.iter().map(|value| distance(value) * distance(value));
            self.squares += match T::WHOLE {
                true => squares.sum::<f64>(),
                false => squares.filter(|square| !square.is_nan()).sum(),
            };
            let (mut least, mut greatest) = (self.least.unwrap_or(first), self.greatest.unwrap_or(first));
            for value in values {
                // Comparisons with NaN are false.
                least = if *value < least { *value } else { least };
                greatest = if *value > greatest { *value } else { greatest };
            }
            (self.least, self.greatest) = (Some(least), Some(greatest));
        }
        if !T::WHOLE {
            self.nan += values.iter().filter(|value| !is_number(value)).count() as u64;
        }
        self.sample.add(values.len(), |at| values[at]);
        let keys = values.iter().copied().filter(|value| is_number(&value)).map(T::key);
        each_run(keys, |key, times| {
            self.distinct.add(&key, times, 0, || key);
        });
    }

    fn mean(&self) -> Option<f64> {
        let numbers = self.count - self.nan;
        (numbers > 0).then(|| self.sum / numbers as f64)
    }

    /// The standard deviation of a sample.
    fn deviation(&self) -> Option<f64> {
        let numbers = (self.count - self.nan) as f64;
        let from_middle = self.mean()? - self.middle;
        let squares = self.squares - numbers * from_middle * from_middle;
        let deviation = (squares.max(0.0) / (numbers - 1.0)).sqrt();
        (numbers > 1.0 && deviation.is_finite()).then_some(deviation)
    }

    /// The values below or at which a part of all are; of a sample where they are too many.
    fn percentiles(&self) -> Vec<Percentile> {
        let mut values: Vec<(T, u64)> = match self.distinct.counts() {
            Some(counts) => counts.map(|(key, count)| (T::of_key(*key), count)).collect(),
            None => self.sample.values().iter().map(|value| (*value, 1)).collect(),
        };
        values.retain(|(value, _)| value.partial_cmp(value).is_some());
        values.sort_by(|(one, _), (other, _)| one.partial_cmp(other).unwrap_or(Ordering::Equal));
        let all: u64 = values.iter().map(|(_, count)| count).sum();
        let (mut values, mut below) = (values.into_iter(), 0);
        let mut last = None;
        let at = |percent: &u8| {
            // The least number of values that is at least this part.
            let rank = (u128::from(all) * u128::from(*percent)).div_ceil(100).max(1);
            while u128::from(below) < rank {
                let (value, count) = values.next()?;
                (last, below) = (Some(value), below + count);
            }
            Some(Percentile { percent: *percent, value: last?.scalar() })
        };
        PERCENTS.iter().map_while(at).collect()
    }

    fn histogram(&self) -> Option<Histogram> {
        let (from, to) = (self.least?.as_f64(), self.greatest?.as_f64());
        match self.distinct.counts() {
            Some(counts) => {
                let values = counts.map(|(key, count)| (T::of_key(*key).as_f64(), count));
                Histogram::new(from, to, T::WHOLE, values)
            }
            None => {
                let values = self.sample.values().iter().map(|value| (value.as_f64(), 1));
                let histogram = Histogram::new(from, to, T::WHOLE, values)?;
                Some(Histogram { sampled: true, ..histogram })
            }
        }
    }

    /// Writes down what is known.
    pub(super) fn tell(&self, summary: &mut Summary) {
        summary.distinct = Some(self.distinct.count());
        self.tell_range(summary);
        summary.nan = (!T::WHOLE).then_some(self.nan);
    }

    /// Writes down what is known of lengths.
    pub(super) fn tell_range(&self, summary: &mut Summary) {
        summary.min = self.least.map(T::scalar);
        summary.max = self.greatest.map(T::scalar);
        summary.mean = self.mean();
        summary.deviation = self.deviation();
        summary.percentiles = self.percentiles();
        summary.histogram = self.histogram();
    }
}
