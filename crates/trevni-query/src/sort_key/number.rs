//! Numbers as bytes in their order: sign, exponent, and what is after the first digit that is not 0.

/// What the first byte says.
const NEGATIVE_NAN: u8 = 0;
const NEGATIVE_INFINITY: u8 = 1;
const NEGATIVE: u8 = 2;
const NEGATIVE_ZERO: u8 = 3;
const ZERO: u8 = 4;
const POSITIVE: u8 = 5;
const INFINITY: u8 = 6;
const NAN: u8 = 7;

/// Makes the exponents of floats, from -1074 to 1023, and of integers positive.
const BIAS: i32 = 2000;
/// Makes the exponents of decimals positive.
const DECIMAL_BIAS: i64 = 1 << 30;
/// Bits of the fraction of a float, and its least exponent.
const FRACTION: u32 = 52;
const LEAST: i32 = -1074;

/// A whole number by its sign and magnitude.
pub(super) fn whole(is_negative: bool, magnitude: u128, out: &mut Vec<u8>) {
    binary(is_negative, magnitude, 0, out);
}

/// A float; both zeros are one number, and NaN is above all.
pub(super) fn float(value: f64, out: &mut Vec<u8>) {
    match value {
        value if value.is_nan() => out.push(NAN),
        value => total(if value == 0.0 { 0.0 } else { value }, out),
    }
}

/// A float in IEEE's total order.
pub(super) fn total(value: f64, out: &mut Vec<u8>) {
    let (bits, is_negative) = (value.to_bits(), value.is_sign_negative());
    let class = |negative: u8, positive: u8| if is_negative { negative } else { positive };
    if value.is_nan() {
        out.push(class(NEGATIVE_NAN, NAN));
        let bits = if is_negative { !bits } else { bits };
        return out.extend_from_slice(&bits.to_be_bytes());
    }
    if value.is_infinite() {
        return out.push(class(NEGATIVE_INFINITY, INFINITY));
    }
    if value == 0.0 {
        return out.push(class(NEGATIVE_ZERO, ZERO));
    }
    let fraction = bits & ((1 << FRACTION) - 1);
    match (bits >> FRACTION) as i32 & 0x7ff {
        0 => binary(is_negative, fraction.into(), LEAST, out),
        exponent => binary(is_negative, (fraction | 1 << FRACTION).into(), LEAST + exponent - 1, out),
    }
}

/// A magnitude times a power of two.
fn binary(is_negative: bool, magnitude: u128, power: i32, out: &mut Vec<u8>) {
    if magnitude == 0 {
        return out.push(ZERO);
    }
    let zeros = magnitude.leading_zeros();
    let exponent = BIAS + power + (u128::BITS - 1 - zeros) as i32;
    // Without the first bit, which is 1.
    let mut rest = magnitude.checked_shl(zeros + 1).unwrap_or(0);
    signed(is_negative, out, |out| {
        out.extend_from_slice(&(exponent as u16).to_be_bytes());
        // Seven bits in a byte, and whether there are more.
        loop {
            let bits = (rest >> (u128::BITS - 7)) as u8;
            rest <<= 7;
            out.push(bits << 1 | u8::from(rest != 0));
            if rest == 0 {
                break;
            }
        }
    });
}

/// A decimal: digits after the point, the first of which is not 0, times a power of ten.
pub(super) fn decimal(is_negative: bool, digits: &[u8], exponent: i64, out: &mut Vec<u8>) {
    if digits.is_empty() {
        return out.push(ZERO);
    }
    signed(is_negative, out, |out| {
        out.extend_from_slice(&((exponent + DECIMAL_BIAS) as u32).to_be_bytes());
        out.extend_from_slice(digits);
        out.push(0);
    });
}

/// The sign, and bytes in the order of magnitudes, which is the other way round for negative numbers.
fn signed(is_negative: bool, out: &mut Vec<u8>, magnitude: impl FnOnce(&mut Vec<u8>)) {
    out.push(if is_negative { NEGATIVE } else { POSITIVE });
    let start = out.len();
    magnitude(out);
    if is_negative {
        out.iter_mut().skip(start).for_each(|byte| *byte = !*byte);
    }
}
