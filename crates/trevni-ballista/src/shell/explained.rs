//! Plans: strings of many lines.

use super::screen::Screen;
use anstyle::Style;
use datafusion::arrow::array::cast::AsArray;
use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use std::io::Write;

/// The plans of an EXPLAIN, each with its kind.
#[derive(Default)]
pub(super) struct Explained(Vec<(String, String)>);

impl Explained {
    pub(super) fn batch(&mut self, batch: &RecordBatch) -> Result<()> {
        let texts = |number: usize| cast(batch.column(number), &DataType::Utf8);
        let (kinds, plans) = (texts(0)?, texts(batch.num_columns().saturating_sub(1))?);
        let (kinds, plans) = (kinds.as_string::<i32>(), plans.as_string::<i32>());
        let text = |texts: &datafusion::arrow::array::StringArray, row: usize| match texts.is_null(row) {
            true => String::new(),
            false => texts.value(row).to_owned(),
        };
        self.0.extend((0..batch.num_rows()).map(|row| (text(kinds, row), text(plans, row))));
        Ok(())
    }

    /// Prints each kind, and the lines of its plan below it.
    pub(super) fn print(self, screen: &mut Screen) -> Result<()> {
        let header = if screen.is_terminal() { screen.paint().header } else { Style::new() };
        for (kind, plan) in self.0 {
            screen.write_styled(&format!("{header}{}{header:#}\n", trevni_print::shown::shown(&kind)))?;
            for line in plan.lines() {
                writeln!(screen, "  {line}")?;
            }
        }
        Ok(screen.flush()?)
    }
}
