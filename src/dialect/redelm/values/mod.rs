//! Values as RedElm stores them: plain, numbers big-endian, strings and byte strings after their length.

mod decode;
mod encode;
#[cfg(test)]
mod tests;

pub(super) use decode::{decode, skip};
pub(super) use encode::{encode, fitting};
