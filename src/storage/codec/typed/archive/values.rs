//! The lengths and values of a block, from the first to the last.

use super::super::decode::{self, Source};
use super::super::integers::Numbers;
use super::super::kind::Kind;
use super::super::section::Read;
use super::floats::Floats;
use super::integers::Integers;
use super::packed::Memory;
use super::strings::Strings;
use super::trial::Depth;
use crate::bytes::reader::Bytes;
use crate::vector::Vector;

/// Lengths, some of which are at hand.
pub(super) struct Lengths<'a> {
    integers: Integers<'a>,
    some: Vec<i64>,
}

impl<'a> Lengths<'a> {
    pub(super) fn new(integers: Integers<'a>) -> Self {
        Self { integers, some: Vec::new() }
    }
}

impl decode::Lengths for Lengths<'_> {
    fn left(&self) -> u64 {
        self.integers.left()
    }

    fn constant(&self) -> Option<i64> {
        self.integers.constant()
    }

    fn next(&mut self, _: &[u8], most: usize) -> Read<Numbers<'_>> {
        let count = usize::try_from(self.integers.left()).unwrap_or(most).min(most);
        self.some.clear();
        self.integers.next(count, &mut self.some)?;
        Ok(Numbers::Wide(&self.some))
    }
}

/// Values of a kind.
pub(super) enum Values<'a> {
    Nulls,
    /// Also booleans and integers of a fixed width; with some of them.
    Integers(Integers<'a>, Vec<i64>),
    Floats(Box<Floats<'a, f32>>),
    Doubles(Box<Floats<'a, f64>>),
    /// With the most bytes that some may have.
    Strings(Box<Strings<'a>>, usize),
}

impl<'a> Values<'a> {
    /// Values of a block that has `size` bytes.
    pub(super) fn new(kind: Kind, bytes: &mut Bytes<'a>, size: usize, memory: &mut Memory) -> Read<Self> {
        Ok(match kind {
            Kind::Raw | Kind::Nulls => Self::Nulls,
            Kind::Booleans | Kind::Integers | Kind::Fixed32 | Kind::Fixed64 => {
                Self::Integers(Integers::new(bytes, Depth::First, memory)?, Vec::new())
            }
            Kind::Floats => Self::Floats(Box::new(Floats::new(bytes, memory)?)),
            Kind::Doubles => Self::Doubles(Box::new(Floats::new(bytes, memory)?)),
            Kind::Strings => Self::Strings(Box::new(Strings::new(bytes, Depth::First, memory)?), size),
        })
    }
}

impl Source for Values<'_> {
    fn left(&self) -> u64 {
        match self {
            Self::Nulls => 0,
            Self::Integers(integers, _) => integers.left(),
            Self::Floats(floats) => floats.left(),
            Self::Doubles(floats) => floats.left(),
            Self::Strings(strings, _) => strings.left(),
        }
    }

    fn next(&mut self, _: &[u8], count: usize, out: &mut Vector) -> Read<()> {
        match (self, out) {
            (Self::Integers(integers, some), out) => {
                some.clear();
                integers.next(count, some)?;
                match out {
                    Vector::Boolean(out) => out.extend(some.iter().map(|integer| integer & 1 == 1)),
                    Vector::Int(out) => {
                        for integer in some {
                            out.push(
                                i32::try_from(*integer).map_err(|_| "an integer has more than 32 bits")?,
                            );
                        }
                    }
                    Vector::Long(out) => out.extend_from_slice(some),
                    _ => return Err(OTHER_TYPE),
                }
                Ok(())
            }
            (Self::Floats(floats), Vector::Float(out)) => floats.next(count, out),
            (Self::Doubles(floats), Vector::Double(out)) => floats.next(count, out),
            (Self::Strings(strings, most), Vector::Bytes(out)) => strings.next(count, *most, out),
            _ => Err(OTHER_TYPE),
        }
    }
}

const OTHER_TYPE: &str = "its values are of another type";
