//! Files of rows: how they are written, and the ways to read them.

use crate::deserialize::Row;
use crate::model::Graph;
use crate::random::Random;
use crate::serialize::Typed;
use crate::value::Value;
use trevni::merge::{Merge, Split};
use trevni::{Dataset, DatasetWriter, Reader, Result, Shape, Writer, WriterBuilder};

/// Options that decide where batches and blocks end.
pub fn options(random: &mut Random) -> WriterBuilder {
    let builder = match random.below(5) {
        0 => Writer::builder().batch_rows(1).block_size(16),
        1 => Writer::builder().batch_rows(random.between(2, 7)).block_size(64),
        2 => Writer::builder().block_size(100),
        _ => Writer::builder(),
    };
    if random.one_in(6) { builder.fixed_integers() } else { builder }
}

pub fn write(graph: &Graph, rows: &[Value], options: WriterBuilder) -> Result<Vec<u8>> {
    let mut writer = options.build(Vec::new())?;
    for value in rows {
        writer.write(&Typed { graph, ty: &graph.row, value })?;
    }
    writer.finish()
}

pub fn schema(reader: &Reader<'_>) -> String {
    reader.metadata().get_str("avro.schema").expect("a schema").to_owned()
}

fn values(rows: Vec<Row>) -> Vec<Value> {
    rows.into_iter().map(|row| row.0).collect()
}

/// Through the iterator over rows.
pub fn rows(graph: &'static Graph, reader: &Reader<'_>) -> Result<Vec<Value>> {
    Row::with(graph, || reader.rows::<Row>()?.collect::<Result<_>>()).map(values)
}

/// All at once.
pub fn whole(graph: &'static Graph, bytes: &[u8]) -> Result<Vec<Value>> {
    Row::with(graph, || trevni::from_slice::<Vec<Row>>(bytes)).map(values)
}

pub fn batches(graph: &'static Graph, reader: &Reader<'_>) -> Result<Vec<Value>> {
    let mut rows = Vec::new();
    for batch in reader.batches()? {
        let batch = batch?;
        let read: Result<Vec<Row>> = Row::with(graph, || batch.rows::<Row>().collect());
        rows.extend(values(read?));
    }
    Ok(rows)
}

/// Some rows, each by its number, from behind.
pub fn single(graph: &'static Graph, reader: &Reader<'_>, numbers: &[usize]) -> Result<Vec<Value>> {
    let row = |number: &usize| Row::with(graph, || reader.row::<Row>(*number as u64)).map(|row| row.0);
    numbers.iter().map(row).collect()
}

/// The same rows once more, out of the vectors of a file.
pub fn again(bytes: &[u8], options: WriterBuilder) -> Result<Vec<u8>> {
    let reader = Reader::from_slice(bytes)?;
    let mut writer = options.shape(reader.shape()).build(Vec::new())?;
    for batch in reader.batches()? {
        writer.write_batch(&batch?)?;
    }
    writer.finish()
}

/// The shape of the rows, before there are any.
pub fn shape_of(graph: &'static Graph) -> Result<Shape> {
    Row::with(graph, Shape::from_type::<Row>)
}

/// The rows in files of a few rows each; with a shape that is known or learned by each alone.
pub fn parts(graph: &Graph, rows: &[Value], size: usize, shape: Option<&Shape>) -> Result<Vec<Vec<u8>>> {
    let options = || match shape {
        Some(shape) => Writer::builder().shape(shape),
        None => Writer::builder(),
    };
    rows.chunks(size).map(|rows| write(graph, rows, options())).collect()
}

pub fn dataset(graph: &'static Graph, parts: &[Vec<u8>]) -> Result<Vec<Value>> {
    let readers = parts.iter().map(|part| Reader::from_slice(part)).collect::<Result<_>>()?;
    let dataset = Dataset::from_readers(readers)?;
    Row::with(graph, || dataset.rows::<Row>()?.collect::<Result<_>>()).map(values)
}

pub fn merged(parts: &[Vec<u8>]) -> Result<Vec<u8>> {
    let readers: Vec<Reader<'_>> =
        parts.iter().map(|part| Reader::from_slice(part)).collect::<Result<_>>()?;
    let mut file = Vec::new();
    Merge::new().verify().write(&readers, &mut file)?;
    Ok(file)
}

/// A file taken apart and put together again.
pub fn split_and_merged(bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    let mut parts = Vec::new();
    for reader in Split::every(size as u64).readers(&Reader::from_slice(bytes)?)? {
        let mut part = Vec::new();
        Merge::new().write(&[reader], &mut part)?;
        parts.push(part);
    }
    merged(&parts)
}

/// The rows through a folder of files, which is gone afterwards.
pub fn folder(graph: &'static Graph, rows: &[Value], size: usize, name: &str) -> Result<Vec<Value>> {
    let folder = std::env::temp_dir().join(format!("trevni-types-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let outcome = through_folder(graph, rows, size, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

fn through_folder(
    graph: &'static Graph,
    rows: &[Value],
    size: usize,
    folder: &std::path::Path,
) -> Result<Vec<Value>> {
    let mut writer = DatasetWriter::builder().part_rows(size as u64).create(folder)?;
    for value in rows {
        writer.write(&Typed { graph, ty: &graph.row, value })?;
    }
    writer.finish()?;
    let dataset = Dataset::open(folder)?;
    Row::with(graph, || dataset.rows::<Row>()?.collect::<Result<_>>()).map(values)
}
