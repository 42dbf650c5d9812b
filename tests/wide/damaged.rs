//! Compact files that are cut, changed, or made to take memory or time.

use crate::craft::{Beginning, compact, long, metadata};
use crate::data::{events, read, written};
use serde_json::Value;
use trevni::formats::Trevni;
use trevni::verify::Verify;
use trevni::{Category, Codec, Error, ErrorKind, Limits, Reader, Writer};

/// A file of columns in and after the beginning.
fn sample() -> Vec<u8> {
    let mut rows = events(2, 2);
    for (number, row) in rows.iter_mut().enumerate() {
        let texts: String = (0..9000).map(|n| char::from(b'a' + ((n * n + number) % 23) as u8)).collect();
        row.as_object_mut().unwrap().insert("long".to_owned(), Value::String(texts.repeat(3)));
    }
    let file = written(&rows, Writer::builder().format(Trevni::new().compact()).codec(Codec::Deflate));
    assert!(read(&file) == rows);
    file
}

/// Opens a file and reads all of it.
fn read_all(file: &[u8]) -> Result<usize, Error> {
    Reader::from_slice(file)?.rows::<Value>()?.try_fold(0, |count, row| row.map(|_| count + 1))
}

#[test]
fn files_made_by_hand_are_read() {
    let small = Beginning::small();
    // The example in `docs/format.md`.
    let example = b"\x01\x02\x06\x02\x02\x16avro.schema\x0a\"int\"\0\x06\x02\x04\x06";
    assert_eq!(small.bytes(), example);
    let file = small.file();
    assert_eq!(trevni::from_slice::<Vec<i32>>(&file).unwrap(), [1, 2, 3]);
    assert!(Verify::new().source(&file).unwrap().is_ok());
    // Described in full, with a column after the beginning.
    let own: &[(&str, &[u8])] = &[("trevni.name", b"int"), ("trevni.type", b"int")];
    let full = Beginning { form: 0, columns: metadata(own), sizes: vec![-19], blocks: Vec::new(), ..small };
    let mut file = full.file();
    for number in [1u32, 3, 3, 3] {
        file.extend(number.to_le_bytes());
    }
    file.extend([2, 4, 6]);
    assert_eq!(trevni::from_slice::<Vec<i32>>(&file).unwrap(), [1, 2, 3]);
    assert!(Verify::new().source(&file).unwrap().is_ok());
    // Without rows there is no block.
    let none = Beginning { rows: 0, sizes: vec![0], blocks: Vec::new(), ..Beginning::small() };
    assert_eq!(trevni::from_slice::<Vec<i32>>(&none.file()).unwrap(), [0; 0]);
}

#[test]
fn others_see_one_column_of_an_unknown_type() {
    let file = sample();
    assert_eq!(file[..16], *b"Trv\x02\x01\0\0\0\0\0\0\0\x01\0\0\0");
    let key = [b"\x16trevni.type\x0e".as_slice(), b"compact"].concat();
    assert!(file.windows(key.len()).any(|bytes| bytes == key));
    // What an older reader says: the type is looked at with the header.
    let mut other = file.clone();
    let at = file.windows(key.len()).position(|bytes| bytes == key).unwrap() + key.len() - 7;
    other[at..at + 7].copy_from_slice(b"Compact");
    let error = Reader::from_slice(&other).unwrap_err();
    assert!(error.to_string().contains("unknown type \"Compact\""), "{error}");
}

#[test]
fn a_prefix_is_an_error() {
    let file = sample();
    for end in (0..file.len()).filter(|end| *end < 300 || end % 97 == 0 || end + 50 > file.len()) {
        let error = read_all(&file[..end]).unwrap_err();
        assert_ne!(error.category(), Category::Internal, "{end}: {error}");
        assert!(end < 4 || !Verify::new().source(&file[..end]).unwrap().is_ok(), "{end}");
    }
}

#[test]
fn each_flipped_bit_is_found() {
    let file = sample();
    for at in (0..file.len()).filter(|at| *at < 300 || at % 41 == 0) {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        let error = read_all(&damaged).expect_err(&format!("byte {at}"));
        assert_ne!(error.category(), Category::Internal, "{at}: {error}");
        assert!(!Verify::new().source(&damaged).unwrap().is_ok(), "{at}");
    }
}

