//! What a block has before the codec: bytes, or the values that a codec takes as they are.

use crate::bytes::buffer::Buffer;
use crate::storage::codec::Uncompressed;
use crate::storage::value_type::ValueType;
use crate::storage::values::held::Held;

/// The lengths and values of a block.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// None where values are held.
    bytes: Buffer,
    held: Option<Box<Held>>,
}

impl Content {
    /// The bytes that it takes before the codec.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.held.as_ref().map_or(self.bytes.len(), |held| held.size())
    }

    /// The bytes of memory that it takes.
    pub(crate) fn memory(&self) -> usize {
        self.held.as_ref().map_or(self.bytes.len(), |held| held.memory())
    }

    /// Holds the next values, where there are none yet and they are numbers.
    pub(crate) fn hold(&mut self, value_type: ValueType, array: bool, runs: bool) {
        let is_ready = self.held.as_ref().is_some_and(|held| held.is_of(value_type, array, runs));
        if !is_ready && self.len() == 0 {
            self.held = Held::of(value_type, array, runs).map(Box::new);
        }
    }

    /// The values, where they are held.
    #[inline]
    pub(crate) fn held(&mut self) -> Option<&mut Held> {
        self.held.as_deref_mut()
    }

    /// The bytes before the codec; held values are encoded, and no more are held.
    #[inline]
    pub(crate) fn bytes(&mut self) -> &mut Buffer {
        if let Some(held) = self.held.take() {
            held.encode(&mut self.bytes);
        }
        &mut self.bytes
    }

    /// The bytes before the codec, where no values are held.
    pub(crate) fn as_slice(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    pub(crate) fn uncompressed(&self) -> Uncompressed<'_> {
        match &self.held {
            Some(held) => Uncompressed::Values(held),
            None => Uncompressed::Bytes(self.bytes.as_slice()),
        }
    }

    /// Forgets lengths and values; memory stays.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        if let Some(held) = &mut self.held {
            held.clear();
        }
    }
}

impl From<Buffer> for Content {
    fn from(bytes: Buffer) -> Self {
        Self { bytes, held: None }
    }
}
