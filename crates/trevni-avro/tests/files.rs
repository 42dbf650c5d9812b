//! Rows from columns to Avro and back, in all codecs; and what becomes of files that are damaged.

mod rows;

use rows::{avro, columns, rows};
use trevni::{ErrorKind, Limits};
use trevni_avro::{Compression, Error, MAGIC, Reader, SCHEMA, Schema, Writer, schema_of};

/// The columns of an Avro file.
fn back(avro: &[u8]) -> Result<Vec<u8>, Error> {
    let mut rows = Reader::new(avro)?;
    let builder = trevni::Writer::builder().schema(rows.schema());
    let mut writer = builder.build(Vec::new()).map_err(|error| Error::Refused(Box::new(error)))?;
    rows.each(|row| writer.write(row).map(|()| true))?;
    writer.finish().map_err(|error| Error::Refused(Box::new(error)))
}

#[test]
fn all_values_come_back_in_all_codecs() {
    let columns = columns(&rows(3_000));
    for codec in Compression::ALL {
        let avro = avro(&columns, codec);
        assert!(avro.starts_with(&MAGIC));
        assert!(back(&avro).unwrap() == columns, "{codec:?}");
    }
}

#[test]
fn rows_are_compared_to_the_bit() {
    let columns = columns(&rows(30));
    let avro = avro(&columns, Compression::Null);
    let batch = trevni::Reader::from_slice(&columns).unwrap().batches().unwrap().next().unwrap().unwrap();
    for shift in 0..3 {
        let (mut at, mut equal) = (0, 0);
        let mut rows = Reader::new(&*avro).unwrap();
        let done = rows.each(|row| {
            let is_equal = row.equals(&batch, (at + shift) % 30).map_err(std::io::Error::other)?;
            equal += usize::from(is_equal);
            at += 1;
            // Of a row that differs only a part is taken.
            Ok::<_, std::io::Error>(is_equal)
        });
        done.unwrap();
        assert_eq!((at, equal), if shift == 0 { (30, 30) } else { (1, 0) });
    }
}

#[test]
fn metadata_is_kept_apart_from_that_of_avro() {
    let columns = columns(&rows(1));
    let reader = trevni::Reader::from_slice(&columns).unwrap();
    let schema = schema_of(&reader, reader.shape());
    let own: [(&str, &[u8]); 2] = [("source", b"sensors"), ("bytes", &[0, 255])];
    let file = Writer::new(&schema, Compression::Deflate, &own, Vec::new()).unwrap().finish().unwrap();
    let mut rows = Reader::new(&*file).unwrap();
    assert_eq!(rows.schema(), schema);
    let found: Vec<(&str, &[u8])> =
        rows.metadata().iter().map(|(key, value)| (key.as_str(), value.as_slice())).collect();
    assert_eq!(found, own);
    rows.each(|_| -> Result<bool, std::io::Error> { panic!("there is no row") }).unwrap();
}

#[test]
fn reading_ends_where_rows_are_not_wanted() {
    let avro = avro(&columns(&rows(100)), Compression::Snappy);
    let mut reader = Reader::new(&*avro).unwrap();
    let mut count = 0;
    let done = reader.each(|row| {
        serde_json::to_string(row)?;
        count += 1;
        Ok::<_, serde_json::Error>(count < 7)
    });
    done.unwrap();
    assert_eq!(count, 7);
    let refused = Reader::new(&*avro).unwrap().each(|_| Err(std::io::Error::other("full")));
    assert!(matches!(refused, Err(Error::Refused(error)) if error.to_string() == "full"));
}

#[test]
fn files_that_are_cut_are_told() {
    let (columns, cut) = (columns(&rows(4)), "it ends too early");
    for codec in Compression::ALL {
        let avro = avro(&columns, codec);
        let head = avro.len() - block_len(&avro);
        // The head is the same with all codecs.
        for len in if codec == Compression::Null { 0 } else { head }..avro.len() {
            match back(&avro[..len]) {
                // Without a block, there are no rows.
                Ok(_) => assert_eq!(len, head),
                Err(Error::Damaged(message)) => assert_eq!(message, cut, "{codec:?} {len}"),
                Err(error) => panic!("{codec:?} {len}: {error}"),
            }
        }
    }
}

