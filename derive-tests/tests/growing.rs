//! Small sets of rows of nested types whose fields come and go, from small pools: each row may bring what no row before had, at any
//! depth. With and without a given shape.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use trevni::{Reader, Writer};

/// Sets of rows of each type.
const SETS: usize = 400;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Event {
    Quit,
    Key { code: i32 },
    Click { x: i32, pressed: Option<u64> },
    Part(Part),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Part {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    id: Option<i32>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    parts: Vec<Part>,
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    event: Option<Box<Event>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Variant {
    Unit,
    Number(u64),
    Tuple(i32, Vec<Part>),
    Struct { part: Part, next: Option<Box<Variant>> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    String(String),
    List(Vec<Untagged>),
    Pressed { pressed: i32 },
    Items { items: Vec<Untagged> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Row {
    events: Vec<Option<Event>>,
    parts: BTreeMap<String, Part>,
    variants: Vec<Variant>,
    both: Option<(Event, Part)>,
    #[serde(flatten)]
    others: BTreeMap<String, i32>,
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn some<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(2) > 0).then(|| make(self))
    }

    fn list<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(4)).map(|_| make(self)).collect()
    }

    fn map<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> BTreeMap<String, T> {
        (0..self.below(3)).map(|number| (format!("key{number}"), make(self))).collect()
    }

    fn number(&mut self) -> u64 {
        [1, 7, u64::MAX, 1 << 40][self.below(4) as usize]
    }

    fn event(&mut self, depth: u32) -> Event {
        match self.below(if depth > 0 { 4 } else { 3 }) {
            0 => Event::Quit,
            1 => Event::Key { code: self.below(5) as i32 },
            2 => Event::Click { x: 1, pressed: self.some(Self::number) },
            _ => Event::Part(self.part(depth - 1)),
        }
    }

    fn part(&mut self, depth: u32) -> Part {
        let below = depth.saturating_sub(1);
        let parts = if depth > 0 { self.list(|random| random.part(below)) } else { Vec::new() };
        let event = self.some(|random| Box::new(random.event(below))).filter(|_| depth > 0);
        Part { id: self.some(|_| 3), parts, size: self.number(), event }
    }

    fn variant(&mut self, depth: u32) -> Variant {
        let below = depth.saturating_sub(1);
        match self.below(4) {
            0 => Variant::Unit,
            1 => Variant::Number(self.number()),
            2 => Variant::Tuple(4, self.list(|random| random.part(below))),
            _ => {
                let part = self.part(below);
                let next = if depth > 0 { self.some(|random| Box::new(random.variant(below))) } else { None };
                Variant::Struct { part, next }
            }
        }
    }

    fn untagged(&mut self, depth: u32) -> Untagged {
        match self.below(if depth > 0 { 5 } else { 3 }) {
            0 => Untagged::Number(self.below(9) as i64),
            1 => Untagged::String("string".to_owned()),
            2 => Untagged::Pressed { pressed: 5 },
            3 => Untagged::List(self.list(|random| random.untagged(depth - 1))),
            _ => Untagged::Items { items: self.list(|random| random.untagged(depth - 1)) },
        }
    }

    fn row(&mut self) -> Row {
        Row {
            events: self.list(|random| random.some(|random| random.event(1))),
            parts: self.map(|random| random.part(1)),
            variants: self.list(|random| random.variant(1)),
            both: self.some(|random| (random.event(1), random.part(1))),
            others: self.map(|_| 1),
        }
    }
}

/// Rows come back as they were written, also by a writer that is given their shape.
fn come_back<T>(mut make: impl FnMut(&mut Random) -> T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let mut random = Random(99);
    for _ in 0..SETS {
        let rows: Vec<T> = (0..1 + random.below(6)).map(|_| make(&mut random)).collect();
        let file = trevni::to_vec(&rows).unwrap();
        assert_eq!(trevni::from_slice::<Vec<T>>(&file).unwrap(), rows);
        let shape = Reader::from_slice(&file).unwrap().shape().clone();
        let mut writer = Writer::builder().shape(&shape).derived().build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        assert_eq!(trevni::from_slice::<Vec<T>>(&writer.finish().unwrap()).unwrap(), rows, "given {shape}");
    }
}

#[test]
fn tagged_enums_come_back() {
    come_back(|random| random.event(2));
    come_back(|random| random.list(|random| random.event(2)));
}

#[test]
fn structs_with_skipped_fields_come_back() {
    come_back(|random| random.part(2));
}

#[test]
fn enums_come_back() {
    come_back(|random| random.variant(2));
    come_back(|random| random.list(|random| random.variant(2)));
}

#[test]
fn untagged_enums_come_back() {
    come_back(|random| random.untagged(2));
}

#[test]
fn rows_of_all_come_back() {
    come_back(Random::row);
}
