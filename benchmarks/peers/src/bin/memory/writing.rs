//! The peak of memory while a file is written that is larger than what the writer may keep.

use crate::HEAP;
use clap::Args;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use trevni::{Reader, WriterBuilder};
use trevni_bench::data::DataSet;
use trevni_bench::data::flights::{Flight, Flights};
use trevni_bench::report::numbers::{ratio, table, thousands};

/// The limit of memory, in bytes.
const LIMIT: u64 = 16 << 20;
/// Sizes of files ÷ the limit.
const TIMES: [u64; 3] = [1, 4, 16];
/// Rows that are written over and over: few, so that they take little memory themselves.
const ROWS: usize = 20_000;

/// What a child process is to do.
#[derive(Args)]
pub(crate) struct Child {
    /// File with the rows to be written
    rows_of: PathBuf,
    /// File to be written
    target: PathBuf,
    /// Bytes that the writer may keep
    limit: u64,
    /// Number of rows
    rows: usize,
}

impl Child {
    /// Writes the file; prints most bytes on the heap, and in memory before and at most.
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let rows: Vec<Flight> = Reader::open(&self.rows_of)?.rows()?.collect::<trevni::Result<_>>()?;
        let (heap, resident) = (HEAP.current_usage(), resident());
        HEAP.reset_peak_usage();
        let mut writer = WriterBuilder::new().memory_limit(self.limit).create(&self.target)?;
        writer.write_all(rows.iter().cycle().take(self.rows))?;
        writer.finish()?;
        println!("{} {resident} {}", HEAP.peak_usage().saturating_sub(heap), self::resident());
        Ok(())
    }
}

/// Most bytes of this process that were in memory at once; 0 where the system does not say.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.unwrap_or(0u64) * 1024
}

/// What a child process has found.
struct Peak {
    times: u64,
    limit: u64,
    file: u64,
    heap: u64,
    /// Before anything was written, and at most.
    resident: [u64; 2],
}

/// Measures; returns the report.
pub(crate) fn measure(scale: f64, once: &[Flight]) -> Result<String, Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("trevni-bench-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let peaks = peaks(scale, once, &folder);
    fs::remove_dir_all(&folder)?;
    peaks.map(|peaks| report(&peaks))
}

fn peaks(scale: f64, once: &[Flight], folder: &Path) -> Result<Vec<Peak>, Box<dyn Error>> {
    let rows_of = folder.join("rows.trv");
    let rows = once.len().min(ROWS);
    let mut writer = WriterBuilder::new().create(&rows_of)?;
    writer.write_all(&once[..rows])?;
    writer.finish()?;
    let row = fs::metadata(&rows_of)?.len() as f64 / rows as f64;
    let mut peaks = Vec::new();
    for times in TIMES {
        let count = ((times * LIMIT) as f64 / row * scale) as usize;
        for limit in [LIMIT, u64::MAX] {
            eprintln!("memory: a file of {times} times the limit, limit {limit}");
            let target = folder.join("file.trv");
            let mut child = Command::new(std::env::current_exe()?);
            child.arg("write").arg(&rows_of).arg(&target).args([limit.to_string(), count.to_string()]);
            let output = child.output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
            let text = String::from_utf8(output.stdout)?;
            let found = text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
            let [heap, before, most] = found[..] else { return Err(text.into()) };
            let file = fs::metadata(&target)?.len();
            peaks.push(Peak { times, limit, file, heap, resident: [before, most] });
        }
    }
    Ok(peaks)
}

fn report(peaks: &[Peak]) -> String {
    let row = |peak: &Peak| {
        let limit = if peak.limit == u64::MAX { "none".to_owned() } else { thousands(peak.limit as usize) };
        let [before, most] = peak.resident.map(|bytes| match bytes {
            0 => "–".to_owned(),
            bytes => thousands(bytes as usize),
        });
        vec![
            peak.times.to_string(),
            limit,
            thousands(peak.file as usize),
            thousands(peak.heap as usize),
            before,
            most,
        ]
    };
    let rows: Vec<Vec<String>> = peaks.iter().map(row).collect();
    let limited = |times: u64| peaks.iter().find(|peak| peak.limit == LIMIT && peak.times == times);
    let growth = |of: fn(&Peak) -> u64| match (limited(TIMES[0]), limited(TIMES[TIMES.len() - 1])) {
        (Some(small), Some(large)) if of(small) > 0 => ratio(of(large) as f64 / of(small) as f64),
        _ => "–".to_owned(),
    };
    let header = [
        "file ÷ limit",
        "limit",
        "bytes of the file",
        "peak of the heap",
        "resident before",
        "peak resident",
    ];
    format!(
        "### Writing\n\nBytes while `Writer` writes a file of {}, default options but for `memory_limit`: on the \
         heap, without the rows; and resident in memory (`VmHWM`), with the program and {} rows that are \
         written over and over. Each line is a process of its own.\n\n{}\nWith the limit, a file {} times as \
         large has a peak {} times as high on the heap, {} times as high resident.\n",
        Flights::NAME,
        thousands(ROWS),
        table(&header, &rows),
        TIMES[TIMES.len() - 1] / TIMES[0],
        growth(|peak| peak.heap),
        growth(|peak| peak.resident[1]),
    )
}