/// Bytes of the only block, with its head and its mark.
fn block_len(avro: &[u8]) -> usize {
    let sync = &avro[avro.len() - 16..];
    let first = avro.windows(16).position(|window| window == sync).unwrap();
    avro.len() - first - 16
}

#[test]
fn flipped_bits_are_errors_or_other_values() {
    let columns = columns(&rows(3));
    for codec in Compression::ALL {
        let avro = avro(&columns, codec);
        let head = avro.len() - block_len(&avro);
        // The head is the same with all codecs.
        let first = if codec == Compression::Null { 0 } else { head };
        for at in first..avro.len() {
            for bit in if codec == Compression::Snappy { 0..8 } else { at % 8..at % 8 + 1 } {
                let mut wrong = avro.clone();
                wrong[at] ^= 1 << bit;
                let found = back(&wrong);
                // Snappy's blocks have checksums, and the mark is compared.
                let is_found = codec != Compression::Snappy || found.is_err();
                assert!(is_found || found.is_ok_and(|found| found == columns), "byte {at}, bit {bit}");
            }
        }
    }
}

#[test]
fn what_is_no_file_is_told() {
    let error = |bytes: &[u8]| Reader::new(bytes).map(drop).unwrap_err();
    assert!(matches!(error(b"id,name\n"), Error::NotAvro));
    assert!(matches!(error(b"Obj\x01\x00"), Error::Damaged(_)));
    let file = |schema: &str, codec: &str| {
        let mut file = MAGIC.to_vec();
        file.push(4);
        for text in [SCHEMA, schema, "avro.codec", codec] {
            file.extend([(text.len() as u8) << 1 | 0x80, (text.len() >> 6) as u8]);
            file.extend_from_slice(text.as_bytes());
        }
        file.extend([0; 17]);
        file
    };
    assert!(Reader::new(&*file("\"int\"", "null")).is_ok());
    assert!(matches!(error(&file("\"int\"", "xz")), Error::Codec(codec) if codec == "xz"));
    let recursive = r#"{"type": "record", "name": "R", "fields": [{"name": "r", "type": ["null", "R"]}]}"#;
    assert!(matches!(error(&file(recursive, "null")), Error::Schema(error) if error.contains("recursive")));
    assert!(matches!(error(&file("{", "null")), Error::Schema(_)));
    assert!(Schema::parse(recursive).is_err());
    assert!(Writer::new(recursive, Compression::Null, &[], Vec::new()).is_err());
}

#[test]
fn blocks_that_claim_too_much_take_no_memory() {
    let columns = columns(&rows(1));
    let reader = trevni::Reader::from_slice(&columns).unwrap();
    let schema = schema_of(&reader, reader.shape());
    let head = Writer::new(&schema, Compression::Null, &[], Vec::new()).unwrap().finish().unwrap();
    // A row in 2^28 bytes, of which there are none; a negative number of bytes; an integer without end.
    for claim in [&[2, 0x80, 0x80, 0x80, 0x80, 0x02][..], &[2, 1], &[0xff; 11]] {
        let file = [&head, claim].concat();
        assert!(matches!(back(&file), Err(Error::Damaged(_))), "{claim:?}");
    }
}

