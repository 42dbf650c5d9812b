//! Pictures: how the values of one column are spread or how often each occurs, or where two columns meet.

mod axis;
mod bins;
mod points;
mod words;

use super::query::Numbers;
use crate::failure::Failure;
use crate::human::{count, thousands};
use crate::output::Output;
use crate::shown::shown;
use axis::{Axis, Range};
use bins::Bins;
use clap::Args;
use points::Points;
use std::io::Write;
use std::path::PathBuf;
use trevni_query::{Expression, between_commas};
use trevni_report::stats::Sample;
use words::Words;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni plot flights.trv -c dep_delay -w 'dep_delay < 120'
  trevni plot flights.trv -c carrier
  trevni plot flights.trv -c distance,air_time
  trevni plot flights.trv -c 'date(time_hour),dep_delay'")]
pub(crate) struct Plot {
    /// Files, or folders of them, as one table; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What is drawn: a column whose values are counted, or two of numbers, dates or instants, x and y; fields or expressions
    #[arg(short, long, value_name = "COLUMNS", required = true, allow_hyphen_values = true)]
    columns: Vec<String>,
    /// Keep only rows that match this condition
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    filter: Option<String>,
    /// Make one row per item of this list; the item replaces the list
    #[arg(long, value_name = "LIST")]
    explode: Option<String>,
    /// Parts of one column's range, or values of one that is text, at most
    #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    bins: u16,
    /// Draw all values of one column, also those far from most
    #[arg(long)]
    full: bool,
    /// Width in characters [default: the width of the terminal, or 80]
    #[arg(long, value_name = "CHARACTERS", value_parser = clap::value_parser!(u16).range(20..=1000))]
    width: Option<u16>,
    /// Height in lines, for two columns
    #[arg(long, value_name = "LINES", default_value_t = 20, value_parser = clap::value_parser!(u16).range(2..=500))]
    height: u16,
    /// Print one JSON object of what is drawn
    #[arg(long)]
    json: bool,
}

/// The width where it is not known.
const WIDTH: usize = 80;

pub(crate) fn run(args: &Plot) -> Result<u8, Failure> {
    let named = args.columns.iter().flat_map(|list| between_commas(list)).map(Expression::named);
    let named: Vec<(String, Expression)> = named.collect::<Result<_, _>>()?;
    let names: Vec<String> = named.iter().map(|(name, _)| shown(name).into_owned()).collect();
    if named.is_empty() || named.len() > 2 {
        let failure = Failure::usage(format!("a plot has one column or two, not {}", named.len()));
        return Err(failure.hint("The values of one are counted; of two the first is drawn to the right"));
    }
    let numbers = Numbers::open(&args.files, named, args.filter.as_deref(), args.explode.as_deref())?;
    if numbers.are_words {
        return draw_words(args, names.concat(), &numbers);
    }
    let (mut rows, mut missing) = (0u64, 0u64);
    let mut sample = Sample::default();
    let mut ranges = vec![Range::default(); names.len()];
    numbers.each(|values| {
        rows += 1;
        match values.iter().all(|value| value.is_finite()) {
            true => {
                ranges.iter_mut().zip(values).for_each(|(range, value)| range.take(*value));
                sample.offer(|| values.first().copied().unwrap_or_default());
            }
            false => missing += 1,
        }
    })?;
    let axes = names.into_iter().zip(ranges).zip(&numbers.moments);
    let axes: Vec<Axis> = axes.map(|((name, range), moment)| Axis { name, range, moment: *moment }).collect();
    let mut out = Output::new(None, false)?;
    let width = args.width.map(usize::from).or_else(|| out.width()).unwrap_or(WIDTH).max(20);
    let picture = match <[Axis; 1]>::try_from(axes) {
        Ok([mut axis]) => {
            // Programs that read JSON want all.
            if !args.full && !args.json {
                axis.range = axis.range.without_far(sample.values());
            }
            let mut bins = Bins::new(axis, usize::from(args.bins));
            if !bins.is_empty() {
                numbers.each(|values| values.iter().for_each(|value| bins.take(*value)))?;
            }
            if args.json { bins.to_json(rows, missing).to_string() } else { bins.draw(width) }
        }
        Err(axes) => {
            let mut points = Points::new(axes, width, usize::from(args.height));
            if !points.is_empty() {
                numbers.each(|values| points.take(values))?;
            }
            if args.json { points.to_json(rows, missing).to_string() } else { points.draw() }
        }
    };
    writeln!(out, "{}", picture.trim_end_matches('\n')).map_err(|error| out.failed(&error))?;
    if !args.json {
        writeln!(out, "{}", told(rows, missing)).map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| 0)
}

/// Draws how often each value of a column occurs.
fn draw_words(args: &Plot, name: String, numbers: &Numbers) -> Result<u8, Failure> {
    let (mut words, mut rows, mut missing) = (Words::new(name), 0u64, 0u64);
    numbers.each_word(|word| {
        rows += 1;
        match word {
            Some(word) => words.take(word),
            None => {
                missing += 1;
                Ok(())
            }
        }
    })?;
    let mut out = Output::new(None, false)?;
    let width = args.width.map(usize::from).or_else(|| out.width()).unwrap_or(WIDTH).max(20);
    let picture = match args.json {
        true => words.to_json(usize::from(args.bins), rows, missing).to_string(),
        false => words.draw(usize::from(args.bins), width) + &told(rows, missing),
    };
    writeln!(out, "{picture}").map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}

/// How many rows there are, and how many of them are not drawn.
fn told(rows: u64, missing: u64) -> String {
    let without =
        if missing == 0 { String::new() } else { format!(", {} without a value", thousands(missing)) };
    count(rows, "row") + &without
}
