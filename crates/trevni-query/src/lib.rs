//! Expressions on the rows of [Trevni](trevni) column files: conditions, values and aggregates.
//!
//! A [`Condition`] selects rows. What the zone maps and filters of the file can decide is pushed down to it, so
//! blocks that cannot match are skipped; the rest is computed a column at a time. An [`Expression`] has a value for
//! each row, and an [`Aggregate`](aggregate::Aggregate) one for each group of rows. Fields are named by
//! [`paths`].
//!
//! ```
//! use serde::Serialize;
//! use trevni_query::aggregate::Aggregate;
//! use trevni_query::{Binder, Condition, Scalar, Scope};
//!
//! #[derive(Serialize)]
//! struct Flight {
//!     carrier: &'static str,
//!     delay: Option<i32>,
//! }
//!
//! let flights = [("AA", Some(80)), ("UA", None), ("AA", Some(20)), ("AA", Some(-3))];
//! let file = trevni::to_vec(flights.map(|(carrier, delay)| Flight { carrier, delay }))?;
//! let reader = trevni::Reader::from_slice(&file)?;
//!
//! let late = Condition::parse("delay > 0 and lower(carrier) = 'aa'")?.filter(&reader)?;
//! assert_eq!(late.matching()?.row_count(), 2);
//!
//! let mean = Aggregate::parse("mean(delay)")?;
//! let mut state = mean.state();
//! state.grow(1);
//! let delay = mean.of.as_ref().map(|of| of.bind(&Binder::new(late.shape()))).transpose()?;
//! for batch in late.batches()? {
//!     let batch = batch?;
//!     let groups = vec![0; batch.len()];
//!     let column = delay.as_ref().map(|delay| delay.evaluate(&Scope::of(&batch))).transpose()?;
//!     state.add(&groups, column.as_ref())?;
//! }
//! assert_eq!(state.values(), [Scalar::Float(50.0)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The language
//!
//! [`LANGUAGE`] is all of it as a page of help.
//!
//! | | |
//! |---|---|
//! | fields | `delay`, `sender.host`, `` `odd name` ``, `a\.b`; `item` for an item of a list, `key` and `value` for an entry of a map |
//! | items and values | `tags[0]`, `hops[-1].host`, `props['user']` |
//! | values | `12`, `-3.5`, `1_000`, `'text'`, `"text"`, `true`, `null` |
//! | conditions | `and`, `or`, `not` (`&&`, `\|\|`, `!`), `=`, `!=`, `<`, `<=`, `>`, `>=`, `between … and …`, `in (…)`, `is null`, `like 'A%'`, `ilike`, `~ 'regex'`, `starts with 'A'`, `ends with`, `contains` |
//! | lists and maps | `any(tags, item = 'x')`, `all(props, value > 3)`, `contains(tags, 'x')`, `len(tags)` |
//! | numbers | `+`, `-`, `*`, `/`, `%`, `abs(x)`, `round(x)`, `round(x, 2)`, `floor(x)`, `ceil(x)` |
//! | strings | `lower(x)`, `upper(x)`, `trim(x)`, `len(x)`, `substr(x, 1, 3)`, `replace(x, 'a', 'b')`, `split(x, ',')[0]`, `regexp_extract(x, '[0-9]+')`, `concat(x, y)` |
//! | choices, types | `if(x > 3, y, z)`, `coalesce(x, y)`, `int(x)`, `float(x)`, `text(x)` |
//! | dates and instants | `when >= '2013-06-01'`, `date_trunc('month', when)`, `year(when)`, `weekday(when)`, `date(when)`, `end - start`, `day + 7` |
//!
//! Paths go through a union's branch that is a record and has the rest of it; where a value of one type is wanted, the
//! branches of a union that have this type are taken, and other values are null.
//!
//! Logic has three values, as in SQL: a comparison with null is unknown, and rows for which a condition is unknown are
//! not selected. Integers are exact, up to 128 bits; what is divided by zero has no value.
//!
//! # Logical types
//!
//! A value of a [logical type](trevni::shape::Logical) compares with values of the same type, with strings that parse as one, and with
//! integers in the unit of the type. A date is the start of its day; instants in UTC and
//! local ones are not compared. Units do not matter.
//!
//! | | |
//! |---|---|
//! | `date_trunc('month', x)` | the start of the year, quarter, month, week (Monday), day, hour, minute or second; of the type of `x` |
//! | `year(x)`, `quarter`, `month`, `week`, `day`, `hour`, `minute`, `second` | a whole number; weeks are those of ISO 8601 |
//! | `date(x)` | the date of an instant; of a string its date, or the date of its instant as written; null where it has no date |
//! | `timestamp(x)` | the instant in UTC of a string, with or without an offset, or the start of a date; null where a string is not an instant |
//! | `x - y` | of two dates whole days; of times and instants seconds, as a float |
//! | `x + 7`, `x - 7` | a date that number of days later or earlier |
//!
//! Instants are taken apart in UTC, local ones as they are. UUIDs are strings, hyphenated and in small letters. Durations
//! are equal or not, and have no order: a month has no certain length. IP addresses are compared as such, v4 before v6, with
//! each other and with strings that are addresses; so are networks. As strings they are cast: `string(x)`.
//!
//! Decimals are numbers. Sums, differences, products and remainders of decimals and integers are exact decimals of any
//! length, and so is `sum(x)`; a quotient, a mean, and what is computed with a float is a float. `0.1` beside a decimal
//! is the decimal.
//!
//! # Design
//!
//! * A path is resolved once, to exact names: by the library's own rule (`trevni::path::find`), to which patterns add
//!   `*`, `?`, `!` and commas.
//! * Conditions are bound to a shape before anything is read, so wrong names and types are reported with their
//!   position.
//! * Functions are a table (`syntax/functions.rs`): names, those of other languages, how many values, how they are
//!   written. A test finds each of them in the page of help.
//! * Instants of all units become nanoseconds in 128 bits, so files of several units are one table.
//! * Keys of sorting are bytes that compare as the values do, null last (`sort_key`), so rows can be sorted outside
//!   memory.

// docs.rs shows the feature that an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod aggregate;
mod bind;
mod calendar;
mod condition;
mod decimal;
mod error;
mod evaluate;
mod expression;
mod ip;
mod moment;
pub mod paths;
mod push_down;
mod scalar;
pub mod sort_key;
mod step;
mod syntax;
#[cfg(feature = "time-patterns")]
mod time_pattern;
#[cfg(not(feature = "time-patterns"))]
#[path = "no_time_pattern.rs"]
mod time_pattern;
mod types;

pub use bind::Binder;
pub use condition::{Condition, Residual};
pub use decimal::Decimal;
pub use error::{Error, ErrorKind};
pub use evaluate::{AccessError, Accessor, Located, MadeRows, ScalarColumn, ScalarValues, Scope, offsets};
pub use expression::{Call, Expression, between_commas};
pub use ip::Ip;
pub use moment::{Moment, MomentKind};
pub use scalar::{Scalar, ScalarRef};
pub use sort_key::SortKey;
pub use step::BoundExpression;
pub use syntax::Reference;
pub use time_pattern::TimePattern;
pub use types::Type;

/// The language as a page of help.
pub const LANGUAGE: &str = include_str!("language.txt");

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
