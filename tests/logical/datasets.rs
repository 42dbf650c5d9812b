//! Datasets whose parts store the same texts in different ways, and merges of such files.

use super::detect::{formats, logical_at};
use super::{Row, file, of_schema, rows};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use trevni::merge::Merge;
use trevni::shape::Logical;
use trevni::{Dataset, DatasetWriter, Dialect, Predicate, Reader, Shape, Writer, WriterBuilder, col};

fn detecting() -> WriterBuilder {
    Writer::builder().detect_logical()
}

/// Files of these texts, one for each part and with a format in turn; detected, or all as texts.
fn parts(all: &[Vec<&str>], detect: bool) -> Vec<Vec<u8>> {
    let formats = formats();
    let part = |(number, texts): (usize, &Vec<&str>)| {
        let builder = formats[number % formats.len()].clone().batch_rows(2).block_size(20);
        file(if detect { builder.detect_logical() } else { builder }, &rows(texts))
    };
    all.iter().enumerate().map(part).collect()
}

fn dataset(files: &[Vec<u8>]) -> Dataset<'_> {
    Dataset::from_readers(files.iter().map(|file| Reader::from_slice(file).unwrap()).collect()).unwrap()
}

fn shape(all: &[Vec<&str>]) -> Shape {
    match dataset(&parts(all, true)).shape() {
        Shape::Record(record) => record.fields[0].shape.clone(),
        other => other.clone(),
    }
}

fn of(logical: Logical) -> Option<Logical> {
    Some(logical)
}

#[test]
fn the_common_shape_is_what_all_parts_are() {
    for (all, expected) in [
        (vec![vec!["2013-06-01"], vec!["2013-06-02"]], of(Logical::Date)),
        (vec![vec!["2013-06-01"], vec!["soon"]], None),
        (vec![vec!["soon"], vec!["2013-06-01"], vec!["1.50"]], None),
        (vec![vec!["2013-06-01"], vec!["1.50"]], None),
        (vec![vec!["2013-06-01T05:00:00Z"], vec!["2013-06-01T05:00:00"]], None),
        (
            vec![vec!["2013-06-01T05:00:00.000250Z"], vec!["2013-06-01T05:00:00Z"]],
            of(Logical::TimestampMicros),
        ),
        (vec![vec!["05:00:00"], vec!["05:00:00.000000001"]], of(Logical::TimeNanos)),
        (vec![vec!["1.50"], vec!["-123.50"], vec!["0.01"]], of(Logical::Decimal { precision: 5, scale: 2 })),
        (vec![vec!["1.50"], vec!["1.5"]], None),
    ] {
        let shape = shape(&all);
        assert_eq!(logical_at(&shape, &[]), expected, "{all:?}");
        assert!(expected.is_some() || shape == Shape::String, "{shape}");
    }
}

/// What a dataset says of a predicate.
fn matching(files: &[Vec<u8>], predicate: Predicate) -> Result<Vec<String>, String> {
    let filtered = dataset(files).filter(predicate).map_err(|error| error.to_string())?;
    let rows: Result<Vec<Row<String>>, _> = filtered.rows().unwrap().collect();
    let texts: Vec<String> = rows.unwrap().into_iter().map(|row| row.v).collect();
    assert_eq!(filtered.matching().unwrap().row_count() as usize, texts.len());
    let column = filtered.column::<String>("v").unwrap();
    assert_eq!(column, texts);
    Ok(texts)
}

const POOL: [&str; 17] = [
    "2013-06-01",
    "2013-06-02",
    "1969-12-31",
    "-0044-03-15",
    "+10000-01-01",
    "2013-06-01T05:00:00Z",
    "2013-06-01T00:00:00Z",
    "2013-06-01T05:00:00.000250Z",
    "1.50",
    "-12.50",
    "100.25",
    "9.99",
    "05:00:00",
    "PT5M",
    "67e55044-10b1-426f-9247-bb680e5fe0c8",
    "soon",
    "",
];

