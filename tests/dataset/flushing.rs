//! What is flushed is there, in order and once, whatever comes after it.

use super::{Folder, all};
use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use trevni::dataset::Compact;
use trevni::{Codec, Dataset, DatasetWriter, Dialect, Writer, WriterBuilder};

/// What a program does with a log.
#[derive(Clone, Debug)]
enum Step {
    Write(u32),
    Flush,
    EndPart,
    /// Drops the writer as a crash does, or finishes it, and appends with another one.
    Append {
        finishes: bool,
    },
    /// With parts of so many bytes at most; whether replaced files stay.
    Compact(u64, bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => prop_oneof![1u32..4, 1u32..300].prop_map(Step::Write),
        6 => Just(Step::Flush),
        1 => Just(Step::EndPart),
        2 => any::<bool>().prop_map(|finishes| Step::Append { finishes }),
        1 => (prop_oneof![Just(1u64), Just(3000), Just(1 << 27)], any::<bool>())
            .prop_map(|(bytes, keeps)| Step::Compact(bytes, keeps)),
    ]
}

#[derive(Clone, Debug)]
struct Options {
    part_bytes: u64,
    part_rows: Option<u64>,
    sync_rows: Option<u64>,
    dialect: Dialect,
    block_size: usize,
}

fn options() -> impl Strategy<Value = Options> {
    let dialect =
        prop_oneof![3 => Just(Dialect::Trevni), 1 => Just(Dialect::Levels), 1 => Just(Dialect::RedElm)];
    let bytes = prop_oneof![Just(1u64), Just(2000), Just(1 << 27)];
    let rows = || prop_oneof![2 => Just(None), 1 => (40u64..300).prop_map(Some)];
    (bytes, rows(), rows(), dialect, prop_oneof![Just(100usize), Just(1 << 16)]).prop_map(
        |(part_bytes, part_rows, sync_rows, dialect, block_size)| Options {
            part_bytes,
            part_rows,
            sync_rows,
            dialect,
            block_size,
        },
    )
}

impl Options {
    fn append(&self, folder: &Folder) -> DatasetWriter {
        let plain = WriterBuilder::new().codec(Codec::Null).checksum(trevni::Checksum::Null);
        let writer = match self.dialect {
            Dialect::Trevni => Writer::builder(),
            dialect => plain.dialect(dialect),
        };
        let mut builder = DatasetWriter::builder().part_bytes(self.part_bytes);
        if let Some(rows) = self.part_rows {
            builder = builder.part_rows(rows);
        }
        if let Some(rows) = self.sync_rows {
            builder = builder.sync_rows(rows);
        }
        builder.writer(writer.block_size(self.block_size)).append(&folder.0).unwrap()
    }
}

