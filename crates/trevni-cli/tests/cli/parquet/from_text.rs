//! Lines of text with the places where they begin.

use super::{Folder, fails};
use std::fs;
use std::io::Write;
use std::path::Path;

const QUANGLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/quangle.txt");

#[test]
fn lines_have_the_offsets_of_the_book() {
    let folder = Folder::new();
    let expected = "{\"offset\":0,\"line\":\"On the top of the Crumpetty Tree\"}
{\"offset\":33,\"line\":\"The Quangle Wangle sat,\"}
{\"offset\":57,\"line\":\"But his face you could not see,\"}
{\"offset\":89,\"line\":\"On account of his Beaver Hat.\"}
";
    for name in ["q.parquet", "q.trv", "q.redelm"] {
        folder.prints(&["-q", "from-text", QUANGLE, name]);
        assert_eq!(folder.prints(&["cat", name]), expected, "{name}");
    }
    let dashes = "-".repeat(80);
    assert_eq!(
        folder.prints(&["dump", "q.parquet"]),
        format!(
            "INT64 offset
{dashes}
*** row group 1 of 1, values 1 to 4 ***
value 1: R:0 D:0 V:0
value 2: R:0 D:0 V:33
value 3: R:0 D:0 V:57
value 4: R:0 D:0 V:89

BINARY line
{dashes}
*** row group 1 of 1, values 1 to 4 ***
value 1: R:0 D:0 V:On the top of the Crumpetty Tree
value 2: R:0 D:0 V:The Quangle Wangle sat,
value 3: R:0 D:0 V:But his face you could not see,
value 4: R:0 D:0 V:On account of his Beaver Hat.
"
        )
    );
    assert_eq!(
        folder.prints(&["schema", "-f", "message", "q.parquet"]),
        "message Line {\n  required int64 offset;\n  required binary line (UTF8);\n}\n"
    );
    let output = folder.trevni(&["from-text", QUANGLE, "more.parquet", "-z", "gzip"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("quangle.txt → more.parquet: 4 lines, 119 B → "), "{told}");
}

#[test]
fn lines_come_from_pipes_and_packed_files_and_end_as_they_like() {
    let folder = Folder::new();
    let rows = |input: &[u8]| {
        let output =
            folder.trevni(&["from-text", "-", "-", "--to", "parquet"]).write_stdin(input).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::write(folder.path("x.parquet"), output.stdout).unwrap();
        folder.prints(&["cat", "x.parquet", "-f", "csv", "--no-header"])
    };
    assert_eq!(rows(b"a\r\n\n\xc3\xa9\nlast"), "0,a\n3,\"\"\n4,é\n7,last\n");
    assert_eq!(rows(b"\n"), "0,\"\"\n");
    assert_eq!(rows(b""), "");
    assert_eq!(folder.prints(&["count", "x.parquet"]), "0\n");
    assert!(folder.prints(&["schema", "-f", "message", "x.parquet"]).contains("int64 offset"));
    let mut packed = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    packed.write_all(&fs::read(QUANGLE).unwrap()).unwrap();
    fs::write(folder.path("q.txt.zst"), packed.finish().unwrap()).unwrap();
    folder.prints(&["-q", "from-text", "q.txt.zst", "q.trv"]);
    assert_eq!(folder.prints(&["query", "q.trv", "-a", "sum(offset)", "-f", "csv"]), "sum_offset\n179\n");
}

#[test]
fn what_is_no_text_is_refused_and_leaves_nothing() {
    let folder = Folder::new();
    fs::write(folder.path("latin"), b"one\ntw\xf6\n").unwrap();
    fs::write(folder.path("zeros"), b"PK\0\xff").unwrap();
    fs::write(folder.path("there.parquet"), b"").unwrap();
    for (args, code, expected) in [
        (&["from-text", "latin", "x.parquet"][..], 3, "latin, line 2: it is not UTF-8"),
        (&["from-text", "zeros", "x.trv"], 3, "zeros, line 1: it is not UTF-8"),
        (&["from-text", "none", "x.trv"], 1, "none: "),
        (&["from-text", "latin", "x.csv"], 2, "from-text does not write CSV"),
        (&["from-text", "latin", "there.parquet"], 1, "already exists"),
        (
            &["from-text", "latin", "x.trv", "--property", "parquet.page.size=1"],
            2,
            "--property is not for Trevni",
        ),
        (&["from-text", "latin", "x.parquet", "-z", "lzo"], 2, "Codecs: none, snappy"),
    ] {
        let (found, error) = fails(&folder, args);
        assert!(found == code && error.contains(expected), "{args:?}: {found} {error}");
    }
    for name in ["x.parquet", "x.trv", "x.csv"] {
        assert!(!Path::new(&folder.path(name)).exists());
    }
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 3);
}

/// 298 MB of text in an address space of 236 MB.
#[cfg(target_os = "linux")]
#[test]
fn much_text_needs_little_memory() {
    let folder = Folder::new();
    let mut text = std::io::BufWriter::new(fs::File::create(folder.path("big.txt")).unwrap());
    let mut random = 1u64;
    for _ in 0..300_000 {
        let mut line = String::with_capacity(1000);
        while line.len() < 992 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            line.push_str(&format!("{random:016x}"));
        }
        writeln!(text, "{line}").unwrap();
    }
    text.into_inner().unwrap().sync_all().unwrap();
    let limited = |args: &str| folder.prints_within(230_000, args);
    let options = "--property parquet.block.size=8388608 --property parquet.enable.dictionary=false";
    limited(&format!("-q from-text big.txt big.parquet {options}"));
    assert!(fs::metadata(folder.path("big.parquet")).unwrap().len() > 290_000_000);
    fs::remove_file(folder.path("big.txt")).unwrap();
    assert_eq!(limited("tail -n 1 big.parquet -f csv -c offset --no-header"), "297899007\n");
    assert!(limited("verify big.parquet").contains("300,000 rows"));
    assert_eq!(limited("query big.parquet -a 'count(line)' -f csv"), "count_line\n300000\n");
    limited(&format!("-q convert big.parquet -o more.parquet {options}"));
    fs::remove_file(folder.path("more.parquet")).unwrap();
    // A writer of columns may take 256 MiB, however many rows there are.
    folder.prints(&["-q", "convert", "big.parquet", "-o", "big.trv"]);
    limited(&format!("-q convert big.trv -o big.parquet --force {options}"));
    assert_eq!(limited("query big.parquet -a 'max(offset)' -f csv"), "max_offset\n297899007\n");
}
