//! Integers of decimals, and the big-endian bytes that they are stored as.

use arrow_buffer::{ArrowNativeType, i256};

/// Bytes of the widest integer.
const WIDEST: usize = 32;

/// An integer of a decimal array.
pub(super) trait Integer: ArrowNativeType + Default {
    /// Its bytes, sign-extended to 32.
    fn bytes(self) -> [u8; WIDEST];

    /// The integer of such bytes, where it has room for it.
    fn of_bytes(bytes: [u8; WIDEST]) -> Option<Self>;

    /// Writes the bytes: `size` of them, or as few as hold it; false where they do not.
    fn write(self, size: Option<usize>, is_unsigned: bool, out: &mut Vec<u8>) -> bool {
        let bytes = self.bytes();
        out.clear();
        let is_negative = bytes[0] >= 0x80;
        let fill = if is_negative { 0xff } else { 0 };
        let leading = bytes.iter().take_while(|byte| **byte == fill).count();
        // The first byte that is kept says the sign.
        let same_sign = |from: usize| bytes.get(from).is_some_and(|byte| (*byte >= 0x80) == is_negative);
        let needed = match is_unsigned {
            true if is_negative => return false,
            true => WIDEST - leading,
            false if same_sign(leading) => WIDEST - leading,
            false => WIDEST - leading + 1,
        };
        let size = size.unwrap_or(needed.max(1));
        if size < needed {
            return false;
        }
        out.resize(size.saturating_sub(WIDEST), fill);
        out.extend_from_slice(bytes.get(WIDEST.saturating_sub(size)..).unwrap_or_default());
        true
    }

    /// The integer of bytes of any number, where it has room for it; nothing is 0.
    fn read(bytes: &[u8], is_unsigned: bool) -> Option<Self> {
        let is_negative = !is_unsigned && bytes.first().is_some_and(|byte| *byte >= 0x80);
        let fill = if is_negative { 0xff } else { 0 };
        let skipped = bytes.len().saturating_sub(WIDEST);
        let (more, kept) = bytes.split_at_checked(skipped)?;
        let mut wide = [fill; WIDEST];
        wide.get_mut(WIDEST - kept.len()..)?.copy_from_slice(kept);
        let fits = more.iter().all(|byte| *byte == fill) && (wide[0] >= 0x80) == is_negative;
        if fits { Self::of_bytes(wide) } else { None }
    }
}

macro_rules! integers {
    ($($integer:ty),+) => {$(
        impl Integer for $integer {
            fn bytes(self) -> [u8; WIDEST] {
                i256::from_i128(i128::from(self)).to_be_bytes()
            }

            fn of_bytes(bytes: [u8; WIDEST]) -> Option<Self> {
                Self::try_from(i256::from_be_bytes(bytes).to_i128()?).ok()
            }
        }
    )+};
}

integers!(i32, i64, i128);

impl Integer for i256 {
    fn bytes(self) -> [u8; WIDEST] {
        self.to_be_bytes()
    }

    fn of_bytes(bytes: [u8; WIDEST]) -> Option<Self> {
        Some(Self::from_be_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::Integer;
    use arrow_buffer::i256;

    #[test]
    fn integers_come_back_from_their_fewest_bytes() {
        let mut out = Vec::new();
        for (value, bytes) in [
            (0_i64, &[0][..]),
            (1, &[1]),
            (-1, &[0xff]),
            (127, &[127]),
            (128, &[0, 128]),
            (-128, &[0x80]),
            (-129, &[0xff, 0x7f]),
            (i64::MIN, &[0x80, 0, 0, 0, 0, 0, 0, 0]),
        ] {
            assert!(value.write(None, false, &mut out));
            assert_eq!(out, bytes);
            assert_eq!(i64::read(&out, false), Some(value));
            assert!(value.write(Some(40), false, &mut out) && out.len() == 40);
            assert_eq!(i64::read(&out, false), Some(value));
        }
    }

    #[test]
    fn integers_that_have_no_room_are_refused() {
        let mut out = Vec::new();
        assert!(!128_i32.write(Some(1), false, &mut out) && 128_i32.write(Some(1), true, &mut out));
        assert_eq!(i128::read(&out, true), Some(128));
        assert!(!(-1_i32).write(Some(16), true, &mut out));
        assert_eq!(i32::read(&[1, 0, 0, 0, 0], false), None);
        assert_eq!(i256::read(&[0x80; 33], false), None);
        assert_eq!(i256::read(&[0xff; 33], true), None);
        assert_eq!(i32::read(&[], false), Some(0));
        assert!(i256::MIN.write(None, false, &mut out) && i256::read(&out, false) == Some(i256::MIN));
    }
}
