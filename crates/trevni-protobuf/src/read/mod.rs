//! Messages to rows.

mod column;
mod fill;
mod json;
mod known;
mod mapping;
mod options;
mod stream;

pub(crate) use known::{Known, known};
pub use mapping::Mapping;
pub use options::{Enums, Options};
pub use stream::Reader;
