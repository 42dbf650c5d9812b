//! Floating-point numbers: as they are, as whole numbers of a power of ten, or by their bits as integers.

use super::context::{Context, Layout};
use super::integers::{DISTINCT_MAX, Encoded, Integers, Numbers, Repetition, place_bits};
use super::section::{ENDS, Read, Section, byte, count, put_count, put_section, section};

/// How numbers are encoded: the first byte after their number.
mod form {
    pub(super) const PLAIN: u8 = 0;
    pub(super) const DECIMAL: u8 = 1;
    pub(super) const BITS: u8 = 2;
    pub(super) const SPLIT: u8 = 3;
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
    /// Appends the numbers that some bytes are.
    fn extend(out: &mut Vec<Self>, bytes: &[u8]);
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

    fn extend(out: &mut Vec<Self>, bytes: &[u8]) {
        out.extend(bytes.as_chunks().0.iter().map(|bytes| Self::from_le_bytes(*bytes)));
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

    fn extend(out: &mut Vec<Self>, bytes: &[u8]) {
        out.extend(bytes.as_chunks().0.iter().map(|bytes| Self::from_le_bytes(*bytes)));
    }
}

/// Numbers that are looked at to find how many digits they have after the point.
const SAMPLE: usize = 48;
/// Numbers that are looked at to find whether a multiplication is as exact as a division.
const SCALE_SAMPLE: usize = 1024;
/// Numbers that are scaled together, or put together from their bytes.
const AT_ONCE: usize = 64;
/// Whole numbers up to here are exact.
const EXACT: u64 = 1 << 53;
/// The greatest number below a half: what is more than a whole number and half of the next is rounded up by it, and
/// whole numbers stay, however large.
const NEARLY_HALF: f64 = 0.5 - f64::EPSILON / 4.0;

/// How a whole number becomes a decimal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scale {
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
const PRODUCT: u8 = 0x80;

impl Scale {
    /// From the byte that says it.
    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        let digits = i32::from(byte & !PRODUCT);
        match byte & PRODUCT {
            0 => (digits <= <f64 as Float>::DIGITS).then(|| Self::Quotient(power(digits))),
            _ if digits == 0 => Some(Self::Product(1.0, 1.0)),
            _ => (digits <= PRODUCT_DIGITS)
                .then(|| Self::Product(power(PRODUCT_DIGITS - digits), PRODUCT_UNIT)),
        }
    }

    #[inline]
    pub(super) fn decimal(self, whole: f64) -> f64 {
        match self {
            Self::Quotient(power) => whole / power,
            Self::Product(power, unit) => whole * power * unit,
        }
    }

