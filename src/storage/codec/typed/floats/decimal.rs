//! Numbers as whole numbers of a power of ten.

use super::super::integers::Numbers;
use super::{AT_ONCE, Float};

/// Numbers that are looked at to find how many digits they have after the point.
const SAMPLE: usize = 48;
/// Numbers that are looked at to find whether a multiplication is as exact as a division.
const SCALE_SAMPLE: usize = 1024;
/// Whole numbers up to here are exact.
const EXACT: u64 = 1 << 53;
/// The greatest number below a half: what is more than a whole number and half of the next is rounded up by it, and
/// whole numbers stay, however large.
const NEARLY_HALF: f64 = 0.5 - f64::EPSILON / 4.0;

/// How a whole number becomes a decimal.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Scale {
    /// By a division through a power of ten.
    Quotient(f64),
    /// By a multiplication with a power of ten, which makes them whole numbers of 10⁻¹⁴, and by 10⁻¹⁴: faster, and nearly always as exact,
    /// for the double 10⁻¹⁴ is very near to that number. By 1 and 1 without digits.
    Product(f64, f64),
}

/// Digits after the point of whole numbers that are multiplied.
const PRODUCT_DIGITS: i32 = 14;
/// One unit of that digit.
const PRODUCT_UNIT: f64 = 1e-14;
/// What the number of digits has added where whole numbers are multiplied.
pub(super) const PRODUCT: u8 = 0x80;

impl Scale {
    /// From the byte that says it.
    pub(in super::super) fn from_byte(byte: u8) -> Option<Self> {
        let digits = i32::from(byte & !PRODUCT);
        match byte & PRODUCT {
            0 => (digits <= <f64 as Float>::DIGITS).then(|| Self::Quotient(power(digits))),
            _ if digits == 0 => Some(Self::Product(1.0, 1.0)),
            _ => (digits <= PRODUCT_DIGITS)
                .then(|| Self::Product(power(PRODUCT_DIGITS - digits), PRODUCT_UNIT)),
        }
    }

    #[inline]
    pub(in super::super) fn decimal(self, whole: f64) -> f64 {
        match self {
            Self::Quotient(power) => whole / power,
            Self::Product(power, unit) => whole * power * unit,
        }
    }

    /// Appends the decimals of some whole numbers.
    pub(super) fn extend<F: Float>(self, whole: Numbers<'_>, out: &mut Vec<F>) {
        match (self, whole) {
            (Self::Quotient(_), Numbers::Narrow(some)) => {
                out.extend(some.iter().map(|whole| F::of_double(self.decimal(f64::from(*whole)))));
            }
            (Self::Product(power, unit), Numbers::Narrow(some)) => {
                out.extend(some.iter().map(|whole| F::of_double(f64::from(*whole) * power * unit)));
            }
            (_, Numbers::Wide(some)) => {
                out.extend(some.iter().map(|whole| F::of_double(self.decimal(*whole as f64))));
            }
        }
    }
}

/// Numbers as whole numbers of a power of ten.
pub(in super::super) struct Decimal<F> {
    /// The byte of the [`Scale`].
    pub(in super::super) scale: u8,
    pub(in super::super) whole: Vec<i64>,
    /// Numbers that are not such, and the place of each after the one before.
    pub(in super::super) places: Vec<i64>,
    pub(in super::super) exceptions: Vec<F>,
}

/// Ten to the power of the digits, which is exact.
fn power(digits: i32) -> f64 {
    10f64.powi(digits)
}

/// The whole number of a power of ten that is made exactly this one.
#[inline]
fn whole<F: Float>(value: F, power: f64, scale: Scale) -> Option<i64> {
    let scaled = value.double() * power;
    // The cast makes 0 of NaN and of -0.0; the comparison of bits refuses both.
    let whole = (scaled + NEARLY_HALF.copysign(scaled)) as i64;
    let same = F::of_double(scale.decimal(whole as f64)).bits() == value.bits();
    (same && whole.unsigned_abs() <= EXACT).then_some(whole)
}

/// As [`whole`], of some numbers together; `None` where one is not such, or has more than 32 bits.
fn narrow<F: Float>(values: &[F; AT_ONCE], power: f64, scale: Scale) -> Option<[i32; AT_ONCE]> {
    let mut all = [0; AT_ONCE];
    let different = match scale {
        Scale::Quotient(by) => put_narrow(values, power, |whole| whole / by, &mut all),
        Scale::Product(by, unit) => put_narrow(values, power, |whole| whole * by * unit, &mut all),
    };
    (different == 0).then_some(all)
}

/// Puts the whole numbers; returns bits that are set where one does not come back.
#[inline]
fn put_narrow<F: Float>(values: &[F], power: f64, decimal: impl Fn(f64) -> f64, all: &mut [i32]) -> i64 {
    let mut different = 0;
    for (value, all) in values.iter().zip(all) {
        let scaled = value.double() * power;
        *all = (scaled + NEARLY_HALF.copysign(scaled)) as i32;
        different |= F::of_double(decimal(f64::from(*all))).bits() ^ value.bits();
    }
    different
}

impl<F: Float> Decimal<F> {
    /// `None` where most numbers of a sample have too many digits.
    pub(in super::super) fn from_values(values: &[F]) -> Option<Self> {
        let step = values.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<F> = values.iter().copied().step_by(step).collect();
        let exact = |digits: &i32| {
            let power = power(*digits);
            sample.iter().filter(|value| whole(**value, power, Scale::Quotient(power)).is_some()).count()
        };
        let (digits, exact) = (0..=F::DIGITS)
            .map(|digits| (digits, exact(&digits)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        if exact * 4 < sample.len() * 3 {
            return None;
        }
        let power = power(digits);
        let some = values.iter().step_by(values.len().div_ceil(SCALE_SAMPLE).max(1));
        let exceptions =
            |scale: Scale| some.clone().filter(|value| whole(**value, power, scale).is_none()).count();
        // Each exception takes a whole number more.
        let is_as_exact = |product: Scale| exceptions(product) <= exceptions(Scale::Quotient(power));
        let product = (digits <= PRODUCT_DIGITS).then_some(digits as u8 | PRODUCT).and_then(Scale::from_byte);
        Some(Self::scaled(values, digits, if product.is_some_and(is_as_exact) { PRODUCT } else { 0 }))
    }

    /// With a number of digits, multiplied if `product` says so.
    fn scaled(values: &[F], digits: i32, product: u8) -> Self {
        let power = power(digits);
        let flagged = digits as u8 | product;
        let scale = Scale::from_byte(flagged).unwrap_or(Scale::Quotient(power));
        let mut decimal = Self {
            scale: flagged,
            whole: Vec::with_capacity(values.len()),
            places: Vec::new(),
            exceptions: Vec::new(),
        };
        let (mut last, mut next) = (0, 0);
        for (values, start) in values.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE)) {
            if let Some(all) = values.try_into().ok().and_then(|values| narrow(values, power, scale)) {
                decimal.whole.extend(all.iter().map(|whole| i64::from(*whole)));
                last = all.last().map_or(last, |whole| i64::from(*whole));
                continue;
            }
            for (value, place) in values.iter().zip(start..) {
                last = whole(*value, power, scale).unwrap_or_else(|| {
                    decimal.places.push(place - next);
                    decimal.exceptions.push(*value);
                    next = place + 1;
                    last
                });
                decimal.whole.push(last);
            }
        }
        decimal
    }
}
