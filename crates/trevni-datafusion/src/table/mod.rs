//! Tables of Trevni files.

mod change;
mod factory;
mod functions;
mod literal;
mod nulls;
mod url;
mod visible;

pub(crate) use change::{Deletes, overwritten};
pub use factory::TrevniTableFactory;
pub(crate) use functions::Function;
pub use literal::place_of_copy;
pub(crate) use literal::written;
pub(crate) use nulls::{NULL, named, nullable};
pub(crate) use url::UrlTables;
pub(crate) use visible::Tables;

use crate::TrevniFormat;
use crate::commit::AsOf;
use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{ScanArgs, ScanResult, Session, TableProvider};
use datafusion::common::{Constraints, not_impl_err, plan_err};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::ListingTable;
use datafusion::error::Result;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::union::UnionExec;
use object_store::path::Path;
use std::collections::HashSet;
use std::sync::Arc;
use visible::Visible;

/// A table of Trevni files: all of a folder, or those that a path names.
///
/// A type of its own around [`ListingTable`], so that programs that send plans elsewhere can tell it from tables of other
/// formats.
#[derive(Clone, Debug)]
pub struct TrevniTable {
    files: ListingTable,
    /// As the files have it, but that columns of paths may be null.
    schema: SchemaRef,
    /// The conditions on the rows that a `DELETE` removes.
    deleted: Option<Vec<Expr>>,
}

impl TrevniTable {
    /// A table of files that are listed with a [`TrevniFormat`](crate::TrevniFormat).
    #[must_use]
    pub fn new(files: ListingTable) -> Self {
        let of_paths: Vec<&str> =
            files.options().table_partition_cols.iter().map(|(name, _)| name.as_str()).collect();
        let schema = nulls::nullable(&files.schema(), &of_paths);
        Self { schema, files, deleted: None }
    }

    /// For a `DELETE` of the rows for which all conditions are true, of unqualified columns.
    #[must_use]
    pub fn deleting(self, deleted: Option<Vec<Expr>>) -> Self {
        Self { deleted, ..self }
    }

    /// The conditions of the `DELETE` that the table is for.
    #[must_use]
    pub fn deleted(&self) -> Option<&[Expr]> {
        self.deleted.as_deref()
    }

    /// The moment of the table that is read; without it, now.
    fn as_of(&self) -> Option<&AsOf> {
        self.files.options().format.downcast_ref::<TrevniFormat>()?.options.as_of.as_ref()
    }

    /// A scan of the files that a session sees.
    async fn scan_visible<'a>(&self, visible: Visible<'_>, args: ScanArgs<'a>) -> Result<ScanResult> {
        let (projection, limit) = (args.projection().map(<[usize]>::to_vec), args.limit());
        let filters = args.filters().unwrap_or_default();
        let scan = self.files.scan_with_args(&visible, args).await?;
        let aside = visible.aside();
        if let Some(file) = aside.empty.iter().find(|file| self.has(file)) {
            return plan_err!(
                "{file}: this file has no bytes: it is no Trevni file, or was not written to its end"
            );
        }
        let nulls = nulls::scan(&self.files, &visible, aside.nulls, projection, filters, limit).await?;
        Ok(match nulls {
            None => scan,
            Some(nulls) if scan.plan().is::<EmptyExec>() => ScanResult::new(nulls),
            Some(nulls) => ScanResult::new(UnionExec::try_new(vec![scan.into_inner(), nulls])?),
        })
    }

    /// The columns that a query names: those of conditions first.
    fn wanted(&self, projection: Option<&[usize]>, filters: &[Expr]) -> Vec<String> {
        let schema = self.files.schema();
        let of_filters = filters.iter().flat_map(Expr::column_refs).map(|column| column.name.clone());
        let mut wanted: Vec<String> = of_filters.collect();
        // Sets of columns come in any order.
        wanted.sort_unstable();
        let projected = |number: usize| schema.fields().get(number).map(|field| field.name().clone());
        match projection {
            Some(projection) => wanted.extend(projection.iter().filter_map(|number| projected(*number))),
            None => wanted.extend(schema.fields().iter().map(|field| field.name().clone())),
        }
        let mut seen = HashSet::new();
        wanted.retain(|name| seen.insert(name.clone()));
        wanted
    }

    /// Whether a path is that of one of the files.
    fn has(&self, path: &Path) -> bool {
        let ending = &self.files.options().file_extension;
        let paths = self.files.table_paths();
        path.as_ref().ends_with(ending.as_str()) && paths.iter().any(|table| table.contains(path, false))
    }

    /// The files.
    #[must_use]
    pub fn files(&self) -> &ListingTable {
        &self.files
    }
}

#[async_trait]
impl TableProvider for TrevniTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn constraints(&self) -> Option<&Constraints> {
        self.files.constraints()
    }

    fn table_type(&self) -> TableType {
        self.files.table_type()
    }

    fn get_table_definition(&self) -> Option<&str> {
        self.files.get_table_definition()
    }

    fn get_column_default(&self, column: &str) -> Option<&Expr> {
        self.files.get_column_default(column)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let args = ScanArgs::default().with_projection(projection.map(Vec::as_slice));
        let args = args.with_filters(Some(filters)).with_limit(limit);
        Ok(self.scan_with_args(state, args).await?.into_inner())
    }

    async fn scan_with_args<'a>(&self, state: &dyn Session, args: ScanArgs<'a>) -> Result<ScanResult> {
        let filters = args.filters().unwrap_or_default();
        let has_partitions = !self.files.options().table_partition_cols.is_empty();
        let visible = Visible::of_scan(state, has_partitions, self.wanted(args.projection(), filters))?;
        self.scan_visible(visible.at_moment(self.as_of()), args).await
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.files.supports_filters_pushdown(filters)
    }

    async fn insert_into(
        &self,
        state: &dyn Session,
        input: Arc<dyn ExecutionPlan>,
        insert_op: InsertOp,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if self.as_of().is_some() {
            return plan_err!("a table as of an earlier moment is only read");
        }
        self.files.insert_into(&Visible::of(state)?, input, insert_op).await
    }

    async fn delete_from(&self, state: &dyn Session, _: Vec<Expr>) -> Result<Arc<dyn ExecutionPlan>> {
        match &self.deleted {
            Some(conditions) => self.delete(state, conditions).await,
            None => not_impl_err!("DELETE in a session where Trevni was not registered"),
        }
    }

    async fn truncate(&self, state: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        self.delete(state, &[]).await
    }
}
