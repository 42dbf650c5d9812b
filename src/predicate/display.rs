//! Predicates as text.

use super::{Comparison, Expression, Literal, Predicate};
use std::fmt;

impl fmt::Display for Predicate {
    /// Readable text, such as `carrier = "AA" and dep_delay > 60`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self, "row")
    }
}

/// Writes a predicate; `own` is shown for the empty path.
fn write(f: &mut fmt::Formatter<'_>, predicate: &Predicate, own: &str) -> fmt::Result {
    let name = |path: &str| if path.is_empty() { own.to_owned() } else { path.to_owned() };
    match &predicate.0 {
        Expression::Compare { path, comparison } => {
            f.write_str(&name(path))?;
            write_comparison(f, comparison)
        }
        Expression::Null { path, not: false } => write!(f, "{} is null", name(path)),
        Expression::Null { path, not: true } => write!(f, "{} is not null", name(path)),
        Expression::Any { path, predicate } => {
            write!(f, "any of {} (", name(path))?;
            write(f, predicate, "item")?;
            f.write_str(")")
        }
        Expression::And(all) => write_joined(f, all, " and ", |part| matches!(part, Expression::Or(_)), own),
        Expression::Or(all) => write_joined(f, all, " or ", |_| false, own),
        Expression::Not(predicate) => {
            f.write_str("not (")?;
            write(f, predicate, own)?;
            f.write_str(")")
        }
    }
}

fn write_joined(
    f: &mut fmt::Formatter<'_>,
    all: &[Predicate],
    between: &str,
    in_brackets: impl Fn(&Expression) -> bool,
    own: &str,
) -> fmt::Result {
    for (number, part) in all.iter().enumerate() {
        if number > 0 {
            f.write_str(between)?;
        }
        if in_brackets(&part.0) {
            f.write_str("(")?;
            write(f, part, own)?;
            f.write_str(")")?;
        } else {
            write(f, part, own)?;
        }
    }
    Ok(())
}

fn write_comparison(f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
    let (word, literal) = match comparison {
        Comparison::Eq(literal) => ("=", literal),
        Comparison::Ne(literal) => ("!=", literal),
        Comparison::Lt(literal) => ("<", literal),
        Comparison::Le(literal) => ("<=", literal),
        Comparison::Gt(literal) => (">", literal),
        Comparison::Ge(literal) => (">=", literal),
        Comparison::StartsWith(literal) => ("starts with", literal),
        Comparison::Contains(literal) => ("contains", literal),
        Comparison::Between(low, high) => return write!(f, " between {low} and {high}"),
        Comparison::In(literals) => {
            let literals: Vec<String> = literals.iter().map(Literal::to_string).collect();
            return write!(f, " in ({})", literals.join(", "));
        }
    };
    write!(f, " {word} {literal}")
}
