//! Every bit of files with checksums, flipped: an error, or the same rows and metadata.

use super::memory::alone;
use super::samples::limits;
use serde_json::{Value, json};
use trevni::formats::{Trevni, TrevniInfo, Version};
use trevni::merge::Merge;
use trevni::{
    Category, Checksum, Codec, Predicate, Reader, ReaderBuilder, Result, Vector, Writer, WriterBuilder, col,
    item,
};

/// All that a reader says of a file: rows, and what the header tells.
fn seen(bytes: &[u8]) -> Result<(Vec<Value>, String)> {
    let reader = ReaderBuilder::new().limits(limits()).source(bytes)?;
    let rows = reader.rows::<Value>()?.collect::<Result<Vec<_>>>()?;
    let told = (
        reader.row_count(),
        reader.shape(),
        reader.metadata(),
        reader.columns(),
        reader.info::<TrevniInfo>().unwrap().version,
    );
    Ok((rows, format!("{told:?}")))
}

/// Flips each bit. Where it is one of the header, opening fails.
fn flip_bits(name: &str, bytes: &[u8]) {
    let whole = seen(bytes).unwrap();
    let header = Reader::from_slice(bytes).unwrap().columns().iter().map(|column| column.start()).min();
    let header = header.map_or(bytes.len(), |start| start as usize);
    let mut damaged = bytes.to_vec();
    for bit in 0..8 * bytes.len() {
        damaged[bit / 8] ^= 1 << (bit % 8);
        if bit / 8 < header {
            let opened = Reader::from_slice(&damaged).map(drop);
            let error = opened.expect_err(&format!("{name}, bit {bit} of the header"));
            assert!(matches!(error.category(), Category::Corrupt | Category::Unsupported), "{error}");
        } else if let Ok(found) = seen(&damaged) {
            assert!(found == whole, "{name}, bit {bit}");
        }
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
}

fn written(builder: WriterBuilder, rows: &[Value]) -> Vec<u8> {
    let mut writer = builder.checksum(Checksum::Crc32).batch_rows(3).build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

fn rows(count: usize) -> Vec<Value> {
    let row = |i: usize| {
        json!({
            "i": i * 7, "s": format!("text {i}"), "n": Value::Null,
            "l": (0..i % 3).map(|x| json!({"f": x as f64 / 2.0, "b": x == 1})).collect::<Vec<_>>(),
        })
    };
    (0..count).map(row).collect()
}

fn small(codec: Codec) -> WriterBuilder {
    Writer::builder().codec(codec).block_size(16)
}

#[test]
fn every_codec() {
    let _alone = alone();
    for codec in Codec::ALL.into_iter().filter(|codec| codec.is_available() && *codec != Codec::Gzip) {
        flip_bits(codec.name(), &written(small(codec), &rows(5)));
    }
}

#[test]
fn typed_blocks_that_no_checksum_guards() {
    let _alone = alone();
    for codec in
        [Codec::Typed, Codec::TypedZstandard, Codec::Archive].into_iter().filter(|codec| codec.is_available())
    {
        let builder = Writer::builder().codec(codec).checksum(Checksum::Null);
        let mut writer = builder.without_zone_maps().build(Vec::new()).unwrap();
        writer.write_all(rows(90)).unwrap();
        let bytes = writer.finish().unwrap();
        let start = Reader::from_slice(&bytes).unwrap().columns()[0].start() as usize;
        let mut damaged = bytes.clone();
        for bit in 8 * start..8 * bytes.len() {
            damaged[bit / 8] ^= 1 << (bit % 8);
            // Other rows or an error; no panic, and no more memory or time than the limits allow.
            if let Ok((found, _)) = seen(&damaged) {
                assert!(found.len() <= 90, "{codec:?}, bit {bit}");
            }
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// Finds single rows past arrays of damaged blocks: an error, or the row of a full read where that succeeds.
#[test]
fn skipped_arrays_that_no_checksum_guards() {
    let _alone = alone();
    let row = |i: usize| {
        let long = [1i64 << 40, -1, 64, i64::MIN][i % 4];
        let texts = vec!["a".repeat(i % 3 * 40); i % 3];
        let option = (i % 4 != 1).then_some(i * 30);
        json!({"o": option, "l": vec![long; i % 4], "f": vec![0.5; (i + 1) % 3], "t": texts, "b": vec![true; i], "p": long})
    };
    let rows: Vec<Value> = (0..9).map(row).collect();
    let builder = Writer::builder().codec(Codec::Null).checksum(Checksum::Null).without_zone_maps();
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let bytes = writer.finish().unwrap();
    let start =
        Reader::from_slice(&bytes).unwrap().columns().iter().map(|column| column.start()).min().unwrap();
    let mut damaged = bytes.clone();
    let mut equal = 0;
    for bit in 8 * start as usize..8 * bytes.len() {
        damaged[bit / 8] ^= 1 << (bit % 8);
        let whole = seen(&damaged).ok().map(|(rows, _)| rows);
        for number in [1, 4, 8] {
            let reader = ReaderBuilder::new().limits(limits()).source(&damaged[..]);
            let found = reader.and_then(|reader| reader.row::<Value>(number));
            if let Some(whole) = &whole {
                assert_eq!(found.unwrap(), whole[number as usize], "bit {bit}, row {number}");
                equal += 1;
            }
        }
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(equal > 1000, "{equal}");
}

/// Reads lists of texts as dictionaries: each key of a damaged block is one of its list, and the rows are those of batches.
#[test]
fn dictionaries_that_no_checksum_guards() {
    let _alone = alone();
    let words = ["", "AA", "\u{f6}", "a longer one"];
    let row = |i: usize| json!({"w": words[i * 7 % 4], "l": vec![words[i % 4]; i % 3], "i": i % 5});
    for codec in [Codec::Typed, Codec::TypedZstandard].into_iter().filter(|codec| codec.is_available()) {
        let builder = Writer::builder().codec(codec).checksum(Checksum::Null);
        let mut writer = builder.without_zone_maps().build(Vec::new()).unwrap();
        writer.write_all((0..90).map(row)).unwrap();
        let bytes = writer.finish().unwrap();
        let start = Reader::from_slice(&bytes).unwrap().columns()[0].start() as usize;
        let mut damaged = bytes.clone();
        let mut dictionaries = 0;
        for bit in 8 * start..8 * bytes.len() {
            damaged[bit / 8] ^= 1 << (bit % 8);
            for predicate in [None, Some(col("w").ge("AA")), Some(col("l").any(item().eq("AA")))] {
                let both = by_vectors_and_batches(&damaged, predicate, &mut dictionaries);
                if let Some((found, expected)) = both {
                    assert_eq!(found, expected, "{codec:?}, bit {bit}");
                }
            }
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(dictionaries > 1000, "{dictionaries}");
    }
}

/// The texts `w` and `l` of the wanted rows, read in both ways; none where one of them fails.
fn by_vectors_and_batches(
    bytes: &[u8],
    predicate: Option<Predicate>,
    dictionaries: &mut usize,
) -> Option<(Vec<String>, Vec<String>)> {
    let reader = ReaderBuilder::new().limits(limits()).source(bytes).ok()?;
    let reader = predicate.into_iter().try_fold(reader, |all, one| all.filter(one)).ok()?;
    let reader = reader.project(["w", "l"]).ok()?;
    let mut found = Vec::new();
    for decoded in reader.vectors().ok()? {
        let decoded = decoded.ok()?;
        let Vector::Record(record) = &decoded.vector else { panic!("{decoded:?}") };
        for row in decoded.wanted.iter().cloned().flatten() {
            found.push(record.fields.iter().map(|field| texts(field, row, dictionaries) + ";").collect());
        }
    }
    let mut expected = Vec::new();
    for batch in reader.batches().ok()? {
        let (_, vector) = batch.ok()?.into_parts();
        let Vector::Record(record) = &vector else { panic!("{vector:?}") };
        for row in 0..record.len {
            expected.push(record.fields.iter().map(|field| texts(field, row, dictionaries) + ";").collect());
        }
    }
    Some((found, expected))
}

fn texts(vector: &Vector, index: usize, dictionaries: &mut usize) -> String {
    match vector {
        Vector::String(texts) => texts.get(index).unwrap().to_owned(),
        Vector::Dictionary(vector) => {
            *dictionaries += 1;
            let value = vector.dictionary().values().get(vector.keys()[index] as usize);
            String::from_utf8(value.unwrap().to_vec()).unwrap()
        }
        Vector::List(list) => {
            let items = list.offsets.range(index).unwrap();
            items.map(|item| texts(&list.item, item, dictionaries) + ",").collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_form() {
    let _alone = alone();
    let ints: Vec<Value> = (0..9).map(|i| json!({"a": i * 1000, "b": i64::MAX - i})).collect();
    let first_values = small(Codec::Null).first_values(["a"]);
    for (name, builder) in [
        ("version 1", small(Codec::Null).format(Trevni::new().version(Version::V1))),
        ("no zone maps", small(Codec::Null).without_zone_maps()),
        ("fixed", small(Codec::Null).fixed_integers()),
        ("metadata", small(Codec::Null).metadata("origin", "roof").column_metadata("a", "unit", "m")),
        ("first values", first_values),
    ] {
        flip_bits(name, &written(builder, &ints));
    }
}

#[test]
fn few_columns_and_rows() {
    let _alone = alone();
    let nothing = json!({});
    for (name, rows) in [
        ("no columns", vec![nothing.clone(); 3]),
        ("no rows", vec![]),
        ("nulls", vec![json!({"a": Value::Null, "l": [Value::Null]}); 3]),
        ("one column", vec![json!(1), json!(2)]),
    ] {
        for builder in [small(Codec::Null), small(Codec::Null).metadata("key", "value")] {
            flip_bits(name, &written(builder, &rows));
        }
    }
}

#[test]
fn merged_split_and_recoded() {
    let _alone = alone();
    let files = [written(small(Codec::Null), &rows(3)), written(small(Codec::Null), &rows(4))];
    let readers = [&files[0], &files[1]].map(|bytes| Reader::from_slice(bytes).unwrap());
    let merge = |merge: Merge, readers: &[Reader<'_>]| {
        let mut file = Vec::new();
        merge.write(readers, &mut file).unwrap();
        file
    };
    flip_bits("merged", &merge(Merge::new(), &readers));
    flip_bits("recoded", &merge(Merge::new().codec(Codec::Snappy), &readers[..1]));
    let part = readers[1].select(1..3).unwrap();
    flip_bits("cut", &merge(Merge::new(), &[part]));
    // A file of another program gets them.
    let mut bare = Writer::builder().codec(Codec::Null).checksum(Checksum::Null).build(Vec::new()).unwrap();
    bare.write_all(rows(3)).unwrap();
    let bare = bare.finish().unwrap();
    let bare = Reader::from_slice(&bare).unwrap();
    flip_bits("given checksums", &merge(Merge::new().checksum(Checksum::Crc32), &[bare]));
}
