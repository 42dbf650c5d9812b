//! Binds functions.

use super::Within;
use crate::calendar::Unit;
use crate::error::Error;
use crate::moment::{DAY, MomentKind};
use crate::scalar::Scalar;
use crate::step::{BoundExpression, Cast, Rounding, Step, TextFunction};
use crate::syntax::{Comparison, Function, Operator, Reference, Syntax};
use crate::time_pattern::TimePattern;
use crate::types::Type;
use regex::Regex;

/// The type of dates.
const DATE: Type = Type::Moment(MomentKind::Date, DAY as i64);

impl Within<'_, '_> {
    pub(super) fn call(
        &self,
        node: &Syntax,
        function: Function,
        parts: &[Syntax],
    ) -> Result<BoundExpression, Error> {
        let Some(first) = parts.first() else {
            return Err(self.wrong(node, "a value expected"));
        };
        let of_number = |round: Rounding| {
            let part = self.number(first)?;
            let kind = if part.kind == Type::Single { Type::Float } else { part.kind };
            Ok::<_, Error>((Step::Round(Box::new(part), round), kind))
        };
        let (step, kind) = match function {
            Function::Len => return self.len(first),
            Function::Lower | Function::Upper => {
                let text = Box::new(self.text(first)?);
                (Step::Case { text, upper: function == Function::Upper }, Type::Text)
            }
            Function::Abs => {
                let part = self.number(first)?;
                let kind = part.kind;
                (Step::Abs(Box::new(part)), kind)
            }
            Function::Round => of_number(Rounding::Nearest(match parts.get(1).map(|node| &node.kind) {
                None => 0,
                Some(Operator::Literal(Scalar::Integer(digits @ -300..=300))) => *digits as i32,
                _ => return Err(self.wrong(node, "the digits of round are a number such as 2")),
            }))?,
            Function::Floor => of_number(Rounding::Down)?,
            Function::Ceil => of_number(Rounding::Up)?,
            Function::DateTrunc => {
                let Some(second) = parts.get(1) else {
                    return Err(
                        self.wrong(node, "date_trunc takes a unit and an instant: date_trunc('month', x)")
                    );
                };
                let unit = self.unit(first)?;
                let part = self.moment(second, unit)?;
                let kind = part.kind;
                (Step::Truncate(Box::new(part), unit), kind)
            }
            Function::Part(unit) => (Step::Part(Box::new(self.moment(first, unit)?), unit), Type::Integer),
            Function::NamedPart => {
                let unit = self.unit(first)?;
                let part = self.moment(parts.get(1).unwrap_or(first), unit)?;
                (Step::Part(Box::new(part), unit), Type::Integer)
            }
            Function::Weekday => (Step::Weekday(Box::new(self.moment(first, Unit::Day)?)), Type::Integer),
            Function::Epoch => (Step::Epoch(Box::new(self.moment(first, Unit::Day)?)), Type::Float),
            Function::Date => match self.moment_of_text(first, MomentKind::Date)? {
                Some(part) => (Step::Cast(Box::new(part), Cast::Date), DATE),
                None => (Step::Date(Box::new(self.moment(first, Unit::Day)?)), DATE),
            },
            Function::Timestamp => {
                let part = match self.moment_of_text(first, MomentKind::Instant)? {
                    Some(part) => part,
                    None => self.checked(first, "a date, an instant in UTC or a string", |kind| {
                        matches!(kind, Type::Moment(MomentKind::Date | MomentKind::Instant, _))
                    })?,
                };
                (Step::Cast(Box::new(part), Cast::Instant), Type::Moment(MomentKind::Instant, 1))
            }
            Function::Format => {
                let part = self.checked(first, "a date, an instant or a time of day", |kind| {
                    matches!(kind, Type::Moment(..))
                })?;
                let kind = match part.kind {
                    Type::Moment(kind, _) => kind,
                    _ => MomentKind::Instant,
                };
                let pattern = self.time_pattern(node, parts, |text| TimePattern::to_format(text, kind))?;
                (Step::Format(Box::new(part), pattern), Type::Text)
            }
            Function::Parse => {
                let part = self.text(first)?;
                let pattern = self.time_pattern(node, parts, TimePattern::to_parse)?;
                (Step::Parse(Box::new(part), pattern), Type::Moment(MomentKind::Instant, 1))
            }
            Function::Coalesce => return self.coalesce(parts),
            Function::If => return self.choice(parts),
            Function::Text | Function::Int | Function::Float => {
                let (cast, kind) = match function {
                    Function::Text => (Cast::Text, Type::Text),
                    Function::Int => (Cast::Integer, Type::Integer),
                    _ => (Cast::Float, Type::Float),
                };
                let is_number = |kind: Type| kind.is_number() || matches!(kind, Type::Text | Type::Boolean);
                let part = match cast {
                    Cast::Text => self.checked(first, "a single value", Type::is_simple)?,
                    _ => self.checked(first, "a number or a string", is_number)?,
                };
                (Step::Cast(Box::new(part), cast), kind)
            }
            Function::Contains if self.is_list(first)? => return self.list_contains(node, first, parts),
            Function::Trim(_)
            | Function::Substr
            | Function::Left
            | Function::Right
            | Function::Replace
            | Function::Contains
            | Function::StartsWith
            | Function::EndsWith
            | Function::Split
            | Function::Extract
            | Function::Concat => return self.text_function(node, function, parts),
        };
        Ok(BoundExpression { step, kind })
    }

