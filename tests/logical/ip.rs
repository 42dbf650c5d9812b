//! IP addresses and networks: as `std::net` has them, found in strings, joined, compared.

use super::detect::{formats, logical_at};
use super::{Row, file, rows};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use trevni::merge::Merge;
use trevni::shape::{IpFamily, Logical};
use trevni::{Dataset, LogicalDetector, Reader, Shape, Writer, col};

const V4: Logical = Logical::IpAddress(IpFamily::V4);
const V6: Logical = Logical::IpAddress(IpFamily::V6);
const ANY: Logical = Logical::IpAddress(IpFamily::Any);
const NETWORK_V4: Logical = Logical::IpNetwork(IpFamily::V4);
const NETWORK_V6: Logical = Logical::IpNetwork(IpFamily::V6);
const NETWORK: Logical = Logical::IpNetwork(IpFamily::Any);

fn of(logical: Logical, values: &[impl Serialize + Clone]) -> Vec<u8> {
    file(Writer::builder().logical("v", logical), &rows(values))
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Vec<T> {
    trevni::from_slice::<Vec<Row<T>>>(bytes).unwrap().into_iter().map(|row| row.v).collect()
}

fn found(bytes: &[u8]) -> Option<Logical> {
    logical_at(Reader::from_slice(bytes).unwrap().shape(), &["v"])
}

fn detect(texts: &[&str]) -> Option<Logical> {
    let mut detector = LogicalDetector::new();
    texts.iter().all(|text| detector.push(text));
    detector.logical()
}

/// Values come back from all formats, and so do their strings.
#[track_caller]
fn come_back<T: Serialize + DeserializeOwned + Clone + PartialEq + Debug + ToString>(
    logical: &Logical,
    values: &[T],
) {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    for builder in formats() {
        let bytes = file(builder.clone().logical("v", logical.clone()), &rows(values));
        assert_eq!(found(&bytes).as_ref(), Some(logical));
        assert_eq!(read::<T>(&bytes), values);
        assert_eq!(read::<String>(&bytes), texts);
        let bytes = file(builder.detect_logical(), &rows(values));
        assert!(found(&bytes).is_some());
        assert_eq!(read::<T>(&bytes), values);
    }
}

/// Addresses near the ends of families, and those that have a form of their own.
fn v6() -> impl Strategy<Value = Ipv6Addr> {
    let mapped = any::<Ipv4Addr>().prop_map(|address| address.to_ipv6_mapped());
    let sparse =
        (any::<u128>(), any::<u128>(), any::<u128>()).prop_map(|(a, b, c)| Ipv6Addr::from(a & b & c));
    let groups = any::<[bool; 8]>().prop_map(|ones| Ipv6Addr::from(ones.map(u16::from)));
    let small = any::<u32>().prop_map(|number| Ipv6Addr::from(u128::from(number)));
    prop_oneof![any::<Ipv6Addr>(), mapped, sparse, groups, small, Just(Ipv6Addr::UNSPECIFIED)]
}

fn ip() -> impl Strategy<Value = IpAddr> {
    prop_oneof![any::<Ipv4Addr>().prop_map(IpAddr::V4), v6().prop_map(IpAddr::V6)]
}

fn network() -> impl Strategy<Value = (IpAddr, u8)> {
    (ip(), any::<u8>())
        .prop_map(|(address, prefix)| (address, prefix % if address.is_ipv4() { 33 } else { 129 }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn v4_addresses_come_back(values in prop::collection::vec(any::<Ipv4Addr>(), 1..20)) {
        come_back(&V4, &values);
        let numbers: Vec<u32> = values.iter().map(|value| u32::from(*value)).collect();
        prop_assert_eq!(read::<u32>(&of(V4, &values)), numbers);
    }

    #[test]
    fn v6_addresses_come_back(values in prop::collection::vec(v6(), 1..20)) {
        come_back(&V6, &values);
        let numbers: Vec<u128> = values.iter().map(|value| u128::from(*value)).collect();
        prop_assert_eq!(read::<u128>(&of(V6, &values)), numbers);
    }

    #[test]
    fn addresses_of_any_family_come_back(values in prop::collection::vec(ip(), 1..20)) {
        come_back(&ANY, &values);
    }

    #[test]
    fn networks_come_back(values in prop::collection::vec(network(), 1..20)) {
        let texts: Vec<String> = values.iter().map(|(address, prefix)| format!("{address}/{prefix}")).collect();
        come_back(&NETWORK, &texts);
        for (logical, is_own) in [(NETWORK_V4, IpAddr::is_ipv4 as fn(&IpAddr) -> bool), (NETWORK_V6, IpAddr::is_ipv6)] {
            let own: Vec<String> = values.iter().zip(&texts).filter(|((ip, _), _)| is_own(ip)).map(|(_, text)| text.clone()).collect();
            if !own.is_empty() {
                come_back(&logical, &own);
            }
        }
    }

    #[test]
    fn bytes_have_the_order_of_addresses(values in prop::collection::vec(network(), 1..20)) {
        let mut by_value = values.clone();
        by_value.sort();
        let texts: Vec<String> = values.iter().map(|(address, prefix)| format!("{address}/{prefix}")).collect();
        let bytes = of(NETWORK, &texts);
        let mut stored: Vec<(Vec<u8>, &String)> = read::<Vec<u8>>(&bytes).into_iter().zip(&texts).collect();
        stored.sort();
        let expected: Vec<String> = by_value.iter().map(|(address, prefix)| format!("{address}/{prefix}")).collect();
        prop_assert_eq!(stored.into_iter().map(|(_, text)| text.clone()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn comparisons_are_those_of_addresses(values in prop::collection::vec(ip(), 1..40), literal in ip(), own in any::<bool>()) {
        let literal = if own { values[0] } else { literal };
        let text = literal.to_string();
        let count = |holds: fn(&IpAddr, &IpAddr) -> bool| values.iter().filter(|ip| holds(ip, &literal)).count() as u64;
        let parts: Vec<Vec<u8>> = values.chunks(5).map(|part| {
            // Each part has the type that it needs.
            file(Writer::builder().detect_logical().block_size(64), &rows(part))
        }).collect();
        let whole = file(Writer::builder().logical("v", ANY).block_size(64), &rows(&values));
        let dataset = Dataset::from_readers(parts.iter().map(|part| Reader::from_slice(part).unwrap()).collect()).unwrap();
        for (predicate, expected) in [
            (col("v").lt(&text), count(|a, b| a < b)),
            (col("v").le(&text), count(|a, b| a <= b)),
            (col("v").gt(&text), count(|a, b| a > b)),
            (col("v").ge(&text), count(|a, b| a >= b)),
            (col("v").eq(&text), count(|a, b| a == b)),
            (col("v").ne(&text), count(|a, b| a != b)),
        ] {
            let one = Reader::from_slice(&whole).unwrap().filter(predicate.clone()).unwrap();
            prop_assert_eq!(one.matching().unwrap().row_count(), expected, "{}", &predicate);
            let all = dataset.filter(predicate.clone()).unwrap();
            prop_assert_eq!(all.matching().unwrap().row_count(), expected, "{}", &predicate);
        }
        let read: Vec<IpAddr> = dataset.rows::<Row<IpAddr>>().unwrap().map(|row| row.unwrap().v).collect();
        prop_assert_eq!(read, values);
    }
}

#[test]
fn ends_and_special_forms_come_back() {
    come_back(&V4, &["0.0.0.0", "255.255.255.255", "1.2.3.4"].map(str::to_owned));
    come_back(
        &V6,
        &["::", "::1", "::ffff:1.2.3.4", "::102:304", "1::", "fe80::1", "1:2:3:4:5:6:7:8"].map(str::to_owned),
    );
    come_back(&NETWORK_V4, &["0.0.0.0/0", "10.0.0.0/8", "10.0.0.1/8", "10.0.0.1/32"].map(str::to_owned));
    come_back(&NETWORK_V6, &["::/0", "2001:db8::/32", "::ffff:1.2.3.4/128"].map(str::to_owned));
}

#[test]
fn what_is_stored() {
    assert_eq!(read::<[u8; 4]>(&of(V4, &["10.0.0.9"])), [[10, 0, 0, 9]]);
    assert_eq!(read::<[u8; 16]>(&of(V6, &["::1"]))[0][15], 1);
    let any = read::<Vec<u8>>(&of(ANY, &["10.0.0.9", "::1"]));
    assert_eq!(any[0], [4, 10, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(any[1], [6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(read::<Vec<u8>>(&of(NETWORK_V4, &["10.0.0.0/8"])), [[10, 0, 0, 0, 8]]);
    assert_eq!(read::<serde_json::Value>(&of(ANY, &["::1"])), ["::1"]);
    // An address of any family is no number.
    assert!(trevni::from_slice::<Vec<Row<u128>>>(&of(ANY, &["::1"])).is_err());
}

#[test]
fn other_strings_of_a_value_are_read_and_those_of_no_value_refused() {
    assert_eq!(read::<String>(&of(V6, &["2001:DB8:0:0::1"])), ["2001:db8::1"]);
    for (logical, text) in [
        (V4, "10.0.0.01"),
        (V4, "10.0.0"),
        (V4, "256.0.0.1"),
        (V4, "10.0.0.1 "),
        (V4, "::1"),
        (V4, "10.0.0.0/8"),
        (V6, "10.0.0.1"),
        (V6, "fe80::1%eth0"),
        (ANY, ""),
        (NETWORK_V4, "10.0.0.0"),
        (NETWORK_V4, "10.0.0.0/33"),
        (NETWORK_V4, "10.0.0.0/08"),
        (NETWORK_V4, "10.0.0.0/+8"),
        (NETWORK_V4, "10.0.0.0/"),
        (NETWORK_V4, "10.0.0.0/8/8"),
        (NETWORK, "::/129"),
        (NETWORK, "::/256"),
    ] {
        let mut writer = Writer::builder().logical("v", logical.clone()).build(Vec::new()).unwrap();
        let error = writer.write(&Row { v: text }).unwrap_err().to_string();
        assert!(error.contains(logical.name()), "{error}");
    }
}

#[test]
fn types_are_found() {
    for (texts, expected) in [
        (&["10.0.0.1", "255.0.0.1"][..], Some(V4)),
        (&["1.2.3.4"], Some(V4)),
        (&["::1", "::", "1:2:3:4:5:6:7:8", "abcd::"], Some(V6)),
        (&["::ffff:1.2.3.4"], Some(V6)),
        (&["12:34:56::"], Some(V6)),
        (&["::1", "10.0.0.1"], Some(ANY)),
        (&["10.0.0.1", "::1"], Some(ANY)),
        (&["10.0.0.0/8"], Some(NETWORK_V4)),
        (&["10.0.0.0/8", "10.0.0.1/8"], Some(NETWORK_V4)),
        (&["2001:db8::/32"], Some(NETWORK_V6)),
        (&["::/0", "0.0.0.0/0"], Some(NETWORK)),
        (&["10.0.0.1", "10.0.0.0/8"], None),
        (&["10.0.0.0/8", "10.0.0.1"], None),
        (&["10.0.0.1", "1.5"], None),
        (&["1.5", "10.0.0.1"], None),
        (&["1.5"], Some(Logical::Decimal { precision: 2, scale: 1 })),
        (&["12:34:56"], Some(Logical::TimeMillis)),
        (&["12:34:56", "::1"], None),
        (&["10.0.0.1", ""], None),
        (&["10.0.0.01"], None),
        (&["1.2.3"], None),
        (&["1.2.3.4.5"], None),
        (&["1.2.3.4-rc1"], None),
        (&["v1.2.3.4"], None),
        (&["2001:DB8::1"], None),
        (&["2001:0db8::1"], None),
        (&["1::0:0"], None),
        (&["00:1a:2b:3c:4d:5e"], None),
        (&["https://a.b/"], None),
        (&["10.0.0.0/08"], None),
        (&["10.0.0.0/33"], None),
        (&["10.0.0.0-10.0.0.9"], None),
    ] {
        assert_eq!(detect(texts), expected, "{texts:?}");
        let backwards: Vec<&str> = texts.iter().rev().copied().collect();
        assert_eq!(detect(&backwards), expected, "{backwards:?}");
    }
}

#[test]
fn another_family_later_makes_the_column_one_of_any() {
    for builder in [Writer::builder(), Writer::builder().dialect(trevni::Dialect::Levels)] {
        let texts: Vec<String> = (0..100).map(|n| format!("10.0.0.{n}")).chain(["::1".to_owned()]).collect();
        let builder = builder.detect_logical().batch_rows(10).block_size(50);
        let bytes = file(builder.clone(), &rows(&texts));
        assert_eq!(found(&bytes), Some(ANY));
        assert_eq!(read::<String>(&bytes), texts);
        let texts: Vec<String> = texts.into_iter().chain(["10.0.0.0/8".to_owned()]).collect();
        let bytes = file(builder, &rows(&texts));
        assert_eq!(found(&bytes), None);
        assert_eq!(read::<String>(&bytes), texts);
    }
}

#[test]
fn files_of_two_families_are_merged() {
    for (one, two, expected) in [
        (&["10.0.0.9", "9.255.0.1"][..], &["::1"][..], Some(ANY)),
        (&["::1"], &["10.0.0.9", "::ffff:1.2.3.4"], Some(ANY)),
        (&["10.0.0.0/8"], &["::/0"], Some(NETWORK)),
        (&["10.0.0.0/8"], &["10.0.0.0"], None),
    ] {
        let files = [one, two].map(|texts| file(Writer::builder().detect_logical(), &rows(texts)));
        let readers = files.each_ref().map(|bytes| Reader::from_slice(bytes).unwrap());
        let mut merged = Vec::new();
        Merge::new().write(&readers, &mut merged).unwrap();
        assert_eq!(found(&merged), expected);
        assert_eq!(read::<String>(&merged), [one, two].concat());
        let dataset = Dataset::from_readers(readers.to_vec()).unwrap();
        assert_eq!(logical_at(dataset.shape(), &["v"]), expected);
        let found: Vec<String> = dataset.rows::<Row<String>>().unwrap().map(|row| row.unwrap().v).collect();
        assert_eq!(found, [one, two].concat());
    }
}

#[test]
fn addresses_are_compared_not_their_strings() {
    let bytes = of(V4, &["9.255.0.1", "10.0.0.9", "10.0.0.10"]);
    let matching = |predicate| {
        let reader = Reader::from_slice(&bytes).unwrap().filter(predicate).unwrap();
        reader.rows::<Row<String>>().unwrap().map(|row| row.unwrap().v).collect::<Vec<_>>()
    };
    assert_eq!(matching(col("v").ge("10.0.0.9")), ["10.0.0.9", "10.0.0.10"]);
    assert_eq!(matching(col("v").between("10.0.0.0", "10.255.255.255")), ["10.0.0.9", "10.0.0.10"]);
    assert_eq!(matching(col("v").is_in(["10.0.0.9", "::1"])), ["10.0.0.9"]);
    // All v4 addresses come before all v6 addresses.
    assert_eq!(matching(col("v").lt("::")).len(), 3);
    assert!(matching(col("v").ge("::")).is_empty());
    let v6 = of(V6, &["::"]);
    let reader = Reader::from_slice(&v6).unwrap();
    assert_eq!(reader.filter(col("v").gt("255.255.255.255")).unwrap().matching().unwrap().row_count(), 1);
    assert_eq!(reader.filter(col("v").le("255.255.255.255")).unwrap().matching().unwrap().row_count(), 0);
    for no in
        [col("v").ge("10.0.0"), col("v").eq("10.0.0.0/8"), col("v").starts_with("10.0.0.1"), col("v").eq(1)]
    {
        assert!(Reader::from_slice(&bytes).unwrap().filter(no).is_err());
    }
}

#[test]
fn zone_maps_skip_blocks() {
    let addresses: Vec<Ipv4Addr> = (0..10_000_u32).map(|n| Ipv4Addr::from(n * 65_537)).collect();
    let bytes = file(Writer::builder().block_size(1000).logical("v", V4), &rows(&addresses));
    let reader = Reader::from_slice(&bytes).unwrap().filter(col("v").lt("0.2.0.0")).unwrap();
    assert_eq!(reader.matching().unwrap().row_count(), 2);
    let explained = reader.explain().unwrap().to_string();
    assert_ne!(explained, Reader::from_slice(&bytes).unwrap().explain().unwrap().to_string());
}

/// A file of any bytes, whose schema says that they are of a type.
fn hostile(logical: Logical, values: &[Vec<u8>]) -> Vec<u8> {
    let v = Shape::logical(logical.clone(), logical.storage().unwrap()).unwrap();
    let shape = Shape::record("R", [("v", v)]);
    let values: Vec<_> = values.iter().map(|bytes| serde_bytes::ByteBuf::from(bytes.clone())).collect();
    file(Writer::builder().shape(&shape), &rows(&values))
}

#[test]
fn bytes_of_no_address_have_no_string() {
    let mut padded = vec![0; 17];
    padded[0] = 4;
    padded[16] = 1;
    let network = |family: u8, prefix: u8| [vec![family], vec![0; 16], vec![prefix]].concat();
    for (logical, bytes) in [
        (ANY, vec![0; 17]),
        (ANY, [vec![5], vec![0; 16]].concat()),
        (ANY, padded),
        (NETWORK_V4, vec![10, 0, 0, 0, 33]),
        (NETWORK_V6, [vec![0; 16], vec![129]].concat()),
        (NETWORK, network(4, 33)),
        (NETWORK, network(6, 129)),
        (NETWORK, network(9, 0)),
    ] {
        let file = hostile(logical.clone(), std::slice::from_ref(&bytes));
        let error = trevni::from_slice::<Vec<Row<String>>>(&file).unwrap_err().to_string();
        assert!(error.contains('v'), "{error}");
        assert!(trevni::from_slice::<Vec<Row<IpAddr>>>(&file).is_err());
        assert_eq!(read::<Vec<u8>>(&file), [bytes]);
        assert!(Reader::from_slice(&file).unwrap().column::<String>("v").is_err());
        let reader = Reader::from_slice(&file).unwrap();
        let literal = if matches!(logical, Logical::IpAddress(_)) { "10.0.0.1" } else { "10.0.0.0/8" };
        assert_eq!(reader.filter(col("v").eq(literal)).unwrap().matching().unwrap().row_count(), 0);
    }
}

#[test]
fn bytes_of_no_network_are_kept_beside_another_family() {
    let files = [hostile(NETWORK_V4, &[vec![10, 0, 0, 0, 33]]), hostile(NETWORK_V6, &[vec![0; 17]])];
    let readers = files.each_ref().map(|bytes| Reader::from_slice(bytes).unwrap());
    let mut merged = Vec::new();
    Merge::new().write(&readers, &mut merged).unwrap();
    assert_eq!(found(&merged), Some(NETWORK));
    assert_eq!(read::<Vec<u8>>(&merged)[0], [4, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 33]);
    assert_eq!(read::<Vec<u8>>(&merged)[1], [vec![6], vec![0; 17]].concat());
}

#[test]
fn schemas_have_the_types() {
    for logical in [V4, V6, ANY, NETWORK_V4, NETWORK_V6, NETWORK] {
        let shape = Shape::logical(logical.clone(), logical.storage().unwrap()).unwrap();
        assert!(shape.to_avro().contains(logical.name()));
        assert_eq!(Shape::from_avro(&shape.to_avro()).unwrap(), shape);
        assert!(
            Shape::logical(Logical::Other(logical.name().to_owned().into()), shape.storage().clone())
                .is_err()
        );
        assert!(Shape::logical(logical, Shape::String).is_err());
    }
    // Of another size, it is what is stored.
    let other = r#"{"type":"fixed","name":"ip","size":5,"logicalType":"ipv4-address"}"#;
    assert!(matches!(Shape::from_avro(other).unwrap(), Shape::Fixed(_)));
}
