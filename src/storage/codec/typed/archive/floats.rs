//! Floating-point numbers: in chunks of pco, as whole numbers of a power of ten, or by their bits as integers.

use super::super::floats::{Decimal, Float, Scale};
use super::super::section::{Read, byte, count, put_count};
use super::integers::{self, Integers};
use super::packed::Memory;
use super::pcodec::{self, Pco};
use super::trial::{Depth, Trial};
use crate::bytes::reader::Bytes;
use crate::storage::codec::algorithm::Outcome;
use pco::data_types::Number;

/// How numbers are encoded: the first byte after their number.
mod form {
    pub(super) const BITS: u8 = 0;
    pub(super) const PCO: u8 = 1;
    pub(super) const DECIMAL: u8 = 2;
}

/// Appends numbers in the form that takes the fewest bytes.
pub(super) fn encode<F: Float + Number>(numbers: &[F], trial: &mut Trial, out: &mut Vec<u8>) -> Outcome {
    put_count(numbers.len() as u64, out);
    if numbers.is_empty() {
        return Ok(());
    }
    let bits = |numbers: &[F]| numbers.iter().map(|number| number.bits()).collect::<Vec<_>>();
    let (mut by_bits, mut chunks) = (vec![form::BITS], vec![form::PCO]);
    integers::encode(&bits(numbers), Depth::First, trial, &mut by_bits)?;
    pcodec::put(numbers, &mut chunks)?;
    let mut best = if chunks.len() < by_bits.len() { chunks } else { by_bits };
    if let Some(decimal) = Decimal::from_values(numbers) {
        let mut encoded = vec![form::DECIMAL, decimal.scale];
        for part in [&decimal.whole, &decimal.places, &bits(&decimal.exceptions)] {
            integers::encode(part, Depth::First, trial, &mut encoded)?;
        }
        if encoded.len() < best.len() {
            best = encoded;
        }
    }
    out.append(&mut best);
    Ok(())
}

/// Numbers that are read from the first to the last.
pub(super) struct Floats<'a, F: Float + Number> {
    left: u64,
    form: Form<'a, F>,
    /// Integers of some numbers.
    some: Vec<i64>,
}

