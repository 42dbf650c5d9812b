//! The data sets: the types of their rows, and where the rows come from.

pub mod flights;
pub mod log;
pub mod mail;
pub mod mesh;
pub mod minecraft;

use apache_avro::AvroSchema;
use arrow_array::ArrowPrimitiveType;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::path::PathBuf;
use trevni::predicate::Literal;
use trevni::reader::FromColumn;

/// Names of all data sets, in the order of the report.
pub const NAMES: [&str; 5] = ["flights", "nested", "mesh", "log", "minecraft_savedata"];

/// Rows, and what a reader may want of them.
pub trait DataSet: Sized + 'static {
    /// Its name in options and reports.
    const NAME: &'static str;
    /// All fields.
    type Row: Serialize + DeserializeOwned + AvroSchema + Clone + PartialEq + Debug;
    /// One field. Its name is that of the row: Avro wants it so.
    type One: DeserializeOwned + AvroSchema + PartialEq + Debug;
    /// Where it is, as [`DataSet::COLUMN`] says it.
    const ONE: &'static [&'static str];
    /// Three fields.
    type Three: DeserializeOwned + AvroSchema + PartialEq + Debug;
    /// Where they are.
    const THREE: &'static [&'static str];
    /// The values of one column.
    type Value: FromColumn<Column = Vec<Self::Value>> + Into<Literal> + Copy + PartialOrd + Debug + Send;
    /// Their type in Arrow.
    type Arrow: ArrowPrimitiveType<Native = Self::Value>;
    /// The path of that column.
    const COLUMN: &'static str;

    /// The rows.
    fn rows(source: &Source) -> Vec<Self::Row>;
    /// What reading one field should give.
    fn one(row: &Self::Row) -> Self::One;
    /// What reading three fields should give.
    fn three(row: &Self::Row) -> Self::Three;
    /// What reading the column should give.
    fn value(row: &Self::Row) -> Self::Value;
}

/// How many rows, and from where.
#[derive(Clone, Debug)]
pub struct Source {
    /// Number of rows ÷ the usual number.
    pub scale: f64,
    /// A CSV file of flights to be used instead of the sample in the repository.
    pub flights: Option<PathBuf>,
}

impl Source {
    /// The number of rows where `usual` is the usual number: at least 100.
    pub fn count(&self, usual: usize) -> usize {
        ((usual as f64 * self.scale) as usize).max(100)
    }
}
