//! The values of a column with their levels, as they are stored.

use super::ParquetFile;
use super::pages::Way;
use super::source::PageSource;
use crate::error::{Error, Result};
use crate::guard::guarded;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::errors::ParquetError;
use parquet::file::serialized_reader::SerializedPageReader;
use std::sync::Arc;

/// Rows that are read at a time.
const ROWS_AT_ONCE: usize = 1024;

/// A value of a column, or a place where one is missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'v> {
    /// The repetition level.
    pub repetition: i16,
    /// The definition level.
    pub definition: i16,
    /// The value; `None` where one is missing.
    pub value: Option<Stored<'v>>,
}

/// A value as it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Stored<'v> {
    /// A boolean.
    Boolean(bool),
    /// An integer of 32 bits.
    Int(i32),
    /// An integer of 64 bits.
    Long(i64),
    /// 96 bits, the lowest first.
    Int96([u32; 3]),
    /// A number of 32 bits.
    Float(f32),
    /// A number of 64 bits.
    Double(f64),
    /// Bytes, or text.
    Bytes(&'v [u8]),
}

/// A physical type, whose values can be shown.
trait Shown {
    fn stored(&self) -> Stored<'_>;
}

macro_rules! shown {
    ($($type:ty => |$value:ident| $stored:expr),* $(,)?) => {
        $(impl Shown for $type {
            fn stored(&self) -> Stored<'_> {
                let $value = self;
                $stored
            }
        })*
    };
}

shown! {
    bool => |value| Stored::Boolean(*value),
    i32 => |value| Stored::Int(*value),
    i64 => |value| Stored::Long(*value),
    f32 => |value| Stored::Float(*value),
    f64 => |value| Stored::Double(*value),
    ByteArray => |value| Stored::Bytes(value.data()),
    FixedLenByteArray => |value| Stored::Bytes(value.data()),
    Int96 => |value| match value.data() {
        [low, middle, high] => Stored::Int96([*low, *middle, *high]),
        _ => Stored::Int96([0; 3]),
    },
}

impl ParquetFile {
    /// Shows the entries of a column in a row group, both by their numbers from 0, to `show`, until that fails. Rows are
    /// read a few at a time.
    ///
    /// # Errors
    ///
    /// A row group or column that is not there, damage, and what `show` gives.
    pub fn entries<E: From<Error>>(
        &self,
        row_group: usize,
        column: usize,
        mut show: impl FnMut(Entry<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let count = self.row_group_count();
        if row_group >= count {
            return Err(Error::NoRowGroup { number: row_group, count }.into());
        }
        if column >= self.metadata().row_group(row_group).num_columns() {
            return Err(Error::NoField(format!("column {column}")).into());
        }
        let group = self.metadata().row_group(row_group);
        let descriptor = self.metadata().file_metadata().schema_descr().column(column);
        let most = descriptor.max_def_level();
        let way = Way { rows: ROWS_AT_ONCE, copies: false };
        let source = self.source().pages(self.chunks(), self.limits(), way);
        let open = || {
            let rows = usize::try_from(group.num_rows()).unwrap_or(0);
            let source = Arc::new(source.clone());
            let pages = SerializedPageReader::new(source, group.column(column), rows, None)?;
            Ok::<_, ParquetError>(get_column_reader(descriptor, Box::new(pages)))
        };
        let opened = guarded(open).map_err(|error| source.cause(error))?;
        match opened {
            ColumnReader::BoolColumnReader(column) => each(column, most, &source, &mut show),
            ColumnReader::Int32ColumnReader(column) => each(column, most, &source, &mut show),
            ColumnReader::Int64ColumnReader(column) => each(column, most, &source, &mut show),
            ColumnReader::Int96ColumnReader(column) => each(column, most, &source, &mut show),
            ColumnReader::FloatColumnReader(column) => each(column, most, &source, &mut show),
            ColumnReader::DoubleColumnReader(column) => each(column, most, &source, &mut show),
            ColumnReader::ByteArrayColumnReader(column) => each(column, most, &source, &mut show),
            ColumnReader::FixedLenByteArrayColumnReader(column) => each(column, most, &source, &mut show),
        }
    }
}

fn each<T: DataType, E: From<Error>>(
    mut column: ColumnReaderImpl<T>,
    most: i16,
    source: &PageSource,
    show: &mut impl FnMut(Entry<'_>) -> Result<(), E>,
) -> Result<(), E>
where
    T::T: Shown,
{
    loop {
        let (mut definitions, mut repetitions, mut values) = (Vec::new(), Vec::new(), Vec::new());
        source.state().begin();
        let read =
            || column.read_records(ROWS_AT_ONCE, Some(&mut definitions), Some(&mut repetitions), &mut values);
        let (rows, ..) = guarded(read).map_err(|error| source.cause(error))?;
        if rows == 0 {
            return Ok(());
        }
        // Columns whose rows have all one value have no levels.
        let count = definitions.len().max(repetitions.len()).max(values.len());
        let mut values = values.iter();
        for at in 0..count {
            let level = |levels: &[i16], usual| levels.get(at).copied().unwrap_or(usual);
            let (repetition, definition) = (level(&repetitions, 0), level(&definitions, most));
            let value = if definition == most { values.next().map(Shown::stored) } else { None };
            show(Entry { repetition, definition, value })?;
        }
    }
}
