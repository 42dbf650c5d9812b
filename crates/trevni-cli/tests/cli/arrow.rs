//! Arrow IPC: files, Feather and streams.

use super::{Folder, flights};
use std::fs;

/// The endings of names, each with arguments that it is written with.
const WRITTEN: [(&str, &[&str]); 5] = [
    ("arrow", &[]),
    ("arrows", &[]),
    ("feather", &[]),
    ("arrow", &["-z", "zstd"]),
    ("arrows", &["-z", "lz4"]),
];

#[test]
fn rows_come_back_as_they_were() {
    let folder = Folder::new();
    folder.write("all.trv", flights(3000));
    let rows = folder.prints(&["cat", "all.trv"]);
    let schema = |name: &str| folder.prints(&["-q", "schema", "-f", "flat", name]);
    for (ending, options) in WRITTEN {
        let name = format!("f.{ending}");
        folder.prints(&[&["-q", "convert", "all.trv", "-o", &name, "--force"], options].concat());
        assert_eq!(folder.prints(&["-q", "cat", &name]), rows, "{name} {options:?}");
        folder.prints(&["-q", "convert", &name, "-o", "back.trv", "--force"]);
        assert_eq!(folder.prints(&["-q", "diff", "all.trv", "back.trv"]), "3,000 rows equal\n");
        assert_eq!(schema(&name), schema("all.trv"), "{name}");
        folder.prints(&["-q", "convert", &name, "-n", "1234", "-c", "carrier", "-o", "some.csv", "--force"]);
        assert_eq!(folder.prints(&["-q", "count", "some.csv"]), "1234\n");
        folder.prints(&["-q", "convert", &name, "-o", "f.parquet", "--force"]);
        assert_eq!(folder.prints(&["cat", "f.parquet"]), rows);
    }
    let stream = folder.trevni(&["convert", "all.trv", "--to", "arrow", "-o", "-"]).output().unwrap().stdout;
    let back = folder.trevni(&["convert", "-", "-o", "piped.trv"]).write_stdin(stream).output().unwrap();
    assert!(back.status.success(), "{back:?}");
    assert_eq!(folder.prints(&["cat", "piped.trv"]), rows);
}

#[test]
fn damage_is_an_error() {
    let folder = Folder::new();
    folder.write("all.trv", flights(40));
    let rows = folder.prints(&["cat", "all.trv"]);
    for (ending, options) in WRITTEN {
        folder.prints(
            &[&["-q", "convert", "all.trv", "-o", &format!("f.{ending}"), "--force"], options].concat(),
        );
        let whole = fs::read(folder.path(&format!("f.{ending}"))).unwrap();
        let reads = |bytes: &[u8], about: &str| {
            fs::write(folder.path("bad.arrow"), bytes).unwrap();
            let output = folder.trevni(&["-q", "cat", "bad.arrow"]).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code().is_some_and(|code| code < 10), "{about}: {error}");
            assert!(!error.contains("panicked"), "{about}: {error}");
            output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
        };
        // A stream may end after each message.
        for end in (8..whole.len()).step_by(whole.len() / 12) {
            let read = reads(&whole[..end], &format!("{ending} until {end}"));
            assert!(read.is_none_or(|read| rows.starts_with(&read)), "{ending} until {end}");
        }
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..25 {
            let mut bytes = whole.clone();
            let at = random.usize(8..bytes.len());
            bytes[at] = *random.choice(&[0, 1, 0x7f, 0x80, 0xff]).unwrap();
            reads(&bytes, &format!("{ending}, byte {at}"));
        }
    }
}

/// What a message says that its buffers are unpacked to is compared with the limit, and with what they are.
#[test]
fn memory_is_limited() {
    let folder = Folder::new();
    folder.write("zeros.trv", vec![(0u64, 0u64); 100_000]);
    for codec in ["lz4", "zstd"] {
        folder.prints(&["-q", "convert", "zeros.trv", "-z", codec, "-o", "z.arrow", "--force"]);
        let error = folder.fails(&["-q", "count", "z.arrow", "--max-memory", "60KiB"]);
        assert!(error.contains("above the limit of 61440 (to raise it: --max-memory)"), "{error}");
        // The length that is said before what is packed.
        let mut bytes = fs::read(folder.path("z.arrow")).unwrap();
        let length = 65_536u64.to_le_bytes();
        let at = (0..bytes.len()).step_by(8).find(|at| bytes[*at..].starts_with(&length)).unwrap();
        for said in [1u64, 65_537, 1 << 40, u64::MAX - 7] {
            bytes[at..at + 8].copy_from_slice(&said.to_le_bytes());
            fs::write(folder.path("said.arrow"), &bytes).unwrap();
            folder.fails(&["-q", "count", "said.arrow"]);
        }
    }
}
