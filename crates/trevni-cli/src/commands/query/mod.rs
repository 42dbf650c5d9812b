//! Questions to files: rows that are computed and sorted, or groups of rows and what they come to.

mod cell;
mod columns;
mod explain;
mod grouped;
mod having;
mod numbers;
mod plain;
mod plan;
mod result;
mod sorted;
mod sorting;
mod source;

use super::printed;
use crate::encoding::bytes;
use crate::failure::Failure;
use crate::output::Output;
use crate::rows::{Printing, RowFormat};
use clap::Args;
pub(super) use numbers::Numbers;
use plan::QueryPlan;
use source::QueryFile;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Functions, operators and aggregates: trevni help expressions

Examples:
  trevni query flights.trv -w 'dep_delay > 60' -b origin -a 'count(),mean(dep_delay)' -s -count
  trevni query flights.trv -c 'carrier,made_up=dep_delay-arr_delay' -s -made_up -n 5
  trevni query flights.trv -b \"month=date_trunc('month', time_hour)\" -a 'count()' -s month
  trevni query mails.trv --explode hops -b hops.host")]
pub(crate) struct Query {
    /// Files, or folders of them, as one table; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Fields, globs (!x excludes x, `a.b` is a name with a dot), and values such as speed=distance/air_time
    #[arg(short, long, value_name = "COLUMNS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Keep only rows that match this condition
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Group by these values: fields, or expressions such as month=round(day/30)
    #[arg(short, long, value_name = "EXPRESSIONS", allow_hyphen_values = true)]
    pub(crate) by: Vec<String>,
    /// Aggregates of each group, such as: count(),late=mean(dep_delay)
    #[arg(short, long, value_name = "AGGREGATES")]
    pub(crate) aggregate: Vec<String>,
    /// Keep only groups that match this condition, such as: count() > 10
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) having: Option<String>,
    /// Sort by columns of the result; -x is descending; nulls are last
    #[arg(short, long, value_name = "COLUMNS", allow_hyphen_values = true)]
    pub(crate) sort: Vec<String>,
    /// Bytes of rows that sorting keeps in memory; more are in temporary files [default: 256MiB]
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "sort", hide_short_help = true)]
    pub(crate) sort_memory: Option<usize>,
    /// Print at most this many rows
    #[arg(short = 'n', long, value_name = "ROWS")]
    pub(crate) number: Option<u64>,
    /// Skip this many rows of the result
    #[arg(long, value_name = "ROWS", default_value_t = 0)]
    pub(crate) skip: u64,
    /// Make one row per item of this list; the item replaces the list
    #[arg(long, value_name = "LIST")]
    pub(crate) explode: Option<String>,
    /// Show which columns and blocks are read, instead of running the query
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print one JSON object per file of what is read
    #[arg(long, requires = "explain")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

impl Query {
    fn format(&self) -> RowFormat {
        match self.printing.no_text() {
            Some(_) => RowFormat::Jsonl,
            None => self.printing.form(RowFormat::Table),
        }
    }

    /// Whether a record is several columns.
    fn is_flat(&self) -> bool {
        !matches!(self.format(), RowFormat::Json | RowFormat::Jsonl)
    }

    /// Those rows of the result that are asked for.
    fn window<R>(&self, rows: impl Iterator<Item = R>) -> impl Iterator<Item = R> {
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        rows.skip(count(self.skip)).take(self.number.map_or(usize::MAX, count))
    }
}

/// Whether a question in SQL is given in the place of a file.
fn is_sql(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_question = ["select", "with", "from"].iter().any(|word| first.eq_ignore_ascii_case(word));
    is_question && text.trim().contains(char::is_whitespace) && !path.exists()
}

pub(crate) fn run(args: &Query) -> Result<u8, Failure> {
    if args.files.iter().any(|path| is_sql(path)) {
        let failure = Failure::usage("query takes files and options, not SQL");
        return Err(failure.hint(
            "select is -c, or -b and -a; where is -w, group by -b, having --having, order by -s, limit -n; \
             or in SQL: trevni sql",
        ));
    }
    let grouping = [("-b", &args.by), ("-a", &args.aggregate)];
    if let Some((option, _)) =
        grouping.iter().find(|(_, given)| !args.columns.is_empty() && !given.is_empty())
    {
        let failure = Failure::usage(format!("-c cannot be used with {option}"));
        return Err(failure
            .hint("The columns of groups are what -b and -a name: -b 'month(day) as m' -a 'count() as n'"));
    }
    let plan = QueryPlan::parse(args)?;
    if args.having.is_some() && plan.groups.is_empty() && plan.shown == 0 {
        let failure = Failure::usage("--having needs groups");
        return Err(failure.hint("-b and -a make groups; -w is a condition on rows"));
    }
    if args.format() == RowFormat::AvroJson {
        let failure = Failure::usage("the result of a query has no Avro schema");
        return Err(failure.hint("To print it as JSON: -f jsonl"));
    }
    let print = |out: &mut Output| {
        let sources = QueryFile::open_all(&args.files, &plan)?;
        let style = args.printing.style(out);
        match plan.is_grouped() {
            true => grouped::run(args, &plan, &sources, &style, out),
            false => plain::run(args, &plan, &sources, &style, out),
        }
    };
    match args.printing.no_text().filter(|_| !args.explain) {
        Some((output, force)) => printed(output, force, print)?,
        None => {
            let mut out = args.printing.output()?;
            print(&mut out)?;
            out.finish()?;
        }
    }
    Ok(0)
}
