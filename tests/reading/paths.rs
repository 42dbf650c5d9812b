//! Rows are the same by the fast path and by the slow one, and so are their errors.
//!
//! A single row ([`Reader::row`]) goes the slow path. [`Reader::rows`] and [`trevni::from_slice`] read all but the
//! first rows by the fast path, and so do the rows of batches.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_bytes::ByteBuf;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use trevni::{Reader, from_slice, to_vec};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum External {
    Unit,
    Other,
    New(Option<i64>),
    Tuple(u8, Vec<String>),
    Struct { a: i32, b: Option<Box<External>> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    Number { v: i32 },
    Text { v: String, w: Option<bool> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    New(Vec<Option<u32>>),
    Pair(i8, char),
    Struct { a: u64 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Int(i64),
    Text(String),
    List(Vec<i64>),
    Struct { a: bool },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    n: i32,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plain {
    id: u64,
    small: i32,
    wide: i128,
    flag: bool,
    single: f32,
    double: f64,
    letter: char,
    text: String,
    bytes: ByteBuf,
    unit: (),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Nested {
    maybe: Option<i32>,
    twice: Option<Option<String>>,
    lists: Vec<Vec<Option<i16>>>,
    pair: (u8, String),
    inner: Inner,
    others: Vec<Inner>,
    rare: Option<Inner>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skipped: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Keyed {
    by_text: BTreeMap<String, Vec<i32>>,
    by_number: BTreeMap<i32, Option<f64>>,
    by_flag: BTreeMap<bool, u8>,
    by_letter: BTreeMap<char, Inner>,
    by_wide: BTreeMap<u128, ()>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Enums {
    external: External,
    externals: Vec<External>,
    internal: Option<Internal>,
    adjacent: Adjacent,
    untagged: BTreeMap<String, Untagged>,
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-c]{1,3}", "\\PC{0,8}", "[0-9]{1,3}"]
}

fn plain() -> impl Strategy<Value = Plain> {
    let numbers = (any::<u64>(), -300..300, any::<i128>(), any::<bool>(), -9..9, -9..9);
    (numbers, any::<char>(), text(), vec(any::<u8>(), 0..9)).prop_map(|(numbers, letter, text, bytes)| {
        let (id, small, wide, flag, single, double) = numbers;
        let (single, double) = (single as f32 / 2.0, f64::from(double));
        Plain { id, small, wide, flag, single, double, letter, text, bytes: ByteBuf::from(bytes), unit: () }
    })
}

fn inner() -> impl Strategy<Value = Inner> {
    (-9..9, text()).prop_map(|(n, name)| Inner { n, name })
}

fn nested() -> impl Strategy<Value = Nested> {
    let options = (any::<Option<i32>>(), option::of(option::of(text())), option::weighted(0.03, inner()));
    let lists = (vec(vec(any::<Option<i16>>(), 0..3), 0..3), vec(inner(), 0..3));
    (options, lists, any::<u8>(), text(), inner(), option::of(text())).prop_map(
        |((maybe, twice, rare), (lists, others), byte, text, inner, skipped)| Nested {
            maybe,
            twice,
            lists,
            pair: (byte, text),
            inner,
            others,
            rare,
            skipped,
        },
    )
}

fn keyed() -> impl Strategy<Value = Keyed> {
    let numbers = btree_map(any::<i32>(), any::<Option<i8>>(), 0..3);
    let by_wide = btree_map(any::<u128>(), Just(()), 0..3);
    let by_text = btree_map(text(), vec(any::<i32>(), 0..3), 0..3);
    let others = (btree_map(any::<bool>(), any::<u8>(), 0..3), btree_map(any::<char>(), inner(), 0..3));
    (by_text, numbers, others, by_wide).prop_map(|(by_text, numbers, (by_flag, by_letter), by_wide)| Keyed {
        by_text,
        by_number: numbers.into_iter().map(|(key, value)| (key, value.map(f64::from))).collect(),
        by_flag,
        by_letter,
        by_wide,
    })
}

fn external() -> impl Strategy<Value = External> {
    let leaf = prop_oneof![
        3 => Just(External::Unit),
        3 => Just(External::Other),
        2 => any::<Option<i64>>().prop_map(External::New),
        1 => (any::<u8>(), vec(text(), 0..3)).prop_map(|(a, b)| External::Tuple(a, b)),
    ];
    leaf.prop_recursive(2, 3, 1, |inner| {
        (any::<i32>(), option::of(inner.prop_map(Box::new))).prop_map(|(a, b)| External::Struct { a, b })
    })
}

fn enums() -> impl Strategy<Value = Enums> {
    let internal = prop_oneof![
        Just(Internal::Unit),
        any::<i32>().prop_map(|v| Internal::Number { v }),
        (text(), any::<Option<bool>>()).prop_map(|(v, w)| Internal::Text { v, w }),
    ];
    let adjacent = prop_oneof![
        Just(Adjacent::Unit),
        vec(any::<Option<u32>>(), 0..3).prop_map(Adjacent::New),
        any::<(i8, char)>().prop_map(|(a, b)| Adjacent::Pair(a, b)),
        any::<u64>().prop_map(|a| Adjacent::Struct { a }),
    ];
    let untagged = prop_oneof![
        any::<i64>().prop_map(Untagged::Int),
        text().prop_map(Untagged::Text),
        vec(any::<i64>(), 0..3).prop_map(Untagged::List),
        any::<bool>().prop_map(|a| Untagged::Struct { a }),
    ];
    let maps = btree_map(text(), untagged, 0..3);
    (external(), vec(external(), 0..3), option::of(internal), adjacent, maps).prop_map(
        |(external, externals, internal, adjacent, untagged)| Enums {
            external,
            externals,
            internal,
            adjacent,
            untagged,
        },
    )
}

type Rows<R> = Vec<Result<R, String>>;

fn shown<R>(row: trevni::Result<R>) -> Result<R, String> {
    row.map_err(|error| error.to_string())
}

/// The rows, each as the slow path reads it; asserts that the fast path reads the same.
#[track_caller]
fn read<R: DeserializeOwned + PartialEq + fmt::Debug>(bytes: &[u8]) -> Rows<R> {
    let reader = Reader::from_slice(bytes).unwrap();
    // Single rows are read by the slow path, unless they follow each other.
    let mut slow: Rows<R> = (0..reader.row_count()).rev().map(|number| shown(reader.row(number))).collect();
    slow.reverse();
    let following: Rows<R> = (0..reader.row_count()).map(|number| shown(reader.row(number))).collect();
    assert_eq!(following, slow, "single rows");
    let fast: Rows<R> = reader.rows().unwrap().map(shown).collect();
    assert_eq!(fast, slow, "rows");
    let mut at = slow.iter();
    for batch in reader.batches().unwrap() {
        for row in batch.unwrap().rows::<R>() {
            assert_eq!(Some(&shown(row)), at.next(), "rows of batches");
        }
    }
    assert_eq!(at.next(), None);
    match (from_slice::<Vec<R>>(bytes), slow.iter().find(|row| row.is_err())) {
        (Ok(rows), None) => assert!(rows.iter().eq(slow.iter().flatten()), "from_slice"),
        (Err(error), Some(Err(first))) => assert_eq!(error.to_string(), *first, "from_slice"),
        (rows, first) => panic!("from_slice: {rows:?}, but {first:?}"),
    }
    slow
}

/// Asserts that rows come back as the type they were written as.
fn assert_read<R: Serialize + DeserializeOwned + Clone + PartialEq + fmt::Debug>(rows: &[R]) -> Vec<u8> {
    let bytes = to_vec(rows).unwrap();
    let expected: Rows<R> = rows.iter().cloned().map(Ok).collect();
    assert_eq!(read::<R>(&bytes), expected);
    bytes
}

/// Reads rows in other ways than they were written: each must be the same by both paths, also where it fails.
macro_rules! assert_same {
    ($bytes:expr, $($kind:ty)*) => {
        $(read::<$kind>(&$bytes);)*
    };
}

#[derive(Debug, PartialEq, Deserialize)]
struct Shuffled {
    text: String,
    #[serde(alias = "small")]
    number: i64,
    #[serde(default)]
    nothing: Option<u8>,
    id: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Converted {
    id: f64,
    small: f32,
    single: f64,
    double: f32,
    bytes: Vec<u8>,
    letter: String,
    wide: Value,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Narrow {
    flag: bool,
    small: u8,
    double: f64,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only compared")]
struct Strict {
    id: u64,
    small: i32,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Flat {
    id: u64,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Lacking {
    inner: Named,
    others: Vec<Named>,
    rare: Option<Named>,
    skipped: Option<Cow<'static, str>>,
    maybe: Option<Option<i64>>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Named {
    name: String,
    #[serde(default)]
    more: i32,
}

#[derive(Debug, PartialEq, Deserialize)]
struct ShortList {
    lists: Vec<[Option<i16>; 1]>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct OtherKeys {
    by_number: BTreeMap<String, Option<f64>>,
    by_flag: Vec<(bool, u8)>,
    by_letter: Value,
}

#[derive(Debug, PartialEq, Deserialize)]
struct TextAsNumbers {
    by_text: BTreeMap<i32, Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct OtherEnums {
    external: Value,
    internal: Option<BTreeMap<String, Value>>,
    externals: Vec<Two>,
}

/// Not all variants of [`External`], and other forms of them.
#[derive(Debug, PartialEq, Deserialize)]
enum Two {
    Unit,
    Other,
    New(Value),
    Tuple(Vec<Value>),
    Struct(BTreeMap<String, Value>),
}

#[derive(Debug, PartialEq, Deserialize)]
struct OnlyUnits {
    external: Units,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Units {
    Unit,
    Other,
}

/// What rows borrow from a batch.
#[derive(Debug, PartialEq, Deserialize)]
struct Borrowing<'a> {
    text: &'a str,
    #[serde(with = "serde_bytes")]
    bytes: &'a [u8],
    #[serde(borrow)]
    letter: Cow<'a, str>,
    id: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
struct BorrowingNested<'a> {
    #[serde(borrow)]
    inner: BorrowingInner<'a>,
    #[serde(borrow)]
    others: Vec<BorrowingInner<'a>>,
    #[serde(borrow)]
    pair: (u8, &'a str),
    #[serde(borrow)]
    skipped: Option<&'a str>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct BorrowingInner<'a> {
    name: &'a str,
    n: i32,
}

#[derive(Debug, PartialEq, Deserialize)]
struct BorrowingKeys<'a> {
    #[serde(borrow)]
    by_text: BTreeMap<&'a str, Vec<i32>>,
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 12,
        failure_persistence: None,
        max_shrink_iters: 200,
        ..ProptestConfig::default()
    }
}

const ROWS: std::ops::Range<usize> = 40..100;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn plain_rows(rows in vec(plain(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, Shuffled Converted Narrow Strict Flat Value IgnoredAnyRow BTreeMap<String, Value>);
        let error = from_slice::<Vec<Strict>>(&bytes).unwrap_err().to_string();
        assert_eq!(error, "row 0: unknown field `wide`, expected `id` or `small`");
        for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
            let batch = batch.unwrap();
            let lent: Vec<Borrowing> = batch.rows().map(Result::unwrap).collect();
            assert_eq!(lent.len(), batch.len());
            for (lent, row) in lent.iter().zip(&rows[batch.first_row() as usize..]) {
                assert_eq!((lent.text, lent.bytes, lent.id), (&*row.text, &row.bytes[..], row.id));
                assert!(matches!(&lent.letter, Cow::Borrowed(letter) if *letter == row.letter.to_string()));
            }
        }
    }

    #[test]
    fn nested_rows(rows in vec(nested(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, Lacking ShortList Value);
        for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
            let batch = batch.unwrap();
            for (lent, row) in batch.rows::<BorrowingNested<'_>>().zip(&rows[batch.first_row() as usize..]) {
                let lent = lent.unwrap();
                let inner = |inner: &BorrowingInner<'_>| Inner { n: inner.n, name: inner.name.to_owned() };
                assert_eq!(inner(&lent.inner), row.inner);
                assert!(lent.others.iter().map(inner).eq(row.others.iter().cloned()));
                assert_eq!((lent.pair.1, lent.skipped), (&*row.pair.1, row.skipped.as_deref()));
            }
        }
    }

    #[test]
    fn rows_with_maps(rows in vec(keyed(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, OtherKeys TextAsNumbers Value BTreeMap<String, IgnoredAnyRow>);
        for batch in Reader::from_slice(&bytes).unwrap().batches().unwrap() {
            let batch = batch.unwrap();
            for (lent, row) in batch.rows::<BorrowingKeys<'_>>().zip(&rows[batch.first_row() as usize..]) {
                let lent = lent.unwrap().by_text;
                assert!(lent.iter().map(|(key, value)| (*key, value)).eq(row.by_text.iter().map(|(key, value)| (&**key, value))));
            }
        }
    }

    #[test]
    fn rows_with_enums(rows in vec(enums(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, OtherEnums OnlyUnits Value);
    }

    #[test]
    fn enums_as_rows(rows in vec(external(), ROWS)) {
        let bytes = assert_read(&rows);
        assert_same!(bytes, Two Units Value Option<External> (External,));
    }

    #[test]
    fn json_as_rows(rows in vec(plain(), ROWS)) {
        let rows: Vec<Value> = rows.iter().map(|row| serde_json::json!({
            "id": row.id, "small": row.small, "text": row.text, (row.text.clone()): row.flag,
        })).collect();
        let bytes = to_vec(&rows).unwrap();
        assert_same!(bytes, Value BTreeMap<String, Value> Flat Shuffled);
    }
}

/// A row that nothing is read of.
#[derive(Debug)]
struct IgnoredAnyRow;

impl PartialEq for IgnoredAnyRow {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<'de> Deserialize<'de> for IgnoredAnyRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

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
fn no_row_is_deserialized_more_than_twice() {
    let rows: Vec<Inner> = (0..9_000).map(|n| Inner { n, name: n.to_string() }).collect();
    let bytes = to_vec(&rows).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (number, _) in reader.rows::<ByHand<4>>().unwrap().enumerate() {
        assert!(COUNT.take() <= 2, "row {number}");
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