/// A row; later ones have more, so that shapes grow.
fn row(number: u32) -> (u32, Option<String>, Vec<u32>) {
    let text = (number > 40 && number.is_multiple_of(3)).then(|| format!("row {}", number % 50));
    (number, text, (0..number % 7 / 5).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn flushed_rows_are_there_in_order_and_once(steps in proptest::collection::vec(step(), 1..30), options in options()) {
        let folder = Folder::new("flushing");
        let _ = std::fs::remove_dir_all(&folder.0);
        let mut writer = options.append(&folder);
        // Rows that are written, those that are surely on disk, and those before which the writer began.
        let (mut written, mut flushed, mut start) = (0u32, 0u32, 0u32);
        for step in steps {
            match step {
                Step::Write(rows) => {
                    writer.write_all((written..written + rows).map(row)).unwrap();
                    written += rows;
                }
                Step::Flush => {
                    writer.flush().unwrap();
                    flushed = written;
                }
                Step::EndPart => {
                    writer.end_part().unwrap();
                    flushed = written;
                }
                Step::Append { finishes: true } => {
                    writer.finish().unwrap();
                    let files = Dataset::files(&folder.0).unwrap();
                    prop_assert!(files.iter().all(|file| !file.path().to_string_lossy().contains("tail")));
                    writer = options.append(&folder);
                    (flushed, start) = (written, written);
                }
                Step::Append { finishes: false } => {
                    drop(writer);
                    // What was not flushed may be there, up to the last part that was full.
                    written = read(&folder, flushed, written);
                    writer = options.append(&folder);
                    (flushed, start) = (written, written);
                }
                Step::Compact(bytes, keeps) => {
                    let time = if keeps { Duration::MAX } else { Duration::ZERO };
                    Compact::new().part_bytes(bytes).keep(time).folder(&folder.0).unwrap();
                }
            }
            prop_assert_eq!(writer.row_count(), u64::from(written - start));
            read(&folder, flushed, written);
        }
        writer.finish().unwrap();
        prop_assert_eq!(read(&folder, written, written), written);
        prop_assert!(folder.names().iter().all(|name| !name.starts_with('.')));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// The files that a removed one had replaced are not read in its place.
    #[test]
    fn rows_of_removed_files_are_gone(runs in proptest::collection::vec((1u32..250, any::<bool>()), 1..4), options in options()) {
        let folder = Folder::new("removing");
        let _ = std::fs::remove_dir_all(&folder.0);
        let mut written = 0;
        for (rows, finishes) in runs {
            let mut writer = options.append(&folder);
            for number in written..written + rows {
                writer.write(&row(number)).unwrap();
                if number % 20 == 0 {
                    writer.flush().unwrap();
                }
            }
            if finishes {
                writer.finish().unwrap();
                trevni::dataset::compact(&folder.0).unwrap();
            } else {
                drop(writer);
            }
            written = read(&folder, 0, written + rows);
        }
        let files = Dataset::files(&folder.0).unwrap();
        let parts: Vec<u64> = Dataset::open(&folder.0).unwrap().parts().iter().map(|part| part.reader().row_count()).collect();
        let mut first = 0;
        for (file, rows) in files.iter().zip(parts) {
            prop_assert!(file.remove().unwrap());
            prop_assert!(!file.remove().unwrap());
            first += rows;
            let left: Vec<(u32, Option<String>, Vec<u32>)> =
                Dataset::open(&folder.0).map_or_else(|_| Vec::new(), |dataset| all(&dataset).unwrap());
            prop_assert!(left.iter().map(|row| u64::from(row.0)).eq(first..u64::from(written)));
        }
        prop_assert!(folder.names().iter().all(|name| !name.ends_with(".trv")));
    }
}

/// A file that an open writer needs stays, and the writer completes its part.
#[test]
fn files_of_open_writers_stay() {
    let folder = Folder::new("open");
    let _ = std::fs::remove_dir_all(&folder.0);
    let mut writer = DatasetWriter::builder().append(&folder.0).unwrap();
    for number in 0..100 {
        writer.write(&row(number)).unwrap();
        writer.flush().unwrap();
        for file in Dataset::files(&folder.0).unwrap() {
            assert!(!file.remove().unwrap());
        }
    }
    writer.finish().unwrap();
    assert_eq!(read(&folder, 100, 100), 100);
    assert!(Dataset::files(&folder.0).unwrap().iter().all(|file| file.remove().unwrap()));
    assert_eq!(folder.names().len(), 0);
}

/// Reads the rows of a folder, which are the first ones: at least and at most so many.
fn read(folder: &Folder, least: u32, most: u32) -> u32 {
    let rows: Vec<(u32, Option<String>, Vec<u32>)> = match Dataset::open(&folder.0) {
        Ok(dataset) => all(&dataset).unwrap(),
        Err(_) if least == 0 => Vec::new(),
        Err(error) => panic!("{error}"),
    };
    let count = rows.len() as u32;
    assert!((least..=most).contains(&count), "{count} rows, not {least} to {most}");
    let other = (0..count).zip(&rows).find(|(number, own)| row(*number) != **own);
    assert!(other.is_none(), "{other:?} of {count} rows");
    count
}

/// Readers, a writer and a program that compacts, all at once.
#[test]
fn no_reader_sees_less_than_before() {
    const ROWS: u32 = 700;
    let folder = Folder::new("flush-readers");
    let mut writer = DatasetWriter::builder().sync_rows(1).part_rows(150).append(&folder.0).unwrap();
    writer.write(&row(0)).unwrap();
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers = [(); 2].map(|()| {
            scope.spawn(|| {
                let mut seen = 1;
                while !ended.load(Ordering::Acquire) {
                    seen = read(&folder, seen, ROWS);
                }
                read(&folder, ROWS, ROWS)
            })
        });
        scope.spawn(|| {
            while !ended.load(Ordering::Acquire) {
                trevni::dataset::compact(&folder.0).unwrap();
            }
        });
        writer.write_all((1..ROWS).map(row)).unwrap();
        writer.finish().unwrap();
        ended.store(true, Ordering::Release);
        readers.into_iter().for_each(|reader| assert_eq!(reader.join().unwrap(), ROWS));
    });
    Compact::new().keep(Duration::ZERO).folder(&folder.0).unwrap();
    assert_eq!(folder.names(), ["part-00000.to-00004.trv"]);
    read(&folder, ROWS, ROWS);
}

