//! The values of a block, read into vectors.

use super::super::TakeRoom;
use super::floats::Floats;
use super::integers::{Integers, Numbers};
use super::kind::Kind;
use super::section::{Read, Section};
use super::strings::Strings;
use crate::error::Error;
use crate::vector::Vector;

/// Values that are read from the first to the last.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Nulls,
    Booleans(Integers),
    Integers(Integers),
    Fixed32(Integers),
    Fixed64(Integers),
    Floats(Floats),
    Doubles(Floats),
    Strings(Strings),
}

pub(super) const FEWER: &str = "there are fewer values than wanted";

impl Values {
    /// Values in the rest of a block, which has `size` bytes before the codec.
    pub(super) fn new(kind: Kind, block: &[u8], section: Section, size: usize) -> Read<Self> {
        let integers = || Integers::with_copies(block, section);
        let floats = || Floats::new(block, section);
        Ok(match kind {
            Kind::Raw | Kind::Nulls => Self::Nulls,
            Kind::Booleans => Self::Booleans(integers()?),
            Kind::Integers => Self::Integers(integers()?),
            Kind::Fixed32 => Self::Fixed32(integers()?),
            Kind::Fixed64 => Self::Fixed64(integers()?),
            Kind::Floats => Self::Floats(floats()?),
            Kind::Doubles => Self::Doubles(floats()?),
            Kind::Strings => Self::Strings(Strings::new(block, section, size)?),
        })
    }

    /// Goes on after the values of a block before.
    pub(super) fn follow(&mut self, before: &Self) {
        if let (Self::Strings(strings), Self::Strings(before)) = (self, before) {
            strings.follow(before);
        }
    }

    /// Calls `room` with the most memory that reading them takes beside vectors, beyond `held` bytes; they have `size`
    /// bytes before the codec. What it is just is found out only where the most is too much.
    pub(super) fn hold(
        &self,
        block: &[u8],
        size: usize,
        held: usize,
        room: &mut TakeRoom<'_>,
    ) -> Result<(), Error> {
        let strings = match self {
            Self::Strings(strings) => strings,
            Self::Nulls => return room(held),
            Self::Booleans(integers)
            | Self::Integers(integers)
            | Self::Fixed32(integers)
            | Self::Fixed64(integers) => return room(integers.memory().saturating_add(held)),
            Self::Floats(floats) | Self::Doubles(floats) => {
                return room(floats.memory().saturating_add(held));
            }
        };
        match room(strings.most_buffered(size).saturating_add(held)) {
            Ok(()) => Ok(()),
            Err(_) => room(strings.buffered(block, size).saturating_add(held)),
        }
    }

    /// How many have not been read; nulls are not counted.
    pub(super) fn left(&self) -> u64 {
        match self {
            Self::Nulls => 0,
            Self::Booleans(integers)
            | Self::Integers(integers)
            | Self::Fixed32(integers)
            | Self::Fixed64(integers) => integers.left(),
            Self::Floats(floats) | Self::Doubles(floats) => floats.left(),
            Self::Strings(strings) => strings.left(),
        }
    }

    /// Appends the next ones to a vector of their kind.
    pub(super) fn next(&mut self, block: &[u8], count: usize, out: &mut Vector) -> Read<()> {
        if count as u64 > self.left() && !matches!(self, Self::Nulls) {
            return Err(FEWER);
        }
        match (self, out) {
            (Self::Nulls, Vector::Null(out)) => {
                *out = out.saturating_add(count);
                Ok(())
            }
            (Self::Booleans(integers), Vector::Boolean(out)) => {
                integers.each(block, count, &mut |some| match some {
                    Numbers::Narrow(some) => out.extend(some.iter().map(|integer| integer & 1 == 1)),
                    Numbers::Wide(some) => out.extend(some.iter().map(|integer| integer & 1 == 1)),
                })
            }
            (Self::Integers(integers) | Self::Fixed32(integers), Vector::Int(out) | Vector::Enum(out)) => {
                // At least `count` are left, so each call gives some.
                let end = out.len() + count;
                while out.len() < end {
                    out.extend_from_slice(integers.narrow(block, end - out.len())?);
                }
                Ok(())
            }
            (Self::Integers(integers) | Self::Fixed64(integers), Vector::Long(out)) => {
                integers.each(block, count, &mut |some| match some {
                    Numbers::Narrow(some) => out.extend(some.iter().map(|integer| i64::from(*integer))),
                    Numbers::Wide(some) => out.extend_from_slice(some),
                })
            }
            (Self::Floats(floats), Vector::Float(out)) => floats.next(block, count, out),
            (Self::Doubles(floats), Vector::Double(out)) => floats.next(block, count, out),
            (Self::Strings(strings), out) => strings.values(block, count, out),
            _ => Err("its values are of another type"),
        }
    }

    /// Passes over the next ones.
    pub(super) fn skip(&mut self, block: &[u8], count: u64) -> Read<()> {
        match self {
            Self::Nulls => Ok(()),
            Self::Booleans(integers)
            | Self::Integers(integers)
            | Self::Fixed32(integers)
            | Self::Fixed64(integers) => integers.skip(block, count),
            Self::Floats(floats) => floats.skip::<f32>(block, count),
            Self::Doubles(floats) => floats.skip::<f64>(block, count),
            Self::Strings(strings) => strings.skip(block, count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::context::Context;
    use super::super::integers;
    use super::*;
    use crate::bytes::reader::Bytes;

    #[test]
    fn integers_of_more_than_32_bits_are_no_ints() {
        let (least, greatest) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let read = |all: &[i64]| {
            let mut block = Vec::new();
            integers::encode(all, &mut Context::default(), &mut block);
            let mut values =
                Values::new(Kind::Integers, &block, Section::rest(&Bytes::new(&block)), 0).unwrap();
            let mut out = Vector::Int(Vec::new());
            values.next(&block, all.len(), &mut out).map(|()| out)
        };
        let good = [least, greatest, 0, -1, least, 7];
        assert_eq!(read(&good), Ok(Vector::Int(good.map(|integer| integer as i32).to_vec())));
        for wrong in [least - 1, greatest + 1, 1 << 32, -1 << 32, i64::MIN, i64::MAX] {
            for among in [0, 3, 1500] {
                let mut all: Vec<i64> = good.iter().copied().cycle().take(among).collect();
                all.push(wrong);
                all.extend(good);
                assert_eq!(read(&all), Err("an integer has more than 32 bits"), "{wrong}");
            }
        }
    }
}
