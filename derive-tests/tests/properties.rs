//! Random rows come back equal, whatever the batch length, block size, codec, checksum and width of integers.

use std::cell::Cell;
use std::collections::BTreeMap;

use derive_tests::{Settings, assert_same_json, read_rows, write_with};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use proptest::sample::select;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use serde_json::Value;
use trevni::formats::{Layout, RedElmFooter};
use trevni::{Checksum, Codec, Dialect};

fn settings() -> impl Strategy<Value = Settings> {
    let available = Codec::ALL.into_iter().filter(|codec| codec.is_available());
    let codec = select(available.collect::<Vec<Codec>>());
    let checksum = prop_oneof![Just(Checksum::Null), Just(Checksum::Crc32)];
    let layout = prop_oneof![Just(Layout::LevelsFirst), Just(Layout::ValuesFirst)];
    let footer = select(vec![RedElmFooter::Json, RedElmFooter::GzippedJson, RedElmFooter::Java]);
    (codec, checksum, 1_usize..8, 16_usize..4096, any::<bool>(), 0..3, layout, footer).prop_map(
        |(codec, checksum, batch_rows, block_size, fixed_integers, dialect, layout, footer)| Settings {
            codec,
            checksum,
            batch_rows,
            block_size,
            fixed_integers,
            // Not all codecs are those of all dialects.
            dialect: match codec {
                Codec::Null | Codec::Deflate | Codec::Snappy | Codec::Bzip2 if dialect == 1 => {
                    Dialect::Levels
                }
                codec if Dialect::RedElm.codecs().contains(&codec) && dialect == 2 => Dialect::RedElm,
                _ => Dialect::Trevni,
            },
            layout,
            footer,
            row_group: 1 << 20,
        },
    )
}

fn assert_equal_after<T>(rows: &[T], settings: Settings)
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    ONE_NAN.set(settings.dialect == Dialect::RedElm);
    let bytes = write_with(rows, settings).unwrap();
    assert_eq!(trevni::from_slice::<Vec<T>>(&bytes).unwrap(), rows, "from_slice");
    assert_eq!(read_rows::<T>(&bytes).unwrap(), rows, "Reader::rows");
    let json: Value = trevni::from_slice(&bytes).unwrap();
    assert_same_json(json, serde_json::to_value(rows).unwrap(), "as serde_json::Value");
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-c]{1,3}", "\\PC{0,12}", Just("\0".to_string())]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![8 => "[a-d]", 1 => Just(String::new()), 1 => Just("a.b".into()), 1 => Just("a>b".into()), 1 => text()]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3_i64..3).prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-3_i64..3).prop_map(|n| Value::from(n as f64)),
        any::<f64>().prop_filter_map("finite", |x| x.is_finite().then(|| Value::from(x))),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        3 => number(),
        2 => text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(key(), inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    btree_map(key(), value(), 0..5).prop_map(|map| Value::Object(map.into_iter().collect()))
}

thread_local! {
    /// Whether one NaN stands for all, as in RedElm.
    static ONE_NAN: Cell<bool> = const { Cell::new(false) };
}

/// A double that is equal to itself bit by bit.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
struct Double(f64);

impl PartialEq for Double {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits() || ONE_NAN.get() && self.0.is_nan() && other.0.is_nan()
    }
}

/// A float that is equal to itself bit by bit.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
struct Single(f32);

