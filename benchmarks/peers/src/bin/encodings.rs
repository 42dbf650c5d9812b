//! Compares the encodings of typed blocks with libraries for one kind of value: `pco` for numbers, `fsst-rs` for strings.

use clap::Parser;
use fsst::Compressor;
use pco::ChunkConfig;
use pco::data_types::Number;
use pco::standalone::{simple_compress, simple_decompress};
use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use trevni::vector::Element;
use trevni::{Batch, Checksum, Codec, Reader, Shape, Strings, Vector, Writer};
use trevni_bench::clock::time;
use trevni_bench::figures::median;
use trevni_bench::options::Files;
use trevni_bench::report::machine::Machine;
use trevni_bench::report::marks;
use trevni_bench::report::numbers::{ratio, table, thousands};

/// Measures encodings of values.
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
    let heads =
        ["data", "library", "columns", "bytes, typed", "bytes ÷ typed", "smaller in", "encode", "decode"];
    let text = format!(
        "## Encodings\n\n{}\nAll columns of numbers by `pco` at its default level, all columns of strings by `fsst-rs` with one table each, beside \
         the codec `typed`, which also lists distinct strings; nulls and lengths are left out. Bytes and CPU time ÷ those of `typed`, vectors in memory \
         to bytes and back; of the times, sums over all columns of the medians of {}. \"Smaller in\" counts the columns where the library takes fewer bytes.\n\n{}",
        Machine::here().to_markdown(),
        repetitions,
        table(&heads, &lines),
    );
    println!("{text}");
    if let Some(path) = &files.report {
        marks::write(path, "encodings", &text)?;
    }
    Ok(())
}

/// Bytes and times of one column.
#[derive(Clone, Copy, Default)]
struct Cost {
    bytes: usize,
    encode: f64,
    decode: f64,
}

/// Bytes and times of some columns, with the codec and with the library.
#[derive(Default)]
struct Sum {
    columns: usize,
    smaller: usize,
    typed: Cost,
    library: Cost,
}

impl Sum {
    fn add(&mut self, typed: Cost, library: Cost) {
        self.columns += 1;
        self.smaller += usize::from(library.bytes < typed.bytes);
        for (sum, cost) in [(&mut self.typed, typed), (&mut self.library, library)] {
            sum.bytes += cost.bytes;
            sum.encode += cost.encode;
            sum.decode += cost.decode;
        }
    }
}

/// A line for each library.
fn measure(path: &Path, repetitions: usize) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let reader = Reader::open(path)?;
    let mut leaves = Leaves::default();
    for batch in reader.batches()? {
        leaves.add(reader.shape(), batch?.vector(), String::new());
    }
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    for leaf in leaves.0.into_values() {
        let (library, typed, other) = match leaf {
            Vector::Int(values) => numbers(&values, Shape::Int, Vector::Int, repetitions)?,
            Vector::Long(values) => numbers(&values, Shape::Long, Vector::Long, repetitions)?,
            Vector::Float(values) => numbers(&values, Shape::Float, Vector::Float, repetitions)?,
            Vector::Double(values) => numbers(&values, Shape::Double, Vector::Double, repetitions)?,
            Vector::String(texts) => self::texts(&texts, repetitions)?,
            _ => continue,
        };
        sums.entry(library).or_default().add(typed, other);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let lines = sums.into_iter().map(|(library, Sum { columns, smaller, typed, library: other })| {
        vec![
            name.to_string(),
            library.to_owned(),
            columns.to_string(),
            thousands(typed.bytes),
            ratio(other.bytes as f64 / typed.bytes as f64),
            smaller.to_string(),
            ratio(other.encode / typed.encode),
            ratio(other.decode / typed.decode),
        ]
    });
    Ok(lines.collect())
}

/// The values of the columns, by their paths.
#[derive(Default)]
struct Leaves(BTreeMap<String, Vector>);

