//! Damaged and hostile files: an error, and little memory.

use crate::memory::{MIB, alone, within};
use serde_json::{Value, json};
use trevni::formats::{RedElm, RedElmFooter};
use trevni::{Category, Codec, ErrorKind, Limits, Reader, Writer};

/// Reads all of a file.
fn read(file: &[u8]) -> trevni::Result<u64> {
    let reader = Reader::from_slice(file)?;
    (0..reader.columns().len()).try_for_each(|column| reader.raw_column(column).map(drop))?;
    let batches = reader.batches()?.collect::<trevni::Result<Vec<_>>>()?;
    Ok(batches.iter().map(|batch| batch.len() as u64).sum())
}

fn sample(footer: RedElmFooter, codec: Codec) -> Vec<u8> {
    let options = Writer::builder().format(RedElm::new().footer(footer)).codec(codec).memory_limit(60);
    let mut writer = options.metadata("site", "roof").build(Vec::new()).unwrap();
    for number in 0..6 {
        let items: Vec<Value> =
            (0..number % 3).map(|item| json!({"code": "en", "at": [item, number]})).collect();
        let name = if number % 2 == 0 { Some("a name") } else { None };
        writer.write(&json!({"id": number, "name": name, "items": items})).unwrap();
    }
    writer.finish().unwrap()
}

fn samples() -> Vec<Vec<u8>> {
    let footers = [RedElmFooter::Json, RedElmFooter::GzippedJson, RedElmFooter::Java];
    let codecs = [Codec::Null, Codec::Deflate, Codec::Snappy];
    footers.into_iter().zip(codecs).map(|(footer, codec)| sample(footer, codec)).collect()
}

#[test]
fn every_prefix_is_refused() {
    let _alone = alone();
    within(64 * MIB, || {
        for file in samples() {
            assert_eq!(read(&file).unwrap(), 6);
            for end in 0..file.len() {
                let error = read(&file[..end]).unwrap_err();
                assert_eq!(error.category(), Category::Corrupt, "{end}: {error}");
            }
        }
    });
}

/// The bits to flip: all of a small file, and of others this many, spread over all bytes and places within them.
fn bits(len: usize, most: usize) -> impl Iterator<Item = usize> {
    let step = (8 * len).div_ceil(most).max(1);
    // Odd, so that all eight bits of bytes have their turn.
    (0..8 * len).step_by(if step == 1 { 1 } else { step | 1 })
}

#[test]
fn a_flipped_bit_is_an_error_or_another_file() {
    let _alone = alone();
    within(64 * MIB, || {
        let mut flips = 0;
        for file in samples() {
            for bit in bits(file.len(), usize::MAX) {
                let mut bad = file.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                let _ = read(&bad);
                flips += 1;
            }
        }
        println!("{flips} flipped bits");
        assert!(flips > 30_000, "{flips}");
    });
}

/// Flipped bits of each golden file, at most: the footer of most is many times as large as the rows.
const GOLDEN_FLIPS: usize = 2000;

/// Golden files of this size and less are cut off after each byte; after the others, the last bytes of each part of them
/// are enough, because the end of a file says where its footer is.
const GOLDEN_PREFIXES: usize = 25_000;

#[test]
fn golden_files_may_be_damaged() {
    let _alone = alone();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/redelm");
    let (mut files, mut flips, mut prefixes) = (0, 0, 0);
    for entry in ["public", "extra"].iter().flat_map(|name| std::fs::read_dir(folder.join(name)).unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "redelm") {
            continue;
        }
        // Some codecs are not in every build; their files are damaged all the same.
        let file = std::fs::read(&path).unwrap();
        within(64 * MIB, || {
            let step = file.len().div_ceil(GOLDEN_PREFIXES);
            for end in (0..file.len()).step_by(step) {
                let error = read(&file[..end]).unwrap_err();
                assert_eq!(error.category(), Category::Corrupt, "{end} of {}: {error}", path.display());
                prefixes += 1;
            }
            // The largest is all footer.
            let most = if file.len() > GOLDEN_PREFIXES { GOLDEN_FLIPS / 30 } else { GOLDEN_FLIPS };
            for bit in bits(file.len(), most) {
                let mut bad = file.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                let _ = read(&bad);
                flips += 1;
            }
        });
        files += 1;
    }
    println!("{flips} flipped bits and {prefixes} prefixes of {files} files");
    assert!(files >= 16 && flips > 20_000, "{files}, {flips}");
}

/// A file of these bytes, with a footer as JSON.
fn file(schema: &str, body: &[u8], groups: Value) -> Vec<u8> {
    let footer =
        json!({"fileMetaData": {"schema": schema, "codecClassName": null}, "blocks": groups}).to_string();
    let mut file = b"Red Elm\n".to_vec();
    file.extend_from_slice(body);
    let start = file.len() as u64;
    file.extend_from_slice(&1u32.to_be_bytes());
    file.push(1);
    file.extend_from_slice(b"\x00\x06RedElm");
    file.extend_from_slice(&(footer.len() as u32).to_be_bytes());
    file.extend_from_slice(footer.as_bytes());
    file.extend_from_slice(&start.to_be_bytes());
    file.extend_from_slice(b"Red Elm\n");
    file
}

