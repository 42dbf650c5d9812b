//! Null as the value of a column of paths: `day=__HIVE_DEFAULT_PARTITION__/`, as Hive, Spark and the datasets of `trevni` have it.

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::datasource::listing::helpers::{filter_partitioned_file, parse_partitions_for_path};
use datafusion::datasource::listing::{ListingTable, ListingTableUrl, PartitionedFile};
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, FileSinkConfig};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures::TryStreamExt;
use object_store::ObjectMeta;
use object_store::path::Path;
use std::sync::Arc;

/// The value in a path that is null.
pub(crate) const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// Whether a path has a null.
pub(super) fn is_in(path: &Path) -> bool {
    path.parts().any(|part| part.as_ref().split_once('=').is_some_and(|(_, value)| value == NULL))
}

/// A schema in which some columns may be null.
pub(crate) fn nullable(schema: &SchemaRef, names: &[&str]) -> SchemaRef {
    let field = |field: &Arc<Field>| match names.contains(&field.name().as_str()) {
        true => Arc::new(field.as_ref().clone().with_nullable(true)),
        false => Arc::clone(field),
    };
    let fields = schema.fields().iter().map(field).collect::<Vec<_>>();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

/// A scan of files whose paths have nulls: the engine's own would take them for strings.
pub(super) async fn scan(
    table: &ListingTable,
    state: &dyn Session,
    files: Vec<ObjectMeta>,
    projection: Option<Vec<usize>>,
    filters: &[Expr],
    limit: Option<usize>,
) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let columns = &table.options().table_partition_cols;
    let fields = columns.iter().map(|(name, data_type)| Field::new(name, data_type.clone(), true));
    let fields: Vec<Arc<Field>> = fields.map(Arc::new).collect();
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let found = matching(table, files, filters)?;
    let Some(url) = table.table_paths().first().filter(|_| !found.is_empty()) else { return Ok(None) };
    let of_files = table.schema();
    let of_files = of_files.fields().iter().filter(|field| !names.contains(&field.name().as_str()));
    let of_files = Arc::new(Schema::new(of_files.cloned().collect::<Vec<_>>()));
    let schema = TableSchema::builder(of_files).with_table_partition_cols(fields).build();
    let groups = FileGroup::new(found).split_files(state.config().target_partitions());
    let files = FileScanConfigBuilder::new(url.object_store(), table.options().format.file_source(schema))
        .with_file_groups(groups)
        .with_projection_indices(projection)?
        .with_limit(limit)
        .build();
    table.options().format.create_physical_plan(state, files).await.map(Some)
}

/// The files, of some whose paths have nulls, that conditions on columns of paths do not exclude.
pub(super) fn matching(
    table: &ListingTable,
    files: Vec<ObjectMeta>,
    filters: &[Expr],
) -> Result<Vec<PartitionedFile>> {
    let columns = &table.options().table_partition_cols;
    let fields: Vec<Field> =
        columns.iter().map(|(name, data_type)| Field::new(name, data_type.clone(), true)).collect();
    let of_paths = DFSchema::from_unqualified_fields(fields.into(), Default::default())?;
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let is_of_paths =
        |filter: &&Expr| filter.column_refs().iter().all(|column| names.contains(&column.name.as_str()));
    // What is null is not true, which the engine's own evaluation of paths does not look at.
    let filters = filters.iter().filter(is_of_paths).map(|filter| filter.clone().is_true());
    let filters: Vec<Expr> = filters.collect();
    let mut found = Vec::new();
    for file in files {
        let Some(values) = table.table_paths().iter().find_map(|path| values(path, &file.location, columns))
        else {
            continue;
        };
        let mut file = PartitionedFile::from(file);
        file.partition_values = values?;
        found.extend(filter_partitioned_file(file, &filters, &of_paths)?);
    }
    Ok(found)
}

/// The values that a path has, where it is one of a table's.
fn values(
    table: &ListingTableUrl,
    file: &Path,
    columns: &[(String, DataType)],
) -> Option<Result<Vec<ScalarValue>>> {
    let names = columns.iter().map(|(name, _)| name.as_str());
    let texts = parse_partitions_for_path(table, file, names)?;
    let value = |(text, (_, data_type)): (std::borrow::Cow<'_, str>, &(String, DataType))| match &*text {
        NULL => ScalarValue::try_new_null(data_type),
        text => ScalarValue::try_from_string(text.to_owned(), data_type),
    };
    Some(texts.into_iter().zip(columns).map(value).collect())
}

/// The same rows, with the nulls of columns that paths are to have as they are written there.
pub(crate) fn named(rows: SendableRecordBatchStream, place: &FileSinkConfig) -> SendableRecordBatchStream {
    // Files that keep the columns have the nulls.
    if place.table_partition_cols.is_empty() || place.keep_partition_by_columns {
        return rows;
    }
    let names: Vec<String> = place.table_partition_cols.iter().map(|(name, _)| name.clone()).collect();
    let schema = rows.schema();
    let rows = rows.and_then(move |batch| {
        let batch = named_batch(&batch, &names);
        async { batch }
    });
    Box::pin(RecordBatchStreamAdapter::new(schema, rows))
}

fn named_batch(batch: &RecordBatch, names: &[String]) -> Result<RecordBatch> {
    let schema = batch.schema();
    let (mut fields, mut columns) = (schema.fields().to_vec(), batch.columns().to_vec());
    for (field, column) in fields.iter_mut().zip(&mut columns) {
        if names.contains(field.name()) && column.logical_null_count() > 0 {
            let texts = cast(column, &DataType::Utf8)?;
            let texts = texts.as_any().downcast_ref::<StringArray>().map(StringArray::iter);
            let texts: StringArray =
                texts.into_iter().flatten().map(|text| Some(text.unwrap_or(NULL))).collect();
            *column = Arc::new(texts) as ArrayRef;
            *field = Arc::new(Field::new(field.name(), DataType::Utf8, false));
        }
    }
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
}
