//! The summary: ratios of this crate to its main peers, on request with the targets of its maintainers.

use super::numbers::{self, ratio};
use crate::data::NAMES;
use crate::figures::Figures;
use crate::figures::Operation::{self, One, Read, Three, Write};
use crate::peers::Peer::{self, Bitcode, Hand, Levels, Parquet, RedElm, Trevni};

/// Whether ratios are shown with their targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Ratios only.
    Ratios,
    /// Ratios, their targets, and whether these are met.
    Targets,
}

/// What is divided.
enum Quantity {
    Time(Operation),
    Bytes,
}

impl Quantity {
    fn name(&self) -> &'static str {
        match self {
            Self::Time(operation) => operation.name(),
            Self::Bytes => "size",
        }
    }
}

/// There is no upper limit.
const NO_LIMIT: f64 = f64::INFINITY;

/// An upper limit of ours ÷ theirs for each data set, in the order of [`NAMES`].
struct Target {
    quantity: Quantity,
    codec: &'static str,
    peer: Peer,
    limits: [f64; NAMES.len()],
}

const fn time(operation: Operation, codec: &'static str, peer: Peer, limits: [f64; NAMES.len()]) -> Target {
    Target { quantity: Quantity::Time(operation), codec, peer, limits }
}

const TARGETS: [Target; 13] = [
    time(Write, "none", Hand, [1.1, 1.1, 1.5, 1.1, 1.1]),
    time(Write, "none", Bitcode, [0.9, 1.0, 0.9, 1.8, 1.8]),
    time(Write, "none", Parquet, [0.4, 0.6, 0.05, 0.15, 0.07]),
    time(Read, "none", Hand, [1.0, 1.0, 1.5, 0.7, 0.8]),
    time(Read, "none", Bitcode, [1.0, 1.0, 0.3, 1.0, 1.3]),
    time(Read, "none", Parquet, [0.5, 0.4, 0.15, 0.3, 0.2]),
    time(One, "none", Parquet, [0.25, 0.6, 0.15, 0.5, 0.1]),
    time(Three, "none", Parquet, [0.3, 0.6, 0.15, 0.65, 0.2]),
    time(Write, "snappy", Parquet, [0.7, 0.9, 0.3, 0.6, 0.5]),
    time(Write, "zstandard", Parquet, [0.7, 0.9, 0.3, 0.6, 0.5]),
    time(Read, "snappy", Parquet, [0.7, 0.8, 0.6, 0.6, 0.5]),
    time(Read, "zstandard", Parquet, [0.7, 0.8, 0.6, 0.6, 0.5]),
    Target {
        quantity: Quantity::Bytes,
        codec: "zstandard",
        peer: Parquet,
        limits: [1.15, 1.0, 0.65, 1.0, 0.9],
    },
];

/// Of the other file formats, for the flat rows and the nested ones.
const DIALECT_TARGETS: [Target; 3] = [
    time(Write, "none", Trevni, [1.3, 1.3, NO_LIMIT, NO_LIMIT, NO_LIMIT]),
    time(Read, "none", Trevni, [1.3, 1.3, NO_LIMIT, NO_LIMIT, NO_LIMIT]),
    time(One, "none", Trevni, [1.5, 1.5, NO_LIMIT, NO_LIMIT, NO_LIMIT]),
];

impl Target {
    fn name(&self) -> String {
        let quantity = self.quantity.name();
        match self.codec {
            "none" => format!("{quantity} ÷ {}", self.peer.name()),
            codec => format!("{quantity} ÷ {}, {codec}", self.peer.name()),
        }
    }

    /// What a contestant takes, divided by what the other one takes.
    fn ratio(&self, contestant: Peer, figures: &Figures, data: &str) -> Option<f64> {
        let names = [contestant, self.peer].map(Peer::name);
        match self.quantity {
            Quantity::Time(operation) => figures.ratio(data, self.codec, names, operation),
            Quantity::Bytes => {
                let [one, other] = names.map(|name| figures.bytes(data, self.codec, name));
                Some(one? as f64 / other? as f64)
            }
        }
    }

    /// A line of a table: name and ratios.
    fn row(&self, contestant: Peer, [figures, kept]: [&Figures; 2], show: Show) -> Vec<String> {
        let cell = |(data, limit): (&&str, f64)| {
            let ratios =
                [figures, kept].into_iter().filter_map(|figures| self.ratio(contestant, figures, data));
            let cells: Vec<String> = ratios.map(|value| cell(value, limit, show)).collect();
            if cells.is_empty() { "–".to_owned() } else { cells.join(" · ") }
        };
        std::iter::once(self.name()).chain(NAMES.iter().zip(self.limits).map(cell)).collect()
    }

    /// Whether the code by hand can be compared too: it is no peer of itself, and does not compress as files do.
    fn has_floor(&self) -> bool {
        self.codec == "none" && self.peer != Hand
    }
}

/// A ratio; with targets also its upper limit, and a mark.
pub fn cell(value: f64, limit: f64, show: Show) -> String {
    match show {
        Show::Ratios => ratio(value),
        Show::Targets if limit == NO_LIMIT => ratio(value),
        Show::Targets if value <= limit => format!("{} ({limit}) ✓", ratio(value)),
        Show::Targets => format!("{} ({limit}) ✗", ratio(value)),
    }
}

/// Three tables of ratios: this crate to its peers, the code by hand to the same, and the other file formats to Trevni.
pub fn table(figures: [&Figures; 2], show: Show) -> String {
    let header = |first| std::iter::once(first).chain(NAMES).collect::<Vec<&str>>();
    let ours: Vec<_> = TARGETS.iter().map(|target| target.row(Trevni, figures, show)).collect();
    let floors = TARGETS.iter().filter(|target| target.has_floor());
    let floors: Vec<_> = floors.map(|target| target.row(Hand, figures, show)).collect();
    let dialects: Vec<_> =
        [Levels, RedElm].into_iter().flat_map(|dialect| dialect_rows(dialect, figures, show)).collect();
    format!(
        "{}{}\nThe same ratios for the code by hand, which has neither serde nor a format to follow:\n\n{}\n\
         The other file formats of this crate, divided by Trevni:\n\n{}{}",
        numbers::table(&header("ours ÷ other"), &ours),
        met(&ours, show),
        numbers::table(&header("by hand ÷ other"), &floors),
        numbers::table(&header("format ÷ Trevni"), &dialects),
        met(&dialects, show),
    )
}

/// The lines of another file format of this crate.
fn dialect_rows(dialect: Peer, figures: [&Figures; 2], show: Show) -> Vec<Vec<String>> {
    let row = |target: &Target| {
        let mut row = target.row(dialect, figures, show);
        row[0] = format!("{}, {}", dialect.name(), target.quantity.name());
        row
    };
    DIALECT_TARGETS.iter().map(row).collect()
}

/// How many targets are met, if they are shown.
fn met(rows: &[Vec<String>], show: Show) -> String {
    let marked = |mark: char| rows.iter().flatten().map(|cell| cell.matches(mark).count()).sum::<usize>();
    match show {
        Show::Ratios => String::new(),
        Show::Targets => format!("\n{} of {} targets are met.\n", marked('✓'), marked('✓') + marked('✗')),
    }
}
