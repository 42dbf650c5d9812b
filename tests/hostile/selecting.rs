//! Damaged bytes under filters, selections, single rows and merging: rows or an error, never a panic.

use super::memory::{MIB, alone, within};
use super::samples::samples;
use serde_json::Value;
use trevni::merge::Merge;
use trevni::{Category, Error, Predicate, Reader, Shape, col, item};

/// Conditions on each field of the rows, most of which do not fit.
fn predicates(shape: &Shape) -> Vec<Predicate> {
    let names: Vec<String> = match shape {
        Shape::Record(record) => record.fields.iter().map(|field| field.name.to_string()).collect(),
        _ => vec![String::new()],
    };
    let on = |name: &String| {
        let path = || col(name.as_str());
        [
            path().is_null(),
            path().ge(1),
            !path().lt("m"),
            path().any(item().ge(0) | item().is_null()),
            path().any(item().any(item().ne("x"))),
            path().any(col("key").ge("k")),
        ]
    };
    names.iter().flat_map(on).collect()
}

fn check(result: Result<(), Error>, what: &str) {
    if let Err(error) = result {
        assert_ne!(error.category(), Category::Io, "{what}: {error}");
    }
}

/// Does all that looks for rows; returns how often that went well.
fn use_all(bytes: &[u8], what: &str) -> usize {
    let mut done = 0;
    for threads in [1, 2] {
        let Ok(reader) = Reader::builder().threads(threads).source(bytes) else {
            return done;
        };
        let rows = reader.row_count();
        for predicate in predicates(reader.shape()) {
            let Ok(filtered) = reader.filter(predicate) else {
                continue;
            };
            check(filtered.first_matching().map(drop), what);
            check(filtered.explain().map(|explain| drop(explain.to_string())), what);
            let matching = filtered.matching();
            let read: Result<Vec<Value>, Error> = filtered.rows().and_then(Iterator::collect);
            if let (Ok(matching), Ok(read)) = (&matching, &read) {
                assert_eq!(matching.row_count(), read.len() as u64, "{what}");
                done += 1;
            }
        }
        let middle = [rows / 3..rows / 2, rows.saturating_sub(2)..rows];
        if let Ok(selected) = reader.select(middle) {
            let read: Result<Vec<Value>, Error> = selected.rows().and_then(Iterator::collect);
            done += usize::from(read.is_ok());
            check(read.map(drop), what);
            check(Merge::new().write(&[selected, reader.clone()], std::io::sink()).map(drop), what);
        }
        for row in [0, rows / 2, rows.saturating_sub(1)] {
            check(reader.row::<Value>(row).map(drop), what);
        }
    }
    done
}

#[test]
fn damage_is_survived_where_rows_are_sought() {
    let _alone = alone();
    within(96 * MIB, || {
        for (number, sample) in samples().iter().enumerate() {
            assert!(use_all(&sample.bytes, sample.name) > 0, "{} has nothing to be found", sample.name);
            let mut bytes = sample.bytes.clone();
            // Other bytes and bits in each sample.
            for at in (number % 5..bytes.len()).step_by(5) {
                let bit = 1 << ((at / 5 + number) % 8);
                bytes[at] ^= bit;
                use_all(&bytes, &format!("{}, byte {at}, bit {bit}", sample.name));
                bytes[at] ^= bit;
            }
            for length in (0..bytes.len()).step_by(23) {
                use_all(&bytes[..length], &format!("{}, {length} bytes", sample.name));
            }
        }
    });
}
