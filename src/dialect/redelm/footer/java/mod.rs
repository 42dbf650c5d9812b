//! Footers as Java's serialization wrote them.

mod classes;
mod read;
mod stream;
mod write;

pub(super) use read::read;
pub(super) use write::write;

/// The first bytes of a stream: a mark, and version 5 of the protocol.
const MAGIC: [u8; 4] = [0xac, 0xed, 0x00, 0x05];

/// The handle of the first thing in a stream that can be referred to.
const FIRST_HANDLE: u32 = 0x7e_0000;

/// What comes next in a stream.
mod tag {
    pub(super) const NULL: u8 = 0x70;
    pub(super) const REFERENCE: u8 = 0x71;
    pub(super) const CLASS: u8 = 0x72;
    pub(super) const OBJECT: u8 = 0x73;
    pub(super) const TEXT: u8 = 0x74;
    pub(super) const ARRAY: u8 = 0x75;
    pub(super) const BLOCK: u8 = 0x77;
    pub(super) const END: u8 = 0x78;
    pub(super) const LONG_BLOCK: u8 = 0x7a;
    pub(super) const LONG_TEXT: u8 = 0x7c;
    pub(super) const ENUM: u8 = 0x7e;
}

/// What a class says of its objects.
mod flag {
    /// It writes something after their fields.
    pub(super) const WRITES: u8 = 0x01;
    /// They have fields.
    pub(super) const FIELDS: u8 = 0x02;
    /// They are constants of an enum.
    pub(super) const ENUM: u8 = 0x10;
}
