//! Rows that are read as those before them were, and rows that suddenly cannot be.

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;
use trevni::{Reader, from_slice, to_vec};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    name: String,
    weight: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Order {
    id: u64,
    place: (i32, i32),
    parts: Vec<Part>,
    /// Rare: not in the first rows.
    gift: Option<Part>,
    note: Option<String>,
}

fn order(id: u64) -> Order {
    let part = |number: u64| Part {
        name: format!("part {number}"),
        weight: (!number.is_multiple_of(3)).then_some(number as f64 / 4.0),
    };
    Order {
        id,
        place: (id as i32, -(id as i32)),
        parts: (0..id % 4).map(part).collect(),
        gift: (id % 1000 == 999).then(|| part(id)),
        note: id.is_multiple_of(2).then(|| format!("note {id}")),
    }
}

fn orders() -> Vec<Order> {
    (0..20_000).map(order).collect()
}

#[test]
fn what_shows_up_late_is_read() {
    let orders = orders();
    let bytes = to_vec(&orders).unwrap();
    assert_eq!(from_slice::<Vec<Order>>(&bytes).unwrap(), orders);
    let rows = Reader::from_slice(&bytes).unwrap().rows::<Order>().unwrap();
    assert_eq!(rows.collect::<trevni::Result<Vec<Order>>>().unwrap(), orders);
}

#[test]
fn only_the_fields_of_what_shows_up_late_are_read() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Weight {
        weight: Option<f64>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Gift {
        gift: Option<Weight>,
        id: u32,
    }
    let orders = orders();
    let expected: Vec<Gift> = orders
        .iter()
        .map(|order| Gift {
            gift: order.gift.as_ref().map(|part| Weight { weight: part.weight }),
            id: order.id as u32,
        })
        .collect();
    assert_eq!(from_slice::<Vec<Gift>>(&to_vec(&orders).unwrap()).unwrap(), expected);
}

#[test]
fn fields_that_rows_leave_out_or_files_do_not_have_are_read() {
    #[derive(Clone, Debug, PartialEq, Serialize)]
    struct Old {
        #[serde(skip_serializing_if = "Option::is_none")]
        size: Option<f64>,
        id: u64,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
        part: Part,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct New {
        #[serde(alias = "id")]
        number: u64,
        #[serde(default)]
        tags: Vec<String>,
        #[serde(default)]
        color: String,
        size: Option<f64>,
        part: Part,
    }
    let old = |id: u64| Old {
        size: (!id.is_multiple_of(3)).then_some(id as f64),
        id,
        tags: (0..id % 3).map(|tag| format!("tag {tag}")).collect(),
        part: Part { name: id.to_string(), weight: None },
    };
    let new = |old: Old| New {
        number: old.id,
        tags: old.tags,
        color: String::new(),
        size: old.size,
        part: old.part,
    };
    let rows: Vec<New> = from_slice(&to_vec((0..10_000).map(old)).unwrap()).unwrap();
    assert_eq!(rows, (0..10_000).map(|id| new(old(id))).collect::<Vec<_>>());
}

#[test]
fn values_of_another_kind_are_converted() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Wide {
        id: f64,
        place: Vec<i64>,
        note: serde_json::Value,
    }
    let rows: Vec<Wide> = from_slice(&to_vec(orders()).unwrap()).unwrap();
    assert_eq!(rows.len(), 20_000);
    assert_eq!((rows[7].id, &*rows[7].place), (7.0, &[7, -7][..]));
    assert_eq!(rows[19_998].note, "note 19998");
}

/// An even number.
#[derive(Debug, PartialEq)]
struct Even(u64);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            odd if odd % 2 == 1 && odd > 10_000 => Err(D::Error::custom(format!("{odd} is odd"))),
            even => Ok(Self(even)),
        }
    }
}

#[derive(Debug, PartialEq, Deserialize)]
struct EvenOrder {
    id: Even,
}

#[test]
fn a_row_that_fails_says_where_and_the_next_is_read() {
    let bytes = to_vec(orders()).unwrap();
    let error = from_slice::<Vec<EvenOrder>>(&bytes).unwrap_err().to_string();
    for part in ["10001 is odd", "row 10001", "id"] {
        assert!(error.contains(part), "no `{part}` in: {error}");
    }
    let rows: Vec<_> = Reader::from_slice(&bytes).unwrap().rows::<EvenOrder>().unwrap().collect();
    assert_eq!(rows.len(), 20_000);
    assert_eq!(rows.iter().filter(|row| row.is_err()).count(), 5_000);
    assert_eq!(rows[10_001].as_ref().unwrap_err().to_string(), error);
    assert_eq!(rows[19_998].as_ref().unwrap(), &EvenOrder { id: Even(19_998) });
}

#[test]
fn a_number_that_is_too_large_says_so() {
    #[derive(Debug, Deserialize)]
    struct Small {
        #[allow(dead_code, reason = "only read")]
        id: u8,
    }
    let error = from_slice::<Vec<Small>>(&to_vec(orders()).unwrap()).unwrap_err().to_string();
    for part in ["256", "u8", "row 256", "id"] {
        assert!(error.contains(part), "no `{part}` in: {error}");
    }
}

/// Rows that are taken one by one with a seed, up to a number.
struct Seeded<T>(Vec<T>);

struct All<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for All<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for All<T> {
    type Value = Seeded<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Seeded<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(row) = rows.next_element_seed(All(PhantomData))? {
            all.push(row);
            if let Some(row) = rows.next_element()? {
                all.push(row);
            }
            if all.len() > 20_100 {
                return Err(A::Error::custom("too many rows"));
            }
        }
        Ok(Seeded(all))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Seeded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(All(PhantomData))
    }
}

#[test]
fn rows_are_read_with_seeds_too() {
    let orders = orders();
    let bytes = to_vec(&orders).unwrap();
    assert_eq!(from_slice::<Seeded<Order>>(&bytes).unwrap().0, orders);
    assert_eq!(from_slice::<Seeded<Even>>(&to_vec(0..9_000u64).unwrap()).unwrap().0.len(), 9_000);
}

#[test]
fn what_is_wrong_with_all_rows_is_said() {
    let error = from_slice::<Seeded<u32>>(&to_vec(0..30_000u32).unwrap()).err().unwrap();
    assert_eq!(error.to_string(), "too many rows");
}

#[test]
fn what_is_ignored_is_there_or_not() {
    // The first rows go the general way, the others straight.
    let numbers: Vec<Option<i32>> = (0..10_000).map(|number| (number % 3 > 0).then_some(number)).collect();
    let bytes = to_vec(&numbers).unwrap();
    let ignored: Vec<Option<IgnoredAny>> = from_slice(&bytes).unwrap();
    assert!(ignored.iter().map(Option::is_some).eq(numbers.iter().map(Option::is_some)));
    let reader = Reader::from_slice(&bytes).unwrap();
    let ignored = reader.rows::<Option<IgnoredAny>>().unwrap().map(|row| row.unwrap().is_some());
    assert!(ignored.eq(numbers.iter().map(Option::is_some)));
}
