//! Checksums: every flipped bit is found, and so is what has been exchanged.

use serde_json::{Value, json};
use std::ops::Range;
use trevni::formats::{RedElm, RedElmFooter, RedElmInfo, RedElmSummary};
use trevni::merge::Merge;
use trevni::verify::Verify;
use trevni::{Category, Checksum, Codec, Dialect, Reader, Result, Source, Writer, WriterBuilder};

/// Bytes that are not in memory, as those of a file.
struct Remote<'a>(&'a [u8]);

impl Source for Remote<'_> {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        Source::read_at(self.0, offset, buffer)
    }
}

fn rows(count: i64) -> Vec<Value> {
    let row = |n: i64| {
        json!({
            "id": n * 1000, "name": if n % 3 == 0 { Value::Null } else { json!(format!("name {n}")) },
            "l": (0..n % 3).map(|x| json!({"f": x as f64 / 2.0, "b": [x == 1]})).collect::<Vec<_>>(),
        })
    };
    (0..count).map(row).collect()
}

fn small() -> WriterBuilder {
    Writer::builder().dialect(Dialect::RedElm).memory_limit(60).batch_rows(1).codec(Codec::Null)
}

fn written(options: WriterBuilder, rows: &[Value]) -> Vec<u8> {
    let trevni = trevni::to_vec(rows).unwrap();
    let shape = Reader::from_slice(&trevni).unwrap().shape().clone();
    let mut writer = options.shape(&shape).build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// All that a reader says of a file: rows, and what the footer tells.
fn seen(reader: &Reader<'_>) -> Result<(Vec<Value>, String)> {
    let rows = reader.rows::<Value>()?.collect::<Result<Vec<_>>>()?;
    let told = (reader.row_count(), reader.shape(), reader.metadata(), reader.columns());
    Ok((rows, format!("{told:?}")))
}

fn verified(bytes: &[u8]) -> bool {
    Verify::new().source(bytes).unwrap().is_ok()
}

/// How often flipped bits were found: when the file was opened, when it was read, by a check only.
#[derive(Debug, Default, Clone, Copy)]
struct Found {
    opening: usize,
    reading: usize,
    checking: usize,
}

/// Flips each bit. Where it is one of the footer, opening fails.
fn flip_bits(name: &str, bytes: &[u8]) -> Found {
    let whole = Reader::from_slice(bytes).unwrap();
    let (footer, whole) =
        (whole.info::<RedElmInfo>().map(|info| info.footer_range).unwrap(), seen(&whole).unwrap());
    let report = Verify::new().source(bytes).unwrap();
    assert!(report.is_ok(), "{name}: {:?}", report.findings);
    let mut found = Found::default();
    let mut damaged = bytes.to_vec();
    for bit in 0..8 * bytes.len() {
        let what = format!("{name}, bit {bit}");
        damaged[bit / 8] ^= 1 << (bit % 8);
        let read = |reader: Result<Reader<'_>>| reader.map(|reader| seen(&reader));
        match read(Reader::from_slice(&damaged)) {
            Err(error) => {
                assert!(matches!(error.category(), Category::Corrupt | Category::Unsupported), "{error}");
                found.opening += 1;
                assert!(bit % 97 > 0 || !verified(&damaged), "{what}");
            }
            Ok(_) if footer.contains(&(bit as u64 / 8)) => panic!("{what} of the footer"),
            Ok(Err(error)) => {
                assert_eq!(error.category(), Category::Corrupt, "{error}");
                found.reading += 1;
                // These take long, and say the same.
                if bit % 17 == 0 {
                    assert!(read(Reader::new(Remote(&damaged))).unwrap().is_err(), "{what}");
                    assert!(!verified(&damaged), "{what}");
                }
            }
            Ok(Ok(seen)) => {
                assert!(seen == whole, "{what}");
                assert!(!verified(&damaged), "{what}");
                found.checking += 1;
            }
        }
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!(found.opening + found.reading + found.checking, 8 * bytes.len());
    println!("{name}: {found:?}");
    found
}

#[test]
fn every_bit_of_every_codec_is_checked() {
    for codec in [Codec::Null, Codec::Deflate, Codec::Gzip, Codec::Snappy, Codec::Bzip2, Codec::Lz4] {
        if codec.is_available() {
            // The footer is the smallest one, for there are few bits to flip then.
            let options = small()
                .memory_limit(1)
                .codec(codec)
                .format(RedElm::new().footer(RedElmFooter::GzippedJson))
                .without_zone_maps();
            let row = |n: i64| json!({"t": (n > 0).then(|| format!("text {n}")), "l": [{"f": vec![n; 2]}]});
            let file = written(options, &(0..3).map(row).collect::<Vec<_>>());
            assert!(Reader::from_slice(&file).unwrap().blocks(0).unwrap().len() > 2);
            let found = flip_bits(codec.name(), &file);
            assert!(found.reading > 400 && found.opening > 3000, "{found:?}");
        }
    }
}

#[test]
fn every_bit_of_every_footer_is_checked() {
    for footer in [RedElmFooter::Json, RedElmFooter::GzippedJson, RedElmFooter::Java] {
        let options =
            small().format(RedElm::new().footer(footer)).metadata("site", "roof").metadata("empty", "");
        flip_bits(&format!("{footer:?}"), &written(options, &rows(3)));
    }
}

#[test]
fn few_columns_and_rows() {
    for (name, rows) in [
        ("no columns", vec![json!({}); 3]),
        ("no rows", vec![]),
        ("nulls", vec![json!({"a": Value::Null, "l": [Value::Null]}); 3]),
        ("one column", vec![json!(1), json!(2)]),
    ] {
        flip_bits(name, &written(small().format(RedElm::new().footer(RedElmFooter::GzippedJson)), &rows));
    }
    // One row group has been filled by the last row: another without rows follows.
    let options = small().format(RedElm::new().footer(RedElmFooter::Java)).codec(Codec::Gzip).memory_limit(1);
    let found = flip_bits("an empty row group", &written(options, &[json!(1)]));
    assert!(found.checking > 100, "{found:?}");
}

#[test]
fn files_that_are_made_of_others_have_their_own() {
    let files = [written(small(), &rows(3)), written(small().checksum(Checksum::Null), &rows(4))];
    let readers = [&files[0], &files[1]].map(|bytes| Reader::from_slice(bytes).unwrap());
    let merge = |merge: Merge, readers: &[Reader<'_>]| {
        let mut file = Vec::new();
        merge.write(readers, &mut file).unwrap();
        file
    };
    let merged = merge(Merge::new(), &readers);
    let recoded = merge(Merge::new().codec(Codec::Snappy), &readers[..1]);
    let cut = merge(Merge::new(), &[readers[0].select(1..3).unwrap()]);
    for (name, file) in [("merged", merged), ("recoded", recoded), ("cut", cut)] {
        assert!(names(&file).ends_with(&["crc32_columns".to_owned(), "crc32_footer".to_owned()]), "{name}");
        assert!(!has_sums(&Reader::from_slice(&file).unwrap()), "{name}");
        flip_bits(name, &file);
    }
    // Those of the first file, if they are not asked for and the format stays.
    for bare in [merge(Merge::new().checksum(Checksum::Null), &readers), merge(Merge::new(), &readers[1..])] {
        assert!(!names(&bare).iter().any(|name| name.starts_with("crc32")));
        let reader = Reader::from_slice(&bare).unwrap();
        assert!(
            !has_sums(&reader)
                && reader.info::<RedElmInfo>().map(|info| info.checksum) == Some(Checksum::Null)
        );
    }
    let trevni = merge(Merge::new().dialect(Dialect::Trevni), &readers[1..]);
    let trevni = Reader::from_slice(&trevni).unwrap();
    assert_eq!(
        (trevni.columns()[0].checksum(), trevni.info::<RedElmInfo>().map(|info| info.checksum)),
        (Some(Checksum::Crc32), None)
    );
}

/// Whether the metadata show checksums.
fn has_sums(reader: &Reader<'_>) -> bool {
    reader.metadata().iter().any(|(key, _)| key.starts_with("crc32"))
}

/// The bytes of each column in each row group.
fn parts(reader: &Reader<'_>) -> Vec<Vec<Range<usize>>> {
    let of = |column: usize| {
        let blocks = reader.blocks(column).unwrap().clone();
        let place = |block: &trevni::BlockInfo| {
            block.offset as usize..block.offset as usize + block.compressed_size as usize
        };
        blocks.iter().map(place).collect()
    };
    (0..reader.columns().len()).map(of).collect()
}

/// A file with two ranges of the same size exchanged.
fn exchanged(bytes: &[u8], one: &Range<usize>, two: &Range<usize>) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out[one.clone()].copy_from_slice(&bytes[two.clone()]);
    out[two.clone()].copy_from_slice(&bytes[one.clone()]);
    out
}

#[test]
fn what_is_exchanged_is_found() {
    let (mut columns, mut groups) = (0, 0);
    for codec in [Codec::Null, Codec::Snappy] {
        let rows: Vec<Value> =
            (0..24).map(|n| json!({"a": n, "b": n * 2 + 1, "s": format!("{n:03}")})).collect();
        let file = written(small().codec(codec), &rows);
        let reader = Reader::from_slice(&file).unwrap();
        let parts = parts(&reader);
        let all: Vec<&Range<usize>> = parts.iter().flatten().collect();
        let of_group = |group: usize| {
            let own = parts.iter().map(|column| &column[group]);
            own.clone().map(|part| part.start).min().unwrap()..own.map(|part| part.end).max().unwrap()
        };
        let whole: Vec<Range<usize>> = (0..parts[0].len()).map(of_group).collect();
        let count = |ranges: Vec<&Range<usize>>| {
            let mut found = 0;
            for (at, one) in ranges.iter().enumerate() {
                for two in ranges[at + 1..].iter().filter(|two| two.len() == one.len()) {
                    let other = exchanged(&file, one, two);
                    if other != file {
                        let read = |reader: Reader<'_>| seen(&reader).is_err();
                        assert!(read(Reader::from_slice(&other).unwrap()), "{one:?} and {two:?}");
                        assert!(read(Reader::new(Remote(&other)).unwrap()), "{one:?} and {two:?}");
                        let threads = Reader::builder().threads(3).source(&*other).unwrap();
                        assert!(read(threads), "{one:?} and {two:?}");
                        assert!(!verified(&other), "{one:?} and {two:?}");
                        found += 1;
                    }
                }
            }
            found
        };
        columns += count(all);
        groups += count(whole.iter().collect());
    }
    assert!(columns > 30 && groups > 10, "{columns} and {groups}");
}

#[test]
fn damage_is_found_by_what_reads_it_and_no_other() {
    let file = written(small(), &rows(9));
    let reader = Reader::from_slice(&file).unwrap();
    let [id, name] =
        ["id", "name"].map(|name| reader.columns().iter().position(|column| column.name() == name).unwrap());
    let part = parts(&reader)[id][1].clone();
    let block = reader.blocks(id).unwrap()[1].clone();
    let mut damaged = file.clone();
    damaged[part.end - 1] ^= 1;
    for reader in [Reader::from_slice(&damaged).unwrap(), Reader::new(Remote(&damaged)).unwrap()] {
        assert_eq!(reader.raw_column(name).unwrap().len(), 9);
        // Twice: what has been found wrong is not taken for right afterwards.
        for _ in 0..2 {
            let error = reader.column::<i64>("id").unwrap_err();
            assert!(matches!(error.kind(), trevni::ErrorKind::Checksum { .. }), "{error}");
            let place = error.location();
            assert_eq!((place.column.as_deref(), place.block), (Some("id"), Some(1)), "{error}");
        }
        assert_eq!(reader.row::<Value>(0).unwrap(), rows(1)[0]);
        assert!(reader.row::<Value>(block.first_row).is_err());
    }
    let report = Verify::new().source(&*damaged).unwrap();
    let rows: Vec<_> = report.findings.iter().map(|finding| (finding.tier(), finding.rows())).collect();
    let expected = block.first_row..block.first_row + u64::from(block.rows);
    assert_eq!(rows, [(trevni::verify::Tier::Checksums, Some(expected))]);
}

/// The metadata blocks of the footer: names and bytes.
fn blocks(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let range = Reader::builder()
        .source(file)
        .map(|reader| reader.info::<RedElmInfo>().map(|info| info.footer_range).unwrap())
        .unwrap();
    let mut rest = &file[range.start as usize + 5..file.len() - 16];
    let mut blocks = Vec::new();
    while !rest.is_empty() {
        let (size, after) = rest.split_at(2);
        let (name, after) = after.split_at(usize::from(u16::from_be_bytes(size.try_into().unwrap())));
        let (size, after) = after.split_at(4);
        let (bytes, after) = after.split_at(u32::from_be_bytes(size.try_into().unwrap()) as usize);
        blocks.push((String::from_utf8(name.to_vec()).unwrap(), bytes.to_vec()));
        rest = after;
    }
    blocks
}

fn names(file: &[u8]) -> Vec<String> {
    blocks(file).into_iter().map(|(name, _)| name).collect()
}

/// The file with other blocks.
fn with_blocks(file: &[u8], blocks: &[&(String, Vec<u8>)]) -> Vec<u8> {
    let start =
        Reader::from_slice(file).unwrap().info::<RedElmInfo>().map(|info| info.footer_range).unwrap().start;
    let mut out = file[..start as usize].to_vec();
    out.extend([0, 0, 0, 1, blocks.len() as u8]);
    for (name, bytes) in blocks {
        out.extend((name.len() as u16).to_be_bytes());
        out.extend(name.as_bytes());
        out.extend((bytes.len() as u32).to_be_bytes());
        out.extend(bytes);
    }
    out.extend(start.to_be_bytes());
    out.extend(b"Red Elm\n");
    out
}

#[test]
fn both_blocks_or_none() {
    for footer in [RedElmFooter::Json, RedElmFooter::GzippedJson, RedElmFooter::Java] {
        let file = written(small().format(RedElm::new().footer(footer)).metadata("site", "roof"), &rows(7));
        let own = blocks(&file);
        let [before @ .., parts, sum] = &own[..] else { panic!("{own:?}") };
        assert_eq!((&*parts.0, &*sum.0, sum.1.len()), ("crc32_columns", "crc32_footer", 4));
        let with = |more: &[&(String, Vec<u8>)]| {
            with_blocks(&file, &before.iter().chain(more.iter().copied()).collect::<Vec<_>>())
        };
        assert!(with(&[parts, sum]) == file);
        let of = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
        let short = of("crc32_footer", &sum.1[..3]);
        let short_parts = of("crc32_columns", &parts.1[1..]);
        for (more, expected) in [
            (vec![parts], "crc32_columns without crc32_footer"),
            (vec![sum], "crc32_footer without crc32_columns"),
            (vec![parts, sum, sum], "crc32_footer twice"),
            (vec![parts, parts, sum], "crc32_columns twice"),
            (vec![sum, parts], "crc32_footer is not the last"),
            (vec![parts, sum, &of("z", b"")], "crc32_footer is not the last"),
            (vec![parts, &short], "crc32_footer has 3 bytes"),
            (vec![&short_parts, sum], "checksum mismatch of the footer"),
            (vec![&of("z", b""), parts, sum], "checksum mismatch of the footer"),
        ] {
            let other = with(&more);
            let error = Reader::from_slice(&other).unwrap_err();
            assert_eq!(error.category(), Category::Corrupt);
            assert!(error.to_string().contains(expected), "{error}");
            let report = Verify::new().source(&*other).unwrap();
            assert!(!report.is_ok() && report.rows == 7, "{expected}");
        }
        // Without both, it is a file without checksums.
        let bare = with(&[]);
        assert!(verified(&bare));
        let whole = seen(&Reader::from_slice(&file).unwrap()).unwrap();
        assert!(seen(&Reader::from_slice(&bare).unwrap()).unwrap() == whole);
        assert!(
            written(
                small()
                    .format(RedElm::new().footer(footer))
                    .metadata("site", "roof")
                    .checksum(Checksum::Null),
                &rows(7)
            ) == bare
        );
    }
}

#[test]
fn sums_of_other_numbers_of_parts_are_refused() {
    let file = written(small(), &rows(7));
    let mut own = blocks(&file);
    let parts = own.iter_mut().find(|(name, _)| name == "crc32_columns").unwrap();
    parts.1.truncate(parts.1.len() - 4);
    let mut other = with_blocks(&file, &own.iter().collect::<Vec<_>>());
    let start =
        Reader::from_slice(&file).unwrap().info::<RedElmInfo>().map(|info| info.footer_range).unwrap().start
            as usize;
    let place = other.len() - 20..other.len() - 16;
    other[place.clone()].fill(0);
    let sum = crc32(&other[start..]);
    other[place].copy_from_slice(&sum.to_be_bytes());
    let error = Reader::from_slice(&other).unwrap_err().to_string();
    assert!(error.contains("crc32_columns has"), "{error}");
}

/// CRC-32, as in `docs/format.md`.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(
            sum ^ u32::from(*byte),
            |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 },
        )
    })
}

