//! Integers: in chunks of pco, as bytes of equal number, as places in a list of the different ones, or as in other typed blocks.

use super::super::context::Layout;
use super::super::integers::{self as typed, Places};
use super::super::section::{Read, Section, byte, count, integer, put_count, put_integer};
use super::packed::{Memory, unpack};
use super::pcodec::{self, Pco};
use super::trial::{Depth, Trial};
use crate::bytes::reader::Bytes;
use crate::storage::codec::algorithm::Outcome;

/// How integers are encoded: the first byte after their number.
mod form {
    pub(super) const CONSTANT: u8 = 0;
    pub(super) const TYPED: u8 = 1;
    pub(super) const PCO: u8 = 2;
    /// As of strings.
    pub(super) const DISTINCT: u8 = 3;
    /// With flags, and one less than the bytes of each in the low three bits.
    pub(super) const BYTES: u8 = 0x80;
    pub(super) const DIFFERENCES: u8 = 0x40;
    pub(super) const SPLIT: u8 = 0x20;
    pub(super) const WIDTH: u8 = 0x07;
}

/// The most different integers that are listed.
const DISTINCT_MAX: usize = 1 << 16;

/// A way to encode integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Typed(Layout),
    Pco,
    /// Flags.
    Bytes(u8),
}

const WAYS: [Way; 7] = [
    Way::Typed(Layout::Bits),
    Way::Typed(Layout::Bytes),
    Way::Pco,
    Way::Bytes(0),
    Way::Bytes(form::SPLIT),
    Way::Bytes(form::DIFFERENCES),
    Way::Bytes(form::DIFFERENCES | form::SPLIT),
];

/// Appends integers in the form that takes the fewest bytes.
pub(super) fn encode(integers: &[i64], depth: Depth, trial: &mut Trial, out: &mut Vec<u8>) -> Outcome {
    put_count(integers.len() as u64, out);
    let Some(first) = integers.first() else { return Ok(()) };
    if integers.iter().all(|integer| integer == first) {
        out.push(form::CONSTANT);
        put_integer(*first, out);
        return Ok(());
    }
    let mut best = trial.least(&WAYS, integers, put)?;
    let most = DISTINCT_MAX.min(integers.len() / 2);
    if depth == Depth::First
        && let Some(places) = trial.context.table.places(integers, most)
    {
        let listed = listed(places, trial, encode)?;
        best = if listed.len() < best.len() { listed } else { best };
    }
    out.append(&mut best);
    Ok(())
}

/// Appends integers in one way, or nothing where it is not for them.
fn put(way: Way, integers: &[i64], trial: &mut Trial, out: &mut Vec<u8>) -> Outcome {
    match way {
        Way::Typed(layout) => {
            let mut encoded = Vec::new();
            trial.context.layout = layout;
            typed::encode(integers, &mut trial.context, &mut encoded);
            out.push(form::TYPED);
            trial.packer.put(&encoded, out)
        }
        Way::Pco => {
            out.push(form::PCO);
            pcodec::put(integers, out)
        }
        Way::Bytes(flags) => put_bytes(integers, flags, trial, out),
    }
}

fn put_bytes(integers: &[i64], flags: u8, trial: &mut Trial, out: &mut Vec<u8>) -> Outcome {
    let mut numbers = integers.to_vec();
    let start = numbers.first().copied().unwrap_or_default();
    if flags & form::DIFFERENCES != 0 {
        let mut before = start;
        for number in &mut numbers {
            (*number, before) = (number.wrapping_sub(before), *number);
        }
    }
    let base = numbers.iter().copied().min().unwrap_or_default();
    let longest = numbers.iter().fold(0, |all, number| all | number.wrapping_sub(base).cast_unsigned());
    let width = (8 - longest.leading_zeros() as usize / 8).max(1);
    if width == 1 && flags & form::SPLIT != 0 {
        return Ok(());
    }
    out.push(form::BYTES | flags | (width - 1) as u8);
    put_integer(base, out);
    if flags & form::DIFFERENCES != 0 {
        put_integer(start, out);
    }
    let byte = |number: &i64, at: usize| (number.wrapping_sub(base) >> (8 * at)) as u8;
    let bytes: Vec<u8> = match flags & form::SPLIT {
        0 => numbers.iter().flat_map(|number| (0..width).map(move |at| byte(number, at))).collect(),
        _ => (0..width).flat_map(|at| numbers.iter().map(move |number| byte(number, at))).collect(),
    };
    trial.packer.put(&bytes, out)
}

