//! Shapes of [Trevni](trevni) rows in the languages that describe messages: Protocol Buffers and Thrift.
//!
//! ```
//! use trevni::Shape;
//!
//! let shape = Shape::record("Flight", [("carrier", Shape::String), ("delay", Shape::optional(Shape::Int))]);
//! assert_eq!(
//!     trevni_idl::proto("flights", &shape).to_string(),
//!     "syntax = \"proto3\";\n\nmessage Flight {\n  string carrier = 1;\n  optional int32 delay = 2;\n}\n"
//! );
//! assert_eq!(
//!     trevni_idl::thrift("flights", &shape),
//!     "struct Flight {\n  1: required string carrier\n  2: optional i32 delay\n}\n"
//! );
//! ```
//!
//! Names are made valid and unique, with a comment or a `json_name` that tells the old one. What a language has no type
//! for, such as a list of lists in Protocol Buffers, gets a message or struct of one field. The section "Protocol Buffers
//! and Thrift" of `docs/format.md` has the whole mapping.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod names;
mod proto;
mod remark;
mod thrift;
mod variants;

pub use names::normal;
pub use proto::{Enum, Field, File, Label, Message, Part, Type};

use trevni::Shape;

/// The definitions of Protocol Buffers (`proto3`) for rows of a shape; the first message is that of a row. A row without
/// a name of its own gets the one that is given.
#[must_use]
pub fn proto(name: &str, shape: &Shape) -> File {
    proto::file(name, shape)
}

/// The definitions of Thrift for rows of a shape; the last struct is that of a row. A row without a name of its own gets
/// the one that is given.
#[must_use]
pub fn thrift(name: &str, shape: &Shape) -> String {
    thrift::document(name, shape)
}

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