#[test]
fn the_bytes_are_those_of_the_description() {
    let file = written(small(), &rows(4));
    let reader = Reader::from_slice(&file).unwrap();
    let own = blocks(&file);
    let footer: Value =
        serde_json::from_slice(&own.iter().find(|(name, _)| name == "RedElm").unwrap().1).unwrap();
    let mut expected = Vec::new();
    for column in
        footer["blocks"].as_array().unwrap().iter().flat_map(|group| group["columns"].as_array().unwrap())
    {
        let border = |key: &str| column[key].as_u64().unwrap() as usize;
        let borders = ["repetitionStart", "definitionStart", "dataStart", "dataEnd"].map(border);
        for part in borders.windows(2) {
            expected.extend(crc32(&file[part[0]..part[1]]).to_be_bytes());
        }
    }
    let [.., parts, sum] = &own[..] else { panic!("{own:?}") };
    assert!(parts.1 == expected && expected.len() > 3 * 4 * 4);
    let mut end =
        file[reader.info::<RedElmInfo>().map(|info| info.footer_range).unwrap().start as usize..].to_vec();
    let place = end.len() - 20..end.len() - 16;
    end[place].fill(0);
    assert_eq!(sum.1, crc32(&end).to_be_bytes());
}

#[test]
fn users_neither_see_nor_set_them() {
    let file = written(small().metadata("site", "roof"), &rows(4));
    let reader = Reader::from_slice(&file).unwrap();
    assert!(!has_sums(&reader) && reader.metadata().get_str("site") == Some("roof"));
    for key in ["crc32_columns", "crc32_footer"] {
        assert!(small().metadata(key, "x").build(Vec::new()).is_err());
    }
    let folder = std::env::temp_dir().join(format!("trevni-redelm-sums-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.redelm");
    std::fs::write(&path, &file).unwrap();
    let summary = RedElmSummary::from_files([&path]);
    std::fs::remove_dir_all(&folder).unwrap();
    let summary = RedElmSummary::from_slice(&summary.unwrap().to_vec().unwrap()).unwrap();
    assert!(!summary.files()[0].metadata().iter().any(|(key, _)| key.starts_with("crc32")));
    assert_eq!(summary.files()[0].metadata().get_str("site"), Some("roof"));
}
