//! The kinds of rows in the files. Their types stay as they are; files of other types get types of their own.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Every kind of serde value.
#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Everything {
    id: i64,
    flag: bool,
    bytes_8: (i8, u8),
    bytes_16: (i16, u16),
    bytes_32: (i32, u32),
    large: u64,
    wide: i128,
    wider: u128,
    half: f32,
    double: f64,
    letter: char,
    text: String,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    unit: (),
    nothing: Nothing,
    wrapped: Wrapped,
    maybe: Option<String>,
    twice: Option<Option<u8>>,
    array: [i16; 3],
    numbers: Vec<i32>,
    lists: Vec<Vec<Option<i64>>>,
    items: Vec<Item>,
    names: BTreeMap<String, Vec<bool>>,
    keys: BTreeMap<i32, String>,
    colour: Colour,
    choice: Choice,
    /// Absent, empty or null in the first rows, so that its type grows.
    late: Option<Vec<Option<Choice>>>,
    tree: Tree,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rare: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq)]
struct Nothing;

#[derive(Serialize, Deserialize, Clone, PartialEq)]
struct Wrapped(f64);

#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Item {
    name: String,
    count: u32,
    tags: Vec<String>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
enum Colour {
    Red,
    Green,
    Blue,
}

#[derive(Serialize, Deserialize, Clone, PartialEq)]
enum Choice {
    No,
    Maybe,
    Number(i64),
    Pair(bool, char),
    Named { name: String, more: Option<Box<Choice>> },
}

#[derive(Serialize, Deserialize, Clone, PartialEq)]
struct Tree {
    value: i32,
    children: Vec<Tree>,
}

fn choice(n: i64) -> Choice {
    match n % 5 {
        0 => Choice::No,
        1 => Choice::Number(-n),
        2 => Choice::Pair(n % 2 == 0, 'é'),
        3 => Choice::Named { name: format!("choice {n}"), more: Some(Box::new(choice(n + 1))) },
        _ => Choice::Maybe,
    }
}

fn item(n: i64) -> Item {
    Item {
        name: format!("item {}", n % 7),
        count: n as u32 * 1000,
        tags: vec!["tag".to_owned(); n as usize % 3],
    }
}

fn tree(depth: i64) -> Tree {
    Tree { value: depth as i32, children: (0..depth).map(tree).collect() }
}

pub(crate) fn everything() -> Vec<Everything> {
    (0..18).map(row).collect()
}

fn row(n: i64) -> Everything {
    let at = n as usize;
    Everything {
        id: n,
        flag: n % 3 == 0,
        bytes_8: (n as i8 - 9, 250 + n as u8 % 6),
        bytes_16: (n as i16 * -1000, 65_500 + n as u16),
        bytes_32: (i32::MIN + n as i32, u32::MAX - n as u32),
        large: u64::MAX - n as u64,
        wide: i128::MIN + i128::from(n),
        wider: u128::MAX - n as u128,
        half: n as f32 / 4.0,
        double: (n as f64 - 12.0) * 1e100,
        letter: ['a', 'ü', '√', '𝄞'][at % 4],
        text: "text ".repeat(at % 4),
        bytes: (0..n as u8 % 5).collect(),
        unit: (),
        nothing: Nothing,
        wrapped: Wrapped(n as f64 / 8.0),
        maybe: (n % 3 != 1).then(|| format!("maybe {n}")),
        // A null within a null has the same JSON as a null.
        twice: [None, Some(Some(n as u8))][at % 2],
        array: [n as i16, 0, -1],
        numbers: (0..n as i32 % 4).collect(),
        lists: (0..n % 4).map(|x| vec![None, Some(x << 40), Some(n)].split_off(x as usize % 3)).collect(),
        items: (0..n % 3).map(|x| item(n + x)).collect(),
        names: (0..n % 3).map(|x| (format!("key {x}"), vec![x == 1; at % 3])).collect(),
        keys: (0..n as i32 % 3).map(|x| (x - 1, format!("value {x}"))).collect(),
        colour: [Colour::Red, Colour::Blue, Colour::Green, Colour::Blue][at % 4],
        choice: choice(n / 2),
        late: (n > 4).then(|| (0..(n - 5) / 4 % 3).map(|x| (x == 1).then(|| choice(n))).collect()),
        tree: tree(n / 8),
        rare: (n > 8 && n % 5 == 0).then(|| "rare".to_owned()),
    }
}

