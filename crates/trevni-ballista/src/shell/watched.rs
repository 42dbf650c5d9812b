//! How far a query is: the rows that its scans have read.

use datafusion::common::stats::Precision;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use std::sync::Arc;
use trevni_print::progress::Progress;

/// Shows how many rows the scans of a plan have read.
pub(super) struct Watched {
    scans: Vec<Arc<dyn ExecutionPlan>>,
    progress: Progress,
}

impl Watched {
    pub(super) fn new(plan: &Arc<dyn ExecutionPlan>) -> Self {
        let mut scans = Vec::new();
        collect(plan, &mut scans);
        let total = scans.iter().map(rows).sum::<Option<u64>>().unwrap_or(0);
        Self { progress: Progress::rows("reading", total), scans }
    }

    /// Shows how far the scans are now.
    pub(super) fn update(&self) {
        let read = |scan: &Arc<dyn ExecutionPlan>| scan.metrics().and_then(|metrics| metrics.output_rows());
        let read: usize = self.scans.iter().filter_map(read).sum();
        self.progress.set(read as u64);
    }
}

/// The leaves of a plan.
fn collect(plan: &Arc<dyn ExecutionPlan>, out: &mut Vec<Arc<dyn ExecutionPlan>>) {
    if plan.children().is_empty() {
        out.push(Arc::clone(plan));
    }
    for child in plan.children() {
        collect(child, out);
    }
}

/// The rows of a scan, where it knows how many.
fn rows(scan: &Arc<dyn ExecutionPlan>) -> Option<u64> {
    let statistics = StatisticsContext::new().compute(scan.as_ref(), &StatisticsArgs::new()).ok()?;
    match statistics.num_rows {
        Precision::Exact(rows) | Precision::Inexact(rows) => u64::try_from(rows).ok(),
        Precision::Absent => None,
    }
}
