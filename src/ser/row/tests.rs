//! The fast path gives what the slow path gives.

use super::{Backoff, Next, Shredder};
use crate::error::Result;
use crate::shape::Shape;
use proptest::collection::{btree_map, vec};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use serde::ser::{
    Error as _, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleStruct,
    SerializeTupleVariant,
};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Pushes a row on the slow path, or what is left to do after the fast one; any shape will do.
fn push_slow<T: Serialize>(rows: &mut Shredder, row: &T, fresh: bool) -> Result<()> {
    loop {
        match rows.push_slow(&|slow| row.serialize(slow), fresh, &|_| Ok(()))? {
            Next::Row => return Ok(()),
            Next::Again => assert!(!rows.push_fast(row)),
        }
    }
}

/// One of several kinds, mostly the first.
#[derive(Clone, Debug)]
enum Loose {
    Int(i32),
    Long(i64),
    Unsigned(u64),
    Text(String),
    None,
    Some(f32),
    Double(f64),
    List(Vec<i32>),
    Unit,
    /// What cannot be written.
    Bad,
    /// A struct that goes on after a field that cannot be written or does not fit, with another.
    Stubborn(Box<Loose>, i32),
}

impl Serialize for Loose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(value) => serializer.serialize_i32(*value),
            Self::Long(value) => serializer.serialize_i64(*value),
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::None => serializer.serialize_none(),
            Self::Some(value) => serializer.serialize_some(value),
            Self::Double(value) => serializer.serialize_f64(*value),
            Self::List(values) => values.serialize(serializer),
            Self::Unit => serializer.serialize_unit(),
            Self::Bad => Err(S::Error::custom("bad")),
            Self::Stubborn(first, second) => {
                let mut fields = serializer.serialize_struct("Stubborn", 1)?;
                if fields.serialize_field("value", first).is_err() {
                    fields.serialize_field("value", second)?;
                }
                fields.end()
            }
        }
    }
}

#[derive(Clone, Debug, Serialize)]
enum Choice {
    One,
    Two,
    New(Loose),
    Tuple(u8, Vec<Loose>),
    Struct { a: Option<i64>, b: Loose },
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    id: u64,
    loose: Loose,
    maybe: Option<Option<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lists: Vec<Vec<Loose>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    map: BTreeMap<String, Loose>,
    choices: Vec<Choice>,
    tuple: (char, Loose, [i16; 2]),
    long: [u8; 17],
    wide: (i128, u128),
    unit: (),
}

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A struct that names some of its fields, in any order, and skips others; its length may be wrong.
#[derive(Clone, Debug)]
struct Unordered {
    len: usize,
    fields: Vec<(usize, Option<Loose>)>,
}

impl Serialize for Unordered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Unordered", self.len)?;
        for (at, value) in &self.fields {
            match value {
                Some(value) => fields.serialize_field(NAMES[*at], value)?,
                None => fields.skip_field(NAMES[*at])?,
            }
        }
        fields.end()
    }
}

fn unordered() -> impl Strategy<Value = Unordered> {
    let orders = prop_oneof![
        20 => Just(vec![0, 1, 2, 3, 4]),
        2 => Just(vec![0, 1, 2, 3, 4]).prop_shuffle(),
        1 => vec(0..NAMES.len(), 0..6),
    ];
    let values = vec(prop_oneof![3 => loose().prop_map(Some), 1 => Just(None)], 6);
    let wrong = prop_oneof![30 => Just(0), 1 => 1..3_usize];
    (orders, values, wrong).prop_map(|(order, values, wrong)| {
        let mut fields: Vec<_> = order.into_iter().zip(values).collect();
        // What is skipped does not come.
        let skipped: Vec<_> = fields.iter().filter(|(_, value)| value.is_none()).map(|(at, _)| *at).collect();
        fields.retain(|(at, value)| value.is_none() || !skipped.contains(at));
        let present = fields.iter().filter(|(_, value)| value.is_some()).count();
        Unordered { len: present + wrong, fields }
    })
}

