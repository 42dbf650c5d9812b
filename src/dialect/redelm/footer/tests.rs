//! Footers of the Java implementation's files, and damaged ones.

use super::blocks::{from_modified, to_modified};
use super::{Blocks, Footer, NAME, RedElmFooter};
use std::path::{Path, PathBuf};

const LIMIT: (u64, &str) = (1 << 24, "memory");

/// Whether these are the sources of a published package, which has no data for tests: cargo leaves this file there.
fn is_package() -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml.orig").exists()
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/redelm").join(name)
}

/// The bytes of the footer of each file of a folder, with the file's path.
fn footers(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let files = std::fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "redelm")).collect();
    files.sort();
    let footer = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        let (rest, _) = bytes.split_last_chunk::<8>().unwrap();
        let (rest, start) = rest.split_last_chunk::<8>().unwrap();
        let start = u64::from_be_bytes(*start) as usize;
        (path, rest[start..].to_vec())
    };
    files.into_iter().map(footer).collect()
}

fn block(footer: &[u8]) -> Vec<u8> {
    let blocks = Blocks::read(footer).unwrap();
    blocks.into_iter().find(|block| block.name == NAME).unwrap().bytes.into_owned()
}

fn as_json(footer: &Footer) -> serde_json::Value {
    serde_json::from_slice(&footer.write(RedElmFooter::Json).unwrap()).unwrap()
}

#[test]
fn footers_are_what_java_prints_of_them() {
    if is_package() {
        return;
    }
    let derived = [
        "columnStart",
        "columnEnd",
        "columnLength",
        "repetitionEnd",
        "repetitionLength",
        "definitionEnd",
        "definitionLength",
        "dataLength",
    ];
    let footers = [footers("public"), footers("extra")].concat();
    assert_eq!(footers.len(), 17);
    for (path, footer) in footers {
        let printed = std::fs::read_to_string(path.with_extension("footer.json")).unwrap();
        let mut printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
        for group in printed["blocks"].as_array_mut().unwrap() {
            for column in group["columns"].as_array_mut().unwrap() {
                derived.iter().for_each(|key| drop(column.as_object_mut().unwrap().remove(*key)));
            }
        }
        let read = Footer::read(&block(&footer), LIMIT).unwrap();
        assert_eq!(as_json(&read), printed, "{}", path.display());
    }
}

#[test]
fn footers_are_written_as_java_wrote_them() {
    if is_package() {
        return;
    }
    let mut java = 0;
    for (path, footer) in [footers("public"), footers("extra")].concat() {
        let blocks = Blocks::read(&footer).unwrap();
        assert_eq!(Blocks::write(&blocks).unwrap(), footer, "{}", path.display());
        let block = block(&footer);
        // The room of lists was another in older versions of Java.
        if block.starts_with(&[0xac, 0xed]) && !path.ends_with("footer_java_capacity_10.redelm") {
            let again = Footer::read(&block, LIMIT).unwrap().write(RedElmFooter::Java).unwrap();
            assert!(again == block, "{}", path.display());
            java += 1;
        }
    }
    assert_eq!(java, 13);
}

#[test]
fn a_footer_comes_back_from_each_form() {
    if is_package() {
        return;
    }
    for (path, footer) in [footers("public"), footers("extra")].concat() {
        let footer = Footer::read(&block(&footer), LIMIT).unwrap();
        for form in [RedElmFooter::Json, RedElmFooter::GzippedJson, RedElmFooter::Java] {
            let bytes = footer.write(form).unwrap();
            assert_eq!(Footer::read(&bytes, LIMIT).unwrap(), footer, "{form:?} of {}", path.display());
        }
    }
}

#[test]
fn cut_and_flipped_footers_never_panic() {
    if is_package() {
        return;
    }
    let (_, footer) =
        footers("public").into_iter().find(|(path, _)| path.ends_with("dremel_plain.redelm")).unwrap();
    let java = block(&footer);
    let footer = Footer::read(&java, LIMIT).unwrap();
    for form in [RedElmFooter::Json, RedElmFooter::GzippedJson, RedElmFooter::Java] {
        let bytes = footer.write(form).unwrap();
        for end in 0..bytes.len() {
            assert!(Footer::read(&bytes[..end], LIMIT).is_err(), "{form:?} up to {end}");
        }
        for bit in (0..bytes.len()).map(|byte| byte * 8 + byte % 8) {
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let _ = Footer::read(&bad, LIMIT);
        }
    }
}

