//! Functions that do something with a table: `SELECT * FROM trevni_compact('flights/')`.

use super::url::table_at;
use crate::TrevniFormat;
use crate::commit::{Files, remove_replaced, remove_uncommitted};
use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, RecordBatch, TimestampMillisecondArray, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::catalog::streaming::StreamingTable;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{ScalarValue, plan_err};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::projection::ProjectionExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::physical_plan::{ExecutionPlan, projection::ProjectionExec};
use futures::{StreamExt, stream};
use std::sync::Arc;
use std::time::Duration;

/// What a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Compact,
    Snapshots,
    Clean,
}

impl Function {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Compact, Self::Snapshots, Self::Clean];

    /// How statements call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Compact => "trevni_compact",
            Self::Snapshots => "trevni_snapshots",
            Self::Clean => "trevni_clean",
        }
    }

    fn schema(self) -> SchemaRef {
        let number = |name: &str| Field::new(name, DataType::UInt64, false);
        let time = Field::new("time", DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())), false);
        Arc::new(Schema::new(match self {
            Self::Compact => vec![number("count")],
            Self::Snapshots => {
                vec![number("snapshot"), time, number("parts"), number("rows"), number("bytes")]
            }
            Self::Clean => vec![number("files")],
        }))
    }
}

impl TableFunctionImpl for Function {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let (place, hours) = match (self, args.exprs()) {
            (_, [Expr::Literal(place, _)]) => (place, None),
            (Self::Clean, [Expr::Literal(place, _), Expr::Literal(hours, _)]) => (place, Some(hours)),
            _ => (&ScalarValue::Null, None),
        };
        let hours = match hours {
            None => Some(24 * 7),
            Some(hours) => match hours.cast_to(&DataType::UInt64) {
                Ok(ScalarValue::UInt64(hours)) => hours,
                _ => None,
            },
        };
        let (Some(Some(place)), Some(hours)) = (place.try_as_str(), hours) else {
            let more = if *self == Self::Clean { ", hours" } else { "" };
            return plan_err!("{}('folder/'{more}) takes the folder of a table", self.name());
        };
        let place = if place.ends_with('/') { place.to_owned() } else { format!("{place}/") };
        let call =
            Call { function: *self, place: ListingTableUrl::parse(place)?, hours, schema: self.schema() };
        Ok(match self {
            Self::Compact => Arc::new(call),
            Self::Snapshots | Self::Clean => {
                Arc::new(StreamingTable::try_new(call.function.schema(), vec![Arc::new(call)])?)
            }
        })
    }
}

/// A function with its arguments.
#[derive(Clone, Debug)]
struct Call {
    function: Function,
    place: ListingTableUrl,
    hours: u64,
    schema: SchemaRef,
}

#[async_trait]
impl TableProvider for Call {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Temporary
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        _: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let table = table_at(state, self.place.clone(), TrevniFormat::default()).await?;
        let plan = table.compact(state).await?;
        let schema = plan.schema();
        let column = |number: usize| {
            let name = schema.field(number).name();
            ProjectionExpr::new(Arc::new(Column::new(name, number)), name.clone())
        };
        Ok(match projection {
            None => plan,
            Some(numbers) => {
                Arc::new(ProjectionExec::try_new(numbers.iter().map(|number| column(*number)), plan)?)
            }
        })
    }
}

impl PartitionStream for Call {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let call = self.clone();
        let rows = async move { call.rows(&context).await };
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), stream::once(rows).boxed()))
    }
}

impl Call {
    async fn rows(&self, context: &TaskContext) -> Result<RecordBatch> {
        let (store, folder) = (context.runtime_env().object_store(&self.place)?, self.place.prefix());
        let numbers = |numbers: Vec<u64>| Arc::new(UInt64Array::from(numbers)) as ArrayRef;
        let arrays = match self.function {
            Function::Snapshots => {
                let files = Files {
                    store: &store,
                    cache: Some(context.runtime_env().cache_manager.get_file_metadata_cache()),
                };
                let found = files.described(folder).await?;
                let times = found.iter().map(|found| found.0.last_modified.timestamp_millis());
                let times = TimestampMillisecondArray::from_iter_values(times).with_timezone("UTC");
                let column = |number: usize| numbers(found.iter().map(|found| found.1[number]).collect());
                vec![column(0), Arc::new(times), column(1), column(2), column(3)]
            }
            _ => {
                let age = Duration::from_secs(self.hours.saturating_mul(3600));
                let left = remove_uncommitted(&store, folder, age).await?.parts;
                vec![numbers(vec![(left + remove_replaced(&store, folder, age).await?) as u64])]
            }
        };
        Ok(RecordBatch::try_new(Arc::clone(&self.schema), arrays)?)
    }
}
