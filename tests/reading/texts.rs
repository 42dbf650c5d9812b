//! Texts that are read as byte strings are the same bytes, and nobody looks whether they are UTF-8.

use serde_json::{Value, json};
use trevni::{Checksum, Codec, Dialect, Reader, Shape, Vector, Writer, col};

/// Rows with texts in fields, lists, options, maps and variants.
fn rows() -> Vec<Value> {
    let row = |n: i32| {
        let name = ["é", "north", "", "日本", "a text of more than thirteen bytes"][n as usize % 5];
        json!({
            "id": n,
            "name": name,
            "note": (n % 3 > 0).then(|| name.repeat(n as usize % 4)),
            "tags": vec![name; n as usize % 4],
            "place": {"host": format!("relay{n}"), "either": if n % 2 == 0 { json!(n) } else { json!(name) }},
        })
    };
    (0..9_000).map(row).collect()
}

fn file(options: trevni::WriterBuilder) -> Vec<u8> {
    let mut writer = options.block_size(5_000).build(Vec::new()).unwrap();
    writer.write_all(rows()).unwrap();
    writer.finish().unwrap()
}

/// The bytes of all texts of a vector, whichever of the two they are; and whether none of them is a text.
fn texts(vector: &Vector, out: &mut Vec<Vec<u8>>) -> bool {
    match vector {
        Vector::String(texts) => {
            out.extend(texts.iter().map(|text| text.as_bytes().to_vec()));
            false
        }
        Vector::Bytes(bytes) => {
            out.extend(bytes.iter().map(<[u8]>::to_vec));
            true
        }
        Vector::Record(record) => record.fields.iter().fold(true, |all, field| all & texts(field, out)),
        Vector::List(list) | Vector::Optional(list) => texts(&list.item, out),
        Vector::Map(map) => texts(&map.value, out),
        _ => true,
    }
}

fn all(reader: &Reader<'_>) -> (Vec<Vec<u8>>, bool) {
    let (mut out, mut are_bytes) = (Vec::new(), true);
    for batch in reader.batches().unwrap() {
        are_bytes &= texts(batch.unwrap().vector(), &mut out);
    }
    (out, are_bytes)
}

#[test]
fn bytes_are_those_of_the_texts() {
    for codec in [Codec::Null, Codec::Snappy, Codec::Typed] {
        let file = file(Writer::builder().codec(codec));
        for threads in [1, 3] {
            let whole = Reader::builder().threads(threads).shared(file.clone()).unwrap();
            let readers = [
                whole.clone(),
                whole.select(100..4_321).unwrap(),
                whole.project(["tags", "place.host", "name"]).unwrap(),
                whole.filter(col("name").eq("日本").and(col("id").gt(77))).unwrap(),
                whole.filter(col("name").ne("é")).unwrap().project(["note"]).unwrap(),
            ];
            for reader in readers {
                let bytes = reader.texts_as_bytes();
                let ((expected, _), (found, are_bytes)) = (all(&reader), all(&bytes));
                assert!(are_bytes && expected.len() > 500, "{codec:?}");
                assert!(expected == found, "{codec:?}");
            }
        }
    }
}

#[test]
fn a_filter_may_come_before_or_after() {
    let file = file(Writer::builder());
    let reader = Reader::from_slice(&file).unwrap();
    for path in ["name", "note"] {
        let is = || col(path).eq("north");
        let before = reader.filter(is()).unwrap().texts_as_bytes();
        let after = reader.texts_as_bytes().filter(is()).unwrap();
        let expected = all(&reader.filter(is()).unwrap()).0;
        assert_eq!((all(&before), all(&after)), ((expected.clone(), true), (expected, true)), "{path}");
    }
}

#[test]
fn other_formats_keep_their_texts() {
    for dialect in [Dialect::Levels, Dialect::RedElm] {
        let file = trevni::to_vec(["a", "é"]).unwrap();
        let rows: Vec<String> = trevni::from_slice(&file).unwrap();
        let mut writer = Writer::builder().dialect(dialect).build(Vec::new()).unwrap();
        writer.write_all(rows).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap().texts_as_bytes();
        assert_eq!(reader.shape(), &Shape::String);
        assert_eq!(all(&reader), (vec![b"a".to_vec(), "é".as_bytes().to_vec()], false));
    }
}

#[test]
fn what_is_not_utf_8_is_given_as_it_is() {
    let mut writer = Writer::builder().codec(Codec::Null).checksum(Checksum::Null).build(Vec::new()).unwrap();
    writer.write_all(["north", "south"]).unwrap();
    let mut file = writer.finish().unwrap();
    let place = file.windows(5).rposition(|bytes| bytes == b"south").unwrap();
    file[place] = 0xff;
    let reader = Reader::from_slice(&file).unwrap();
    assert!(reader.batches().unwrap().next().unwrap().is_err());
    assert!(reader.rows::<String>().unwrap().any(|row| row.is_err()));
    assert_eq!(all(&reader.texts_as_bytes()).0, [b"north".to_vec(), b"\xffouth".to_vec()]);
}
