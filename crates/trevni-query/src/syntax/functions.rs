//! The functions: their names, names in other languages, and hints for unknown ones.

use crate::calendar::Unit;
use crate::paths::near_name;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Function {
    Len,
    Lower,
    Upper,
    Trim(Side),
    Substr,
    Left,
    Right,
    Replace,
    Contains,
    StartsWith,
    EndsWith,
    /// A part of a text, or the number of its parts.
    Split,
    Extract,
    Concat,
    Coalesce,
    If,
    Abs,
    Round,
    Floor,
    Ceil,
    /// Values as strings.
    Text,
    /// Strings and numbers as whole numbers.
    Int,
    /// Strings and numbers as floats.
    Float,
    DateTrunc,
    /// Dates and instants as strings, by a pattern.
    Format,
    /// Strings as instants, by a pattern.
    Parse,
    Date,
    /// Strings and dates as instants in UTC.
    Timestamp,
    /// The number of a part of an instant.
    Part(Unit),
    /// The same, with a text that names the part.
    NamedPart,
    /// The number of the day in its week.
    Weekday,
    /// Seconds from 1970-01-01.
    Epoch,
}

/// Where spaces are removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    Both,
    Start,
    End,
}

/// A function as it is called.
pub(crate) struct Signature {
    name: &'static str,
    /// What other languages call it.
    others: &'static [&'static str],
    pub(super) function: Function,
    least: usize,
    most: usize,
    /// How it is written.
    form: &'static str,
}

const fn one(name: &'static str, function: Function, form: &'static str) -> Signature {
    Signature { name, others: &[], function, least: 1, most: 1, form }
}

impl Signature {
    const fn takes(self, least: usize, most: usize) -> Self {
        Self { least, most, ..self }
    }

    const fn or(self, others: &'static [&'static str]) -> Self {
        Self { others, ..self }
    }
}

const SIGNATURES: [Signature; 41] = [
    one("len", Function::Len, "len(x)").or(&[
        "length",
        "char_length",
        "character_length",
        "strlen",
        "array_length",
        "list_length",
        "cardinality",
        "size",
    ]),
    one("lower", Function::Lower, "lower(x)").or(&["lcase", "lowercase"]),
    one("upper", Function::Upper, "upper(x)").or(&["ucase", "uppercase"]),
    one("trim", Function::Trim(Side::Both), "trim(x)").or(&["btrim", "strip"]),
    one("ltrim", Function::Trim(Side::Start), "ltrim(x)").or(&["trim_start", "lstrip"]),
    one("rtrim", Function::Trim(Side::End), "rtrim(x)").or(&["trim_end", "rstrip"]),
    one("substr", Function::Substr, "substr(x, 1, 3)").takes(2, 3).or(&["substring", "mid"]),
    one("left", Function::Left, "left(x, 3)").takes(2, 2),
    one("right", Function::Right, "right(x, 3)").takes(2, 2),
    one("replace", Function::Replace, "replace(x, 'a', 'b')").takes(3, 3),
    one("contains", Function::Contains, "contains(x, 'a')").takes(2, 2).or(&[
        "list_contains",
        "array_contains",
        "list_has",
        "array_has",
    ]),
    one("starts_with", Function::StartsWith, "starts_with(x, 'a')").takes(2, 2).or(&["startswith"]),
    one("ends_with", Function::EndsWith, "ends_with(x, 'a')").takes(2, 2).or(&["endswith"]),
    one("split", Function::Split, "split(x, ',')[0]").takes(2, 2).or(&["string_split", "str_split"]),
    one("regexp_extract", Function::Extract, "regexp_extract(x, '([0-9]+)', 1)")
        .takes(2, 3)
        .or(&["regexp_substr"]),
    one("concat", Function::Concat, "concat(x, ' ', y)").takes(1, usize::MAX),
    one("coalesce", Function::Coalesce, "coalesce(x, y, 0)").takes(1, usize::MAX).or(&["ifnull", "nvl"]),
    one("if", Function::If, "if(x > 3, 'much', 'little')").takes(2, 3).or(&["iif"]),
    one("abs", Function::Abs, "abs(x)"),
    one("round", Function::Round, "round(x, 2)").takes(1, 2),
    one("floor", Function::Floor, "floor(x)"),
    one("ceil", Function::Ceil, "ceil(x)").or(&["ceiling"]),
    one("text", Function::Text, "text(x)").or(&["string", "str", "varchar"]),
    one("int", Function::Int, "int(x)").or(&["integer", "bigint", "long"]),
    one("float", Function::Float, "float(x)").or(&["double", "real"]),
    one("date_trunc", Function::DateTrunc, "date_trunc('month', x)").takes(1, 2).or(&["datetrunc"]),
    one("strftime", Function::Format, "strftime(x, '%d/%m/%Y')").takes(2, 2).or(&["format_date"]),
    one("strptime", Function::Parse, "strptime(x, '%d/%m/%Y')")
        .takes(2, 2)
        .or(&["parse_date", "str_to_date"]),
    one("date", Function::Date, "date(x)").or(&["to_date"]),
    one("timestamp", Function::Timestamp, "timestamp(x)").or(&["to_timestamp", "timestamptz"]),
    one("year", Function::Part(Unit::Year), "year(x)"),
    one("quarter", Function::Part(Unit::Quarter), "quarter(x)"),
    one("month", Function::Part(Unit::Month), "month(x)"),
    one("week", Function::Part(Unit::Week), "week(x)").or(&["weekofyear"]),
    one("day", Function::Part(Unit::Day), "day(x)").or(&["dayofmonth"]),
    one("hour", Function::Part(Unit::Hour), "hour(x)"),
    one("minute", Function::Part(Unit::Minute), "minute(x)"),
    one("second", Function::Part(Unit::Second), "second(x)"),
    one("date_part", Function::NamedPart, "date_part('month', x)").takes(2, 2).or(&["datepart"]),
    one("weekday", Function::Weekday, "weekday(x)").or(&["isodow"]),
    one("epoch", Function::Epoch, "epoch(x)").or(&["to_unixtime", "unix_timestamp"]),
];

