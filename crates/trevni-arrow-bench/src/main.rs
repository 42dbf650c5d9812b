//! Measures trevni-arrow against parquet's reader and writer of record batches, and against columns without Arrow.
//!
//! `cargo run --release -p trevni-arrow-bench [turns] [rows]` prints medians of CPU time, in milliseconds. Trevni's files have
//! checksums, which its reader compares; "unchecked" has none, as parquet's reader compares none.

mod clock;
mod data;
mod formats;

use arrow_array::RecordBatch;
use bytes::Bytes;
use clock::medians;
use formats::{Compressed, Outcome, read_parquet, read_trevni, write_parquet, write_trevni};
use trevni::{Checksum, Reader};

fn main() -> Outcome<()> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let turns = numbers.next().transpose()?.unwrap_or(15);
    let rows = numbers.next().transpose()?.unwrap_or(200_000);
    println!("{:<32}{:>10}{:>10}{:>8}{:>10}{:>10}", "", "trevni", "other", "ratio", "bytes", "other");
    let flights = data::flights(rows);
    against_parquet("flights", &flights, turns)?;
    against_parquet("mail", &data::mails(rows / 4), turns)?;
    columns(&flights, turns)
}

fn line(name: &str, (own, other): (f64, f64), bytes: Option<(usize, usize)>) {
    print!("{name:<32}{own:>10.2}{other:>10.2}{:>8.2}", own / other);
    match bytes {
        Some((own, other)) => println!("{own:>10}{other:>10}"),
        None => println!(),
    }
}

fn against_parquet(name: &str, batches: &[RecordBatch], turns: usize) -> Outcome<()> {
    for compressed in [Compressed::None, Compressed::Zstandard, Compressed::Typed, Compressed::TypedZstandard]
    {
        let own = write_trevni(batches, compressed, Checksum::Crc32)?;
        let bare = write_trevni(batches, compressed, Checksum::Null)?;
        let other = Bytes::from(write_parquet(batches, compressed)?);
        for (read, format) in [(read_trevni(&own)?, "trevni"), (read_parquet(&other)?, "parquet")] {
            // Without metadata.
            let rows = |batches: &[RecordBatch]| {
                batches.iter().map(|batch| batch.columns().to_vec()).collect::<Vec<_>>()
            };
            if rows(&read) != rows(batches) {
                return Err(format!("{format} gives other batches").into());
            }
        }
        for (checksums, file, checksum) in
            [("", &own, Checksum::Crc32), (" unchecked", &bare, Checksum::Null)]
        {
            let written = medians(
                turns,
                || write_trevni(batches, compressed, checksum),
                || write_parquet(batches, compressed),
            );
            line(
                &format!("{name} {compressed:?} write{checksums}"),
                written,
                Some((file.len(), other.len())),
            );
            let read = medians(turns, || read_trevni(file), || read_parquet(&other));
            line(&format!("{name} {compressed:?} read{checksums}"), read, None);
        }
        let vectors = || {
            Reader::from_slice(&own)?
                .batches()?
                .batch_rows(data::BATCH_ROWS)
                .collect::<trevni::Result<Vec<_>>>()
        };
        line(
            &format!("{name} {compressed:?} over vectors"),
            medians(turns, || read_trevni(&own), vectors),
            None,
        );
    }
    Ok(())
}

fn columns(batches: &[RecordBatch], turns: usize) -> Outcome<()> {
    let file = write_trevni(batches, Compressed::None, Checksum::Crc32)?;
    let reader = Reader::from_slice(&file)?;
    let array = |path: &'static str| {
        let reader = &reader;
        move || trevni_arrow::column(reader, path)
    };
    line("distance", medians(turns, array("distance"), || reader.column::<f32>("distance")), None);
    line("flight", medians(turns, array("flight"), || reader.column::<i32>("flight")), None);
    line("dep_delay", medians(turns, array("dep_delay"), || reader.column::<Option<f32>>("dep_delay")), None);
    line("carrier", medians(turns, array("carrier"), || reader.column::<String>("carrier")), None);
    line("tailnum", medians(turns, array("tailnum"), || reader.column::<Option<String>>("tailnum")), None);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{against_parquet, columns, data};

    #[test]
    fn the_measurements_run() {
        let flights = data::flights(1000);
        against_parquet("flights", &flights, 1).unwrap();
        against_parquet("mail", &data::mails(300), 1).unwrap();
        columns(&flights, 1).unwrap();
    }
}
