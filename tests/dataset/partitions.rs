//! Folders of partitions: what their names say are fields of the rows.

use super::{Folder, all, assert_contains};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use trevni::dataset::{WriteId, WriteManifest};
use trevni::formats::RedElmSummary;
use trevni::merge::Merge;
use trevni::shape::Logical;
use trevni::{Category, Codec, Dataset, DatasetWriter, Dialect, Reader, Shape, Writer, WriterBuilder, col};

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Visit {
    page: String,
    ms: u32,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Seen {
    ms: u32,
    day: Option<String>,
    #[serde(default)]
    hour: Option<String>,
}

fn visit(ms: u32) -> Visit {
    Visit { page: format!("/{ms}"), ms }
}

fn write_with(options: WriterBuilder, folder: &Path, rows: impl IntoIterator<Item = impl Serialize>) {
    let mut writer = DatasetWriter::builder().writer(options).append(folder).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap();
}

fn write(folder: &Path, rows: std::ops::Range<u32>) {
    write_with(Writer::builder(), folder, rows.map(visit));
}

/// Rows at the top, and in folders one and two levels below.
fn visits(name: &str) -> Folder {
    let folder = Folder::new(name);
    write(&folder.0, 0..2);
    write(&folder.0.join("day=2024-02-29/hour=7"), 10..13);
    write(&folder.0.join("day=2024-02-29/hour=10"), 20..21);
    write(&folder.0.join("day=2024-01-02"), 30..32);
    write(&folder.0.join("day=__HIVE_DEFAULT_PARTITION__"), 40..41);
    folder
}

fn seen(ms: u32, day: Option<&str>, hour: Option<&str>) -> Seen {
    Seen { ms, day: day.map(str::to_owned), hour: hour.map(str::to_owned) }
}

#[test]
fn keys_are_fields_of_the_rows() {
    let folder = visits("keys");
    let dataset = folder.open().optional(["day"]).unwrap();
    assert_eq!((dataset.row_count(), dataset.parts().len()), (9, 5));
    let (leap, other) = (Some("2024-02-29"), Some("2024-01-02"));
    let expected = [
        seen(0, None, None),
        seen(1, None, None),
        seen(30, other, None),
        seen(31, other, None),
        seen(10, leap, Some("7")),
        seen(11, leap, Some("7")),
        seen(12, leap, Some("7")),
        seen(20, leap, Some("10")),
        seen(40, None, None),
    ];
    assert_eq!(all::<Seen>(&dataset).unwrap(), expected);
    assert_eq!(dataset.row::<Seen>(7).unwrap(), expected[7]);
    let days = dataset.column::<Option<String>>("day").unwrap();
    assert_eq!(days, expected.iter().map(|row| row.day.clone()).collect::<Vec<_>>());
    // What is not there is absent, what is null is null.
    let rows: Vec<Value> = all(&dataset).unwrap();
    assert_eq!(rows[0], json!({"page": "/0", "ms": 0}));
    assert_eq!(rows[4], json!({"page": "/10", "ms": 10, "day": "2024-02-29", "hour": "7"}));
    assert_eq!(rows[8], json!({"page": "/40", "ms": 40, "day": null}));
    let partition =
        |part: usize| -> Vec<(String, Option<String>)> { dataset.parts()[part].partition().to_vec() };
    assert_eq!(partition(0), []);
    assert_eq!(
        partition(3),
        [("day".to_owned(), leap.map(str::to_owned)), ("hour".to_owned(), Some("10".to_owned()))]
    );
    assert_eq!(partition(4), [("day".to_owned(), None)]);
}

#[test]
fn keys_are_like_other_fields_in_all_calls() {
    let folder = visits("calls");
    assert_contains(
        &folder.open().filter(col("day").eq("x")).unwrap_err(),
        &["part-00000.trv: no field \"day\"; other parts"],
    );
    let dataset = folder.open().all_optional();
    let ms = |dataset: &Dataset<'_>| dataset.column::<u32>("ms").unwrap();
    let day = || col("day");
    for (predicate, expected) in [
        (day().eq("2024-02-29"), &[10, 11, 12, 20][..]),
        (day().ge("2024-02"), &[10, 11, 12, 20]),
        (day().ne("2024-02-29"), &[30, 31]),
        (day().starts_with("2024-01"), &[30, 31]),
        (day().is_in(["2024-01-02", "x"]), &[30, 31]),
        (day().is_null(), &[0, 1, 40]),
        (day().is_not_null() & col("hour").is_null(), &[30, 31]),
        (day().eq("2024-01-02") | col("ms").eq(11), &[30, 31, 11]),
        (!day().eq("2024-01-02"), &[10, 11, 12, 20]),
        (day().eq("2024-02-29") & col("ms").gt(11), &[12, 20]),
        (day().eq("never"), &[]),
    ] {
        let filtered = dataset.filter(predicate.clone()).unwrap();
        assert_eq!(ms(&filtered), expected, "{predicate}");
        assert_eq!(filtered.matching().unwrap().row_count(), expected.len() as u64, "{predicate}");
        assert_eq!(all::<Visit>(&filtered).unwrap().len(), expected.len(), "{predicate}");
    }
    assert_contains(&dataset.filter(day().eq(5)).unwrap_err(), &["day is string", "compared with 5"]);
    let projected = dataset.project(["hour", "day"]).unwrap();
    let rows: Vec<Value> = all(&projected).unwrap();
    assert_eq!((&rows[0], &rows[2]), (&json!({}), &json!({"day": "2024-01-02"})));
    assert_eq!(rows[4], json!({"hour": "7", "day": "2024-02-29"}));
    assert_eq!(all::<Visit>(&dataset.select(5..8).unwrap()).unwrap(), [visit(11), visit(12), visit(20)]);
    let batches: usize = dataset.batches().unwrap().map(|batch| batch.unwrap().values().count()).sum();
    assert_eq!(batches, 9);
    let Shape::Record(record) = dataset.shape() else { panic!("rows are records") };
    assert_eq!(
        record.fields.iter().map(|field| &*field.name).collect::<Vec<_>>(),
        ["page", "ms", "day", "hour"]
    );
}

#[test]
fn parts_that_a_key_excludes_are_not_read() {
    let folder = Folder::new("excluded");
    for day in 0..4 {
        write(&folder.0.join(format!("day={day}")), day * 1000..day * 1000 + 1000);
    }
    let dataset = folder.open();
    let filtered = dataset.filter(col("day").eq("2") & col("ms").ge(2500)).unwrap();
    let explain = filtered.explain().unwrap();
    assert_eq!(explain.matching, 500);
    let part = |part: usize| filtered.parts()[part].reader().explain().unwrap();
    assert_eq!([0, 1, 3].map(|number| part(number).bytes_read()), [0; 3]);
    assert!(part(2).bytes_read() > 0);
    // Files of others need not even be whole.
    let broken = folder.0.join("day=1/part-00000.trv");
    let bytes = fs::read(&broken).unwrap();
    fs::write(&broken, &bytes[..bytes.len() - 1000]).unwrap();
    let dataset = folder.open();
    assert_eq!(all::<Visit>(&dataset.filter(col("day").eq("2")).unwrap()).unwrap().len(), 1000);
    assert!(all::<Visit>(&dataset.filter(col("day").eq("1")).unwrap()).is_err());
}

#[test]
fn all_formats_have_keys() {
    for (dialect, codec) in [
        (Dialect::Trevni, Codec::Typed),
        (Dialect::Trevni, Codec::Snappy),
        (Dialect::Levels, Codec::Snappy),
        (Dialect::RedElm, Codec::Snappy),
    ] {
        let folder = Folder::new(&format!("formats-{dialect:?}-{}", codec.name()));
        let options = Writer::builder().dialect(dialect).codec(codec);
        let rows = |day: u32| {
            (0..3000).map(move |n| json!({"id": n + day, "hops": (0..n % 3).collect::<Vec<_>>(), "note": if n % 2 == 0 { json!("x") } else { json!(null) }}))
        };
        for day in [1, 2] {
            write_with(options.clone(), &folder.0.join(format!("day={day}")), rows(day));
        }
        for dataset in
            [folder.open(), Dataset::builder().reader(Reader::builder().threads(2)).open(&folder.0).unwrap()]
        {
            let found: Vec<Value> = all(&dataset).unwrap();
            let expected = [1, 2].into_iter().flat_map(|day| {
                rows(day).map(move |mut row| {
                    row["day"] = day.to_string().into();
                    row
                })
            });
            assert!(found.iter().cloned().eq(expected), "{dialect:?}");
            assert_eq!(dataset.column::<String>("day").unwrap()[2999..3001], ["1", "2"]);
            let days: Vec<Value> = all(&dataset.project(["day"]).unwrap()).unwrap();
            assert_eq!((days.len(), &days[5999]), (6000, &json!({"day": "2"})));
            let some = dataset.filter(col("day").eq("2") & col("id").lt(12)).unwrap();
            assert_eq!(all::<Value>(&some).unwrap().len(), 10);
            assert_eq!(dataset.row::<Value>(4000).unwrap()["day"], "2");
        }
        let salvaged = Dataset::builder().reader(Reader::builder().salvage()).open(&folder.0).unwrap();
        assert_eq!(salvaged.column::<String>("day").unwrap().len(), 6000);
        let part = salvaged.parts()[0].reader().untyped().unwrap();
        assert_eq!(part.column::<String>("day").unwrap()[0], "1");
    }
}

#[test]
fn names_are_decoded() {
    let folder = Folder::new("decoded");
    write(&folder.0.join("a%20b=x%2Fy%3D%25"), 0..1);
    write(&folder.0.join("a%20b="), 1..2);
    let dataset = folder.open();
    assert_eq!(dataset.column::<String>("`a b`").unwrap(), ["", "x/y=%"]);
}

#[test]
fn what_the_path_says_counts_before_what_the_file_says() {
    let folder = Folder::new("before");
    let row = |n: u32| json!({"day": {"of": "file", "n": [n]}, "n": n});
    write_with(Writer::builder(), &folder.0.join("day=1"), (0..3).map(row));
    let dataset = folder.open();
    assert_eq!(all::<Value>(&dataset).unwrap()[2], json!({"day": "1", "n": 2}));
    assert_eq!(dataset.column::<String>("day").unwrap(), ["1"; 3]);
    assert_eq!(dataset.column::<u32>("n").unwrap(), [0, 1, 2]);
    assert!(dataset.project(["day.of"]).is_err());
    assert_eq!(all::<Value>(&dataset.filter(col("day").eq("1") & col("n").eq(1)).unwrap()).unwrap().len(), 1);
}

#[test]
fn keys_may_have_types() {
    let folder = Folder::new("typed");
    for (day, year) in [("2024-02-29", "2024"), ("1999-12-31", "1999"), ("__HIVE_DEFAULT_PARTITION__", "-5")]
    {
        write(&folder.0.join(format!("day={day}/year={year}")), 0..2);
    }
    let date = Shape::logical(Logical::Date, Shape::Int).unwrap();
    let typed = || Dataset::builder().partition_type("year", Shape::Int).partition_type("day", date.clone());
    let dataset = typed().open(&folder.0).unwrap();
    #[derive(Deserialize, PartialEq, Debug)]
    struct Dated {
        year: i16,
        day: Option<String>,
        ms: u32,
    }
    let rows: Vec<Dated> = all(&dataset).unwrap();
    assert_eq!(rows[0], Dated { year: 1999, day: Some("1999-12-31".to_owned()), ms: 0 });
    assert_eq!(rows[5], Dated { year: -5, day: None, ms: 1 });
    assert_eq!(dataset.column::<i32>("year").unwrap(), [1999, 1999, 2024, 2024, -5, -5]);
    let late = dataset.filter(col("year").gt(1999) & col("day").ge("2024-01-01")).unwrap();
    assert_eq!(late.matching().unwrap().row_count(), 2);
    write(&folder.0.join("day=2024-02-30/year=2024"), 0..1);
    let error = typed().open(&folder.0).unwrap_err();
    assert_contains(&error, &["day=2024-02-30:", "\"2024-02-30\" is no value of type"]);
    assert_eq!(error.category(), Category::Misuse);
    for (shape, text) in [
        (Shape::Boolean, "true"),
        (Shape::Long, "-9007199254740993"),
        (Shape::U64, "18446744073709551615"),
        (Shape::Float, "2.5"),
        (Shape::Double, "1e300"),
        (Shape::String, ""),
    ] {
        let folder = Folder::new("typed-one");
        write(&folder.0.join(format!("k={text}")), 0..1);
        let dataset = Dataset::builder().partition_type("k", shape.clone()).open(&folder.0).unwrap();
        let value = all::<BTreeMap<String, Value>>(&dataset).unwrap().remove(0).remove("k").unwrap();
        let text = if shape == Shape::Double { "1e+300" } else { text };
        assert_eq!(value.to_string().trim_matches('"'), text, "{shape}");
        let wrong = Dataset::builder().partition_type("k", Shape::list(shape)).open(&folder.0).unwrap_err();
        assert_contains(&wrong, &["k=", "is no value of type"]);
    }
}

#[test]
fn other_folders_with_data_are_errors_that_name_them() {
    let folder = visits("others");
    let other = folder.0.join("old/2023");
    write(&other, 50..52);
    let error = folder.open_error();
    assert_eq!(error.location().file, Some(folder.0.join("old")));
    assert_contains(&error, &["its name is no partition", "DatasetBuilder::recursive"]);
    assert_contains(&Dataset::files(&folder.0).unwrap_err(), &["old"]);
    let dataset = Dataset::builder().recursive().open(&folder.0).unwrap();
    assert_eq!(dataset.row_count(), 11);
    fs::remove_dir_all(folder.0.join("old")).unwrap();
    // Without data, or hidden, they do not count.
    fs::create_dir_all(folder.0.join("images/2024")).unwrap();
    fs::write(folder.0.join("images/2024/a.png"), "").unwrap();
    write(&folder.0.join("_tmp"), 0..5);
    write(&folder.0.join(".git/day=1"), 0..5);
    assert_eq!(folder.open().row_count(), 9);
    write(&folder.0.join("_day=1"), 60..61);
    assert_eq!(
        folder.open().all_optional().column::<Option<String>>("_day").unwrap()[2].as_deref(),
        Some("1")
    );
    write(&folder.0.join("day=2024-01-02/day=3"), 0..1);
    assert_contains(&folder.open_error(), &["day=2024-01-02/day=3:", "also that of one around it"]);
}

#[test]
#[cfg(unix)]
fn links_that_lead_around_end() {
    let folder = Folder::new("links");
    write(&folder.0.join("day=1"), 0..3);
    std::os::unix::fs::symlink(&folder.0, folder.0.join("day=1/hour=2")).unwrap();
    std::os::unix::fs::symlink(folder.0.join("day=1"), folder.0.join("day=2")).unwrap();
    let days = folder.open().column::<String>("day").unwrap();
    assert_eq!(days, ["1", "1", "1", "2", "2", "2"]);
}

#[test]
fn rows_that_are_no_records_have_no_keys() {
    let folder = Folder::new("no-records");
    write_with(Writer::builder(), &folder.0.join("day=1"), 0..3);
    assert_contains(
        &folder.open_error(),
        &["day=1/part-00000.trv:", "rows are int, not records, so day cannot be"],
    );
    assert_eq!(Dataset::open(folder.0.join("day=1")).unwrap().column::<i32>("").unwrap(), [0, 1, 2]);
    // Of tuples, keys are the last items.
    let folder = Folder::new("tuples");
    write_with(Writer::builder(), &folder.0.join("day=1/hour=2"), [(7, "a")]);
    let rows: Vec<(u8, String, String, String)> = all(&folder.open()).unwrap();
    assert_eq!(rows, [(7, "a".to_owned(), "1".to_owned(), "2".to_owned())]);
    // A part without rows may not say what they are.
    let folder = Folder::new("no-rows");
    write_with(Writer::builder(), &folder.0.join("day=1"), [0; 0]);
    write(&folder.0.join("day=2"), 0..1);
    assert_eq!(folder.open().column::<String>("day").unwrap(), ["2"]);
}

#[test]
fn keys_are_not_merged_in_silence() {
    let folder = visits("merged");
    let readers: Vec<Reader<'_>> = folder.open().parts().iter().map(|part| part.reader().clone()).collect();
    let error = Merge::new().write(&readers, Vec::new()).unwrap_err();
    assert_contains(&error, &["fields that are not in the file"]);
    assert!(trevni::merge::split(&readers[1], 1, folder.0.join("split")).is_err());
}

#[test]
fn writes_to_partitions_count_as_a_whole() {
    let folder = Folder::new("writes");
    let write = WriteId::new();
    let name = write.part_name(WriteId::attempt(), 0);
    for day in ["day=1", "day=2/hour=3"] {
        let folder = folder.0.join(day);
        fs::create_dir_all(&folder).unwrap();
        for name in [&name, "part-00000.trv"] {
            fs::write(folder.join(name), trevni::to_vec([visit(1)]).unwrap()).unwrap();
        }
    }
    assert_eq!(folder.open().row_count(), 2);
    let mut manifest = WriteManifest::default();
    manifest.add(format!("day=1/{name}"), 1, 1);
    let path = folder.0.join(write.manifest_name());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, manifest.to_vec()).unwrap();
    assert_eq!(folder.open().column::<String>("day").unwrap(), ["1", "1", "2"]);
    manifest.add(format!("day=2/hour=3/{name}"), 1, 1);
    fs::write(&path, manifest.to_vec()).unwrap();
    assert_eq!(folder.open().row_count(), 4);
    let files = Dataset::files(&folder.0).unwrap();
    assert_eq!(files.len(), 4);
    assert_eq!(files[3].partition()[1], ("hour".to_owned(), Some("3".to_owned())));
}

