//! The tables, and what they are asked.

mod clicks;
mod flights;
mod nested;
mod tpch;

use super::options::Options;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::datasource::MemTable;
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::SessionContext;
use std::sync::Arc;

pub(crate) const NAMES: [&str; 4] = ["flights", "tpch", "nested", "clicks"];

pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) tables: Vec<Table>,
    /// Names and statements.
    pub(crate) queries: Vec<(String, String)>,
}

pub(crate) struct Table {
    pub(crate) name: &'static str,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    fn new(name: &'static str, batches: Vec<RecordBatch>) -> Result<Self> {
        let first = batches.first().ok_or_else(|| DataFusionError::Plan(format!("{name} has no rows")))?;
        Ok(Self { name, schema: first.schema(), batches })
    }

    /// Makes one of a number of parts of the rows, in their order, a table that is called `rows_to_write`.
    pub(crate) fn register_part(&self, session: &SessionContext, part: usize, parts: usize) -> Result<()> {
        let border = |part: usize| part * self.batches.len() / parts;
        let batches = self.batches[border(part)..border(part + 1)].to_vec();
        session.register_table(
            "rows_to_write",
            Arc::new(MemTable::try_new(Arc::clone(&self.schema), vec![batches])?),
        )?;
        Ok(())
    }
}

pub(crate) fn named(name: &str, options: &Options) -> Result<Set> {
    match name {
        "flights" => flights::set(options),
        "tpch" => tpch::set(options.scale.unwrap_or(tpch::SCALE)),
        "clicks" => clicks::set(options.scale.unwrap_or(1.0)),
        _ => nested::set(options.scale.unwrap_or(1.0)),
    }
}

/// Names and statements of the queries of a file: a comment before each is its name.
fn queries(text: &str) -> Vec<(String, String)> {
    let each = text.split("-- ").filter_map(|query| query.split_once('\n'));
    each.map(|(name, sql)| (name.trim().to_owned(), sql.trim().trim_end_matches(';').to_owned())).collect()
}
