//! Datasets of parts of several formats, and folders as Hadoop names their files.

use super::{Folder, all, assert_contains, in_memory};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs;
use trevni::dataset::DatasetWriterBuilder;
use trevni::reader::Nested;
use trevni::{Codec, Dataset, DatasetWriter, Dialect, Reader, Writer, col};

const DIALECTS: [Dialect; 3] = [Dialect::Trevni, Dialect::Levels, Dialect::RedElm];

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Row {
    id: u32,
    name: Option<String>,
    stops: Vec<Stop>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    late: Option<f64>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Stop {
    Short,
    Port { name: String, delay: Option<i64> },
}

fn row(id: u32) -> Row {
    let stop = |n: u32| match n {
        0 => Stop::Short,
        n => Stop::Port { name: format!("P{n}"), delay: n.is_multiple_of(2).then_some(-i64::from(n)) },
    };
    Row {
        id,
        name: (!id.is_multiple_of(3)).then(|| format!("row {id}")),
        stops: (0..id % 4).map(stop).collect(),
        late: (id > 60 && id.is_multiple_of(2)).then_some(f64::from(id)),
    }
}

fn part(dialect: Dialect, rows: std::ops::Range<u32>) -> Vec<u8> {
    let mut writer = Writer::builder().dialect(dialect).build(Vec::new()).unwrap();
    writer.write_all(rows.map(row)).unwrap();
    writer.finish().unwrap()
}

/// Numbers from 0 on, as by chance.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % end
    }
}

#[test]
fn parts_of_any_formats_are_as_one() {
    let mut random = Random(1);
    for seed in 0..60 {
        random.0 = seed;
        let (mut files, mut trevni, mut rows) = (Vec::new(), Vec::new(), 0);
        for _ in 0..1 + random.below(6) {
            let range = rows..rows + random.below(40);
            files.push(part(DIALECTS[random.below(3) as usize], range.clone()));
            trevni.push(part(Dialect::Trevni, range.clone()));
            rows = range.end;
        }
        let [dataset, expected] = [&files, &trevni].map(|files| in_memory(files).unwrap().all_optional());
        assert_eq!(dataset.shape(), expected.shape(), "{seed}");
        let written: Vec<Row> = (0..rows).map(row).collect();
        assert_eq!(all::<Row>(&dataset).unwrap(), written, "{seed}");
        assert_eq!(all::<Value>(&dataset).unwrap(), all::<Value>(&expected).unwrap(), "{seed}");
        for number in (0..5).filter(|_| rows > 0).map(|_| random.below(rows)) {
            assert_eq!(dataset.row::<Row>(number.into()).unwrap(), row(number));
        }
        if rows < 70 {
            continue;
        }
        assert_eq!(dataset.column::<u32>("id").unwrap(), (0..rows).collect::<Vec<_>>());
        let late = |dataset: &Dataset<'_>| dataset.column::<Option<f64>>("late").unwrap();
        assert_eq!(late(&dataset), late(&expected));
        let ports = |dataset: &Dataset<'_>| dataset.column::<Nested<Option<String>>>("stops.Port.name");
        assert_eq!(format!("{:?}", ports(&dataset)), format!("{:?}", ports(&expected)));
        for paths in [vec!["late"], vec!["name", "stops.Port.delay"], vec![]] {
            let read = |dataset: &Dataset<'_>| all::<Value>(&dataset.project(&paths).unwrap()).unwrap();
            assert_eq!(read(&dataset), read(&expected));
        }
        let (from, to) = (u64::from(random.below(rows)), u64::from(rows));
        for filter in [col("id").ge(from), col("name").is_null(), col("late").gt(64.0)] {
            let [some, other] = [&dataset, &expected]
                .map(|dataset| dataset.select(from..to).unwrap().filter(filter.clone()).unwrap());
            assert_eq!(some.matching().unwrap(), other.matching().unwrap(), "{filter}");
            assert_eq!(all::<Row>(&some).unwrap(), all::<Row>(&other).unwrap(), "{filter}");
        }
    }
}

fn writer(dialect: Dialect) -> DatasetWriterBuilder {
    DatasetWriter::builder().part_rows(20).writer(Writer::builder().dialect(dialect))
}