#[test]
fn summaries_are_those_of_each_folder() {
    let folder = Folder::new("summaries");
    for day in ["day=1", "day=2"] {
        let folder = folder.0.join(day);
        let rows = if day == "day=1" { 0..3 } else { 10..11 };
        write_with(Writer::builder().dialect(Dialect::RedElm), &folder, rows.map(visit));
        let summary = RedElmSummary::from_files([folder.join("part-00000.redelm")]).unwrap();
        fs::write(folder.join(RedElmSummary::FILE_NAME), summary.to_vec().unwrap()).unwrap();
    }
    assert_eq!(folder.open().column::<String>("day").unwrap(), ["1", "1", "1", "2"]);
    assert_eq!(folder.open().column::<u32>("ms").unwrap(), [0, 1, 2, 10]);
}

#[test]
fn values_of_all_rows_take_no_more_memory_than_is_allowed() {
    let folder = Folder::new("memory");
    let value = "x".repeat(200);
    write_with(Writer::builder(), &folder.0.join(format!("key={value}")), (0..200_000).map(|_| visit(1)));
    let mut limits = trevni::Limits::DEFAULT;
    limits.memory = 8 << 20;
    let dataset = Dataset::builder().reader(Reader::builder().limits(limits)).open(&folder.0).unwrap();
    #[derive(Deserialize)]
    struct Keyed {
        key: String,
    }
    let rows = dataset.rows::<Keyed>().unwrap();
    assert_eq!(rows.filter(|row| row.as_ref().unwrap().key == value).count(), 200_000);
    let batches = dataset.batches().unwrap().map(|batch| Ok(batch?.len()));
    assert_eq!(batches.sum::<trevni::Result<usize>>().unwrap(), 200_000);
}

impl Folder {
    #[track_caller]
    fn open_error(&self) -> trevni::Error {
        Dataset::open(&self.0).unwrap_err()
    }
}
