//! Bytes under construction, written with stores of constant size.

/// Bytes of which the first `len` count; the bytes after them are scratch.
///
/// A short value is written as a word whose high bytes the next value covers: a store of constant
/// size costs less than a copy of the exact one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    len: usize,
    /// Bytes that memory is taken for at once when the buffer is empty.
    first: usize,
}

impl Buffer {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Takes the bytes out, in memory that has room for `more` after them, and little else. The next
    /// ones are expected to be as many.
    pub(crate) fn take(&mut self, more: usize) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.bytes);
        self.first = bytes.len();
        bytes.truncate(self.len);
        bytes.shrink_to(self.len + more);
        self.len = 0;
        bytes
    }

    /// Bytes for which memory has been taken.
    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Takes memory for exactly this number of further bytes, if there is less.
    pub(crate) fn reserve(&mut self, more: usize) {
        if self.bytes.capacity() < self.len + more {
            self.bytes.truncate(self.len);
            self.bytes.reserve_exact(more);
        }
    }

    /// The last byte written.
    #[inline]
    pub(crate) fn last_mut(&mut self) -> Option<&mut u8> {
        self.bytes.get_mut(self.len.checked_sub(1)?)
    }

    /// Calls with room for at least `most` bytes; what it returns says how many of them count.
    #[inline]
    pub(crate) fn write(&mut self, most: usize, fill: impl FnOnce(&mut [u8]) -> usize) {
        let end = self.len + most;
        if self.bytes.len() < end {
            self.grow(end);
        }
        let used = fill(&mut self.bytes[self.len..end]);
        debug_assert!(used <= most, "{used} bytes in room for {most}");
        self.len += used.min(most);
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        match self.bytes.len() {
            0 => self.bytes = vec![0; end.max(self.first)],
            len => self.bytes.resize(end.max(len / 2 * 3), 0),
        }
    }

    /// Appends bytes; their memory is not set to zero before.
    #[inline]
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        match self.bytes.get_mut(self.len..end) {
            Some(room) => room.copy_from_slice(bytes),
            None => {
                self.bytes.truncate(self.len);
                if self.bytes.capacity() == 0 {
                    // A little more, as not all blocks are alike.
                    self.bytes.reserve_exact(end.max(self.first + self.first / 8));
                }
                self.bytes.extend_from_slice(bytes);
            }
        }
        self.len = end;
    }

    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        self.write(1, |room| {
            room[0] = byte;
            1
        });
    }
}

/// Room that a value may take beyond its own bytes, because it is written with a store of constant
/// size.
pub(crate) const SLACK: usize = 32;

/// Writes the first `count` bytes of a word at a position, and scratch after them; returns the
/// position after the bytes that count.
#[inline]
pub(crate) fn put_word(room: &mut [u8], at: usize, word: u64, count: usize) -> usize {
    room[at..at + 8].copy_from_slice(&word.to_le_bytes());
    at + count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_is_covered_by_what_follows() {
        let mut buffer = Buffer::default();
        buffer.write(3 + SLACK, |room| {
            let at = put_word(room, 0, 0x0909_0909_0909_0901, 1);
            put_word(room, at, u64::from_le_bytes(*b"world, h"), 2)
        });
        buffer.push(b'!');
        assert_eq!(buffer.as_slice(), b"\x01wo!");
        *buffer.last_mut().unwrap() = b'?';
        assert_eq!(buffer.take(4), b"\x01wo?");
        buffer.clear();
        assert_eq!((buffer.len(), buffer.last_mut()), (0, None));
    }

    #[test]
    fn bytes_are_appended_with_scratch_and_without() {
        let mut buffer = Buffer::default();
        buffer.extend(b"one");
        buffer.write(4, |room| put_word_of(room, b"two "));
        buffer.extend(b"th");
        buffer.extend(b"ree, and more");
        assert_eq!(buffer.take(0), b"onetwothree, and more");
        buffer.extend(b"anew");
        assert_eq!(buffer.as_slice(), b"anew");
    }

    /// All bytes but the last.
    fn put_word_of(room: &mut [u8], bytes: &[u8; 4]) -> usize {
        room.copy_from_slice(bytes);
        3
    }
}