impl PartialEq for Single {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits() || ONE_NAN.get() && self.0.is_nan() && other.0.is_nan()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum External {
    Unit,
    Other,
    New(Option<i64>),
    Tuple(u8, Vec<String>),
    Struct { a: Double, b: Option<Box<External>> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    Number { v: i32 },
    Text { v: String, w: Option<bool> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    New(Vec<Option<u32>>),
    Pair(i8, char),
    Struct { a: u64 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Int(i64),
    Float(Double),
    Text(String),
    List(Vec<i64>),
    Struct { a: bool },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Tree {
    n: u16,
    children: Vec<Tree>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Scalars {
    id: u64,
    small: i8,
    long: i64,
    flag: bool,
    letter: char,
    text: String,
    bytes: ByteBuf,
    single: Single,
    double: Double,
    unit: (),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Nested {
    maybe: Option<i32>,
    twice: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skipped: Option<Vec<i16>>,
    lists: Vec<Vec<Option<i64>>>,
    by_text: BTreeMap<String, Vec<Double>>,
    by_number: BTreeMap<i32, Option<u8>>,
    tuple: (bool, String, [u16; 3]),
    tree: Tree,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Enums {
    external: External,
    internal: Option<Internal>,
    adjacent: Vec<Adjacent>,
    untagged: BTreeMap<String, Untagged>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Rich {
    scalars: Scalars,
    nested: Option<Nested>,
    enums: Vec<Enums>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Place {
    layers: Option<Option<i32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
    list: Vec<External>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Flat {
    first: i32,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn double() -> impl Strategy<Value = Double> {
    any::<u64>().prop_map(|bits| Double(f64::from_bits(bits)))
}

fn external() -> impl Strategy<Value = External> {
    let leaf = prop_oneof![
        Just(External::Unit),
        Just(External::Other),
        any::<Option<i64>>().prop_map(External::New),
        (any::<u8>(), vec(text(), 0..3)).prop_map(|(a, b)| External::Tuple(a, b)),
    ];
    leaf.prop_recursive(3, 4, 1, |inner| {
        (double(), option::of(inner.prop_map(Box::new))).prop_map(|(a, b)| External::Struct { a, b })
    })
}

fn internal() -> impl Strategy<Value = Internal> {
    prop_oneof![
        Just(Internal::Unit),
        any::<i32>().prop_map(|v| Internal::Number { v }),
        (text(), any::<Option<bool>>()).prop_map(|(v, w)| Internal::Text { v, w }),
    ]
}

fn adjacent() -> impl Strategy<Value = Adjacent> {
    prop_oneof![
        Just(Adjacent::Unit),
        vec(any::<Option<u32>>(), 0..4).prop_map(Adjacent::New),
        any::<(i8, char)>().prop_map(|(a, b)| Adjacent::Pair(a, b)),
        any::<u64>().prop_map(|a| Adjacent::Struct { a }),
    ]
}

fn untagged() -> impl Strategy<Value = Untagged> {
    prop_oneof![
        any::<i64>().prop_map(Untagged::Int),
        double().prop_map(Untagged::Float),
        text().prop_map(Untagged::Text),
        vec(any::<i64>(), 0..4).prop_map(Untagged::List),
        any::<bool>().prop_map(|a| Untagged::Struct { a }),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = any::<u16>().prop_map(|n| Tree { n, children: vec![] });
    leaf.prop_recursive(4, 12, 3, |inner| {
        (any::<u16>(), vec(inner, 0..4)).prop_map(|(n, children)| Tree { n, children })
    })
}

fn scalars() -> impl Strategy<Value = Scalars> {
    let numbers = (any::<u64>(), any::<i8>(), any::<i64>(), any::<u32>(), double());
    let others = (any::<bool>(), any::<char>(), text(), vec(any::<u8>(), 0..20));
    (numbers, others).prop_map(|((id, small, long, bits, double), (flag, letter, text, bytes))| Scalars {
        id,
        small,
        long,
        flag,
        letter,
        text,
        bytes: ByteBuf::from(bytes),
        single: Single(f32::from_bits(bits)),
        double,
        unit: (),
    })
}

fn nested() -> impl Strategy<Value = Nested> {
    let options = (any::<Option<i32>>(), option::of(option::of(text())), option::of(vec(any::<i16>(), 0..4)));
    let lists = vec(vec(any::<Option<i64>>(), 0..3), 0..3);
    let maps =
        (btree_map(text(), vec(double(), 0..3), 0..3), btree_map(any::<i32>(), any::<Option<u8>>(), 0..3));
    let tuple = (any::<bool>(), text(), any::<[u16; 3]>());
    (options, lists, maps, tuple, tree()).prop_map(
        |((maybe, twice, skipped), lists, (by_text, by_number), tuple, tree)| Nested {
            maybe,
            twice,
            skipped,
            lists,
            by_text,
            by_number,
            tuple,
            tree,
        },
    )
}

fn enums() -> impl Strategy<Value = Enums> {
    (external(), option::of(internal()), vec(adjacent(), 0..3), btree_map(text(), untagged(), 0..3))
        .prop_map(|(external, internal, adjacent, untagged)| Enums { external, internal, adjacent, untagged })
}

fn rich() -> impl Strategy<Value = Rich> {
    (scalars(), option::of(nested()), vec(enums(), 0..3)).prop_map(|(scalars, nested, enums)| Rich {
        scalars,
        nested,
        enums,
    })
}

fn flat() -> impl Strategy<Value = Flat> {
    let place = (any::<Option<Option<i32>>>(), any::<Option<u64>>(), vec(external(), 0..3))
        .prop_map(|(layers, skipped, list)| Place { layers, skipped, list });
    (any::<i32>(), place, btree_map("[a-d]", value(), 0..3)).prop_map(|(first, place, rest)| Flat {
        first,
        place,
        rest,
    })
}

#[derive(Debug, PartialEq, Deserialize)]
struct Head {
    scalars: HeadScalars,
    enums: Vec<HeadEnums>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct HeadScalars {
    text: String,
    id: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
struct HeadEnums {
    internal: Option<Internal>,
}

fn head(row: &Rich) -> Head {
    Head {
        scalars: HeadScalars { text: row.scalars.text.clone(), id: row.scalars.id },
        enums: row.enums.iter().map(|e| HeadEnums { internal: e.internal.clone() }).collect(),
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn json_values(rows in vec(value(), 0..12), settings in settings()) {
        assert_equal_after(&rows, settings);
    }

    #[test]
    fn json_objects(rows in vec(object(), 0..12), settings in settings()) {
        assert_equal_after(&rows, settings);
    }

    #[test]
    fn rich_structs(rows in vec(rich(), 0..12), settings in settings()) {
        assert_equal_after(&rows, settings);
    }

    #[test]
    fn enums_of_four_taggings(rows in vec(enums(), 0..24), settings in settings()) {
        assert_equal_after(&rows, settings);
    }

    #[test]
    fn flattened_structs(rows in vec(flat(), 0..12), settings in settings()) {
        assert_equal_after(&rows, settings);
    }

    #[test]
    fn long_lists_of_small_rows(rows in vec(any::<(Option<i32>, bool, i64)>(), 0..400), settings in settings()) {
        assert_equal_after(&rows, settings);
    }

    #[test]
    fn wide_integers(rows in vec(any::<(i128, Option<u128>)>(), 0..24), settings in settings()) {
        let bytes = write_with(&rows, settings).unwrap();
        assert_eq!(trevni::from_slice::<Vec<(i128, Option<u128>)>>(&bytes).unwrap(), rows);
    }

    #[test]
    fn fewer_fields_of_rich_structs(rows in vec(rich(), 0..12), settings in settings()) {
        let bytes = write_with(&rows, settings).unwrap();
        let expected: Vec<Head> = rows.iter().map(head).collect();
        assert_eq!(trevni::from_slice::<Vec<Head>>(&bytes).unwrap(), expected);
    }
}
