//! How much memory is enough for a long text.

use super::Folder;
use std::io::Write;
use std::process::Command;

/// 202 MB of text, written without a codec, in an address space of 235 MB: the blocks alone would take most of it.
#[test]
fn long_texts_need_little_memory() {
    let folder = Folder::new();
    let text = "text ".repeat(200);
    let mut csv = std::io::BufWriter::new(std::fs::File::create(folder.path("long.csv")).unwrap());
    writeln!(csv, "key,text").unwrap();
    for key in 0..200_000 {
        writeln!(csv, "{key},{text}").unwrap();
    }
    drop(csv);
    let trevni = assert_cmd::cargo::cargo_bin("trevni");
    // KiB of address space, of which threads would reserve 64 MiB each for heaps.
    let script =
        format!("ulimit -v 230000; exec {} -q convert long.csv -z none -o long.trv", trevni.display());
    let mut shell = Command::new("bash");
    let shell = shell.current_dir(folder.path("")).env("MALLOC_ARENA_MAX", "1").args(["-c", &script]);
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::metadata(folder.path("long.trv")).unwrap().len() > 200_000_000);
    let last = folder.prints(&["tail", "-n", "1", "long.trv", "-c", "key", "-f", "csv", "--no-header"]);
    assert_eq!(last, "199999\n");
}
