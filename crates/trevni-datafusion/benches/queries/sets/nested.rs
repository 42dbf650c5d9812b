//! Messages with records, lists of records, and strings of some length.

use super::{Set, Table, queries};
use datafusion::error::Result;
use datafusion::prelude::SessionContext;

const ROWS: f64 = 200_000.0;

/// The rows, made by the engine: nothing of them is by chance, and little of them is regular.
fn rows(count: usize) -> String {
    let folded = "value * 7919 % 104729";
    format!(
        "SELECT value AS id, \
         named_struct('name', 'sender ' || CAST({folded} % 977 AS VARCHAR), 'host', 'host-' || CAST({folded} % 31 AS VARCHAR) || '.example') AS sender, \
         named_struct('subject', CASE WHEN value % 7 = 0 THEN NULL ELSE repeat('word' || CAST({folded} % 50 AS VARCHAR) || ' ', CAST({folded} % 9 AS BIGINT)) END, \
                      'size', {folded} * 13, \
                      'sent', to_timestamp_micros(1700000000000000 + value * 1000003)) AS head, \
         array_resize(make_array('label-a', 'label-b', 'label-c', 'label-d'), {folded} % 5, 'label-' || CAST({folded} % 3 AS VARCHAR)) AS labels, \
         (CASE WHEN value % 11 = 0 THEN NULL ELSE array_repeat(named_struct('name', 'file-' || CAST({folded} % 211 AS VARCHAR) || '.txt', \
              'bytes', {folded} * 31, 'kind', CASE WHEN {folded} % 3 = 0 THEN 'text' WHEN {folded} % 3 = 1 THEN 'image' ELSE 'other' END), {folded} % 4) END) AS files, \
         repeat('body ' || CAST({folded} AS VARCHAR) || ' ', CAST(value * 104729 % 23 AS BIGINT)) AS body \
         FROM generate_series(1, {count})"
    )
}

pub(super) fn set(scale: f64) -> Result<Set> {
    let batches = std::thread::scope(|scope| {
        let made = scope.spawn(|| {
            let threads = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            threads.block_on(async {
                SessionContext::new().sql(&rows((ROWS * scale) as usize)).await?.collect().await
            })
        });
        made.join().map_err(|_| datafusion::error::DataFusionError::Internal("no rows".to_owned()))?
    })?;
    Ok(Set {
        name: "nested",
        tables: vec![Table::new("mails", batches)?],
        queries: queries(include_str!("nested.sql")),
    })
}
