//! What a scan counts, for `EXPLAIN ANALYZE`.

use crate::input::Counts;
use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder, Time};

/// Counts of one partition.
#[derive(Clone, Debug)]
pub(super) struct ScanMetrics {
    /// Bytes that are read of files, and requests to stores that are no local files.
    pub(super) counts: Counts,
    pub(super) files_pruned: Count,
    /// Columns of files that are read, those of lengths too.
    pub(super) columns_read: Count,
    /// Blocks of these columns that zone maps exclude, of all their blocks.
    pub(super) blocks_skipped: Count,
    pub(super) blocks_total: Count,
    pub(super) filters_in_reader: Count,
    pub(super) filter_errors: Count,
    pub(super) decode_time: Time,
}

impl ScanMetrics {
    pub(super) fn new(metrics: &ExecutionPlanMetricsSet, partition: usize) -> Self {
        let count = |name: &'static str| MetricBuilder::new(metrics).counter(name, partition);
        Self {
            counts: Counts { bytes: count("bytes_scanned"), requests: count("requests") },
            files_pruned: count("files_pruned"),
            columns_read: count("columns_read"),
            blocks_skipped: count("blocks_skipped"),
            blocks_total: count("blocks_total"),
            filters_in_reader: count("filters_in_reader"),
            filter_errors: count("filter_errors"),
            decode_time: MetricBuilder::new(metrics).subset_time("decode_time", partition),
        }
    }
}
