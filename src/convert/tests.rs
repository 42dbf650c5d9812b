//! That joined shapes have all values of the shapes that they were made of, and that these stay what they are.

use super::*;
use crate::logical::Texts;
use crate::shape::join::tests::shape;
use crate::shape::join::{Rules, join};
use crate::shape::{EnumShape, Form, IpFamily, Logical};
use crate::vector::{Binaries, ListVector, MapVector, Offsets, RecordVector, Strings, UnionVector, Vector};
use proptest::prelude::*;

/// Numbers that differ from call to call.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }

    fn integer(&mut self) -> i64 {
        [0, 1, -1, 7, 1000, i64::from(i32::MAX)][self.below(6)]
    }

    fn offsets(&mut self, lists: usize, most: usize) -> Offsets {
        let mut offsets = Offsets::default();
        (0..lists).for_each(|_| assert!(offsets.push_length(self.below(most + 1) as u32)));
        offsets
    }
}

/// Values of a shape.
fn values(shape: &Shape, len: usize, numbers: &mut Numbers) -> Vector {
    match shape {
        Shape::Null | Shape::Unknown => Vector::Null(len),
        Shape::Boolean => Vector::Boolean((0..len).map(|_| numbers.below(2) == 1).collect()),
        Shape::Int => Vector::Int((0..len).map(|_| numbers.integer() as i32).collect()),
        Shape::Long => Vector::Long((0..len).map(|_| numbers.integer()).collect()),
        Shape::U64 => Vector::Long((0..len).map(|_| numbers.integer()).collect()),
        Shape::I128 | Shape::U128 => {
            let value = |numbers: &mut Numbers| u128::from(numbers.integer().unsigned_abs()).to_be_bytes();
            Vector::Bytes(
                Binaries::try_from_iter((0..len).map(|_| value(numbers)).collect::<Vec<_>>()).unwrap(),
            )
        }
        Shape::Float => Vector::Float((0..len).map(|_| numbers.integer() as f32 / 4.0).collect()),
        Shape::Double => Vector::Double((0..len).map(|_| numbers.integer() as f64 / 4.0).collect()),
        Shape::String => {
            let texts: Vec<&str> = (0..len).map(|_| ["", "a", "ä", "2000-01-01"][numbers.below(4)]).collect();
            Vector::String(Strings::try_from_iter(texts).unwrap())
        }
        Shape::Bytes => {
            let bytes: Vec<&[u8]> = (0..len).map(|_| [&b""[..], b"\xff", b"ab"][numbers.below(3)]).collect();
            Vector::Bytes(Binaries::try_from_iter(bytes).unwrap())
        }
        Shape::Fixed(fixed) => {
            Vector::Bytes(Binaries::try_from_iter(vec![vec![7; fixed.size]; len]).unwrap())
        }
        Shape::Enum(shape) => {
            Vector::Enum((0..len).map(|_| numbers.below(shape.symbols.len()) as i32).collect())
        }
        Shape::Logical(logical) => match Texts::from_shape(logical) {
            Some(texts) if texts.is_decimal() => {
                let mut values = Vector::new(shape);
                (0..len).for_each(|_| {
                    assert_eq!(
                        texts.push(["0.5", "-1", "7.5"][numbers.below(3)], &mut values),
                        crate::logical::Pushed::Yes
                    )
                });
                values
            }
            Some(texts @ Texts::Ip(form)) => {
                let mut values = Vector::new(shape);
                let all = match (form.family, form.is_network) {
                    (IpFamily::V4, false) => ["10.0.0.9", "0.0.0.0", "255.255.255.255"],
                    (IpFamily::V6, false) => ["::", "::ffff:10.0.0.9", "2001:db8::1"],
                    (IpFamily::Any, false) => ["10.0.0.9", "::ffff:10.0.0.9", "::"],
                    (IpFamily::V4, true) => ["10.0.0.0/8", "0.0.0.0/0", "10.0.0.9/32"],
                    (_, true) => ["::/0", "2001:db8::/32", "::1/128"],
                };
                (0..len).for_each(|_| {
                    assert_eq!(texts.push(all[numbers.below(3)], &mut values), crate::logical::Pushed::Yes);
                });
                values
            }
            _ => values(&logical.storage, len, numbers),
        },
        Shape::Record(record) => {
            let fields = record.fields.iter().map(|field| values(&field.shape, len, numbers)).collect();
            RecordVector::new(len, fields).into()
        }
        Shape::List(item) => {
            let offsets = numbers.offsets(len, 2);
            let item = values(item, offsets.total(), numbers);
            Vector::List(Box::new(ListVector::new(offsets, item)))
        }
        Shape::Optional(optional) => {
            let offsets = numbers.offsets(len, 1);
            let item = values(&optional.item, offsets.total(), numbers);
            Vector::Optional(Box::new(ListVector::new(offsets, item)))
        }
        Shape::Map(map) => {
            // A map of nulls says that its keys are not known.
            let most = if map.value == Shape::Null { 0 } else { 2 };
            let offsets = numbers.offsets(len, most);
            let (key, value) =
                (values(&map.key, offsets.total(), numbers), values(&map.value, offsets.total(), numbers));
            MapVector::new(offsets, key, value).into()
        }
        Shape::Union(variants) => {
            let tags: Vec<u16> = (0..len).map(|_| numbers.below(variants.len()) as u16).collect();
            let count = |tag: u16| tags.iter().filter(|own| **own == tag).count();
            let all = (0..).zip(variants).map(|(tag, variant)| values(variant, count(tag), numbers));
            let all = all.collect();
            UnionVector::new(tags, all).into()
        }
    }
}