/// Rows for the options of writers.
#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Order {
    id: i64,
    customer: String,
    price: f64,
    quantity: i32,
    paid: Option<bool>,
    items: Vec<Item>,
    notes: BTreeMap<String, i32>,
    colour: Colour,
}

pub(crate) fn orders() -> Vec<Order> {
    let order = |n: i64| Order {
        id: n,
        customer: format!("customer {}", n * n % 17),
        price: n as f64 / 4.0,
        quantity: [1, 100, 70_000, -3_000_000][n as usize % 4],
        paid: [None, Some(true), Some(false)][n as usize % 3],
        items: (0..n % 4).map(|x| item(n + x)).collect(),
        notes: (0..n % 2).map(|x| (format!("note {x}"), n as i32)).collect(),
        colour: [Colour::Red, Colour::Green][n as usize % 2],
    };
    (0..40).map(order).collect()
}

/// A field of which each row has another type.
#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Grown {
    id: i64,
    value: Mixed,
}

#[derive(Serialize, Deserialize, Clone, PartialEq)]
#[serde(untagged)]
enum Mixed {
    Null(()),
    Flag(bool),
    Int(i32),
    Long(i64),
    Double(f64),
    Text(String),
    Fields(BTreeMap<String, Mixed>),
    List(Vec<Mixed>),
}

pub(crate) fn grown() -> Vec<Grown> {
    let value = |n: i64| match n / 4 {
        0 => Mixed::Null(()),
        1 => Mixed::Int(n as i32),
        2 => Mixed::Long(n << 40),
        3 => Mixed::Text(format!("text {n}")),
        4 => Mixed::List(vec![Mixed::Flag(n % 2 == 0), Mixed::Int(1)]),
        5 => Mixed::Fields(BTreeMap::from([("field".to_owned(), Mixed::Double(n as f64 + 0.5))])),
        _ => Mixed::Flag(n % 3 == 0),
    };
    (0..32).map(|n| Grown { id: n, value: value(n) }).collect()
}

/// Values of logical types.
#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Logicals {
    id: i64,
    day: i32,
    time: i32,
    at: Option<i64>,
    local: i64,
    uuid: String,
    #[serde(with = "serde_bytes")]
    price: Vec<u8>,
    #[serde(with = "serde_bytes")]
    span: Vec<u8>,
    cents: Vec<u64>,
}

pub(crate) fn logicals() -> Vec<Logicals> {
    let row = |n: i64| Logicals {
        id: n,
        day: 15_000 + n as i32,
        time: 1_000 * n as i32,
        at: (n % 3 > 0).then_some(1_000_000 * n),
        local: -n,
        uuid: format!("00000000-0000-0000-0000-0000000000{n:02}"),
        price: vec![n as u8, 255 - n as u8],
        span: (0..12).map(|x| x + n as u8).collect(),
        cents: (0..n as u64 % 4).map(|x| u64::MAX - x).collect(),
    };
    (0..30).map(row).collect()
}

/// Lists of the same length.
#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Point {
    id: i64,
    point: Vec<f64>,
}

pub(crate) fn points() -> Vec<Point> {
    (0..30).map(|n| Point { id: n, point: vec![n as f64, 0.5, -1.0] }).collect()
}

/// Rows that are no records.
pub(crate) fn choices() -> Vec<Option<(u8, Vec<String>)>> {
    (0..20).map(|n| (n % 3 > 0).then(|| (n, vec![format!("text {n}"); usize::from(n % 4)]))).collect()
}

