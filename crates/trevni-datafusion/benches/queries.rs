//! Queries on Trevni and on Parquet: the same rows, the same engine.
//!
//! `cargo bench -p trevni-datafusion --all-features -- 2000000` measures with two million rows; `-- --test` runs everything once with
//! few. Each query runs once to warm up, then eleven times, in turns; the median is printed. Statistics alone answer none of them.

use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use std::time::{Duration, Instant};

const ROWS: u64 = 1_000_000;
const ROWS_TO_TEST: u64 = 2_000;
const TIMES: usize = 11;

const QUERIES: [(&str, &str); 7] = [
    ("sum of one column", "SELECT sum(distance) FROM t"),
    ("group by text", "SELECT carrier, count(*), avg(delay) FROM t GROUP BY carrier ORDER BY carrier"),
    ("filter on sorted", "SELECT max(note) FROM t WHERE id BETWEEN 1000 AND 1100"),
    ("filter on unsorted", "SELECT count(note) FROM t WHERE distance = 777"),
    ("filter on text", "SELECT count(*), sum(id) FROM t WHERE carrier = 'B6' AND delay IS NULL"),
    ("first ten", "SELECT id, note FROM t ORDER BY delay DESC NULLS LAST, id LIMIT 10"),
    ("all columns", "SELECT count(id), count(carrier), count(distance), count(delay), max(note) FROM t"),
];

fn rows(count: u64) -> String {
    format!(
        "SELECT value AS id, \
         CASE value * 7 % 5 WHEN 0 THEN 'AA' WHEN 1 THEN 'UA' WHEN 2 THEN 'B6' WHEN 3 THEN 'DL' ELSE 'WN' END AS carrier, \
         value * 7919 % 3000 AS distance, \
         CASE WHEN value % 11 = 0 THEN NULL ELSE value * 31 % 500 - 60 END AS delay, \
         'note ' || CAST(value * 104729 % 1000003 AS VARCHAR) AS note FROM generate_series(1, {count})"
    )
}

async fn run(session: &SessionContext, sql: &str) -> Result<usize> {
    Ok(session.sql(sql).await?.collect().await?.iter().map(|batch| batch.num_rows()).sum())
}

/// A session whose table is in a format, in four files.
async fn prepare(
    format: &str,
    options: &str,
    at: &std::path::Path,
    count: u64,
) -> Result<(SessionContext, u64)> {
    let session = trevni_datafusion::session_context()?;
    let folder = at.join(format);
    for part in 0..4 {
        let file = folder.join(format!("part-{part}.{}", if format == "trevni" { "trv" } else { "parquet" }));
        let (first, last) = (part * count / 4, (part + 1) * count / 4);
        let rows = format!("SELECT * FROM ({}) WHERE id > {first} AND id <= {last}", rows(count));
        run(&session, &format!("COPY ({rows}) TO '{}' STORED AS {format} {options}", file.display())).await?;
    }
    let sql = format!("CREATE EXTERNAL TABLE t STORED AS {format} LOCATION '{}/'", folder.display());
    run(&session, &sql).await?;
    let mut bytes = 0;
    for file in std::fs::read_dir(folder)? {
        bytes += file?.metadata()?.len();
    }
    Ok((session, bytes))
}

async fn measure(count: u64, times: usize) -> Result<()> {
    let at = std::env::temp_dir().join(format!("trevni-datafusion-bench-{}", std::process::id()));
    let trevni = prepare("trevni", "OPTIONS ('format.codec' 'zstandard')", &at, count).await?;
    let parquet = prepare("parquet", "OPTIONS ('format.compression' 'zstd(3)')", &at, count).await?;
    println!("{count} rows; Trevni {} bytes, Parquet {} bytes", trevni.1, parquet.1);
    println!("{:20} {:>12} {:>12} {:>8}", "query", "trevni", "parquet", "ratio");
    for (name, sql) in QUERIES {
        let mut found = [Vec::new(), Vec::new()];
        for time in 0..=times {
            for (session, durations) in [&trevni.0, &parquet.0].into_iter().zip(&mut found) {
                let start = Instant::now();
                let rows = run(session, sql).await?;
                assert!(rows > 0, "{name}");
                if time > 0 {
                    durations.push(start.elapsed());
                }
            }
        }
        let [one, two] = found.map(median);
        let ratio = one.as_secs_f64() / two.as_secs_f64();
        println!("{name:20} {one:>12.2?} {two:>12.2?} {ratio:>8.2}");
    }
    std::fs::remove_dir_all(at)?;
    Ok(())
}

fn median(mut durations: Vec<Duration>) -> Duration {
    durations.sort_unstable();
    durations[durations.len() / 2]
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let count = arguments.iter().find_map(|argument| argument.parse().ok());
    let (count, times) = if is_test { (ROWS_TO_TEST, 1) } else { (count.unwrap_or(ROWS), TIMES) };
    tokio::runtime::Runtime::new()?.block_on(measure(count, times))
}
