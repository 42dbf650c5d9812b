//! Levels as RedElm stores them: small integers and runs of them, in as many bits as the greatest takes.
//!
//! A zig-zag varint tells how many bytes follow. These are one stream of bits, the lowest of each byte first: a flag,
//! a value, and, where the flag is set, how often it comes, as a varint whose bytes may begin at any bit.

mod decode;
mod encode;
mod piece;
#[cfg(test)]
mod tests;

pub(super) use decode::Runs;
pub(super) use encode::ShortInts;
pub(super) use piece::Piece;

/// Bits of each value.
fn width(bound: u8) -> u32 {
    u8::BITS - bound.leading_zeros()
}
