//! Digits of strings, read from the left.

/// A text that is read from the left; no part is read twice.
#[derive(Clone, Copy)]
pub(super) struct Digits<'t>(&'t [u8]);

impl<'t> Digits<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self(text.as_bytes())
    }

    /// Whether all has been read.
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Reads one byte if it is one of these.
    pub(super) fn take(&mut self, any: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first().filter(|(first, _)| any.contains(first))?;
        self.0 = rest;
        Some(*first)
    }

    /// Reads a number of exactly `count` digits.
    pub(super) fn exactly(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let mut number = 0_u32;
        for digit in digits {
            number = number.checked_mul(10)?.checked_add(digit_of(*digit)?)?;
        }
        self.0 = rest;
        Some(number)
    }

    /// Reads all digits that come next, of which there may be zero.
    pub(super) fn all(&mut self) -> &'t [u8] {
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        digits
    }

    /// Reads the digits of a fraction as billionths: one or more, where those after the ninth are zeros.
    pub(super) fn billionths(&mut self) -> Option<u32> {
        let digits = self.all();
        if digits.is_empty() {
            return None;
        }
        let mut nanos = 0;
        for index in 0..9 {
            nanos = nanos * 10 + digits.get(index).map_or(Some(0), |digit| digit_of(*digit))?;
        }
        digits.iter().skip(9).all(|digit| *digit == b'0').then_some(nanos)
    }
}

/// The number of a digit.
pub(super) fn digit_of(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(10)
}

/// Appends a number with at least `count` digits.
pub(super) fn push_padded(out: &mut String, number: u64, count: usize) {
    if number > 9 || count > 1 {
        push_padded(out, number / 10, count.saturating_sub(1));
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}
