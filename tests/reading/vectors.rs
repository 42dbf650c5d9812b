//! Vectors as they are decoded fastest have the rows that all other ways of reading give.

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use trevni::reader::Decoded;
use trevni::{Codec, Predicate, Reader, Vector, Writer, WriterBuilder, col, item};

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Row {
    number: i64,
    /// Of a small pool, and mostly the same.
    word: String,
    maybe: Option<String>,
    words: Vec<String>,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    /// All different.
    own: String,
}

fn written<T: Serialize>(rows: &[T], builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// Those whose blocks may have lists of texts come last.
const CODECS: [Codec; 5] =
    [Codec::Null, Codec::Zstandard, Codec::Archive, Codec::Typed, Codec::TypedZstandard];

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", "AA", "UA", "é", "a longer one that is no short view", "AA"])
        .prop_map(str::to_owned)
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let row = (
        -3i64..3,
        word(),
        prop::option::of(word()),
        prop::collection::vec(word(), 0..3),
        prop::collection::vec(0u8..2, 0..2),
    );
    prop::collection::vec(row, 1..400).prop_map(|rows| {
        let row = |(place, (number, word, maybe, words, bytes))| {
            let own = format!("own {place}");
            Row { number, word, maybe, words, bytes, own }
        };
        rows.into_iter().enumerate().map(row).collect()
    })
}

fn predicates() -> impl Strategy<Value = Option<Predicate>> {
    let text = |field: &'static str| {
        word().prop_flat_map(move |word| {
            let of = |predicate: fn(&'static str, &str) -> Predicate| predicate(field, &word);
            prop::sample::select(vec![
                of(|field, word| col(field).eq(word.to_owned())),
                of(|field, word| col(field).ne(word.to_owned())),
                of(|field, word| col(field).ge(word.to_owned())),
                of(|field, word| col(field).starts_with(word)),
            ])
        })
    };
    let one = prop_oneof![
        (-3i64..3).prop_map(|number| col("number").eq(number)),
        text("word"),
        text("maybe"),
        text("own"),
        word().prop_map(|word| col("words").any(item().eq(word))),
        Just(col("bytes").eq(vec![1u8])),
        Just(col("maybe").is_null()),
    ];
    prop::option::of(prop::collection::vec(one, 1..3).prop_map(|all| {
        let mut all = all.into_iter();
        let first = all.next().unwrap();
        all.fold(first, |both, one| both & one)
    }))
}

/// An entry of a vector, as JSON.
fn shown(vector: &Vector, index: usize) -> String {
    let bytes = |bytes: &[u8]| format!("{:?}", String::from_utf8_lossy(bytes));
    match vector {
        // A field that is `None` in each row has the type null.
        Vector::Null(_) => "[]".to_owned(),
        Vector::Long(values) => values[index].to_string(),
        Vector::String(values) => bytes(values.get(index).unwrap().as_bytes()),
        Vector::Bytes(values) => bytes(values.get(index).unwrap()),
        Vector::Dictionary(values) => {
            bytes(values.dictionary().values().get(values.keys()[index] as usize).unwrap())
        }
        Vector::List(list) | Vector::Optional(list) => {
            let items: Vec<String> =
                list.offsets.range(index).unwrap().map(|at| shown(&list.item, at)).collect();
            format!("{items:?}")
        }
        Vector::Record(record) => record.fields.iter().map(|field| shown(field, index) + "; ").collect(),
        other => panic!("{other:?}"),
    }
}

fn wanted(decoded: &Decoded) -> Vec<String> {
    let rows = decoded.wanted.iter().cloned().flatten();
    rows.map(|row| shown(&decoded.vector, row)).collect()
}

