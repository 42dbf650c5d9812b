//! Random expressions: as trees, and as strings in any spelling.

use crate::choices::Choices;

/// An expression, whose type is known by where it is.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Null,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    Text(&'static str),
    Column(&'static str),
    /// An item of the list around.
    Item,
    Not(Box<Tree>),
    And(Box<[Tree; 2]>),
    Or(Box<[Tree; 2]>),
    Compare(usize, Box<[Tree; 2]>),
    Compute(usize, Box<[Tree; 2]>),
    Negate(Box<Tree>),
    In(bool, Box<Tree>, Vec<Tree>),
    Between(bool, Box<[Tree; 3]>),
    IsNull(bool, Box<Tree>),
    Like(bool, Box<Tree>, &'static str),
    /// Starts, ends, contains.
    Has(usize, bool, Box<[Tree; 2]>),
    Call(&'static str, Vec<Tree>),
    Items(bool, &'static str, Box<Tree>),
}

/// How comparisons are written.
const COMPARISONS: [&[&str]; 6] = [&["=", "=="], &["!=", "<>"], &["<"], &["<="], &[">"], &[">="]];
pub(super) const OPERATIONS: [&str; 5] = ["+", "-", "*", "/", "%"];
const INTEGERS: [&str; 3] = ["i", "j", "n"];
const FLOATS: [&str; 2] = ["f", "g"];
const TEXTS: [&str; 2] = ["s", "t"];
const BOOLEANS: [&str; 2] = ["b", "c"];
const LITERALS: [&str; 9] = ["", "a", "text 3", "TEXT 3", "it's", "É", "say \"x\"", "text", "%_\\"];
const PATTERNS: [&str; 9] = ["%", "text%", "%3", "t__t%", "", "a", "\\%_\\\\", "%e%t%", "É%"];

impl Tree {
    pub(super) fn condition(choices: &mut Choices<'_>, depth: u32) -> Self {
        let below = |choices: &mut Choices<'_>| Box::new(Self::condition(choices, depth - 1));
        let is_not = choices.one_in(4);
        match choices.below(if depth == 0 { 8 } else { 14 }) {
            0 => Self::Column(choices.pick(&BOOLEANS)),
            1 => Self::Boolean(choices.one_in(2)),
            2..5 => Self::Compare(choices.below(6), Box::new(Self::alike(choices, depth))),
            5 => Self::Like(is_not, Box::new(Self::text(choices, depth)), choices.pick(&PATTERNS)),
            6 => {
                let [one, other] = Self::alike(choices, depth);
                let more = choices.some(3, |choices| match other {
                    Self::Text(_) => Self::Text(choices.pick(&LITERALS)),
                    _ => Self::number(choices, 0),
                });
                let is_text = matches!(other, Self::Text(_)) || one.is_text();
                let more =
                    more.into_iter().filter(|item| item.is_text() == is_text || matches!(item, Self::Null));
                Self::In(is_not, Box::new(one), std::iter::once(other).chain(more).collect())
            }
            7 => Self::IsNull(is_not, Box::new(Self::value(choices, depth))),
            8 => Self::Not(below(choices)),
            9 => Self::And(Box::new([*below(choices), *below(choices)])),
            10 => Self::Or(Box::new([*below(choices), *below(choices)])),
            11 => {
                let [one, low] = Self::alike(choices, depth - 1);
                let high = if one.is_text() || low.is_text() {
                    Self::text(choices, 0)
                } else {
                    Self::number(choices, 0)
                };
                Self::Between(is_not, Box::new([one, low, high]))
            }
            12 => {
                let (text, part) = (Self::text(choices, depth - 1), Self::text(choices, 0));
                Self::Has(choices.below(3), is_not, Box::new([text, part]))
            }
            _ => Self::Items(
                choices.one_in(2),
                choices.pick(&["l", "m"]),
                Box::new(Self::of_item(choices, depth - 1)),
            ),
        }
    }

    /// A condition on an item.
    fn of_item(choices: &mut Choices<'_>, depth: u32) -> Self {
        let is_not = choices.one_in(4);
        let mut number = || Self::Integer(choices.below(7) as i64 - 2);
        let numbers = [number(), number()];
        match choices.below(if depth == 0 { 3 } else { 5 }) {
            0 => Self::Compare(choices.below(6), Box::new([Self::Item, numbers[0].clone()])),
            1 => Self::In(is_not, Box::new(Self::Item), numbers.to_vec()),
            2 => {
                let sum = Self::Compute(choices.below(5), Box::new([Self::Item, numbers[0].clone()]));
                Self::Compare(choices.below(6), Box::new([sum, numbers[1].clone()]))
            }
            3 => Self::Not(Box::new(Self::of_item(choices, depth - 1))),
            _ => Self::And(Box::new([Self::of_item(choices, depth - 1), Self::of_item(choices, depth - 1)])),
        }
    }

    /// Two values of one type.
    fn alike(choices: &mut Choices<'_>, depth: u32) -> [Self; 2] {
        let depth = depth.saturating_sub(1);
        match choices.below(5) {
            0 => [Self::text(choices, depth), Self::text(choices, 0)],
            1 => [Self::Column(choices.pick(&TEXTS)), Self::Text(choices.pick(&LITERALS))],
            _ => [Self::number(choices, depth), Self::number(choices, depth)],
        }
    }

    pub(super) fn value(choices: &mut Choices<'_>, depth: u32) -> Self {
        match choices.below(3) {
            0 => Self::text(choices, depth),
            _ => Self::number(choices, depth),
        }
    }

    fn number(choices: &mut Choices<'_>, depth: u32) -> Self {
        let below = |choices: &mut Choices<'_>| Self::number(choices, depth - 1);
        match choices.below(if depth == 0 { 6 } else { 12 }) {
            0 | 1 => Self::Column(choices.pick(&INTEGERS)),
            2 => Self::Column(choices.pick(&FLOATS)),
            3 => Self::Integer(choices.below(30) as i64 - 10),
            4 => Self::Integer(choices.integer()),
            5 => Self::Float(choices.pick(&[0.0, 0.25, -1.5, 2.0, 3.75, 1e300, -0.0, 1e-7])),
            6 | 7 => Self::Compute(choices.below(5), Box::new([below(choices), below(choices)])),
            8 => Self::Negate(Box::new(below(choices))),
            9 => Self::Call(choices.pick(&["abs", "floor", "ceil", "round"]), vec![below(choices)]),
            10 => Self::Call("len", vec![Self::text(choices, depth - 1)]),
            _ => Self::choice(choices, depth, below),
        }
    }

    fn text(choices: &mut Choices<'_>, depth: u32) -> Self {
        let below = |choices: &mut Choices<'_>| Self::text(choices, depth - 1);
        match choices.below(if depth == 0 { 2 } else { 6 }) {
            0 => Self::Column(choices.pick(&TEXTS)),
            1 => Self::Text(choices.pick(&LITERALS)),
            2 => Self::Call(choices.pick(&["lower", "upper", "trim"]), vec![below(choices)]),
            3 => Self::Call("concat", vec![below(choices), below(choices)]),
            4 => Self::Call("left", vec![below(choices), Self::Integer(choices.below(6) as i64)]),
            _ => Self::choice(choices, depth, below),
        }
    }

    /// `if` or `coalesce` of values of one type.
    fn choice(
        choices: &mut Choices<'_>,
        depth: u32,
        mut value: impl FnMut(&mut Choices<'_>) -> Self,
    ) -> Self {
        let first = value(choices);
        let second = if choices.one_in(6) { Self::Null } else { value(choices) };
        match choices.below(3) {
            0 => Self::Call("coalesce", vec![first, second]),
            1 => Self::Call("if", vec![Self::condition(choices, depth - 1), first]),
            _ => Self::Call("if", vec![Self::condition(choices, depth - 1), first, second]),
        }
    }

    fn is_text(&self) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Column(name) => TEXTS.contains(name),
            Self::Call("lower" | "upper" | "trim" | "concat" | "left", _) => true,
            Self::Call("coalesce", parts) => parts[0].is_text(),
            Self::Call("if", parts) => parts[1].is_text(),
            _ => false,
        }
    }

    /// How tightly it binds, from `or`, which is 1.
    fn level(&self) -> u8 {
        match self {
            Self::Or(_) => 1,
            Self::And(_) => 2,
            Self::Not(_) => 3,
            Self::Compare(..)
            | Self::In(..)
            | Self::Between(..)
            | Self::IsNull(..)
            | Self::Like(..)
            | Self::Has(..) => 4,
            Self::Compute(0 | 1, _) => 5,
            Self::Compute(..) => 6,
            _ => 7,
        }
    }

    /// Appends its text; in brackets where it binds less tightly, or some more often.
    fn put(&self, least: u8, choices: &mut Choices<'_>, out: &mut String) {
        let brackets = self.level() < least || choices.one_in(9);
        if brackets {
            *out += "(";
        }
        self.put_bare(choices, out);
        if brackets {
            *out += ")";
        }
    }

    pub(super) fn text_of(&self, choices: &mut Choices<'_>) -> String {
        let mut out = String::new();
        self.put(0, choices, &mut out);
        out
    }

    fn put_bare(&self, choices: &mut Choices<'_>, out: &mut String) {
        match self {
            Self::Null => *out += choices.pick(&["null", "NULL"]),
            Self::Boolean(value) => *out += if *value { "true" } else { "False" },
            Self::Integer(value) => *out += &value.to_string(),
            Self::Float(value) => *out += &format!("{value:?}"),
            Self::Text(text) => put_text(text, choices, out),
            Self::Column(name) => *out += &choices.pick(&[(*name).to_owned(), format!("`{name}`")]),
            Self::Item => *out += "item",
            Self::Not(part) => {
                let (word, least) = choices.pick(&[("not ", 3), ("!", 7), ("NOT ", 3)]);
                *out += word;
                part.put(least, choices, out);
            }
            Self::And(parts) => put_two(parts, 2, 3, &["and", "&&", "AND"], choices, out),
            Self::Or(parts) => put_two(parts, 1, 2, &["or", "||", "Or"], choices, out),
            Self::Compare(kind, parts) => put_two(parts, 5, 5, COMPARISONS[*kind], choices, out),
            Self::Compute(kind @ (0 | 1), parts) => put_two(parts, 5, 6, &[OPERATIONS[*kind]], choices, out),
            Self::Compute(kind, parts) => put_two(parts, 6, 7, &[OPERATIONS[*kind]], choices, out),
            Self::Negate(part) => {
                *out += "-";
                part.put(7, choices, out);
            }
            Self::In(is_not, part, items) => {
                part.put(5, choices, out);
                *out += if *is_not { " not in (" } else { " in (" };
                put_list(items, choices, out);
                *out += ")";
            }
            Self::Between(is_not, parts) => {
                parts[0].put(5, choices, out);
                *out += if *is_not { " not between " } else { " between " };
                put_two_words(&parts[1], "and", &parts[2], choices, out);
            }
            Self::IsNull(is_not, part) => {
                part.put(5, choices, out);
                *out += if *is_not { " is not null" } else { " IS NULL" };
            }
            Self::Like(is_not, part, pattern) => {
                part.put(5, choices, out);
                *out += if *is_not { " not like " } else { " like " };
                put_text(pattern, choices, out);
            }
            Self::Has(kind, is_not, parts) => {
                let words = ["starts with", "ends with", "contains"][*kind];
                let words = if *is_not { format!("not {words}") } else { words.to_owned() };
                put_two_words(&parts[0], &words, &parts[1], choices, out);
            }
            Self::Call(name, parts) => {
                *out += name;
                *out += "(";
                put_list(parts, choices, out);
                *out += ")";
            }
            Self::Items(every, list, condition) => {
                *out += if *every { "all(" } else { "any(" };
                *out += list;
                *out += ", ";
                condition.put(0, choices, out);
                *out += ")";
            }
        }
    }
}

fn put_two(
    parts: &[Tree; 2],
    left: u8,
    right: u8,
    words: &[&str],
    choices: &mut Choices<'_>,
    out: &mut String,
) {
    parts[0].put(left, choices, out);
    *out += " ";
    *out += choices.pick(words);
    *out += " ";
    parts[1].put(right, choices, out);
}

/// Two values with words between them.
fn put_two_words(one: &Tree, words: &str, other: &Tree, choices: &mut Choices<'_>, out: &mut String) {
    one.put(5, choices, out);
    *out += " ";
    *out += words;
    *out += " ";
    other.put(5, choices, out);
}

fn put_list(parts: &[Tree], choices: &mut Choices<'_>, out: &mut String) {
    for (at, part) in parts.iter().enumerate() {
        *out += if at > 0 { "," } else { "" };
        part.put(0, choices, out);
    }
}

fn put_text(text: &str, choices: &mut Choices<'_>, out: &mut String) {
    let quote = choices.pick(&["'", "\""]);
    *out += quote;
    *out += &text.replace(quote, &quote.repeat(2));
    *out += quote;
}
