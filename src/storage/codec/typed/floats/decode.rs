//! Reads floating-point numbers.

use super::super::integers::{Integers, Numbers};
use super::super::section::{ENDS, Read, Section, byte, count, section};
use super::{AT_ONCE, Float, Scale, form};

/// Numbers that are read from the first to the last.
#[derive(Clone, Debug)]
pub(in super::super) struct Floats {
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
    pub(in super::super) fn new(block: &[u8], section: Section) -> Read<Self> {
        let mut bytes = section.bytes(block);
        let left = count(&mut bytes)?;
        let form = match byte(&mut bytes)? {
            form::PLAIN => Form::Plain(Section::rest(&bytes)),
            form::SPLIT => {
                // A count beyond memory is more than there are bytes.
                let len = usize::try_from(left).map_err(|_| ENDS)?;
                Form::Split(Planes { all: Section::rest(&bytes), len, at: 0 })
            }
            form::BITS => Form::Bits(Integers::with_copies(block, Section::rest(&bytes))?),
            form::DECIMAL => Form::Decimal(Box::new(Decimals::new(block, Section::rest(&bytes))?)),
            _ => return Err("floating-point numbers have an unknown form"),
        };
        Ok(Self { left, form })
    }

    /// How many have not been given.
    pub(in super::super) fn left(&self) -> u64 {
        self.left
    }

    /// Bytes of memory that reading takes.
    pub(in super::super) fn memory(&self) -> usize {
        match &self.form {
            Form::Plain(_) | Form::Split(_) => 0,
            Form::Bits(integers) => integers.memory(),
            Form::Decimal(decimals) => decimals.whole.memory().saturating_add(decimals.places.memory()),
        }
    }

    /// Appends the next ones.
    pub(in super::super) fn next<F: Float>(
        &mut self,
        block: &[u8],
        wanted: usize,
        out: &mut Vec<F>,
    ) -> Read<()> {
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
    pub(in super::super) fn skip<F: Float>(&mut self, block: &[u8], count: u64) -> Read<()> {
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
        let whole = Integers::with_copies(block, section(&mut bytes)?)?;
        let places = Integers::with_copies(block, section(&mut bytes)?)?;
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
