//! Columns by the fields that they are in.

use super::super::size::ColumnSize;
use std::collections::HashMap;

/// A field with the columns inside, or one column.
pub(super) struct Part<'c> {
    /// The path of the field.
    pub(super) path: String,
    /// How many names of the columns' paths are used up.
    depth: usize,
    /// How many parts it is in.
    level: usize,
    pub(super) bytes: u64,
    /// The largest first.
    pub(super) columns: Vec<&'c ColumnSize>,
}

/// Levels of parts in parts; below, columns are not told apart by their fields.
const LEVELS: usize = 2;

impl<'c> Part<'c> {
    /// The outermost fields of columns, the largest first; columns without bytes are in none.
    pub(super) fn fields(columns: &[&'c ColumnSize]) -> Vec<Self> {
        Self::all(columns, 0, 0)
    }

    /// What it consists of, the largest first.
    pub(super) fn inner(&self) -> Vec<Self> {
        Self::all(&self.columns, self.depth, self.level + 1)
    }

    fn all(columns: &[&'c ColumnSize], depth: usize, level: usize) -> Vec<Self> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut parts: Vec<Self> = Vec::new();
        for column in columns.iter().filter(|column| column.stored > 0) {
            let place = match column.path.get(depth).filter(|_| level < LEVELS) {
                Some(name) => *places.entry(name).or_insert(parts.len()),
                None => parts.len(),
            };
            if place == parts.len() {
                parts.push(Self {
                    path: String::new(),
                    depth: depth + 1,
                    level,
                    bytes: 0,
                    columns: Vec::new(),
                });
            }
            parts[place].bytes += column.stored;
            parts[place].columns.push(column);
        }
        for part in &mut parts {
            part.pass_shared();
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.bytes));
        parts
    }

    /// Goes as deep as all its columns are in one field.
    fn pass_shared(&mut self) {
        let Some((first, others)) = self.columns.split_first() else {
            return;
        };
        let shares = |depth: usize| {
            first
                .path
                .get(depth)
                .is_some_and(|name| others.iter().all(|other| other.path.get(depth) == Some(name)))
        };
        while !others.is_empty() && shares(self.depth) {
            self.depth += 1;
        }
        self.path = first.path.get(..self.depth).map_or_else(|| first.name.clone(), |names| names.join("."));
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::size::Kind;
    use super::*;

    #[test]
    fn columns_are_in_their_fields() {
        let column = |name: &str, stored| ColumnSize {
            name: name.to_owned(),
            path: name.trim_end_matches("[]").split('.').map(str::to_owned).collect(),
            kind: Kind::Text,
            codec: "null".to_owned(),
            stored,
            size: stored,
            blocks: 1,
        };
        let columns = [
            column("a.x.b", 5),
            column("c", 4),
            column("a.x.d", 3),
            column("e[]", 2),
            column("e.f", 1),
            column("g", 0),
        ];
        let columns: Vec<&ColumnSize> = columns.iter().collect();
        let told = |parts: &[Part<'_>]| {
            let told = parts.iter().map(|part| (part.path.clone(), part.bytes, part.columns.len()));
            told.collect::<Vec<_>>()
        };
        let parts = Part::fields(&columns);
        assert_eq!(told(&parts), [("a.x".into(), 8, 2), ("c".into(), 4, 1), ("e".into(), 3, 2)]);
        let inner = |part: &Part<'_>| told(&part.inner());
        assert_eq!(inner(&parts[0]), [("a.x.b".into(), 5, 1), ("a.x.d".into(), 3, 1)]);
        assert_eq!(inner(&parts[2]), [("e[]".into(), 2, 1), ("e.f".into(), 1, 1)]);
    }
}