fn loose() -> impl Strategy<Value = Loose> {
    let rare = prop_oneof![
        any::<i64>().prop_map(Loose::Long),
        any::<u64>().prop_map(Loose::Unsigned),
        "[a-c]{0,3}".prop_map(Loose::Text),
        Just(Loose::None),
        any::<i16>().prop_map(|value| Loose::Some(f32::from(value))),
        any::<i16>().prop_map(|value| Loose::Double(f64::from(value))),
        vec(any::<i32>(), 0..3).prop_map(Loose::List),
        Just(Loose::Unit),
        Just(Loose::Bad),
        Just(Loose::Stubborn(Box::new(Loose::Bad), 1)),
        any::<i32>().prop_map(|value| Loose::Stubborn(Box::new(Loose::Int(value)), 1)),
        Just(Loose::Stubborn(Box::new(Loose::Text("x".to_owned())), 1)),
    ];
    prop_oneof![200 => any::<i32>().prop_map(Loose::Int), 1 => rare]
}

fn choice() -> impl Strategy<Value = Choice> {
    prop_oneof![
        Just(Choice::One),
        Just(Choice::Two),
        loose().prop_map(Choice::New),
        (any::<u8>(), vec(loose(), 0..3)).prop_map(|(a, b)| Choice::Tuple(a, b)),
        (any::<Option<i64>>(), loose()).prop_map(|(a, b)| Choice::Struct { a, b }),
    ]
}

fn row() -> impl Strategy<Value = Row> {
    let id = prop_oneof![20 => any::<u64>().prop_map(|id| id / 2), 1 => any::<u64>()];
    let skipped = prop_oneof![9 => Just(Some("text".to_owned())), 1 => Just(None)];
    let simple = (id, loose(), any::<Option<Option<bool>>>(), skipped, any::<[u8; 17]>());
    let many = (vec(vec(loose(), 0..3), 0..3), btree_map("[a-c]", loose(), 0..3), vec(choice(), 0..3));
    let tuples = ((any::<char>(), loose(), any::<[i16; 2]>()), any::<(i128, u128)>());
    (simple, many, tuples).prop_map(
        |((id, loose, maybe, skipped, long), (lists, map, choices), (tuple, wide))| Row {
            id,
            loose,
            maybe,
            skipped,
            lists,
            map,
            choices,
            tuple,
            long,
            wide,
            unit: (),
        },
    )
}

