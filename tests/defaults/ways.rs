//! All ways of reading a file with defaults.

use serde::de::IgnoredAny;
use serde_json::Value;
use trevni::verify::Verify;
use trevni::{Reader, Result, col};

/// Checks that a file is opened, verified and read with defaults; `rows` says how many there are, `kind` what failed.
#[track_caller]
pub(crate) fn is_readable(bytes: &[u8], rows: u64, kind: &str) {
    let report = Verify::new().source(bytes).unwrap();
    assert!(report.is_ok() && report.rows == rows, "{kind}: {report:?}");
    if let Err(error) = read(bytes, rows) {
        panic!("{kind}, {rows} rows in {} bytes: {error}", bytes.len());
    }
}

fn read(bytes: &[u8], rows: u64) -> Result<()> {
    let reader = Reader::from_slice(bytes)?;
    assert_eq!(reader.row_count(), rows);
    let mut found = 0;
    reader.batches()?.try_for_each(|batch| batch.map(|batch| found += batch.len() as u64))?;
    assert_eq!(found, rows, "batches");
    let counted = reader.rows::<IgnoredAny>()?.try_fold(0, |count, row| row.map(|_| count + 1))?;
    assert_eq!(counted, rows, "rows");
    for number in [0, rows / 2, rows.saturating_sub(1)].into_iter().filter(|number| *number < rows) {
        reader.row::<Value>(number)?;
    }
    for number in 0..reader.columns().len().min(20) {
        reader.raw_column(number)?;
    }
    let all = reader.filter(col("v").is_null().or(col("v").is_not_null()));
    // A record has no null of its own, so that it cannot be asked for.
    if let Ok(all) = all {
        assert_eq!(all.matching()?.row_count(), rows, "filter");
    }
    let parts = reader.split(3)?;
    let parts =
        parts.iter().map(|part| part.batches()?.map(|batch| Ok(batch?.len() as u64)).sum::<Result<u64>>());
    assert_eq!(parts.sum::<Result<u64>>()?, rows, "parts");
    Ok(())
}
