//! Scans and writes of physical plans.

use super::messages::{Kind, Node, Replaced as Sent, Scan, Sink};
use super::{decode, encode, marked, missing};
use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::arrow::datatypes::Schema;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Statistics, plan_err};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource};
use datafusion::datasource::sink::DataSinkExec;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::projection::{ProjectionExpr, ProjectionExprs};
use datafusion::physical_plan::{ExecutionPlan, PhysicalExpr};
use datafusion_proto::physical_plan::from_proto::{
    parse_protobuf_file_scan_config, parse_table_schema_from_proto,
};
use datafusion_proto::physical_plan::to_proto::serialize_file_scan_config;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::{self, PhysicalExprNode};
use std::sync::Arc;
use trevni::dataset::WriteId;
use trevni_datafusion::{CommitExec, Replaced, TrevniFormat, TrevniSink, TrevniSource, WritePartsExec};

type Plan = Arc<dyn ExecutionPlan>;
type Converter<'a> = &'a dyn PhysicalProtoConverterExtension;

/// Sends scans and writes of Trevni files; the rest is Ballista's.
#[derive(Debug, Default)]
pub struct TrevniPhysicalCodec {
    others: BallistaPhysicalExtensionCodec,
}

impl PhysicalExtensionCodec for TrevniPhysicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Plan],
        context: &TaskContext,
        converter: Converter<'_>,
    ) -> Result<Plan> {
        let Some(bytes) = marked(bytes) else {
            return self.others.try_decode(bytes, inputs, context, converter);
        };
        match decode::<Node>(bytes)?.kind.ok_or_else(|| missing("what a node does"))? {
            Kind::Scan(scan) => self.scan(*scan, context, converter),
            Kind::Parts(sink) => {
                let write = self::write(&sink)?;
                let (place, format) = self::place(*sink)?;
                Ok(Arc::new(WritePartsExec::new(input(inputs)?, place, format, write, None)))
            }
            Kind::Commit(sink) => {
                let write = self::write(&sink)?;
                let replaced = sink.replaced.clone();
                let replaced = replaced.map(|Sent { base, parts, rows }| Replaced { base, parts, rows });
                let (place, _) = self::place(*sink)?;
                let commit = CommitExec::try_new(input(inputs)?, place, write)?;
                Ok(Arc::new(commit.replacing(replaced)))
            }
            Kind::Sink(sink) => {
                let (place, format) = self::place(*sink)?;
                let sink = Arc::new(TrevniSink::new(place, &format));
                // The order that it wants is that of its input already.
                Ok(Arc::new(DataSinkExec::new(input(inputs)?, sink, None)))
            }
        }
    }

    fn try_encode(&self, node: Plan, bytes: &mut Vec<u8>, converter: Converter<'_>) -> Result<()> {
        match self.kind(&node, converter)? {
            Some(kind) => encode(&Node { kind: Some(kind) }, bytes),
            None => self.others.try_encode(node, bytes, converter),
        }
    }
}

impl TrevniPhysicalCodec {
    /// What a node of Trevni does; `None` for other nodes.
    fn kind(&self, node: &Plan, converter: Converter<'_>) -> Result<Option<Kind>> {
        if let Some(exec) = node.downcast_ref::<DataSourceExec>()
            && let Some((files, source)) = exec.downcast_to_file_source::<TrevniSource>()
        {
            let filter = |expr: &Arc<dyn PhysicalExpr>| converter.physical_expr_to_proto(expr, self);
            return Ok(Some(Kind::Scan(Box::new(Scan {
                filters: source.filters().map(filter).collect::<Result<_>>()?,
                files: Some(serialize_file_scan_config(files, self, converter)?),
                aliases: source.aliases(),
            }))));
        }
        if let Some(exec) = node.downcast_ref::<DataSinkExec>()
            && let Some(sink) = exec.sink().downcast_ref::<TrevniSink>()
        {
            let place = datafusion::datasource::physical_plan::FileSink::config(sink);
            let sink = Sink { place: Some(place.try_into()?), options: sink.options(), ..Sink::default() };
            return Ok(Some(Kind::Sink(Box::new(sink))));
        }
        if let Some(exec) = node.downcast_ref::<WritePartsExec>() {
            let (place, options) = (Some(exec.place().try_into()?), exec.format().options());
            let sink = Sink { place, options, write: exec.write().to_string(), replaced: None };
            return Ok(Some(Kind::Parts(Box::new(sink))));
        }
        if let Some(exec) = node.downcast_ref::<CommitExec>() {
            let place = Some(exec.place().try_into()?);
            let replaced = exec.replaced().cloned();
            let replaced = replaced.map(|Replaced { base, parts, rows }| Sent { base, parts, rows });
            let sink = Sink { place, write: exec.write().to_string(), replaced, ..Sink::default() };
            return Ok(Some(Kind::Commit(Box::new(sink))));
        }
        Ok(None)
    }

