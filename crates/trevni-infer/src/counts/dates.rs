//! Dates and instants among cells: those of ISO 8601 that come back as they were, or those of formats that are given.

use super::wanted::pattern;
use crate::numbers::Cell;
use crate::plan::LogicalKind;
use std::str::FromStr;
use std::sync::Arc;
use trevni::Shape;
use trevni::shape::{Logical, LogicalShape, StringStyle};

/// A format of dates that is given.
#[derive(Clone, Debug)]
pub enum DateFormat {
    /// Dates stay text.
    None,
    Pattern(LogicalKind),
}

impl FromStr for DateFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self::None);
        }
        let kind = LogicalKind::of_pattern(pattern(text)?);
        kind.map(Self::Pattern).ok_or_else(|| format!("{text:?} is not a format of dates"))
    }
}

/// The formats that are given; without them, ISO 8601.
pub type DateFormats = Vec<DateFormat>;

/// Finds what all cells of a column are, as long as all may be dates or instants.
#[derive(Clone, Debug)]
pub(super) struct Dates {
    cells: u64,
    iso: Iso,
    /// The formats that all cells have.
    formats: Vec<Arc<LogicalKind>>,
}

impl Dates {
    pub(super) fn new(formats: &DateFormats) -> Option<Self> {
        let mut kinds = Vec::new();
        for format in formats {
            match format {
                DateFormat::None => return None,
                DateFormat::Pattern(kind) => kinds.push(Arc::new(kind.clone())),
            }
        }
        Some(Self { cells: 0, iso: Iso::default(), formats: kinds })
    }

    /// Takes a cell into account; false once no type is left.
    pub(super) fn push(&mut self, text: &str, cell: Cell<'_>) -> bool {
        self.cells += 1;
        self.iso = if matches!(cell, Cell::Text(_)) { self.iso.with(text) } else { Iso::Nothing };
        self.formats.retain(|kind| kind.of_text(text, &mut Vec::new()).is_some());
        self.iso != Iso::Nothing || !self.formats.is_empty()
    }

    /// What both have in common.
    pub(super) fn merge(mut self, later: &Self) -> Option<Self> {
        self.cells += later.cells;
        self.iso = self.iso.and(later.iso);
        self.formats.retain(|kind| later.formats.contains(kind));
        (self.iso != Iso::Nothing || !self.formats.is_empty()).then_some(self)
    }

    /// The type of all values, by their number.
    pub(super) fn found(&self, values: u64) -> Option<LogicalKind> {
        if values == 0 || values != self.cells {
            return None;
        }
        let given = || self.formats.first().map(|kind| LogicalKind::clone(kind));
        self.iso.shape().map(LogicalKind::exact).or_else(given)
    }
}

/// What cells are that are all dates, or instants of one zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Iso {
    /// There was no cell.
    #[default]
    Anything,
    Date,
    Instant {
        is_utc: bool,
        unit: Unit,
        /// Whether nanoseconds have all of them.
        is_near: bool,
        /// For each style whether all strings are of it.
        styles: [bool; STYLES.len()],
    },
    Nothing,
}

/// Styles of strings, the more usual first.
const STYLES: [StringStyle; 4] =
    [StringStyle::Iso, StringStyle::Space, StringStyle::Minutes, StringStyle::Millis];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Millis,
    Micros,
    Nanos,
}

/// Years that nanoseconds since 1970 have in 64 bits.
const NEAR: std::ops::Range<&str> = "1678".."2262";

impl Iso {
    fn with(self, text: &str) -> Self {
        // Others need not be looked for again.
        let styles = if let Self::Instant { styles, .. } = self { styles } else { [true; STYLES.len()] };
        self.and(Self::of(text, styles).unwrap_or(Self::Nothing))
    }

    /// What a cell is whose year has four digits, in some styles.
    fn of(text: &str, mut styles: [bool; STYLES.len()]) -> Option<Self> {
        let bytes = text.as_bytes();
        let (year, rest) = bytes.split_at_checked(4)?;
        let is_date = matches!(rest, [b'-', _, _, b'-', ..]) && year.iter().all(u8::is_ascii_digit);
        if !is_date || !(10..=35).contains(&bytes.len()) {
            return None;
        }
        if bytes.len() == 10 {
            return is_canonical(Logical::Date, Shape::Int, StringStyle::Iso, text).then_some(Self::Date);
        }
        let fraction = bytes.iter().rposition(|byte| *byte == b'.').and_then(|at| bytes.get(at + 1..));
        let digits = fraction.unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let unit = match digits {
            0..=3 => Unit::Millis,
            4..=6 => Unit::Micros,
            _ => Unit::Nanos,
        };
        let is_utc = matches!(bytes, [.., b'Z'] | [.., b'+', b'0', b'0', b':', b'0', b'0']);
        for (is_style, style) in styles.iter_mut().zip(STYLES) {
            *is_style = *is_style && is_canonical(logical(is_utc, unit), Shape::Long, style, text);
        }
        let is_near = text.get(..4).is_some_and(|year| NEAR.contains(&year));
        styles.contains(&true).then_some(Self::Instant { is_utc, unit, is_near, styles })
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Anything, found) | (found, Self::Anything) => found,
            (Self::Date, Self::Date) => Self::Date,
            (
                Self::Instant { is_utc, unit, is_near, mut styles },
                Self::Instant { is_utc: same, unit: other, is_near: near, styles: others },
            ) if is_utc == same => {
                styles.iter_mut().zip(others).for_each(|(style, other)| *style &= other);
                match styles.contains(&true) {
                    true => Self::Instant { is_utc, unit: unit.max(other), is_near: is_near && near, styles },
                    false => Self::Nothing,
                }
            }
            _ => Self::Nothing,
        }
    }

    fn shape(self) -> Option<LogicalShape> {
        match self {
            Self::Date => LogicalShape::new(Logical::Date, Shape::Int).ok(),
            Self::Instant { is_utc, unit, is_near, styles } if is_near || unit < Unit::Nanos => {
                let style = STYLES.into_iter().zip(styles).find(|(_, is_style)| *is_style)?.0;
                LogicalShape::new(logical(is_utc, unit), Shape::Long).ok()?.with_style(style).ok()
            }
            _ => None,
        }
    }
}

