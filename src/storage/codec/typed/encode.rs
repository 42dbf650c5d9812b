//! Encodes the lengths and values of a block, each by itself.

use super::context::{Context, Layout};
use super::kind::{Head, Kind};
use super::parts::{Parts, Values};
use super::section::put_section;
use super::{decode_freely, floats, integers, strings};
use crate::vector::Vector;

/// Appends the parts of a block, whose bytes are given, in their typed form; false where there are none, or the block is smaller as it
/// is: then nothing is appended.
pub(super) fn encode(parts: Option<&Parts>, bytes: usize, context: &mut Context, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    if let Some(parts) = parts {
        parts.write(context, out);
        if out.len() - start <= bytes {
            return true;
        }
        out.truncate(start);
    }
    false
}

/// Appends a block as it is.
pub(super) fn encode_raw(block: &[u8], out: &mut Vec<u8>) {
    out.push(Head::RAW.byte());
    out.extend_from_slice(block);
}

/// In blocks of strings of fewer bytes, a table of symbols takes more than it saves where another codec comes next.
const SYMBOLS_PAY_BYTES: usize = 8 << 10;

impl Parts<'_> {
    /// Whether decoding gives the same bytes. It does not where unused bits of an array of booleans are set.
    pub(super) fn come_back(&self, block: &[u8]) -> bool {
        let (mut typed, mut back) = (Vec::new(), Vec::new());
        self.write(&mut Context::default(), &mut typed);
        decode_freely(&typed, block.len(), &mut back).is_ok() && back == block
    }

    /// Appends lengths and values.
    pub(super) fn write(&self, context: &mut Context, out: &mut Vec<u8>) {
        out.push(self.head.byte());
        if self.head.lengths {
            put_section(out, |out| integers::encode_lengths(&self.lengths, context, out));
        }
        let values = match &self.values {
            Values::Strings(strings) => return strings::encode(strings, context, out),
            Values::Others(values) => &**values,
        };
        match values {
            Vector::Boolean(values) => {
                let values: Vec<i64> = values.iter().map(|value| i64::from(*value)).collect();
                integers::encode(&values, context, out);
            }
            Vector::Int(values) => {
                let values: Vec<i64> = values.iter().map(|value| i64::from(*value)).collect();
                integers::encode(&values, context, out);
            }
            Vector::Long(values) => integers::encode(values, context, out),
            Vector::Float(values) => floats::encode(values, context, out),
            Vector::Double(values) => floats::encode(values, context, out),
            _ => {}
        }
    }

    /// How it may lie where another codec comes next, by the bytes of the block.
    pub(super) fn layouts(&self, bytes: usize) -> &'static [Layout] {
        match self.head.kind {
            Kind::Strings if bytes >= SYMBOLS_PAY_BYTES => &[Layout::Bits, Layout::Bytes, Layout::Strings],
            Kind::Floats | Kind::Doubles => &[Layout::Bits, Layout::Bytes, Layout::Split],
            _ => &[Layout::Bits, Layout::Bytes],
        }
    }

    /// Arrays, or values without lengths.
    pub(super) fn entries(&self) -> usize {
        if self.head.lengths { self.lengths.len() } else { self.values.len() }
    }

    /// Some of the entries, from the middle.
    pub(super) fn middle(&self, entries: usize) -> Option<Self> {
        let start = (self.entries() - entries) / 2;
        let mut lengths = Vec::new();
        let items = if self.head.lengths {
            let (before, rest) = self.lengths.split_at_checked(start)?;
            lengths.extend_from_slice(rest.get(..entries)?);
            let [first, count] = [before, &lengths].map(|lengths| lengths.iter().sum::<i64>() as usize);
            first..first + count
        } else {
            start..start + entries
        };
        Some(Self { head: self.head, lengths, values: self.values.part(items)? })
    }
}
