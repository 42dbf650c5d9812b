//! `Dataset::open` read the files beside `day=2024-01-02/` and passed over those in it, without a word.

use serde::Serialize;
use trevni::{Dataset, DatasetWriter};

#[derive(Serialize)]
struct User {
    id: u32,
    user: &'static str,
}

#[test]
fn rows_in_folders_of_partitions_are_read() {
    let folder = std::env::temp_dir().join(format!("trevni-passed-over-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    for (name, rows) in [("", 6), ("day=2024-01-02", 5)] {
        let mut writer = DatasetWriter::builder().append(folder.join(name)).unwrap();
        writer.write_all((0..rows).map(|id| User { id, user: "x" })).unwrap();
        writer.finish().unwrap();
    }
    let dataset = Dataset::open(&folder).unwrap();
    assert_eq!(dataset.row_count(), 11);
    let days = dataset.optional(["day"]).unwrap().column::<Option<String>>("day").unwrap();
    assert_eq!(days.iter().flatten().count(), 5);
    std::fs::remove_dir_all(folder).unwrap();
}
