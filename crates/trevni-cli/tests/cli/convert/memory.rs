//! How much memory is enough for a long text.

use super::Folder;
use std::io::Write;

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
    folder.prints_within(230_000, "-q convert long.csv -z none -o long.trv");
    assert!(std::fs::metadata(folder.path("long.trv")).unwrap().len() > 200_000_000);
    let last = folder.prints(&["tail", "-n", "1", "long.trv", "-c", "key", "-f", "csv", "--no-header"]);
    assert_eq!(last, "199999\n");
}
