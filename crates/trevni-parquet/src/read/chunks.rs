//! The column chunks of a file: where their bytes are, and whether the footer can be true.

use super::unpack;
use crate::error::{Error, Result};
use crate::footer::check::Footer;
use parquet::basic::CompressionCodec as Codec;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use std::ops::Range;
use std::sync::Arc;

/// A column in a row group.
pub(crate) struct Chunk {
    pub(super) group: usize,
    pub(super) column: usize,
    pub(super) codec: Codec,
    pub(super) is_encrypted: bool,
    pub(super) bytes: Range<u64>,
}

/// The column chunks of a file.
pub(crate) struct Chunks {
    /// The metadata, which say that pages are not compressed: this crate decompresses them, not the library.
    metadata: Arc<ParquetMetaData>,
    /// The chunks with values, in the order of the file.
    chunks: Vec<Chunk>,
    /// The codec of each chunk, row group by row group.
    codecs: Vec<Codec>,
}

impl Chunks {
    /// The chunks of a file whose footer begins at `end`.
    pub(super) fn new(metadata: ParquetMetaData, footer: &Footer, end: u64) -> Result<Self> {
        let (mut chunks, mut codecs) = (Vec::new(), Vec::new());
        for (group, row_group) in metadata.row_groups().iter().enumerate() {
            for (column, chunk) in row_group.columns().iter().enumerate() {
                let codec = chunk.compression_codec();
                let bytes = range(row_group, chunk, end).map_err(|why| place(group, chunk, &why))?;
                let is_encrypted = footer.encrypted.binary_search(&(group, column)).is_ok();
                codecs.push(codec);
                if !bytes.is_empty() {
                    chunks.push(Chunk { group, column, codec, is_encrypted, bytes });
                }
            }
        }
        chunks.sort_by_key(|chunk| chunk.bytes.start);
        let metadata = Arc::new(decompressed(metadata));
        let all = Self { metadata, chunks, codecs };
        let overlap = |pair: &&[Chunk]| matches!(pair, [one, next] if next.bytes.start < one.bytes.end);
        match all.chunks.windows(2).find(overlap) {
            Some([one, next]) => {
                let (name, group) = (all.name(next), next.group);
                let why = format!("its bytes overlap column {name} in row group {group}");
                Err(all.damaged(one, &why))
            }
            _ => Ok(all),
        }
    }

    pub(super) fn metadata(&self) -> &Arc<ParquetMetaData> {
        &self.metadata
    }

    /// The chunk that a byte of the file is in.
    pub(super) fn at(&self, offset: u64) -> Option<&Chunk> {
        let after = self.chunks.partition_point(|chunk| chunk.bytes.start <= offset);
        let chunk = after.checked_sub(1).and_then(|last| self.chunks.get(last))?;
        chunk.bytes.contains(&offset).then_some(chunk)
    }

    pub(super) fn metadata_of(&self, chunk: &Chunk) -> &ColumnChunkMetaData {
        self.metadata.row_group(chunk.group).column(chunk.column)
    }

    /// The path of the column of a chunk.
    pub(super) fn name(&self, chunk: &Chunk) -> String {
        self.metadata_of(chunk).column_path().string()
    }

    /// The codecs of the columns of a row group.
    pub(crate) fn codecs(&self, group: usize) -> impl Iterator<Item = Codec> {
        let columns = self.metadata.file_metadata().schema_descr().num_columns();
        self.codecs.iter().skip(group.saturating_mul(columns)).take(columns).copied()
    }

    #[cold]
    pub(super) fn damaged(&self, chunk: &Chunk, why: &str) -> Error {
        place(chunk.group, self.metadata_of(chunk), why)
    }
}

#[cold]
fn place(group: usize, chunk: &ColumnChunkMetaData, why: &str) -> Error {
    Error::Damaged(format!("column {}, row group {group}: {why}", chunk.column_path().string()))
}

/// The bytes of a chunk, which must be before the footer, and have as many values as there are rows.
fn range(group: &RowGroupMetaData, chunk: &ColumnChunkMetaData, end: u64) -> Result<Range<u64>, String> {
    let (values, rows) = (chunk.num_values(), group.num_rows());
    let fits = match chunk.column_descr().max_rep_level() {
        0 => values == rows,
        _ => values >= rows,
    };
    if !fits || rows < 0 {
        return Err(format!("it has {values} values, the row group has {rows} rows"));
    }
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let (start, size) = (u64::try_from(start).ok(), u64::try_from(chunk.compressed_size()).ok());
    match (start, size) {
        (Some(start), Some(0)) if values == 0 => Ok(start..start),
        (Some(_), Some(0)) => Err(format!("it has {values} values, but no bytes")),
        (Some(start), Some(size)) if start.checked_add(size).is_some_and(|last| last <= end) => {
            Ok(start..start + size)
        }
        _ => Err("its bytes are beyond the end of the file".to_owned()),
    }
}

/// The metadata as if no page were compressed.
fn decompressed(metadata: ParquetMetaData) -> ParquetMetaData {
    let mut builder = metadata.into_builder();
    let mut groups = builder.take_row_groups();
    for chunk in groups.iter_mut().flat_map(RowGroupMetaData::columns_mut) {
        if unpack::is_known(chunk.compression_codec()) {
            let plain = chunk.clone().into_builder().set_compression_codec(Codec::UNCOMPRESSED).build();
            if let Ok(plain) = plain {
                *chunk = plain;
            }
        }
    }
    builder.set_row_groups(groups).build()
}
