//! Floating-point numbers: as they are, as whole numbers of a power of ten, or by their bits as integers.

use super::context::Context;
use super::integers::{Encoded, Integers};
use super::section::{Read, byte, count, put_count, put_section, section};
use crate::bytes::reader::Bytes;

/// How numbers are encoded: the first byte after their number.
mod form {
    pub(super) const PLAIN: u8 = 0;
    pub(super) const DECIMAL: u8 = 1;
    pub(super) const BITS: u8 = 2;
}

/// A type of floating-point numbers.
pub(super) trait Float: Copy {
    const BYTES: usize;
    /// The most digits after the point that are tried.
    const DIGITS: i32;

    fn bits(self) -> i64;
    fn of_bits(bits: i64) -> Self;
    fn double(self) -> f64;
    fn of_double(double: f64) -> Self;
    fn put(self, out: &mut Vec<u8>);
    fn take(bytes: &mut Bytes<'_>) -> Option<Self>;
}

impl Float for f32 {
    const BYTES: usize = 4;
    const DIGITS: i32 = 9;

    fn bits(self) -> i64 {
        i64::from(self.to_bits().cast_signed())
    }

    fn of_bits(bits: i64) -> Self {
        Self::from_bits(bits as u32)
    }

    fn double(self) -> f64 {
        f64::from(self)
    }

    fn of_double(double: f64) -> Self {
        double as Self
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn take(bytes: &mut Bytes<'_>) -> Option<Self> {
        bytes.array().ok().map(Self::from_le_bytes)
    }
}

impl Float for f64 {
    const BYTES: usize = 8;
    const DIGITS: i32 = 15;

    fn bits(self) -> i64 {
        self.to_bits().cast_signed()
    }

    fn of_bits(bits: i64) -> Self {
        Self::from_bits(bits.cast_unsigned())
    }

    fn double(self) -> f64 {
        self
    }

