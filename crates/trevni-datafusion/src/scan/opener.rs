//! Opens the files of a scan: leaves out those that statistics exclude, and adapts what is asked of the table to the columns of
//! each file.

use super::Filter;
use super::cast::Adapter;
use super::metrics::ScanMetrics;
use super::paths::{self, Path};
use super::predicate::Rows;
use super::ranges;
use super::rows::{RowStream, Scan};
use crate::error::in_file;
use crate::format::{Aliases, FileSchema, nullable, open};
use crate::input::Heads;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::common::ScalarValue;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool};
use datafusion::physical_expr::expressions::{DynamicFilterTracking, Literal};
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::simplifier::PhysicalExprSimplifier;
use datafusion::physical_expr::utils::reassign_expr_columns;
use datafusion::physical_expr::{PhysicalExpr, conjunction_opt};
use datafusion::physical_expr_adapter::rewrite::rewrite_input_file_name_in_projection;
use datafusion::physical_expr_adapter::{PhysicalExprAdapterFactory, replace_columns_with_literals};
use datafusion_pruning::FilePruner;
use futures::{FutureExt, StreamExt, stream};
use object_store::ObjectStore;
use std::collections::HashMap;
use std::sync::Arc;
use trevni::{Predicate, Reader, Shape};
use trevni_arrow::part_of_schema;

/// Opens the files of one partition.
#[derive(Clone)]
pub(super) struct TrevniOpener {
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) schema: TableSchema,
    /// Of the rows that come out.
    pub(super) output: SchemaRef,
    pub(super) projection: ProjectionExprs,
    pub(super) filters: Vec<Filter>,
    pub(super) adapters: Arc<dyn PhysicalExprAdapterFactory>,
    pub(super) batch_rows: usize,
    pub(super) limit: Option<usize>,
    pub(super) heads: Option<Heads>,
    pub(super) pool: Option<Arc<dyn MemoryPool>>,
    pub(super) aliases: Aliases,
    pub(super) metrics: ScanMetrics,
}

impl FileOpener for TrevniOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let Some(opener) = self.clone().of_file(&file)? else {
            self.metrics.files_pruned.add(1);
            return Ok(nothing());
        };
        Ok(async move { opener.stream(file).await }.boxed())
    }
}

fn nothing() -> FileOpenFuture {
    async { Ok(stream::empty().boxed()) }.boxed()
}

impl TrevniOpener {
    /// This with the values that the path of a file says; `None` if statistics exclude the file.
    fn of_file(mut self, file: &PartitionedFile) -> Result<Option<Self>> {
        let partitions = self.schema.table_partition_cols().iter().zip(&file.partition_values);
        let values: HashMap<&str, &ScalarValue> =
            partitions.map(|(field, value)| (field.name().as_str(), value)).collect();
        for filter in &mut self.filters {
            filter.expr = replace_columns_with_literals(Arc::clone(&filter.expr), &values)?;
        }
        self.projection =
            self.projection.try_map_exprs(|expr| replace_columns_with_literals(expr, &values))?;
        let name = file.object_meta.location.as_ref();
        self.projection = rewrite_input_file_name_in_projection(self.projection, name)?;
        let all = conjunction_opt(self.filters.iter().map(|filter| Arc::clone(&filter.expr)));
        let errors = self.metrics.filter_errors.clone();
        let pruner = all.and_then(|all| FilePruner::try_new(all, self.schema.file_schema(), file, errors));
        if let Some(mut pruner) = pruner
            && pruner.should_prune()?
        {
            return Ok(None);
        }
        Ok(Some(self))
    }

