//! Fields by patterns: `-c a,b.c`, `dep_*`, `!x`.

use super::find::{Found, find};
use super::{FieldPath, Pattern};
use crate::error::Error;
use std::collections::HashSet;
use trevni::Shape;

/// The fields that patterns name, in the order given; `None` where there are no patterns.
///
/// `!pattern` leaves fields out; where no others are named, of all fields.
///
/// # Errors
///
/// A pattern names no field.
pub fn chosen(shape: &Shape, patterns: &[Pattern]) -> Result<Option<Vec<FieldPath>>, Error> {
    let choice = Choice::of([shape], patterns)?;
    Ok(choice.and_then(|choice| choice.fields.into_iter().next()))
}

/// The fields that patterns name in several shapes.
pub struct Choice {
    /// The ones that each shape has.
    pub fields: Vec<Vec<FieldPath>>,
    /// Of all shapes: in the order of the patterns, then as they come.
    pub all: Vec<FieldPath>,
}

impl Choice {
    /// `None` where there are no patterns. What a pattern names must be in one of the shapes.
    ///
    /// # Errors
    ///
    /// A pattern names no field of any shape.
    pub fn of<'s>(
        shapes: impl IntoIterator<Item = &'s Shape>,
        patterns: &[Pattern],
    ) -> Result<Option<Self>, Error> {
        if patterns.is_empty() {
            return Ok(None);
        }
        let mut choosing: Vec<Choosing<'_>> = shapes.into_iter().map(Choosing::new).collect();
        if patterns.iter().all(|pattern| pattern.leaves_out) {
            choosing.iter_mut().for_each(Choosing::take_all);
        }
        for (number, pattern) in patterns.iter().enumerate() {
            let (mut is_there, mut failed) = (false, None);
            for choosing in &mut choosing {
                match choosing.apply(number, pattern) {
                    Ok(()) => is_there = true,
                    Err(failure) => failed = failed.or(Some(failure)),
                }
            }
            if let (false, Some(failure)) = (is_there, failed) {
                return Err(failure);
            }
        }
        let mut seen = HashSet::new();
        let each = choosing.iter().flat_map(|choosing| &choosing.chosen);
        let mut all: Vec<(usize, FieldPath)> = each.filter(|(_, path)| seen.insert(path)).cloned().collect();
        all.sort_by_key(|(number, _)| *number);
        let paths = |chosen: Vec<(usize, FieldPath)>| chosen.into_iter().map(|(_, path)| path).collect();
        let fields = choosing.into_iter().map(|choosing| paths(choosing.chosen)).collect();
        Ok(Some(Self { fields, all: paths(all) }))
    }
}

/// The fields of one shape that have been chosen so far, each with the number of its pattern.
struct Choosing<'s> {
    row: Found<'s>,
    chosen: Vec<(usize, FieldPath)>,
}

impl<'s> Choosing<'s> {
    fn new(shape: &'s Shape) -> Self {
        Self { row: Found::row(shape), chosen: Vec::new() }
    }

    fn take_all(&mut self) {
        self.chosen = self.row.children().into_iter().map(|child| (0, child.path)).collect();
    }

    fn apply(&mut self, number: usize, pattern: &Pattern) -> Result<(), Error> {
        let found = find(&self.row, &pattern.parts);
        let found = found.map_err(|lost| lost.failure(pattern, &self.row))?;
        if pattern.leaves_out {
            found.iter().for_each(|found| self.leave_out(&found.path));
            return Ok(());
        }
        let before: HashSet<FieldPath> = self.chosen.iter().map(|(_, path)| path.clone()).collect();
        let new = found.into_iter().map(|found| found.path).filter(|path| !before.contains(path));
        self.chosen.extend(new.map(|path| (number, path)));
        Ok(())
    }

    /// Leaves a field out; of one around it, its other parts stay.
    fn leave_out(&mut self, path: &FieldPath) {
        let mut kept = Vec::with_capacity(self.chosen.len());
        for (number, own) in std::mem::take(&mut self.chosen) {
            if !path.is_within(&own) {
                if !own.is_within(path) {
                    kept.push((number, own));
                }
            } else if own != *path {
                let mut others = Vec::new();
                self.others(&own, path, &mut others);
                kept.extend(others.into_iter().map(|path| (number, path)));
            }
        }
        self.chosen = kept;
    }