fn as_vectors(rows: &[Row]) -> Vec<String> {
    let text = |text: &str| format!("{text:?}");
    let list = |texts: Vec<String>| format!("{texts:?}");
    let row = |row: &Row| {
        [
            row.number.to_string(),
            text(&row.word),
            list(row.maybe.iter().map(|word| text(word)).collect()),
            list(row.words.iter().map(|word| text(word)).collect()),
            text(&String::from_utf8_lossy(&row.bytes)),
            text(&row.own),
        ]
        .map(|field| field + "; ")
        .concat()
    };
    rows.iter().map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn wanted_rows_are_the_rows(
        rows in rows(),
        predicate in predicates(),
        codec in prop::sample::select(&CODECS[..]),
        block_size in prop::sample::select(vec![40usize, 300, 1 << 20]),
        batch_rows in prop::sample::select(vec![1usize, 7, 64, 8192]),
        from in 0u64..100,
        as_bytes: bool,
    ) {
        let file = written(&rows, Writer::builder().codec(codec).block_size(block_size));
        let mut reader = Reader::from_slice(&file).unwrap();
        reader = reader.select(from.min(reader.row_count())..reader.row_count()).unwrap();
        if let Some(predicate) = predicate {
            reader = reader.filter(predicate).unwrap();
        }
        let expected: Vec<Row> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
        let of = if as_bytes { reader.texts_as_bytes() } else { reader };
        let mut found = Vec::new();
        for decoded in of.vectors().unwrap().batch_rows(batch_rows) {
            found.extend(wanted(&decoded.unwrap()));
        }
        prop_assert_eq!(found, as_vectors(&expected));
    }
}

#[test]
fn blocks_with_lists_of_texts_give_dictionaries() {
    let rows: Vec<(String, i32)> = (0..50_000).map(|n| (format!("word {}", n % 10), n)).collect();
    for &codec in &CODECS[3..] {
        let file = written(&rows, Writer::builder().codec(codec));
        let reader = Reader::from_slice(&file).unwrap();
        let mut dictionaries = Vec::new();
        for decoded in reader.vectors().unwrap() {
            let Vector::Record(record) = decoded.unwrap().vector else { panic!() };
            let Vector::Dictionary(words) = &record.fields[0] else { panic!("{:?}", record.fields[0]) };
            assert!(words.dictionary().values().len() == 10 && words.len() == record.len);
            dictionaries.push(words.dictionary().clone());
        }
        assert!(dictionaries.len() > 3);
        assert!(dictionaries.windows(2).any(|pair| std::sync::Arc::ptr_eq(&pair[0], &pair[1])));
        // Plain blocks have none.
        let plain = trevni::to_vec(&rows).unwrap();
        let decoded = Reader::from_slice(&plain).unwrap().vectors().unwrap().next().unwrap().unwrap();
        let Vector::Record(record) = decoded.vector else { panic!() };
        assert!(matches!(&record.fields[0], Vector::String(_)));
    }
}

#[test]
fn blocks_of_a_column_share_the_dictionary_that_they_have_in_common() {
    // Blocks of a thousand rows; in some of them other words.
    let words = |block: usize| if block % 4 == 3 { ["x", "y"] } else { ["a", "b"] };
    let rows: Vec<Option<&str>> =
        (0..40_000).map(|n| (n % 3 > 0).then(|| words(n / 10_000)[(n * 2_654_435_761) >> 9 & 1])).collect();
    let file = written(&rows, Writer::builder().codec(Codec::Typed).block_size(1000));
    let reader = Reader::from_slice(&file).unwrap();
    let (mut found, mut dictionaries) = (Vec::new(), Vec::new());
    for decoded in reader.vectors().unwrap().batch_rows(500) {
        let Vector::Optional(list) = decoded.unwrap().vector else { panic!() };
        let Vector::Dictionary(words) = &list.item else { continue };
        found.extend(words.to_values().iter().map(<[u8]>::to_vec));
        let is_known = |known: &std::sync::Arc<_>| std::sync::Arc::ptr_eq(known, words.dictionary());
        if !dictionaries.iter().any(is_known) {
            dictionaries.push(words.dictionary().clone());
        }
    }
    // One before the other words, and one of these; what a block has of both is in no dictionary.
    assert_eq!(dictionaries.len(), 2);
    assert!(found.len() > 25_000 && found.iter().filter(|word| **word == b"x").count() > 2_500);
    let back: Vec<Option<String>> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
    assert!(back.iter().map(Option::as_deref).eq(rows.iter().copied()));
}

#[test]
fn few_rows_between_wanted_ones_are_decoded_too() {
    let file = trevni::to_vec((0..10_000).map(|n| (n, n % 2))).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let even = reader.filter(col("_1").eq(0)).unwrap();
    let decoded = even.vectors().unwrap().next().unwrap().unwrap();
    assert!(decoded.vector.len() > decoded.wanted.len() && decoded.wanted[..3] == [0..1, 2..3, 4..5]);
    let far = reader.select((0..100).map(|n| n * 100..n * 100 + 1).collect::<Vec<_>>()).unwrap();
    let decoded = far.vectors().unwrap().next().unwrap().unwrap();
    assert!(decoded.wanted.len() == 1 && decoded.wanted[0] == (0..decoded.vector.len()));
}
