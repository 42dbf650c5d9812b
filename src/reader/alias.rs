//! Other names of fields: what files call them.

use super::Reader;
use crate::error::{Error, Result};
use crate::path::{Found, Root, find, parse};
use crate::shape::Shape;
use crate::tree::{NodeId, Projection, node_of};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// A path, and the one that some files have for the same field.
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    pub(crate) new: String,
    pub(crate) old: String,
}

impl Alias {
    /// The nodes that get another name, with this; empty where the new path is there already, or the old one is not.
    ///
    /// # Errors
    ///
    /// Strings that are no paths; an old path to something else than a field, or in another record than the new one.
    pub(super) fn renamed(&self, rows: &Projection) -> Result<HashMap<NodeId, String>> {
        let Projection { shape, tree, .. } = rows;
        let (new, old) = (parse(&self.new)?, parse(&self.old)?);
        let Some((name, around)) = new.split_last() else {
            return Err(self.wrong("the row itself has no name"));
        };
        let root = Root::Shape(shape);
        if find(root, &new).is_ok() {
            return Ok(HashMap::new());
        }
        let nodes = |found: &[Found<'_>]| found.iter().map(|found| node_of(tree, found)).collect::<Vec<_>>();
        let (around, found) = (find(root, around).unwrap_or_default(), find(root, &old).unwrap_or_default());
        let around = nodes(&around);
        for found in &found {
            let mut record = found.clone();
            let is_field = record.pop().is_some_and(|step| step.is_field());
            if !is_field {
                return Err(self.wrong("only fields of records have other names"));
            }
            if !around.contains(&node_of(tree, &record)) {
                return Err(self.wrong(
                    "they differ in more than the last name: a field gets another name in its record",
                ));
            }
        }
        Ok(nodes(&found).into_iter().map(|id| (id, name.text().to_owned())).collect())
    }

    #[cold]
    fn wrong(&self, why: &str) -> Error {
        Error::option(format!("{:?} cannot be what {:?} is called: {why}", self.new, self.old))
    }

    /// Whether rows have the new path.
    pub(crate) fn is_in(&self, shape: &Shape) -> bool {
        parse(&self.new).is_ok_and(|names| find(Root::Shape(shape), &names).is_ok())
    }
}

impl Reader<'_> {
    /// A reader in which the field that the file calls by the old path has the new one.
    ///
    /// # Errors
    ///
    /// As [`ReaderBuilder::alias`](super::ReaderBuilder::alias); a filter, whose paths are those of before.
    pub(crate) fn aliased(&self, alias: &Alias) -> Result<Self> {
        let names = alias.renamed(&self.schema.whole)?;
        if names.is_empty() {
            return Ok(self.clone());
        }
        if self.filter.is_some() {
            return Err(Error::option("other names of fields come before filters, which name fields"));
        }
        let (schema, part) = (self.schema.renamed(&names), self.part.renamed(&names));
        let columns = Arc::new(OnceLock::new());
        Ok(Self { schema: Arc::new(schema), part, columns, ..self.clone() })
    }
}
