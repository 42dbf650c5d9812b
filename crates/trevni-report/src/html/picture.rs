//! Pictures of values: histograms, and where along the rows values lie.

use super::super::stats::{Histogram, Order, Spread, Stretch};
use crate::human::{short, thousands};
use crate::report_value::ReportValue;
use std::fmt::Write;

/// The height of pictures, in units of their own.
const HEIGHT: f64 = 40.0;
/// The width of pictures of rows.
const WIDTH: f64 = 256.0;
/// The least height of what is there.
const LEAST: f64 = 1.5;

/// The bars of a histogram, each with its range and count.
pub(super) fn histogram(histogram: &Histogram) -> String {
    let counts = &histogram.counts;
    let all = counts.iter().sum::<u64>().max(1) as f64;
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut out = format!(
        "<svg class=\"histogram\" role=\"img\" aria-label=\"Histogram of {} parts\" viewBox=\"0 0 {} 40\" preserveAspectRatio=\"none\">",
        counts.len(),
        (10 * counts.len()).saturating_sub(1)
    );
    for (at, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let height = (HEIGHT * *count as f64 / most).max(LEAST);
        let values = match histogram.sampled {
            true => format!("about {:.1}%", 100.0 * *count as f64 / all),
            false => thousands(*count),
        };
        // Writing to a string does not fail.
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{:.1}\" width=\"9\" height=\"{height:.1}\"><title>{values}{}</title></rect>",
            10 * at,
            HEIGHT - height,
            range(histogram, at).unwrap_or_default(),
        );
    }
    out + "</svg>"
}

/// The values of a part of a histogram; `None` where it begins with a text.
fn range(histogram: &Histogram, at: usize) -> Option<String> {
    let from = match histogram.from {
        ReportValue::Integer(from) => from as f64,
        ReportValue::Unsigned(from) => from as f64,
        ReportValue::Single(from) => from.into(),
        ReportValue::Double(from) => from,
        _ => return None,
    };
    let start = from + at as f64 * histogram.width;
    Some(format!(" from {} to {}", short(start), short(start + histogram.width)))
}

/// The ranges of values along the rows: the blocks of the zone map in the back, parts of the rows in front.
pub(super) fn spread(spread: &Spread) -> String {
    let (order, mixed) = (order(spread.order), if spread.order == Order::Mixed { " mixed" } else { "" });
    let mut out = format!(
        "<svg class=\"spread{mixed}\" role=\"img\" aria-label=\"Least to greatest value along the rows: {order}\" viewBox=\"0 0 256 40\" preserveAspectRatio=\"none\">"
    );
    for (class, stretches) in [("blocks", &spread.blocks), ("parts", &spread.parts)] {
        if !stretches.is_empty() {
            let path: String = stretches.iter().map(rectangle).collect();
            let _ = write!(out, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
    out + "</svg>"
}

fn rectangle(stretch: &Stretch) -> String {
    let [left, right] = stretch.rows.map(|row| WIDTH * row);
    let [least, greatest] = stretch.values.map(|value| (1.0 - value) * (HEIGHT - LEAST));
    let (width, height) = ((right - left).max(0.5), least - greatest + LEAST);
    format!("M{left:.1} {greatest:.1}h{width:.1}v{height:.1}h-{width:.1}z")
}

/// An order in a word.
pub(super) fn order(order: Order) -> &'static str {
    match order {
        Order::Constant => "one value",
        Order::Ascending => "ascending",
        Order::Descending => "descending",
        Order::Clustered => "clustered",
        Order::Mixed => "mixed",
    }
}