fn logical(is_utc: bool, unit: Unit) -> Logical {
    match (is_utc, unit) {
        (true, Unit::Millis) => Logical::TimestampMillis,
        (true, Unit::Micros) => Logical::TimestampMicros,
        (true, Unit::Nanos) => Logical::TimestampNanos,
        (false, Unit::Millis) => Logical::LocalTimestampMillis,
        (false, Unit::Micros) => Logical::LocalTimestampMicros,
        (false, Unit::Nanos) => Logical::LocalTimestampNanos,
    }
}

/// Whether a string is what its value is printed as.
fn is_canonical(logical: Logical, storage: Shape, style: StringStyle, text: &str) -> bool {
    let printed = || {
        let mut shape = LogicalShape::new(logical, storage).ok()?;
        shape.style = style;
        shape.text(shape.parse(text, &mut Vec::new())?)
    };
    printed().is_some_and(|printed| printed == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use trevni_query::{Moment, MomentKind};

    fn found(cells: &[&str]) -> Option<(String, StringStyle)> {
        let iso = cells.iter().fold(Iso::default(), |iso, cell| iso.with(cell));
        iso.shape().map(|shape| (shape.logical.to_string(), shape.style))
    }

    #[test]
    fn cells_have_a_type_and_a_style_in_common() {
        use StringStyle::{Iso, Millis, Minutes, Space};
        for (cells, expected) in [
            (&["2024-01-01", "0001-12-31"][..], Some(("date", Iso))),
            (&["2024-01-01T10:00:00Z"], Some(("timestamp-millis", Iso))),
            (&["2024-01-01 10:00:00"], Some(("local-timestamp-millis", Space))),
            (&["2024-01-01 10:00", "2024-01-01 10:00:30"], Some(("local-timestamp-millis", Minutes))),
            (&["2024-01-01 10:00:30", "2024-01-01 10:00:00.123456"], Some(("local-timestamp-micros", Space))),
            (&["2024-01-01 10:00:00+00:00"], Some(("timestamp-millis", Space))),
            (&["2024-01-01T10:00:00.000Z", "2024-01-01T10:00:00.250Z"], Some(("timestamp-millis", Millis))),
            (
                &["2024-01-01T10:00:00.000", "2024-01-01T10:00:00.123456"],
                Some(("local-timestamp-micros", Millis)),
            ),
            (&["2024-01-01T10:00:00.123456789"], Some(("local-timestamp-nanos", Iso))),
            (&["2024-01-01T10:00:00.123456789", "1500-01-01T10:00:00"], None),
            (&["2024-01-01", "2024-01-01 10:00"], None),
            (&["2024-01-01 10:00", "2024-01-01T10:00"], None),
            (&["2024-01-01T10:00:00Z", "2024-01-01T10:00:00"], None),
            (&["2024-01-01 10:00:00.5"], None),
            (&["2024-01-01 10:00:00+02:00"], None),
            (&["2024-02-30"], None),
            (&["2024-1-1"], None),
            (&["20240101"], None),
            (&["2024-01-01 "], None),
            (&["2024-01-01 24:00"], None),
            (&[""], None),
            (&[], None),
        ] {
            assert_eq!(found(cells), expected.map(|(name, style)| (name.to_owned(), style)), "{cells:?}");
        }
    }

    proptest! {
        /// However cells are cut into chunks, the same is found; and each cell comes back.
        #[test]
        fn what_is_found_gives_all_cells_back(
            cells in prop::collection::vec((0..4_u8, any::<i64>(), 0..12_u32, 0..3_u8), 1..6),
            cut in 0..6_usize,
        ) {
            let cells: Vec<String> = cells.into_iter().map(|(form, nanos, zeros, end)| {
                let unit = 10_i64.pow(zeros);
                let nanos = i128::from(nanos / unit * unit);
                let iso = Moment { kind: MomentKind::Local, nanos }.to_string();
                let spaced = iso.replace('T', " ");
                let text = match form {
                    0 => iso,
                    1 => iso.get(..10).unwrap_or_default().to_owned(),
                    2 => spaced,
                    _ => spaced.get(..16).unwrap_or_default().to_owned(),
                };
                text + ["", "Z", "+00:00"][usize::from(end)]
            }).collect();
            let of = |cells: &[String]| cells.iter().fold(Iso::default(), |iso, cell| iso.with(cell));
            let (first, rest) = cells.split_at(cut.min(cells.len()));
            prop_assert_eq!(of(first).and(of(rest)), of(&cells));
            if let Some(shape) = of(&cells).shape() {
                for cell in &cells {
                    let mut bytes = Vec::new();
                    let value = shape.parse(cell, &mut bytes).unwrap();
                    prop_assert_eq!(&shape.text(value).unwrap(), cell);
                }
            }
        }
    }
}
