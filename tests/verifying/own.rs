//! Files of this crate are whole, in every format; no flipped bit makes a check panic, and where there are checksums, each
//! is found.

use crate::samples::samples;
use serde_json::{Value, json};
use trevni::verify::{Tier, Verify, VerifyReport};
use trevni::{Checksum, Codec, Dialect, Reader, Writer, WriterBuilder};

fn check(bytes: &[u8]) -> VerifyReport {
    Verify::new().source(bytes).unwrap()
}

fn rows() -> Vec<Value> {
    let row = |n: i64| {
        json!({
            "id": n, "x": n as f64 / 4.0, "s": format!("text {}", n % 5), "b": n % 2 == 0,
            "maybe": if n % 3 == 0 { Value::Null } else { json!(n) },
            "tags": (0..n % 4).map(|t| format!("t{t}")).collect::<Vec<_>>(),
            "deep": (0..n % 3).map(|n| json!({"x": vec![n; n as usize], "y": {"z": n % 2 == 0}})).collect::<Vec<_>>(),
        })
    };
    (0..12).map(row).collect()
}

fn written(builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows()).unwrap();
    writer.finish().unwrap()
}

fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
        for codec in [Codec::Null, Codec::Deflate] {
            for checksum in [Checksum::Null, Checksum::Crc32] {
                let builder =
                    Writer::builder().dialect(dialect).codec(codec).checksum(checksum).block_size(40);
                let name = format!("{dialect:?}, {}, {}", codec.name(), checksum.name());
                files.push((name, written(builder)));
            }
        }
    }
    files
}

#[test]
fn what_is_written_has_no_findings() {
    let samples = samples().into_iter().map(|sample| (sample.name.to_owned(), sample.bytes));
    for (name, bytes) in samples.chain(files()) {
        let report = check(&bytes);
        assert!(report.is_ok(), "{name}: {:?}", report.findings);
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!((report.rows, report.columns), (reader.row_count(), reader.columns().len()), "{name}");
        let blocks: usize = (0..report.columns).map(|column| reader.blocks(column).unwrap().len()).sum();
        assert_eq!((report.blocks, report.dialect), (blocks as u64, Some(reader.dialect())), "{name}");
    }
}

#[test]
fn no_flipped_bit_makes_it_panic() {
    for (name, bytes) in files() {
        let mut damaged = bytes.clone();
        // All bits take too long; these are other ones in each file.
        for bit in (bytes.len() % 7..8 * bytes.len()).step_by(41) {
            damaged[bit / 8] ^= 1 << (bit % 8);
            let report = check(&damaged);
            if name.starts_with("Trevni, null, crc32")
                || name.starts_with("RedElm") && name.ends_with("crc32")
            {
                assert!(!report.is_ok(), "{name}, bit {bit}");
            }
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        for end in (0..bytes.len()).step_by(97) {
            assert!(!check(&bytes[..end]).is_ok(), "{name}, {end} bytes");
        }
    }
}

#[test]
fn only_the_tiers_that_are_asked_for() {
    let mut bytes = written(Writer::builder().codec(Codec::Null));
    let value = 1.25f64.to_le_bytes();
    let at = bytes.windows(value.len()).position(|window| window == value).unwrap();
    bytes[at] ^= 1;
    bytes.extend([0; 5]);
    let tiers = |tiers: &[Tier]| {
        let report = Verify::new().tiers(tiers.iter().copied()).source(&bytes).unwrap();
        report.findings.iter().map(|finding| finding.tier()).collect::<Vec<_>>()
    };
    assert_eq!(tiers(&Tier::ALL), [Tier::Checksums, Tier::Unowned]);
    assert_eq!(tiers(&[Tier::Checksums]), [Tier::Checksums]);
    assert_eq!(tiers(&[Tier::Unowned, Tier::Schema]), [Tier::Unowned]);
    assert_eq!(tiers(&[Tier::Structure]), []);
}
