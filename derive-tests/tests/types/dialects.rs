//! The same rows in all formats of the family read equal, or are refused with a clear error before there is a file.

use crate::files;
use crate::model::Graph;
use crate::serialize::Typed;
use crate::value::Value;
use std::path::{Path, PathBuf};
use trevni::formats::{Layout, Levels, RedElm, RedElmFooter};
use trevni::merge::Merge;
use trevni::{Dialect, Reader, Result, Shape, Writer, WriterBuilder};

/// The formats, each with an option of its own, and whether batches end where they do in a file of no options: numbers
/// that grow after a batch become other types.
pub fn all() -> Vec<(WriterBuilder, bool)> {
    let dialect = |dialect| Writer::builder().dialect(dialect);
    vec![
        (dialect(Dialect::Levels).batch_rows(2).block_size(50), false),
        (
            dialect(Dialect::Levels).format(Levels::new().layout(Layout::ValuesFirst)).without_zone_maps(),
            true,
        ),
        (dialect(Dialect::RedElm).batch_rows(3), false),
        (dialect(Dialect::RedElm).format(RedElm::new().footer(RedElmFooter::Java)).without_zone_maps(), true),
    ]
}

/// Compares what each format gives with a Trevni file of the same rows.
pub fn read_equal(graph: &'static Graph, rows: &[Value]) -> std::result::Result<(), String> {
    let described = |error: trevni::Error| error.to_string();
    let trevni = files::write(graph, rows, Writer::builder()).map_err(described)?;
    let trevni = Reader::from_slice(&trevni).map_err(described)?;
    for (options, has_shape) in all() {
        let shown = format!("{options:?}");
        let bytes = files::write(graph, rows, options).map_err(described)?;
        let reader = Reader::from_slice(&bytes).map_err(described)?;
        // Rows without a name have one in a schema, which levels do not need where the columns say all.
        if has_shape && reader.shape().to_avro() != trevni.shape().to_avro() {
            return Err(format!("shape: {}\n      instead of {}", reader.shape(), trevni.shape()));
        }
        if files::rows(graph, &reader).map_err(described)? != rows {
            return Err(format!("wrong data: {shown}"));
        }
        if files::batches(graph, &reader).map_err(described)? != rows {
            return Err(format!("wrong data in batches: {shown}"));
        }
    }
    Ok(())
}

/// Rows of a format whose file is written in another, and of several in one.
pub fn merged(graph: &'static Graph, trevni: &[u8]) -> Result<Vec<Value>> {
    let mut file = trevni.to_vec();
    for target in [Dialect::RedElm, Dialect::Levels, Dialect::Trevni] {
        let mut next = Vec::new();
        Merge::new().dialect(target).write(&[Reader::from_slice(&file)?], &mut next)?;
        file = next;
    }
    files::whole(graph, &file)
}

/// What becomes of rows when each is a row group of its own.
pub enum Small {
    /// A file that is there.
    Written(Vec<u8>),
    /// The error, after which there is no file.
    Refused(String),
}

/// Writes rows to a file of RedElm whose shape cannot change after the first row, unless it is given.
pub fn small_groups(graph: &Graph, rows: &[Value], shape: Option<&Shape>) -> std::io::Result<Small> {
    let name = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "");
    let folder = std::env::temp_dir().join(format!("trevni-groups-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder)?;
    let path = folder.join("rows.redelm");
    let outcome = match written(graph, rows, shape, &path) {
        Ok(()) => std::fs::read(&path).map(Small::Written),
        Err(error) => {
            let left: Vec<PathBuf> =
                std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
            assert!(left.is_empty(), "{left:?} after {error}");
            Ok(Small::Refused(error.to_string()))
        }
    };
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

fn written(graph: &Graph, rows: &[Value], shape: Option<&Shape>, path: &Path) -> Result<()> {
    let options = Writer::builder().dialect(Dialect::RedElm).memory_limit(1).batch_rows(1);
    let options = shape.map_or(options.clone(), |shape| options.shape(shape).derived());
    let mut writer = options.create(path)?;
    for value in rows {
        writer.write(&Typed { graph, ty: &graph.row, value })?;
    }
    writer.finish().map(drop)
}

/// Whether a message says what RedElm cannot do and what helps.
pub fn is_clear(message: &str) -> bool {
    message.starts_with("row ")
        && message.contains("the rows have another shape than those before them, which have been written")
        && message.contains("WriterBuilder::shape")
}
