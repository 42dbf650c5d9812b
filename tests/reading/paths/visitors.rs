//! Types with a `Deserialize` by hand, and rows that fail.

use super::read;
use super::written::Inner;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::cell::Cell;
use std::fmt;
use trevni::{Reader, from_slice, to_vec};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// What a visitor does with the fields `n` and `name` that it is offered.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    /// Refuses a sequence.
    OnlyMaps,
    /// Takes one field of a sequence, but all of a map.
    StopsEarly,
    /// Takes one field of either.
    TakesOne,
    /// Takes the fields in another order than it lists them.
    Ignores,
    /// Fails after the first field, in every third row.
    FailsInTheMiddle,
}

#[derive(Debug, PartialEq)]
struct ByHand<const HABIT: u8>(Option<i32>, Option<String>);

const HABITS: [Habit; 5] =
    [Habit::OnlyMaps, Habit::StopsEarly, Habit::TakesOne, Habit::Ignores, Habit::FailsInTheMiddle];

impl<'de, const HABIT: u8> Visitor<'de> for ByHand<HABIT> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map by hand")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self, A::Error> {
        use serde::de::Error as _;
        match HABITS[usize::from(HABIT)] {
            Habit::OnlyMaps => Err(A::Error::custom("no sequences")),
            Habit::StopsEarly => Ok(Self(seq.next_element()?, Some("early".into()))),
            Habit::TakesOne => Ok(Self(seq.next_element()?, None)),
            Habit::Ignores => {
                seq.next_element::<IgnoredAny>()?;
                Ok(Self(None, seq.next_element()?))
            }
            Habit::FailsInTheMiddle => {
                let n: Option<i32> = seq.next_element()?;
                if n.is_some_and(|n| n % 3 == 0) {
                    return Err(A::Error::custom(format!("{n:?} in the middle")));
                }
                Ok(Self(n, seq.next_element()?))
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        use serde::de::Error as _;
        let habit = HABITS[usize::from(HABIT)];
        let (mut n, mut name) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match &*key {
                "n" if habit == Habit::Ignores => drop(map.next_value::<IgnoredAny>()?),
                "n" => n = Some(map.next_value::<i32>()?),
                _ if habit == Habit::TakesOne => drop(map.next_value::<IgnoredAny>()?),
                _ => name = Some(map.next_value()?),
            }
            if habit == Habit::FailsInTheMiddle && n.is_some_and(|n| n % 3 == 0) {
                return Err(A::Error::custom(format!("{n:?} in the middle")));
            }
        }
        Ok(Self(n, name))
    }
}

impl<'de, const HABIT: u8> Deserialize<'de> for ByHand<HABIT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        COUNT.set(COUNT.get() + 1);
        deserializer.deserialize_struct("ByHand", &["n", "name"], Self(None, None))
    }
}

#[test]
fn visitors_with_habits_of_their_own() {
    let rows: Vec<Inner> = (0..5_000).map(|n| Inner { n, name: n.to_string() }).collect();
    let bytes = to_vec(&rows).unwrap();
    read::<ByHand<0>>(&bytes).iter().zip(&rows).for_each(|(read, row)| {
        assert_eq!(read, &Ok(ByHand(Some(row.n), Some(row.name.clone()))));
    });
    // Its sequence would give another name.
    read::<ByHand<1>>(&bytes).iter().zip(&rows).for_each(|(read, row)| {
        assert_eq!(read, &Ok(ByHand(Some(row.n), Some(row.name.clone()))));
    });
    read::<ByHand<2>>(&bytes).iter().zip(&rows).for_each(|(read, row)| {
        assert_eq!(read, &Ok(ByHand(Some(row.n), None)));
    });
    read::<ByHand<3>>(&bytes).iter().zip(&rows).for_each(|(read, row)| {
        assert_eq!(read, &Ok(ByHand(None, Some(row.name.clone()))));
    });
    for (number, read) in read::<ByHand<4>>(&bytes).into_iter().enumerate() {
        match read {
            Ok(ByHand(n, name)) => assert_eq!((n, name), (Some(number as i32), Some(number.to_string()))),
            Err(error) => assert_eq!(error, format!("row {number}: Some({number}) in the middle")),
        }
    }
}

