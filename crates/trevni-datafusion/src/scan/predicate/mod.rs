//! Conditions of the engine as predicates of the library, which skip blocks and decode less.
//!
//! A predicate may be true for more rows than its condition: then it is not exact, and the condition is evaluated too. Comparisons
//! differ for floating-point numbers: the engine orders them by their bits, with NaN at both ends and -0 below 0, the library as Rust does.

mod field;
mod value;

use super::paths::of_field;
use datafusion::arrow::datatypes::Schema;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{
    BinaryExpr, InListExpr, IsNotNullExpr, IsNullExpr, LikeExpr, Literal, NotExpr,
};
use datafusion::scalar::ScalarValue;
use field::{Field, Kind};
use std::sync::Arc;
use trevni::{Predicate, Shape};

/// A predicate that is true for all rows that fulfil a condition.
pub(super) struct Translated {
    pub(super) predicate: Predicate,
    /// Whether it is true for no others, and unknown where the condition is null.
    pub(super) is_exact: bool,
}

/// Whether a condition on the rows of a table is an exact predicate on its files.
pub(super) fn is_exact(expr: &Arc<dyn PhysicalExpr>, table: &TableSchema) -> bool {
    let rows = Rows { schema: table.file_schema(), shape: None };
    rows.translate(expr).is_some_and(|found| found.is_exact)
}

/// The rows that conditions are about.
#[derive(Clone, Copy)]
pub(super) struct Rows<'r> {
    pub(super) schema: &'r Schema,
    /// Of a file; before files are known, what Arrow's types suggest.
    pub(super) shape: Option<&'r Shape>,
}

impl Rows<'_> {
    /// The predicate of a condition, if there is one.
    pub(super) fn translate(self, expr: &Arc<dyn PhysicalExpr>) -> Option<Translated> {
        if let Some(binary) = expr.downcast_ref::<BinaryExpr>() {
            return match binary.op() {
                Operator::And => self.both(binary),
                Operator::Or => self.either(binary),
                op => self.comparison(binary.left(), *op, binary.right()),
            };
        }
        if let Some(not) = expr.downcast_ref::<NotExpr>() {
            let inner = self.translate(not.arg()).filter(|inner| inner.is_exact)?;
            return Some(exact(!inner.predicate));
        }
        if let Some(null) = expr.downcast_ref::<IsNullExpr>() {
            return Some(exact(self.field(null.arg())?.col().is_null()));
        }
        if let Some(value) = expr.downcast_ref::<IsNotNullExpr>() {
            return Some(exact(self.field(value.arg())?.col().is_not_null()));
        }
        if let Some(list) = expr.downcast_ref::<InListExpr>() {
            return self.list(list);
        }
        if let Some(like) = expr.downcast_ref::<LikeExpr>() {
            return self.like(like);
        }
        let field = self.field(expr).filter(|field| field.kind == Kind::Boolean)?;
        Some(exact(field.col().eq(true)))
    }

    /// Of two conditions that must both be true, one is enough to read less.
    fn both(self, binary: &BinaryExpr) -> Option<Translated> {
        Some(match (self.translate(binary.left()), self.translate(binary.right())) {
            (Some(one), Some(two)) => Translated {
                predicate: one.predicate & two.predicate,
                is_exact: one.is_exact && two.is_exact,
            },
            (Some(found), None) | (None, Some(found)) => Translated { is_exact: false, ..found },
            (None, None) => return None,
        })
    }

    fn either(self, binary: &BinaryExpr) -> Option<Translated> {
        let (one, two) = (self.translate(binary.left())?, self.translate(binary.right())?);
        Some(Translated { predicate: one.predicate | two.predicate, is_exact: one.is_exact && two.is_exact })
    }

    fn comparison(
        self,
        left: &Arc<dyn PhysicalExpr>,
        op: Operator,
        right: &Arc<dyn PhysicalExpr>,
    ) -> Option<Translated> {
        match (constant(left), constant(right)) {
            (None, Some(value)) => self.field(left)?.compare(op, value),
            (Some(value), None) => self.field(right)?.compare(op.swap()?, value),
            _ => None,
        }
    }

    fn list(self, list: &InListExpr) -> Option<Translated> {
        let field = self.field(list.expr())?;
        let values =
            list.list().iter().map(|value| field.value(constant(value)?)).collect::<Option<Vec<_>>>()?;
        let is_exact = values.iter().all(|value| field.is_exact(value));
        let predicate = field.col().is_in(values);
        match list.negated() {
            false => Some(Translated { predicate, is_exact }),
            true => is_exact.then(|| exact(!predicate)),
        }
    }

    /// What comes before the first wildcard begins all strings that match; each of the others has what is between two wildcards.
    fn like(self, like: &LikeExpr) -> Option<Translated> {
        let field = self.field(like.expr()).filter(|field| field.kind == Kind::Text)?;
        let pattern = constant(like.pattern())?.try_as_str()??;
        if like.case_insensitive() || pattern.contains('\\') {
            return None;
        }
        let (start, rest) = pattern.split_at(pattern.find(['%', '_'])?);
        let longest = rest.split(['%', '_']).max_by_key(|part| part.len()).unwrap_or_default();
        let (starts, has) = (field.col().starts_with(start), field.col().contains(longest));
        let (predicate, is_exact) = match (start.is_empty(), longest.is_empty()) {
            (false, true) => (starts, rest == "%"),
            (false, false) => (starts & has, false),
            (true, _) => (
                has,
                rest.strip_prefix('%').and_then(|rest| rest.strip_suffix('%')) == Some(longest)
                    || rest == "%",
            ),
        };
        match like.negated() {
            false => Some(Translated { predicate, is_exact }),
            true => is_exact.then(|| exact(!predicate)),
        }
    }

    fn field(self, expr: &Arc<dyn PhysicalExpr>) -> Option<Field> {
        Field::of(&of_field(expr, self.schema)?, self)
    }
}

fn exact(predicate: Predicate) -> Translated {
    Translated { predicate, is_exact: true }
}

fn constant(expr: &Arc<dyn PhysicalExpr>) -> Option<&ScalarValue> {
    expr.downcast_ref::<Literal>().map(Literal::value)
}
