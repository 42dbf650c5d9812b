//! Decimals as strings: plain digits, with as many after the point as the scale says.

use super::digits::{Digits, digit_of};
use crate::shape::DECIMAL_DIGITS_MAX;

/// More bytes than this are no decimal: the time that a text takes grows with the square of its digits.
const BYTES_MAX: usize = 1024;
/// No text of more digits is a decimal.
const DIGITS_MAX: usize = DECIMAL_DIGITS_MAX as usize;
/// The greatest precision all of whose decimals have bytes and a text.
pub(crate) const PRECISION_MAX: u32 = 2465;
/// The digits that are converted at once, and 10 to the power of that.
const GROUP_DIGITS: usize = 9;
const GROUP: u64 = 1_000_000_000;

/// How decimals are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) precision: u32,
    pub(crate) scale: u32,
    /// The number of bytes, where it is fixed.
    pub(crate) size: Option<usize>,
}

impl Form {
    /// Whether decimals have strings, which have as many digits after the point as the scale says.
    pub(super) fn has_texts(self) -> bool {
        self.scale <= DECIMAL_DIGITS_MAX
    }

    /// The unscaled value of a text, rounded down, and whether it is exact; `None` where it is of no decimal, or of one with
    /// more than 38 digits.
    pub(crate) fn floor(self, text: &str) -> Option<(i128, bool)> {
        const PRECISION: u32 = 38;
        let fraction = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let surplus = u32::try_from(fraction).ok()?.saturating_sub(self.scale);
        let scale = self.scale.checked_add(surplus)?;
        let (is_negative, digits) = unscaled(text, Self { precision: PRECISION, scale, size: None })?;
        let mut value = 0_i128;
        for digit in digits {
            value = value * 10 + i128::from(digit_of(digit)?);
        }
        let value = if is_negative { -value } else { value };
        let factor = 10_i128.checked_pow(surplus)?;
        Some((value.div_euclid(factor), value.rem_euclid(factor) == 0))
    }
}

/// Appends the bytes of a decimal, in two's complement, the most significant first; false where the text is no decimal,
/// or none of this precision and scale. Zeros at the end may be missing or more, and there may be an exponent.
pub(super) fn parse(text: &str, form: Form, out: &mut Vec<u8>) -> bool {
    match unscaled(text, form) {
        Some((is_negative, digits)) => put(is_negative, &digits, form, out),
        None => false,
    }
}

/// Appends the bytes of an integer as a decimal; false where it has too many digits.
pub(super) fn of_integer(integer: i128, form: Form, out: &mut Vec<u8>) -> bool {
    parse(&integer.to_string(), form, out)
}

/// Whether the value is negative, and the digits of its unscaled value without zeros before them.
fn unscaled(text: &str, form: Form) -> Option<(bool, Vec<u8>)> {
    let mut rest = Digits::new(text);
    let is_negative = rest.take(b"+-") == Some(b'-');
    let whole = rest.all();
    let fraction = if rest.take(b".").is_some() { rest.all() } else { &[] };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut exponent = 0_i64;
    if rest.take(b"eE").is_some() {
        let sign = rest.take(b"+-");
        let digits = std::str::from_utf8(rest.all()).ok()?;
        let number: i64 = digits.parse().ok().filter(|_| digits.len() < 10)?;
        exponent = if sign == Some(b'-') { -number } else { number };
    }
    if !rest.is_empty() {
        return None;
    }
    let zeros = whole.iter().chain(fraction).take_while(|digit| **digit == b'0').count();
    let mut digits: Vec<u8> = whole.iter().chain(fraction).skip(zeros).copied().collect();
    // How many digits are to be added after the last one, or taken off.
    let missing = i64::from(form.scale) + exponent - i64::try_from(fraction.len()).ok()?;
    if digits.is_empty() {
        return Some((false, digits));
    }
    match usize::try_from(missing) {
        Ok(missing) => {
            let length = digits.len().checked_add(missing).filter(|length| *length <= DIGITS_MAX)?;
            digits.resize(length, b'0');
        }
        Err(_) => {
            let surplus = usize::try_from(missing.unsigned_abs()).ok()?;
            let length = digits.len().checked_sub(surplus)?;
            if digits.drain(length..).any(|digit| digit != b'0') {
                return None;
            }
        }
    }
    let fits = digits.len() <= DIGITS_MAX && digits.len() as u64 <= u64::from(form.precision);
    fits.then_some((is_negative, digits))
}

