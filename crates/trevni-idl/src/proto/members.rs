//! Names and numbers of the fields of one message.

use crate::names::{Names, identifier, normal};
use std::collections::{HashMap, HashSet};

/// Names of a field: in the message, in JSON where it has to be said, and its number.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) json_name: Option<String>,
    pub(super) number: i32,
}

/// Gives names and numbers to fields, whose names in the shape are all different.
///
/// Names that are valid stay as they are. Others are made valid, and the name in JSON is the one of the shape then. No two
/// names are alike without underscores and capitals, as Protocol Buffers want it because of the names in JSON.
pub(super) fn named(wanted: &[String], scope: &mut Names) -> Vec<Named> {
    let mut alike = HashSet::new();
    let mut take = |name: String| (alike.insert(normal(&name)) && scope.take(&name)).then_some(name);
    let valid = |name: &&String| identifier(name) == **name;
    let mut names: Vec<Option<String>> =
        wanted.iter().map(|name| Some(name).filter(valid).cloned().and_then(&mut take)).collect();
    for (name, wanted) in names.iter_mut().zip(wanted) {
        let bare = identifier(wanted);
        let tries = std::iter::once(bare.clone()).chain((2u64..).map(|number| format!("{bare}_{number}")));
        if name.is_none() {
            *name = tries.into_iter().find_map(&mut take);
        }
    }
    let names: Vec<String> = names.into_iter().flatten().collect();
    let mut uses: HashMap<String, usize> = HashMap::new();
    for (name, wanted) in names.iter().zip(wanted) {
        let follows = json(name);
        if follows != *wanted {
            *uses.entry(wanted.clone()).or_default() += 1;
        }
        *uses.entry(follows).or_default() += 1;
    }
    let mut number = 0;
    let mut out = Vec::with_capacity(names.len());
    for (name, wanted) in names.into_iter().zip(wanted) {
        number += if number == 18_999 { 1_001 } else { 1 };
        let follows = json(&name);
        let is_said = name != *wanted || uses.get(&follows).is_some_and(|uses| *uses > 1);
        // No name in JSON has a character of no width, and none looks like that of an extension.
        let can_be = !wanted.contains('\0') && !wanted.starts_with('[') && !wanted.is_empty();
        let json_name = (is_said && can_be && follows != *wanted).then(|| wanted.clone());
        out.push(Named { name, json_name, number });
    }
    out
}

/// The name in JSON that follows from the name of a field.
fn json(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut starts = false;
    for letter in name.chars() {
        match letter {
            '_' => starts = true,
            letter if std::mem::take(&mut starts) => out.push(letter.to_ascii_uppercase()),
            letter => out.push(letter),
        }
    }
    out
}

/// The names of the values of an enum: valid, unique in the message, and different without underscores and capitals too.
pub(super) fn values<'a>(
    name: &str,
    symbols: impl Iterator<Item = &'a str>,
    scope: &mut Names,
) -> Vec<(String, Option<String>)> {
    const WORDS: [&str; 4] = ["option", "reserved", "inf", "nan"];
    let prefix = normal(name);
    let mut alike = HashSet::new();
    let mut out = Vec::new();
    for symbol in symbols {
        let bare = identifier(symbol);
        let mut wanted = bare.clone();
        let mut count = 2;
        let normal_of = |text: &str| {
            let text = normal(text);
            text.strip_prefix(&*prefix).map_or(text.clone(), str::to_owned)
        };
        loop {
            let is_free = !WORDS.contains(&wanted.as_str()) && !alike.contains(&normal_of(&wanted));
            if is_free && scope.take(&wanted) {
                break;
            }
            wanted =
                if count == 2 { format!("{name}_{bare}") } else { format!("{name}_{bare}_{}", count - 1) };
            count += 1;
        }
        alike.insert(normal_of(&wanted));
        let comment = (wanted != symbol).then(|| crate::names::quoted(symbol));
        out.push((wanted, comment));
    }
    if out.is_empty() {
        out.push((scope.claim(&format!("{name}_NONE")), Some("no value has been seen".to_owned())));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(wanted: &[&str]) -> Vec<(String, Option<String>)> {
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        let named = named(&wanted, &mut Names::default());
        named.into_iter().map(|field| (field.name, field.json_name)).collect()
    }

    fn plain(name: &str) -> (String, Option<String>) {
        (name.to_owned(), None)
    }

    fn said(name: &str, json: &str) -> (String, Option<String>) {
        (name.to_owned(), Some(json.to_owned()))
    }

    #[test]
    fn valid_names_stay() {
        assert_eq!(names(&["dep_delay", "Title"]), [plain("dep_delay"), plain("Title")]);
        assert_eq!(names(&["x-", "x_"]), [said("x__2", "x-"), plain("x_")]);
        assert_eq!(names(&["a_b", "aB"]), [said("a_b", "a_b"), said("aB_2", "aB")]);
        assert_eq!(names(&["a-b", "a_b"]), [said("a_b_2", "a-b"), plain("a_b")]);
    }

    #[test]
    fn numbers_pass_over_those_that_are_reserved() {
        let wanted: Vec<String> = (0..19_001).map(|number| format!("f{number}")).collect();
        let named = named(&wanted, &mut Names::default());
        assert_eq!(named[18_998].number, 18_999);
        assert_eq!(named[18_999].number, 20_000);
    }

    #[test]
    fn values_differ_by_more_than_capitals() {
        let mut scope = Names::default();
        assert!(scope.take("Green"));
        let names = values("Color", ["Red", "RED", "Green", "color_red"].into_iter(), &mut scope);
        let names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Red", "Color_RED_2", "Color_Green", "Color_color_red"]);
        assert_eq!(values("E", [].into_iter(), &mut scope).len(), 1);
    }
}
