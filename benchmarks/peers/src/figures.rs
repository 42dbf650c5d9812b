//! What has been measured: figures, without a word on how they are shown.

use serde::{Deserialize, Serialize};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// All rows into memory.
    Write,
    /// All rows into a `Vec`.
    Read,
    /// The same, of one field.
    One,
    /// The same, of three fields.
    Three,
    /// One column as a `Vec`.
    Column,
    /// The rows whose value in that column is among the greatest hundredth.
    Filter,
    /// Single rows by their numbers.
    Row,
}

impl Operation {
    /// All of them, in the order of the report.
    pub const ALL: [Self; 7] =
        [Self::Write, Self::Read, Self::One, Self::Three, Self::Column, Self::Filter, Self::Row];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Read => "full read",
            Self::One => "1 field",
            Self::Three => "3 fields",
            Self::Column => "column",
            Self::Filter => "filter",
            Self::Row => "row(n)",
        }
    }
}

/// All figures of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Times, one for each contestant and operation.
    pub times: Vec<Times>,
    /// Sizes, one for each contestant.
    pub sizes: Vec<Size>,
    /// What a contestant could not do.
    pub refusals: Vec<Refusal>,
}

/// Times of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// The data set.
    pub data: String,
    /// The codec.
    pub codec: String,
    /// Whose time it is.
    pub peer: String,
    /// What was measured.
    pub operation: Operation,
    /// Number of rows.
    pub rows: usize,
    /// Calls in each repetition.
    pub iterations: usize,
    /// CPU nanoseconds a row, of each repetition.
    pub cpu: Vec<f64>,
    /// Nanoseconds a row on the wall, of each repetition.
    pub wall: Vec<f64>,
    /// The median of `cpu`.
    pub median_cpu: f64,
    /// The median of `wall`.
    pub median_wall: f64,
}

/// Size of an encoded data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// The data set.
    pub data: String,
    /// The codec.
    pub codec: String,
    /// Whose size it is.
    pub peer: String,
    /// Number of rows.
    pub rows: usize,
    /// Bytes.
    pub bytes: usize,
}

/// Something that a contestant could not do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The data set.
    pub data: String,
    /// The codec.
    pub codec: String,
    /// Who it was.
    pub peer: String,
    /// What it was.
    pub operation: Operation,
    /// Why.
    pub reason: String,
    /// Whether it should have been able to.
    pub unexpected: bool,
}

impl Figures {
    /// Adds the figures of other data sets.
    pub fn append(&mut self, mut other: Self) {
        self.times.append(&mut other.times);
        self.sizes.append(&mut other.sizes);
        self.refusals.append(&mut other.refusals);
    }

    /// CPU nanoseconds a row.
    pub fn cpu(&self, data: &str, codec: &str, peer: &str, operation: Operation) -> Option<f64> {
        self.times(data, codec, peer, operation).map(|times| times.median_cpu)
    }

    /// CPU time of a contestant ÷ that of another: the median of the ratios of all repetitions, since what runs in
    /// the same repetition has the machine in the same mood.
    pub fn ratio(&self, data: &str, codec: &str, peers: [&str; 2], operation: Operation) -> Option<f64> {
        let [one, other] = peers.map(|peer| self.times(data, codec, peer, operation));
        let pairs = one?.cpu.iter().zip(&other?.cpu);
        Some(median(&pairs.map(|(one, other)| one / other).collect::<Vec<_>>()))
    }

    fn times(&self, data: &str, codec: &str, peer: &str, operation: Operation) -> Option<&Times> {
        self.times.iter().find(|times| {
            times.data == data && times.codec == codec && times.peer == peer && times.operation == operation
        })
    }

    /// Bytes of an encoded data set.
    pub fn bytes(&self, data: &str, codec: &str, peer: &str) -> Option<usize> {
        let found =
            self.sizes.iter().find(|size| size.data == data && size.codec == codec && size.peer == peer);
        found.map(|size| size.bytes)
    }
}

/// The middle one, or the mean of the middle two.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => sorted[count / 2],
        count => (sorted[count / 2 - 1] + sorted[count / 2]) / 2.0,
    }
}