fn predicates() -> impl Strategy<Value = Predicate> {
    let literal = || prop_oneof![select(POOL.to_vec()), select(vec!["2013", "2013-06-01T06", "1", "-", "z"])];
    (0..8_u8, literal(), literal()).prop_map(|(kind, one, two)| {
        let v = || col("v");
        match kind {
            0 => v().eq(one),
            1 => v().ne(one),
            2 => v().lt(one),
            3 => v().le(one),
            4 => v().gt(one) | v().eq(two),
            5 => v().ge(one) & v().lt(two),
            6 => !v().is_in([one, two]),
            _ => v().starts_with(one),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn texts_beside_other_types_are_compared_as_texts(
        firsts in prop::collection::vec((0..POOL.len(), 1..3_usize, 1..5_usize), 1..4),
        predicates in prop::collection::vec(predicates(), 4),
    ) {
        // The last part is text, so the whole is.
        let mut all: Vec<Vec<&str>> = firsts
            .into_iter()
            .map(|(first, kinds, count)| {
                POOL.iter().cycle().skip(first).take(kinds).copied().cycle().take(count).collect()
            })
            .collect();
        all.push(vec!["soon", "2013-06-01", "1.50", "2013-06-01T05:00:00Z"]);
        all.rotate_right(1);
        let (plain, detected) = (parts(&all, false), parts(&all, true));
        let texts: Vec<String> = all.concat().into_iter().map(str::to_owned).collect();
        let (plain_set, set) = (dataset(&plain), dataset(&detected));
        prop_assert_eq!(set.shape(), plain_set.shape());
        prop_assert_eq!(&set.column::<String>("v").unwrap(), &texts);
        let values: Vec<Value> = set.rows().unwrap().collect::<trevni::Result<_>>().unwrap();
        let expected: Vec<Value> = texts.iter().map(|v| json!({"v": v})).collect();
        prop_assert_eq!(&values, &expected);
        let projected: Vec<Row<String>> =
            set.project(["v"]).unwrap().rows().unwrap().collect::<trevni::Result<_>>().unwrap();
        prop_assert_eq!(projected, rows(&texts));
        for predicate in predicates {
            prop_assert_eq!(
                matching(&detected, predicate.clone()), matching(&plain, predicate.clone()), "{}", predicate
            );
        }
    }
}

#[test]
fn values_of_one_kind_are_compared_as_such() {
    // As text, 9.99 is greater than 100.25.
    let files = parts(&[vec!["9.99"], vec!["100.25", "-12.50"]], true);
    assert_eq!(matching(&files, col("v").gt("10")).unwrap(), ["100.25"]);
    let files = parts(&[vec!["2013-06-01T00:00:00Z"], vec!["2013-06-01T05:00:00.000250Z"]], true);
    let all = ["2013-06-01T00:00:00Z", "2013-06-01T05:00:00.000250Z"];
    assert_eq!(matching(&files, col("v").ge("2013-06-01")).unwrap(), all);
    assert_eq!(matching(&files, col("v").eq("2013-06-01T05:00:00.000250Z")).unwrap(), all[1..]);
    assert_eq!(matching(&files, col("v").lt("2013-06-01T00:00:00.000001Z")).unwrap(), all[..1]);
}

#[test]
fn options_lists_and_maps_are_compared_too() {
    let write = |items: Vec<Option<Value>>| file(detecting(), &rows(&items));
    for wrap in [|text: &str| json!([text, null]), |text: &str| json!({"k": text})] {
        let files = [
            write(vec![Some(wrap("2013-06-01")), None, Some(wrap("2013-06-02"))]),
            write(vec![Some(wrap("soon")), Some(wrap("2013-06-02"))]),
        ];
        let predicate = match wrap("x") {
            Value::Array(_) => col("v").any(trevni::item().eq("2013-06-02")),
            _ => col("v").any(col("value").eq("2013-06-02")),
        };
        let found = dataset(&files).filter(predicate).unwrap().matching().unwrap();
        assert_eq!(found.ranges(), [2..3, 4..5]);
    }
}

#[test]
fn parts_that_show_what_is_stored_have_no_texts() {
    let foreign = {
        let mut writer = Writer::builder()
            .schema(r#"{"type":"record","name":"R","fields":[{"name":"v","type":{"type":"int","logicalType":"date"}}]}"#)
            .build(Vec::new())
            .unwrap();
        writer.write(&Row { v: "2013-06-01" }).unwrap();
        writer.finish().unwrap()
    };
    let text = file(Writer::builder(), &rows(&["soon"]));
    let open = |texts: bool| {
        let builder = || match texts {
            true => Reader::builder().logical_text(),
            false => Reader::builder(),
        };
        let readers = [&foreign, &text].map(|file| builder().source(file.as_slice()).unwrap());
        let dataset = Dataset::from_readers(readers.to_vec()).unwrap();
        match texts {
            true => assert_eq!(dataset.column::<String>("v").unwrap(), ["2013-06-01", "soon"]),
            false => assert_eq!(dataset.column::<Option<i32>>("v.int").unwrap(), [Some(15_857), None]),
        }
        dataset.rows().unwrap().collect::<trevni::Result<Vec<Value>>>().unwrap()
    };
    assert_eq!(open(false), [json!({"v": 15_857}), json!({"v": "soon"})]);
    assert_eq!(open(true), [json!({"v": "2013-06-01"}), json!({"v": "soon"})]);
}

#[test]
fn each_part_decides_alone() {
    let folder = std::env::temp_dir().join(format!("trevni-detect-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let options = || DatasetWriter::builder().part_rows(3).writer(detecting());
    let texts = [
        "2013-06-01",
        "2013-06-02",
        "2013-06-03",
        "soon",
        "2013-06-04",
        "2013-06-05",
        "2013-06-06",
        "2013-06-07",
    ];
    let mut writer = options().create(&folder).unwrap();
    writer.write_all(rows(&texts)).unwrap();
    writer.finish().unwrap();
    let mut writer = options().append(&folder).unwrap();
    writer.write_all(rows(&["1.50"; 2])).unwrap();
    writer.finish().unwrap();
    let dataset = Dataset::open(&folder).unwrap();
    let found: Vec<Option<Logical>> =
        dataset.parts().iter().map(|part| logical_at(part.reader().shape(), &["v"])).collect();
    let decimal = Logical::Decimal { precision: 3, scale: 2 };
    assert_eq!(found, [Some(Logical::Date), None, Some(Logical::Date), Some(decimal)]);
    let read: Vec<Row<String>> = dataset.rows().unwrap().collect::<trevni::Result<_>>().unwrap();
    assert_eq!(
        read.iter().map(|row| row.v.as_str()).collect::<Vec<_>>(),
        [&texts[..], &["1.50"; 2]].concat()
    );
    let later = dataset.filter(col("v").gt("2013-06-05")).unwrap();
    assert_eq!(later.column::<String>("v").unwrap(), ["soon", "2013-06-06", "2013-06-07"]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_of_several_types_are_merged() {
    let of = |texts: &[&str]| file(detecting(), &rows(texts));
    for (one, two, stored) in [
        ("2013-06-01T05:00:00Z", "2013-06-01T05:00:00.000250Z", "timestamp-micros (long)"),
        ("1.50", "1.500", "string"),
        ("1.50", "100.50", "decimal(5, 2) (bytes)"),
        ("2013-06-01", "05:00:00", "string"),
        ("2013-06-01T05:00:00Z", "2013-06-01T05:00:00", "string"),
        ("2013-06-01", "soon", "string"),
        ("soon", "1.50", "string"),
        ("2013-06-01", "2013-06-02", "date (int)"),
    ] {
        for texts in [[one, two], [two, one]] {
            for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
                let files = texts.map(|text| of(&[text]));
                let readers = files.each_ref().map(|file| Reader::from_slice(file).unwrap());
                let mut merged = Vec::new();
                Merge::new().dialect(dialect).write(&readers, &mut merged).unwrap();
                let read: Vec<Row<String>> = trevni::from_slice(&merged).unwrap();
                assert_eq!(read, rows(&texts.map(str::to_owned)));
                let values: Vec<Value> = trevni::from_slice(&merged).unwrap();
                assert_eq!(values, texts.map(|text| json!({ "v": text })));
                let shape = Reader::from_slice(&merged).unwrap().shape().to_string();
                assert!(shape.ends_with(&format!("v: {stored}")), "{shape}");
            }
        }
    }
    // Dates beside plain numbers are what rows show of them.
    let plain = file(of_schema("\"int\""), &rows(&[1]));
    let date = file(of_schema(r#"{"type": "int", "logicalType": "date"}"#), &rows(&[1]));
    let readers = [&plain, &date].map(|file| Reader::from_slice(file).unwrap());
    let mut merged = Vec::new();
    assert_eq!(Merge::new().write(&readers, &mut merged).unwrap().rows, 2);
    assert_eq!(
        trevni::from_slice::<Vec<Value>>(&merged).unwrap(),
        [json!({"v": 1}), json!({"v": "1970-01-02"})]
    );
}
