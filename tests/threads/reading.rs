//! Readers that threads share, with pools of their own.

use crate::ends;
use crate::rows::{Row, options, rows, written};
use crate::yielding::{Chance, Yielding};
use std::sync::Arc;
use std::thread;
use trevni::{Category, Reader, col};

const ROWS: usize = 1200;
/// Threads that share a reader.
const THREADS: usize = 4;

/// Does one thing with a reader, which may be left in the middle.
fn step(reader: &Reader<'static>, rows: &[Row], chance: &Chance) {
    let some = chance.below(2 * rows.len());
    match chance.below(8) {
        0 | 1 => {
            let read = reader.rows::<Row>().unwrap().take(some);
            assert!(read.map(Result::unwrap).eq(rows.iter().take(some).cloned()));
        }
        2 => {
            let number = chance.below(rows.len());
            assert_eq!(reader.row::<Row>(number as u64).unwrap(), rows[number]);
        }
        3 => {
            let mut read = 0;
            for batch in reader.batches().unwrap().take(some / 100) {
                let batch = batch.unwrap();
                assert_eq!(batch.rows::<Row>().next().unwrap().unwrap(), rows[read]);
                read += batch.len();
            }
        }
        4 => {
            let filtered = reader.filter(col("name").eq("row 7") & col("cost").lt(5)).unwrap();
            let holds = |row: &&Row| row.name.as_deref() == Some("row 7") && row.cost < 5.0;
            let read = filtered.rows::<Row>().unwrap().take(some);
            assert!(read.map(Result::unwrap).eq(rows.iter().filter(holds).take(some).cloned()));
        }
        5 => {
            let start = chance.below(rows.len());
            let end = rows.len().min(start + 70);
            let selected = reader.select(start as u64..end as u64).unwrap();
            assert_eq!(selected.column::<u64>("id").unwrap(), (start as u64..end as u64).collect::<Vec<_>>());
        }
        6 => {
            let projected = reader.project(["tags"]).unwrap();
            let batches = projected.batches().unwrap();
            let count: usize = batches.map(|batch| batch.unwrap().len()).sum();
            assert_eq!(count, rows.len());
        }
        _ => {
            let number = chance.below(reader.columns().len());
            reader.blocks(number).unwrap();
            reader.zone_map(number).unwrap();
            assert!(!reader.raw_column(number).unwrap().is_empty());
        }
    }
}

#[test]
fn readers_that_are_shared_read_the_same_rows() {
    ends(|| {
        let rows: Arc<[Row]> = rows(ROWS).into();
        for (at, options) in options().into_iter().enumerate() {
            let file = written(&rows, options);
            for (pool, seed) in [1, 2, 3, 8].into_iter().zip(at as u64..) {
                let source = Yielding::new(file.clone(), seed);
                let reader = Reader::builder().threads(pool).shared(source).unwrap();
                let chance = Arc::new(Chance::new(seed));
                let each = |_| {
                    // Clones share what has been opened; some threads share the reader itself.
                    let (reader, rows, chance) = (reader.clone(), Arc::clone(&rows), Arc::clone(&chance));
                    thread::spawn(move || (0..6).for_each(|_| step(&reader, &rows, &chance)))
                };
                let threads: Vec<_> = (0..THREADS).map(each).collect();
                thread::scope(|scope| {
                    let (reader, rows, chance) = (&reader, &rows, &chance);
                    scope.spawn(move || (0..6).for_each(|_| step(reader, rows, chance)));
                    scope.spawn(move || (0..6).for_each(|_| step(reader, rows, chance)));
                });
                threads.into_iter().for_each(|thread| thread.join().unwrap());
            }
        }
    });
}

#[test]
fn rows_that_are_left_in_the_middle_end_their_threads() {
    ends(|| {
        let rows = rows(ROWS);
        let chance = Chance::new(5);
        for options in options() {
            let file = written(&rows, options);
            for pool in 1..=8 {
                let reader =
                    Reader::builder().threads(pool).shared(Yielding::new(file.clone(), pool as u64)).unwrap();
                for _ in 0..4 {
                    let mut left: Vec<_> = (0..3).map(|_| reader.rows::<Row>().unwrap()).collect();
                    for _ in 0..chance.below(300) {
                        let at = chance.below(left.len());
                        left[at].next().unwrap().unwrap();
                    }
                    left.swap_remove(chance.below(3));
                    // Another thread drops those that are left, after it has read on.
                    let rest = chance.below(50);
                    let read = move || {
                        left.iter_mut().for_each(|rows| rows.take(rest).for_each(|row| drop(row.unwrap())))
                    };
                    thread::spawn(read).join().unwrap();
                }
            }
        }
    });
}

#[test]
fn a_source_that_fails_is_an_error_of_all_threads() {
    ends(|| {
        let rows = rows(ROWS);
        for options in options() {
            let file = written(&rows, options);
            for (reads, pool) in [0, 3, 10, 25, 60, 100].into_iter().zip(1..) {
                let source = Yielding::failing(file.clone(), reads as u64, reads);
                let reader = match Reader::builder().threads(pool).shared(source) {
                    Ok(reader) => reader,
                    Err(error) => {
                        assert_eq!(error.category(), Category::Io);
                        continue;
                    }
                };
                thread::scope(|scope| {
                    for _ in 0..THREADS {
                        scope.spawn(|| match reader.rows::<Row>() {
                            Ok(read) => {
                                for (row, expected) in read.zip(&rows) {
                                    match row {
                                        Ok(row) => assert_eq!(row, *expected),
                                        Err(error) => {
                                            return assert_eq!(error.category(), Category::Io, "{error}");
                                        }
                                    }
                                }
                            }
                            Err(error) => assert_eq!(error.category(), Category::Io, "{error}"),
                        });
                    }
                });
            }
        }
    });
}
