//! Measures trevni-arrow against parquet's reader and writer of record batches, and against columns without Arrow.
//!
//! `cargo run --release -p trevni-arrow-bench -- [turns] [rows]`, in `benchmarks`, prints medians of CPU time, in milliseconds. Trevni's files have
//! checksums, which its reader compares; "unchecked" has no checksums, as parquet's reader compares none. "views" are strings and byte
//! strings as arrays of views, by both readers. `loop flights None trevni Stored 100` reads that many times, for a profiler.

mod clock;
mod data;
mod formats;

use arrow_array::{Array, RecordBatch};
use arrow_cast::cast;
use bytes::Bytes;
use clock::medians;
use formats::{Compressed, Outcome, Texts, read_parquet, read_trevni, write_parquet, write_trevni};
use trevni::{Checksum, Reader};

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, rest @ ..] = &words[..]
        && first == "loop"
    {
        return again(rest);
    }
    let mut numbers = words.iter().map(|word| word.parse::<usize>());
    let turns = numbers.next().transpose()?.unwrap_or(15);
    let rows = numbers.next().transpose()?.unwrap_or(200_000);
    println!("{:<32}{:>10}{:>10}{:>8}{:>10}{:>10}", "", "trevni", "other", "ratio", "bytes", "other");
    let flights = data::flights(rows);
    against_parquet("flights", &flights, turns)?;
    against_parquet("mail", &data::mails(rows / 4), turns)?;
    columns(&flights, turns)
}

/// Reads over and over, for a profiler: the words are a set, a codec, `trevni` or `parquet`, `Stored` or `Views`, and turns.
fn again(words: &[String]) -> Outcome<()> {
    let [set, codec, format, texts, turns] = words else { return Err("five words are wanted".into()) };
    let batches = if set == "flights" { data::flights(200_000) } else { data::mails(50_000) };
    let codec = CODECS.into_iter().find(|one| format!("{one:?}") == *codec).ok_or("an unknown codec")?;
    let texts = if texts == "Views" { Texts::Views } else { Texts::Stored };
    let own = write_trevni(&batches, codec, Checksum::Crc32)?;
    let other = Bytes::from(write_parquet(&batches, codec)?);
    for _ in 0..turns.parse()? {
        let read = if format == "trevni" { read_trevni(&own, texts)? } else { read_parquet(&other, texts)? };
        std::hint::black_box(read);
    }
    Ok(())
}

/// What is measured.
const CODECS: [Compressed; 4] =
    [Compressed::None, Compressed::Zstandard, Compressed::Typed, Compressed::TypedZstandard];

fn line(name: &str, (own, other): (f64, f64), bytes: Option<(usize, usize)>) {
    print!("{name:<32}{own:>10.2}{other:>10.2}{:>8.2}", own / other);
    match bytes {
        Some((own, other)) => println!("{own:>10}{other:>10}"),
        None => println!(),
    }
}

fn against_parquet(name: &str, batches: &[RecordBatch], turns: usize) -> Outcome<()> {
    for compressed in CODECS {
        let own = write_trevni(batches, compressed, Checksum::Crc32)?;
        let bare = write_trevni(batches, compressed, Checksum::Null)?;
        let other = Bytes::from(write_parquet(batches, compressed)?);
        for texts in [Texts::Stored, Texts::Views] {
            check("trevni", batches, &read_trevni(&own, texts)?)?;
            check("parquet", batches, &read_parquet(&other, texts)?)?;
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
            for (texts, as_views) in [(Texts::Stored, ""), (Texts::Views, " views")] {
                let read = medians(turns, || read_trevni(file, texts), || read_parquet(&other, texts));
                line(&format!("{name} {compressed:?} read{as_views}{checksums}"), read, None);
            }
        }
        let vectors = || {
            Reader::from_slice(&own)?
                .batches()?
                .batch_rows(data::BATCH_ROWS)
                .collect::<trevni::Result<Vec<_>>>()
        };
        line(
            &format!("{name} {compressed:?} over vectors"),
            medians(turns, || read_trevni(&own, Texts::Stored), vectors),
            None,
        );
    }
    Ok(())
}

/// Checks that what was read is what was written, whatever the types and metadata.
fn check(format: &str, batches: &[RecordBatch], read: &[RecordBatch]) -> Outcome<()> {
    let is_same = |(one, two): (&RecordBatch, &RecordBatch)| -> Outcome<bool> {
        let mut columns = one.columns().iter().zip(two.columns());
        columns.try_fold(true, |same, (one, two)| Ok(same && *one == cast(two, one.data_type())?))
    };
    let same = batches.iter().zip(read).map(is_same).collect::<Outcome<Vec<_>>>()?;
    match batches.len() == read.len() && same.iter().all(|same| *same) {
        true => Ok(()),
        false => Err(format!("{format} gives other batches").into()),
    }
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
