//! Options of columns: what the columns at and below a path have, zone maps, widths.

use super::WriterBuilder;
use crate::dialect::PathSettings;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;

impl WriterBuilder {
    pub(super) fn path(&mut self, path: &str) -> &mut PathSettings {
        PathSettings::of(&mut self.paths, path)
    }

    /// Sets the codec of the columns at and below a path. Default: the codec of the file.
    ///
    /// ```
    /// use trevni::{Codec, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().column_codec("_1", Codec::Deflate).build(Vec::new())?;
    /// writer.write_all([(1, "one"), (2, "two")])?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// let codecs: Vec<&str> = reader.columns().iter().map(|column| column.codec_name()).collect();
    /// assert_eq!(codecs, ["snappy", "deflate"]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn column_codec(mut self, path: &str, codec: Codec) -> Self {
        self.path(path).codec = Some(codec);
        self
    }

    /// Sets the checksum of the columns at and below a path. Default: the checksum of the file, which all
    /// columns of [`Dialect::RedElm`](crate::Dialect::RedElm) have: another one is an error of
    /// [`WriterBuilder::build`].
    ///
    /// ```
    /// use trevni::{Checksum, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().column_checksum("_0", Checksum::Null).build(Vec::new())?;
    /// writer.write_all([(1, "one"), (2, "two")])?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// let checksums: Vec<&str> = reader.columns().iter().map(|column| column.checksum_name()).collect();
    /// assert_eq!(checksums, ["null", "crc32"]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn column_checksum(mut self, path: &str, checksum: Checksum) -> Self {
        self.path(path).checksum = Some(checksum);
        self
    }

    /// Adds an entry to the metadata of the column at a path. Keys that begin with `trevni.` and the key
    /// `zone_map` are reserved. Default: no entries.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().column_metadata("_0", "unit", "miles").build(Vec::new())?;
    /// writer.write_all([(1089.0, "JFK")])?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].metadata().get_str("unit"), Some("miles"));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn column_metadata(mut self, path: &str, key: &str, value: impl AsRef<[u8]>) -> Self {
        self.path(path).metadata.insert(key, value.as_ref());
        self
    }

    /// Stores the first value of each block of these columns in the block descriptor. Default: no columns.
    ///
    /// This helps implementations without zone maps to search columns whose values ascend. It is for columns
    /// without lengths and parents, and not for booleans, whose first values Java cannot read.
    ///
    /// ```
    /// use trevni::column::FirstValue;
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().first_values(["id"]).block_size(1000).build(Vec::new())?;
    /// writer.write_all((0..2000).map(|id| serde_json::json!({"id": id, "name": "n"})))?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// assert_eq!(reader.blocks(0)?[0].first_value, Some(FirstValue::Long(0)));
    /// assert_eq!(reader.blocks(1)?[0].first_value, None);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn first_values<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        for path in paths {
            self.path(path.as_ref()).first_values = true;
        }
        self
    }

    /// Writes no zone maps. Default: each column has a zone map ([`ZoneMap`](crate::column::ZoneMap)), in its metadata
    /// under the key `zone_map`, with the minimum, the maximum, the number of values and the number of nulls of
    /// each block.
    ///
    /// Readers use it to skip blocks; other implementations ignore it. It takes about twenty bytes per block,
    /// under 1 % of most files, and one comparison per value while writing. Without zone maps, codec and
    /// checksum, the file is byte for byte what Java writes.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().without_zone_maps().build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert!(Reader::from_slice(&file)?.zone_map(0)?.is_none());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn without_zone_maps(mut self) -> Self {
        self.zone_maps = false;
        self
    }

    /// Writes the integers of a column with a fixed width if that is smaller: 4 bytes
    /// ([`ValueType::Fixed32`](crate::column::ValueType::Fixed32)) for 32-bit integers, 8 bytes
    /// ([`ValueType::Fixed64`](crate::column::ValueType::Fixed64)) for 64-bit integers. Default: variable width, at most 5
    /// and 10 bytes, as in Java.
    ///
    /// The choice is made once per column, from the values of its first block, before compression. Hashes, random
    /// numbers and times in nanoseconds become smaller and several times as fast to read. The schema stays the
    /// same; other implementations take the type from the column. In [`Dialect::RedElm`](crate::Dialect::RedElm) integers
    /// always have a fixed width.
    ///
    /// ```
    /// use trevni::column::ValueType;
    /// use trevni::{Reader, Writer};
    ///
    /// let hash = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    /// let mut writer = Writer::builder().fixed_integers().build(Vec::new())?;
    /// writer.write_all((0..1000u64).map(|number| (number, hash(number))))?;
    /// let file = writer.finish()?;
    ///
    /// let reader = Reader::from_slice(&file)?;
    /// let types: Vec<ValueType> = reader.columns().iter().map(|column| column.value_type()).collect();
    /// assert_eq!(types, [ValueType::Long, ValueType::Fixed64]);
    /// assert_eq!(reader.row::<(u64, u64)>(999)?, (999, hash(999)));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn fixed_integers(mut self) -> Self {
        self.fixed_integers = true;
        self
    }
}