    /// Appends the decimals of some whole numbers.
    fn extend<F: Float>(self, whole: Numbers<'_>, out: &mut Vec<F>) {
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
pub(super) struct Decimal<F> {
    /// The byte of the [`Scale`].
    pub(super) scale: u8,
    pub(super) whole: Vec<i64>,
    /// Numbers that are not such, and the place of each after the one before.
    pub(super) places: Vec<i64>,
    pub(super) exceptions: Vec<F>,
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
    pub(super) fn from_values(values: &[F]) -> Option<Self> {
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

/// Appends numbers in the form that takes the fewest bytes.
pub(super) fn encode<F: Float>(values: &[F], context: &mut Context, out: &mut Vec<u8>) {
    put_count(values.len() as u64, out);
    let plain = values.len() as u64 * F::BYTES as u64 * 8;
    let decimal = Decimal::from_values(values);
    let parts = decimal.as_ref().map(|decimal| {
        let [whole, places] = [&decimal.whole, &decimal.places].map(|part| Encoded::new(part, context));
        let apart = decimal.exceptions.len() as u64 * F::BYTES as u64 * 8;
        (whole.bits + places.bits + apart, whole, places)
    });
    let as_decimal = parts.as_ref().map_or(u64::MAX, |(bits, ..)| *bits);
    // Bits are seldom much shorter than numbers that are decimals.
    let is_split = context.layout == Layout::Split;
    let bits: Vec<i64> = if as_decimal > plain / 2 && !is_split && bits_pay(values, context) {
        values.iter().map(|value| value.bits()).collect()
    } else {
        Vec::new()
    };
    let by_bits = (!bits.is_empty()).then(|| Encoded::new(&bits, context));
    let as_bits = by_bits.as_ref().map_or(u64::MAX, |bits| bits.bits);
    match (&decimal, parts, by_bits) {
        (Some(decimal), Some((bits, whole, places)), _) if bits < plain.min(as_bits) => {
            out.extend_from_slice(&[form::DECIMAL, decimal.scale]);
            put_section(out, |out| whole.write(out));
            put_section(out, |out| places.write(out));
            decimal.exceptions.iter().for_each(|value| value.put(out));
        }
        (.., Some(by_bits)) if as_bits < plain - plain / 16 => {
            out.push(form::BITS);
            by_bits.write(out);
        }
        _ if context.layout == Layout::Split => {
            out.push(form::SPLIT);
            for place in 0..F::BYTES {
                out.extend(values.iter().map(|value| (value.bits() >> (8 * place)) as u8));
            }
        }
        _ => {
            out.push(form::PLAIN);
            values.iter().for_each(|value| value.put(out));
        }
    }
}

/// Whether the bits of some numbers of many take less than the numbers.
fn bits_pay<F: Float>(values: &[F], context: &mut Context) -> bool {
    if values.len() <= 4 * BITS_SAMPLE {
        return true;
    }
    let parts = values.chunks(BITS_SAMPLE / 4).step_by(values.len() / BITS_SAMPLE);
    let sample: Vec<i64> = parts.flatten().map(|value| value.bits()).collect();
    let bits = |count: usize| count as u64 * F::BYTES as u64 * 8;
    let plain = bits(sample.len());
    if Encoded::new(&sample, context).bits < plain - plain / 32 {
        return true;
    }
    match context.table.far_repetition(values.iter().map(|value| value.bits())) {
        Repetition::Sample(different) if different <= DISTINCT_MAX => {
            let plain = bits(values.len());
            bits(different) + place_bits(different) * (values.len() as u64) < plain - plain / 16
        }
        _ => false,
    }
}

/// About how many numbers are looked at for that.
const BITS_SAMPLE: usize = 4096;

/// Numbers that are read from the first to the last.
#[derive(Clone, Debug)]
pub(super) struct Floats {
    left: u64,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Plain(Section),
    Split(Planes),
    Bits(Integers),
    Decimal(Box<Decimals>),
}

/// Numbers whose bytes are apart: the lowest ones of all, then the next ones, and so on.
#[derive(Clone, Debug)]
struct Planes {
    all: Section,
    /// Bytes of each plane: one for each number.
    len: usize,
    /// Where the next number is in each.
    at: usize,
}

impl Planes {
    fn next<F: Float>(&mut self, block: &[u8], wanted: usize, out: &mut Vec<F>) -> Read<()> {
        let all = self.all.bytes(block).rest();
        let end = self.at.checked_add(wanted).filter(|end| *end <= self.len).ok_or(FEWER)?;
        while self.at < end {
            let some = (end - self.at).min(AT_ONCE);
            let mut bits = [0; AT_ONCE];
            for place in 0..F::BYTES {
                let start = self.len.saturating_mul(place).saturating_add(self.at);
                let plane = all.get(start..).and_then(|plane| plane.get(..some)).ok_or(ENDS)?;
                for (bits, byte) in bits.iter_mut().zip(plane) {
                    *bits |= i64::from(*byte) << (8 * place);
                }
            }
            out.extend(bits.iter().take(some).map(|bits| F::of_bits(*bits)));
            self.at += some;
        }
        Ok(())
    }
}

#[derive(Clone, Debug)]
struct Decimals {
    scale: Scale,
    whole: Integers,
    places: Integers,
    /// How many numbers come before the next exception; none after the last.
    until: Option<u64>,
    exceptions: Section,
}

impl Floats {
    pub(super) fn new(block: &[u8], section: Section) -> Read<Self> {
        let mut bytes = section.bytes(block);
        let left = count(&mut bytes)?;
        let form = match byte(&mut bytes)? {
            form::PLAIN => Form::Plain(Section::rest(&bytes)),
            form::SPLIT => {
                // A count beyond memory is more than there are bytes.
                let len = usize::try_from(left).map_err(|_| ENDS)?;
                Form::Split(Planes { all: Section::rest(&bytes), len, at: 0 })
            }
            form::BITS => Form::Bits(Integers::new(block, Section::rest(&bytes))?),
            form::DECIMAL => Form::Decimal(Box::new(Decimals::new(block, Section::rest(&bytes))?)),
            _ => return Err("floating-point numbers have an unknown form"),
        };
        Ok(Self { left, form })
    }

    /// How many have not been given.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Appends the next ones.
    pub(super) fn next<F: Float>(&mut self, block: &[u8], wanted: usize, out: &mut Vec<F>) -> Read<()> {
        self.left = self.left.checked_sub(wanted as u64).ok_or(FEWER)?;
        match &mut self.form {
            Form::Plain(section) => {
                F::extend(out, section.take(block, wanted.saturating_mul(F::BYTES))?);
                Ok(())
            }
            Form::Split(planes) => planes.next(block, wanted, out),
            Form::Bits(integers) => integers.each(block, wanted, &mut |bits| match bits {
                Numbers::Narrow(bits) => out.extend(bits.iter().map(|bits| F::of_bits(i64::from(*bits)))),
                Numbers::Wide(bits) => out.extend(bits.iter().map(|bits| F::of_bits(*bits))),
            }),
            Form::Decimal(decimals) => decimals.next(block, wanted, out),
        }
    }

    /// Passes over the next ones.
    pub(super) fn skip<F: Float>(&mut self, block: &[u8], count: u64) -> Read<()> {
        self.left = self.left.checked_sub(count).ok_or(FEWER)?;
        match &mut self.form {
            Form::Plain(section) => {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                section.take(block, count.saturating_mul(F::BYTES)).map(|_| ())
            }
            Form::Split(planes) => {
                // No more than are left.
                planes.at = planes.at.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
                Ok(())
            }
            Form::Bits(integers) => integers.skip(block, count),
            Form::Decimal(decimals) => decimals.skip::<F>(block, count),
        }
    }
}

const FEWER: &str = "there are fewer floating-point numbers than wanted";

impl Decimals {
    fn new(block: &[u8], all: Section) -> Read<Self> {
        let mut bytes = all.bytes(block);
        let scale = Scale::from_byte(byte(&mut bytes)?).ok_or("numbers have too many digits")?;
        let whole = Integers::new(block, section(&mut bytes)?)?;
        let places = Integers::new(block, section(&mut bytes)?)?;
        let exceptions = Section::rest(&bytes);
        let mut decimals = Self { scale, whole, places, until: None, exceptions };
        decimals.find_exception(block)?;
        Ok(decimals)
    }

    fn find_exception(&mut self, block: &[u8]) -> Read<()> {
        let until = self.places.one(block)?;
        self.until =
            until.map(|until| u64::try_from(until).map_err(|_| "a place is negative")).transpose()?;
        Ok(())
    }

    /// Of a number of numbers, those before the next exception.
    fn before_exception(&mut self, wanted: u64) -> u64 {
        let run = self.until.map_or(wanted, |until| until.min(wanted));
        self.until = self.until.map(|until| until - run);
        run
    }

    fn next<F: Float>(&mut self, block: &[u8], mut wanted: usize, out: &mut Vec<F>) -> Read<()> {
        let scale = self.scale;
        while wanted > 0 {
            let run = self.before_exception(wanted as u64) as usize;
            self.whole.each(block, run, &mut |some| scale.extend(some, out))?;
            wanted -= run;
            if wanted > 0 {
                self.whole.skip(block, 1)?;
                F::extend(out, self.exceptions.take(block, F::BYTES)?);
                wanted -= 1;
                self.find_exception(block)?;
            }
        }
        Ok(())
    }

    fn skip<F: Float>(&mut self, block: &[u8], mut count: u64) -> Read<()> {
        self.whole.skip(block, count)?;
        while count > 0 {
            count -= self.before_exception(count);
            if count > 0 {
                self.exceptions.take(block, F::BYTES)?;
                count -= 1;
                self.find_exception(block)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::reader::Bytes;
    use proptest::prelude::*;

    fn encoded<F: Float>(values: &[F]) -> Vec<u8> {
        encoded_in(Layout::Alone, values)
    }

    fn encoded_in<F: Float>(layout: Layout, values: &[F]) -> Vec<u8> {
        let (mut context, mut out) = (Context::default(), Vec::new());
        context.layout = layout;
        encode(values, &mut context, &mut out);
        out
    }

    fn open(bytes: &[u8]) -> Read<Floats> {
        Floats::new(bytes, Section::rest(&Bytes::new(bytes)))
    }

    /// The bits of numbers, read some at a time.
    fn decoded<F: Float>(bytes: &[u8], some: usize) -> Read<Vec<i64>> {
        let (mut floats, mut out) = (open(bytes)?, Vec::new());
        while floats.left() > 0 && out.len() < 1 << 20 {
            let wanted = floats.left().min(some as u64) as usize;
            floats.next::<F>(bytes, wanted, &mut out)?;
        }
        Ok(out.iter().map(|value| value.bits()).collect())
    }

    /// The bits of every other number.
    fn every_other<F: Float>(bytes: &[u8]) -> Vec<i64> {
        let (mut floats, mut out) = (open(bytes).unwrap(), Vec::new());
        while floats.left() > 0 {
            floats.next::<F>(bytes, 1, &mut out).unwrap();
            floats.skip::<F>(bytes, floats.left().min(1)).unwrap();
        }
        out.iter().map(|value| value.bits()).collect()
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
            let other: Vec<i64> = bits.iter().copied().step_by(2).collect();
            prop_assert_eq!(decoded::<f64>(&encoded(&values), some), Ok(bits));
            prop_assert_eq!(every_other::<f64>(&encoded(&values)), other);
            let singles: Vec<f32> = values.iter().map(|value| *value as f32).collect();
            let bits: Vec<i64> = singles.iter().map(|value| value.bits()).collect();
            prop_assert_eq!(decoded::<f32>(&encoded(&singles), some), Ok(bits));
        }

        #[test]
        fn split_numbers_come_back(values in prop::collection::vec(any::<f64>(), 0..700), some in 1usize..500) {
            let bits: Vec<i64> = values.iter().map(|value| value.bits()).collect();
            let other: Vec<i64> = bits.iter().copied().step_by(2).collect();
            let bytes = encoded_in(Layout::Split, &values);
            prop_assert_eq!(decoded::<f64>(&bytes, some), Ok(bits));
            prop_assert_eq!(every_other::<f64>(&bytes), other);
            let singles: Vec<f32> = values.iter().map(|value| *value as f32).collect();
            let bits: Vec<i64> = singles.iter().map(|value| value.bits()).collect();
            let bytes = encoded_in(Layout::Split, &singles);
            prop_assert_eq!(decoded::<f32>(&bytes, some), Ok(bits));
            for cut in 0..bytes.len() {
                let _ = decoded::<f32>(&bytes[..cut], some);
                let _ = decoded::<f64>(&bytes[..cut], some);
            }
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
    fn decimals_are_multiplied_where_that_is_as_exact() {
        let scale = |values: &[f64]| {
            let decimal = Decimal::from_values(values).unwrap();
            (decimal.scale, decimal.exceptions.len())
        };
        let whole = |step: i64| (0..5000).map(move |value| (value * step) as f64);
        assert_eq!(scale(&whole(7).collect::<Vec<_>>()), (PRODUCT, 0));
        assert_eq!(scale(&whole(1 << 40).collect::<Vec<_>>()), (PRODUCT, 0));
        assert_eq!(scale(&whole(7).map(|value| value / 100.0).collect::<Vec<_>>()), (PRODUCT | 2, 0));
        // Seconds and thousandths since 1970: products of so many digits are rounded too often.
        let times: Vec<f64> = whole(1_234_567).map(|value| (1.7e12 + value) / 1000.0).collect();
        assert_eq!(scale(&times), (3, 0));
        let bits: Vec<i64> = times.iter().map(|time| time.bits()).collect();
        assert_eq!(decoded::<f64>(&encoded(&times), 100), Ok(bits));
    }

    #[test]
    fn numbers_that_come_again_far_away_are_listed() {
        let corners: Vec<f32> = (0..20_000).map(|value| (value as f32).sqrt().sin()).collect();
        // Each six times, in another order each time.
        let all: Vec<f32> =
            (0..120_000).map(|at| corners[at * [7919, 3, 11, 7, 13, 17][at / 20_000] % 20_000]).collect();
        let bits: Vec<i64> = all.iter().map(|value| value.bits()).collect();
        assert!(encoded(&all).len() < 120_000 * 4 * 2 / 3);
        assert_eq!(decoded::<f32>(&encoded(&all), 1000), Ok(bits));
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
