//! Other names of columns: what some files of a table call them.

use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema};
use datafusion::common::{plan_datafusion_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use std::fmt;
use std::sync::Arc;
use trevni::path::{NamePattern, PathName, Piece, parse, piece};
use trevni::{Reader, ReaderBuilder};

/// Paths, each with what some files call the same field: `user=user_name, address.zip=address.postcode`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Aliases(Arc<[(String, String)]>);

impl Aliases {
    /// Reads pairs of paths with `=` between them and commas after them; in back quotes, these mean nothing.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let wrong = || {
            let message = format!(
                "alias: {text:?} is no list such as \"user=user_name, address.zip=address.postcode\""
            );
            DataFusionError::Configuration(message)
        };
        let (mut pairs, mut new, mut path, mut rest) = (Vec::new(), None, String::new(), text);
        loop {
            let next = piece(rest).map_err(|_| wrong())?;
            let (shown, after) = rest.split_at(next.as_ref().map_or(0, |(_, length)| *length));
            match next {
                Some((Piece::Char('='), _)) if new.is_none() => new = Some(std::mem::take(&mut path)),
                Some((Piece::Char(','), _)) | None => {
                    let new = new.take().ok_or_else(wrong)?;
                    pairs.push((new.trim().to_owned(), std::mem::take(&mut path).trim().to_owned()));
                }
                Some(_) => path.push_str(shown),
            }
            if shown.is_empty() {
                return Ok(Self(pairs.into()));
            }
            rest = after;
        }
    }

    /// Checks that a table has the new paths.
    ///
    /// # Errors
    ///
    /// A path that no file has, under either name.
    pub(crate) fn check(&self, schema: &Schema) -> Result<()> {
        for (new, old) in self.0.iter() {
            let names = parse(new).map_err(|error| plan_datafusion_err!("alias: {error}"))?;
            if !is_in(schema.fields(), &names) {
                return plan_err!("alias: no file has {new:?} or {old:?}");
            }
        }
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Options of a reader.
    pub(crate) fn reader(&self) -> ReaderBuilder {
        self.0.iter().fold(Reader::builder(), |options, (new, old)| options.alias(new, old))
    }
}

/// Whether a path is in fields, whose names may have dots.
fn is_in(fields: &Fields, path: &[PathName]) -> bool {
    let begins = |field: &Arc<Field>, count: usize| {
        let (name, below) = path.split_at(count);
        let is_named = match name {
            [name] => name.text() == field.name(),
            names => PathName::joined(names).is_some_and(|name| name.text() == field.name()),
        };
        is_named && (below.is_empty() || is_below(field.data_type(), below))
    };
    fields.iter().any(|field| (1..=path.len()).any(|count| begins(field, count)))
}

/// Whether a path is in what columns of a type have. What unions have is only known where files are read.
fn is_below(parent: &DataType, path: &[PathName]) -> bool {
    match parent {
        DataType::Struct(fields) => is_in(fields, path),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            is_below(item.data_type(), path)
        }
        DataType::Map(..) | DataType::Union(..) => true,
        _ => false,
    }
}

impl fmt::Display for Aliases {
    /// As [`parse`](Self::parse) takes them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self.0.iter().map(|(new, old)| format!("{new}={old}")).collect();
        f.write_str(&pairs.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_paths_are_read_and_shown() {
        for text in ["user=user_name", "a=b, c.d=c.`x, y=z`", "`a=b`=c"] {
            assert_eq!(Aliases::parse(text).unwrap().to_string(), text);
        }
        for wrong in ["", "a", "a=b,", "`a=b", "a=b, c"] {
            let error = Aliases::parse(wrong).unwrap_err().to_string();
            assert!(error.contains("user=user_name"), "{wrong}: {error}");
        }
    }

    #[test]
    fn tables_have_the_new_paths() {
        let zip = Field::new("zip", DataType::Utf8, true);
        let address = Field::new("address", DataType::Struct([zip].into_iter().collect()), true);
        let table = Schema::new(vec![Field::new("a.b", DataType::Int32, true), address]);
        for there in ["a.b=c", "`a.b`=c", "address.zip=address.postcode", "address=addr"] {
            Aliases::parse(there).unwrap().check(&table).unwrap();
        }
        for lost in ["a=c", "a.`b`=c", "address.street=address.road", "a.b.c=a.b.d"] {
            assert!(Aliases::parse(lost).unwrap().check(&table).is_err(), "{lost}");
        }
    }
}
