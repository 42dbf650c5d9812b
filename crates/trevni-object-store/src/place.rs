//! URLs: the store that one is of, the object in it, and what may be shown of it.

use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// How often a request is sent again, and for how long.
const RETRIES: usize = 6;
const RETRY_TIME: Duration = Duration::from_secs(30);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Whether a text is a URL of a store: `s3://`, `http://` or `https://`.
#[must_use]
pub fn is_url(text: &str) -> bool {
    let starts =
        |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    ["s3://", "http://", "https://"].into_iter().any(starts)
}

/// An object of a store.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) path: Path,
    pub(crate) shown: Shown,
    pub(crate) is_bucket: bool,
}

/// A URL as it may be shown, and what of it may not.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) url: String,
    secrets: Vec<String>,
}

impl Place {
    pub(crate) fn of(text: &str) -> io::Result<Self> {
        let invalid = |why: String| io::Error::new(io::ErrorKind::InvalidInput, why);
        let url = Url::parse(text).map_err(|error| {
            let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
            let rest = rest.split('?').next().unwrap_or_default();
            let host = rest.rsplit('@').next().unwrap_or_default();
            invalid(format!("{scheme}://{host}: {error}"))
        })?;
        let shown = Shown::of(&url);
        let named = |error: object_store::Error| {
            invalid(shown.hide(&format!("{}: {}", shown.url, crate::failure::reasons(&error))))
        };
        match url.scheme() {
            "s3" => {
                let bucket = url.host_str().filter(|bucket| !bucket.is_empty());
                let bucket = bucket.ok_or_else(|| invalid(format!("{}: a bucket is missing", shown.url)))?;
                let store = bucket_store(bucket).map_err(named)?;
                let path = Path::from_url_path(url.path()).map_err(|error| named(error.into()))?;
                Ok(Self { store: Arc::new(store), path, shown, is_bucket: true })
            }
            "http" | "https" => {
                // The whole URL is the base of the store, so that a query, such as a signature, stays.
                let store = HttpBuilder::new()
                    .with_url(url.as_str())
                    .with_client_options(ClientOptions::new().with_allow_http(true))
                    .with_retry(retries())
                    .build()
                    .map_err(named)?;
                Ok(Self { store: Arc::new(store), path: Path::default(), shown, is_bucket: false })
            }
            scheme => Err(invalid(format!("{}: no store has URLs of {scheme}://", shown.url))),
        }
    }

    /// Another object of the bucket.
    pub(crate) fn url_of(&self, path: &Path) -> Option<String> {
        let mut url = Url::parse(&self.shown.url).ok()?;
        url.set_path(path.as_ref());
        // Keys are shown as they are typed.
        let host = url.host_str()?;
        Some(format!("s3://{host}/{path}"))
    }
}

impl Shown {
    fn of(url: &Url) -> Self {
        let mut shown = url.clone();
        let _ = shown.set_username("");
        let _ = shown.set_password(None);
        shown.set_query(None);
        shown.set_fragment(None);
        let secrets = [url.query(), url.password(), Some(url.username())];
        let mut secrets: Vec<String> =
            secrets.into_iter().flatten().filter(|text| !text.is_empty()).map(str::to_owned).collect();
        // The parts of a query are repeated in some errors.
        secrets
            .extend(url.query_pairs().map(|(_, value)| value.into_owned()).filter(|value| value.len() > 3));
        Self { url: shown.to_string(), secrets }
    }

    /// The path of an object, which has no secrets.
    pub(crate) fn of_path(path: &Path) -> Self {
        Self { url: path.to_string(), secrets: Vec::new() }
    }

    #[cfg(test)]
    pub(crate) fn plain(url: &str) -> Self {
        Self { url: url.to_owned(), secrets: Vec::new() }
    }

    /// A text without what must not be shown.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "…"))
    }
}

fn bucket_store(bucket: &str) -> object_store::Result<impl ObjectStore> {
    let builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retries());
    // An endpoint without TLS, which someone has named, is meant.
    let names_plain_http = |name: &str| std::env::var(name).is_ok_and(|url| url.starts_with("http://"));
    let is_plain =
        ["AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AWS_ENDPOINT_URL_S3"].into_iter().any(names_plain_http);
    if is_plain { builder.with_allow_http(true) } else { builder }.build()
}

fn retries() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig { init_backoff: FIRST_PAUSE, max_backoff: LONGEST_PAUSE, base: 2.0 },
        max_retries: RETRIES,
        retry_timeout: RETRY_TIME,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_stores_are_known() {
        for url in ["s3://b/k", "http://h/", "HTTPS://h/x", "S3://b/k"] {
            assert!(is_url(url), "{url}");
        }
        for path in ["s3", "s3:/b/k", "a.trv", "./s3://b/k", "file:///a", "", "ftp://h/x", "ä€"] {
            assert!(!is_url(path), "{path}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let place = Place::of("https://me:word@host.org/a%20b.trv?X-Sig=c0ffee&part=7").unwrap();
        assert_eq!(place.shown.url, "https://host.org/a%20b.trv");
        let hidden = place.shown.hide("GET https://me:word@host.org/a?X-Sig=c0ffee&part=7: c0ffee");
        assert!(!["word", "c0ffee", "me:"].iter().any(|secret| hidden.contains(secret)), "{hidden}");
        for wrong in
            ["https://me:word@/x?X-Sig=c0ffee", "s3://", "s3:///key?token=c0ffee", "http://[x?c0ffee"]
        {
            let error = Place::of(wrong).unwrap_err().to_string();
            assert!(!error.contains("c0ffee") && !error.contains("word"), "{error}");
        }
    }

    #[test]
    fn keys_are_taken_as_they_are() {
        for (url, key) in [
            ("s3://b/a/b.trv", "a/b.trv"),
            ("s3://b/a%20b.trv", "a b.trv"),
            ("s3://b/day=1/x", "day=1/x"),
            ("s3://b/ä.trv", "ä.trv"),
        ] {
            let place = Place::of(url).unwrap();
            assert_eq!(place.path.as_ref(), key);
        }
        let place = Place::of("s3://bucket/dir/*.trv").unwrap();
        assert_eq!(place.url_of(&"x/y.trv".into()).as_deref(), Some("s3://bucket/x/y.trv"));
    }
}
