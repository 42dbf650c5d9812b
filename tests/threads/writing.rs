//! Writers with pools of threads, side by side, to sinks that give way.

use crate::ends;
use crate::rows::{options, rows, written};
use crate::yielding::{Chance, Slow};
use std::thread;

#[test]
fn writers_side_by_side_write_the_same_bytes() {
    ends(|| {
        let rows = rows(700);
        for options in options() {
            for limit in [0, 2000, u64::MAX] {
                // The limit is one of row groups, too.
                let expected = written(&rows, options.clone().memory_limit(limit));
                thread::scope(|scope| {
                    for threads in [1, 2, 3, 8] {
                        let (options, rows, expected) = (options.clone(), &rows, &expected);
                        scope.spawn(move || {
                            let sink = Slow(Vec::new(), Chance::new(threads as u64));
                            let options = options.threads(threads).memory_limit(limit);
                            let mut writer = options.build(sink).unwrap();
                            let chance = Chance::new(limit);
                            for row in rows {
                                chance.give_way();
                                writer.write(row).unwrap();
                            }
                            assert!(
                                writer.finish().unwrap().0 == *expected,
                                "{threads} threads, limit {limit}"
                            );
                        });
                    }
                });
            }
        }
    });
}

#[test]
fn writers_that_are_left_in_the_middle_end_their_threads() {
    ends(|| {
        let rows = rows(700);
        let chance = Chance::new(3);
        for options in options() {
            for threads in 1..=8 {
                let sink = Slow(Vec::new(), Chance::new(threads as u64));
                let mut writer = options.clone().threads(threads).memory_limit(1000).build(sink).unwrap();
                writer.write_all(&rows[..chance.below(rows.len())]).unwrap();
                if chance.below(2) == 0 {
                    thread::spawn(move || drop(writer)).join().unwrap();
                }
            }
        }
    });
}