    async fn stream(
        self,
        file: PartitionedFile,
    ) -> Result<stream::BoxStream<'static, Result<datafusion::arrow::array::RecordBatch>>> {
        let meta = &file.object_meta;
        let (heads, aliases) = (self.heads.as_ref(), &self.aliases);
        let (object, reader) = open(&self.store, meta, aliases, heads, &self.metrics.counts).await?;
        let rows = ranges::rows(&file, reader.row_count());
        if rows.is_empty() {
            return Ok(stream::empty().boxed());
        }
        let place = &meta.location;
        let FileSchema { decoded: whole, seen: schema } = match heads {
            Some(heads) => heads.schema(meta, aliases, &reader)?,
            None => FileSchema::of(&reader, place)?,
        };
        let Some(plan) = self.adapt(&schema, &reader)? else { return Ok(stream::empty().boxed()) };
        let wanted = paths::wanted(plan.projection.iter().chain(&plan.residual), &whole);
        let reader = project(&reader, &whole, &plan, &wanted).map_err(|error| in_file(place, error))?;
        let decoded = part_of_schema(&whole, &reader).map_err(|error| in_file(place, error))?;
        let columns = Arc::new(if wanted.is_empty() { Schema::empty() } else { nullable(&decoded) });
        let rebased = |expr: &Arc<dyn PhysicalExpr>| reassign_expr_columns(Arc::clone(expr), &columns);
        let scan = Scan {
            projection: plan.projection.iter().map(rebased).collect::<Result<_>>()?,
            residual: plan.residual.as_ref().map(rebased).transpose()?,
            predicate: plan.predicate,
            dynamic: plan.dynamic,
            file_schema: schema,
            decoded: Arc::new(decoded),
            columns,
            output: self.output,
            batch_rows: self.batch_rows,
            rows,
            limit: self.limit.filter(|_| self.filters.is_empty()),
            memory: self.pool.map(|pool| MemoryConsumer::new("TrevniSource").register(&pool)),
            metrics: self.metrics,
        };
        Ok(RowStream::new(object, reader, scan).into_stream())
    }

    /// What is asked of the table as what is asked of the file; `None` if no row of it is wanted.
    fn adapt(&self, schema: &SchemaRef, reader: &Reader<'_>) -> Result<Option<Plan>> {
        let adapter = Adapter::new(&*self.adapters, self.schema.file_schema(), schema)?;
        let simplifier = PhysicalExprSimplifier::new(schema);
        let adapt = |expr: &Arc<dyn PhysicalExpr>| simplifier.simplify(adapter.rewrite(Arc::clone(expr))?);
        let projection =
            self.projection.iter().map(|projected| adapt(&projected.expr)).collect::<Result<_>>()?;
        let mut plan =
            Plan { projection, filter: None, residual: None, predicate: None, dynamic: Vec::new() };
        let rows = Rows { schema, shape: Some(reader.shape()) };
        let mut residual = Vec::new();
        for filter in &self.filters {
            if DynamicFilterTracking::classify(&filter.expr).contains_dynamic_filter() {
                plan.dynamic.push(adapter.rewrite(Arc::clone(&filter.expr))?);
                continue;
            }
            let expr = adapt(&filter.expr)?;
            match expr.downcast_ref::<Literal>().map(Literal::value) {
                Some(ScalarValue::Boolean(Some(true))) => continue,
                Some(value) if value.is_null() || value == &ScalarValue::Boolean(Some(false)) => {
                    return Ok(None);
                }
                _ => {}
            }
            let found = rows.translate(&expr).filter(|found| reader.filter(found.predicate.clone()).is_ok());
            if filter.is_exact && !found.as_ref().is_some_and(|found| found.is_exact) {
                residual.push(Arc::clone(&expr));
            }
            if let Some(found) = found {
                plan.filter.get_or_insert(expr);
                self.metrics.filters_in_reader.add(1);
                plan.predicate = Some(match plan.predicate {
                    Some(before) => before & found.predicate,
                    None => found.predicate,
                });
            }
        }
        plan.residual = conjunction_opt(residual);
        Ok(Some(plan))
    }
}

/// What is asked of one file.
struct Plan {
    projection: Vec<Arc<dyn PhysicalExpr>>,
    /// What the predicate says.
    filter: Option<Arc<dyn PhysicalExpr>>,
    /// What the predicate does not say exactly.
    residual: Option<Arc<dyn PhysicalExpr>>,
    predicate: Option<Predicate>,
    /// Conditions that other parts of the query know more and more about.
    dynamic: Vec<Arc<dyn PhysicalExpr>>,
}

/// A reader of the fields that a plan wants; of any field where it wants none.
fn project(
    reader: &Reader<'static>,
    schema: &Schema,
    plan: &Plan,
    wanted: &[Path],
) -> trevni::Result<Reader<'static>> {
    // Rows that are no records are one column.
    Ok(match (reader.shape(), wanted) {
        (Shape::Record(_), []) => match paths::wanted(plan.filter.iter(), schema).first() {
            // It is decoded for the filter already.
            Some(path) => reader.project_paths([path])?,
            None => first_column(reader)?,
        },
        (Shape::Record(_), wanted) => reader.project_paths(wanted)?,
        _ => reader.clone(),
    })
}

/// A reader of any one field: rows without fields are counted by a column of theirs.
fn first_column(reader: &Reader<'static>) -> trevni::Result<Reader<'static>> {
    match reader.columns().iter().find_map(|column| column.path_names()) {
        Some(path) => reader.project_paths([path]),
        None => Ok(reader.clone()),
    }
}