/// What an entry means, whatever the shape that has it.
fn meaning(shape: &Shape, vector: &Vector, at: usize) -> String {
    let integer = |value: i128| format!("integer {value}");
    match (shape, vector) {
        (_, Vector::Null(_)) => "null".to_owned(),
        (Shape::Logical(logical), vector) => {
            let (mut texts, mut all) = (Vec::new(), Texts::from_shape(logical).unwrap().each(vector, |_| {}));
            all &=
                Texts::from_shape(logical).unwrap().each(vector, |text| texts.push(text.map(str::to_owned)));
            assert!(all);
            format!("{:?}", texts[at].as_deref().unwrap_or("no text"))
        }
        (_, Vector::Boolean(values)) => values[at].to_string(),
        (_, Vector::Int(values)) => integer(values[at].into()),
        (Shape::U64, Vector::Long(values)) => integer(values[at].cast_unsigned().into()),
        (_, Vector::Long(values)) => integer(values[at].into()),
        (Shape::U128, Vector::Bytes(values)) => {
            format!("unsigned {}", u128::from_be_bytes(values.get(at).unwrap().try_into().unwrap()))
        }
        (Shape::I128, Vector::Bytes(values)) => {
            integer(i128::from_be_bytes(values.get(at).unwrap().try_into().unwrap()))
        }
        (_, Vector::Float(values)) => format!("float {}", f64::from(values[at])),
        (_, Vector::Double(values)) => format!("float {}", values[at]),
        (_, Vector::String(values)) => format!("{:?}", values.get(at).unwrap()),
        (_, Vector::Bytes(values)) => format!("bytes {:?}", values.get(at).unwrap()),
        (Shape::Enum(EnumShape { symbols, .. }), Vector::Enum(values)) => {
            format!("symbol {}", symbols[values[at] as usize])
        }
        (Shape::Record(record), Vector::Record(vector)) => {
            let mut fields = Vec::new();
            for (field, vector) in record.fields.iter().zip(&vector.fields) {
                let meaning = meaning(&field.shape, vector, at);
                (meaning != "absent").then(|| fields.push(format!("{}: {meaning}", field.name)));
            }
            fields.sort();
            let name = if record.form.is_variant() { &*record.name } else { "" };
            // A map without entries looks the same.
            match (record.form, fields.is_empty()) {
                (Form::Struct, true) => "{}".to_owned(),
                (form, _) => format!("{form:?} {name}{{{}}}", fields.join(", ")),
            }
        }
        (Shape::List(item), Vector::List(list)) => {
            let items = list.offsets.range(at).unwrap().map(|at| meaning(item, &list.item, at));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        (Shape::Map(map), Vector::Map(vector)) => {
            let entry = |at| {
                format!(
                    "{} => {}",
                    meaning(&map.key, &vector.key, at),
                    meaning(&map.value, &vector.value, at)
                )
            };
            format!("{{{}}}", vector.offsets.range(at).unwrap().map(entry).collect::<Vec<_>>().join(", "))
        }
        (Shape::Optional(optional), Vector::Optional(list)) => {
            let range = list.offsets.range(at).unwrap();
            match (optional.null, range.is_empty()) {
                (Null::Absent, true) => "absent".to_owned(),
                (_, true) => "null".to_owned(),
                (Null::Absent, false) => meaning(&optional.item, &list.item, range.start),
                (_, false) if matches!(optional.item, Shape::Optional(_) | Shape::Null) => {
                    format!("some {}", meaning(&optional.item, &list.item, range.start))
                }
                (_, false) => meaning(&optional.item, &list.item, range.start),
            }
        }
        (Shape::Union(variants), Vector::Union(union)) => {
            let tag = usize::from(union.tags[at]);
            meaning(&variants[tag], &union.variants[tag], union.positions[at] as usize)
        }
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn values_stay_what_they_are(shapes in prop::collection::vec(shape(), 1..5), seed: u64) {
        let joined = shapes.iter().cloned().reduce(|one, two| join(&one, &two, Rules::ROWS)).unwrap();
        for shape in &shapes {
            let conversion = Conversion::between(shape, &joined);
            let conversion = conversion.unwrap_or_else(|| panic!("{joined}\nhas not all of\n{shape}"));
            let own = values(shape, 6, &mut Numbers(seed));
            let converted = conversion.apply(own.clone()).unwrap();
            prop_assert_eq!(converted.len(), 6);
            converted.check(&joined).unwrap();
            for at in 0..6 {
                prop_assert_eq!(
                    meaning(&joined, &converted, at), meaning(shape, &own, at), "{} from {}", joined, shape
                );
            }
        }
    }
}

#[test]
fn shapes_without_values_of_another_do_not_have_them() {
    let row = |fields: &[(&'static str, Shape)]| Shape::record("R", fields.to_vec());
    for (from, to) in [
        (Shape::Long, Shape::Int),
        (Shape::String, Shape::Int),
        (Shape::optional(Shape::Int), Shape::Int),
        (row(&[("a", Shape::Int)]), row(&[("b", Shape::Int)])),
        (row(&[("a", Shape::Int)]), row(&[("a", Shape::Int), ("b", Shape::Int)])),
        (Shape::Union(vec![Shape::Int, Shape::String]), Shape::Union(vec![Shape::Int, Shape::Boolean])),
        (Shape::list(Shape::String), Shape::list(Shape::Bytes).clone()),
    ] {
        let found = Conversion::between(&from, &to);
        assert_eq!(found.is_some(), to == Shape::list(Shape::Bytes) || from == Shape::Long, "{from} as {to}");
    }
}

#[test]
fn values_without_a_place_are_errors() {
    let apply = |from: &Shape, to: &Shape, vector: Vector| {
        let conversion = Conversion::between(from, to).unwrap();
        conversion.apply(vector).map_err(|error| error.to_string())
    };
    let logical = |logical: Logical| {
        let storage = logical.storage().unwrap();
        Shape::logical(logical, storage).unwrap()
    };
    let nanos = apply(
        &logical(Logical::TimestampMillis),
        &logical(Logical::TimestampNanos),
        Vector::Long(vec![1, i64::MAX]),
    );
    assert_eq!(
        nanos.unwrap_err(),
        "timestamp-millis 9223372036854775807 does not fit the given shape timestamp-nanos"
    );
    let double = apply(&Shape::Long, &Shape::Double, Vector::Long(vec![1 << 53, (1 << 53) + 1]));
    assert_eq!(double.unwrap_err(), "9007199254740993 does not fit the given shape double");
    let unsigned = apply(&Shape::Long, &Shape::U64, Vector::Long(vec![3, -3]));
    assert_eq!(unsigned.unwrap_err(), "-3 does not fit the given shape u64");
}
