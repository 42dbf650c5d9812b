//! Stores that URLs name: `s3://bucket/…`, `gs://bucket/…`, `az://container/…`, `https://host/…`.

use datafusion::common::plan_datafusion_err;
use datafusion::error::Result;
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use object_store::ObjectStore;
use std::sync::Arc;
use url::Url;

/// How the names of variables of the environment begin that are options of stores.
const PREFIXES: [&str; 3] = ["AWS_", "GOOGLE_", "AZURE_"];

/// The stores of a session, which opens those that URLs name when they are first needed. Options come from the environment
/// (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`, `AWS_ALLOW_HTTP`, `GOOGLE_SERVICE_ACCOUNT`, `AZURE_STORAGE_ACCOUNT_NAME`, …), as the crate
/// `object_store` has them. Which URLs are known is a matter of the features `aws`, `azure`, `gcp` and `http`.
///
/// ```
/// use datafusion::execution::runtime_env::RuntimeEnvBuilder;
/// use std::sync::Arc;
/// use trevni_datafusion::NamedStores;
///
/// let runtime = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(NamedStores::from_env())).build()?;
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Debug)]
pub struct NamedStores {
    known: DefaultObjectStoreRegistry,
    options: Vec<(String, String)>,
}

impl NamedStores {
    /// With options of the environment.
    #[must_use]
    pub fn from_env() -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let options = std::env::vars_os().filter_map(text);
        Self::with_options(options.filter(|(name, _)| PREFIXES.iter().any(|prefix| name.starts_with(prefix))))
    }

    /// With options of one's own, by the names that they have in the environment.
    #[must_use]
    pub fn with_options(options: impl IntoIterator<Item = (String, String)>) -> Self {
        let options = options.into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
        Self { known: DefaultObjectStoreRegistry::new(), options }
    }

    fn open(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let mut options = self.options.clone();
        if url.scheme() == "http" {
            // The URL says so.
            options.push(("allow_http".to_owned(), "true".to_owned()));
        }
        let (store, _) = object_store::parse_url_opts(url, options)
            .map_err(|error| plan_datafusion_err!("{url}: {error}"))?;
        Ok(Arc::from(store))
    }
}

impl ObjectStoreRegistry for NamedStores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.known.register_store(url, store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.known.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if let Ok(store) = self.known.get_store(url) {
            return Ok(store);
        }
        let store = self.open(url)?;
        self.known.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}

#[cfg(all(test, feature = "aws", feature = "azure", feature = "gcp"))]
mod tests {
    use super::*;

    #[test]
    fn urls_name_stores_with_options_of_the_environment() {
        let options = [
            ("AWS_SKIP_SIGNATURE", "true"),
            ("AZURE_STORAGE_ACCOUNT_NAME", "somebody"),
            ("AZURE_SKIP_SIGNATURE", "true"),
            ("GOOGLE_SKIP_SIGNATURE", "true"),
        ];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let stores = NamedStores::with_options(options);
        let open = |url: &str| stores.get_store(&Url::parse(url).unwrap()).map(|store| store.to_string());
        for (url, shown) in [
            ("s3://rows/t/", "AmazonS3(rows)"),
            ("gs://rows/t/", "GoogleCloudStorage(rows)"),
            ("az://rows/t/", "MicrosoftAzure { account: somebody, container: rows }"),
            (
                "abfss://rows@somebody.dfs.core.windows.net/t/",
                "MicrosoftAzure { account: somebody, container: rows }",
            ),
        ] {
            assert_eq!(open(url).unwrap(), shown, "{url}");
        }
        assert!(open("ftp://rows/t/").unwrap_err().to_string().contains("ftp://rows/t/"));
    }
}
