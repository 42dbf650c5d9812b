//! A schema as a tree of fields.

use crate::drawing::drawing;
use crate::ends::Ends;
use crate::human::count;
use crate::shown::shown;
use crate::type_name::type_name;
use std::borrow::Cow;
use trevni::Shape;
use trevni_query::paths::short_name;

/// The tree, one line for each field, and how many fields there are. Where these are more than `most`, the innermost ones are not
/// shown, and of too many outermost ones the first and the last.
pub(super) fn tree(name: &str, shape: &Shape, most: usize) -> (String, usize) {
    let mut levels = Vec::new();
    count_levels(shape, 0, &mut levels);
    let mut sums = levels.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    let depth = sums.by_ref().take_while(|sum| *sum <= most).count().max(1);
    let mut lines = vec![(name.to_owned(), type_name(shape))];
    if matches!(shape, Shape::Record(_)) {
        lines[0].1.clear();
    }
    branches(shape, "", depth, &mut lines);
    let ends = Ends::at_most(lines.len() - 1, most);
    if let Some(more) = ends.more("fields") {
        let start = 1 + ends.places().take_while(Option::is_some).count();
        lines.splice(start..start + ends.hidden(), [(more, String::new())]);
    }
    for (left, right) in &mut lines {
        (*left, *right) = (shown(left).into_owned(), shown(right).into_owned());
    }
    let width = lines.iter().map(|(left, _)| left.chars().count()).max().unwrap_or(0);
    let line = |(left, right): &(String, String)| {
        let gap = " ".repeat(width - left.chars().count() + 2);
        format!("{left}{gap}{right}").trim_end().to_owned() + "\n"
    };
    (lines.iter().map(line).collect(), levels.iter().sum())
}

/// How many fields there are at each depth.
fn count_levels(shape: &Shape, depth: usize, levels: &mut Vec<usize>) {
    let below = below(shape);
    if below.is_empty() {
        return;
    }
    if levels.len() == depth {
        levels.push(0);
    }
    levels[depth] += below.len();
    below.iter().for_each(|branch| count_levels(branch.shape, depth + 1, levels));
}

/// The fields below a shape, to a number of levels.
fn branches(shape: &Shape, indent: &str, depth: usize, lines: &mut Vec<(String, String)>) {
    let branches_below = below(shape);
    for (number, branch) in branches_below.iter().enumerate() {
        let is_last = usize::from(number + 1 == branches_below.len());
        let (fork, line) = (drawing().forks[is_last], drawing().lines[is_last]);
        let hidden = if depth == 1 { below(branch.shape).len() } else { 0 };
        let more = match hidden {
            0 => String::new(),
            hidden => format!(" {} {}", drawing().ellipsis, count(hidden as u64, "field")),
        };
        lines.push((format!("{indent}{fork}{}", branch.name), branch.kind() + &more));
        if depth > 1 {
            branches(branch.shape, &format!("{indent}{line}"), depth - 1, lines);
        }
    }
}

/// What is below a shape: a field, or a variant of a union that has fields.
pub(crate) struct Branch<'s> {
    pub(crate) name: Cow<'s, str>,
    pub(crate) shape: &'s Shape,
    is_variant: bool,
}

impl Branch<'_> {
    /// Its type in words.
    pub(crate) fn kind(&self) -> String {
        match self.shape {
            Shape::Record(record) if self.is_variant && record.form.is_variant() => "variant".to_owned(),
            shape => type_name(shape),
        }
    }
}

/// The fields of a shape, or of what is in it, and the variants that have fields.
pub(crate) fn below(shape: &Shape) -> Vec<Branch<'_>> {
    match shape {
        Shape::Record(record) => {
            let fields = record.fields.iter();
            fields
                .map(|field| Branch { name: (&*field.name).into(), shape: &field.shape, is_variant: false })
                .collect()
        }
        Shape::Optional(optional) => below(&optional.item),
        Shape::List(item) => below(item),
        Shape::Map(map) => below(&map.value),
        Shape::Union(variants) => {
            let within = variants.iter().filter(|variant| has_fields(variant));
            let name = |variant: &Shape| short_name(&variant.branch_name()).to_owned().into();
            within.map(|variant| Branch { name: name(variant), shape: variant, is_variant: true }).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether there are fields within a branch of a union.
fn has_fields(shape: &Shape) -> bool {
    match shape {
        Shape::Record(_) => true,
        Shape::Optional(optional) => has_fields(&optional.item),
        Shape::List(item) => has_fields(item),
        Shape::Map(map) => has_fields(&map.value),
        Shape::Union(variants) => variants.iter().any(has_fields),
        _ => false,
    }
}
