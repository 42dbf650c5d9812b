//! Measures codecs that know the types of values beside codecs that know bytes, on any column files.

use clap::Parser;
use std::error::Error;
use std::path::Path;
use trevni::{Batch, Codec, Reader, Shape, Writer};
use trevni_bench::clock::time;
use trevni_bench::figures::median;
use trevni_bench::options::Files;
use trevni_bench::report::machine::Machine;
use trevni_bench::report::marks;
use trevni_bench::report::numbers::{ratio, table, thousands};
use trevni_parquet::ParquetOptions;

/// The codecs that are compared; ratios are to the second and the third.
const CODECS: [Codec; 5] =
    [Codec::Null, Codec::Snappy, Codec::Zstandard, Codec::Typed, Codec::TypedZstandard];

/// Measures sizes and times of codecs.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    files: Files,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Options { files } = Options::parse();
    let repetitions = files.repetitions();
    let mut lines = Vec::new();
    for path in &files.files {
        eprintln!("{}", path.display());
        lines.extend(measure(path, repetitions)?);
    }
    let heads = ["data", "codec", "bytes", "÷ snappy", "÷ zstandard", "÷ parquet", "write", "read"];
    let text = format!(
        "## Typed blocks\n\n{}\nBatches that are written to memory and read from it, all columns, CPU time ÷ that of `zstandard`, medians of {}; \
         the codecs take turns. Bytes also ÷ those of a Parquet file with zstandard of the same rows, by the crate `parquet` at its \
         default level.\n\n{}",
        Machine::here().to_markdown(),
        repetitions,
        table(&heads, &lines),
    );
    println!("{text}");
    if let Some(path) = &files.report {
        marks::write(path, "typed", &text)?;
    }
    Ok(())
}

/// A line for each codec.
fn measure(path: &Path, repetitions: usize) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let reader = Reader::open(path)?;
    let batches = reader.batches()?.collect::<trevni::Result<Vec<_>>>()?;
    let compression = ParquetOptions::new().codec(Codec::Zstandard)?;
    let parquet = trevni_parquet::to_parquet(&reader, compression, Vec::new()).map(|file| file.len());
    let mut files = Vec::new();
    for codec in CODECS {
        files.push(write(reader.shape(), &batches, codec)?);
    }
    let mut times = CODECS.map(|_| [Vec::new(), Vec::new()]);
    for _ in 0..repetitions {
        for ((codec, file), [writes, reads]) in CODECS.into_iter().zip(&files).zip(&mut times) {
            let mut done = Ok(());
            writes.push(time(1, || done = write(reader.shape(), &batches, codec).map(drop)).cpu);
            done?;
            let mut done = Ok(());
            reads.push(time(1, || done = read(file)).cpu);
            done?;
        }
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let beside = |kind: usize, number: usize| {
        let ratios: Vec<f64> =
            times[number][kind].iter().zip(&times[2][kind]).map(|(one, two)| one / two).collect();
        ratio(median(&ratios))
    };
    let lines = CODECS.into_iter().zip(&files).enumerate().map(|(number, (codec, file))| {
        let size = |other: usize| ratio(file.len() as f64 / other as f64);
        let parquet = parquet.as_ref().map_or("–".to_owned(), |parquet| size(*parquet));
        let sizes = [thousands(file.len()), size(files[1].len()), size(files[2].len()), parquet];
        let head = [name.to_string(), codec.name().to_owned()];
        head.into_iter().chain(sizes).chain([beside(0, number), beside(1, number)]).collect()
    });
    Ok(lines.collect())
}

fn write(shape: &Shape, batches: &[Batch], codec: Codec) -> trevni::Result<Vec<u8>> {
    let mut writer = Writer::builder().codec(codec).shape(shape).build(Vec::new())?;
    batches.iter().try_for_each(|batch| writer.write_batch(batch))?;
    writer.finish()
}

fn read(file: &[u8]) -> trevni::Result<()> {
    for batch in Reader::from_slice(file)?.batches()? {
        std::hint::black_box(batch?);
    }
    Ok(())
}
