//! Where a statement runs: on the cluster, or in this process if it reads what only this process has.

use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{TableReference, plan_err};
use datafusion::datasource::listing::ListingTable;
use datafusion::datasource::source_as_provider;
use datafusion::error::Result;
use datafusion::logical_expr::LogicalPlan;
use trevni_datafusion::TrevniTable;

/// Whether a statement only uses tables of this process: those of `CREATE TABLE … AS` and of table functions.
///
/// # Errors
///
/// A statement that has tables of both kinds.
pub(super) fn is_here(plan: &LogicalPlan) -> Result<bool> {
    let (mut here, mut shared): (Option<TableReference>, Option<TableReference>) = (None, None);
    plan.apply_with_subqueries(|node| {
        let (name, source) = match node {
            LogicalPlan::TableScan(scan) => (&scan.table_name, &scan.source),
            LogicalPlan::Dml(statement) => (&statement.table_name, &statement.target),
            _ => return Ok(TreeNodeRecursion::Continue),
        };
        // Ballista runs what reads the catalog alone here.
        if name.schema() != Some("information_schema") {
            let is_shared = source_as_provider(source).is_ok_and(|table| is_shared(table.as_ref()));
            if is_shared { &mut shared } else { &mut here }.get_or_insert_with(|| name.clone());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    match (here, shared) {
        (Some(here), Some(shared)) => plan_err!(
            "{here} is a table of this process, which the cluster does not see, so it cannot be read together with {shared}: COPY it to files"
        ),
        (here, _) => Ok(here.is_some()),
    }
}

/// Whether a table is of files, which the cluster sees too.
fn is_shared(table: &dyn TableProvider) -> bool {
    table.is::<TrevniTable>() || table.is::<ListingTable>()
}
