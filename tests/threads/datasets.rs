//! A dataset of more parts than files are open at a time, read by several threads.

use crate::ends;
use crate::rows::{Row, rows};
use crate::yielding::Chance;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use trevni::{Dataset, Reader, col};

/// More than files are open at a time.
const PARTS: usize = 300;

/// A folder, removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn threads_share_the_files_that_are_open() {
    ends(|| {
        let folder = Folder(std::env::temp_dir().join(format!("trevni-threads-{}", std::process::id())));
        std::fs::create_dir_all(&folder.0).unwrap();
        let rows: Arc<[Row]> = rows(2 * PARTS).into();
        for (at, pair) in rows.chunks(2).enumerate() {
            std::fs::write(folder.0.join(format!("part-{at:05}.trv")), trevni::to_vec(pair).unwrap())
                .unwrap();
        }
        let dataset = Dataset::builder().reader(Reader::builder().threads(2)).open(&folder.0).unwrap();
        let chance = Chance::new(1);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..40 {
                        let number = chance.below(rows.len());
                        assert_eq!(dataset.row::<Row>(number as u64).unwrap(), rows[number]);
                        chance.give_way();
                    }
                    let some = chance.below(rows.len());
                    let read = dataset.rows::<Row>().unwrap().take(some);
                    assert!(read.map(Result::unwrap).eq(rows.iter().take(some).cloned()));
                    let filtered = dataset.filter(col("id").ge(500)).unwrap();
                    assert_eq!(filtered.matching().unwrap().row_count(), rows.len() as u64 - 500);
                });
            }
        });
    });
}
