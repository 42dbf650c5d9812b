//! Parts of writes count once these are committed.

use std::fs;
use std::path::Path;
use trevni::dataset::{WriteId, WriteManifest};
use trevni::{Dataset, DatasetWriter, Writer};

#[derive(serde::Serialize)]
struct Row {
    n: u32,
}

fn part(folder: &Path, name: &str, rows: std::ops::Range<u32>) {
    fs::create_dir_all(folder).unwrap();
    let mut writer = Writer::create(folder.join(name)).unwrap();
    writer.write_all(rows.map(|n| Row { n })).unwrap();
    writer.finish().unwrap();
}

fn store(root: &Path, write: &WriteId, manifest: &WriteManifest) {
    let path = root.join(write.manifest_name());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, manifest.to_vec()).unwrap();
}

#[test]
fn parts_that_are_not_listed_do_not_count() {
    let root = std::env::temp_dir().join(format!("trevni-writes-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    let (one, two) = (WriteId::new(), WriteId::new());
    let (won, lost) = (one.part_name(1, 0), one.part_name(2, 0));
    let day = root.join("day=1").join("hour=2");
    for folder in [&root, &day] {
        part(folder, &won, 0..3);
        part(folder, &lost, 0..3);
        part(folder, &two.part_name(1, 0), 10..20);
        assert!(Dataset::open(folder).unwrap_err().to_string().contains("no .trv files"));
        part(folder, "part-00000.trv", 100..101);
        assert_eq!(Dataset::open(folder).unwrap().column::<u32>("n").unwrap(), [100]);
    }
    let mut manifest = WriteManifest::default();
    manifest.add(won.clone(), 3, 1);
    manifest.add(format!("day=1/hour=2/{won}"), 3, 1);
    store(&root, &one, &manifest);
    store(&root, &two, &WriteManifest::abandoned());
    // A manifest below is none for folders of partitions.
    let mut below = WriteManifest::default();
    below.add(two.part_name(1, 0), 10, 1);
    store(&day, &two, &below);
    for folder in [&root, &day] {
        let dataset = Dataset::open(folder).unwrap();
        // Below the root are the rows of the partition too.
        let parts = if folder == &root { 2 } else { 1 };
        assert_eq!(dataset.column::<u32>("n").unwrap(), [100, 0, 1, 2].repeat(parts));
        // Numbered parts go on as if there were no others.
        let mut writer = DatasetWriter::builder().append(folder).unwrap();
        writer.write(&Row { n: 7 }).unwrap();
        assert_eq!(writer.finish().unwrap(), [folder.join("part-00001.trv")]);
        // A file by its own name is read as it is.
        assert_eq!(Dataset::from_paths([folder.join(&lost)]).unwrap().row_count(), 3);
    }
    fs::write(root.join(one.manifest_name()), "{").unwrap();
    let error = Dataset::open(&day).unwrap_err().to_string();
    assert!(error.contains(&one.to_string()) && error.contains("manifest"), "{error}");
    fs::remove_dir_all(root).unwrap();
}
