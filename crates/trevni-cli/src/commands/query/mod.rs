//! Questions to files: rows that are computed and sorted, or groups of rows and what they come to.

mod aggregate;
mod columns;
mod explain;
mod grouped;
mod groups;
mod kept;
mod plain;
mod plan;
mod result;
mod sorting;
mod source;
mod sum;

use crate::args::RowFormat;
use crate::failure::Failure;
use crate::output::Output;
use crate::rows::Style;
use clap::Args;
use plan::Plan;
use source::Source;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Aggregates: count() count(x) count_distinct(x) sum mean min max median stddev first last(x) \
quantile(x, 0.9)
Sorting without -n keeps all rows in memory, with -n those that may be among the first.

Examples:
  trevni query flights.trv -w 'dep_delay > 60' -b origin -a 'count(),mean(dep_delay)' -s -count
  trevni query flights.trv -c 'carrier,made_up=dep_delay-arr_delay' -s -made_up -n 5
  trevni query mails.trv --explode hops -b hops.host"
)]
pub(crate) struct Query {
    /// Files, as one table; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Fields, globs, !x to leave out, and values such as speed=distance/air_time; comma-separated
    #[arg(short, long, value_name = "COLUMNS", allow_hyphen_values = true, conflicts_with_all = ["by", "aggregate"])]
    pub(crate) columns: Vec<String>,
    /// Only rows for which this is true
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    /// A row for each of these values: fields, or expressions such as month=round(day/30)
    #[arg(short, long, value_name = "EXPRESSIONS", allow_hyphen_values = true)]
    pub(crate) by: Vec<String>,
    /// What the rows of a group come to, such as: count(),late=mean(dep_delay)
    #[arg(short, long, value_name = "AGGREGATES")]
    pub(crate) aggregate: Vec<String>,
    /// Sorts by columns of the result; -x from the greatest down; nulls come last
    #[arg(short, long, value_name = "COLUMNS", allow_hyphen_values = true)]
    pub(crate) sort: Vec<String>,
    /// Number of rows of the result
    #[arg(short = 'n', long, value_name = "ROWS")]
    pub(crate) number: Option<u64>,
    /// Leaves out so many rows of the result first
    #[arg(long, value_name = "ROWS", default_value_t = 0)]
    pub(crate) skip: u64,
    /// One row for each item of this list, which takes the place of the list
    #[arg(long, value_name = "LIST")]
    pub(crate) explode: Option<String>,
    /// How to print rows
    #[arg(short, long, value_enum, default_value = "table")]
    pub(crate) format: RowFormat,
    /// Which columns and blocks that reads; nothing else is printed
    #[arg(long)]
    pub(crate) explain: bool,
    /// Writes to a file, not to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces an output that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// The text for null in CSV and TSV
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) null: String,
    /// No names of columns in CSV and TSV
    #[arg(long)]
    pub(crate) no_header: bool,
}

impl Query {
    /// Those rows of the result that are asked for.
    fn window<R>(&self, rows: impl Iterator<Item = R>) -> impl Iterator<Item = R> {
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        rows.skip(count(self.skip)).take(self.number.map_or(usize::MAX, count))
    }
}

pub(crate) fn run(args: &Query) -> Result<u8, Failure> {
    let plan = Plan::parse(args)?;
    let mut out = Output::new(args.output.as_deref(), args.force)?;
    let sources = Source::open_all(&args.files, &plan)?;
    let style = Style { header: !args.no_header, null: args.null.clone() };
    if plan.is_grouped() {
        grouped::run(args, &plan, &sources, &style, &mut out)?;
    } else {
        plain::run(args, &plan, &sources, &style, &mut out)?;
    }
    out.finish().map(|()| 0)
}