/// A file of one block.
fn one_block(schema: &str, codec: Compression, rows: u64, block: &[u8]) -> Vec<u8> {
    let mut file = Writer::new(schema, codec, &[], Vec::new()).unwrap().finish().unwrap();
    let sync = file[file.len() - 16..].to_vec();
    for number in [rows, block.len() as u64] {
        let mut rest = number << 1;
        while rest >= 0x80 {
            file.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        file.push(rest as u8);
    }
    file.extend([block, &sync].concat());
    file
}

/// The limit that the rows of a file are above.
fn limited(file: &[u8], limits: Limits) -> Option<&'static str> {
    let error = Reader::new(file)
        .unwrap()
        .limits(limits)
        .each(|row| serde_json::to_writer(std::io::sink(), row).map(|()| true));
    let Err(Error::Limit { error, .. }) = error else { return None };
    match error.kind() {
        ErrorKind::Limit { option, .. } => Some(option),
        _ => None,
    }
}

#[test]
fn rows_without_bytes_are_limited_by_the_work_that_they_are() {
    let nulls = r#"{"name":"a","type":"null"},{"name":"b","type":"null"}"#;
    let schemas = [
        r#"{"type":"record","name":"R","fields":[]}"#.to_owned(),
        format!(r#"{{"type":"record","name":"R","fields":[{nulls}]}}"#),
    ];
    let limits = Limits::default().rows_without_bytes(1 << 20);
    // 2^63 - 1 rows.
    let file = include_bytes!("hostile/rows_without_fields.avro");
    assert_eq!(limited(file, limits), Some("rows_without_bytes"));
    for schema in &schemas {
        for rows in [1 << 62, 1 << 40, 20_000] {
            let file = one_block(schema, Compression::Null, rows, &[]);
            assert_eq!(limited(&file, limits), Some("rows_without_bytes"), "{schema} {rows}");
        }
        assert_eq!(limited(&one_block(schema, Compression::Null, 5_000, &[]), limits), None, "{schema}");
    }
    // Each row is a list of 2^20 nulls, of 4 bytes.
    let list = [0x80, 0x80, 0x80, 0x01, 0];
    let schema = r#"{"type":"array","items":"null"}"#;
    let file = one_block(schema, Compression::Null, 10_000, &list.repeat(10_000));
    assert_eq!(limited(&file, limits), Some("rows_without_bytes"));
    let limits = limits.rows_without_bytes(1 << 22);
    assert_eq!(limited(&one_block(schema, Compression::Null, 1, &list), limits), None);
}

#[test]
fn blocks_are_limited_once_they_are_decompressed() {
    let schema = r#""string""#;
    let mut columns = trevni::Writer::builder().schema(schema).build(Vec::new()).unwrap();
    columns.write(&"a".repeat(1 << 20)).unwrap();
    let columns = columns.finish().unwrap();
    let columns = trevni::Reader::from_slice(&columns).unwrap();
    for codec in Compression::ALL {
        let mut writer = Writer::new(schema, codec, &[], Vec::new()).unwrap();
        columns.batches().unwrap().for_each(|batch| writer.write_batch(&batch.unwrap()).unwrap());
        let file = writer.finish().unwrap();
        assert_eq!(limited(&file, Limits::default()), None, "{codec:?}");
        assert_eq!(limited(&file, Limits::default().memory(1 << 20)), Some("memory"), "{codec:?}");
        let limits = Limits::default().block_bytes(1 << 20);
        assert_eq!(limited(&file, limits), Some("block_bytes"), "{codec:?}");
    }
}

/// Items count by their own type, whatever else the schema has.
#[test]
fn lists_of_small_items_in_wide_rows_are_read() {
    let fields: Vec<String> =
        (0..3000).map(|number| format!(r#"{{"name":"f{number}","type":"boolean"}}"#)).collect();
    let list = r#"{"name":"list","type":{"type":"array","items":"boolean"}}"#;
    let schema = format!(r#"{{"type":"record","name":"R","fields":[{},{list}]}}"#, fields.join(","));
    // 2^19 booleans in a byte each.
    let block = [&[1; 3000][..], &[0x80, 0x80, 0x40], &[0; 1 << 19], &[0]].concat();
    let limits = Limits::default().rows_without_bytes(0);
    assert_eq!(limited(&one_block(&schema, Compression::Null, 1, &block), limits), None);
}
