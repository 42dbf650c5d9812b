//! Files of all formats of the family into one of any: the same rows.

use crate::{Folder, merged, read};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use trevni::merge::{Merge, Split};
use trevni::{Dialect, Reader, Shape, Writer, col};

pub(crate) const DIALECTS: [Dialect; 3] = [Dialect::Trevni, Dialect::Levels, Dialect::RedElm];

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Kind {
    Plain,
    Other,
    Number(i64),
    Named { name: String, more: Option<Box<Kind>> },
}

/// What a format may find hard.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Row {
    id: u64,
    wide: i128,
    half: f32,
    name: Option<String>,
    twice: Option<Option<u8>>,
    lists: Vec<Vec<Option<i32>>>,
    map: BTreeMap<String, Vec<bool>>,
    keys: BTreeMap<i32, String>,
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rare: Option<String>,
    unit: (),
    pair: (u8, char),
}

fn row(number: u64) -> Row {
    let kind = match number % 4 {
        0 => Kind::Plain,
        1 => Kind::Other,
        2 => Kind::Number(-(number as i64)),
        _ => Kind::Named { name: format!("kind {number}"), more: Some(Box::new(Kind::Number(1))) },
    };
    Row {
        id: u64::MAX - number,
        wide: i128::MIN + i128::from(number),
        half: number as f32 / 2.0,
        name: (!number.is_multiple_of(3)).then(|| format!("name {number}")),
        twice: [None, Some(None), Some(Some(7))][number as usize % 3],
        lists: (0..number % 3).map(|n| vec![Some(n as i32), None]).collect(),
        map: (0..number % 3).map(|n| (format!("k{n}"), vec![true; n as usize])).collect(),
        keys: (0..number % 2).map(|n| (n as i32, "text".to_owned())).collect(),
        kind,
        rare: number.is_multiple_of(5).then(|| "rare".to_owned()),
        unit: (),
        pair: (number as u8, 'ü'),
    }
}

/// The shape of all rows, which each file has whatever its rows show.
fn shape() -> Shape {
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.write_all((0..60).map(row)).unwrap();
    let bytes = writer.finish().unwrap();
    Reader::from_slice(&bytes).unwrap().shape().clone()
}

fn written(dialect: Dialect, rows: std::ops::Range<u64>) -> Vec<u8> {
    let options = Writer::builder().dialect(dialect).shape(&shape()).derived();
    let mut writer = options.block_size(100).batch_rows(7).memory_limit(500).build(Vec::new()).unwrap();
    writer.write_all(rows.map(row)).unwrap();
    writer.finish().unwrap()
}

pub(crate) fn open(bytes: &[u8]) -> Reader<'_> {
    Reader::from_slice(bytes).unwrap()
}

#[test]
fn any_formats_become_any_format() {
    let files = DIALECTS.map(|dialect| written(dialect, 0..30));
    let more = DIALECTS.map(|dialect| written(dialect, 30..41));
    for (target, one, two) in (0..27).map(|n| (DIALECTS[n % 3], n / 3 % 3, n / 9)) {
        let readers = [open(&files[one]), open(&more[two]), open(&files[two])];
        let (bytes, report) = merged(Merge::new().dialect(target).verify(), &readers);
        let reader = open(&bytes);
        assert_eq!(reader.dialect(), target);
        assert_eq!((reader.row_count(), report.rows), (71, 71));
        let expected: Vec<Row> = (0..41).chain(0..30).map(row).collect();
        assert_eq!(read::<Row>(&reader), expected, "{one} and {two} as {target:?}");
        assert_eq!(reader.shape(), readers[0].shape());
        // Blocks are copied among Trevni files alone.
        let is_copied = [target, DIALECTS[one], DIALECTS[two]].iter().all(|own| *own == Dialect::Trevni);
        assert_eq!(report.blocks_copied > 0, is_copied);
        if !is_copied {
            let blocks = |reader: &Reader<'_>| -> usize {
                (0..reader.columns().len()).map(|column| reader.blocks(column).unwrap().len()).sum()
            };
            assert_eq!(report.blocks_rewritten, readers.iter().map(blocks).sum::<usize>() as u64);
        }
    }
}