/// Values as places in a list of the different ones, as they come first or sorted. `put` appends the list.
pub(super) fn listed<T: Copy + Ord>(
    first: Places<T>,
    trial: &mut Trial,
    put: impl Fn(&[T], Depth, &mut Trial, &mut Vec<u8>) -> Outcome,
) -> Outcome<Vec<u8>> {
    let mut of = |listed: &Places<T>| {
        let places: Vec<i64> = listed.places.iter().map(|place| i64::from(*place)).collect();
        let mut out = vec![form::DISTINCT];
        put(&listed.values, Depth::Listed, trial, &mut out)?;
        encode(&places, Depth::Listed, trial, &mut out).map(|()| out)
    };
    let (as_they_come, sorted) = (of(&first)?, of(&first.sorted())?);
    Ok(if sorted.len() < as_they_come.len() { sorted } else { as_they_come })
}

/// Integers that are read from the first to the last.
pub(super) struct Integers<'a> {
    left: u64,
    form: Form<'a>,
}

enum Form<'a> {
    Constant(i64),
    Typed(Vec<u8>, Box<typed::Integers>),
    Pco(Box<Pco<'a, i64>>),
    Distinct(Vec<i64>, Box<Integers<'a>>),
    Bytes(Fixed),
}

/// Integers with a number of bytes each.
struct Fixed {
    data: Vec<u8>,
    width: usize,
    is_split: bool,
    /// How many have been given.
    at: usize,
    base: i64,
    /// The one before, where they are differences.
    before: Option<i64>,
}

impl<'a> Integers<'a> {
    /// No integers.
    pub(super) fn none() -> Self {
        Self { left: 0, form: Form::Constant(0) }
    }

    pub(super) fn new(bytes: &mut Bytes<'a>, depth: Depth, memory: &mut Memory) -> Read<Self> {
        let left = count(bytes)?;
        if left == 0 {
            return Ok(Self::none());
        }
        let form = match byte(bytes)? {
            form::CONSTANT => Form::Constant(integer(bytes)?),
            form::TYPED => {
                let data = unpack(bytes, memory)?;
                let integers = typed::Integers::new(&data, Section::rest(&Bytes::new(&data)))?;
                if integers.left() != left {
                    return Err(OTHER_NUMBER);
                }
                Form::Typed(data, Box::new(integers))
            }
            form::PCO => Form::Pco(Box::new(Pco::new(bytes, memory)?)),
            form::DISTINCT if depth == Depth::First => {
                let mut values = Self::new(bytes, Depth::Listed, memory)?;
                let some = usize::try_from(values.left).unwrap_or(usize::MAX);
                if some > DISTINCT_MAX {
                    return Err("it lists more integers than it can");
                }
                memory.take(some * size_of::<i64>())?;
                let mut list = Vec::new();
                values.next(some, &mut list)?;
                Form::Distinct(list, Box::new(Self::new(bytes, Depth::Listed, memory)?))
            }
            flags if flags & form::BYTES != 0 => Form::Bytes(Fixed::new(flags, left, bytes, memory)?),
            _ => return Err("integers have an unknown form"),
        };
        match &form {
            Form::Distinct(_, places) if places.left != left => Err(OTHER_NUMBER),
            _ => Ok(Self { left, form }),
        }
    }

    /// How many have not been given.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// The one that all are, if they are equal.
    pub(super) fn constant(&self) -> Option<i64> {
        if let Form::Constant(integer) = &self.form { Some(*integer) } else { None }
    }

    /// Appends the next ones.
    pub(super) fn next(&mut self, wanted: usize, out: &mut Vec<i64>) -> Read<()> {
        self.left = self.left.checked_sub(wanted as u64).ok_or("there are fewer integers than wanted")?;
        match &mut self.form {
            Form::Constant(integer) => out.resize(out.len() + wanted, *integer),
            Form::Typed(data, integers) => {
                integers.each(data, wanted, &mut |some| out.extend(some.iter()))?
            }
            Form::Pco(numbers) => numbers.next(wanted, out)?,
            Form::Distinct(list, places) => {
                let start = out.len();
                places.next(wanted, out)?;
                for place in out.iter_mut().skip(start) {
                    let value = usize::try_from(*place).ok().and_then(|place| list.get(place));
                    *place = *value.ok_or("a place is not in the list")?;
                }
            }
            Form::Bytes(fixed) => fixed.next(wanted, out),
        }
        Ok(())
    }
}

const OTHER_NUMBER: &str = "there are other integers than it says";

impl Fixed {
    fn new(flags: u8, count: u64, bytes: &mut Bytes<'_>, memory: &mut Memory) -> Read<Self> {
        if flags & !(form::BYTES | form::DIFFERENCES | form::SPLIT | form::WIDTH) != 0 {
            return Err("integers have unknown flags");
        }
        let width = usize::from(flags & form::WIDTH) + 1;
        let base = integer(bytes)?;
        let before = if flags & form::DIFFERENCES != 0 { Some(integer(bytes)?) } else { None };
        let data = unpack(bytes, memory)?;
        if count.checked_mul(width as u64) != Some(data.len() as u64) {
            return Err(OTHER_NUMBER);
        }
        Ok(Self { data, width, is_split: flags & form::SPLIT != 0, at: 0, base, before })
    }

    /// Appends the next `wanted` ones.
    fn next(&mut self, wanted: usize, out: &mut Vec<i64>) {
        let Self { data, width, at, base, .. } = self;
        let start = out.len();
        match self.is_split {
            false => {
                let bytes = data.get(*at * *width..).unwrap_or_default().chunks_exact(*width).take(wanted);
                let number =
                    |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | i64::from(*byte));
                out.extend(bytes.map(number));
            }
            true => {
                out.resize(start + wanted, 0);
                for (bytes, shift) in data.chunks_exact((data.len() / *width).max(1)).zip((0..).step_by(8)) {
                    let bytes = bytes.get(*at..).unwrap_or_default();
                    for (number, byte) in out.iter_mut().skip(start).zip(bytes) {
                        *number |= i64::from(*byte) << shift;
                    }
                }
            }
        }
        *at += wanted;
        for number in out.iter_mut().skip(start) {
            *number = number.wrapping_add(*base);
            if let Some(before) = &mut self.before {
                *before = before.wrapping_add(*number);
                *number = *before;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8], step: usize) -> Read<Vec<i64>> {
        let (mut out, mut memory) = (Vec::new(), Memory(16 << 20));
        let mut integers = Integers::new(&mut Bytes::new(bytes), Depth::First, &mut memory)?;
        while integers.left() > 0 && out.len() < 1 << 20 {
            integers.next(step.min(integers.left() as usize), &mut out)?;
        }
        Ok(out)
    }

    fn integers() -> impl Strategy<Value = Vec<i64>> {
        let one = prop_oneof![0i64..4, -200i64..70_000, any::<i64>(), Just(i64::MIN), Just(i64::MAX)];
        (prop::collection::vec(one, 0..200), 1usize..20, any::<bool>()).prop_map(|(some, times, is_sum)| {
            let mut all = some.repeat(times);
            if is_sum {
                let mut sum = 0i64;
                all.iter_mut().for_each(|integer| {
                    sum = sum.wrapping_add(*integer);
                    *integer = sum;
                });
            }
            all
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn integers_come_back_in_each_way(integers in integers(), step in 1usize..900) {
            let mut trial = Trial::new().unwrap();
            let mut all = Vec::new();
            encode(&integers, Depth::First, &mut trial, &mut all).unwrap();
            prop_assert_eq!(read(&all, step), Ok(integers.clone()));
            for way in WAYS {
                let (mut out, mut encoded) = (Vec::new(), Vec::new());
                put(way, &integers, &mut trial, &mut encoded).unwrap();
                if encoded.is_empty() || integers.is_empty() {
                    continue;
                }
                put_count(integers.len() as u64, &mut out);
                out.append(&mut encoded);
                prop_assert!(all.len() <= out.len());
                prop_assert_eq!(read(&out, step), Ok(integers.clone()), "{:?}", way);
            }
        }

        #[test]
        fn damaged_bytes_are_integers_or_an_error(
            integers in integers(), way in 0usize..9, at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
        ) {
            let mut trial = Trial::new().unwrap();
            let mut out = Vec::new();
            match WAYS.get(way) {
                Some(way) => {
                    put_count(integers.len() as u64, &mut out);
                    put(*way, &integers, &mut trial, &mut out).unwrap();
                }
                None => encode(&integers, Depth::First, &mut trial, &mut out).unwrap(),
            }
            let at = at.index(out.len());
            match cut {
                true => out.truncate(at),
                false => out[at] = byte,
            }
            let _ = read(&out, 1000);
        }
    }
}