/// SQL's words that this language lacks, and what to do.
const HINTS: [(&[&str], &str); 7] = [
    (
        &[
            "over",
            "row_number",
            "rank",
            "dense_rank",
            "lag",
            "lead",
            "ntile",
            "partition",
            "first_value",
            "last_value",
        ],
        "Windows need an SQL engine",
    ),
    (
        &["join", "on", "using", "union", "select", "from", "exists"],
        "Joins and whole questions in SQL need an SQL engine",
    ),
    (&["case", "when", "then", "else", "end"], "Choices are written if(condition, value, other)"),
    (
        &["cast", "try_cast", "convert"],
        "Types are changed by text(x), int(x) and float(x), and strings become instants by date(x) and timestamp(x)",
    ),
    (&["extract"], "Parts of instants are year(x), month(x), … or date_part('year', x)"),
    (&["order", "limit", "group", "where"], "These are options: -s, -n, -b, -w"),
    (
        &["count", "sum", "avg", "mean", "min", "max", "median", "quantile", "stddev", "count_distinct"],
        "Aggregates are named by -a, and conditions on them by --having",
    ),
];

/// What to do instead of a word that SQL has.
pub(super) fn hint(word: &str) -> Option<&'static str> {
    HINTS.iter().find(|(words, _)| words.contains(&word)).map(|(_, hint)| *hint)
}

impl Signature {
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        SIGNATURES.iter().find(|own| own.name == name || own.others.contains(&name))
    }

    /// The error for an unknown function.
    pub(super) fn missing(name: &str) -> String {
        let names = SIGNATURES.iter().map(|own| own.name).chain(["any", "all"]);
        match near_name(name, names).filter(|_| hint(name).is_none()) {
            Some(near) => format!("no function {name:?}; did you mean {near}?"),
            None => format!("no function {name:?}"),
        }
    }

    /// The error for a wrong number of arguments.
    pub(super) fn wrong_count(&self, name: &str, count: usize) -> Option<String> {
        let (least, most, form) = (self.least, self.most, self.form);
        let wanted = match () {
            () if (least..=most).contains(&count) => return None,
            () if most == usize::MAX => format!("{least} or more"),
            () if least == most => least.to_string(),
            () => format!("{least} or {most}"),
        };
        Some(format!("{name} takes {wanted} in its brackets: {form}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::Aggregate;
    use crate::{Expression, LANGUAGE};

    #[test]
    fn the_page_of_help_has_all() {
        for own in &SIGNATURES {
            assert!(LANGUAGE.contains(&format!("{}(", own.name)), "{}", own.name);
            Expression::parse(own.form).unwrap_or_else(|error| panic!("{}: {error}", own.form));
            for other in own.others {
                let found = Signature::find(other).map(|found| found.name);
                assert_eq!(found, Some(own.name), "{other}");
            }
        }
        assert!(Aggregate::names().all(|name| LANGUAGE.contains(&format!("{name}("))));
        assert!(LANGUAGE.lines().all(|line| line.chars().count() <= 110));
    }

    #[test]
    fn no_word_is_two_functions() {
        let mut all: Vec<&str> =
            SIGNATURES.iter().flat_map(|own| own.others.iter().chain([&own.name])).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|word| hint(word).is_none()));
    }
}