    fn of_double(double: f64) -> Self {
        double
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn take(bytes: &mut Bytes<'_>) -> Option<Self> {
        bytes.array().ok().map(Self::from_le_bytes)
    }
}

/// Numbers that are looked at to find how many digits they have after the point.
const SAMPLE: usize = 48;
/// Whole numbers up to here are exact.
const EXACT: f64 = (1u64 << 53) as f64;

/// Numbers as whole numbers of a power of ten.
struct Decimal<F> {
    digits: u8,
    whole: Vec<i64>,
    /// Numbers that are not such, and the place of each after the one before.
    places: Vec<i64>,
    exceptions: Vec<F>,
}

/// Ten to the power of so many digits, which is exact.
fn power(digits: i32) -> f64 {
    10f64.powi(digits)
}

/// The whole number of which a power of ten makes exactly this one.
#[inline]
fn whole<F: Float>(value: F, power: f64) -> Option<i64> {
    let rounded = (value.double() * power).round();
    // Also not a number is a whole number now, and -0.0 is one without a sign.
    let whole = rounded as i64;
    let same = F::of_double(whole as f64 / power).bits() == value.bits();
    (same && rounded.abs() <= EXACT).then_some(whole)
}

impl<F: Float> Decimal<F> {
    /// None where most numbers of a sample have too many digits.
    fn of(values: &[F]) -> Option<Self> {
        let step = values.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<F> = values.iter().copied().step_by(step).collect();
        let exact = |digits: &i32| {
            let power = power(*digits);
            sample.iter().filter(|value| whole(**value, power).is_some()).count()
        };
        let (digits, exact) = (0..=F::DIGITS)
            .map(|digits| (digits, exact(&digits)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        if exact * 4 < sample.len() * 3 {
            return None;
        }
        let power = power(digits);
        let mut decimal = Self {
            digits: digits as u8,
            whole: Vec::with_capacity(values.len()),
            places: Vec::new(),
            exceptions: Vec::new(),
        };
        let (mut last, mut next) = (0, 0);
        for (value, place) in values.iter().zip(0..) {
            last = whole(*value, power).unwrap_or_else(|| {
                decimal.places.push(place - next);
                decimal.exceptions.push(*value);
                next = place + 1;
                last
            });
            decimal.whole.push(last);
        }
        Some(decimal)
    }
}

/// Appends numbers in the form that takes the fewest bytes.
pub(super) fn encode<F: Float>(values: &[F], context: &mut Context, out: &mut Vec<u8>) {
    put_count(values.len() as u64, out);
    let plain = values.len() as u64 * F::BYTES as u64 * 8;
    let bits: Vec<i64> = values.iter().map(|value| value.bits()).collect();
    let by_bits = Encoded::of(&bits, context);
    let least = plain.min(by_bits.bits);
    if let Some(decimal) = Decimal::of(values) {
        let whole = Encoded::of(&decimal.whole, context);
        let places = Encoded::of(&decimal.places, context);
        let apart = decimal.exceptions.len() as u64 * F::BYTES as u64 * 8;
        if whole.bits + places.bits + apart < least {
            out.extend_from_slice(&[form::DECIMAL, decimal.digits]);
            put_section(out, |out| whole.write(out));
            put_section(out, |out| places.write(out));
            decimal.exceptions.iter().for_each(|value| value.put(out));
            return;
        }
    }
    if by_bits.bits < plain - plain / 16 {
        out.push(form::BITS);
        by_bits.write(out);
    } else {
        out.push(form::PLAIN);
        values.iter().for_each(|value| value.put(out));
    }
}

/// Numbers that are read from the first to the last.
pub(super) struct Floats<'a> {
    left: u64,
    form: Form<'a>,
}

enum Form<'a> {
    Plain(Bytes<'a>),
    Bits(Integers<'a>),
    Decimal(Decimals<'a>),
}

struct Decimals<'a> {
    power: f64,
    whole: Integers<'a>,
    places: Integers<'a>,
    /// How many numbers come before the next exception; none after the last.
    until: Option<u64>,
    exceptions: Bytes<'a>,
}

impl<'a> Floats<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Read<Self> {
        let mut bytes = Bytes::new(bytes);
        let left = count(&mut bytes)?;
        let form = match byte(&mut bytes)? {
            form::PLAIN => Form::Plain(bytes),
            form::BITS => Form::Bits(Integers::new(bytes.rest())?),
            form::DECIMAL => Form::Decimal(Decimals::new(bytes)?),
            _ => return Err("floating-point numbers have an unknown form"),
        };
        Ok(Self { left, form })
    }

    /// How many have not been given.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Calls with each of the next ones.
    pub(super) fn next<F: Float>(&mut self, wanted: usize, mut each: impl FnMut(F)) -> Read<()> {
        self.left = self.left.checked_sub(wanted as u64).ok_or(FEWER)?;
        match &mut self.form {
            Form::Plain(bytes) => {
                for _ in 0..wanted {
                    each(F::take(bytes).ok_or(FEWER)?);
                }
                Ok(())
            }
            Form::Bits(integers) => {
                take(integers, wanted, |bits| bits.iter().for_each(|bits| each(F::of_bits(*bits))))
            }
            Form::Decimal(decimals) => decimals.next(wanted, each),
        }
    }
}

const FEWER: &str = "there are fewer floating-point numbers than wanted";

/// Calls with the next integers, some at a time.
fn take(integers: &mut Integers<'_>, mut wanted: usize, mut each: impl FnMut(&[i64])) -> Read<()> {
    while wanted > 0 {
        let some = integers.next(wanted)?;
        if some.is_empty() {
            return Err(FEWER);
        }
        wanted -= some.len();
        each(some);
    }
    Ok(())
}

impl<'a> Decimals<'a> {
    fn new(mut bytes: Bytes<'a>) -> Read<Self> {
        let digits = i32::from(byte(&mut bytes)?);
        if digits > <f64 as Float>::DIGITS {
            return Err("floating-point numbers have too many digits");
        }
        let (whole, places) = (Integers::new(section(&mut bytes)?)?, Integers::new(section(&mut bytes)?)?);
        let mut decimals = Self { power: power(digits), whole, places, until: None, exceptions: bytes };
        decimals.find_exception()?;
        Ok(decimals)
    }

