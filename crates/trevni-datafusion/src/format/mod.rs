//! The file format, as the engine sees it.

mod aliases;
mod factory;
mod options;
mod schema;

pub(crate) use aliases::Aliases;
pub use factory::TrevniFormatFactory;
pub(crate) use options::Options;
pub(crate) use schema::{FileSchema, OfFile, joined, nullable};

use crate::commit::{self, CommitExec, WritePartsExec};
use crate::error::in_file;
use crate::input::{Counts, Heads, Object, ObjectSource};
use crate::scan::TrevniSource;
use crate::sink::TrevniSink;
use crate::statistics::{self, Columns};
use crate::table::{self, Tables};
use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{Statistics, not_impl_err, plan_err};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileMeta};
use datafusion::datasource::physical_plan::{
    FileScanConfig, FileScanConfigBuilder, FileSinkConfig, FileSource,
};
use datafusion::datasource::sink::DataSinkExec;
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::physical_expr::{LexOrdering, LexRequirement};
use datafusion::physical_plan::ExecutionPlan;
use futures::{StreamExt, TryStreamExt};
use object_store::{ObjectMeta, ObjectStore};
use std::collections::HashMap;
use std::sync::Arc;
use trevni::Reader;

/// Trevni files, of any format of the family, as a file format of DataFusion.
#[derive(Clone, Debug, Default)]
pub struct TrevniFormat {
    pub(crate) options: Options,
}

impl TrevniFormat {
    /// What statements call the format.
    pub const NAME: &'static str = "trevni";
    /// What the names of its files end with, after a dot.
    pub const EXTENSION: &'static str = "trv";

    /// A format with options by their names, as statements have them.
    ///
    /// # Errors
    ///
    /// An option that is not known, or a value that it cannot have.
    pub fn with_options(options: &HashMap<String, String>) -> Result<Self> {
        Ok(Self { options: Options::parse(options)? })
    }

    /// The options that were given, by their names.
    #[must_use]
    pub fn options(&self) -> HashMap<String, String> {
        self.options.pairs()
    }
}

/// An object that is open, and a reader of all of it, whose fields may have other names.
pub(crate) async fn open(
    store: &Arc<dyn ObjectStore>,
    meta: &ObjectMeta,
    aliases: &Aliases,
    heads: Option<&Heads>,
    counts: &Counts,
) -> Result<(Arc<Object>, Reader<'static>)> {
    let object = Object::open(store, meta, heads, counts).await?;
    let (source, place) = (Arc::clone(&object), meta.location.clone());
    let open = move || {
        let source = ObjectSource(Arc::clone(&source));
        aliases.reader().shared(source).map_err(|error| in_file(&place, error))
    };
    let reader = object.run(true, open).await?;
    Ok((object, reader))
}

/// What a session knows of files.
pub(crate) fn heads(state: &dyn Session) -> Heads {
    Heads(state.runtime_env().cache_manager.get_file_metadata_cache())
}

async fn schema_of(
    state: &dyn Session,
    store: &Arc<dyn ObjectStore>,
    meta: &ObjectMeta,
    aliases: &Aliases,
) -> Result<OfFile> {
    let heads = heads(state);
    if let Some((schema, rows)) = heads.known_schema(meta, aliases) {
        return Ok(OfFile::new(&schema, rows, &meta.location));
    }
    let (object, reader) = open(store, meta, aliases, Some(&heads), &Counts::default()).await?;
    let schema = heads.schema(meta, aliases, &reader)?;
    object.keep_head(&heads, aliases, &schema, reader.row_count(), None);
    Ok(OfFile::new(&schema, reader.row_count(), &meta.location))
}

