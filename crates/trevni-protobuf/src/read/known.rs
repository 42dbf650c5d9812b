//! Messages that mean more than their fields.

use prost_reflect::MessageDescriptor;

/// What a message is beyond its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// One field that may be missing.
    Wrapper,
    /// Any JSON.
    Json,
    /// Nothing.
    Empty,
    /// Any other.
    Message,
}

/// What a message is beyond its fields, by its name.
pub(crate) fn known(message: &MessageDescriptor) -> Known {
    match message.full_name().strip_prefix("google.protobuf.") {
        Some(
            "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value"
            | "BoolValue" | "StringValue" | "BytesValue",
        ) => Known::Wrapper,
        Some("Struct" | "Value" | "ListValue") => Known::Json,
        Some("Empty") => Known::Empty,
        _ => Known::Message,
    }
}
