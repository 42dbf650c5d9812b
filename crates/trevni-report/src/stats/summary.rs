//! What statistics say of a column, as a line for people and as JSON.

use super::distinct::Count;
use super::histogram::Histogram;
use super::spread::Spread;
use crate::drawing::drawing;
use crate::human::{short, thousands};
use crate::report::{Report, Set};
use crate::report_value::ReportValue;
use crate::shown::{cut, shown};
use serde::Serialize;
use trevni::shape::{Logical, LogicalShape};

/// What is said of a column; none and empty where it is not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// The path as people read it.
    pub path: String,
    /// The path as it is written: names with dots are in back quotes.
    #[serde(skip)]
    pub(crate) exact: String,
    /// The names of the field's path.
    #[serde(skip)]
    pub(crate) field: Vec<String>,
    /// The type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Places for a value: rows, or items of the list around it.
    pub entries: Option<u64>,
    /// Places without a value.
    pub nulls: Option<u64>,
    /// NaNs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nan: Option<u64>,
    /// Whether all below is about the lengths of lists.
    pub lengths: bool,
    /// How many different values.
    pub distinct: Option<Count>,
    /// The least value.
    pub min: Option<ReportValue>,
    /// The greatest value.
    pub max: Option<ReportValue>,
    /// The mean.
    pub mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deviation: Option<f64>,
    /// Of some values, where these are many; as the histogram says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) percentiles: Vec<Percentile>,
    /// Empty strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) empty: Option<u64>,
    /// How the values are spread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histogram: Option<Histogram>,
    /// The most frequent values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub top: Vec<Top>,
    /// Where along the rows the values lie.
    #[serde(skip)]
    pub(crate) spread: Option<Spread>,
}

/// The value up to which a part of all values are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Percentile {
    pub(crate) percent: u8,
    pub(crate) value: ReportValue,
}

/// The parts that are told.
pub(super) const PERCENTS: [u8; 7] = [1, 5, 25, 50, 75, 95, 99];

/// A value and how often it occurs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Top {
    /// The value.
    pub value: ReportValue,
    /// How often it occurs.
    pub count: u64,
}

/// Different values up to which the most frequent are named.
const FEW: u64 = 16;
/// Characters of a bound that is a text, and of a value that is named.
const BOUND: usize = 20;
const NARROW_BOUND: usize = 8;
const VALUE: usize = 12;

/// A line for each column, with smaller pictures where there is little room.
pub(super) fn report(summaries: &[Summary], narrow: bool) -> Report {
    let mut columns = vec![
        ("column", Set::Path(12)),
        ("type", Set::Cut(6)),
        ("nulls", Set::Right),
        ("distinct", Set::Right),
        ("min", Set::Cut(20)),
        ("median", Set::Cut(20)),
        ("max", Set::Cut(20)),
        ("mean", Set::Left),
        ("shape", Set::Cut(if narrow { 8 } else { 16 })),
    ];
    if !narrow {
        columns.insert(5, ("25%", Set::Cut(20)));
        columns.insert(7, ("75%", Set::Cut(20)));
        columns.insert(10, ("deviation", Set::Left));
    }
    // Nothing is said of columns without numbers in columns of their own.
    let has_percentiles = summaries.iter().any(|summary| !summary.percentiles.is_empty());
    if !has_percentiles {
        columns.retain(|(name, _)| !["25%", "median", "75%", "deviation"].contains(name));
    }
    let mut report = Report::new(&columns);
    let width = if narrow { NARROW_BOUND } else { BOUND };
    for summary in summaries {
        let percentile = |percent: u8| {
            let found = summary.percentiles.iter().find(|own| own.percent == percent);
            found.map_or_else(String::new, |found| bound(&found.value, width))
        };
        let cell = |(name, _): &(&str, Set)| match *name {
            "column" => summary.path.clone(),
            "type" => summary.kind.clone(),
            "nulls" => summary.share_of_nulls(),
            "distinct" => summary.distinct.map_or(unknown(), |distinct| {
                format!("{}{}", if distinct.exact { "" } else { "~" }, thousands(distinct.count))
            }),
            "min" => summary.min.as_ref().map_or_else(unknown, |min| bound(min, width)),
            "25%" => percentile(25),
            "median" => percentile(50),
            "75%" => percentile(75),
            "max" => summary.max.as_ref().map_or_else(unknown, |max| bound(max, width)),
            "mean" => summary.mean(narrow),
            "deviation" => summary.deviation.map_or_else(String::new, |deviation| rounded(deviation, narrow)),
            _ => summary.shape(narrow),
        };
        report.line(columns.iter().map(cell));
    }
    report
}

/// A text that is not too long; quotes where there would be nothing to see.
fn text(value: &ReportValue, width: usize) -> String {
    match value.to_string() {
        blank if blank.trim().is_empty() => format!("{blank:?}"),
        text => cut(&shown(&text), width),
    }
}

