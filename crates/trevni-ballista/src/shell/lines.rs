//! JSON in lines by its other names: `'flights.jsonl'`, `STORED AS NDJSON`.

use datafusion::catalog::Session;
use datafusion::common::GetExt;
use datafusion::datasource::file_format::json::JsonFormatFactory;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::listing_table_factory::ListingTableFactory;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use std::collections::HashMap;
use std::sync::Arc;

/// Names of JSON lines, besides `json`.
const NAMES: [&str; 2] = ["jsonl", "ndjson"];

/// Makes the names known to a session.
pub(super) fn register(session: &SessionContext) -> Result<()> {
    let state = session.state_ref();
    let mut state = state.write();
    for name in NAMES {
        state.register_file_format(Arc::new(Lines { json: JsonFormatFactory::new(), name }), true)?;
        let tables = state.table_factories_mut();
        tables.insert(name.to_uppercase(), Arc::new(ListingTableFactory::new()));
    }
    Ok(())
}

#[derive(Debug)]
struct Lines {
    json: JsonFormatFactory,
    name: &'static str,
}

impl GetExt for Lines {
    fn get_ext(&self) -> String {
        self.name.to_owned()
    }
}

impl FileFormatFactory for Lines {
    fn create(&self, state: &dyn Session, options: &HashMap<String, String>) -> Result<Arc<dyn FileFormat>> {
        self.json.create(state, options)
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        self.json.default()
    }
}