/// Appends the bytes of an unscaled value; false where it needs more than there are, or than a text is of.
fn put(is_negative: bool, digits: &[u8], form: Form, out: &mut Vec<u8>) -> bool {
    // 32 bits each, the least significant first.
    let mut words: Vec<u32> = Vec::with_capacity(digits.len() / GROUP_DIGITS + 2);
    for group in digits.chunks(GROUP_DIGITS) {
        let (mut factor, mut carry) = (1_u64, 0_u64);
        for digit in group {
            factor *= 10;
            carry = carry * 10 + u64::from(digit_of(*digit).unwrap_or_default());
        }
        for word in &mut words {
            let value = u64::from(*word) * factor + carry;
            *word = value as u32;
            carry = value >> 32;
        }
        if carry > 0 {
            words.push(carry as u32);
        }
    }
    if is_negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(carry.into());
        }
    }
    let sign = if is_negative { u8::MAX } else { 0 };
    let mut bytes = vec![sign];
    bytes.extend(words.iter().rev().flat_map(|word| word.to_be_bytes()));
    // The least number of bytes whose first bit is the sign.
    let is_needless =
        |pair: &&[u8]| matches!(pair, [first, second] if *first == sign && second >> 7 == sign >> 7);
    let needless = bytes.windows(2).take_while(|pair| is_needless(pair)).count();
    let bytes = &bytes[needless..];
    if bytes.len() > BYTES_MAX {
        return false;
    }
    let size = form.size.unwrap_or(bytes.len());
    let Some(before) = size.checked_sub(bytes.len()) else {
        return false;
    };
    out.extend(std::iter::repeat_n(sign, before));
    out.extend_from_slice(bytes);
    true
}

/// Appends the text of a decimal; false where there are no bytes, or too many.
pub(super) fn format(bytes: &[u8], scale: u32, out: &mut String) -> bool {
    let Some(first) = bytes.first().filter(|_| bytes.len() <= BYTES_MAX) else {
        return false;
    };
    let Some(scale) = usize::try_from(scale).ok().filter(|scale| *scale <= DIGITS_MAX) else {
        return false;
    };
    let is_negative = first >> 7 == 1;
    let digits = digits_of(bytes, is_negative);
    let zeros = (scale + 1).saturating_sub(digits.len());
    let whole = (digits.len() + zeros) - scale;
    if is_negative {
        out.push('-');
    }
    let all = std::iter::repeat_n('0', zeros).chain(digits.iter().rev().map(|digit| char::from(*digit)));
    for (index, digit) in all.enumerate() {
        if index == whole {
            out.push('.');
        }
        out.push(digit);
    }
    true
}

/// The decimal digits of the magnitude, the least significant first; none for zero.
fn digits_of(bytes: &[u8], is_negative: bool) -> Vec<u8> {
    let mut magnitude: Vec<u8> = bytes.to_vec();
    if is_negative {
        let mut carry = true;
        for byte in magnitude.iter_mut().rev() {
            (*byte, carry) = (!*byte).overflowing_add(carry.into());
        }
    }
    let mut words: Vec<u32> = Vec::with_capacity(magnitude.len() / 4 + 1);
    for word in magnitude.rchunks(4) {
        words.push(word.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)));
    }
    let mut digits = Vec::with_capacity(words.len() * 10);
    while words.last() == Some(&0) {
        words.pop();
    }
    while !words.is_empty() {
        let mut rest = 0_u64;
        for word in words.iter_mut().rev() {
            let value = rest << 32 | u64::from(*word);
            *word = (value / GROUP) as u32;
            rest = value % GROUP;
        }
        while words.last() == Some(&0) {
            words.pop();
        }
        for _ in 0..GROUP_DIGITS {
            digits.push(b'0' + (rest % 10) as u8);
            rest /= 10;
        }
    }
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    digits
}
