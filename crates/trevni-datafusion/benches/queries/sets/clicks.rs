//! Page views, as of ClickBench: few users with many views, many with few; most searches are empty.

use super::{Set, Table, queries};
use datafusion::error::Result;
use datafusion::prelude::SessionContext;

/// Rows at scale 1.
const ROWS: f64 = 3_000_000.0;
/// As the statement says it that makes them.
const FEW: &str = "generate_series(1, 20000)";

pub(super) fn set(scale: f64) -> Result<Set> {
    let mut queries = queries(include_str!("clicks.sql"));
    let rows = queries.remove(0).1.replace(FEW, &format!("generate_series(1, {})", (ROWS * scale) as u64));
    let threads = tokio::runtime::Runtime::new()?;
    let batches = threads.block_on(async { SessionContext::new().sql(&rows).await?.collect().await })?;
    Ok(Set { name: "clicks", tables: vec![Table::new("hits", batches)?], queries })
}
