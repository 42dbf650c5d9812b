//! Paths into rows: how they are written, and what they name. One language for the library, the command line, conditions and
//! Python; docs/paths.md has it.
//!
//! ```
//! use trevni::path::{format, parse};
//!
//! let path = parse("sender.`first name`")?;
//! assert_eq!(path.iter().map(|name| name.text()).collect::<Vec<_>>(), ["sender", "first name"]);
//! assert_eq!(format(["sender", "first name"]), "sender.`first name`");
//! # Ok::<(), trevni::Error>(())
//! ```

mod find;
mod near;
mod text;

pub use find::{Found, NamePattern, Named, NotFound, Root, find};
pub(crate) use find::{named_with_paths, targets};
pub(crate) use near::no_such;
pub(crate) use text::push_name;
pub use text::{PathName, Piece, format, parse, piece};