enum Form<'a, F: Number> {
    Bits(Integers<'a>),
    Pco(Box<Pco<'a, F>>),
    Decimal(Box<Decimals<'a>>),
}

struct Decimals<'a> {
    scale: Scale,
    whole: Integers<'a>,
    places: Integers<'a>,
    /// How many numbers come before the next exception; none after the last.
    until: Option<u64>,
    exceptions: Integers<'a>,
}

const OTHER_NUMBER: &str = "there are other floating-point numbers than it says";

impl<'a, F: Float + Number> Floats<'a, F> {
    pub(super) fn new(bytes: &mut Bytes<'a>, memory: &mut Memory) -> Read<Self> {
        let left = count(bytes)?;
        if left == 0 {
            return Ok(Self { left, form: Form::Bits(Integers::none()), some: Vec::new() });
        }
        let mut integers = |bytes: &mut Bytes<'a>| Integers::new(bytes, Depth::First, memory);
        let form = match byte(bytes)? {
            form::BITS => Form::Bits(integers(bytes)?),
            form::DECIMAL => {
                let scale = Scale::from_byte(byte(bytes)?).ok_or("numbers have too many digits")?;
                let [whole, places, exceptions] = [integers(bytes)?, integers(bytes)?, integers(bytes)?];
                let mut decimals = Decimals { scale, whole, places, until: None, exceptions };
                decimals.find_exception()?;
                Form::Decimal(Box::new(decimals))
            }
            form::PCO => Form::Pco(Box::new(Pco::new(bytes, memory)?)),
            _ => return Err("floating-point numbers have an unknown form"),
        };
        match &form {
            Form::Bits(integers) if integers.left() != left => Err(OTHER_NUMBER),
            Form::Decimal(decimals) if decimals.whole.left() != left => Err(OTHER_NUMBER),
            _ => Ok(Self { left, form, some: Vec::new() }),
        }
    }

    /// How many have not been given.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Appends the next ones.
    pub(super) fn next(&mut self, wanted: usize, out: &mut Vec<F>) -> Read<()> {
        self.left = self.left.checked_sub(wanted as u64).ok_or(OTHER_NUMBER)?;
        let Self { form, some, .. } = self;
        some.clear();
        match form {
            Form::Bits(integers) => {
                integers.next(wanted, some)?;
                out.extend(some.iter().map(|bits| F::of_bits(*bits)));
                Ok(())
            }
            Form::Pco(numbers) => numbers.next(wanted, out),
            Form::Decimal(decimals) => {
                let start = out.len();
                decimals.whole.next(wanted, some)?;
                out.extend(some.iter().map(|whole| F::of_double(decimals.scale.decimal(*whole as f64))));
                decimals.put_exceptions(out.get_mut(start..).unwrap_or_default(), some)
            }
        }
    }
}

impl Decimals<'_> {
    fn find_exception(&mut self) -> Read<()> {
        self.until = match self.places.left() {
            0 => None,
            _ => {
                let mut until = Vec::new();
                self.places.next(1, &mut until)?;
                let until = until.first().and_then(|until| u64::try_from(*until).ok());
                Some(until.ok_or("a place is negative")?)
            }
        };
        Ok(())
    }

    /// Puts numbers that are no decimals in the place of those that are given.
    fn put_exceptions<F: Float>(&mut self, mut numbers: &mut [F], some: &mut Vec<i64>) -> Read<()> {
        while let Some(until) = self.until {
            if until >= numbers.len() as u64 {
                self.until = Some(until - numbers.len() as u64);
                break;
            }
            let rest = std::mem::take(&mut numbers).get_mut(until as usize..);
            let Some((number, rest)) = rest.and_then(<[_]>::split_first_mut) else { break };
            some.clear();
            self.exceptions.next(1, some)?;
            *number = F::of_bits(some.first().copied().unwrap_or_default());
            numbers = rest;
            self.find_exception()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded<F: Float + Number>(numbers: &[F]) -> Vec<u8> {
        let mut out = Vec::new();
        encode(numbers, &mut Trial::new().unwrap(), &mut out).unwrap();
        out
    }

    fn read<F: Float + Number>(bytes: &[u8], step: usize) -> Read<Vec<i64>> {
        let (mut out, mut memory) = (Vec::new(), Memory(16 << 20));
        let mut numbers = Floats::<F>::new(&mut Bytes::new(bytes), &mut memory)?;
        while numbers.left() > 0 && out.len() < 1 << 20 {
            numbers.next(step.min(numbers.left() as usize), &mut out)?;
        }
        Ok(out.into_iter().map(F::bits).collect())
    }

    fn numbers() -> impl Strategy<Value = Vec<f64>> {
        let decimal = (-9000i64..9000).prop_map(|whole| whole as f64 / 100.0);
        let strange =
            prop_oneof![Just(f64::NAN), Just(-0.0), Just(f64::INFINITY), Just(0.1 + 0.2), any::<f64>()];
        let one = prop_oneof![9 => decimal.clone(), 1 => strange.clone()];
        let all = prop_oneof![
            prop::collection::vec(decimal, 0..300),
            prop::collection::vec(one, 0..300),
            prop::collection::vec(strange, 0..300),
        ];
        (all, 1usize..9).prop_map(|(all, times)| all.repeat(times))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn numbers_come_back(numbers in numbers(), step in 1usize..900) {
            let floats: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
            let bits: Vec<i64> = numbers.iter().map(|number| number.bits()).collect();
            prop_assert_eq!(read::<f64>(&encoded(&numbers), step), Ok(bits));
            let bits: Vec<i64> = floats.iter().map(|number| number.bits()).collect();
            prop_assert_eq!(read::<f32>(&encoded(&floats), step), Ok(bits));
        }

        #[test]
        fn damaged_bytes_are_numbers_or_an_error(
            numbers in numbers(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
        ) {
            let mut out = encoded(&numbers);
            let at = at.index(out.len());
            match cut {
                true => out.truncate(at),
                false => out[at] = byte,
            }
            let _ = read::<f64>(&out, 1000);
            let _ = read::<f32>(&out, 1000);
        }
    }
}
