//! Rows to messages.

mod encode;
mod json;
mod matching;
mod own;
mod plan;
mod scalar;
mod stream;

pub use own::own_message;
pub use stream::Writer;
