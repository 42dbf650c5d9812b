//! What the floors written by hand promise: what goes in comes out, and damaged bytes are errors.

use trevni_bench::codec::Codec;
use trevni_bench::data::{DataSet, Source, flights, log, mail, mesh, minecraft};
use trevni_bench::hand::Columnar;
use trevni_bench::hand::bytes::{Damaged, cursors, put_int, put_varint};
use trevni_bench::hand::file::{File, join};

const CODECS: [Codec; 5] = [Codec::None, Codec::Snappy, Codec::Deflate, Codec::Zstandard, Codec::Lz4];

fn source() -> Source {
    Source { scale: 0.001, flights: None }
}

fn rows_come_back<D: Columnar>() {
    let rows = D::rows(&source());
    for codec in CODECS {
        let bytes = join(rows.len(), D::encode(&rows), codec);
        let file = File::open(&bytes, codec).unwrap();
        assert_eq!(D::decode(file.rows, &file.all().unwrap()).unwrap(), rows, "{codec:?}");
        let one = D::decode_one(file.rows, &file.some(D::ONE_COLUMNS).unwrap()).unwrap();
        assert!(one.into_iter().eq(rows.iter().map(D::one)), "{codec:?}");
        let three = D::decode_three(file.rows, &file.some(D::THREE_COLUMNS).unwrap()).unwrap();
        assert!(three.into_iter().eq(rows.iter().map(D::three)), "{codec:?}");
    }
}

fn cut_bytes_are_errors<D: Columnar>() {
    let rows = D::rows(&source());
    for codec in CODECS {
        let bytes = join(rows.len(), D::encode(&rows), codec);
        for end in (0..bytes.len()).step_by(997) {
            let decoded =
                File::open(&bytes[..end], codec).and_then(|file| D::decode(file.rows, &file.all()?));
            assert_eq!(decoded, Err(Damaged), "{codec:?} to {end}");
        }
    }
}

#[test]
fn rows_come_back_under_every_codec() {
    rows_come_back::<flights::Flights>();
    rows_come_back::<mail::Nested>();
    rows_come_back::<mesh::Mesh>();
    rows_come_back::<log::Log>();
    rows_come_back::<minecraft::Minecraft>();
}

#[test]
fn cut_files_are_errors() {
    cut_bytes_are_errors::<flights::Flights>();
    cut_bytes_are_errors::<mail::Nested>();
    cut_bytes_are_errors::<minecraft::Minecraft>();
}

#[test]
fn integers_of_all_sizes_come_back() {
    let unsigned = [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), u64::MAX];
    let signed = [0, -1, 1, -64, 64, i64::from(i32::MIN), i64::MAX, i64::MIN];
    let mut columns = [Vec::new(), Vec::new()];
    unsigned.iter().for_each(|&value| put_varint(&mut columns[0], value));
    signed.iter().for_each(|&value| put_int(&mut columns[1], value));
    let columns = columns.map(Into::into);
    let [mut first, mut second] = cursors(&columns).unwrap();
    assert!(unsigned.iter().all(|&value| first.varint() == Ok(value)));
    assert!(signed.iter().all(|&value| second.int() == Ok(value)));
    assert_eq!((first.varint(), second.int()), (Err(Damaged), Err(Damaged)));
}

#[test]
fn the_same_rows_every_time() {
    assert_eq!(log::Log::rows(&source()), log::Log::rows(&source()));
    assert_eq!(minecraft::Minecraft::rows(&source()), minecraft::Minecraft::rows(&source()));
}
