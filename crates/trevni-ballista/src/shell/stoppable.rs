//! Plans that end when they are told to.
//!
//! A query is stopped where it waits for something. A join may make very many rows of a few, for which it asks no scan, and may take all
//! of them out again: so joins let others have their turn, and their conditions fail once the query is stopped.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{FieldRef, Schema};
use datafusion::common::exec_err;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::error::Result;
use datafusion::logical_expr::ColumnarValue;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, NestedLoopJoinExecBuilder};
use datafusion::physical_plan::unnest::UnnestExec;
use datafusion::physical_plan::{ExecutionPlan, PhysicalExpr};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A plan that ends soon after the switch is on.
pub(super) fn stoppable(
    plan: Arc<dyn ExecutionPlan>,
    stopped: &Arc<AtomicBool>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let change = |node: Arc<dyn ExecutionPlan>| {
        if !node.name().ends_with("JoinExec") && !node.is::<UnnestExec>() {
            return Ok(Transformed::no(node));
        }
        let node: Arc<dyn ExecutionPlan> = if let Some(join) = node.downcast_ref::<NestedLoopJoinExec>() {
            let filter = join.filter().map(|filter| conditional(filter, stopped));
            Arc::new(NestedLoopJoinExecBuilder::from(join).with_filter(filter).build()?)
        } else if let Some(join) = node.downcast_ref::<HashJoinExec>().filter(|join| join.filter().is_some())
        {
            let filter = join.filter().map(|filter| conditional(filter, stopped));
            Arc::new(join.builder().with_filter(filter).build()?)
        } else {
            node
        };
        Ok(Transformed::yes(Arc::new(CooperativeExec::new(node)) as Arc<dyn ExecutionPlan>))
    };
    plan.transform_up(change).data()
}

fn conditional(filter: &JoinFilter, stopped: &Arc<AtomicBool>) -> JoinFilter {
    let condition = Condition { own: Arc::clone(filter.expression()), stopped: Arc::clone(stopped) };
    JoinFilter::new(Arc::new(condition), filter.column_indices().to_vec(), Arc::clone(filter.schema()))
}

/// A condition that fails once the query is stopped.
#[derive(Debug)]
struct Condition {
    own: Arc<dyn PhysicalExpr>,
    stopped: Arc<AtomicBool>,
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.own.eq(&other.own)
    }
}

impl Eq for Condition {}

impl Hash for Condition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.own.hash(state);
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.own.fmt(f)
    }
}

impl PhysicalExpr for Condition {
    fn return_field(&self, schema: &Schema) -> Result<FieldRef> {
        self.own.return_field(schema)
    }

    fn evaluate(&self, batch: &RecordBatch) -> Result<ColumnarValue> {
        match self.stopped.load(Ordering::Relaxed) {
            true => exec_err!("the query was stopped"),
            false => self.own.evaluate(batch),
        }
    }

    fn children(&self) -> Vec<&Arc<dyn PhysicalExpr>> {
        vec![&self.own]
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn PhysicalExpr>>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        let own = children.into_iter().next().unwrap_or_else(|| Arc::clone(&self.own));
        Ok(Arc::new(Self { own, stopped: Arc::clone(&self.stopped) }))
    }

    fn fmt_sql(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.own.fmt_sql(f)
    }
}