#[test]
fn parts_are_appended_in_any_format() {
    let folder = Folder::new("formats");
    for (number, dialect) in (0..6).map(|number| (number, DIALECTS[number % 3])) {
        let mut writer = writer(dialect).append(&folder.0).unwrap();
        writer.write_all((number as u32 * 30..number as u32 * 30 + 30).map(row)).unwrap();
        let parts = writer.finish().unwrap();
        let ending = if dialect == Dialect::RedElm { "redelm" } else { "trv" };
        let names =
            [2 * number, 2 * number + 1].map(|part| folder.0.join(format!("part-{part:05}.{ending}")));
        assert_eq!(parts, names);
        assert_eq!(Reader::open(&parts[1]).unwrap().dialect(), dialect);
    }
    let dataset = folder.open();
    assert_eq!(dataset.parts().len(), 12);
    assert_eq!(all::<Row>(&dataset).unwrap(), (0..180).map(row).collect::<Vec<_>>());
    for dialect in DIALECTS {
        let error = writer(dialect).create(&folder.0).unwrap_err();
        assert_contains(&error, &["part-00000.trv already exists: append"]);
    }
}

/// The numbers of all parts of a folder, as their names have them.
fn numbers(folder: &Folder) -> Vec<u32> {
    let number = |name: &String| {
        let name = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        name[..name.find('.').unwrap()].parse().unwrap()
    };
    let mut numbers: Vec<u32> = folder.names().iter().map(number).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn a_number_is_taken_in_all_formats() {
    let folder = Folder::new("numbers");
    let [mut one, mut two, mut three] = [Dialect::RedElm, Dialect::Trevni, Dialect::RedElm]
        .map(|dialect| writer(dialect).append(&folder.0).unwrap());
    one.write_all((0..30).map(row)).unwrap();
    two.write_all((30..60).map(row)).unwrap();
    three.write_all((60..90).map(row)).unwrap();
    let parts = |names: &[&str]| names.iter().map(|name| folder.0.join(name)).collect::<Vec<_>>();
    assert_eq!(two.finish().unwrap(), parts(&["part-00001.trv", "part-00003.trv"]));
    // A file of Hadoop, and a folder, have a number too, and a name.
    fs::write(folder.0.join("part-m-00004.redelm.gz"), part(Dialect::RedElm, 200..201)).unwrap();
    fs::create_dir(folder.0.join("part-00005.redelm")).unwrap();
    assert_eq!(one.finish().unwrap(), parts(&["part-00000.redelm", "part-00006.redelm"]));
    assert_eq!(three.finish().unwrap(), parts(&["part-00002.redelm", "part-00007.redelm"]));
    assert_eq!(numbers(&folder), (0..8).collect::<Vec<_>>());
    let mut ids: Vec<u32> = all::<Row>(&folder.open()).unwrap().iter().map(|row| row.id).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..90).chain([200]).collect::<Vec<_>>());
    fs::remove_dir(folder.0.join("part-00005.redelm")).unwrap();
}

#[test]
fn writers_of_all_formats_share_the_numbers() {
    let folder = Folder::new("shared-numbers");
    std::thread::scope(|scope| {
        for number in 0..6 {
            let folder = &folder.0;
            scope.spawn(move || {
                let mut writer = writer(DIALECTS[number % 3]).append(folder).unwrap();
                writer.write_all((number as u32 * 200..number as u32 * 200 + 200).map(row)).unwrap();
                assert_eq!(writer.finish().unwrap().len(), 10);
            });
        }
    });
    assert_eq!(numbers(&folder), (0..60).collect::<Vec<_>>());
    let mut rows = all::<Row>(&folder.open()).unwrap();
    rows.sort_unstable_by_key(|row| row.id);
    assert_eq!(rows, (0..1200).map(row).collect::<Vec<_>>());
}

#[test]
fn names_of_hadoop_are_parts() {
    let folder = Folder::new("hadoop");
    fs::create_dir(&folder.0).unwrap();
    let names = ["part-m-00000.redelm.gz", "part-m-00001.redelm", "part-r-00010.redelm.lz4"];
    for (name, first) in names.iter().zip([0, 5, 10]) {
        fs::write(folder.0.join(name), part(Dialect::RedElm, first..first + 5)).unwrap();
    }
    fs::write(folder.0.join("part-00002.trv"), part(Dialect::Levels, 100..101)).unwrap();
    for other in ["_SUCCESS", "_logs.redelm", ".part-m-00003.redelm.crc", "part-m-00004.redelm.zip"] {
        fs::write(folder.0.join(other), "no data").unwrap();
    }
    fs::create_dir(folder.0.join("part-m-00005.redelm")).unwrap();
    let expected: Vec<Row> = (0..10).chain([100]).chain(10..15).map(row).collect();
    assert_eq!(all::<Row>(&folder.open()).unwrap(), expected);
    let error = writer(Dialect::RedElm).create(&folder.0).unwrap_err();
    assert_contains(&error, &["part-m-00000.redelm.gz already exists"]);
    let mut appended = writer(Dialect::RedElm).append(&folder.0).unwrap();
    appended.write(&row(200)).unwrap();
    assert_eq!(appended.finish().unwrap(), [folder.0.join("part-00011.redelm")]);
    assert_eq!(all::<Row>(&folder.open()).unwrap().last(), Some(&row(200)));
}