/// Writes rows by a shredder, and by one that takes the slow path only.
fn assert_same(shape: &Shape, grow: bool, rows: &[impl Serialize], batch: usize) {
    let mut both = Shredder::new(shape.clone(), grow);
    let mut slow = Shredder::new(shape.clone(), grow);
    slow.backoff.left = usize::MAX;
    for (number, row) in rows.iter().enumerate() {
        let fresh = number < batch;
        let pushed = if both.push_fast(row) { Ok(()) } else { push_slow(&mut both, row, fresh) };
        assert!(!slow.push_fast(row));
        let expected = push_slow(&mut slow, row, fresh);
        let (error, expected) = (pushed.err(), expected.err());
        let texts = [&error, &expected].map(|error| error.as_ref().map(ToString::to_string));
        // A value that is recorded is no error yet, so its `Serialize` does not go on after one. Of several fields that do
        // not fit, another may be the first.
        let says = |what| texts.iter().flatten().any(|text| text.contains(what));
        if grow && !says("went on after an error") && !says("duplicate field") {
            assert_eq!(texts[0], texts[1]);
        }
        assert_eq!(error.is_some(), expected.is_some(), "{texts:?}");
        // A row that is refused may leave a wider shape, of what it showed before its error: other fields, where several do not fit.
        if error.is_some() && both.shape() != slow.shape() {
            return;
        }
        assert_eq!((both.len(), both.size()), (slow.len(), slow.size()));
        assert_eq!(both.shape(), slow.shape());
        if (number + 1).is_multiple_of(batch) || number + 1 == rows.len() {
            assert_eq!(both.parts(), slow.parts());
            both.clear();
            slow.clear();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rows_are_the_same_either_way(rows in vec(row(), 0..60), batch in 1_usize..80) {
        assert_same(&Shape::Unknown, true, &rows, batch);
    }

    #[test]
    fn any_rows_of_a_given_shape_are_the_same_either_way(rows in vec(row(), 1..60), batch in 1_usize..80) {
        let mut first = Shredder::new(Shape::Unknown, true);
        for row in &rows[..rows.len() / 2] {
            let _ = push_slow(&mut first, row, true);
        }
        assert_same(&first.into_shape().settled(), false, &rows, batch);
    }

    #[test]
    fn loose_values_are_the_same_either_way(rows in vec(loose(), 0..300), batch in 1_usize..80) {
        assert_same(&Shape::Unknown, true, &rows, batch);
    }

    #[test]
    fn fields_in_any_order_are_the_same_either_way(rows in vec(unordered(), 0..200), batch in 1_usize..80) {
        assert_same(&Shape::Unknown, true, &rows, batch);
    }

    #[test]
    fn choices_are_the_same_either_way(rows in vec(choice(), 0..300), batch in 1_usize..80) {
        assert_same(&Shape::Unknown, true, &rows, batch);
    }
}

#[test]
fn equal_rows_take_the_fast_path_from_the_second_on() {
    let mut rows = Shredder::new(Shape::Unknown, true);
    let row = (1_i32, Some("text"), [Choice::Struct { a: Some(1), b: Loose::Int(2) }, Choice::Two]);
    push_slow(&mut rows, &row, true).unwrap();
    assert!((1..100).all(|_| rows.push_fast(&row)));
    assert_eq!((rows.len(), rows.parts().1.is_consistent(100)), (100, true));
}

#[test]
fn what_a_row_pushed_before_it_missed_is_taken_back() {
    let mut rows = Shredder::new(Shape::Unknown, true);
    let row = |last: Loose| (vec![vec![Some("a")]; 2], Choice::New(Loose::Int(1)), last);
    push_slow(&mut rows, &row(Loose::Int(1)), true).unwrap();
    assert!(!rows.push_fast(&row(Loose::Bad)));
    push_slow(&mut rows, &row(Loose::Bad), true).unwrap_err();
    assert_eq!((rows.len(), rows.parts().1.is_consistent(1)), (1, true));
}

#[test]
fn a_field_that_failed_cannot_be_written_again() {
    let mut rows = Shredder::new(Shape::Unknown, true);
    push_slow(&mut rows, &Loose::Stubborn(Box::new(Loose::Int(1)), 2), true).unwrap();
    assert!(!rows.push_fast(&Loose::Stubborn(Box::new(Loose::Bad), 2)));
}

/// A value of items or fields that announces another number of them than it has.
#[derive(Clone)]
struct Announced {
    kind: usize,
    len: usize,
    items: Vec<i32>,
}

impl Serialize for Announced {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        macro_rules! push {
            ($compound:expr, $push:ident) => {{
                let mut compound = $compound?;
                self.items.iter().try_for_each(|item| compound.$push(item))?;
                compound.end()
            }};
        }
        match self.kind {
            0 => push!(serializer.serialize_tuple(self.len), serialize_element),
            1 => push!(serializer.serialize_tuple_struct("T", self.len), serialize_field),
            2 => push!(serializer.serialize_tuple_variant("E", 0, "V", self.len), serialize_field),
            _ => {
                let mut fields = serializer.serialize_struct_variant("E", 1, "W", self.len)?;
                NAMES
                    .iter()
                    .zip(&self.items)
                    .try_for_each(|(name, item)| fields.serialize_field(name, item))?;
                fields.end()
            }
        }
    }
}

#[test]
fn values_that_announce_another_number_of_items_are_the_same_either_way() {
    for kind in 0..4 {
        for len in [0, 1, 2, 3, 4, 5, 16, 17, 30] {
            for count in 0..5 {
                let usual = Announced { kind, len: 3, items: vec![1, 2, 3] };
                let other = Announced { kind, len, items: vec![4; count] };
                let mut rows = vec![usual.clone(); 4];
                rows.extend([other.clone(), other, usual.clone(), usual.clone(), usual]);
                assert_same(&Shape::Unknown, true, &rows, 100);
            }
        }
    }
}

#[test]
fn a_tuple_that_announces_another_number_of_items_misses_the_fast_path() {
    let mut rows = Shredder::new(Shape::Unknown, true);
    let row = |len| Announced { kind: 0, len, items: vec![1, 2, 3] };
    push_slow(&mut rows, &row(3), true).unwrap();
    assert!(rows.push_fast(&row(3)));
    for announced in [0, 1, 2, 4] {
        assert!(!rows.push_fast(&row(announced)), "{announced}");
        push_slow(&mut rows, &row(announced), true).unwrap();
        while !rows.push_fast(&row(3)) {
            push_slow(&mut rows, &row(3), true).unwrap();
        }
    }
    let len = rows.len();
    assert!(rows.parts().1.is_consistent(len));
}

#[test]
fn fields_first_seen_late_take_their_place_on_the_fast_path() {
    let skips = |skipped: &[usize]| {
        let fields = (0..5).map(|at| (at, (!skipped.contains(&at)).then_some(Loose::Text("x".to_owned()))));
        Unordered { len: 5 - skipped.len(), fields: fields.collect() }
    };
    let mut rows = Shredder::new(Shape::Unknown, true);
    push_slow(&mut rows, &skips(&[0, 2]), true).unwrap();
    push_slow(&mut rows, &skips(&[]), true).unwrap();
    let Shape::Record(record) = rows.shape() else { panic!("{:?}", rows.shape()) };
    assert_eq!(record.fields.iter().map(|field| &*field.name).collect::<Vec<_>>(), ["b", "d", "e", "a", "c"]);
    for skipped in [&[][..], &[0], &[2, 0], &[2], &[]] {
        assert!(rows.push_fast(&skips(skipped)), "{skipped:?}");
    }
    assert_eq!((rows.len(), rows.parts().1.is_consistent(7)), (7, true));
}

#[test]
fn fields_in_changing_orders_miss_the_fast_path_in_the_end() {
    let row = |order: [usize; 2]| {
        let fields = order.map(|at| (at, Some(Loose::Int(at as i32))));
        Unordered { len: 2, fields: fields.to_vec() }
    };
    let mut rows = Shredder::new(Shape::Unknown, true);
    push_slow(&mut rows, &row([0, 1]), true).unwrap();
    let orders = [[1, 0], [0, 1]].into_iter().cycle();
    let fast = orders.take(1000).take_while(|order| rows.push_fast(&row(*order))).count();
    assert_eq!(fast, super::super::fast::SEARCHES_MAX as usize);
}

#[test]
fn backoffs_become_longer_unless_the_fast_path_pays() {
    let mut backoff = Backoff { rows: 0, left: 0 };
    let mut lengths = |fast_rows| {
        backoff.begin(fast_rows);
        backoff.left
    };
    assert_eq!([0, 0, 0, 12].map(&mut lengths), [1, 2, 4, 8]);
    assert_eq!((0..10).map(|_| lengths(1)).last(), Some(Backoff::ROWS_MAX));
    assert_eq!(lengths(4097), 1);
    backoff.begin(0);
    assert_eq!([backoff.ends(), backoff.ends(), backoff.ends()], [false, true, true]);
}

#[test]
fn room_for_rows_that_are_expected_is_bounded() {
    let mut rows = Shredder::new(Shape::Unknown, true);
    rows.expect(usize::MAX);
    for text in ["a".repeat(1 << 16), String::new()] {
        let row = (text, Some(1.5), vec![1, 2], true);
        assert!(rows.push_fast(&row) || push_slow(&mut rows, &row, true).is_ok());
    }
    assert_eq!((rows.len(), rows.parts().1.len()), (2, 2));
}
