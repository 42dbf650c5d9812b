//! Tables for `CREATE EXTERNAL TABLE … STORED AS TREVNI`.

use super::TrevniTable;
use super::visible::Visible;
use crate::commit;
use crate::format::{Options, TrevniFormat};
use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::{ToDFSchema, plan_err};
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::Result;
use datafusion::logical_expr::CreateExternalTable;
use futures::TryStreamExt;
use std::sync::Arc;

/// Makes [`TrevniTable`]s for statements. Of folders, it takes files that end in `.trv`, whether the statement declares columns
/// or not.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrevniTableFactory;

#[async_trait]
impl TableProviderFactory for TrevniTableFactory {
    async fn create(&self, state: &dyn Session, cmd: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        let paths = paths(cmd)?;
        let format = Arc::new(TrevniFormat { options: Options::parse(&cmd.options)? });
        let state = &Visible::of(state)?.at_moment(format.options.as_of.as_ref());
        let aliases = format.options.aliases.clone();
        let mut options = ListingOptions::new(format).with_file_extension(extension(&paths));
        let (declared, partitions) = declared(state, cmd, &options, &paths).await?;
        options = options.with_table_partition_cols(partitions).with_file_sort_order(cmd.order_exprs.clone());
        for path in &paths {
            options.validate_partitions(state, path).await?;
        }
        let schema = match declared {
            Some(schema) => schema,
            None => inferred(state, &options, &paths, true).await?,
        };
        check_order(cmd, &schema)?;
        aliases.check(&schema)?;
        let config = ListingTableConfig::new_with_multi_paths(paths).with_listing_options(options);
        let config = config.with_schema(schema);
        let files = ListingTable::try_new(config)?
            .with_definition(cmd.definition.clone())
            .with_constraints(cmd.constraints.clone())
            .with_column_defaults(cmd.column_defaults.clone());
        Ok(Arc::new(TrevniTable::new(files)))
    }
}

/// The places of the files, which are in one store.
fn paths(cmd: &CreateExternalTable) -> Result<Vec<ListingTableUrl>> {
    let path = |location: &String| Ok(ListingTableUrl::parse(location)?.with_table_ref(cmd.name.clone()));
    let paths: Vec<ListingTableUrl> = cmd.locations.iter().map(path).collect::<Result<_>>()?;
    let Some(first) = paths.first() else { return plan_err!("CREATE EXTERNAL TABLE needs a location") };
    if let Some(other) = paths.iter().find(|path| path.object_store() != first.object_store()) {
        return plan_err!("all locations of a table are in one store, but {first} and {other} are not");
    }
    Ok(paths)
}

/// What the names of the files end with: any ending where the statement names single files.
pub(super) fn extension(paths: &[ListingTableUrl]) -> String {
    match paths.iter().all(ListingTableUrl::is_collection) {
        true => format!(".{}", TrevniFormat::EXTENSION),
        false => String::new(),
    }
}

/// The type of columns of paths that no statement declares. Where parts of a query run in several processes, dictionaries may come as
/// plain strings, which is another type to the engine.
pub(super) fn partition_type(state: &dyn Session) -> DataType {
    match commit::has_plain_strings(state) {
        true => DataType::Utf8,
        false => DataType::Dictionary(Box::new(DataType::UInt16), Box::new(DataType::Utf8)),
    }
}

type Partitions = Vec<(String, DataType)>;

/// The columns of the files that the statement declares, if any, and those of the paths.
async fn declared(
    state: &dyn Session,
    cmd: &CreateExternalTable,
    options: &ListingOptions,
    paths: &[ListingTableUrl],
) -> Result<(Option<SchemaRef>, Partitions)> {
    let of_paths = &cmd.table_partition_cols;
    if !cmd.schema.fields().is_empty() {
        let schema: &Schema = cmd.schema.inner();
        let partition = |name: &String| {
            let field = schema.field_with_name(name)?;
            Ok((name.clone(), field.data_type().clone()))
        };
        let partitions = of_paths.iter().map(partition).collect::<Result<_>>()?;
        let of_files = schema.fields().iter().filter(|field| !of_paths.contains(field.name()));
        return Ok((Some(Arc::new(Schema::new(of_files.cloned().collect::<Vec<_>>()))), partitions));
    }
    let mut names = of_paths.clone();
    if let (true, Some(first)) = (names.is_empty(), paths.first())
        && state.config_options().execution.listing_table_factory_infer_partitions
    {
        names = options.infer_partitions(state, first).await?;
    }
    let text = partition_type(state);
    Ok((None, names.into_iter().map(|name| (name, text.clone())).collect()))
}

/// The columns of all files.
pub(super) async fn inferred(
    state: &Visible<'_>,
    options: &ListingOptions,
    paths: &[ListingTableUrl],
    reads_empty: bool,
) -> Result<SchemaRef> {
    let [first, ..] = paths else { return plan_err!("a table needs a location") };
    let store = state.runtime_env().object_store(first)?;
    let mut files = Vec::new();
    for path in paths {
        let found = path.list_all_files(state, store.as_ref(), &options.file_extension).await?;
        files.extend(found.try_collect::<Vec<_>>().await?);
    }
    if files.is_empty() && !state.has_tables() {
        return plan_err!(
            "{first}: there are no files here whose columns the table could have, and it declares none"
        );
    }
    // What has no bytes is told when it is read.
    files.retain(|file| reads_empty || file.size > 0);
    options.format.infer_schema(state, &store, &files).await
}

/// The columns of `WITH ORDER` are there.
fn check_order(cmd: &CreateExternalTable, schema: &Schema) -> Result<()> {
    let schema = schema.clone().to_dfschema()?;
    let mut columns = cmd.order_exprs.iter().flatten().flat_map(|sort| sort.expr.column_refs());
    match columns
        .find(|column| !schema.has_column(column) && !cmd.table_partition_cols.contains(&column.name))
    {
        Some(column) => plan_err!("column {column} of WITH ORDER is not in the files"),
        None => Ok(()),
    }
}