#[test]
fn the_format_is_that_of_the_first_file() {
    for first in DIALECTS {
        let files = [written(first, 0..3), written(Dialect::RedElm, 3..5)];
        let (bytes, _) = merged(Merge::new(), &files.each_ref().map(|file| open(file)));
        assert_eq!(open(&bytes).dialect(), first);
        assert_eq!(read::<Row>(&open(&bytes)), (0..5).map(row).collect::<Vec<_>>());
    }
}

#[test]
fn selected_and_filtered_rows_are_written() {
    for (from, target) in (0..9).map(|n| (DIALECTS[n % 3], DIALECTS[n / 3])) {
        let (one, two) = (written(from, 0..50), written(from, 50..80));
        let some = open(&one).select([3..5, 49..50]).unwrap();
        let found = open(&two).filter(col("half").ge(39.0)).unwrap();
        let none = open(&one).select(0..0).unwrap();
        let (bytes, report) = merged(Merge::new().dialect(target), &[some, found, none]);
        let numbers = [3, 4, 49, 78, 79];
        assert_eq!(read::<Row>(&open(&bytes)), numbers.map(row), "{from:?} as {target:?}");
        assert_eq!(report.rows, 5);
    }
}

#[test]
fn rows_that_differ_are_joined() {
    let write = |dialect, row: &Value| {
        let mut writer = Writer::builder().dialect(dialect).build(Vec::new()).unwrap();
        writer.write(row).unwrap();
        writer.finish().unwrap()
    };
    let first = json!({"a": 1, "b": {"c": ["x"]}});
    let one = write(Dialect::Levels, &first);
    for other in [
        json!({"a": "1", "b": {"c": ["x"]}}),
        json!({"a": 1, "b": {"c": [1.5]}}),
        json!({"a": 1, "b": {"d": ["x"]}}),
        json!({"a": 1, "b": {"c": ["x"]}, "z": 0}),
        json!(1),
    ] {
        for (dialect, target) in (0..9).map(|n| (DIALECTS[n % 3], DIALECTS[n / 3])) {
            let two = write(dialect, &other);
            let (bytes, _) = merged(Merge::new().dialect(target), &[open(&one), open(&two)]);
            assert_eq!(
                read::<Value>(&open(&bytes)),
                [first.clone(), other.clone()],
                "{dialect:?} as {target:?}"
            );
        }
    }
    let none: [Reader<'_>; 0] = [];
    let error = Merge::new().dialect(Dialect::Levels).write(&none, Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "there are no files to merge");
    let projected = open(&one).project(["a"]).unwrap();
    let error = Merge::new().write(&[projected], Vec::new()).unwrap_err();
    assert!(error.to_string().contains("merge needs whole rows"), "{error}");
}

#[test]
fn names_of_types_may_differ_where_a_format_has_none() {
    let avro = r#"{"type":"record","name":"Flight","fields":[{"name":"a","type":"int"}]}"#;
    let redelm = Shape::from_message("message Document { required int32 a; }").unwrap();
    let mut writer = Writer::builder().schema(avro).build(Vec::new()).unwrap();
    writer.write(&json!({"a": 1})).unwrap();
    let one = writer.finish().unwrap();
    let mut writer = Writer::builder().dialect(Dialect::RedElm).shape(&redelm).build(Vec::new()).unwrap();
    writer.write(&json!({"a": 2})).unwrap();
    let two = writer.finish().unwrap();
    for target in DIALECTS {
        for files in [[&one, &two], [&two, &one]] {
            let (bytes, _) = merged(Merge::new().dialect(target), &files.map(|file| open(file)));
            assert_eq!(read::<Value>(&open(&bytes)).len(), 2);
            let (shape, first) = (open(&bytes).shape().clone(), open(files[0]).shape().clone());
            let name = |shape: &Shape| match shape {
                Shape::Record(record) => record.name.to_string(),
                _ => panic!("{shape}"),
            };
            assert_eq!(name(&shape), name(&first));
        }
    }
}

#[test]
fn damage_names_the_file_and_leaves_nothing() {
    let folder = Folder::new("damaged-dialects");
    for dialect in [Dialect::Levels, Dialect::RedElm] {
        let (good, mut bad) = (written(dialect, 0..20), written(dialect, 20..40));
        // The first column begins after the header, or after the magic.
        let start = open(&bad).columns()[0].start() as usize;
        bad[start..start + 40].fill(0xff);
        let paths = [folder.0.join("good"), folder.0.join("bad")];
        std::fs::write(&paths[0], &good).unwrap();
        std::fs::write(&paths[1], &bad).unwrap();
        let error = Merge::new().files(&paths, folder.0.join("both")).unwrap_err();
        assert!(error.location().file.as_ref().is_some_and(|file| file.ends_with("bad")), "{error}");
        assert_eq!(folder.names(), ["bad", "good"]);
    }
}

#[test]
fn files_and_parts_have_the_names_of_their_format() {
    let folder = Folder::new("split-dialects");
    let file = written(Dialect::RedElm, 0..10);
    let reader = open(&file);
    let paths = Split::every(4).create(&reader, folder.0.join("one")).unwrap();
    let names = ["part-00000.redelm", "part-00001.redelm", "part-00002.redelm"];
    assert_eq!(paths, names.map(|name| folder.0.join("one").join(name)));
    assert_eq!(read::<Row>(&Reader::open(&paths[2]).unwrap()), [row(8), row(9)]);
    let refused = Split::every(4).stored(Merge::new().dialect(Dialect::Trevni));
    let error = refused.create(&reader, folder.0.join("one")).unwrap_err().to_string();
    assert!(error.contains("already has parts"), "{error}");
    let paths = refused.create(&reader, folder.0.join("two")).unwrap();
    assert!(paths[2].ends_with("two/part-00002.trv"));
    // Parts of any format are one file again.
    let mixed = [paths[0].clone(), folder.0.join("one/part-00001.redelm"), paths[2].clone()];
    trevni::merge(&mixed, folder.0.join("whole.trv")).unwrap();
    let whole = Reader::open(folder.0.join("whole.trv")).unwrap();
    assert_eq!(whole.dialect(), Dialect::Trevni);
    assert_eq!(read::<Row>(&whole), (0..10).map(row).collect::<Vec<_>>());
}

/// The files of a folder of `tests/data` and of those in it that have an ending, but for those that cannot be read.
fn golden(folder: &Path, ending: &str, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        match path.is_dir() {
            true if name != "bad" => golden(&path, ending, files),
            false if name.ends_with(ending) && !name.starts_with("bad_") => files.push(path),
            _ => {}
        }
    }
}