#[test]
fn each_appender_has_a_part_of_its_own() {
    let folder = Folder::new("flush-appenders");
    let start = || DatasetWriter::builder().append(&folder.0).unwrap();
    let (mut one, mut two) = (start(), start());
    for number in 0..40 {
        one.write(&number).unwrap();
        one.flush().unwrap();
        two.write(&(100 + number)).unwrap();
        two.flush().unwrap();
    }
    assert!(folder.names().contains(&"part-00001.tail-00000-00015.trv".to_owned()));
    let expected: Vec<u32> = (0..40).chain(100..140).collect();
    assert_eq!(all::<u32>(&folder.open()).unwrap(), expected);
    // A third one takes over neither, and the part of one that is dropped.
    start().finish().unwrap();
    drop(one);
    let mut three = start();
    three.write(&40).unwrap();
    assert_eq!(three.finish().unwrap(), [folder.0.join("part-00000.trv")]);
    assert_eq!(two.finish().unwrap(), [folder.0.join("part-00001.trv")]);
    let expected: Vec<u32> = (0..41).chain(100..140).collect();
    assert_eq!(all::<u32>(&folder.open()).unwrap(), expected);
    Compact::new().keep(Duration::ZERO).folder(&folder.0).unwrap();
    assert_eq!(folder.names(), ["part-00000.to-00001.trv"]);
    // The numbers of the parts that it stands for are taken.
    let mut four = start();
    four.write(&140).unwrap();
    assert_eq!(four.finish().unwrap(), [folder.0.join("part-00002.trv")]);
    assert_eq!(folder.open().row_count(), 82);
}

#[test]
fn one_appender_takes_over_what_is_left() {
    const THREADS: u32 = 4;
    const TURNS: u32 = 12;
    let folder = Folder::new("flush-taken");
    // Each time, all of them go on at once with what the ones before have left.
    for turn in 0..TURNS {
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let folder = &folder.0;
                scope.spawn(move || {
                    let mut writer = DatasetWriter::builder().part_rows(7).append(folder).unwrap();
                    writer.write(&(turn * THREADS + thread)).unwrap();
                    writer.flush().unwrap();
                    if thread == 0 {
                        let _ = trevni::dataset::compact(folder);
                    }
                });
            }
        });
        let mut rows = all::<u32>(&folder.open()).unwrap();
        rows.sort_unstable();
        assert_eq!(rows, (0..(turn + 1) * THREADS).collect::<Vec<_>>());
    }
}

#[test]
fn a_part_has_an_age() {
    let folder = Folder::new("flush-age");
    let mut writer = DatasetWriter::builder().part_age(Duration::ZERO).create(&folder.0).unwrap();
    writer.write_all(0..3).unwrap();
    assert_eq!(writer.finish().unwrap().len(), 3);
    let mut writer = DatasetWriter::builder().part_age(Duration::MAX).append(&folder.0).unwrap();
    writer.write_all(3..6).unwrap();
    assert_eq!(writer.finish().unwrap().len(), 1);
    let mut writer = DatasetWriter::builder().sync_every(Duration::ZERO).append(&folder.0).unwrap();
    writer.write_all(6..9).unwrap();
    assert_eq!(folder.open().row_count(), 9);
    drop(writer);
    assert_eq!(all::<u32>(&folder.open()).unwrap(), (0..9).collect::<Vec<_>>());
}

#[test]
fn parts_of_hadoop_are_not_replaced() {
    let folder = Folder::new("flush-hadoop");
    std::fs::create_dir_all(&folder.0).unwrap();
    for (name, rows) in
        [("part-m-00001.trv", 0..2), ("part-00000.to-00002.trv", 2..4), ("part-00001.trv", 9..10)]
    {
        std::fs::write(folder.0.join(name), trevni::to_vec(rows).unwrap()).unwrap();
    }
    assert_eq!(all::<u32>(&folder.open()).unwrap(), [2, 3, 0, 1]);
}

#[test]
fn names_of_others_replace_nothing() {
    let folder = Folder::new("flush-names");
    std::fs::create_dir_all(&folder.0).unwrap();
    // Months of a year, and parts of so many.
    let names = ["part-01-2024.trv", "part-02-2024.trv", "part-2-10.trv", "part-3-10.trv", "part-10-10.trv"];
    for (name, row) in names.into_iter().zip(0..) {
        std::fs::write(folder.0.join(name), trevni::to_vec([row]).unwrap()).unwrap();
    }
    let mut rows = all::<u32>(&folder.open()).unwrap();
    rows.sort_unstable();
    assert_eq!(rows, [0, 1, 2, 3, 4]);
    // A piece whose number has no next one is none.
    let name = "part-00000.tail-00000-18446744073709551615.trv";
    std::fs::write(folder.0.join(name), trevni::to_vec([5]).unwrap()).unwrap();
    let mut writer = DatasetWriter::builder().append(&folder.0).unwrap();
    writer.write(&6).unwrap();
    writer.flush().unwrap();
    writer.finish().unwrap();
    Compact::new().keep(Duration::ZERO).folder(&folder.0).unwrap();
    let mut rows = all::<u32>(&folder.open()).unwrap();
    rows.sort_unstable();
    assert_eq!(rows, [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn one_program_compacts_a_folder_at_a_time() {
    let folder = Folder::new("flush-claimed");
    std::fs::create_dir_all(&folder.0).unwrap();
    // What a killed program has left is no claim.
    std::fs::write(folder.0.join(".trevni.ffffffffffffffff.claim.tmp"), "").unwrap();
    assert_eq!(trevni::dataset::compact(&folder.0).unwrap(), trevni::dataset::Compacted::default());
    assert_eq!(folder.names(), [""; 0]);
}
