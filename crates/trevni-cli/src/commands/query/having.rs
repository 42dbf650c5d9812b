//! Conditions on groups.

use crate::failure::Failure;
use trevni_query::aggregate::Aggregate;
use trevni_query::{Binder, Expression, MadeRows, Residual, Scalar, Type};

/// A condition on groups, by the names of columns or by aggregates.
pub(super) struct Having {
    condition: Expression,
    /// The aggregates as they are written, and which of the query's they are.
    aggregates: Vec<(String, usize)>,
}

impl Having {
    /// Reads a condition; aggregates that the query does not have yet are added.
    pub(super) fn parse(text: &str, all: &mut Vec<Aggregate>) -> Result<Self, Failure> {
        let (condition, written) = Expression::of_groups(text)?;
        let mut aggregates = Vec::with_capacity(written.len());
        for text in written {
            let aggregate = Aggregate::parse(&text)?;
            let at = all.iter().position(|own| own.is_same(&aggregate)).unwrap_or(all.len());
            if at == all.len() {
                all.push(aggregate);
            }
            aggregates.push((text, at));
        }
        Ok(Self { condition, aggregates })
    }

    /// The numbers of the groups for which it is true; columns are `keys` keys, then aggregates, with these names.
    pub(super) fn groups(
        &self,
        names: Vec<String>,
        keys: usize,
        columns: &[Vec<Scalar>],
    ) -> Result<Vec<usize>, Failure> {
        let aggregate = |(text, at): &'_ (String, usize)| (text.clone(), keys + at);
        let named = names.into_iter().zip(0..).chain(self.aggregates.iter().map(aggregate));
        let named: Vec<(String, usize)> = named.collect();
        let columns =
            named.iter().filter_map(|(name, at)| Some((name.as_str(), columns.get(*at)?.as_slice())));
        let rows = MadeRows::new(columns)
            .ok_or_else(|| Failure::new("a column of the groups has values of several types"))?;
        let bound = self.condition.bind(&Binder::new(rows.shape()))?;
        if !matches!(bound.kind, Type::Boolean | Type::Null) {
            return Err(self
                .condition
                .wrong(&format!("this is {}, not a condition", bound.kind.name()))
                .into());
        }
        Ok(Residual::rows(&bound, &rows.scope())?.into_iter().map(|row| row as usize).collect())
    }
}
