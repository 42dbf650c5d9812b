//! The order of a file's rows, where zone maps prove it.

use super::Flat;
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
use std::sync::Arc;
use trevni::column::{Bound, Zone};

/// The order of rows that ascend by some columns of a table, in the order of the table: rows that ascend by each of several columns
/// ascend by all of them.
pub(super) fn by(table: &Schema, ascends: impl Fn(&str) -> bool) -> Option<LexOrdering> {
    let options = SortOptions { descending: false, nulls_first: false };
    let ascending = table.fields().iter().enumerate().filter(|(_, field)| ascends(field.name()));
    LexOrdering::new(
        ascending.map(|(number, field)| {
            PhysicalSortExpr::new(Arc::new(Column::new(field.name(), number)), options)
        }),
    )
}

/// Whether the values of a column ascend in Arrow's order, and are not all the same.
pub(super) fn ascends(column: &Flat, data_type: &DataType) -> bool {
    let Some(map) = column.zones.as_ref().filter(|map| map.ascending && !column.is_optional) else {
        return false;
    };
    let (Some(first), Some(last)) = (map.zones.first(), map.zones.last()) else { return false };
    let differ = first.min != last.max;
    differ
        && match data_type {
            DataType::Boolean | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
            DataType::UInt64 => matches!(first.min, Some(Bound::Integer(0..))),
            DataType::Date32 | DataType::Date64 | DataType::Time32(_) | DataType::Time64(_) => true,
            DataType::Timestamp(..) | DataType::Duration(_) => true,
            DataType::Float32 | DataType::Float64 => !map.zones.iter().any(may_have_zeros),
            other => other.is_integer(),
        }
}

/// Zeros of both signs are equal in zone maps, and ordered in Arrow.
fn may_have_zeros(zone: &Zone) -> bool {
    match (&zone.min, &zone.max) {
        (Some(Bound::Float(min)), Some(Bound::Float(max))) => *min <= 0.0 && *max >= 0.0,
        _ => true,
    }
}