/// Large numbers.
#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Hash {
    id: i64,
    hash: u64,
    short: i32,
    maybe: Option<i64>,
    list: Vec<i32>,
}

pub(crate) fn hashes() -> Vec<Hash> {
    let hash = |n: i64| Hash {
        id: n,
        hash: u64::MAX - n as u64,
        short: i32::MAX - 99 + n as i32,
        maybe: (n % 3 > 0).then_some(i64::MIN + n),
        list: vec![i32::MIN + n as i32; n as usize % 3],
    };
    (0..40).map(hash).collect()
}

/// Values for each form of a typed block.
#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Form {
    id: i64,
    same: i32,
    few_bits: i32,
    mostly_few_bits: i64,
    hour: i64,
    one_of_some: i64,
    price: f64,
    mostly_price: f64,
    short_price: f32,
    root: f64,
    one_of_some_roots: f32,
    flag: bool,
    maybe: Option<bool>,
    flags: Vec<bool>,
    airport: String,
    link: String,
    words: String,
    syllables: String,
    notice: Option<String>,
}

pub(crate) fn forms() -> Vec<Form> {
    let words = "the column of a file has values of one type each and readers want some of them".split(' ');
    let words: Vec<&str> = words.collect();
    let word = |n: usize| words[n * n % words.len()];
    // In an order that does not come again.
    let syllable =
        |n: usize| ["ka", "ni", "to", "re", "mu", "so", "li", "ve"][(n * n * n + n / 5) * 7919 % 8191 % 8];
    let form = |n: usize| {
        // In no order.
        let any = n * 7919 % 1100;
        let root = (any as f64).sqrt();
        Form {
            id: n as i64,
            same: -7,
            few_bits: any as i32 % 32,
            mostly_few_bits: if any % 90 == 1 { i64::MIN + n as i64 } else { any as i64 % 8 },
            hour: 1_356_998_400_000 + any as i64 * 3_600_000,
            one_of_some: [i64::MAX, -1, 40_000_000_000, 0][any % 4],
            price: any as f64 / 100.0,
            mostly_price: if any % 50 == 2 { -0.0 } else { any as f64 / 4.0 },
            short_price: any as f32 / 10.0,
            root,
            one_of_some_roots: (any as f32 % 3.0).sqrt(),
            flag: n > 600,
            maybe: (!n.is_multiple_of(3)).then_some(any.is_multiple_of(2)),
            flags: vec![any.is_multiple_of(5); any % 4],
            airport: ["EWR", "JFK", "LGA"][any % 3].to_owned(),
            link: format!("https://example.org/{n:06}"),
            words: format!("{} {} {}", word(any), word(any + 3), word(n / 2 + any)),
            syllables: (0..6).map(|at| syllable(n * 7 + at)).collect(),
            notice: n
                .is_multiple_of(10)
                .then(|| format!("{n}: {}", "this notice comes again and again, ".repeat(5))),
        }
    };
    (0..1100).map(form).collect()
}

/// Values that come again in the same order, so that typed blocks have copies.
#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) struct Repeat {
    id: i64,
    list: Vec<i64>,
    number: i32,
    price: f64,
    root: f64,
    name: String,
    maybe: Option<i64>,
}

pub(crate) fn repeats() -> Vec<Repeat> {
    let row = |n: i64| {
        // One of nine lists, and every other value as it was 42 rows before.
        let (pick, place) = (n * n % 31 % 9, n % 42);
        Repeat {
            id: n,
            list: (0..pick * 5).map(|at| (pick + 1) * 7_919_777_777 * (at + 3)).collect(),
            number: (place * 7919 % 997) as i32,
            price: (place * 104_729 % 9973) as f64 / 100.0,
            root: ((place + 1) as f64).sqrt(),
            name: format!("name {}", place * 31 % 37),
            maybe: (place % 3 > 0).then_some(place << 40),
        }
    };
    (0..500).map(row).collect()
}