#[test]
fn golden_files_become_any_format() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut files = Vec::new();
    golden(&data.join("levels"), ".trv", &mut files);
    golden(&data.join("redelm"), ".redelm", &mut files);
    let (mut merged_files, mut closed) = (0, 0);
    for path in files {
        // Some need a shape, leniency, or a codec that is not built in.
        let rows = |reader: &Reader<'_>| reader.rows::<Value>()?.collect::<trevni::Result<Vec<_>>>();
        let opened = Reader::open(&path).and_then(|reader| Ok((rows(&reader)?, reader)));
        let Ok((own, reader)) = opened else {
            closed += 1;
            continue;
        };
        for target in DIALECTS {
            let readers = [reader.clone(), reader.clone()];
            let mut bytes = Vec::new();
            let report = Merge::new().dialect(target).write(&readers, &mut bytes);
            let report = report.unwrap_or_else(|error| panic!("{} as {target:?}: {error}", path.display()));
            assert_eq!(report.rows, 2 * reader.row_count());
            let found = rows(&open(&bytes)).unwrap();
            assert!(found == [own.clone(), own.clone()].concat(), "{} as {target:?}", path.display());
        }
        merged_files += 1;
    }
    assert!(merged_files >= 35 && closed <= 12, "{merged_files}, {closed}");
}
