//! What goes over the wire, as protocol buffers.

use datafusion_proto::protobuf;
use prost::{Message, Oneof};
use std::collections::HashMap;

/// A table of files.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Table {
    #[prost(message, repeated, tag = "1")]
    pub(super) places: Vec<Place>,
    /// What the names of the files end with.
    #[prost(string, tag = "2")]
    pub(super) ending: String,
    /// The names of the columns that paths have: the last ones of the schema.
    #[prost(string, repeated, tag = "3")]
    pub(super) partitions: Vec<String>,
    #[prost(message, repeated, tag = "4")]
    pub(super) orders: Vec<protobuf::SortExprNodeCollection>,
    #[prost(map = "string, string", tag = "5")]
    pub(super) options: HashMap<String, String>,
    /// The conditions on the rows that a `DELETE` removes.
    #[prost(message, optional, tag = "6")]
    pub(super) deleted: Option<Conditions>,
}

/// Conditions, all of which are true for a row.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Conditions {
    #[prost(message, repeated, tag = "1")]
    pub(super) all: Vec<protobuf::LogicalExprNode>,
}

/// Where files are.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Place {
    #[prost(string, tag = "1")]
    pub(super) url: String,
    #[prost(string, optional, tag = "2")]
    pub(super) pattern: Option<String>,
}

/// A format by its name, for `COPY`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Format {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(map = "string, string", tag = "2")]
    pub(super) options: HashMap<String, String>,
}

/// A node of a physical plan.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Node {
    #[prost(oneof = "Kind", tags = "1, 2, 3, 4")]
    pub(super) kind: Option<Kind>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Kind {
    #[prost(message, tag = "1")]
    Scan(Box<Scan>),
    #[prost(message, tag = "2")]
    Sink(Box<Sink>),
    #[prost(message, tag = "3")]
    Parts(Box<Sink>),
    #[prost(message, tag = "4")]
    Commit(Box<Sink>),
}

/// A scan of files.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Scan {
    #[prost(message, optional, tag = "1")]
    pub(super) files: Option<protobuf::FileScanExecConf>,
    #[prost(message, repeated, tag = "2")]
    pub(super) filters: Vec<protobuf::PhysicalExprNode>,
    /// Other names of columns.
    #[prost(string, tag = "3")]
    pub(super) aliases: String,
}

/// A place where files are written.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Sink {
    #[prost(message, optional, tag = "1")]
    pub(super) place: Option<protobuf::FileSinkConfig>,
    #[prost(map = "string, string", tag = "2")]
    pub(super) options: HashMap<String, String>,
    /// The write that is committed, if it is.
    #[prost(string, tag = "3")]
    pub(super) write: String,
    #[prost(message, optional, tag = "4")]
    pub(super) replaced: Option<Replaced>,
}

/// What a write removes.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Replaced {
    #[prost(uint64, tag = "1")]
    pub(super) base: u64,
    #[prost(string, repeated, tag = "2")]
    pub(super) parts: Vec<String>,
    #[prost(uint64, optional, tag = "3")]
    pub(super) rows: Option<u64>,
}
