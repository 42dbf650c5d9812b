//! A row, or a cell, field by field: nested values as a tree whose parts can be folded.

use super::table::cell;
use crate::shown::shown;
use std::collections::BTreeSet;
use trevni::ValueRef;

/// Lines of a tree at most.
const MOST: usize = 10_000;

/// A field, an item or an entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) depth: usize,
    pub(super) name: String,
    /// The value; of nested ones how much they have.
    pub(super) text: String,
    pub(super) kind: NodeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    Nested,
    Number,
    Text,
    Null,
    /// What says that there is more.
    More,
}

/// A tree, as far as it is unfolded.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) title: String,
    nodes: Vec<Node>,
    folded: BTreeSet<usize>,
    /// The line that the cursor is on, and the first one on the screen.
    pub(super) line: usize,
    pub(super) top: usize,
    /// The place of the row, where it is a whole one.
    pub(super) row: Option<u64>,
}

impl Tree {
    pub(super) fn of(title: String, value: ValueRef<'_>) -> Self {
        let mut nodes = Vec::new();
        if !below(value, 0, &mut nodes) {
            nodes.push(node(0, "value", value));
        }
        Self { title, nodes, ..Self::default() }
    }

    /// The numbers of the nodes that are not in a folded one.
    pub(super) fn lines(&self) -> Vec<(usize, &Node)> {
        let (mut lines, mut hidden_below) = (Vec::new(), None::<usize>);
        for (number, node) in self.nodes.iter().enumerate() {
            if hidden_below.is_some_and(|depth| node.depth > depth) {
                continue;
            }
            hidden_below = self.folded.contains(&number).then_some(node.depth);
            lines.push((number, node));
        }
        lines
    }

    pub(super) fn is_folded(&self, number: usize) -> bool {
        self.folded.contains(&number)
    }

    /// Folds what is on the line of the cursor, or unfolds it.
    pub(super) fn fold(&mut self) {
        let at = self.lines().get(self.line).map(|(number, node)| (*number, node.kind));
        if let Some((number, NodeKind::Nested)) = at
            && !self.folded.remove(&number)
        {
            self.folded.insert(number);
        }
    }

    /// Moves the cursor by lines; `height` of them are on the screen.
    pub(super) fn go(&mut self, by: i64, height: usize) {
        let last = self.lines().len().saturating_sub(1);
        let by_size = usize::try_from(by.unsigned_abs()).unwrap_or(usize::MAX);
        self.line =
            if by < 0 { self.line.saturating_sub(by_size) } else { self.line.saturating_add(by_size) };
        self.line = self.line.min(last);
        self.top = self.top.min(self.line).max((self.line + 1).saturating_sub(height.max(1)));
    }
}

/// Adds what is in a value; false where it has no parts.
fn below(value: ValueRef<'_>, depth: usize, nodes: &mut Vec<Node>) -> bool {
    let mut add = |name: &str, value: ValueRef<'_>| {
        if nodes.len() >= MOST {
            if nodes.last().is_some_and(|last| last.kind != NodeKind::More) {
                let text = "more is not shown".to_owned();
                nodes.push(Node {
                    depth,
                    name: crate::drawing::ellipsis().to_owned(),
                    text,
                    kind: NodeKind::More,
                });
            }
            return false;
        }
        nodes.push(node(depth, name, value));
        below(value, depth + 1, nodes);
        true
    };
    match value {
        ValueRef::Record(record) => {
            let _ = record.iter().all(|(name, value)| add(name, value));
        }
        ValueRef::List(list) => {
            let _ = list.iter().enumerate().all(|(at, value)| add(&format!("[{at}]"), value));
        }
        ValueRef::Map(map) => {
            let _ = map.iter().all(|(key, value)| add(&cell(&key), value));
        }
        _ => return false,
    }
    true
}

fn node(depth: usize, name: &str, value: ValueRef<'_>) -> Node {
    let parts = |count: usize, what: &str| (crate::human::count(count as u64, what), NodeKind::Nested);
    let (text, kind) = match value {
        ValueRef::Record(record) => parts(record.shape().fields.len(), "field"),
        ValueRef::List(list) => parts(list.len(), "item"),
        ValueRef::Map(map) => match map.len() {
            1 => parts(1, "entry"),
            count => (format!("{} entries", crate::human::thousands(count as u64)), NodeKind::Nested),
        },
        value if crate::rows::is_null(&value) => ("null".to_owned(), NodeKind::Null),
        value if value.as_f64().is_some() => (cell(&value), NodeKind::Number),
        value => (cell(&value), NodeKind::Text),
    };
    Node { depth, name: shown(name).into_owned(), text, kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tree(row: serde_json::Value) -> Tree {
        let bytes = trevni::to_vec([row]).unwrap();
        let batch = trevni::Reader::from_slice(&bytes).unwrap().batches().unwrap().next().unwrap().unwrap();
        Tree::of("row".into(), batch.row(0).unwrap())
    }

    fn lines(tree: &Tree) -> Vec<String> {
        let line =
            |(_, node): &(usize, &Node)| format!("{}{}: {}", " ".repeat(node.depth), node.name, node.text);
        tree.lines().iter().map(line).collect()
    }

    #[test]
    fn nested_values_are_unfolded_and_folded() {
        let mut tree = tree(json!({"n": 7, "from": {"gate": 3, "to": null}, "stops": ["a\u{1b}[2J", "b"]}));
        let all = [
            "n: 7",
            "from: 2 fields",
            " gate: 3",
            " to: null",
            "stops: 2 items",
            " [0]: a\\u001b[2J",
            " [1]: b",
        ];
        assert_eq!(lines(&tree), all);
        tree.go(1, 3);
        tree.fold();
        assert_eq!(lines(&tree), [&all[..2], &all[4..]].concat());
        tree.go(100, 3);
        assert_eq!((tree.line, tree.top), (4, 2));
        tree.fold();
        assert_eq!(lines(&tree).len(), 5);
        tree.go(i64::MIN, 3);
        assert_eq!((tree.line, tree.top), (0, 0));
        tree.go(1, 0);
        tree.fold();
        assert_eq!(lines(&tree), all);
    }

    #[test]
    fn long_values_end_somewhere() {
        let tree = tree(json!({"many": vec![1; 30_000]}));
        let lines = tree.lines();
        assert_eq!((lines.len(), lines.last().unwrap().1.kind), (MOST + 1, NodeKind::More));
    }
}