fn column(path: &str, borders: [u64; 4], entries: u64) -> Value {
    let [repetition, definition, data, end] = borders;
    json!({
        "repetitionStart": repetition, "definitionStart": definition, "dataStart": data, "dataEnd": end,
        "path": [path], "type": "INT32", "valueCount": entries,
        "repetitionUncompressedLength": i64::MAX, "definitionUncompressedLength": i64::MAX,
        "dataUncompressedLength": i64::MAX,
    })
}

fn group(rows: u64, columns: Value) -> Value {
    json!({"startIndex": 8, "endIndex": 15, "recordCount": rows, "columns": columns})
}

/// 2³¹ - 1 times the level 0.
const NULLS: [u8; 7] = [0x0c, 0xfd, 0xff, 0xff, 0xff, 0x1f, 0x00];

#[test]
fn a_run_of_nulls_is_not_expanded() {
    let _alone = alone();
    let rows = u64::from(u32::MAX / 2);
    let bomb = file(
        "message M { optional int32 a; }",
        &NULLS,
        json!([group(rows, json!([column("a", [8, 8, 15, 15], rows)]))]),
    );
    within(4 * MIB, || {
        let reader = Reader::from_slice(&bomb).unwrap();
        // Counting reads the footer alone.
        assert_eq!(reader.row_count(), rows);
        // One row is one row, and some are some.
        assert_eq!(reader.row::<Value>(2_000_000_000).unwrap(), json!({"a": null}));
        let some = reader.rows::<Value>().unwrap().take(10_000);
        assert!(some.map(Result::unwrap).all(|row| row == json!({"a": null})));
        // All values at once are not, nor are more rows than the limits allow.
        let error = reader.raw_column(0).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit { option: "memory", .. }), "{error}");
        let mut limits = Limits::DEFAULT;
        limits.rows_without_bytes = 1 << 20;
        let reader = Reader::builder().limits(limits).source(&*bomb).unwrap();
        let error = reader.rows::<Value>().err().unwrap();
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(error.to_string().contains("number of rows in a file of this size"), "{error}");
    });
}

#[test]
fn a_row_of_many_entries_is_limited() {
    let _alone = alone();
    let entries = u64::from(u32::MAX / 2);
    // One row, and 2³¹ - 2 items that go on with it.
    let repetition = [0x0c, 0xec, 0xff, 0xff, 0xff, 0x7f, 0x00];
    let bomb = file(
        "message M { repeated int32 a; }",
        &[&repetition[..], &NULLS].concat(),
        json!([group(1, json!([column("a", [8, 15, 22, 22], entries)]))]),
    );
    within(4 * MIB, || {
        let error = read(&bomb).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        let batches = Reader::from_slice(&bomb).unwrap().batches().unwrap();
        let error = batches.map(|batch| batch.map(drop)).find_map(Result::err).unwrap();
        assert_eq!(error.category(), Category::Limit, "{error}");
    });
}

#[test]
fn huge_counts_in_the_footer_reserve_nothing() {
    let _alone = alone();
    let message = "message M { required int32 a; }";
    let huge = u64::from(u32::MAX / 2);
    within(4 * MIB, || {
        for (groups, expected) in [
            (json!([group(huge, json!([column("a", [8, 8, 8, 12], huge)]))]), "truncated"),
            (json!([group(1, json!([column("a", [8, 8, 8, u64::MAX >> 1], 1)]))]), "in or after the footer"),
            (json!([group(1, json!([column("a", [8, 8, 8, 12], huge)]))]), "entries for 1 rows"),
            (json!([group(huge + 1, json!([column("a", [8, 8, 8, 12], huge)]))]), "more than 31 bits"),
            (json!([group(1, json!([column("b", [8, 8, 8, 12], 1)]))]), "has no column"),
            (json!([group(1, json!([]))]), "lacks the column"),
            (json!({}), "is not a list"),
        ] {
            let error = read(&file(message, &[0, 0, 0, 1], groups)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    });
}

#[test]
fn deep_messages_are_refused() {
    let _alone = alone();
    let deep = format!(
        "message M {{ {} required int32 a; {}",
        "required group g { ".repeat(10_000),
        "} ".repeat(10_001)
    );
    within(16 * MIB, || {
        let error = read(&file(&deep, &[], json!([]))).unwrap_err();
        assert!(error.to_string().contains("nested deeper"), "{error}");
        // As deep as a message may be, which is deeper than rows may be.
        let text = format!(
            "message M {{ {} required int32 a; {}",
            "repeated group g { ".repeat(150),
            "} ".repeat(151)
        );
        assert!(read(&file(&text, &[], json!([]))).is_err());
    });
}