#[async_trait]
impl FileFormat for TrevniFormat {
    fn get_ext(&self) -> String {
        Self::EXTENSION.to_owned()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        if compression.is_compressed() {
            return not_impl_err!("Trevni files have codecs of their own and are not compressed as a whole");
        }
        Ok(self.get_ext())
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    async fn infer_schema(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        let at_once = state.config_options().execution.meta_fetch_concurrency.get();
        let mut objects: Vec<&ObjectMeta> = objects.iter().collect();
        objects.sort_unstable_by_key(|meta| &meta.location);
        let tables = state.config().get_extension::<Tables>();
        let tables = tables.filter(|_| self.options.aliases.is_empty());
        let mut schemas = tables.map_or_else(Vec::new, |tables| tables.schemas(&mut objects));
        let files =
            futures::stream::iter(objects).map(|meta| schema_of(state, store, meta, &self.options.aliases));
        schemas.extend(files.boxed().buffered(at_once).try_collect::<Vec<_>>().await?);
        let joined = joined(&schemas)?;
        Ok(if commit::has_plain_strings(state) { schema::without_dictionaries(&joined) } else { joined })
    }

    async fn infer_stats(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        table_schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Statistics> {
        Ok(self.infer_stats_and_ordering(state, store, table_schema, object).await?.statistics)
    }

    async fn infer_ordering(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        table_schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<Option<LexOrdering>> {
        Ok(self.infer_stats_and_ordering(state, store, table_schema, object).await?.ordering)
    }

    async fn infer_stats_and_ordering(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        table_schema: SchemaRef,
        object: &ObjectMeta,
    ) -> Result<FileMeta> {
        let heads = heads(state);
        let aliases = &self.options.aliases;
        let mut wanted = statistics::wanted(state, &table_schema);
        let tables = state.config().get_extension::<Tables>().filter(|_| aliases.is_empty());
        if let Some((rows, columns)) =
            tables.and_then(|tables| tables.known(&object.location, &table_schema, &wanted))
            && statistics::suffices(&columns, &table_schema, &wanted)
        {
            return Ok(statistics::of_columns(&table_schema, object.size, rows, &columns));
        }
        let mut known = Columns::new();
        if let Some((rows, columns)) = heads.known_columns(object, aliases) {
            if statistics::suffices(&columns, &table_schema, &wanted) {
                return Ok(statistics::of_columns(&table_schema, object.size, rows, &columns));
            }
            wanted.retain(|name| !statistics::suffices(&columns, &table_schema, std::slice::from_ref(name)));
            known = columns;
        }
        let (opened, reader) = open(store, object, aliases, Some(&heads), &Counts::default()).await?;
        let schema = heads.schema(object, aliases, &reader)?;
        let (rows, columns) =
            statistics::of_file(&opened, reader, &schema.decoded, &table_schema, &wanted).await?;
        known.extend(columns);
        opened.keep_head(&heads, aliases, &schema, rows, Some(known.clone()));
        Ok(statistics::of_columns(&table_schema, object.size, rows, &known))
    }

    async fn create_physical_plan(
        &self,
        state: &dyn Session,
        conf: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(source) = conf.file_source().downcast_ref::<TrevniSource>() else {
            return not_impl_err!("a scan of Trevni files by the source of another format");
        };
        let source = Arc::new(source.clone().with_session(state.runtime_env()));
        Ok(DataSourceExec::from_data_source(FileScanConfigBuilder::from(conf).with_source(source).build()))
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        state: &dyn Session,
        mut conf: FileSinkConfig,
        order_requirements: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        for place in &mut conf.table_paths {
            *place = table::written(place)?;
        }
        let of_paths: Vec<&str> = conf.table_partition_cols.iter().map(|(name, _)| name.as_str()).collect();
        conf.output_schema = table::nullable(&conf.output_schema, &of_paths);
        let replaced = match conf.insert_op {
            InsertOp::Append => None,
            InsertOp::Overwrite => Some(table::overwritten(state, &conf).await?),
            InsertOp::Replace => return not_impl_err!("REPLACE INTO Trevni files"),
        };
        let is_in_table = commit::is_in_table(state, &conf).await?;
        let folder = conf.table_paths.first();
        if let (true, Some(file)) = (is_in_table, folder.filter(|folder| !folder.is_collection())) {
            return plan_err!(
                "{file}: this is in the folder of a table, whose snapshots say which files count: INSERT into it"
            );
        }
        if replaced.is_some() || is_in_table || commit::is_wanted(state, &conf) {
            let write = commit::write_of(state.config())?.unwrap_or_default();
            let parts =
                WritePartsExec::new(input, conf.clone(), self.clone(), write.clone(), order_requirements);
            return Ok(Arc::new(CommitExec::try_new(Arc::new(parts), conf, write)?.replacing(replaced)));
        }
        let sink = Arc::new(TrevniSink::new(conf, self));
        Ok(Arc::new(DataSinkExec::new(input, sink, order_requirements)))
    }

    fn file_source(&self, table_schema: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(TrevniSource::new(table_schema).with_aliases(self.options.aliases.clone()))
    }
}
