//! The smallest parts of a container: fixed numbers, varints, strings and metadata.

/// Bytes that are read from the front.
pub(crate) struct Input<'b>(pub(crate) &'b [u8]);

impl<'b> Input<'b> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn fixed32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(crate) fn fixed64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// A zig-zag varint that is no negative number.
    pub(crate) fn count(&mut self) -> Option<usize> {
        let mut raw = 0u64;
        for shift in (0..63).step_by(7) {
            let byte = self.take(1)?[0];
            raw |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return usize::try_from(raw >> 1).ok().filter(|_| raw & 1 == 0);
            }
        }
        None
    }

    pub(crate) fn text(&mut self) -> Option<Vec<u8>> {
        let count = self.count()?;
        Some(self.take(count)?.to_vec())
    }
}

/// Keys and values.
#[derive(Clone, Default)]
pub(crate) struct Metadata(pub(crate) Vec<(Vec<u8>, Vec<u8>)>);

impl Metadata {
    pub(crate) fn parse(input: &mut Input<'_>) -> Option<Self> {
        let count = input.count()?;
        (0..count).map(|_| Some((input.text()?, input.text()?))).collect::<Option<_>>().map(Self)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&[u8]> {
        self.0.iter().find(|(known, _)| known == key.as_bytes()).map(|(_, value)| &**value)
    }

    pub(crate) fn set(&mut self, key: &str, value: &[u8]) {
        if let Some((_, old)) = self.0.iter_mut().find(|(known, _)| known == key.as_bytes()) {
            *old = value.to_vec();
        }
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put_count(zigzag(self.0.len() as i64), out);
        self.0.iter().flat_map(|(key, value)| [key, value]).for_each(|part| put_text(part, out));
    }
}

/// Appends a varint without zig-zag.
pub(crate) fn put_count(mut count: u64, out: &mut Vec<u8>) {
    while count > 0x7f {
        out.push(count as u8 | 0x80);
        count >>= 7;
    }
    out.push(count as u8);
}

/// Zig-zag.
pub(crate) fn zigzag(integer: i64) -> u64 {
    (integer << 1 ^ integer >> 63).cast_unsigned()
}

/// Appends a string or bytes: the length, then that many bytes.
pub(crate) fn put_text(text: &[u8], out: &mut Vec<u8>) {
    put_count(zigzag(text.len() as i64), out);
    out.extend_from_slice(text);
}
