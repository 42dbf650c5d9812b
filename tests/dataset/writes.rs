//! Parts of writes count once these are committed.

use std::fs;
use std::path::Path;
use trevni::dataset::{Snapshot, WriteId, WriteManifest};
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

fn snapshot(root: &Path, number: u64, since: u64, writes: &[&WriteId], parts: &[&str]) {
    #[derive(serde::Serialize)]
    struct Part<'p> {
        path: &'p str,
    }
    let path = root.join(Snapshot::name(number));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut options = Writer::builder();
    for (key, text) in Snapshot::metadata(since, writes.iter().copied()) {
        options = options.metadata(key, text);
    }
    let mut writer = options.create(path).unwrap();
    writer.write_all(parts.iter().map(|path| Part { path })).unwrap();
    writer.finish().unwrap();
}

#[test]
fn the_last_snapshot_says_which_files_count() {
    let root = std::env::temp_dir().join(format!("trevni-snapshots-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    let ids = |millis: u64| WriteId::parse(&format!("{millis:013}x0123456789abcdef")).unwrap();
    let (old, folded, late, later) = (ids(1000), ids(2000), ids(2001), ids(3000));
    let day = root.join("day=1");
    for (number, write) in [&old, &folded, &late, &later].into_iter().enumerate() {
        for (folder, from) in [(&root, 0), (&day, 100)] {
            let first = from + 10 * number as u32;
            part(folder, &write.part_name(1, 0), first..first + 2);
        }
        let mut manifest = WriteManifest::default();
        manifest.add(write.part_name(1, 0), 2, 1);
        manifest.add(format!("day=1/{}", write.part_name(1, 0)), 2, 1);
        if number == 3 {
            manifest = manifest.in_snapshot(3, 0);
        }
        store(&root, write, &manifest);
    }
    part(&root, "part-00000.trv", 90..91);
    part(&root, "part-00001.trv", 91..92);
    let column = |folder: &Path| Dataset::open(folder).unwrap().column::<u32>("n").unwrap();
    assert_eq!(
        column(&day),
        [100, 101, 110, 111, 120, 121],
        "a write that a snapshot decides does not count"
    );
    // The first snapshot has one part of the folded write and one other file.
    let kept = folded.part_name(1, 0);
    snapshot(&root, 1, 2000, &[&folded], &[&kept, "part-00001.trv"]);
    assert_eq!(column(&root), [91, 10, 11, 20, 21, 120, 121]);
    assert_eq!(column(&day), [120, 121]);
    // Later ones count.
    let of_later = format!("day=1/{}", later.part_name(1, 0));
    snapshot(&root, 2, 4000, &[], &[]);
    assert!(Dataset::open(&root).is_err());
    snapshot(&root, 3, 2000, &[&folded, &late, &later], &[&of_later]);
    assert_eq!(column(&root), [130, 131]);
    assert_eq!(column(&day), [130, 131]);
    for builder in
        [DatasetWriter::builder().create(root.join("day=9")), DatasetWriter::builder().append(&root)]
    {
        let error = builder.err().unwrap().to_string();
        assert!(error.contains("table with snapshots"), "{error}");
    }
    for damaged in [&b""[..], b"x", &fs::read(root.join("part-00000.trv")).unwrap()] {
        fs::write(root.join(Snapshot::name(10)), damaged).unwrap();
        let error = Dataset::open(&root).unwrap_err().to_string();
        assert!(error.contains("10.snapshot"), "{error}");
    }
    fs::remove_dir_all(root).unwrap();
}
