//! A part of the columns, by a schema that has a part of the fields.

use super::leaf::is_decimal;
use super::plan::member;
use super::wanted::{self, Wanted};
use super::written::{Kind, Written, what};
use crate::error::{Error, Result};
use std::collections::BTreeSet;

/// The columns of the fields that a schema has.
pub(super) fn columns(written: &Written, wanted: &Wanted, path: &str) -> Result<BTreeSet<usize>> {
    match (&written.kind, &wanted.kind) {
        (Kind::Optional(item), wanted::Kind::Optional(wanted)) => columns(item, wanted, path),
        (Kind::Optional(item), _) => columns(item, wanted, path),
        (_, wanted::Kind::Optional(wanted)) => columns(written, wanted, path),
        (Kind::Record { is_interval: true, .. }, wanted::Kind::Record { .. })
        | (Kind::Members(_), wanted::Kind::Union(_)) => Ok(written.left()),
        (Kind::Record { fields, .. }, wanted::Kind::Record { fields: wanted, .. }) => {
            let mut found = BTreeSet::new();
            for field in wanted {
                let path = member(path, &field.name);
                let Some((_, written)) = fields.iter().find(|(name, _)| *name == field.name) else {
                    return Err(Error::NoField(path));
                };
                found.extend(columns(written, &field.wanted, &path)?);
            }
            if found.is_empty() && !path.is_empty() {
                return Err(Error::unresolved(path, "a record without fields cannot be read"));
            }
            Ok(found)
        }
        (Kind::List(item), wanted::Kind::List(wanted)) => columns(item, wanted, path),
        (Kind::Map(entry), wanted::Kind::Map(wanted)) => {
            let mut found = entry.0.left();
            found.extend(columns(&entry.1, &wanted.1, &member(path, "value"))?);
            Ok(found)
        }
        (Kind::Leaf { shape, is_symbol, .. }, _) if is_same(shape, *is_symbol, wanted) => Ok(written.left()),
        _ => {
            let types = (written.what(), what(&wanted.shape));
            Err(Error::unresolved(
                path,
                format!("it is {} in the file, not {}; a read schema can say so", types.0, types.1),
            ))
        }
    }
}

/// Whether a type is that of the file. Enums may be strings there.
fn is_same(written: &trevni::Shape, is_symbol: bool, wanted: &Wanted) -> bool {
    let (one, two) = (written.storage().kind(), wanted.shape.storage().kind());
    let are_decimals = is_decimal(written) && is_decimal(&wanted.shape);
    one == two || are_decimals || is_symbol && two == "enum"
}