fn unknown() -> String {
    drawing().unknown.to_owned()
}

fn bound(value: &ReportValue, width: usize) -> String {
    match value {
        ReportValue::Double(value) => short(*value),
        ReportValue::Single(single) => match single.to_string() {
            text if text.len() <= 8 => text,
            _ => short(f64::from(*single)),
        },
        ReportValue::Text(_) | ReportValue::Bytes(_) => text(value, width),
        other => other.to_string(),
    }
}

/// A number that is computed, in few digits.
fn rounded(number: f64, narrow: bool) -> String {
    match number.abs() {
        size if (1e6..1e12).contains(&size) && !narrow => format!("{number:.0}"),
        size if size == 0.0 || (0.01..1e6).contains(&size) => format!("{number:.2}"),
        _ => format!("{number:.2e}"),
    }
}

impl Summary {
    /// Turns what is said of stored values into what is said of values of a logical type.
    pub(super) fn with_logical(&mut self, logical: &LogicalShape) {
        let scale = match logical.logical {
            Logical::Decimal { scale, .. } => Some(10f64.powi(scale.min(4000) as i32)),
            _ => None,
        };
        self.mean = self.mean.zip(scale).map(|(mean, scale)| mean / scale);
        self.deviation = self.deviation.zip(scale).map(|(deviation, scale)| deviation / scale);
        // The order of their bytes is not that of durations, nor of decimals, whose numbers are known if they are not long.
        let is_unordered = matches!(
            (&self.min, &logical.logical),
            (Some(ReportValue::Bytes(_)), Logical::Duration | Logical::Decimal { .. })
        );
        let text = |value: ReportValue| value.with_text(logical);
        self.min = self.min.take().filter(|_| !is_unordered).map(text);
        self.max = self.max.take().filter(|_| !is_unordered).map(text);
        for percentile in &mut self.percentiles {
            percentile.value =
                std::mem::replace(&mut percentile.value, ReportValue::Boolean(false)).with_text(logical);
        }
        for top in &mut self.top {
            top.value = std::mem::replace(&mut top.value, ReportValue::Boolean(false)).with_text(logical);
        }
        if let Some(histogram) = &mut self.histogram {
            histogram.width /= scale.unwrap_or(1.0);
            if let Some(min) = &self.min {
                histogram.from = min.clone();
            }
        }
    }

    pub(crate) fn mean(&self, narrow: bool) -> String {
        match (self.mean, &self.min) {
            (Some(mean), _) => rounded(mean, narrow),
            (
                None,
                Some(
                    ReportValue::Integer(_)
                    | ReportValue::Unsigned(_)
                    | ReportValue::Single(_)
                    | ReportValue::Double(_),
                ),
            ) => unknown(),
            _ => String::new(),
        }
    }

    /// The share of places without a value, as a percentage.
    pub fn share_of_nulls(&self) -> String {
        match (self.nulls, self.entries) {
            (Some(nulls), Some(entries)) if entries > 0 => {
                let percent = 100.0 * nulls as f64 / entries as f64;
                match percent {
                    _ if nulls > 0 && percent < 0.005 => "<0.01%".to_owned(),
                    _ if nulls < entries && percent > 99.995 => ">99.99%".to_owned(),
                    _ => format!("{percent:.2}%"),
                }
            }
            _ => unknown(),
        }
    }

    /// A small picture of the values.
    fn shape(&self, narrow: bool) -> String {
        let mut parts: Vec<String> = Vec::new();
        if let Some(histogram) = &self.histogram {
            parts.push(if narrow { histogram.halved().picture() } else { histogram.picture() });
            parts.extend(self.lengths.then(|| "lengths".to_owned()));
        }
        if let Some(nan) = self.nan.filter(|nan| *nan > 0) {
            parts.push(format!("NaN {}", self.percent(nan)));
        }
        if let Some(empty) = self.empty.filter(|empty| *empty > 0) {
            parts.push(format!("empty {}", self.percent(empty)));
        }
        let few = self.distinct.is_some_and(|distinct| distinct.count <= FEW);
        let named = |top: &Top| format!("{} {}", text(&top.value, VALUE), self.percent(top.count));
        match self.top.first() {
            Some(_) if few => parts.push(self.top.iter().take(3).map(named).collect::<Vec<_>>().join(" ")),
            Some(first) if self.share(first.count) >= 0.001 && first.count > 1 => {
                parts.push(format!("top {}", named(first)))
            }
            _ => {}
        }
        parts.join(" ")
    }

    /// A share of the values that are there.
    fn share(&self, count: u64) -> f64 {
        let values = self.entries.unwrap_or(0).saturating_sub(self.nulls.unwrap_or(0)).max(1);
        count as f64 / values as f64
    }

    fn percent(&self, count: u64) -> String {
        match 100.0 * self.share(count) {
            percent if percent < 1.0 => format!("{percent:.1}%"),
            percent => format!("{percent:.0}%"),
        }
    }
}
