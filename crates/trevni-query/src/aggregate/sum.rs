//! Sums of numbers: of integers and decimals exactly, of floats with what each addition loses (Neumaier).

use crate::decimal::Decimal;
use crate::error::Error;
use crate::scalar::Scalar;

/// Integers whose sum fits in 64 bits, or that of their halves.
const AT_ONCE: usize = 1 << 16;

/// The sum of some numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    count: u64,
    integers: i128,
    decimals: Option<Decimal>,
    floats: f64,
    /// What the additions of floats have lost.
    lost: f64,
    has_floats: bool,
}

impl Sum {
    #[inline]
    pub(super) fn add_integer(&mut self, value: i128) -> Result<(), Error> {
        if self.add_total(1, value) { Ok(()) } else { Err(too_large()) }
    }

    /// Adds all; false, and adds nothing, if the sum gets larger than 128 bits.
    pub(super) fn add_ints(&mut self, values: &[i32]) -> bool {
        let total = |some: &[i32]| i128::from(some.iter().map(|value| i64::from(*value)).sum::<i64>());
        self.add_total(values.len(), values.chunks(AT_ONCE).map(total).sum())
    }

    /// As [`add_ints`](Self::add_ints).
    pub(super) fn add_longs(&mut self, values: &[i64]) -> bool {
        let total = |some: &[i64]| {
            let halves = some.iter().map(|value| (value >> 32, value & i64::from(u32::MAX)));
            let (high, low) = halves.fold((0, 0), |all: (i64, i64), one| (all.0 + one.0, all.1 + one.1));
            (i128::from(high) << 32) + i128::from(low)
        };
        self.add_total(values.len(), values.chunks(AT_ONCE).map(total).sum())
    }

    #[inline]
    fn add_total(&mut self, count: usize, total: i128) -> bool {
        let Some(integers) = self.integers.checked_add(total) else { return false };
        (self.integers, self.count) = (integers, self.count + count as u64);
        true
    }

    #[inline]
    pub(super) fn add_float(&mut self, value: f64) {
        self.count += 1;
        self.has_floats = true;
        self.add(value);
    }

    pub(super) fn add_decimal(&mut self, value: &Decimal) {
        self.count += 1;
        self.decimals = Some(self.decimals.take().map_or_else(|| value.clone(), |sum| sum.add(value)));
    }

    /// The sum of integers and decimals, where there are decimals.
    fn exact(&self) -> Option<Decimal> {
        self.decimals.as_ref().map(|decimals| decimals.add(&Decimal::of_integer(self.integers)))
    }

    #[inline]
    fn add(&mut self, value: f64) {
        let sum = self.floats + value;
        self.lost += if self.floats.abs() >= value.abs() {
            (self.floats - sum) + value
        } else {
            (value - sum) + self.floats
        };
        self.floats = sum;
    }

    /// The sum of the floats; what was lost has no meaning where it is no number.
    fn total(&self) -> f64 {
        let whole = self.floats + self.lost;
        if self.floats.is_finite() && whole.is_finite() { whole } else { self.floats }
    }

    /// Null for no numbers.
    pub(super) fn sum(&self) -> Scalar {
        match (self.count, self.has_floats, self.exact()) {
            (0, ..) => Scalar::Null,
            (_, false, Some(exact)) => Scalar::Decimal(exact),
            (_, false, None) => Scalar::Integer(self.integers),
            (_, true, Some(exact)) => Scalar::Float(self.total() + exact.to_float()),
            (_, true, None) => Scalar::Float(self.total() + self.integers as f64),
        }
    }

    /// Null for no numbers.
    pub(super) fn mean(&self) -> Scalar {
        let count = i128::from(self.count);
        if let Some(exact) = self.exact() {
            return Scalar::Float(match self.has_floats {
                true => (self.total() + exact.to_float()) / self.count as f64,
                false => exact.mean(self.count),
            });
        }
        match (self.count, self.has_floats) {
            (0, _) => Scalar::Null,
            (_, true) => Scalar::Float((self.total() + self.integers as f64) / self.count as f64),
            (_, false) => {
                let (whole, rest) = (self.integers / count, self.integers % count);
                Scalar::Float(whole as f64 + rest as f64 / count as f64)
            }
        }
    }
}

#[cold]
fn too_large() -> Error {
    Error::value("a sum gets larger than 128 bits").with_hint("As a float it may be: sum(1.0 * x)")
}

/// The spread of some numbers around their mean (Welford).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Spread {
    #[inline]
    pub(super) fn add(&mut self, value: f64) {
        self.count += 1;
        let from_mean = value - self.mean;
        self.mean += from_mean / self.count as f64;
        self.squares += from_mean * (value - self.mean);
    }

    /// The standard deviation of a sample; null for less than two numbers.
    pub(super) fn deviation(&self) -> Scalar {
        match self.count {
            0 | 1 => Scalar::Null,
            count => Scalar::Float((self.squares / (count - 1) as f64).sqrt()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_in_sums() {
        let mut sum = Sum::default();
        for value in [1e100, 1.0, -1e100, 1.0] {
            sum.add_float(value);
        }
        assert_eq!((sum.sum(), sum.mean()), (Scalar::Float(2.0), Scalar::Float(0.5)));
        let mut sum = Sum::default();
        sum.add_integer(i64::MAX.into()).unwrap();
        sum.add_integer(i64::MAX.into()).unwrap();
        assert_eq!(sum.sum(), Scalar::Integer(2 * i128::from(i64::MAX)));
        assert_eq!(sum.mean(), Scalar::Float(i64::MAX as f64));
        assert_eq!((Sum::default().sum(), Sum::default().mean()), (Scalar::Null, Scalar::Null));
        sum.add_float(f64::INFINITY);
        assert_eq!(sum.sum(), Scalar::Float(f64::INFINITY));
        let mut large = Sum::default();
        large.add_integer(i128::MAX).unwrap();
        assert!(large.add_integer(1).is_err());
    }

    #[test]
    fn slices_have_the_sum_of_their_integers() {
        let mut longs = vec![i64::MIN, i64::MAX, -1, 0, 1, 1 << 32, -1 << 32, i64::MIN];
        longs.extend(std::iter::repeat_n(i64::MAX, AT_ONCE));
        longs.extend((0..99).map(|at| 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(at).cast_signed()));
        let ints: Vec<i32> = longs.iter().map(|long| *long as i32).collect();
        let (mut one, mut all) = ([Sum::default(), Sum::default()], [Sum::default(), Sum::default()]);
        longs.iter().for_each(|long| one[0].add_integer((*long).into()).unwrap());
        ints.iter().for_each(|int| one[1].add_integer((*int).into()).unwrap());
        assert!(all[0].add_longs(&longs) && all[1].add_ints(&ints));
        for (one, all) in one.iter().zip(&all) {
            assert_eq!((one.sum(), one.mean()), (all.sum(), all.mean()));
        }
    }

    #[test]
    fn spreads_are_of_samples() {
        let mut spread = Spread::default();
        assert_eq!(spread.deviation(), Scalar::Null);
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| spread.add(value));
        let Scalar::Float(deviation) = spread.deviation() else { panic!("no number") };
        assert!((deviation - 2.138_089_935_299_395).abs() < 1e-12, "{deviation}");
    }
}
