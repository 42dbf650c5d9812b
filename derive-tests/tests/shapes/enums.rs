//! Variants that show up one after the other.

use std::collections::BTreeMap;

use derive_tests::{assert_reads, assert_round_trip};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Event {
    Start,
    Stop,
    Level(i32),
    Pair(String, Option<bool>),
    Full { id: u64, tags: Vec<String> },
    Nested(Box<Event>),
    Map(BTreeMap<String, Event>),
}

fn full(tags: &[&str]) -> Event {
    Event::Full { id: u64::MAX, tags: tags.iter().map(|t| t.to_string()).collect() }
}

#[test]
fn unit_variants_first_and_data_variants_later() {
    assert_round_trip(&[Event::Start, Event::Stop, Event::Start, Event::Level(3), Event::Stop, full(&["a"])]);
}

#[test]
fn data_variants_first_and_unit_variants_later() {
    assert_round_trip(&[full(&[]), Event::Level(1), Event::Start, full(&["a", "b"]), Event::Stop]);
}

#[test]
fn a_new_variant_in_every_row() {
    assert_round_trip(&[
        Event::Stop,
        Event::Level(-1),
        Event::Pair("p".into(), None),
        full(&["t"]),
        Event::Start,
        Event::Nested(Box::new(Event::Level(2))),
        Event::Nested(Box::new(Event::Nested(Box::new(Event::Start)))),
        Event::Map(BTreeMap::from([("k".into(), Event::Pair("q".into(), Some(true)))])),
    ]);
}

#[test]
fn an_enum_in_a_list_in_a_map() {
    assert_round_trip(&[
        BTreeMap::from([("a".to_string(), vec![])]),
        BTreeMap::from([
            ("a".to_string(), vec![Event::Start]),
            ("b".to_string(), vec![Event::Level(1), Event::Start]),
        ]),
        BTreeMap::new(),
        BTreeMap::from([("c".to_string(), vec![full(&["x"]), Event::Stop, Event::Level(2)])]),
    ]);
}

#[test]
fn a_variant_with_an_option_inside_an_option() {
    assert_round_trip(&[None, Some(Event::Start), None, Some(Event::Pair("p".into(), Some(false)))]);
}

#[test]
fn a_variant_that_holds_unit_values() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Odd {
        Nothing,
        Unit(()),
        EmptyTuple(),
        EmptyFields {},
        Maybe(Option<()>),
    }
    assert_round_trip(&[
        Odd::Nothing,
        Odd::Unit(()),
        Odd::EmptyFields {},
        Odd::Maybe(Some(())),
        Odd::EmptyTuple(),
        Odd::Maybe(None),
        Odd::Nothing,
    ]);
}

#[test]
fn more_than_256_unit_variants() {
    struct Symbol(&'static str);
    impl Serialize for Symbol {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_unit_variant("Symbol", 0, self.0)
        }
    }
    let names: Vec<String> = (0..300).map(|n| format!("V{n}")).collect();
    let symbols: Vec<Symbol> = names.iter().map(|name| Symbol(name.clone().leak())).collect();
    assert_reads(&symbols, &names);
}

#[test]
fn variant_fields_that_only_some_rows_have() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Row {
        Data {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            a: Option<i32>,
            b: i32,
        },
        Unit,
    }
    assert_round_trip(&[
        Row::Unit,
        Row::Data { a: None, b: 1 },
        Row::Data { a: Some(2), b: 3 },
        Row::Unit,
        Row::Data { a: None, b: 4 },
    ]);
}
