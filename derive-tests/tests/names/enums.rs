//! Variants that are named like their enum or like another type.

use derive_tests::assert_reads;
use serde::{Deserialize, Serialize};

use crate::{assert_any_order, assert_any_order_reads};

#[test]
fn an_error_with_a_variant_error() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Error {
        NotFound,
        Io(i32),
        Error(String),
    }
    assert_any_order(&[Error::NotFound, Error::Io(3), Error::Error("no".into())]);
    assert_any_order(&[Error::NotFound, Error::Io(3)]);
}

#[test]
fn a_kind_with_a_variant_kind() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Kind {
        A,
        B,
        Kind(char),
    }
    assert_any_order(&[Kind::A, Kind::B, Kind::Kind('k')]);
    assert_any_order(&[vec![Kind::A], vec![], vec![Kind::Kind('k'), Kind::B]]);
}

#[test]
fn a_unit_variant_named_like_its_enum_beside_data() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum E1 {
        E1,
        Data(i32),
    }
    assert_any_order(&[E1::E1, E1::Data(1)]);
    assert_any_order(&[Some(E1::E1), None, Some(E1::Data(1))]);
}

#[test]
fn each_kind_of_variant_named_like_its_enum() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Tuple {
        Tuple(i32, i32),
        Other,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Struct {
        Struct { a: i32 },
        Other,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Empty {
        Empty(),
        Other,
    }
    assert_any_order(&[Tuple::Tuple(1, 2), Tuple::Other]);
    assert_any_order(&[Struct::Struct { a: 1 }, Struct::Other]);
    assert_any_order(&[Empty::Empty(), Empty::Other]);
}

#[test]
fn an_optional_status_is_read_as_a_status() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Status {
        Active,
        Status(u8),
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Plain {
        Plain,
        Idle,
    }
    let statuses = [Status::Active, Status::Status(7), Status::Active];
    assert_any_order_reads(&statuses.clone().map(Some), &statuses);
    assert_any_order_reads(&statuses, &statuses.clone().map(Some));
    let plain = [Plain::Idle, Plain::Plain];
    assert_any_order_reads(&plain.clone().map(Some), &plain);
    assert_any_order_reads(&plain, &plain.clone().map(Some));
}

#[test]
fn variants_named_like_the_types_of_avro_are_read_from_json() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Type {
        Null,
        String(String),
        Int(i64),
        Bool,
    }
    let json: Vec<serde_json::Value> =
        serde_json::from_str(r#"["null", {"string":"x"}, "bool", {"int":3}]"#).unwrap();
    let types = [Type::Null, Type::String("x".into()), Type::Bool, Type::Int(3)];
    assert_any_order_reads(&json, &types);
    assert_any_order(&types);
    let optional: Vec<Option<Type>> = types.iter().cloned().map(Some).chain([None]).collect();
    assert_any_order(&optional);
    assert_reads(&optional[..4], &types);
}

#[test]
fn an_enum_without_a_name_is_written() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "")]
    enum First {
        A(i32),
        B { b: bool },
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "")]
    enum Second {
        A(String),
    }
    assert_any_order(&[(First::A(1), Second::A("a".into())), (First::B { b: true }, Second::A("b".into()))]);
}

/// The shape of a file, given to another writer, has the enum as one branch and the variant as another.
#[test]
fn a_variant_named_like_its_enum_under_a_given_shape() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Kind {
        A,
        Kind(String),
        B,
    }
    let rows = [Kind::A, Kind::Kind("A".into()), Kind::B, Kind::Kind("Kind".into())];
    let bytes = trevni::to_vec(&rows).unwrap();
    let shape = trevni::Reader::from_slice(&bytes).unwrap().shape().clone();
    let mut writer = trevni::Writer::builder().shape(&shape).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Kind>>(&writer.finish().unwrap()).unwrap(), rows);
}
