//! Damage: copied unseen, found by verifying, recoding and cutting.

use crate::Folder;
use crate::merged;
use trevni::merge::Merge;
use trevni::{Category, Checksum, Codec, ErrorKind, Reader, WriterBuilder};

/// Two columns of texts; a byte of the third block of the second is another one.
fn damaged() -> Vec<u8> {
    let mut writer = WriterBuilder::new().codec(Codec::Null).block_size(500).build(Vec::new()).unwrap();
    writer.write_all((0..500).map(|n| (format!("text {n}"), format!("other {n}")))).unwrap();
    let mut bytes = writer.finish().unwrap();
    let block = Reader::from_slice(&bytes).unwrap().blocks(1).unwrap()[2].clone();
    bytes[block.offset as usize + 30] ^= 1;
    bytes
}

#[test]
fn copying_keeps_damage_and_all_else_finds_it() {
    let bytes = damaged();
    let reader = Reader::from_slice(&bytes).unwrap();
    let (file, _) = merged(Merge::new(), std::slice::from_ref(&reader));
    assert!(Reader::from_slice(&file).unwrap().column::<String>("_1").is_err());
    let row = reader.blocks(1).unwrap()[2].first_row;
    let cut = reader.select(0..row + 3).unwrap();
    for (merge, reader) in [
        (Merge::new().verify(), &reader),
        (Merge::new().codec(Codec::Snappy), &reader),
        (Merge::new().checksum(Checksum::Null), &reader),
        (Merge::new(), &cut),
    ] {
        let error = merge.write(std::slice::from_ref(reader), Vec::new()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Checksum { .. }), "{error}");
        let location = error.location();
        assert_eq!(
            (location.column.as_deref(), location.block, &location.file),
            (Some("_1"), Some(2), &None)
        );
    }
}

#[test]
fn an_error_names_its_file_and_leaves_none() {
    let folder = Folder::new("damage");
    let [good, bad, all] = ["good.trv", "bad.trv", "all.trv"].map(|name| folder.0.join(name));
    let bytes = damaged();
    std::fs::write(&bad, &bytes).unwrap();
    trevni::Writer::create(&good)
        .and_then(|mut writer| writer.write(&("one", "other")).and_then(|()| writer.finish()))
        .unwrap();
    let merge = Merge::new().verify();
    let error = merge.files([&good, &bad], &all).unwrap_err();
    assert_eq!(error.location().file.as_ref(), Some(&bad), "{error}");
    assert_eq!(error.location().block, Some(2));
    let error = merge.files([&good, &folder.0.join("none.trv")], &all).unwrap_err();
    assert_eq!((error.category(), error.location().file.is_some()), (Category::Io, true));
    // A file that is cut short; its header is whole.
    std::fs::write(&bad, &bytes[..bytes.len() - 1]).unwrap();
    let error = trevni::merge([&good, &bad], &all).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Truncated { .. }), "{error}");
    assert_eq!(error.location().file.as_ref(), Some(&bad));
    assert_eq!(error.location().column.as_deref(), Some("_1"));
    assert_eq!(folder.names(), ["bad.trv", "good.trv"]);
}

#[test]
fn whatever_the_bytes_are_nothing_panics() {
    let bytes = damaged();
    for at in (0..bytes.len()).step_by(7) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x55;
        let Ok(reader) = Reader::from_slice(&bytes) else {
            continue;
        };
        let rows = reader.row_count();
        for merge in [Merge::new(), Merge::new().codec(Codec::Snappy)] {
            let _ = merge.write(std::slice::from_ref(&reader), Vec::new());
            if let Ok(reader) = reader.select(rows / 3..rows / 2) {
                let _ = merge.verify().write(&[reader], Vec::new());
            }
        }
    }
}

#[test]
fn blocks_that_were_exchanged_do_not_become_right() {
    let mut writer = WriterBuilder::new().codec(Codec::Null).block_size(16).build(Vec::new()).unwrap();
    writer.write_all((0..20).map(f64::from)).unwrap();
    let mut bytes = writer.finish().unwrap();
    let blocks = Reader::from_slice(&bytes).unwrap().blocks(0).unwrap();
    let (one, two) = (blocks[3].offset as usize, blocks[4].offset as usize);
    bytes[one..two + 20].rotate_left(20);
    let reader = Reader::from_slice(&bytes).unwrap();
    let is_found = |error: &trevni::Error| matches!(error.kind(), ErrorKind::PartChecksum { .. });
    assert!(is_found(&reader.column::<f64>("").unwrap_err()));
    for merge in [Merge::new().verify(), Merge::new().codec(Codec::Snappy)] {
        let error = merge.write(std::slice::from_ref(&reader), Vec::new()).unwrap_err();
        assert!(is_found(&error), "{error}");
    }
    // What is copied is found later, also beside whole files.
    let mut writer = WriterBuilder::new().codec(Codec::Null).build(Vec::new()).unwrap();
    writer.write_all([1.5, 2.5]).unwrap();
    let whole = writer.finish().unwrap();
    let whole = Reader::from_slice(&whole).unwrap();
    for parts in [&[reader.clone()][..], &[whole.clone(), reader.clone()], &[reader, whole]] {
        let (copied, report) = merged(Merge::new(), parts);
        assert!(report.blocks_copied >= 10 && report.blocks_recoded == 0);
        assert!(is_found(&Reader::from_slice(&copied).unwrap().column::<f64>("").unwrap_err()));
    }
}