#[test]
fn beginnings_that_contradict_themselves_are_errors() {
    let small = Beginning::small;
    let parent: &[(&str, &[u8])] = &[("trevni.parent", b"p")];
    let wrong = [
        ("form", Beginning { form: 2, ..small() }),
        ("version", Beginning { version: 3, ..small() }),
        ("rows", Beginning { rows: -1, ..small() }),
        ("more rows", Beginning { rows: i64::MAX, ..small() }),
        ("no rows", Beginning { rows: 0, ..small() }),
        ("count", Beginning { count: -1, ..small() }),
        ("more columns", Beginning { count: 2, ..small() }),
        ("many columns", Beginning { count: 1 << 40, ..small() }),
        ("no schema", Beginning { file: metadata(&[]), ..small() }),
        ("no JSON", Beginning { file: metadata(&[("avro.schema", b"{")]), ..small() }),
        ("no UTF-8", Beginning { file: metadata(&[("avro.schema", b"\xff")]), ..small() }),
        ("no parent", Beginning { columns: metadata(parent), ..small() }),
        ("no type", Beginning { form: 0, ..small() }),
        ("itself", Beginning { columns: metadata(&[("trevni.type", b"compact")]), ..small() }),
        ("negative block", Beginning { sizes: vec![-3], ..small() }),
        ("long block", Beginning { sizes: vec![4], ..small() }),
        ("huge block", Beginning { sizes: vec![1 << 40], ..small() }),
        ("short block", Beginning { sizes: vec![2], ..small() }),
        ("least size", Beginning { sizes: vec![i64::MIN], blocks: vec![], ..small() }),
    ];
    for (what, beginning) in wrong {
        let error = read_all(&beginning.file()).expect_err(what);
        assert_ne!(error.category(), Category::Internal, "{what}: {error}");
    }
    let bytes = small().bytes();
    for size in [0, bytes.len() as u32 - 1, bytes.len() as u32 + 1, i32::MAX as u32, u32::MAX] {
        assert!(read_all(&compact(&bytes, size)).is_err(), "{size}");
    }
    for end in 0..bytes.len() {
        assert!(read_all(&compact(&bytes[..end], end as u32)).is_err(), "{end}");
    }
    // One in another.
    let inner = small().file();
    assert!(read_all(&compact(&inner, inner.len() as u32)).is_err());
}

fn opened(file: &[u8], memory: u64) -> Error {
    let mut limits = Limits::DEFAULT;
    limits.memory = memory;
    Reader::builder().limits(limits).source(file).map(|_| ()).unwrap_err()
}

fn is_of_memory(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Limit { option: "memory", .. })
}

#[test]
fn a_beginning_of_many_bytes_takes_no_more_memory_than_there_is() {
    let zeros = vec![0; 20 << 20];
    let file = compact(&zeros, zeros.len() as u32);
    assert!(file.len() < 1 << 20);
    assert!(is_of_memory(&opened(&file, 1 << 20)));
    // One that says that it is small.
    assert!(!is_of_memory(&opened(&compact(&zeros, 1000), 1 << 20)));
}

#[test]
fn names_that_a_schema_repeats_take_no_more_memory_than_there_is() {
    let fields: Vec<String> = (0..1000).map(|n| format!(r#"{{"name":"f{n}","type":"int"}}"#)).collect();
    let schema = format!(
        r#"{{"type":"record","name":"R","fields":[{{"name":"{}","type":{{"type":"record","name":"S","fields":[{}]}}}}]}}"#,
        "a".repeat(100_000),
        fields.join(",")
    );
    let beginning = Beginning {
        count: 1000,
        file: metadata(&[("avro.schema", schema.as_bytes())]),
        columns: vec![0; 1000],
        sizes: vec![1; 1000],
        blocks: vec![2; 1000],
        rows: 1,
        ..Beginning::small()
    };
    let error = opened(&beginning.file(), 16 << 20);
    assert!(is_of_memory(&error), "{error}");
    // Mentions of types, each of which has ten of the one before.
    let mut schema = r#"{"type":"record","name":"R0","fields":[{"name":"f","type":"int"}]}"#.to_owned();
    for depth in 1..12 {
        let more: Vec<String> =
            (1..10).map(|n| format!(r#"{{"name":"f{n}","type":"R{}"}}"#, depth - 1)).collect();
        schema = format!(
            r#"{{"type":"record","name":"R{depth}","fields":[{{"name":"f0","type":{schema}}},{}]}}"#,
            more.join(",")
        );
    }
    let file = metadata(&[("avro.schema", schema.as_bytes())]);
    assert!(read_all(&Beginning { file, ..Beginning::small() }.file()).is_err());
}

#[test]
fn entries_of_metadata_take_no_more_memory_than_there_is() {
    // Two bytes each: neither key nor value.
    let count = 2_000_000;
    let file = [long(count), vec![0; 2 * count as usize]].concat();
    let error = opened(&Beginning { file, ..Beginning::small() }.file(), 64 << 20);
    assert!(is_of_memory(&error), "{error}");
}

#[test]
fn values_are_limited_by_the_bytes_that_are_stored() {
    let schema = metadata(&[("avro.schema", b"\"null\"")]);
    let padding = vec![0; 8 << 20];
    let file = [schema[1..].to_vec(), crate::craft::text(b"padding"), crate::craft::text(&padding)].concat();
    let nulls = Beginning {
        file: [long(2), file].concat(),
        rows: i64::from(i32::MAX),
        sizes: vec![0],
        blocks: Vec::new(),
        ..Beginning::small()
    };
    let file = nulls.file();
    assert!(file.len() < 20_000);
    let mut limits = Limits::DEFAULT;
    limits.rows_without_bytes = 1 << 20;
    let reader = Reader::builder().limits(limits).source(&*file).unwrap();
    let error = reader.rows::<Value>().err().unwrap();
    assert!(matches!(error.kind(), ErrorKind::Limit { option: "rows_without_bytes", .. }), "{error}");
}
