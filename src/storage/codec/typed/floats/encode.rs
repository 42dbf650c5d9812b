//! Encodes floating-point numbers in the form that takes the fewest bytes.

use super::super::context::{Context, Layout};
use super::super::integers::{DISTINCT_MAX, Encoded, Repetition, place_bits};
use super::super::section::{put_count, put_section};
use super::{Decimal, Float, form};

/// Appends numbers in the form that takes the fewest bytes.
pub(in super::super) fn encode<F: Float>(values: &[F], context: &mut Context, out: &mut Vec<u8>) {
    put_count(values.len() as u64, out);
    let plain = values.len() as u64 * F::BYTES as u64 * 8;
    let decimal = Decimal::from_values(values);
    let parts = decimal.as_ref().map(|decimal| {
        let [whole, places] = [&decimal.whole, &decimal.places].map(|part| Encoded::new(part, context));
        let apart = decimal.exceptions.len() as u64 * F::BYTES as u64 * 8;
        (whole.bits + places.bits + apart, whole, places)
    });
    let as_decimal = parts.as_ref().map_or(u64::MAX, |(bits, ..)| *bits);
    // Bits are seldom much shorter than numbers that are decimals.
    let is_split = context.layout == Layout::Split;
    let bits: Vec<i64> = if as_decimal > plain / 2 && !is_split && bits_pay(values, context) {
        values.iter().map(|value| value.bits()).collect()
    } else {
        Vec::new()
    };
    let by_bits = (!bits.is_empty()).then(|| Encoded::new(&bits, context));
    let as_bits = by_bits.as_ref().map_or(u64::MAX, |bits| bits.bits);
    match (&decimal, parts, by_bits) {
        (Some(decimal), Some((bits, whole, places)), _) if bits < plain.min(as_bits) => {
            out.extend_from_slice(&[form::DECIMAL, decimal.scale]);
            put_section(out, |out| whole.write(out));
            put_section(out, |out| places.write(out));
            decimal.exceptions.iter().for_each(|value| value.put(out));
        }
        (.., Some(by_bits)) if as_bits < plain - plain / 16 => {
            out.push(form::BITS);
            by_bits.write(out);
        }
        _ if context.layout == Layout::Split => {
            out.push(form::SPLIT);
            for place in 0..F::BYTES {
                out.extend(values.iter().map(|value| (value.bits() >> (8 * place)) as u8));
            }
        }
        _ => {
            out.push(form::PLAIN);
            values.iter().for_each(|value| value.put(out));
        }
    }
}

/// Whether the bits of some numbers of many take less than the numbers.
fn bits_pay<F: Float>(values: &[F], context: &mut Context) -> bool {
    if values.len() <= 4 * BITS_SAMPLE {
        return true;
    }
    let parts = values.chunks(BITS_SAMPLE / 4).step_by(values.len() / BITS_SAMPLE);
    let sample: Vec<i64> = parts.flatten().map(|value| value.bits()).collect();
    let bits = |count: usize| count as u64 * F::BYTES as u64 * 8;
    let plain = bits(sample.len());
    if Encoded::new(&sample, context).bits < plain - plain / 32 {
        return true;
    }
    match context.table.far_repetition(values.iter().map(|value| value.bits())) {
        Repetition::Sample(different) if different <= DISTINCT_MAX => {
            let plain = bits(values.len());
            bits(different) + place_bits(different) * (values.len() as u64) < plain - plain / 16
        }
        _ => false,
    }
}

/// About how many numbers are looked at for that.
const BITS_SAMPLE: usize = 4096;
