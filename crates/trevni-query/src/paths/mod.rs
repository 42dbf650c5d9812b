//! Fields by paths and patterns.
//!
//! Paths are those of the library ([`trevni::path`]). In patterns, `*` matches any part of a name and `?` any character; `!`
//! before a pattern excludes what it names; commas separate patterns. In back quotes and after `\`, none of these mean anything.
//!
//! ```
//! use trevni_query::paths::{Pattern, chosen};
//!
//! let file = trevni::to_vec([serde_json::json!({"id": 1, "from": {"host": "a", "port": 2}})])?;
//! let reader = trevni::Reader::from_slice(&file)?;
//! let patterns = Pattern::all(&["from.*,!from.port".to_owned()])?;
//! let fields = chosen(reader.shape(), &patterns)?.unwrap_or_default();
//! assert_eq!(fields.iter().map(ToString::to_string).collect::<Vec<_>>(), ["from.host"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choose;
mod field_path;
mod find;
mod lost;
mod pattern;

pub use choose::{Choice, chosen};
pub use field_path::{FieldPath, labels};
pub(crate) use find::{Found, find_one};
pub use find::{Root, short_name};
pub use lost::near;
pub(crate) use lost::{Lost, near_name};
pub(crate) use pattern::PathPart;
pub use pattern::Pattern;
