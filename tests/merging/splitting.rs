//! One file into several.

use crate::{Folder, read};
use trevni::merge::{Merge, Split};
use trevni::{Codec, ErrorKind, Reader, WriterBuilder};

fn file() -> Vec<u8> {
    let mut writer = WriterBuilder::new().block_size(100).build(Vec::new()).unwrap();
    writer.write_all((0..1000u32).map(|n| (n, vec![n; n as usize % 3]))).unwrap();
    writer.finish().unwrap()
}

type Row = (u32, Vec<u32>);

#[test]
fn parts_of_as_many_rows_each() {
    let (folder, bytes) = (Folder::new("every"), file());
    let reader = Reader::from_slice(&bytes).unwrap();
    let parts = folder.0.join("parts");
    let files = trevni::merge::split(&reader, 300, &parts).unwrap();
    let names: Vec<_> = (0..4).map(|number| parts.join(format!("part-0000{number}.trv"))).collect();
    assert_eq!(files, names);
    let counts: Vec<u64> = files.iter().map(|file| Reader::open(file).unwrap().row_count()).collect();
    assert_eq!(counts, [300, 300, 300, 100]);
    let all = folder.0.join("all.trv");
    assert_eq!(trevni::merge(&files, &all).unwrap().rows, 1000);
    assert_eq!(read::<Row>(&Reader::open(&all).unwrap()), read::<Row>(&reader));
    // A folder with parts is left alone.
    let error = trevni::merge::split(&reader, 500, &parts).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Option { .. }), "{error}");
    assert_eq!(std::fs::read_dir(&parts).unwrap().count(), 4);
}

#[test]
fn cuts_are_counted_among_the_rows_that_are_seen() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap().select([10..20, 500..600]).unwrap();
    let parts = Split::at([0, 5, 15, 15]).readers(&reader).unwrap();
    let ids: Vec<Vec<u32>> = parts.iter().map(|part| part.column::<u32>("_0").unwrap()).collect();
    assert_eq!(
        ids,
        [(10..15).collect(), (15..20).chain(500..505).collect(), vec![], (505..600).collect::<Vec<u32>>()]
    );
    for (split, text) in [
        (Split::every(0), "a part needs at least one row"),
        (Split::at([5, 4]), "cuts must ascend: row 4 comes after row 5"),
        (Split::at([5, 111]), "cannot cut at row 111: the reader has 110 rows"),
        (Split::at([120, 5]), "cannot cut at row 120"),
    ] {
        let error = split.readers(&reader).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    assert_eq!(Split::every(u64::MAX).readers(&reader).unwrap().len(), 1);
    assert_eq!(Split::every(7).readers(&reader.select(0..0).unwrap()).unwrap().len(), 1);
}

#[test]
fn parts_are_stored_as_asked_for() {
    let (folder, bytes) = (Folder::new("stored"), file());
    let reader = Reader::from_slice(&bytes).unwrap();
    let split = Split::at([999]).stored(Merge::new().codec(Codec::Deflate));
    for file in split.create(&reader, &folder.0).unwrap() {
        assert!(Reader::open(file).unwrap().columns().iter().all(|column| column.codec_name() == "deflate"));
    }
}

#[test]
fn an_error_leaves_no_parts() {
    let (folder, mut bytes) = (Folder::new("failing"), file());
    let block = Reader::from_slice(&bytes).unwrap().blocks(0).unwrap().pop().unwrap();
    bytes[block.offset as usize] ^= 1;
    let reader = Reader::from_slice(&bytes).unwrap();
    let split = Split::every(100).stored(Merge::new().verify());
    split.create(&reader, &folder.0).unwrap_err();
    assert_eq!(folder.names(), [""; 0]);
}
