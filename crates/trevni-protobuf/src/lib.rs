//! Messages of Protocol Buffers, read into [Trevni](trevni) columns and written from them.
//!
//! [`message`] finds the descriptor of a message in a set of descriptors, which compilers of Protocol Buffers write. A
//! [`Reader`] reads messages by a [`Mapping`] as batches; a [`Writer`] writes batches as messages, of a given type or of one
//! that is made for the rows ([`own_message`]). Messages have their lengths before them.
//!
//! Values pass from messages to vectors and back without a value of serde between. The mapping is in the section "Protocol
//! Buffers and Thrift" of `docs/format.md`. Damaged messages are an error with their position, whatever they are: nothing
//! panics, and no memory is taken for what a message only claims to have. Messages nest 100 levels deep at most.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod descriptors;
mod error;
mod read;
mod slot;
mod write;

pub use descriptors::message;
pub use error::Error;
pub use prost_reflect::{DescriptorPool, MessageDescriptor};
pub use read::{Enums, Mapping, Options, Reader};
pub use write::{Writer, own_message};
