//! What the user wants at some paths: types, maps, structs.

use super::wanted::WantedType;
use crate::failure::Failure;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What objects are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Objects {
    Map,
    Struct,
}

/// What is wanted at a path, and below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    /// The type; neither map nor struct, and none that is to be found.
    pub(crate) kind: Option<WantedType>,
    pub(crate) objects: Option<Objects>,
    /// The logical types of texts are to be found.
    pub(crate) auto: bool,
    /// And so it is everywhere.
    everywhere: bool,
    below: BTreeMap<String, Arc<Wish>>,
}

/// The part of a path for the items of a list.
const ITEMS: &str = "[]";
/// The part of a path for the values of a map.
const VALUES: &str = "value";
/// The path that matches every field.
const ALL: &str = "*";

impl Wish {
    /// What is wanted of a field.
    pub(crate) fn of_field(self: &Arc<Self>, name: &str) -> Option<Arc<Self>> {
        self.found(self.below.get(name))
    }

    /// What is wanted of the items of lists: paths pass through lists.
    pub(crate) fn of_items(self: &Arc<Self>) -> Arc<Self> {
        let items = self.below.get(ITEMS);
        match items {
            None if self.kind.is_none() => self.clone(),
            items => Arc::new(Self {
                kind: items.and_then(|items| items.kind.clone()),
                auto: self.auto || items.is_some_and(|items| items.auto),
                ..Self::clone(self)
            }),
        }
    }

    /// What is wanted of the values of maps.
    pub(crate) fn of_values(&self) -> Option<Arc<Self>> {
        self.found(self.below.get(VALUES))
    }

    /// What is wanted at a path and everywhere.
    fn found(&self, here: Option<&Arc<Self>>) -> Option<Arc<Self>> {
        match here {
            Some(here) if self.everywhere => {
                Some(Arc::new(Self { auto: true, everywhere: true, ..Self::clone(here) }))
            }
            Some(here) => Some(here.clone()),
            None => {
                self.everywhere.then(|| Arc::new(Self { auto: true, everywhere: true, ..Self::default() }))
            }
        }
    }

    /// Adds what is wanted at a path; of cells, a path is the name of a column.
    pub(crate) fn add(&mut self, path: &str, kind: &WantedType, cells: bool) -> Result<(), Failure> {
        if path == ALL && *kind == WantedType::Auto {
            (self.auto, self.everywhere) = (true, true);
            return Ok(());
        }
        let mut at = self;
        for part in if cells && path != "." { vec![path.to_owned()] } else { parts(path) } {
            at = Arc::make_mut(at.below.entry(part).or_default());
        }
        let is_given = match kind {
            WantedType::Map | WantedType::Struct => at.objects.is_some(),
            _ => at.kind.is_some() || at.auto,
        };
        if is_given {
            return Err(Failure::usage(format!("{path} is given two types")));
        }
        match kind {
            WantedType::Map => at.objects = Some(Objects::Map),
            WantedType::Struct => at.objects = Some(Objects::Struct),
            WantedType::Auto => at.auto = true,
            kind => at.kind = Some(kind.clone()),
        }
        Ok(())
    }

    /// All paths at which something is wanted, as lists of names.
    pub(crate) fn paths(&self) -> Vec<Vec<&str>> {
        let is_wanted = self.kind.is_some() || self.objects.is_some() || (self.auto && !self.everywhere);
        let own = is_wanted.then(Vec::new);
        let below = self.below.iter().flat_map(|(name, wish)| {
            wish.paths().into_iter().map(move |mut path| {
                path.insert(0, name.as_str());
                path
            })
        });
        own.into_iter().chain(below).collect()
    }
}

/// The names of a path: joined by dots, `\.` for a dot in a name, `[]` for the items of a list; `.` is
/// the row.
fn parts(path: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut characters = path.chars().peekable();
    while let Some(character) = characters.next() {
        let last = parts.len() - 1;
        match character {
            '\\' if characters.peek() == Some(&'.') => parts[last].extend(characters.next()),
            '.' => parts.push(String::new()),
            '[' if characters.peek() == Some(&']') => {
                characters.next();
                parts.push(ITEMS.to_owned());
            }
            other => parts[last].push(other),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_names_joined_by_dots() {
        assert_eq!(parts("a.b"), ["a", "b"]);
        assert_eq!(parts(r"v.5\.5.x"), ["v", "5.5", "x"]);
        assert_eq!(parts("tags[]"), ["tags", "[]"]);
        assert_eq!(parts("."), [""; 0]);
    }

    #[test]
    fn wishes_pass_through_lists() {
        let mut wish = Wish::default();
        wish.add("words.id", &WantedType::String, false).unwrap();
        wish.add("tags[]", &WantedType::Json, false).unwrap();
        assert!(wish.add("words.id", &WantedType::Int64, false).is_err());
        assert!(wish.add("words.id", &WantedType::Auto, false).is_err());
        let wish = Arc::new(wish);
        let words = wish.of_field("words").unwrap().of_items();
        assert_eq!(words.of_field("id").unwrap().kind, Some(WantedType::String));
        let tags = wish.of_field("tags").unwrap();
        assert_eq!((&tags.kind, &tags.of_items().kind), (&None, &Some(WantedType::Json)));
        assert_eq!(wish.paths(), [vec!["tags", "[]"], vec!["words", "id"]]);
        let mut wish = Wish::default();
        wish.add("a.b[]", &WantedType::String, true).unwrap();
        assert_eq!(wish.paths(), [["a.b[]"]]);
    }
}