#[test]
fn a_field_that_comes_late_is_in_later_parts() {
    let folder = Folder::new("growing");
    let options = Writer::builder().dialect(Dialect::RedElm).memory_limit(1).batch_rows(1);
    let builder = || DatasetWriter::builder().part_rows(4).writer(options.clone());
    let mut writer = builder().create(&folder.0).unwrap();
    let rows = |more: bool, range: std::ops::Range<u32>| {
        range.map(move |id| if more { json!({"id": id, "more": "x"}) } else { json!({"id": id}) })
    };
    writer.write_all(rows(false, 0..6)).unwrap();
    // The rows before it in its part are written already; the next part may begin with it.
    let error = writer.write(&json!({"id": 6, "more": "x"})).unwrap_err();
    assert_contains(&error, &["part-00001.redelm, row 2: the rows have another shape"]);
    writer.write_all(rows(false, 6..8)).unwrap();
    writer.write_all(rows(true, 8..10)).unwrap();
    assert_eq!(writer.finish().unwrap().len(), 3);
    let expected: Vec<Value> = rows(false, 0..8).chain(rows(true, 8..10)).collect();
    assert_eq!(all::<Value>(&folder.open()).unwrap(), expected);
}

#[test]
fn parts_have_about_the_size_that_is_asked_for() {
    let folder = Folder::new("redelm-sizes");
    let options = Writer::builder().dialect(Dialect::RedElm).codec(Codec::Null).memory_limit(20_000);
    let builder = DatasetWriter::builder().part_bytes(100_000).writer(options);
    let mut writer = builder.create(&folder.0).unwrap();
    writer.write_all((0..30_000u64).map(|n| (n, n as f64))).unwrap();
    let parts = writer.finish().unwrap();
    let sizes: Vec<u64> = parts.iter().map(|part| fs::metadata(part).unwrap().len()).collect();
    assert_eq!(sizes.len(), 5);
    assert!(sizes[..4].iter().all(|size| (95_000..115_000).contains(size)), "{sizes:?}");
    assert_eq!(folder.open().column::<u64>("_0").unwrap(), (0..30_000).collect::<Vec<_>>());
}

#[test]
fn what_is_wrong_names_the_part() {
    let folder = Folder::new("redelm-wrong");
    let mut good = writer(Dialect::RedElm).create(&folder.0).unwrap();
    good.write_all((0..50).map(row)).unwrap();
    good.finish().unwrap();
    let path = folder.0.join("part-00001.redelm");
    let bytes = fs::read(&path).unwrap();
    for damaged in [&bytes[..bytes.len() - 1], b"Red Elm\n", b"Trv\x02", b""] {
        fs::write(&path, damaged).unwrap();
        assert_contains(&Dataset::open(&folder.0).unwrap_err(), &["part-00001.redelm"]);
    }
    let mut damaged = bytes.clone();
    damaged[8..40].fill(0xff);
    fs::write(&path, &damaged).unwrap();
    let dataset = folder.open();
    let (mut found, mut errors) = (Vec::new(), 0);
    for row in dataset.rows::<Row>().unwrap() {
        match row {
            Ok(row) => found.push(row),
            Err(error) => {
                assert_contains(&error, &["part-00001.redelm", "column \"id\""]);
                errors += 1;
            }
        }
    }
    // The rows of the part that cannot be decoded are errors, and no others.
    let others: Vec<Row> = (0..20).chain(40..50).map(row).collect();
    assert!(errors > 0 && others.starts_with(&found) && found.len() >= 20, "{errors}, {}", found.len());
    let strings = Writer::builder().dialect(Dialect::RedElm);
    let mut other = strings.create(&path).unwrap();
    other.write(&json!({"id": "text"})).unwrap();
    other.finish().unwrap();
    let dataset = folder.open();
    assert!(dataset.shape().to_string().contains("id: union"), "{}", dataset.shape());
    let error = dataset.rows::<Row>().unwrap().find_map(Result::err).unwrap();
    assert_contains(&error, &["part-00001.redelm, row 0, id"]);
}
