//! Tables of Trevni files.

mod factory;
mod url;
mod visible;

pub use factory::TrevniTableFactory;
pub(crate) use url::UrlTables;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{ScanArgs, ScanResult, Session, TableProvider};
use datafusion::common::Constraints;
use datafusion::datasource::TableType;
use datafusion::datasource::listing::ListingTable;
use datafusion::error::Result;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use std::sync::Arc;
use visible::Visible;

/// A table of Trevni files: all of a folder, or those that a path names.
///
/// A type of its own around [`ListingTable`], so that programs that send plans elsewhere can tell it from tables of other
/// formats.
#[derive(Clone, Debug)]
pub struct TrevniTable(ListingTable);

impl TrevniTable {
    /// A table of files that are listed with a [`TrevniFormat`](crate::TrevniFormat).
    #[must_use]
    pub fn new(files: ListingTable) -> Self {
        Self(files)
    }

    /// The files.
    #[must_use]
    pub fn files(&self) -> &ListingTable {
        &self.0
    }
}

#[async_trait]
impl TableProvider for TrevniTable {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn constraints(&self) -> Option<&Constraints> {
        self.0.constraints()
    }

    fn table_type(&self) -> TableType {
        self.0.table_type()
    }

    fn get_table_definition(&self) -> Option<&str> {
        self.0.get_table_definition()
    }

    fn get_column_default(&self, column: &str) -> Option<&Expr> {
        self.0.get_column_default(column)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.0.scan(&Visible::of(state)?, projection, filters, limit).await
    }

    async fn scan_with_args<'a>(&self, state: &dyn Session, args: ScanArgs<'a>) -> Result<ScanResult> {
        self.0.scan_with_args(&Visible::of(state)?, args).await
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.0.supports_filters_pushdown(filters)
    }

    async fn insert_into(
        &self,
        state: &dyn Session,
        input: Arc<dyn ExecutionPlan>,
        insert_op: InsertOp,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.0.insert_into(&Visible::of(state)?, input, insert_op).await
    }
}
