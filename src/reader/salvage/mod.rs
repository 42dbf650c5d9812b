//! The rows of a damaged file that are whole, and which ones are lost.

pub(crate) mod column;
mod fields;
mod lost;
mod rows;

pub use lost::{Damage, Lost};

use super::{Reader, checked_rows};
use crate::error::{Category, Error, Result};
use crate::storage::budget::Pass;
use column::ColumnLoss;
use std::sync::{Arc, OnceLock};

/// What is known of the columns of a damaged file, each of which is looked at when it is first wanted.
pub(super) struct Salvage {
    columns: Vec<OnceLock<Arc<ColumnLoss>>>,
    /// Counts what all of them have.
    pass: Pass,
}

impl Salvage {
    /// Of a file with a number of columns, if it is to be salvaged.
    pub(super) fn new(is_damaged: bool, columns: usize) -> Option<Arc<Self>> {
        let columns = (0..columns).map(|_| OnceLock::new());
        is_damaged.then(|| Arc::new(Self { columns: columns.collect(), pass: Pass::default() }))
    }

    /// What is lost of a column.
    fn column(&self, reader: &Reader<'_>, number: usize) -> Result<Arc<ColumnLoss>> {
        let slot = self.columns.get(number);
        let slot = slot.ok_or_else(|| Error::internal(format!("there is no column {number}")))?;
        if let Some(known) = slot.get() {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(column::check(&reader.file, number, &self.pass, &mut |above| {
            // Columns around a column come before it.
            if above < number { self.column(reader, above).map(Some) } else { Ok(None) }
        })?);
        Ok(Arc::clone(slot.get_or_init(|| found)))
    }
}

impl Reader<'_> {
    /// What is lost of a damaged file: the rows that [`ReaderBuilder::salvage`](super::ReaderBuilder::salvage) passes
    /// over, and why. Of a projection, only the columns that it and its filter need count.
    ///
    /// Reads these columns whole, once: the reader and its clones keep what is found.
    ///
    /// ```
    /// use trevni::{Codec, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().codec(Codec::Null).block_size(400).build(Vec::new())?;
    /// writer.write_all((0..1000).map(f64::from))?;
    /// let mut file = writer.finish()?;
    /// let block = Reader::from_slice(&file)?.blocks(0)?[3].clone();
    /// file[block.offset as usize] ^= 1;
    ///
    /// let reader = Reader::builder().salvage().source(&*file)?;
    /// let lost = reader.lost()?;
    /// let rows = block.first_row..block.first_row + u64::from(block.rows);
    /// assert_eq!(lost.rows().ranges(), [rows.clone()]);
    /// for damage in lost.damage() {
    ///     println!("rows {:?}: {}", damage.rows(), damage.error());
    /// }
    /// let kept: Vec<f64> = reader.rows()?.collect::<Result<_, _>>()?;
    /// let whole: Vec<f64> = (0..1000).filter(|row| !rows.contains(row)).map(|row| row as f64).collect();
    /// assert_eq!(kept, whole);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A reader without [`ReaderBuilder::salvage`](super::ReaderBuilder::salvage), a source that fails, columns that do
    /// not fit the schema, an unknown codec, and more than the limits allow.
    pub fn lost(&self) -> Result<Arc<Lost>> {
        let Some(salvage) = &self.salvage else {
            let message = "the reader does not salvage: open it with ReaderBuilder::salvage";
            return self.here(Err(Error::option(message)));
        };
        match self.lost.get() {
            Some(known) => Ok(Arc::clone(known)),
            None => self.here(self.find_lost(salvage)),
        }
    }

    fn find_lost(&self, salvage: &Salvage) -> Result<Arc<Lost>> {
        let (count, mut lost) = (checked_rows(&self.file)?, Lost::default());
        for number in self.columns_read() {
            let loss = salvage.column(self, number)?;
            lost.add(&loss.rows, &loss.damage);
            if loss.rows.row_count() == count && !loss.damage.is_empty() {
                lost.columns.push(number);
            }
        }
        if lost.rows.row_count() < count {
            rows::check(self, count, &mut lost)?;
        }
        Ok(Arc::clone(self.lost.get_or_init(|| Arc::new(lost))))
    }

    /// The rows that are lost, where some may be: they are passed over.
    pub(super) fn passed_over(&self) -> Result<Option<Arc<Lost>>> {
        match self.salvage {
            Some(_) => self.lost().map(Some),
            None => Ok(None),
        }
    }

    /// Checks that a row may be read by its number.
    ///
    /// # Errors
    ///
    /// One that is lost.
    pub(super) fn check_kept(&self, row: u64) -> Result<()> {
        match self.passed_over()? {
            Some(lost) if lost.rows().meets(&(row..row + 1)) => {
                let why = lost.damage().find(|damage| damage.rows().contains(&row));
                let why = why.map(|damage| format!(": {}", damage.error())).unwrap_or_default();
                Err(Error::value(format!("the row is lost{why}")).in_row(row))
            }
            _ => Ok(()),
        }
    }
}

/// Whether an error is not a file's fault, or may not be: then nothing is lost, but the call fails.
fn is_fault(error: &Error) -> bool {
    matches!(
        error.category(),
        Category::Io | Category::Internal | Category::Unsupported | Category::Limit | Category::Misuse
    )
}

/// Whether fewer rows at once may be read.
fn is_limit(error: &Error) -> bool {
    error.may_pass_with_fewer_rows()
}
