//! Columns whose values the engine cannot cast to those of the table: lists and maps of records that have fewer fields, records that
//! have no field in common, unions.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, FieldRef, Fields, Schema, SchemaRef};
use datafusion::common::nested_struct::validate_data_type_compatibility;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::ColumnarValue;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr_adapter::{PhysicalExprAdapter, PhysicalExprAdapterFactory};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use trevni_arrow::cast_array;

/// What is asked of the table as what is asked of a file.
pub(super) struct Adapter {
    /// That of the engine, to which the columns have the types of the table.
    engine: Arc<dyn PhysicalExprAdapter>,
    /// The other columns.
    cast: Fields,
}

impl Adapter {
    pub(super) fn new(
        factory: &dyn PhysicalExprAdapterFactory,
        table: &SchemaRef,
        file: &SchemaRef,
    ) -> Result<Self> {
        let cast = |own: &FieldRef| {
            let field = table.fields().find(own.name()).map(|(_, field)| field)?;
            let (from, to) = (own.data_type(), field.data_type());
            let is_cast = from == to || validate_data_type_compatibility(own.name(), from, to).is_ok();
            (!is_cast).then(|| Arc::clone(field))
        };
        let cast: Fields = file.fields().iter().filter_map(cast).collect();
        let seen = |own: &FieldRef| Arc::clone(cast.find(own.name()).map_or(own, |(_, field)| field));
        let seen = Arc::new(Schema::new(file.fields().iter().map(seen).collect::<Fields>()));
        Ok(Self { engine: factory.create(Arc::clone(table), seen)?, cast })
    }

    pub(super) fn rewrite(&self, expr: Arc<dyn PhysicalExpr>) -> Result<Arc<dyn PhysicalExpr>> {
        let expr = self.engine.rewrite(expr)?;
        if self.cast.is_empty() {
            return Ok(expr);
        }
        let cast = |expr: Arc<dyn PhysicalExpr>| {
            let name = expr.downcast_ref::<Column>().map(Column::name);
            let field = name.and_then(|name| self.cast.find(name)).map(|(_, field)| Arc::clone(field));
            Ok(match field {
                Some(field) => Transformed::yes(Arc::new(CastColumn { column: expr, field }) as _),
                None => Transformed::no(expr),
            })
        };
        expr.transform(cast).data()
    }
}

/// A column as the values of a field of the table.
#[derive(Debug, Eq)]
struct CastColumn {
    column: Arc<dyn PhysicalExpr>,
    field: FieldRef,
}

// Not derived: https://github.com/rust-lang/rust/issues/78808
impl PartialEq for CastColumn {
    fn eq(&self, other: &Self) -> bool {
        self.column.eq(&other.column) && self.field == other.field
    }
}

impl Hash for CastColumn {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.column.hash(state);
        self.field.hash(state);
    }
}

impl fmt::Display for CastColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CAST({} AS {})", self.column, self.field.data_type())
    }
}

impl PhysicalExpr for CastColumn {
    fn data_type(&self, _: &Schema) -> Result<DataType> {
        Ok(self.field.data_type().clone())
    }

    fn nullable(&self, _: &Schema) -> Result<bool> {
        Ok(self.field.is_nullable())
    }

    fn return_field(&self, _: &Schema) -> Result<FieldRef> {
        Ok(Arc::clone(&self.field))
    }

    fn evaluate(&self, batch: &RecordBatch) -> Result<ColumnarValue> {
        let values = self.column.evaluate(batch)?.into_array(batch.num_rows())?;
        let cast = cast_array(&values, self.field.data_type());
        let named = |error| DataFusionError::External(format!("field {}: {error}", self.field.name()).into());
        cast.map(ColumnarValue::Array).map_err(named)
    }

    fn children(&self) -> Vec<&Arc<dyn PhysicalExpr>> {
        vec![&self.column]
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn PhysicalExpr>>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        let column = children.into_iter().next().unwrap_or_else(|| Arc::clone(&self.column));
        Ok(Arc::new(Self { column, field: Arc::clone(&self.field) }))
    }

    fn fmt_sql(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
