//! Binds choices of values: `if`, `coalesce`.

use super::Within;
use crate::error::Error;
use crate::scalar::Scalar;
use crate::step::{BoundExpression, Step};
use crate::syntax::Syntax;
use crate::types::Type;

impl Within<'_, '_> {
    /// The first value that is there.
    pub(super) fn coalesce(&self, nodes: &[Syntax]) -> Result<BoundExpression, Error> {
        let (parts, kind) = self.alike(nodes)?;
        Ok(BoundExpression { step: Step::Coalesce(parts), kind })
    }

    /// One value where a condition is true, else another, or none.
    pub(super) fn choice(&self, nodes: &[Syntax]) -> Result<BoundExpression, Error> {
        let (condition, values) = nodes.split_at(1.min(nodes.len()));
        let condition = condition.iter().map(|node| self.condition(node)).collect::<Result<Vec<_>, _>>()?;
        let (mut parts, kind) = self.alike(values)?;
        if parts.len() == 1 {
            parts.push(BoundExpression { step: Step::Constant(Scalar::Null), kind: Type::Null });
        }
        parts.splice(0..0, condition);
        Ok(BoundExpression { step: Step::If(parts), kind })
    }

    /// Values of one type; constants become those of a logical type where the others are.
    fn alike(&self, nodes: &[Syntax]) -> Result<(Vec<BoundExpression>, Type), Error> {
        let simple = |node| self.checked(node, "a single value", Type::is_simple);
        let mut parts = nodes.iter().map(simple).collect::<Result<Vec<_>, _>>()?;
        let is_constant = |part: &BoundExpression| matches!(part.step, Step::Constant(_));
        let logical = |part: &&BoundExpression| {
            let kind = part.kind;
            matches!(
                kind,
                Type::Moment(..)
                    | Type::Decimal
                    | Type::Uuid
                    | Type::IpAddress
                    | Type::IpNetwork
                    | Type::Duration
                    | Type::Bytes
            )
        };
        if let Some(kind) = parts.iter().filter(|part| !is_constant(part)).find(logical).map(|part| part.kind)
        {
            for (node, part) in nodes.iter().zip(&mut parts) {
                self.fit(node, part, kind)?;
            }
        }
        if let Some(kind) = Type::common(parts.iter().map(|part| part.kind)) {
            return Ok((parts, kind));
        }
        let first = parts.first().map_or(Type::Null, |part| part.kind);
        let differs = |(_, part): &(&Syntax, &BoundExpression)| Type::common([first, part.kind]).is_none();
        let (node, part) = nodes
            .iter()
            .zip(&parts)
            .find(differs)
            .or(nodes.iter().zip(&parts).next_back())
            .ok_or_else(|| Error::query("a value expected"))?;
        let (own, other) = (self.source(node), nodes.first().map_or("", |node| self.source(node)));
        let message = format!("{own} is {}, {other} {}", part.kind.name(), first.name());
        Err(self.wrong(node, &message))
    }
}
