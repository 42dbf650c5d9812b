use super::super::context::{Context, Layout};
use super::super::section::{Read, Section};
use super::decimal::PRODUCT;
use super::*;
use crate::bytes::reader::Bytes;
use proptest::prelude::*;

fn encoded<F: Float>(values: &[F]) -> Vec<u8> {
    encoded_in(Layout::Alone, values)
}

fn encoded_in<F: Float>(layout: Layout, values: &[F]) -> Vec<u8> {
    let (mut context, mut out) = (Context::default(), Vec::new());
    context.layout = layout;
    encode(values, &mut context, &mut out);
    out
}

fn open(bytes: &[u8]) -> Read<Floats> {
    Floats::new(bytes, Section::rest(&Bytes::new(bytes)))
}

/// The bits of numbers, read some at a time.
fn decoded<F: Float>(bytes: &[u8], some: usize) -> Read<Vec<i64>> {
    let (mut floats, mut out) = (open(bytes)?, Vec::new());
    while floats.left() > 0 && out.len() < 1 << 20 {
        let wanted = floats.left().min(some as u64) as usize;
        floats.next::<F>(bytes, wanted, &mut out)?;
    }
    Ok(out.iter().map(|value| value.bits()).collect())
}

/// The bits of every other number.
fn every_other<F: Float>(bytes: &[u8]) -> Vec<i64> {
    let (mut floats, mut out) = (open(bytes).unwrap(), Vec::new());
    while floats.left() > 0 {
        floats.next::<F>(bytes, 1, &mut out).unwrap();
        floats.skip::<F>(bytes, floats.left().min(1)).unwrap();
    }
    out.iter().map(|value| value.bits()).collect()
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![
        6 => (-5000i32..5000).prop_map(|value| f64::from(value) / 100.0),
        1 => any::<f64>(),
        1 => prop_oneof![Just(-0.0), Just(f64::NAN), Just(f64::INFINITY), Just(1e300), Just(0.1 + 0.2)],
    ];
    (prop::collection::vec(value, 0..200), 1usize..9, any::<bool>()).prop_map(|(values, times, whole)| {
        let values = values.repeat(times);
        if whole { values.iter().map(|value| value.round()).collect() } else { values }
    })
}

proptest! {
    #[test]
    fn numbers_come_back(values in values(), some in 1usize..500) {
        let bits: Vec<i64> = values.iter().map(|value| value.bits()).collect();
        let other: Vec<i64> = bits.iter().copied().step_by(2).collect();
        prop_assert_eq!(decoded::<f64>(&encoded(&values), some), Ok(bits));
        prop_assert_eq!(every_other::<f64>(&encoded(&values)), other);
        let singles: Vec<f32> = values.iter().map(|value| *value as f32).collect();
        let bits: Vec<i64> = singles.iter().map(|value| value.bits()).collect();
        prop_assert_eq!(decoded::<f32>(&encoded(&singles), some), Ok(bits));
    }

    #[test]
    fn split_numbers_come_back(values in prop::collection::vec(any::<f64>(), 0..700), some in 1usize..500) {
        let bits: Vec<i64> = values.iter().map(|value| value.bits()).collect();
        let other: Vec<i64> = bits.iter().copied().step_by(2).collect();
        let bytes = encoded_in(Layout::Split, &values);
        prop_assert_eq!(decoded::<f64>(&bytes, some), Ok(bits));
        prop_assert_eq!(every_other::<f64>(&bytes), other);
        let singles: Vec<f32> = values.iter().map(|value| *value as f32).collect();
        let bits: Vec<i64> = singles.iter().map(|value| value.bits()).collect();
        let bytes = encoded_in(Layout::Split, &singles);
        prop_assert_eq!(decoded::<f32>(&bytes, some), Ok(bits));
        for cut in 0..bytes.len() {
            let _ = decoded::<f32>(&bytes[..cut], some);
            let _ = decoded::<f64>(&bytes[..cut], some);
        }
    }

    #[test]
    fn damaged_bytes_are_numbers_or_an_error(
        values in values(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let mut bytes = encoded(&values);
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] = byte,
        }
        let _ = decoded::<f64>(&bytes, 1000);
    }
}

#[test]
fn decimals_are_multiplied_where_that_is_as_exact() {
    let scale = |values: &[f64]| {
        let decimal = Decimal::from_values(values).unwrap();
        (decimal.scale, decimal.exceptions.len())
    };
    let whole = |step: i64| (0..5000).map(move |value| (value * step) as f64);
    assert_eq!(scale(&whole(7).collect::<Vec<_>>()), (PRODUCT, 0));
    assert_eq!(scale(&whole(1 << 40).collect::<Vec<_>>()), (PRODUCT, 0));
    assert_eq!(scale(&whole(7).map(|value| value / 100.0).collect::<Vec<_>>()), (PRODUCT | 2, 0));
    // Seconds and thousandths since 1970: products of so many digits are rounded too often.
    let times: Vec<f64> = whole(1_234_567).map(|value| (1.7e12 + value) / 1000.0).collect();
    assert_eq!(scale(&times), (3, 0));
    let bits: Vec<i64> = times.iter().map(|time| time.bits()).collect();
    assert_eq!(decoded::<f64>(&encoded(&times), 100), Ok(bits));
}

#[test]
fn numbers_that_come_again_far_away_are_listed() {
    let corners: Vec<f32> = (0..20_000).map(|value| (value as f32).sqrt().sin()).collect();
    // Each six times, in another order each time.
    let all: Vec<f32> =
        (0..120_000).map(|at| corners[at * [7919, 3, 11, 7, 13, 17][at / 20_000] % 20_000]).collect();
    let bits: Vec<i64> = all.iter().map(|value| value.bits()).collect();
    assert!(encoded(&all).len() < 120_000 * 4 * 2 / 3);
    assert_eq!(decoded::<f32>(&encoded(&all), 1000), Ok(bits));
}

#[test]
fn decimals_take_few_bytes() {
    let prices: Vec<f64> = (0..10_000).map(|value| f64::from(value * 7919 % 10_000) / 100.0).collect();
    assert!(encoded(&prices).len() < 10_000 * 14 / 8 + 200);
    let singles: Vec<f32> = prices.iter().map(|price| *price as f32).collect();
    assert!(encoded(&singles).len() < 10_000 * 14 / 8 + 200);
    let mut wild: Vec<f64> = (1..10_000).map(|value| f64::from(value).sqrt()).collect();
    assert!(encoded(&wild).len() <= 80_000 + 10);
    wild.fill(std::f64::consts::PI);
    assert!(encoded(&wild).len() < 20);
}
