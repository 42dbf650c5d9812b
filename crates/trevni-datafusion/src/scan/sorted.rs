//! Files in the order of their bounds, for queries that sort.

use datafusion::arrow::datatypes::Schema;
use datafusion::common::ScalarValue;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::physical_expr::PhysicalSortExpr;
use datafusion::physical_expr::expressions::Column;
use std::cmp::Ordering;

/// The column that rows are sorted by first.
#[derive(Clone, Debug)]
pub(super) struct First {
    /// Its number in the files of the table.
    column: usize,
    descending: bool,
}

impl First {
    /// `None` for what is no column of the files.
    pub(super) fn of(order: &PhysicalSortExpr, files: &Schema) -> Option<Self> {
        let name = order.expr.downcast_ref::<Column>()?.name();
        let column = files.index_of(name).ok()?;
        Some(Self { column, descending: order.options.descending })
    }

    /// Sorts files: those that may have the first rows come first, those without bounds last.
    pub(super) fn sort(&self, files: &mut [PartitionedFile]) {
        files.sort_by(|one, two| match (self.bound(one), self.bound(two)) {
            (Some(one), Some(two)) => {
                let order = one.partial_cmp(two).unwrap_or(Ordering::Equal);
                if self.descending { order.reverse() } else { order }
            }
            (one, two) => two.is_some().cmp(&one.is_some()),
        });
    }

    fn bound<'f>(&self, file: &'f PartitionedFile) -> Option<&'f ScalarValue> {
        let statistics = file.statistics.as_ref()?.column_statistics.get(self.column)?;
        let bound = if self.descending { &statistics.max_value } else { &statistics.min_value };
        bound.get_value().filter(|value| !value.is_null())
    }
}
