//! Makes Trevni known to a session.

use crate::table::{Deletes, Function, UrlTables};
use crate::{TrevniFormat, TrevniFormatFactory, TrevniTableFactory};
use datafusion::catalog::{DynamicFileCatalog, UrlTableFactory};
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use std::sync::Arc;

/// A session that knows Trevni, with the defaults of DataFusion.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let session = trevni_datafusion::session_context()?;
/// let rows = session.sql("SELECT 1 + 1 AS two").await?.collect().await?;
/// assert_eq!(rows[0].num_rows(), 1);
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// # }).unwrap();
/// ```
///
/// # Errors
///
/// As [`register`].
pub fn session_context() -> Result<SessionContext> {
    let session = SessionContext::new();
    register(&session)?;
    Ok(session)
}

/// Makes Trevni known to a session: `CREATE EXTERNAL TABLE … STORED AS TREVNI`, `COPY … STORED AS TREVNI`, and paths in the place of
/// tables, as in `SELECT … FROM 'flights/*.trv'`, which then works for all formats that the session knows.
///
/// # Errors
///
/// None today; what DataFusion refuses to register.
pub fn register(session: &SessionContext) -> Result<()> {
    let state = session.state_ref();
    {
        let mut state = state.write();
        state.register_file_format(Arc::new(TrevniFormatFactory::new()), true)?;
        state.register_file_format(Arc::new(TrevniFormatFactory::of_extension()), true)?;
        let tables = state.table_factories_mut();
        for name in [TrevniFormat::NAME, TrevniFormat::EXTENSION] {
            tables.insert(name.to_uppercase(), Arc::new(TrevniTableFactory));
        }
    }
    session.add_analyzer_rule(Arc::new(Deletes));
    for function in Function::ALL {
        session.register_udtf(function.name(), Arc::new(function));
    }
    let urls = Arc::new(UrlTables(DynamicListTableFactory::default()));
    urls.0.session_store().with_state(session.state_weak_ref());
    let catalogs = Arc::clone(session.state().catalog_list());
    let urls: Arc<dyn UrlTableFactory> = urls;
    session.register_catalog_list(Arc::new(DynamicFileCatalog::new(catalogs, urls)));
    Ok(())
}
