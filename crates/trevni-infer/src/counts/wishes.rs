//! What the user wants at some paths: types, maps, structs.

use super::wanted::WantedType;
use crate::Error;
use crate::plan::Part;
use std::collections::BTreeMap;
use std::sync::Arc;
use trevni::path::{PathName, Piece, parse, piece};

/// What objects are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objects {
    Map,
    Struct,
}

/// What is wanted at a path, and below it.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// The type; neither map nor struct, and none that is to be found.
    pub(crate) kind: Option<WantedType>,
    pub(crate) objects: Option<Objects>,
    /// The logical types of strings are to be found.
    pub(crate) auto: bool,
    /// And so it is everywhere.
    everywhere: bool,
    below: BTreeMap<Part, Arc<Wish>>,
}

/// The name of the values of a map.
const VALUES: &str = "value";
/// The path that matches every field.
const ALL: &str = "*";

impl Wish {
    /// What is wanted of a field.
    pub(crate) fn of_field(self: &Arc<Self>, name: &str) -> Option<Arc<Self>> {
        self.found(self.below.get(&Part::Name(name.to_owned())))
    }

    /// What is wanted of the items of lists: paths pass through lists.
    pub(crate) fn of_items(self: &Arc<Self>) -> Arc<Self> {
        let items = self.below.get(&Part::Items);
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
        self.found(self.below.get(&Part::Name(VALUES.to_owned())))
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
    pub(crate) fn add(&mut self, path: &str, kind: &WantedType, cells: bool) -> Result<(), Error> {
        if path == ALL && *kind == WantedType::Auto {
            (self.auto, self.everywhere) = (true, true);
            return Ok(());
        }
        let mut at = self;
        for part in if cells { cell(path)? } else { parts(path)? } {
            at = Arc::make_mut(at.below.entry(part).or_default());
        }
        let is_given = match kind {
            WantedType::Map | WantedType::Struct => at.objects.is_some(),
            _ => at.kind.is_some() || at.auto,
        };
        if is_given {
            return Err(Error::usage(format!("{path} is given two types")));
        }
        match kind {
            WantedType::Map => at.objects = Some(Objects::Map),
            WantedType::Struct => at.objects = Some(Objects::Struct),
            WantedType::Auto => at.auto = true,
            kind => at.kind = Some(kind.clone()),
        }
        Ok(())
    }

    /// All paths at which something is wanted.
    pub(crate) fn paths(&self) -> Vec<Vec<&Part>> {
        let is_wanted = self.kind.is_some() || self.objects.is_some() || (self.auto && !self.everywhere);
        let own = is_wanted.then(Vec::new);
        let below = self.below.iter().flat_map(|(name, wish)| {
            wish.paths().into_iter().map(move |mut path| {
                path.insert(0, name);
                path
            })
        });
        own.into_iter().chain(below).collect()
    }
}

/// The parts of a path, whose dots all separate names; `.` is the row.
fn parts(path: &str) -> Result<Vec<Part>, Error> {
    if path == "." {
        return Ok(Vec::new());
    }
    let (mut parts, mut name, mut rest) = (Vec::new(), None::<String>, path);
    while let Some((piece, length)) = piece(rest).map_err(|error| Error::usage(error.to_string()))? {
        match piece {
            Piece::Dot => parts.extend(name.take().map(Part::Name)),
            Piece::Char('[') if rest.starts_with("[]") => {
                parts.extend(name.take().map(Part::Name));
                parts.push(Part::Items);
                rest = rest.get(2..).unwrap_or_default();
                continue;
            }
            Piece::Char(own) => name.get_or_insert_default().push(own),
            Piece::Quoted(text) => name.get_or_insert_default().push_str(&text),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    parts.extend(name.map(Part::Name));
    Ok(parts)
}

/// The part of a path that names a column of cells, which are in no other: dots are part of its name.
fn cell(path: &str) -> Result<Vec<Part>, Error> {
    if path == "." {
        return Ok(Vec::new());
    }
    let names = parse(path).map_err(|error| Error::usage(error.to_string()))?;
    let names: Vec<&str> = names.iter().map(PathName::text).collect();
    Ok(vec![Part::Name(names.join("."))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::shown;

    #[test]
    fn paths_are_names_joined_by_dots() {
        let names = |path: &str| parts(path).map(|parts| shown(&parts)).ok();
        for path in ["a.b", "v.`5.5`.x", "tags[]", "tags[][].`[]`", "``.``"] {
            assert_eq!(names(path).as_deref(), Some(path));
        }
        assert_eq!(names(r"v.5\.5.x").unwrap(), "v.`5.5`.x");
        assert_eq!(parts(".").unwrap(), []);
        assert_eq!(names("`a"), None);
        let column = |path: &str| cell(path).unwrap().remove(0);
        for path in ["a.b[]", "`a.b[]`", r"a\.b[]"] {
            assert_eq!(column(path), Part::Name("a.b[]".to_owned()));
        }
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
        assert_eq!(wish.paths().into_iter().map(shown).collect::<Vec<_>>(), ["tags[]", "words.id"]);
        let mut wish = Wish::default();
        wish.add("a.b[]", &WantedType::String, true).unwrap();
        assert_eq!(wish.paths(), [[&Part::Name("a.b[]".to_owned())]]);
    }
}