    fn scan(&self, scan: Scan, context: &TaskContext, converter: Converter<'_>) -> Result<Plan> {
        let mut files = scan.files.ok_or_else(|| missing("the files of a scan"))?;
        let schema = parse_table_schema_from_proto(&files)?;
        let table = Arc::clone(schema.table_schema());
        let decoding = PhysicalPlanDecodeContext::new(context, self);
        let expr = |node: &PhysicalExprNode| -> Result<Arc<dyn PhysicalExpr>> {
            let expr = converter.proto_to_physical_expr(node, &table, &decoding)?;
            check_columns(&expr, &table)?;
            Ok(expr)
        };
        let filters = scan.filters.iter().map(expr).collect::<Result<Vec<_>>>()?;
        let source = TrevniSource::new(schema).with_aliases_of(&scan.aliases)?.with_filters(filters);
        let source = source.with_session(&context.runtime_env());
        let mut source: Arc<dyn FileSource> = Arc::new(source);
        if let Some(projection) = files.projection_exprs.take() {
            let projected = |projected: &protobuf::ProjectionExpr| {
                let node = projected.expr.as_ref().ok_or_else(|| missing("a column of a scan"))?;
                Ok(ProjectionExpr::new(expr(node)?, projected.alias.clone()))
            };
            let projected = projection.projections.iter().map(projected).collect::<Result<Vec<_>>>()?;
            source = source.try_pushdown_projection(&ProjectionExprs::new(projected))?.unwrap_or(source);
        }
        let files = parse_protobuf_file_scan_config(&files, &decoding, converter, source)?;
        check(&files, &table)?;
        Ok(DataSourceExec::from_data_source(files))
    }
}

/// Where a write goes, and how.
fn place(sink: Sink) -> Result<(FileSinkConfig, TrevniFormat)> {
    let place = FileSinkConfig::try_from(&sink.place.ok_or_else(|| missing("the place of a write"))?)?;
    if place.table_paths.is_empty() {
        return Err(missing("the place of a write"));
    }
    Ok((place, TrevniFormat::with_options(&sink.options)?))
}

fn write(sink: &Sink) -> Result<WriteId> {
    WriteId::parse(&sink.write).ok_or_else(|| missing("the identity of a write"))
}

fn input(inputs: &[Plan]) -> Result<Plan> {
    match inputs {
        [input] => Ok(Arc::clone(input)),
        _ => plan_err!("a plan that came is damaged: a write of {} inputs", inputs.len()),
    }
}

/// The columns that an expression names are there, under these numbers: expressions index schemas.
fn check_columns(expr: &Arc<dyn PhysicalExpr>, schema: &Schema) -> Result<()> {
    expr.apply(|expr| match expr.downcast_ref::<Column>() {
        Some(column)
            if schema.fields().get(column.index()).is_none_or(|field| field.name() != column.name()) =>
        {
            plan_err!("a plan that came is damaged: there is no column {column}")
        }
        _ => Ok(TreeNodeRecursion::Continue),
    })?;
    Ok(())
}

/// What files say of themselves fits the table: there is an entry for each of its columns.
fn check(files: &FileScanConfig, table: &Schema) -> Result<()> {
    let columns = table.fields().len();
    let fits = |statistics: &Statistics| [0, columns].contains(&statistics.column_statistics.len());
    let partitions = files.table_partition_cols().len();
    for file in files.file_groups.iter().flat_map(|group| group.iter()) {
        let known = file.statistics.as_deref().is_none_or(fits);
        if !known || file.partition_values.len() != partitions {
            let place = &file.object_meta.location;
            return plan_err!("a plan that came is damaged: {place} has other columns than its table");
        }
    }
    if !fits(&files.statistics()) {
        return plan_err!("a plan that came is damaged: statistics of other columns");
    }
    Ok(())
}