    fn len(&self, node: &Syntax) -> Result<BoundExpression, Error> {
        let (step, kind) = match &node.kind {
            Operator::Call(Function::Split, parts) if parts.len() == 2 => {
                let parts = parts.iter().map(|part| self.text(part)).collect::<Result<_, _>>()?;
                (Step::Texts(TextFunction::PartCount, parts), Type::Integer)
            }
            _ => {
                let part = self.checked(node, "a list, map or string", |kind| {
                    matches!(kind, Type::List | Type::Map | Type::Text | Type::Bytes)
                })?;
                (Step::Len(Box::new(part)), Type::Integer)
            }
        };
        Ok(BoundExpression { step, kind })
    }

    fn is_list(&self, node: &Syntax) -> Result<bool, Error> {
        Ok(matches!(node.kind, Operator::Path(_)) && self.bind(node)?.kind == Type::List)
    }

    /// Whether a value is among the items of a list.
    fn list_contains(
        &self,
        node: &Syntax,
        list: &Syntax,
        parts: &[Syntax],
    ) -> Result<BoundExpression, Error> {
        let Some(value) = parts.get(1).filter(|value| matches!(value.kind, Operator::Literal(_))) else {
            return Err(
                self.wrong(node, "a value such as 3 or 'a' expected; or test the items with any(…, …)")
            );
        };
        let item = Syntax { kind: Operator::Path(Reference::of_item()), ..list.clone() };
        let kind = Operator::Compare(Comparison::Equal, Box::new([item, value.clone()]));
        self.items(false, list, &Syntax { kind, ..node.clone() })
    }

    fn text_function(
        &self,
        node: &Syntax,
        function: Function,
        parts: &[Syntax],
    ) -> Result<BoundExpression, Error> {
        let kind = match function {
            Function::Contains | Function::EndsWith => Type::Boolean,
            _ => Type::Text,
        };
        let texts = || parts.iter().map(|part| self.text(part)).collect::<Result<Vec<_>, _>>();
        let (function, parts) = match function {
            Function::Trim(side) => (TextFunction::Trim(side), texts()?),
            Function::Substr | Function::Left | Function::Right => {
                let (text, numbers) = parts.split_first().unwrap_or((node, &[]));
                let mut bound = vec![self.text(text)?];
                for number in numbers {
                    bound.push(self.integer(number)?);
                }
                let function = match function {
                    Function::Substr => TextFunction::Substr,
                    Function::Left => TextFunction::Left,
                    _ => TextFunction::Right,
                };
                (function, bound)
            }
            Function::Replace => (TextFunction::Replace, texts()?),
            Function::Contains => (TextFunction::Contains, texts()?),
            Function::EndsWith => (TextFunction::EndsWith, texts()?),
            Function::Split => match parts {
                [text, separator, part] => {
                    let Operator::Literal(Scalar::Integer(number)) = part.kind else {
                        return Err(self.wrong(part, "a number such as 0 or -1 expected"));
                    };
                    let number =
                        i64::try_from(number).map_err(|_| self.wrong(part, "the index is too large"))?;
                    (TextFunction::Part(number), vec![self.text(text)?, self.text(separator)?])
                }
                _ => {
                    let error =
                        self.wrong(node, "a list of strings: take one by its number, split(x, ',')[0]");
                    return Err(error.with_hint("The last one is [-1]; their number is len(split(x, ','))"));
                }
            },
            Function::Extract => {
                let (regex, group) = self.pattern(node, parts)?;
                (TextFunction::Extract(regex, group), vec![self.text(parts.first().unwrap_or(node))?])
            }
            _ => {
                let simple = |part| self.checked(part, "a single value", Type::is_simple);
                let text = |bound: BoundExpression| match bound.kind {
                    Type::Text | Type::Null => bound,
                    _ => BoundExpression { step: Step::Cast(Box::new(bound), Cast::Text), kind: Type::Text },
                };
                let parts = parts.iter().map(|part| simple(part).map(text)).collect::<Result<_, _>>()?;
                (TextFunction::Concat, parts)
            }
        };
        Ok(BoundExpression { step: Step::Texts(function, parts), kind })
    }

    /// The pattern of `strftime` or `strptime`.
    fn time_pattern(
        &self,
        node: &Syntax,
        parts: &[Syntax],
        tried: impl Fn(&str) -> Result<TimePattern, String>,
    ) -> Result<TimePattern, Error> {
        let pattern = parts.get(1).unwrap_or(node);
        match &pattern.kind {
            Operator::Literal(Scalar::Text(text)) => tried(text).map_err(|error| {
                self.wrong(pattern, &format!("a pattern such as '%d/%m/%Y' expected: {error}"))
            }),
            _ => Err(self.wrong(pattern, "a pattern such as '%d/%m/%Y' expected")),
        }
    }

    /// The pattern and the number of the group of `regexp_extract`.
    fn pattern(&self, node: &Syntax, parts: &[Syntax]) -> Result<(Regex, usize), Error> {
        let pattern = parts.get(1).unwrap_or(node);
        let Operator::Literal(Scalar::Text(text)) = &pattern.kind else {
            return Err(self.wrong(pattern, "a regular expression expected, such as '([0-9]+)'"));
        };
        let regex = Regex::new(text).map_err(|error| Error::regex(self.text, pattern.start, &error))?;
        let groups = regex.captures_len() - 1;
        let group = match parts.get(2).map(|group| &group.kind) {
            None => Some(0),
            Some(Operator::Literal(Scalar::Integer(group))) => usize::try_from(*group).ok(),
            Some(_) => None,
        };
        match group.filter(|group| *group <= groups) {
            Some(group) => Ok((regex, group)),
            None => Err(self.wrong(
                parts.get(2).unwrap_or(node),
                &format!("the number of a group expected: 0 for all that matches, {groups} at most"),
            )),
        }
    }
}