impl Leaves {
    fn add(&mut self, shape: &Shape, vector: &Vector, path: String) {
        match (shape.storage(), vector) {
            (Shape::Record(record), Vector::Record(vector)) => {
                for (field, vector) in record.fields.iter().zip(&vector.fields) {
                    self.add(&field.shape, vector, format!("{path}.{}", field.name));
                }
            }
            (Shape::Optional(shape), Vector::Optional(vector)) => self.add(&shape.item, &vector.item, path),
            (Shape::List(shape), Vector::List(vector)) => self.add(shape, &vector.item, format!("{path}[]")),
            (Shape::Map(shape), Vector::Map(vector)) => {
                self.add(&shape.key, &vector.key, format!("{path}.key"));
                self.add(&shape.value, &vector.value, format!("{path}.value"));
            }
            (Shape::Union(shapes), Vector::Union(vector)) => {
                for (number, (shape, vector)) in shapes.iter().zip(&vector.variants).enumerate() {
                    self.add(shape, vector, format!("{path}#{number}"));
                }
            }
            (_, vector) if !vector.is_empty() => match (self.0.get_mut(&path), vector) {
                (Some(Vector::Int(all)), Vector::Int(some)) => all.extend(some),
                (Some(Vector::Long(all)), Vector::Long(some)) => all.extend(some),
                (Some(Vector::Float(all)), Vector::Float(some)) => all.extend(some),
                (Some(Vector::Double(all)), Vector::Double(some)) => all.extend(some),
                (Some(Vector::String(all)), Vector::String(some)) => {
                    some.iter().for_each(|text| assert!(all.push(text), "a column has less than 4 GiB"));
                }
                (Some(_), _) => {}
                (None, _) => drop(self.0.insert(path, vector.clone())),
            },
            _ => {}
        }
    }
}

type Costs = (&'static str, Cost, Cost);

fn numbers<T: Number + Element>(
    values: &[T],
    shape: Shape,
    vector: impl Fn(Vec<T>) -> Vector,
    repetitions: usize,
) -> Result<Costs, Box<dyn Error>> {
    let config = ChunkConfig::default();
    let compressed = simple_compress(values, &config)?;
    let again: Vec<T> = simple_decompress(&compressed)?;
    assert!(again.iter().zip(values).all(|(one, two)| one.to_latent_ordered() == two.to_latent_ordered()));
    let other = cost(
        repetitions,
        compressed.len(),
        || drop(black_box(simple_compress(values, &config))),
        || drop(black_box(simple_decompress::<T>(&compressed))),
    );
    Ok(("pco", typed(shape, vector(values.to_vec()), repetitions)?, other))
}

fn texts(texts: &Strings, repetitions: usize) -> Result<Costs, Box<dyn Error>> {
    let values: Vec<&[u8]> = texts.iter().map(str::as_bytes).collect();
    let compressor = Compressor::train(&values);
    let compressed = compressor.compress_bulk(&values);
    let decompressor = compressor.decompressor();
    assert!(compressed.iter().zip(&values).all(|(one, two)| decompressor.decompress(one) == *two));
    // The table, and a length of each text, of a byte mostly.
    let table: usize = compressor.symbol_lengths().iter().map(|length| 1 + usize::from(*length)).sum();
    let bytes = table + compressed.iter().map(|text| 1 + text.len()).sum::<usize>();
    let other = cost(
        repetitions,
        bytes,
        || drop(black_box(Compressor::train(&values).compress_bulk(&values))),
        || compressed.iter().for_each(|text| drop(black_box(decompressor.decompress(text)))),
    );
    Ok(("fsst-rs", typed(Shape::String, Vector::String(texts.clone()), repetitions)?, other))
}

/// What the codec of this crate takes for a column.
fn typed(shape: Shape, vector: Vector, repetitions: usize) -> Result<Cost, Box<dyn Error>> {
    let batch = Batch::try_new(shape, vector)?;
    let write = || -> trevni::Result<Vec<u8>> {
        let writer = Writer::builder().codec(Codec::Typed).checksum(Checksum::Null).without_zone_maps();
        let mut writer = writer.shape(batch.shape()).build(Vec::new())?;
        writer.write_batch(&batch)?;
        writer.finish()
    };
    let file = write()?;
    let read = || -> trevni::Result<()> {
        for batch in Reader::from_slice(&file)?.batches()? {
            black_box(batch?);
        }
        Ok(())
    };
    read()?;
    Ok(cost(repetitions, file.len(), || drop(black_box(write())), || drop(black_box(read()))))
}

fn cost(repetitions: usize, bytes: usize, mut encode: impl FnMut(), mut decode: impl FnMut()) -> Cost {
    let median = |call: &mut dyn FnMut()| {
        let times: Vec<f64> = (0..repetitions).map(|_| time(1, &mut *call).cpu).collect();
        median(&times)
    };
    Cost { bytes, encode: median(&mut encode), decode: median(&mut decode) }
}
