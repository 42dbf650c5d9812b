//! Which fields of the rows expressions need: whole columns, or fields of structs that they take out of them.

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::functions::core::getfield::GetFieldFunc;
use datafusion::physical_expr::expressions::{Column, Literal};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The names that lead to a field of the rows.
pub(super) type Path = Vec<String>;

/// The fields that expressions need, by paths of which none leads into another.
pub(super) fn wanted<'e>(
    exprs: impl IntoIterator<Item = &'e Arc<dyn PhysicalExpr>>,
    schema: &Schema,
) -> Vec<Path> {
    let mut paths = BTreeSet::new();
    exprs.into_iter().for_each(|expr| collect(expr, schema, &mut paths));
    let within = |path: &Path| (1..path.len()).any(|len| paths.contains(&path[..len]));
    paths.iter().filter(|path| !within(path)).cloned().collect()
}

fn collect(expr: &Arc<dyn PhysicalExpr>, schema: &Schema, paths: &mut BTreeSet<Path>) {
    match of_field(expr, schema) {
        Some(path) => {
            paths.insert(path);
        }
        None => expr.children().into_iter().for_each(|child| collect(child, schema, paths)),
    }
}

/// The path of a column, or of a field that is taken out of a column of structs.
pub(super) fn of_field(expr: &Arc<dyn PhysicalExpr>, schema: &Schema) -> Option<Path> {
    if let Some(column) = expr.downcast_ref::<Column>() {
        return Some(vec![column.name().to_owned()]);
    }
    let call = ScalarFunctionExpr::try_downcast_func::<GetFieldFunc>(expr.as_ref())?;
    let [base, names @ ..] = call.args() else { return None };
    let column = base.downcast_ref::<Column>()?;
    let mut path = vec![column.name().to_owned()];
    let mut data_type = schema.field_with_name(column.name()).ok()?.data_type();
    for name in names {
        let name = name.downcast_ref::<Literal>()?.value().try_as_str()??;
        let DataType::Struct(fields) = data_type else { return None };
        data_type = fields.find(name)?.1.data_type();
        path.push(name.to_owned());
    }
    Some(path)
}
