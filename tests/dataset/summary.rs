//! The summary of a folder of RedElm files: its footers are used where they fit, and it is never data.

use super::{Folder, all};
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use trevni::formats::RedElmSummary;
use trevni::{Codec, Dataset, DatasetWriter, Dialect, Reader, Writer};

/// A folder of three parts with their summary; the rows are the numbers from 0 to 29.
fn folder(name: &str) -> (Folder, Vec<PathBuf>) {
    let folder = Folder::new(name);
    let options = Writer::builder().dialect(Dialect::RedElm).codec(Codec::Null);
    let mut writer = DatasetWriter::builder().part_rows(10).writer(options).create(&folder.0).unwrap();
    writer.write_all(0..30).unwrap();
    let parts = writer.finish().unwrap();
    summarize(&folder, &RedElmSummary::from_files(&parts).unwrap().to_vec().unwrap());
    (folder, parts)
}

fn summarize(folder: &Folder, bytes: &[u8]) {
    fs::write(folder.0.join(RedElmSummary::FILE_NAME), bytes).unwrap();
}

/// Spoils the end of a file, and sets when it was written; so it cannot be opened by itself.
fn spoil(path: &Path, written: SystemTime) {
    let mut bytes = fs::read(path).unwrap();
    let end = bytes.len() - 30;
    bytes[end..].fill(0xff);
    fs::write(path, bytes).unwrap();
    File::options().write(true).open(path).unwrap().set_modified(written).unwrap();
    assert!(Reader::open(path).is_err());
}

fn before() -> SystemTime {
    SystemTime::now() - Duration::from_secs(60)
}

fn after() -> SystemTime {
    SystemTime::now() + Duration::from_secs(60)
}

#[test]
fn footers_are_those_of_the_summary() {
    let (folder, parts) = folder("summary");
    parts.iter().for_each(|part| spoil(part, before()));
    let dataset = folder.open();
    assert_eq!((dataset.parts().len(), dataset.row_count()), (3, 30));
    assert_eq!(all::<u32>(&dataset).unwrap(), (0..30).collect::<Vec<_>>());
    assert_eq!(dataset.row::<u32>(17).unwrap(), 17);
    // Given paths are read by themselves.
    assert!(Dataset::from_paths(&parts).is_err());
    // The other name.
    fs::rename(folder.0.join(RedElmSummary::FILE_NAME), folder.0.join("RedElmSummary")).unwrap();
    assert_eq!(all::<u32>(&folder.open()).unwrap().len(), 30);
}

#[test]
fn a_part_that_is_newer_or_of_another_size_has_its_own_footer() {
    let (newer, parts) = folder("summary-newer");
    spoil(&parts[1], after());
    let error = Dataset::open(&newer.0).unwrap_err().to_string();
    assert!(error.contains("part-00001.redelm"), "{error}");

    let (longer, parts) = folder("summary-longer");
    let mut writer = Writer::builder().dialect(Dialect::RedElm).create(&parts[1]).unwrap();
    writer.write_all(100..112).unwrap();
    writer.finish().unwrap();
    File::options().write(true).open(&parts[1]).unwrap().set_modified(before()).unwrap();
    let expected: Vec<u32> = (0..10).chain(100..112).chain(20..30).collect();
    assert_eq!(all::<u32>(&longer.open()).unwrap(), expected);

    // Parts that the summary does not know are read too.
    let mut writer = DatasetWriter::builder().append(&longer.0).unwrap();
    writer.write(&7).unwrap();
    writer.finish().unwrap();
    assert_eq!(all::<u32>(&longer.open()).unwrap().last(), Some(&7));
    fs::remove_file(&parts[0]).unwrap();
    assert_eq!(all::<u32>(&longer.open()).unwrap()[..12], (100..112).collect::<Vec<_>>());
}

#[test]
fn a_name_that_a_summary_has_twice_says_nothing() {
    let (folder, parts) = folder("summary-twice");
    let twice = RedElmSummary::from_files([&parts[0], &parts[1], &parts[0]]).unwrap();
    summarize(&folder, &twice.to_vec().unwrap());
    spoil(&parts[1], before());
    assert_eq!(folder.open().row_count(), 30);
    spoil(&parts[0], before());
    assert!(Dataset::open(&folder.0).is_err());
}

#[test]
fn a_damaged_summary_is_as_none_or_gives_errors() {
    let (folder, _) = folder("summary-damaged");
    let bytes = fs::read(folder.0.join(RedElmSummary::FILE_NAME)).unwrap();
    let expected: Vec<u32> = (0..30).collect();
    for end in 0..bytes.len() {
        summarize(&folder, &bytes[..end]);
        assert_eq!(all::<u32>(&folder.open()).unwrap(), expected, "{end}");
    }
    // Footers have checksums: one that is damaged is as none. Names have none.
    let mut same = 0;
    // One bit of each byte: a folder is opened for each of them.
    for bit in (0..bytes.len()).map(|byte| 8 * byte + byte % 8) {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        summarize(&folder, &damaged);
        match Dataset::open(&folder.0).and_then(|dataset| all::<Value>(&dataset)) {
            Ok(rows) => {
                assert!(rows == expected, "bit {bit}");
                same += 1;
            }
            Err(error) => assert!(error.to_string().contains("part-0000"), "{error}"),
        }
    }
    assert!(same > bytes.len() / 2, "{same} of {}", bytes.len());
}

#[test]
fn the_golden_folder_reads_as_its_files() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/redelm/extra/summary");
    let dataset = Dataset::open(&data).unwrap();
    let names: Vec<_> = dataset.parts().iter().map(|part| part.path().file_name().unwrap()).collect();
    assert_eq!(names, ["part-m-00000.redelm.gz", "part-m-00001.redelm"]);
    // The footers of the summary are those of files of these sizes.
    let folder = Folder::new("summary-golden");
    fs::create_dir(&folder.0).unwrap();
    for entry in fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.0.join(path.file_name().unwrap())).unwrap();
    }
    let summary = File::options().write(true).open(folder.0.join(RedElmSummary::FILE_NAME)).unwrap();
    summary.set_modified(after()).unwrap();
    let expected: Vec<usize> = dataset
        .parts()
        .iter()
        .map(|part| Reader::open(part.path()).unwrap().rows::<Value>().unwrap().map(Result::unwrap).count())
        .collect();
    spoil(&folder.0.join(names[0]), before());
    spoil(&folder.0.join(names[1]), before());
    // The two files have different rows, so they are no table together; each is read by the footer of the summary.
    for (name, rows) in names.iter().zip(expected) {
        let alone = Folder::new("summary-golden-alone");
        fs::create_dir(&alone.0).unwrap();
        for file in [name.to_str().unwrap(), RedElmSummary::FILE_NAME] {
            fs::rename(folder.0.join(file), alone.0.join(file)).unwrap();
        }
        assert_eq!(all::<Value>(&alone.open()).unwrap().len(), rows);
        fs::rename(alone.0.join(RedElmSummary::FILE_NAME), folder.0.join(RedElmSummary::FILE_NAME)).unwrap();
    }
}