/// A stream of these parts.
fn stream(parts: &[&[u8]]) -> Vec<u8> {
    [&[0xac, 0xed, 0, 5], parts.concat().as_slice()].concat()
}

/// An object of a class without fields that writes objects of its own.
const OPEN: &[u8] = b"\x73\x72\x00\x01A\x00\x00\x00\x00\x00\x00\x00\x01\x03\x00\x00\x78\x70";

#[test]
fn deep_java_objects_are_refused() {
    let again: &[u8] = b"\x73\x71\x00\x7e\x00\x00";
    let deep = stream(&[OPEN, &again.repeat(100_000)]);
    assert!(Footer::read(&deep, LIMIT).unwrap_err().to_string().contains("nested deeper"));
    // Classes that extend each other, and one that extends itself.
    let class: &[u8] = b"\x72\x00\x01A\x00\x00\x00\x00\x00\x00\x00\x01\x02\x00\x00\x78";
    let deep = stream(&[b"\x73", &class.repeat(100_000)]);
    assert!(Footer::read(&deep, LIMIT).unwrap_err().to_string().contains("nested deeper"));
    let own = stream(&[b"\x73", class, b"\x71\x00\x7e\x00\x00"]);
    assert!(Footer::read(&own, LIMIT).unwrap_err().to_string().contains("lacks the class"));
}

#[test]
fn huge_counts_in_java_objects_reserve_nothing() {
    for bomb in [
        // An array of 2^31 - 1 numbers, a text of 2^63 - 1 bytes, a block of 2^32 - 1 bytes.
        stream(&[b"\x75\x72\x00\x02[B\x00\x00\x00\x00\x00\x00\x00\x01\x02\x00\x00\x78\x70\x7f\xff\xff\xff"]),
        stream(&[b"\x7c\x7f\xff\xff\xff\xff\xff\xff\xff"]),
        stream(&[OPEN, b"\x7a\xff\xff\xff\xff"]),
        stream(&[b"\x73\x72\x00\x01A\x00\x00\x00\x00\x00\x00\x00\x01\x02\xff\xff"]),
    ] {
        assert!(Footer::read(&bomb, LIMIT).is_err());
    }
}

#[test]
fn a_gzipped_footer_stops_at_the_limit() {
    let json = vec![b' '; 1 << 20];
    let mut bytes = Vec::new();
    let mut gzip = crate::storage::codec::Compressors::new(crate::storage::codec::Framing::Hadoop, None);
    for _ in 0..2 {
        bytes = gzip
            .compress(crate::storage::codec::Codec::Gzip, if bytes.is_empty() { &json } else { &bytes }, 0)
            .unwrap();
    }
    let twice = Footer::read(&bytes, LIMIT).unwrap_err().to_string();
    assert!(twice.contains("compressed twice"), "{twice}");
    let once = gzip.compress(crate::storage::codec::Codec::Gzip, &json, 0).unwrap();
    assert!(
        Footer::read(&once, (1 << 19, "memory"))
            .unwrap_err()
            .to_string()
            .contains("above the limit of 524288")
    );
}

#[test]
fn texts_of_java_come_back() {
    for text in ["", "plain", "é日", "\0", "a\0b\u{1f600}c", "\u{ff5e}\u{1f600}"] {
        assert_eq!(from_modified(&to_modified(text)).unwrap(), text);
    }
    assert_eq!(&*to_modified("\0\u{1f600}"), b"\xc0\x80\xed\xa0\xbd\xed\xb8\x80");
    for bad in [&b"\xed\xa0\xbd"[..], b"\xc0", b"\xff", b"a\x80"] {
        assert!(from_modified(bad).is_err());
    }
}
