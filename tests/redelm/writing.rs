//! What a writer of RedElm files promises.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trevni::formats::{RedElm, RedElmFooter};
use trevni::{Checksum, Codec, Dialect, Reader, Shape, Writer, WriterBuilder, col};

fn builder() -> WriterBuilder {
    Writer::builder().dialect(Dialect::RedElm)
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Row {
    id: u64,
    name: Option<String>,
    parts: Vec<f64>,
}

fn row(id: u64) -> Row {
    let name = (!id.is_multiple_of(3)).then(|| format!("name {id}"));
    Row { id, name, parts: (0..id % 4).map(|part| part as f64 / 2.0).collect() }
}

#[test]
fn row_groups_are_written_as_they_fill() {
    let mut writer =
        builder().codec(Codec::Null).memory_limit(10_000).batch_rows(16).build(Vec::new()).unwrap();
    for number in 0..5000 {
        writer.write(&row(number)).unwrap();
    }
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let groups = reader.blocks(0).unwrap();
    assert!(groups.len() > 10);
    let sizes = (0..groups.len()).map(|group| {
        (0..reader.columns().len()).map(|column| reader.blocks(column).unwrap()[group].size).sum::<u32>()
    });
    let sizes: Vec<u32> = sizes.collect();
    // Each ends with the row that takes it beyond the size.
    assert!(sizes[..sizes.len() - 1].iter().all(|size| (9_900..11_500).contains(size)), "{sizes:?}");
    let found: Vec<Row> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert!(found == (0..5000).map(row).collect::<Vec<_>>());
    for number in [4999, 0, 2500, 2499, 17] {
        assert_eq!(reader.row::<Row>(number).unwrap(), row(number));
    }
    let some: Vec<Row> = reader.select(1234..1300).unwrap().rows().unwrap().map(Result::unwrap).collect();
    assert!(some == (1234..1300).map(row).collect::<Vec<_>>());
    assert_eq!(reader.column::<u64>("id").unwrap(), (0..5000).collect::<Vec<_>>());
}

#[test]
fn any_number_of_threads_writes_the_same_file() {
    for codec in [Codec::Null, Codec::Snappy, Codec::Deflate, Codec::Gzip] {
        let write = |threads: usize| {
            let options = builder().codec(codec).threads(threads).memory_limit(20_000);
            let mut writer = options.build(Vec::new()).unwrap();
            writer.write_all((0..5000).map(row)).unwrap();
            writer.finish().unwrap()
        };
        let one = write(1);
        let reader = Reader::from_slice(&one).unwrap();
        assert!(reader.blocks(0).unwrap().len() > 3);
        let found: Vec<Row> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert!(found == (0..5000).map(row).collect::<Vec<_>>());
        // More threads than columns, too.
        for threads in [2, 3, 9] {
            assert!(write(threads) == one, "{codec:?}, {threads} threads");
        }
    }
}

#[test]
fn a_sink_that_fails_is_an_error_on_any_number_of_threads() {
    /// Takes so many bytes.
    struct Full(usize);

    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            match self.0.checked_sub(bytes.len()) {
                Some(left) => self.0 = left,
                None => return Err(std::io::Error::other("the sink is full")),
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    for (threads, room) in [(1, 1000), (2, 1000), (3, 9), (2, 8)] {
        let options = builder().codec(Codec::Deflate).threads(threads).memory_limit(20_000);
        let mut writer = options.build(Full(room)).unwrap();
        let done = writer.write_all((0..5000).map(row)).and_then(|()| writer.finish().map(drop));
        assert!(done.unwrap_err().to_string().contains("the sink is full"), "{threads} {room}");
    }
}

#[test]
fn filters_read_what_a_full_read_gives() {
    let options = builder().memory_limit(5000);
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all((0..3000).map(row)).unwrap();
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let filtered = reader.filter(col("id").ge(1000).and(col("name").eq("name 1001"))).unwrap();
    let found: Vec<Row> = filtered.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(found, [row(1001)]);
    let explained = filtered.explain().unwrap();
    assert!(explained.blocks_skipped() > 0, "{explained:?}");
    let missing = reader.filter(col("name").is_null()).unwrap();
    let found: Vec<Row> = missing.rows().unwrap().map(Result::unwrap).collect();
    assert!(found == (0..3000).map(row).filter(|row| row.name.is_none()).collect::<Vec<_>>());
}

#[test]
fn a_shape_grows_until_a_row_group_is_written() {
    let rows = [
        json!({"a": 1}),
        json!({"a": null, "b": [1]}),
        json!({"a": 5_000_000_000u64, "b": []}),
        json!({"a": "text", "c": {"d": null}}),
        json!({"a": 1.5, "b": [{"e": true}], "c": {"d": [[]]}}),
        json!({"c": {"d": [[7, null]]}}),
    ];
    for batch_rows in [1, 2, 4096] {
        let mut writer = builder().batch_rows(batch_rows).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let file = writer.finish().unwrap();
        let mut writer = Writer::builder().batch_rows(batch_rows).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let trevni = writer.finish().unwrap();
        let found: Vec<Value> = trevni::from_slice(&file).unwrap();
        assert_eq!(found, trevni::from_slice::<Vec<Value>>(&trevni).unwrap(), "{batch_rows}");
        assert_eq!(found, rows);
    }
    let mut writer = builder().memory_limit(1).batch_rows(1).build(Vec::new()).unwrap();
    writer.write(&json!({"a": 1})).unwrap();
    writer.write(&json!({"a": 2})).unwrap();
    let error = writer.write(&json!({"a": 3, "b": 4})).unwrap_err().to_string();
    assert!(error.starts_with("row 2: the rows have another shape"), "{error}");
    writer.write(&json!({"a": 5})).unwrap();
    let rows: Vec<Value> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
    assert_eq!(rows, [json!({"a": 1}), json!({"a": 2}), json!({"a": 5})]);
}

#[test]
fn metadata_are_blocks_of_the_footer() {
    for footer in [RedElmFooter::Json, RedElmFooter::GzippedJson, RedElmFooter::Java] {
        let options =
            builder().format(RedElm::new().footer(footer)).metadata("Pig", "{}").metadata("empty", "");
        let mut writer = options.metadata("bytes", [0u8, 255]).build(Vec::new()).unwrap();
        writer.write(&row(1)).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        assert_eq!(reader.metadata().get_str("Pig"), Some("{}"));
        assert_eq!(reader.metadata().get("empty"), Some(&[][..]));
        assert_eq!(reader.metadata().get("bytes"), Some(&[0, 255][..]));
        assert!(!reader.metadata().contains("RedElm"));
    }
    assert!(builder().metadata("RedElm", "").build(Vec::new()).is_err());
}

#[test]
fn options_that_a_file_cannot_have_are_refused() {
    for (options, expected) in [
        (builder().codec(Codec::Zstandard), "RedElm has no codec zstandard"),
        (builder().codec(Codec::Auto), "RedElm has no codec auto"),
        (builder().column_codec("id", Codec::Deflate), "the codec of \"id\""),
        (builder().column_checksum("id", Checksum::Null), "the checksum of \"id\""),
        (builder().first_values(["id"]), "the first values of \"id\""),
        (builder().column_metadata("id", "unit", "m"), "the metadata of \"id\""),
    ] {
        if !Codec::Zstandard.is_available() && expected.contains("zstandard") {
            continue;
        }
        let error = options.build(Vec::new()).err().unwrap().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn files_without_rows_have_one_row_group_of_none() {
    let shape = Shape::from_message("message M { required int32 a; repeated string b; }").unwrap();
    let file = builder().shape(&shape).build(Vec::new()).unwrap().finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    assert_eq!((reader.row_count(), reader.blocks(0).unwrap().len()), (0, 1));
    assert_eq!(*reader.shape(), shape);
    let file = builder().build(Vec::new()).unwrap().finish().unwrap();
    assert_eq!(trevni::from_slice::<Vec<Row>>(&file).unwrap(), []);
}

#[test]
fn zones_tell_nothing_wrong_of_what_is_around_values() {
    let rows = [
        json!({"o": {"a": null, "b": 1}, "l": [null], "e": [{}]}),
        json!({"o": {"a": null, "b": 2}, "l": [], "e": []}),
        json!({"o": null, "l": null, "e": [{}, {}]}),
        json!({"o": {"a": 7, "b": null}, "l": [1, null], "e": null}),
    ];
    let write = |dialect| {
        let options = Writer::builder().dialect(dialect).memory_limit(1).batch_rows(4096).block_size(1);
        let mut writer = options.build(Vec::new()).unwrap();
        writer.write_all(rows.iter().cycle().take(12)).unwrap();
        writer.finish().unwrap()
    };
    let (own, trevni) = (write(Dialect::RedElm), write(Dialect::Trevni));
    let (own, trevni) = (Reader::from_slice(&own).unwrap(), Reader::from_slice(&trevni).unwrap());
    assert!(own.blocks(0).unwrap().len() > 6);
    for path in ["o", "o.a", "o.b", "l", "e"] {
        for predicate in [col(path).is_null(), col(path).is_not_null()] {
            let [found, expected] = [&own, &trevni].map(|reader| {
                let filtered = reader.filter(predicate.clone()).map_err(|error| error.to_string());
                filtered
                    .map(|filtered| filtered.rows::<Value>().unwrap().map(Result::unwrap).collect::<Vec<_>>())
            });
            assert_eq!(found, expected, "{predicate}");
        }
    }
    let filtered = own.filter(col("o.b").eq(2)).unwrap();
    assert_eq!(filtered.rows::<Value>().unwrap().count(), 3);
    assert!(filtered.explain().unwrap().blocks_skipped() >= 4, "{:?}", filtered.explain());
}

/// Bytes somewhere else, and how many have been read.
struct Remote(Vec<u8>, std::sync::atomic::AtomicU64);

impl trevni::Source for Remote {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.1.fetch_add(buffer.len() as u64, std::sync::atomic::Ordering::Relaxed);
        trevni::Source::read_at(&self.0, offset, buffer)
    }
}

#[test]
fn rows_and_nulls_are_counted_without_values() {
    let options = builder().codec(Codec::Null).memory_limit(100_000).without_zone_maps();
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all((0..100_000).map(row)).unwrap();
    let remote = Remote(writer.finish().unwrap(), Default::default());
    let (len, read) = (remote.0.len() as u64, || remote.1.load(std::sync::atomic::Ordering::Relaxed));
    assert!(len > 2_000_000);
    let reader = Reader::new(&remote).unwrap();
    assert_eq!(reader.row_count(), 100_000);
    let footer = read();
    assert!(footer < 60_000, "{footer} of {len}");
    let missing = reader.filter(col("name").is_null()).unwrap().project([""; 0]).unwrap();
    let count: usize = missing.batches().unwrap().map(|batch| batch.unwrap().len()).sum();
    assert_eq!(count, 33_334);
    assert!(read() - footer < 60_000, "{} of {len}", read() - footer);
}