#[test]
fn rows_are_deserialized_once_or_twice() {
    let rows: Vec<Inner> = (0..9_000).map(|n| Inner { n, name: n.to_string() }).collect();
    let bytes = to_vec(&rows).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (number, _) in reader.rows::<ByHand<4>>().unwrap().enumerate() {
        // The first also shows which fields are read.
        assert!(COUNT.take() <= if number == 0 { 3 } else { 2 }, "row {number}");
    }
    for batch in reader.batches().unwrap() {
        for (number, _) in batch.unwrap().rows::<ByHand<4>>().enumerate() {
            assert!(COUNT.take() <= 2, "row {number} of a batch");
        }
    }
    for habit in [read_all::<0>, read_all::<1>, read_all::<2>, read_all::<3>] {
        habit(&bytes);
        assert!(COUNT.take() < rows.len() + 100);
    }
    // The fast path cannot tell why, so all rows are read once more.
    assert_eq!(from_slice::<TooMany>(&bytes).unwrap_err().to_string(), "too many rows");
    assert!(COUNT.take() <= 2 * rows.len() + 10);
}

fn read_all<const HABIT: u8>(bytes: &[u8]) {
    assert_eq!(from_slice::<Vec<ByHand<HABIT>>>(bytes).unwrap().len(), 9_000);
}

/// Rows that fail when all have been read.
#[derive(Debug)]
struct TooMany;

impl<'de> Deserialize<'de> for TooMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let rows = Vec::<ByHand<0>>::deserialize(deserializer)?;
        assert_eq!(rows.len(), 9_000);
        Err(D::Error::custom("too many rows"))
    }
}

/// A struct that is read as one of two types, which have other fields, by turns.
#[derive(Debug, PartialEq)]
enum ByTurns {
    Numbers { n: i64 },
    Names { name: String, n: i32 },
}

impl<'de> Deserialize<'de> for ByTurns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Numbers {
            n: i64,
        }
        #[derive(Deserialize)]
        struct Names {
            name: String,
            n: i32,
        }
        // A row may be tried twice, so it is not the number of calls that tells.
        if TURN.get() {
            Numbers::deserialize(deserializer).map(|row| Self::Numbers { n: row.n })
        } else {
            Names::deserialize(deserializer).map(|row| Self::Names { name: row.name, n: row.n })
        }
    }
}

thread_local! {
    static TURN: Cell<bool> = const { Cell::new(false) };
}

#[test]
fn two_types_by_turns() {
    let rows: Vec<Inner> = (0..5_000).map(|n| Inner { n, name: n.to_string() }).collect();
    let bytes = to_vec(&rows).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let batches: Vec<_> = reader.batches().unwrap().collect::<trevni::Result<_>>().unwrap();
    let sources: [Box<dyn Iterator<Item = trevni::Result<ByTurns>>>; 2] =
        [Box::new(reader.rows().unwrap()), Box::new(batches.iter().flat_map(|batch| batch.rows()))];
    for mut source in sources {
        for (number, row) in rows.iter().enumerate() {
            TURN.set(number % 7 < 3);
            let expected = match TURN.get() {
                true => ByTurns::Numbers { n: row.n.into() },
                false => ByTurns::Names { name: row.name.clone(), n: row.n },
            };
            assert_eq!(source.next().unwrap().unwrap(), expected, "row {number}");
        }
        assert!(source.next().is_none());
    }
}

#[test]
fn rows_that_fail_here_and_there_say_where() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Small {
        list: Vec<Byte>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Byte {
        byte: u8,
    }
    let row = |n: i32| serde_json::json!({"list": [{"byte": 1}, {"byte": n}]});
    for period in [2, 3, 50, 200] {
        let number = |n: i32| if n % period == period - 1 { 1_000 + n } else { n % 200 };
        let bytes = to_vec((0..3_000).map(|n| row(number(n)))).unwrap();
        for (n, read) in (0..).zip(read::<Small>(&bytes)) {
            match read {
                Ok(row) => assert_eq!(i32::from(row.list[1].byte), number(n)),
                Err(error) => {
                    assert_eq!(n % period, period - 1);
                    assert!(error.starts_with(&format!("row {n}, list[1].byte: ")), "{error}");
                    assert!(error.contains(&format!("`{}`", 1_000 + n)) && error.contains("u8"), "{error}");
                }
            }
        }
    }
}
