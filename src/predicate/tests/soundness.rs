//! Whatever the rows, their blocks and the predicate: what is pruned does not hold.

use super::super::{Col, Predicate, Truth, col, item};
use super::{Rows, zones};
use crate::storage::zone_map::{Bound, Zone};
use proptest::prelude::{Just, Strategy, any, proptest};
use proptest::{collection::vec, option, prop_oneof};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Debug, Serialize)]
struct Row {
    int: i32,
    float: Option<f32>,
    text: Option<String>,
    symbol: Symbol,
    big: u64,
    wide: i128,
    wider: u128,
    flag: bool,
    place: Option<Place>,
    form: Option<Form>,
    list: Vec<Item>,
    map: BTreeMap<String, i64>,
    twice: Option<Option<i8>>,
}

#[derive(Clone, Debug, Serialize)]
enum Symbol {
    A,
    Bb,
    C,
}

#[derive(Clone, Debug, Serialize)]
struct Place {
    x: Option<i32>,
    inner: Option<Item>,
}

#[derive(Clone, Debug, Serialize)]
enum Form {
    One(i32),
    Two { text: String },
}

#[derive(Clone, Debug, Serialize)]
struct Item {
    a: Option<i16>,
    t: String,
}

fn int() -> impl Strategy<Value = i32> {
    -3..4i32
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(""), Just("a"), Just("ab"), Just("abc"), Just("b"), Just("\u{10ffff}x")]
        .prop_map(str::to_owned)
}

fn float() -> impl Strategy<Value = f32> {
    prop_oneof![
        Just(-0.0),
        Just(0.0),
        Just(f32::NAN),
        Just(f32::NAN),
        Just(f32::INFINITY),
        Just(0.1),
        Just(-1.5),
        Just(2.0)
    ]
}

fn an_item() -> impl Strategy<Value = Item> {
    (option::of(-2..3i16), text()).prop_map(|(a, t)| Item { a, t })
}

fn row() -> impl Strategy<Value = Row> {
    let symbol = prop_oneof![Just(Symbol::A), Just(Symbol::Bb), Just(Symbol::C)];
    let place = (option::of(int()), option::of(an_item())).prop_map(|(x, inner)| Place { x, inner });
    let form = prop_oneof![int().prop_map(Form::One), text().prop_map(|text| Form::Two { text })];
    let wide = prop_oneof![(-2..3i128), Just(i128::MAX), Just(i128::MIN)];
    let big = prop_oneof![0..3u64, Just(u64::MAX), Just(1 << 63)];
    let one = (int(), option::of(float()), option::of(text()), symbol, big, wide, any::<bool>());
    let map = vec((text(), -2..3i64), 0..3).prop_map(|entries| entries.into_iter().collect());
    let two =
        (option::of(place), option::of(form), vec(an_item(), 0..3), map, option::of(option::of(0..3i8)));
    (one, two).prop_map(|((int, float, text, symbol, big, wide, flag), (place, form, list, map, twice))| {
        Row {
            int,
            float,
            text,
            symbol,
            big,
            wide,
            wider: wide.cast_unsigned(),
            flag,
            place,
            form,
            list,
            map,
            twice,
        }
    })
}

/// Rows that have shown everything.
fn all() -> [Row; 2] {
    let item = || Item { a: Some(1), t: "a".to_owned() };
    let row = |symbol, form| Row {
        int: 1,
        float: Some(0.5),
        text: Some("a".to_owned()),
        symbol,
        big: u64::MAX,
        wide: i128::MIN,
        wider: u128::MAX,
        flag: true,
        place: Some(Place { x: Some(1), inner: Some(item()) }),
        form: Some(form),
        list: vec![item()],
        map: BTreeMap::from([("a".to_owned(), 1)]),
        twice: Some(Some(1)),
    };
    [row(Symbol::A, Form::One(1)), row(Symbol::Bb, Form::Two { text: "a".to_owned() })]
}

fn compared<L: Into<super::super::Literal> + Clone>(place: Col, how: u8, one: L, two: L) -> Predicate {
    match how % 10 {
        0 => place.eq(one),
        1 => place.ne(one),
        2 => place.lt(one),
        3 => place.le(one),
        4 => place.gt(one),
        5 => place.ge(one),
        6 => place.between(one, two),
        7 => place.is_in([one, two]),
        8 => place.is_null(),
        _ => place.is_not_null(),
    }
}

fn numbers(paths: &'static [&'static str]) -> impl Strategy<Value = Predicate> {
    let literal = prop_oneof![(-3..4i128), Just(i128::MAX), Just(i128::from(u64::MAX)), Just(1i128 << 63)];
    let integers = (0..paths.len(), any::<u8>(), literal.clone(), literal)
        .prop_map(|(at, how, one, two)| compared(col(paths[at]), how, one, two));
    let floats = (0..paths.len(), any::<u8>(), float(), float())
        .prop_map(|(at, how, one, two)| compared(col(paths[at]), how, f64::from(one) - 0.5, f64::from(two)));
    prop_oneof![integers, floats]
}