    /// What is within a field beside a path.
    fn others(&self, own: &FieldPath, path: &FieldPath, out: &mut Vec<FieldPath>) {
        let mut around = Some(self.row.clone());
        for name in own.names() {
            let named = |found: Found<'s>| {
                let children = found.children();
                children.into_iter().find(|child| child.path.names().last() == Some(name))
            };
            around = around.and_then(named);
        }
        for child in around.map_or(Vec::new(), |around| around.children()) {
            if !path.is_within(&child.path) {
                out.push(child.path);
            } else if child.path != *path {
                self.others(&child.path, path, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn shape_of(rows: &[Value]) -> Shape {
        let bytes = trevni::to_vec(rows).unwrap();
        trevni::Reader::from_slice(&bytes).unwrap().shape().clone()
    }

    fn shape() -> Shape {
        shape_of(&[json!({
            "id": 1, "dep_time": 2, "dep_delay": 3,
            "from": {"host": "a", "port": 1},
            "to": [{"host": "b", "hop": {"ms": 1, "at": 2}}],
            "a.b": 4, "a": {"b": 5, "c.d": 6}, "a.x.y": 7, "": {"": 8}, "s*": 9,
        })])
    }

    fn patterns(texts: &[&str]) -> Vec<Pattern> {
        texts.iter().map(|text| Pattern::parse(text).unwrap()).collect()
    }

    fn of(texts: &[&str]) -> Result<Vec<String>, String> {
        let chosen = chosen(&shape(), &patterns(texts)).map(Option::unwrap_or_default);
        let chosen = chosen.map_err(|failure| failure.to_string())?;
        Ok(chosen.iter().map(FieldPath::escaped).collect())
    }

    #[test]
    fn patterns_choose_and_leave_out() {
        let all = ["id", "dep_time", "dep_delay", "from", "to", "`a.b`", "a", "`a.x.y`", "``", "`s*`"];
        assert_eq!(of(&["*"]).unwrap(), all);
        assert_eq!(of(&["dep_*", "id"]).unwrap(), ["dep_time", "dep_delay", "id"]);
        assert_eq!(of(&["!*e*", "!?", "!a*"]).unwrap(), ["id", "from", "to", "``", "`s*`"]);
        assert_eq!(of(&["d*", "!dep_tim?"]).unwrap(), ["dep_delay"]);
        assert_eq!(of(&["*.host"]).unwrap(), ["from.host", "to.host"]);
        assert_eq!(of(&["to.host", "id", "id"]).unwrap(), ["to.host", "id"]);
        assert_eq!(of(&["id", "from", "!from.port"]).unwrap(), ["id", "from.host"]);
        assert_eq!(of(&["to", "!to.hop.ms", "!from"]).unwrap(), ["to.host", "to.hop.at"]);
        assert_eq!(of(&["from", "!from.*"]).unwrap(), [""; 0]);
    }

    #[test]
    fn dots_part_names_where_they_can() {
        assert_eq!(of(&["a.b"]).unwrap(), ["a.b"]);
        assert_eq!(of(&[r"a\.b"]).unwrap(), ["`a.b`"]);
        assert_eq!(of(&["`a.b`"]).unwrap(), ["`a.b`"]);
        assert_eq!(of(&["a.c.d"]).unwrap(), ["a.`c.d`"]);
        assert_eq!(of(&["a.x.y"]).unwrap(), ["`a.x.y`"]);
        assert_eq!(of(&["a.*"]).unwrap(), ["a.b", "a.`c.d`"]);
        assert_eq!(of(&["a.x.*"]).unwrap(), ["`a.x.y`"]);
        assert_eq!(of(&[r"s\*", ".", "``"]).unwrap(), ["`s*`", "``.``", "``"]);
        for wrong in
            [r"a\.c\.d", r"a.b\.c", r"a\.x.y", "`a`.x.y", "*.nothing", "!nothing", "to.hop.host", "id.x"]
        {
            assert!(of(&[wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn wrong_names_are_told_with_near_ones() {
        let error = |text: &str| of(&[text]).unwrap_err();
        assert_eq!(error("dep_tine"), "no field \"dep_tine\"; did you mean \"dep_time\"?");
        assert_eq!(error("to.hop.mss"), "no field \"to.hop.mss\"; did you mean \"to.hop.ms\"?");
        assert_eq!(error("from.x"), "no field \"from.x\"; there are from.host, from.port");
        assert_eq!(error("id.x"), "no field \"id.x\"");
        assert_eq!(error("x*"), "no field matches \"x*\"");
    }

    #[test]
    fn shapes_may_lack_what_another_has() {
        let shapes =
            [shape_of(&[json!({"a": 1, "b": {"c": 2}})]), shape_of(&[json!({"d": 3, "b": {"e": 4}})])];
        let of = |texts: &[&str]| {
            let choice = Choice::of(&shapes, &patterns(texts)).map_err(|failure| failure.to_string());
            let texts = |paths: &[FieldPath]| paths.iter().map(FieldPath::escaped).collect::<Vec<_>>();
            choice.map(|choice| {
                let choice = choice.unwrap();
                (texts(&choice.fields[0]), texts(&choice.fields[1]), texts(&choice.all))
            })
        };
        let (one, two, all) = of(&["d", "b.*", "a"]).unwrap();
        assert_eq!((one.join(" "), two.join(" ")), ("b.c a".to_owned(), "d b.e".to_owned()));
        assert_eq!(all, ["d", "b.c", "b.e", "a"]);
        assert_eq!(of(&["!b"]).unwrap().2, ["a", "d"]);
        assert!(of(&["a", "nothing"]).is_err());
    }
}
