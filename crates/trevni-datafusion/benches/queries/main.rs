//! Queries on Trevni and on Parquet: the same rows, the same engine; and DuckDB on the same Parquet files.
//!
//! `cargo bench -p trevni-datafusion --all-features -- --help` says what can be chosen. Each query runs once to warm up, then several
//! times, in turns; medians of wall-clock time are printed. Statistics alone answer none of them.

mod duckdb;
mod options;
mod sets;

use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use duckdb::DuckDb;
use options::Options;
use sets::Set;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn run(session: &SessionContext, sql: &str) -> Result<usize> {
    Ok(session.sql(sql).await?.collect().await?.iter().map(|batch| batch.num_rows()).sum())
}

/// A session that has the tables of a set in files of a format.
async fn tables_of(
    set: &Set,
    format: &str,
    codec: &str,
    files: usize,
    at: &Path,
) -> Result<(SessionContext, u64)> {
    let session = trevni_datafusion::session_context()?;
    let (option, ending) = match format {
        "trevni" => ("codec", "trv"),
        _ => ("compression", "parquet"),
    };
    let mut bytes = 0;
    for table in &set.tables {
        let folder = at.join(format).join(table.name);
        for part in 0..files {
            table.register_part(&session, part, files)?;
            let file = folder.join(format!("part-{part}.{ending}"));
            let options = match codec {
                "default" => String::new(),
                codec => format!("OPTIONS ('format.{option}' '{codec}')"),
            };
            let copy = format!("COPY rows_to_write TO '{}' STORED AS {format} {options}", file.display());
            run(&session, &copy).await?;
            session.deregister_table("rows_to_write")?;
            bytes += std::fs::metadata(file)?.len();
        }
        let place = folder.display();
        let create = format!("CREATE EXTERNAL TABLE {} STORED AS {format} LOCATION '{place}/'", table.name);
        run(&session, &create).await?;
    }
    Ok((session, bytes))
}

/// Prints the times of a set's queries; returns their ratios.
async fn measure(set: &Set, options: &Options) -> Result<Vec<f64>> {
    let at = Folder(std::env::temp_dir().join(format!("trevni-queries-{}-{}", set.name, std::process::id())));
    let files = options.files;
    let (trevni, own) = tables_of(set, "trevni", &options.codec, files, &at.0).await?;
    let (parquet, other) = tables_of(set, "parquet", &options.parquet_codec, files, &at.0).await?;
    let mut duckdb = match &options.python {
        Some(python) => Some(DuckDb::start(python, set, &at.0.join("parquet"))?),
        None => None,
    };
    println!(
        "\n{}: {} and {own} bytes, Parquet {} and {other} bytes",
        set.name, options.codec, options.parquet_codec
    );
    println!(
        "\n| query | trevni | parquet | trevni ÷ parquet | duckdb | trevni ÷ duckdb |\n|---|--:|--:|--:|--:|--:|"
    );
    let mut ratios = Vec::new();
    for (name, sql) in set.queries.iter().filter(|(name, _)| name.contains(&options.query)) {
        let mut found = [Vec::new(), Vec::new(), Vec::new()];
        for turn in 0..=options.turns {
            let [own, other, _] = &mut found;
            let mut both = [(&trevni, own), (&parquet, other)];
            // Neither always comes first.
            if turn % 2 == 1 {
                both.reverse();
            }
            let mut rows = Vec::new();
            for (session, times) in both {
                let start = Instant::now();
                rows.push(run(session, sql).await?);
                if turn > 0 {
                    times.push(start.elapsed());
                }
            }
            assert!(rows.windows(2).all(|pair| pair[0] == pair[1]), "{name}: {rows:?} rows");
        }
        // Not between the others: what its threads do after a query would be counted for what comes next.
        if let Some(duckdb) = &mut duckdb {
            for turn in 0..=options.turns {
                let time = duckdb.run(sql)?;
                if turn > 0 {
                    found[2].extend(time);
                }
            }
        }
        let [own, other, third] = found.map(median);
        let (own, other) = (own.unwrap_or_default(), other.unwrap_or_default());
        let ratio = own / other;
        ratios.push(ratio);
        print!("| {name} | {own:.1} ms | {other:.1} ms | {ratio:.2} |");
        match third {
            Some(third) => println!(" {third:.1} ms | {:.2} |", own / third),
            None => println!(" | |"),
        }
    }
    summarize(set.name, &ratios);
    Ok(ratios)
}

fn summarize(what: &str, ratios: &[f64]) {
    let greatest = ratios.iter().copied().fold(0.0, f64::max);
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    println!("\n{what}: {} queries, geometric mean {mean:.2}, greatest {greatest:.2}.", ratios.len());
}

/// Milliseconds.
fn median(mut times: Vec<Duration>) -> Option<f64> {
    times.sort_unstable();
    times.get(times.len() / 2).map(|time| time.as_secs_f64() * 1e3)
}

fn main() -> Result<()> {
    let Some(options) = Options::parse(std::env::args().skip(1))? else {
        println!("{}", options::HELP);
        return Ok(());
    };
    let threads = tokio::runtime::Runtime::new()?;
    let mut all = Vec::new();
    for name in &options.sets {
        let set = sets::named(name, &options)?;
        all.extend(threads.block_on(measure(&set, &options))?);
    }
    if options.sets.len() > 1 {
        summarize("all", &all);
    }
    Ok(())
}