fn texts(paths: &'static [&'static str]) -> impl Strategy<Value = Predicate> {
    let text = || prop_oneof![text(), Just("Bb".to_owned()), Just("A".to_owned())];
    let order = (0..paths.len(), any::<u8>(), text(), text())
        .prop_map(|(at, how, one, two)| compared(col(paths[at]), how, one, two));
    let start = (0..paths.len(), text()).prop_map(|(at, start)| col(paths[at]).starts_with(start));
    let part = (0..paths.len(), text()).prop_map(|(at, part)| col(paths[at]).contains(part));
    prop_oneof![2 => order, 1 => start, 1 => part]
}

fn joined(leaf: impl Strategy<Value = Predicate> + 'static) -> impl Strategy<Value = Predicate> {
    leaf.prop_recursive(3, 6, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(one, two)| one & two),
            (inner.clone(), inner.clone()).prop_map(|(one, two)| one | two),
            inner.prop_map(|one| !one),
        ]
    })
}

fn predicate() -> impl Strategy<Value = Predicate> {
    let number_paths = &[
        "int",
        "float",
        "float",
        "big",
        "wide",
        "wider",
        "place.x",
        "place.inner.a",
        "form.One._0",
        "twice",
    ];
    let text_paths = &["text", "symbol", "place.inner.t", "form.Two.text"];
    let in_list = joined(prop_oneof![numbers(&["a"]), texts(&["t"])]);
    let in_map = joined(prop_oneof![numbers(&["value"]), texts(&["key"])]);
    joined(prop_oneof![
        4 => numbers(number_paths),
        3 => texts(text_paths),
        1 => any::<bool>().prop_map(|value| col("flag").eq(value)),
        2 => in_list.prop_map(|predicate| col("list").any(predicate)),
        2 => in_map.prop_map(|predicate| col("map").any(predicate)),
        1 => prop_oneof![Just("place"), Just("form"), Just("form.One"), Just("list"), Just("place.inner")]
            .prop_map(|path| col(path).is_null()),
        1 => Just(col("list").any(item().is_not_null())),
    ])
}

/// A zone as it may stand in a file: bounds cut short, or left out.
fn worse(mut zone: Zone, how: u8) -> Zone {
    match how % 4 {
        0 => {
            if let Some(Bound::Bytes(min)) = &mut zone.min {
                min.truncate(1);
            }
            zone.max = zone.max.and_then(|max| match max {
                Bound::Bytes(max) if max.len() > 1 => {
                    max.first().and_then(|first| first.checked_add(1)).map(|first| Bound::Bytes(vec![first]))
                }
                max => Some(max),
            });
        }
        1 if how & 4 != 0 => zone.max = None,
        1 => zone.min = None,
        _ => {}
    }
    zone
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(400))]

    #[test]
    fn the_truth_of_each_row_is_among_those_left(
        rows in vec(row(), 1..16),
        predicate in predicate(),
        cuts in vec((any::<u8>(), any::<u8>()), 40),
    ) {
        let rows = Rows::from_rows(&rows);
        let total = rows.batch.len();
        // Rows of one variant only, say, leave the others out.
        let filter = match rows.bind_among(&Rows::from_rows(&all()), &predicate) {
            Ok(filter) => filter,
            Err(error) => panic!("{predicate}: {error}"),
        };
        let truths = filter.evaluate(rows.batch.vector()).unwrap();
        assert_eq!(filter.evaluate(&rows.decoded(filter.nodes())).unwrap(), truths);
        let slots = zones::slots(rows.batch.shape(), &rows.schema.whole.tree, rows.batch.vector());
        let mut cuts = cuts.into_iter().cycle();
        let mut asked = HashMap::new();
        let ranges = filter.prune(total as u64, &mut |slot| {
            assert!(asked.insert(slot, ()).is_none(), "asked twice");
            assert!(filter.slots().contains(&slot));
            let (mut start, mut blocks) = (0, Vec::new());
            while start < total {
                let (cut, how) = cuts.next().unwrap();
                let end = total.min(start + 1 + usize::from(cut % 5));
                blocks.push(((end - start) as u64, worse(slots[&slot].zone(start..end), how)));
                start = end;
            }
            let (cut, _) = cuts.next().unwrap();
            Ok((cut % 8 > 0).then(|| blocks.into()))
        }).unwrap();
        let mut next = 0;
        for (range, possible) in ranges {
            assert!(range.start == next && range.end > next);
            next = range.end;
            for truth in &truths[range.start as usize..range.end as usize] {
                assert!(possible.contains(*truth), "{predicate}: {truth:?} is not in {possible:?}");
                assert!(!possible.is_true() || *truth == Truth::True);
            }
        }
        assert_eq!(next, total as u64);
    }
}