    fn find_exception(&mut self) -> Read<()> {
        let until = self.places.next(1)?.first().copied();
        self.until =
            until.map(|until| u64::try_from(until).map_err(|_| "a place is negative")).transpose()?;
        Ok(())
    }

    fn next<F: Float>(&mut self, mut wanted: usize, mut each: impl FnMut(F)) -> Read<()> {
        while wanted > 0 {
            let power = self.power;
            let run = self.until.map_or(wanted, |until| usize::try_from(until).unwrap_or(wanted).min(wanted));
            let whole =
                |some: &[i64]| some.iter().for_each(|whole| each(F::of_double(*whole as f64 / power)));
            take(&mut self.whole, run, whole)?;
            wanted -= run;
            self.until = self.until.map(|until| until - run as u64);
            if wanted > 0 && self.until == Some(0) {
                self.whole.skip(1)?;
                each(F::take(&mut self.exceptions).ok_or(FEWER)?);
                wanted -= 1;
                self.find_exception()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded<F: Float>(values: &[F]) -> Vec<u8> {
        let mut out = Vec::new();
        encode(values, &mut Context::default(), &mut out);
        out
    }

    /// The bits of numbers, read some at a time.
    fn decoded<F: Float>(bytes: &[u8], some: usize) -> Read<Vec<i64>> {
        let (mut floats, mut out) = (Floats::new(bytes)?, Vec::new());
        while floats.left() > 0 && out.len() < 1 << 20 {
            let wanted = floats.left().min(some as u64) as usize;
            floats.next(wanted, |value: F| out.push(value.bits()))?;
        }
        Ok(out)
    }

    fn values() -> impl Strategy<Value = Vec<f64>> {
        let value = prop_oneof![
            6 => (-5000i32..5000).prop_map(|value| f64::from(value) / 100.0),
            1 => any::<f64>(),
            1 => prop_oneof![Just(-0.0), Just(f64::NAN), Just(f64::INFINITY), Just(1e300), Just(0.1 + 0.2)],
        ];
        (prop::collection::vec(value, 0..200), 1usize..9, any::<bool>()).prop_map(|(values, times, whole)| {
            let values = values.repeat(times);
            if whole { values.iter().map(|value| value.round()).collect() } else { values }
        })
    }

    proptest! {
        #[test]
        fn numbers_come_back(values in values(), some in 1usize..500) {
            let bits: Vec<i64> = values.iter().map(|value| value.bits()).collect();
            prop_assert_eq!(decoded::<f64>(&encoded(&values), some), Ok(bits));
            let singles: Vec<f32> = values.iter().map(|value| *value as f32).collect();
            let bits: Vec<i64> = singles.iter().map(|value| value.bits()).collect();
            prop_assert_eq!(decoded::<f32>(&encoded(&singles), some), Ok(bits));
        }

        #[test]
        fn damaged_bytes_are_numbers_or_an_error(
            values in values(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
        ) {
            let mut bytes = encoded(&values);
            let at = at.index(bytes.len());
            match cut {
                true => bytes.truncate(at),
                false => bytes[at] = byte,
            }
            let _ = decoded::<f64>(&bytes, 1000);
        }
    }

    #[test]
    fn decimals_take_few_bytes() {
        let prices: Vec<f64> = (0..10_000).map(|value| f64::from(value * 7919 % 10_000) / 100.0).collect();
        assert!(encoded(&prices).len() < 10_000 * 14 / 8 + 200);
        let singles: Vec<f32> = prices.iter().map(|price| *price as f32).collect();
        assert!(encoded(&singles).len() < 10_000 * 14 / 8 + 200);
        let mut wild: Vec<f64> = (1..10_000).map(|value| f64::from(value).sqrt()).collect();
        assert!(encoded(&wild).len() <= 80_000 + 10);
        wild.fill(std::f64::consts::PI);
        assert!(encoded(&wild).len() < 20);
    }
}
