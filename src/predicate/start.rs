//! What conditions begin with.

use super::{Col, Expression};

/// A condition on rows: comparisons of [`Col`]s, combined with [`and`](Self::and), [`or`](Self::or) and `!`. Needs the feature
/// `predicates`, which is a default one.
///
/// A row matches if the condition is true. A comparison with a null value is neither true nor false, as in
/// SQL: `col("delay").gt(60)` does not match rows whose delay is `None`, and neither does
/// `!col("delay").gt(60)`.
///
/// ```
/// use trevni::col;
///
/// let late = col("carrier").eq("AA") & (col("dep_delay").gt(60) | col("dep_delay").is_null());
/// assert_eq!(late.to_string(), r#"carrier = "AA" and (dep_delay > 60 or dep_delay is null)"#);
/// ```
#[derive(Clone, Debug)]
pub struct Predicate(pub(super) Expression);

/// Names a field by its path, to compare it.
///
/// A [path](crate::path) consists of field names joined by dots, as for [`Reader::project`](crate::Reader::project):
/// optionals are transparent, and a union has the names of its variants. [`Col::any`] tests the items of lists
/// and maps. The empty path is the row itself.
///
/// ```
/// use trevni::{col, item};
///
/// let long = col("distance").ge(1000.5);
/// let host = col("sender.host").starts_with("mail.");
/// let via = col("stops").any(item().eq("JFK"));
/// let tagged = col("tags").any(col("key").eq("color") & col("value").is_in(["red", "blue"]));
/// ```
#[must_use]
pub fn col(path: impl Into<String>) -> Col {
    Col { path: path.into() }
}

/// The list item itself, inside [`Col::any`]; the same as `col("")`.
#[must_use]
pub fn item() -> Col {
    col("")
}
