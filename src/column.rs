//! What a file says of its columns: [`Reader::columns`](crate::Reader::columns),
//! [`Reader::zone_map`](crate::Reader::zone_map).

pub use crate::dialect::{ColumnInfo, FirstValue};
pub use crate::storage::value_type::ValueType;
pub use crate::storage::zone_map::{Bound, Zone, ZoneMap};
