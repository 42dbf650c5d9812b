//! Files that are cut, or are no Trevni files at all.

use super::memory::{MIB, alone, within};
use super::samples::{read, samples};
use super::sums::without_sums;
use trevni::{Category, Error, ErrorKind, Reader};

fn open(bytes: &[u8]) -> Error {
    Reader::from_slice(bytes).unwrap_err()
}

#[test]
fn every_cut_is_noticed_and_placed() {
    let _alone = alone();
    within(64 * MIB, || {
        for sample in samples() {
            for length in 0..sample.bytes.len() {
                let error = match read(&sample.bytes[..length]) {
                    Ok(_) => panic!("{} cut to {length} bytes of {}", sample.name, sample.bytes.len()),
                    Err(error) => error,
                };
                let context = format!("{} cut to {length} bytes: {error}", sample.name);
                assert_eq!(error.category(), Category::Corrupt, "{context}");
                let cut = matches!(error.kind(), ErrorKind::Truncated { .. } | ErrorKind::Count { .. });
                assert!(cut, "{context}");
                let place = error.location();
                assert!(
                    place.offset.is_some() || (place.column.is_some() && place.block.is_some()),
                    "{context}"
                );
            }
        }
    });
}

#[test]
fn columns_before_a_cut_are_readable() {
    let _alone = alone();
    #[derive(serde::Serialize)]
    struct Row {
        a: i32,
        b: i32,
    }
    let bytes = trevni::to_vec([Row { a: 1, b: 2 }, Row { a: 3, b: 4 }]).unwrap();
    let reader = Reader::from_slice(&bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(reader.column::<i32>("a").unwrap(), [1, 3]);
    let error = reader.column::<i32>("b").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Truncated { .. }), "{error}");
    assert_eq!((error.location().column.as_deref(), error.location().block), (Some("b"), Some(0)));
}

#[test]
fn bytes_behind_the_last_column_are_ignored() {
    let _alone = alone();
    for sample in samples() {
        for garbage in [&b"x"[..], &[0; 100], b"Trv\x02 and so on", &[0xff; 5000]] {
            let bytes = [&sample.bytes, garbage].concat();
            assert_eq!(read(&bytes).unwrap(), sample.rows, "{}", sample.name);
        }
    }
}

#[test]
fn an_empty_file_is_cut_short() {
    let _alone = alone();
    let error = open(b"");
    assert!(matches!(error.kind(), ErrorKind::Truncated { needed: 4, available: 0, .. }), "{error}");
    assert_eq!(error.to_string(), "byte 0: the header is truncated: 4 bytes needed, 0 available");
}

#[test]
fn other_files_are_not_trevni() {
    let _alone = alone();
    for other in ["name,age\nAnn,3\n", "T", "Tr\nv", "PAR1", "Obj\u{1}", "\u{89}PNG\r\n\u{1a}\n", "PK"] {
        if "Trv".starts_with(other) {
            assert!(matches!(open(other.as_bytes()).kind(), ErrorKind::Truncated { .. }));
            continue;
        }
        let error = open(other.as_bytes());
        let ErrorKind::NotTrevni { found } = error.kind() else { panic!("{error}") };
        assert_eq!(found.as_slice(), &other.as_bytes()[..other.len().min(4)]);
        assert_eq!((error.category(), error.location().offset), (Category::Corrupt, Some(0)));
    }
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    assert_eq!(open(png).to_string(), "byte 0: not a Trevni file: it starts with bytes [89, 50, 4e, 47]");
}

#[test]
fn an_unknown_version_is_unsupported() {
    let _alone = alone();
    let mut bytes = without_sums(&trevni::to_vec([1, 2, 3]).unwrap());
    for version in 3..=255 {
        bytes[3] = version;
        let error = open(&bytes);
        assert!(matches!(error.kind(), ErrorKind::Version { version: v } if *v == version), "{error}");
        assert_eq!((error.category(), error.location().offset), (Category::Unsupported, Some(3)));
    }
    bytes[3] = 0;
    assert_eq!(trevni::from_slice::<Vec<i32>>(&bytes).unwrap(), [1, 2, 3]);
}
