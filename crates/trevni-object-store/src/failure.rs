//! Errors of stores as those of files: a kind, the URL, and why.

use crate::place::Shown;
use object_store::Error as StoreError;
use object_store::client::{HttpError, HttpErrorKind};
use std::error::Error;
use std::io::{self, ErrorKind};

/// An error about an object.
pub(crate) fn failed(shown: &Shown, error: &StoreError) -> io::Error {
    let (kind, why) = reason(error);
    let why = why.map_or_else(|| reasons(error), str::to_owned);
    about(shown, kind, &why)
}

/// An error with these words.
pub(crate) fn about(shown: &Shown, kind: ErrorKind, why: &str) -> io::Error {
    io::Error::new(kind, shown.hide(&format!("{}: {why}", shown.url)))
}

fn reason(error: &StoreError) -> (ErrorKind, Option<&'static str>) {
    match error {
        StoreError::NotFound { .. } => (ErrorKind::NotFound, Some("there is no such object (404)")),
        StoreError::PermissionDenied { .. } => (
            ErrorKind::PermissionDenied,
            Some(
                "access is denied (403); of buckets, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY have the credentials",
            ),
        ),
        StoreError::Unauthenticated { .. } => {
            (ErrorKind::PermissionDenied, Some("the credentials are missing or wrong (401)"))
        }
        StoreError::Precondition { .. } => (ErrorKind::Other, Some(CHANGED)),
        StoreError::AlreadyExists { .. } => (ErrorKind::AlreadyExists, Some("already exists")),
        error => connection(error),
    }
}

/// What is said of an object that another one has replaced.
pub(crate) const CHANGED: &str = "has changed while it was read";

/// Failures below requests.
fn connection(error: &StoreError) -> (ErrorKind, Option<&'static str>) {
    let text = reasons(error);
    // The address of the service that gives machines in the cloud their credentials, which is asked last.
    if text.contains("169.254.169.254") || text.contains("api/token") || text.contains("security-credentials")
    {
        return (ErrorKind::PermissionDenied, Some(NO_CREDENTIALS));
    }
    let http = causes(error).find_map(|cause| cause.downcast_ref::<HttpError>());
    match http.map(HttpError::kind) {
        Some(HttpErrorKind::Connect) => (ErrorKind::ConnectionRefused, None),
        Some(HttpErrorKind::Timeout) => (ErrorKind::TimedOut, None),
        _ => (ErrorKind::Other, None),
    }
}

const NO_CREDENTIALS: &str = "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, \
     or AWS_SKIP_SIGNATURE=true for a public bucket";

fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&'e (dyn Error + 'static)| Error::source(*error))
}

/// An error and its causes, on one line; what a cause repeats is said once.
pub(crate) fn reasons(error: &(dyn Error + 'static)) -> String {
    let mut all: Vec<String> = Vec::new();
    for cause in causes(error) {
        let text = cause.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        if !all.iter().any(|before| before.contains(&text)) {
            all.push(text);
        }
    }
    all.join(": ")
}

/// Whether a server has answered that it gives no ranges.
pub(crate) fn has_no_ranges(error: &StoreError) -> bool {
    match error {
        StoreError::NotSupported { .. } => true,
        StoreError::Generic { .. } => reasons(error).contains("non-partial response"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_a_kind_and_the_url() {
        let shown = Shown::plain("s3://b/k");
        let source = || Box::<dyn Error + Send + Sync>::from("why");
        let path = || "k".to_owned();
        for (error, kind) in [
            (StoreError::NotFound { path: path(), source: source() }, ErrorKind::NotFound),
            (StoreError::PermissionDenied { path: path(), source: source() }, ErrorKind::PermissionDenied),
            (StoreError::Unauthenticated { path: path(), source: source() }, ErrorKind::PermissionDenied),
            (StoreError::AlreadyExists { path: path(), source: source() }, ErrorKind::AlreadyExists),
            (StoreError::Generic { store: "x", source: source() }, ErrorKind::Other),
        ] {
            let error = failed(&shown, &error);
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().starts_with("s3://b/k: "), "{error}");
        }
        let generic = StoreError::Generic { store: "x", source: source() };
        assert_eq!(reasons(&generic), "Generic x error: why");
    }
}
