//! What statements without rows did, in a few words.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::array::cast::AsArray;
use datafusion::arrow::datatypes::UInt64Type;
use datafusion::common::TableReference;
use datafusion::logical_expr::{DdlStatement, LogicalPlan, Statement, WriteOp};
use datafusion::prelude::SessionContext;
use trevni_print::human::count;

/// What a statement gives.
pub(super) enum Kind {
    /// Rows to print.
    Rows,
    /// The number of rows that it wrote, or removed.
    Changed(&'static str),
    /// Nothing: it did something.
    Done(Done),
}

/// What was done.
pub(super) enum Done {
    Created(&'static str, TableReference),
    Dropped(&'static str, String),
    Set(String, String),
    Other,
}

impl Kind {
    pub(super) fn of(plan: &LogicalPlan) -> Self {
        match plan {
            LogicalPlan::Dml(statement) if matches!(statement.op, WriteOp::Delete | WriteOp::Truncate) => {
                Self::Changed("removed")
            }
            LogicalPlan::Dml(_) | LogicalPlan::Copy(_) => Self::Changed("written"),
            LogicalPlan::Ddl(statement) => Self::Done(Done::of(statement)),
            LogicalPlan::Statement(Statement::SetVariable(set)) => {
                Self::Done(Done::Set(set.variable.clone(), set.value.clone()))
            }
            LogicalPlan::Statement(Statement::Execute(_)) => Self::Rows,
            LogicalPlan::Statement(_) => Self::Done(Done::Other),
            _ => Self::Rows,
        }
    }
}

impl Done {
    fn of(statement: &DdlStatement) -> Self {
        match statement {
            DdlStatement::CreateExternalTable(made) => Self::Created("table", made.name.clone()),
            DdlStatement::CreateMemoryTable(made) => Self::Created("table", made.name.clone()),
            DdlStatement::CreateView(made) => Self::Created("view", made.name.clone()),
            DdlStatement::DropTable(dropped) => Self::Dropped("table", dropped.name.to_string()),
            DdlStatement::DropView(dropped) => Self::Dropped("view", dropped.name.to_string()),
            _ => Self::Other,
        }
    }

    /// What people are told: `table flights: 8 columns`.
    pub(super) async fn tell(self, session: &SessionContext) -> Option<String> {
        match self {
            Self::Created(kind, name) => {
                let table = session.table_provider(name.clone()).await.ok()?;
                let columns = table.schema().fields().len() as u64;
                Some(format!("{kind} {name}: {}", count(columns, "column")))
            }
            Self::Dropped(kind, name) => Some(format!("{kind} {name} is gone")),
            Self::Set(name, value) => Some(format!("{name} is {value}")),
            Self::Other => None,
        }
    }
}

/// The rows that a statement wrote or removed, as its only row says.
pub(super) fn rows_changed(batch: &RecordBatch) -> u64 {
    let count = batch.columns().first().and_then(|column| column.as_primitive_opt::<UInt64Type>());
    count.map_or(0, |counts| counts.values().iter().sum())
}
