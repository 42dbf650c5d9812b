//! What the command line says.

use crate::codec::Codec;
use crate::data::{NAMES, Source};
use crate::peers::Peer;
use crate::report::targets::Show;
use clap::{Args, Parser, ValueEnum};
use std::path::PathBuf;

/// The measurements that have no contestants: how times depend on the number of rows, what checksums cost.
pub const SCALING: &str = "scaling";
const SUBJECTS: [&str; NAMES.len() + 1] = [NAMES[0], NAMES[1], NAMES[2], NAMES[3], NAMES[4], SCALING];

/// How much more often there is no codec than each of the others.
const NONE: usize = 3;

/// Column files to be measured.
#[derive(Clone, Debug, Args)]
pub struct Files {
    /// Column files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// How often everything is measured; the medians are reported
    #[arg(long, default_value_t = 7)]
    pub repetitions: usize,
    /// Markdown file to write the report into, between its marks
    #[arg(long)]
    pub report: Option<PathBuf>,
    /// Everything once: only to see that it works
    #[arg(long)]
    pub smoke: bool,
}

impl Files {
    /// How often everything is measured.
    pub fn repetitions(&self) -> usize {
        if self.smoke { 1 } else { self.repetitions.max(1) }
    }
}

/// Measures trevni against other formats and against code written by hand.
#[derive(Clone, Debug, Parser)]
pub struct Options {
    /// Data sets, and `scaling`
    #[arg(long, value_delimiter = ',', value_parser = SUBJECTS, default_values = SUBJECTS)]
    pub data: Vec<String>,
    /// Codecs
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "none,snappy,deflate,zstandard,lz4,typed,typed-zstandard"
    )]
    pub codec: Vec<Codec>,
    /// Checksums of trevni's blocks
    #[arg(long, value_enum, value_delimiter = ',', default_value = "off,on")]
    pub checksum: Vec<Switch>,
    /// Whom to compare with [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub peers: Vec<Peer>,
    /// How often everything is measured, three times as often without codec; the medians are reported
    #[arg(long, default_value_t = 5)]
    pub repetitions: usize,
    /// Number of rows ÷ the usual number
    #[arg(long, default_value_t = 1.0)]
    pub rows_scale: f64,
    /// CSV file of flights, in place of the sample in the repository
    #[arg(long)]
    pub flights: Option<PathBuf>,
    /// Markdown file to write the report into, between its marks
    #[arg(long)]
    pub report: Option<PathBuf>,
    /// Markdown file for the comparison with other formats, between its marks; pictures go into a folder of its name
    #[arg(long)]
    pub choices: Option<PathBuf>,
    /// File for the raw figures
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Keep memory that has been freed, so that no time goes into fresh pages
    #[arg(long)]
    pub keep_memory: bool,
    /// Show the maintainers' targets beside the ratios, and whether they are met
    #[arg(long)]
    pub targets: bool,
    /// What to measure in this process; prints it as JSON
    #[arg(long, value_enum, hide = true)]
    pub part: Option<Part>,
    /// Few rows, everything once: only to see that it works
    #[arg(long)]
    pub smoke: bool,
}

/// What is measured in a process of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The contestants, on a data set.
    Data,
    /// What has no contestants.
    Alone,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    Off,
    On,
}

impl Options {
    /// Names of the data sets.
    pub fn data_sets(&self) -> impl Iterator<Item = &str> {
        self.data.iter().map(String::as_str).filter(|&name| name != SCALING)
    }

    /// These options for the contestants and codecs of the summaries, which are measured with an allocator that keeps memory, too;
    /// `None` where there are no such contestants.
    pub fn kept(&self) -> Option<Self> {
        let compared = [Peer::Trevni, Peer::Hand, Peer::Bitcode, Peer::Parquet, Peer::ArrowIpc, Peer::Csv];
        let peers: Vec<Peer> = compared.into_iter().filter(|&peer| self.listed(peer)).collect();
        let mut codec = self.codec.clone();
        codec.retain(|codec| !matches!(codec, Codec::Deflate | Codec::Lz4));
        (!peers.is_empty() && !codec.is_empty()).then(|| Self { codec, peers, ..self.clone() })
    }

    /// Whether the report has targets.
    pub fn show(&self) -> Show {
        if self.targets { Show::Targets } else { Show::Ratios }
    }

    /// Whether to measure what has no contestants.
    pub fn scaling(&self) -> bool {
        self.data.iter().any(|name| name == SCALING)
    }

    /// Which rows.
    pub fn source(&self) -> Source {
        let scale = if self.smoke { self.rows_scale / 1000.0 } else { self.rows_scale };
        Source { scale, flights: self.flights.clone() }
    }

    /// How often a codec is measured: without one more often, since most comparisons use that.
    pub fn repetitions_of(&self, codec: Codec) -> usize {
        let more = if codec == Codec::None && !self.smoke { NONE } else { 1 };
        self.repetitions() * more
    }

    /// How often everything is measured, but for codec none.
    pub fn repetitions(&self) -> usize {
        if self.smoke { 1 } else { self.repetitions.max(1) }
    }

    /// How long one measurement of one operation should take, in nanoseconds.
    pub fn sample_time(&self) -> f64 {
        if self.smoke { 0.0 } else { 50e6 }
    }

    /// Whether a contestant is wanted.
    pub fn wants(&self, peer: Peer) -> bool {
        match peer {
            Peer::TrevniChecksum => self.checksum.contains(&Switch::On) && self.listed(Peer::Trevni),
            Peer::Trevni => self.checksum.contains(&Switch::Off) && self.listed(Peer::Trevni),
            peer => self.listed(peer),
        }
    }

    fn listed(&self, peer: Peer) -> bool {
        self.peers.is_empty() || self.peers.contains(&peer)
    }
}
