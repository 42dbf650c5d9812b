use super::*;
use crate::ip::Ip;
use crate::scalar::Scalar;
use std::cmp::Ordering;

/// Small pools of values that are near each other, of all kinds.
fn values() -> Vec<Scalar> {
    let integers = [
        i128::MIN,
        i128::MIN + 1,
        -(1 << 100),
        -(1 << 53) - 1,
        -129,
        -128,
        -2,
        -1,
        0,
        1,
        2,
        3,
        127,
        128,
        255,
        256,
        1 << 53,
        (1 << 53) + 1,
        i128::MAX - 1,
        i128::MAX,
    ];
    let floats = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        -1.5,
        2.0,
        2.5,
        f64::MIN_POSITIVE,
        5e-324,
        -5e-324,
        9_007_199_254_740_992.0,
        9_007_199_254_740_994.0,
        1e38,
        1.8e38,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
    ];
    let texts = ["", "\0", "\0\0", "\0a", "a", "a\0", "a\0b", "ab", "b", "é", "\u{10ffff}", "z"];
    let kinds = [MomentKind::Date, MomentKind::Time, MomentKind::Instant, MomentKind::Local];
    let moments = kinds.into_iter().flat_map(|kind| [-1, 0, 1, 86_400].map(|nanos| Moment { kind, nanos }));
    let bytes = [&[][..], &[0], &[0, 255], &[255], &[255, 0], &[0, 1]];
    let all = [Scalar::Null, Scalar::Boolean(false), Scalar::Boolean(true)].into_iter();
    let all = all.chain(integers.map(Scalar::Integer)).chain(floats.map(Scalar::Float));
    let all = all.chain(texts.map(|text| Scalar::Text(text.to_owned()))).chain(moments.map(Scalar::Moment));
    let addresses = ["9.255.0.1", "10.0.0.9", "10.0.0.10", "::", "::1", "ffff::"];
    let all = all.chain(addresses.map(|text| Scalar::Ip(Ip::parse_address(text).unwrap())));
    let networks = ["0.0.0.0/0", "10.0.0.0/8", "10.0.0.0/9", "10.0.0.1/8", "::/0", "::/128"];
    let all = all.chain(networks.map(|text| Scalar::Ip(Ip::parse_network(text).unwrap())));
    all.chain(bytes.map(|bytes| Scalar::Bytes(bytes.to_vec()))).collect()
}

fn decimals() -> Vec<Scalar> {
    let texts = [
        "0", "0.00", "1", "1.0", "1.5", "-1.5", "-1.50001", "10", "9.99", "1e30", "0.001", "-0.001", "2.5",
        "100", "-99",
    ];
    let decimals = texts.iter().map(|text| Scalar::Decimal(Decimal::parse(text).unwrap()));
    let others =
        [Scalar::Integer(1), Scalar::Integer(-2), Scalar::Integer(100), Scalar::Integer(0), Scalar::Null];
    let floats = [0.1, 1.5, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e30].map(Scalar::Float);
    decimals.chain(others).chain(floats).collect()
}

/// The order of [`ScalarRef::order`], with nulls last.
fn expected(one: &Scalar, two: &Scalar, descends: bool) -> Ordering {
    let order = one.get().order(two.get());
    let has_null = *one == Scalar::Null || *two == Scalar::Null;
    if descends && !has_null { order.reverse() } else { order }
}

fn key(by: &SortKey, value: &Scalar) -> Vec<u8> {
    let mut out = Vec::new();
    by.append(value.get(), &mut out);
    out
}

#[test]
fn bytes_are_in_the_order_of_values() {
    for (values, kinds) in [(values(), vec![]), (decimals(), vec![Type::Integer, Type::Decimal])] {
        for descends in [false, true] {
            let by = SortKey::new(descends, kinds.clone());
            for one in &values {
                for two in &values {
                    let expected = expected(one, two, descends);
                    assert_eq!(key(&by, one).cmp(&key(&by, two)), expected, "{one:?} {two:?} {descends}");
                }
            }
        }
    }
}

#[test]
fn several_values_are_compared_one_after_the_other() {
    let (first, second) = (SortKey::new(true, []), SortKey::new(false, []));
    let values = values();
    let few: Vec<&Scalar> = values.iter().step_by(3).collect();
    let pairs: Vec<(&Scalar, &Scalar)> =
        few.iter().flat_map(|one| few.iter().map(move |two| (*one, *two))).collect();
    let key = |(one, two): &(&Scalar, &Scalar)| [key(&first, one), key(&second, two)].concat();
    for one in &pairs {
        for two in &pairs {
            let order = expected(one.0, two.0, true).then(expected(one.1, two.1, false));
            assert_eq!(key(one).cmp(&key(two)), order, "{one:?} {two:?}");
        }
    }
}

#[test]
fn total_order_tells_all_floats_apart() {
    let ordered = [
        -f64::NAN,
        f64::NEG_INFINITY,
        f64::MIN,
        -1.5,
        -5e-324,
        -0.0,
        0.0,
        5e-324,
        f64::MIN_POSITIVE,
        1.5,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        f64::from_bits(f64::NAN.to_bits() + 1),
    ];
    let keys = ordered.map(|value| {
        let mut out = Vec::new();
        total_float(value, &mut out);
        out
    });
    assert!(keys.is_sorted_by(|one, two| one < two), "{keys:?}");
}
