//! An Arrow schema as the JSON that a file keeps, so that the same types come back: `docs/arrow.md` describes it.

mod read;
mod types;
mod write;

pub(crate) use read::read;
pub(crate) use write::{children, is_ordered, write};

/// Key of a file's metadata for the Arrow schema of the rows.
pub const ARROW_SCHEMA: &str = "arrow.schema";

/// The names of the properties.
mod key {
    pub(super) const FIELDS: &str = "fields";
    pub(super) const METADATA: &str = "metadata";
    pub(super) const NAME: &str = "name";
    pub(super) const TYPE: &str = "type";
    pub(super) const NULLABLE: &str = "nullable";
    pub(super) const CHILDREN: &str = "children";
    pub(super) const ORDERED: &str = "ordered";
}

#[cfg(test)]
mod tests;
