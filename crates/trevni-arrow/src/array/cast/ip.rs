//! Widens IP addresses of one family to those of any family: the only fixed-size binaries of two sizes that join.

use crate::error::{Error, Result};
use arrow_array::builder::FixedSizeBinaryBuilder;
use arrow_array::{Array, ArrayRef, FixedSizeBinaryArray};
use arrow_schema::DataType;
use std::sync::Arc;

/// Addresses, or networks, whose last byte is a prefix, with their family and with zeros after an address of 4 bytes.
pub(super) fn widened(values: &FixedSizeBinaryArray, size: i32, to: &DataType) -> Result<ArrayRef> {
    let DataType::FixedSizeBinary(all) = to else {
        return Err(Error::internal("IP addresses become what has no size"));
    };
    let (family, bytes) = if size < 16 { (4, 4) } else { (6, 16) };
    let mut made = FixedSizeBinaryBuilder::with_capacity(values.len(), *all);
    for row in 0..values.len() {
        if values.is_null(row) {
            made.append_null();
            continue;
        }
        let (address, prefix) = values.value(row).split_at_checked(bytes).unwrap_or_default();
        let mut value = vec![family];
        value.extend_from_slice(address);
        value.resize(17, 0);
        value.extend_from_slice(prefix);
        made.append_value(&value)?;
    }
    Ok(Arc::new(made.finish()))
}
