//! Queries for rows: computed, and sorted where that is asked for.

use super::columns::{Made, OutputColumn, columns, names};
use super::plan::QueryPlan;
use super::source::QueryFile;
use super::{Query, explain, sorted};
use crate::commands::KnownField;
use crate::failure::Failure;
use crate::output::Output;
use crate::rows::{Heading, Printer, Style};
use trevni::Shape;
use trevni_query::{BoundExpression, Expression};

pub(super) fn run(
    args: &Query,
    plan: &QueryPlan,
    sources: &[QueryFile],
    style: &Style,
    out: &mut Output,
) -> Result<Vec<KnownField>, Failure> {
    let columns = columns(args, plan, sources)?;
    let names = names(&columns);
    // What rows are sorted by may be no column of the result.
    let mut keys = Vec::new();
    for by in &plan.sorting {
        keys.push(match by.find(&names).map(|at| &columns[at]) {
            Ok(OutputColumn::Field(cell)) => Expression::of_path(&cell.path),
            Ok(OutputColumn::Value(_, expression)) => expression.clone(),
            Err(failure) => {
                let expression = Expression::parse(&by.name)?;
                let is_there = |source: &QueryFile| source.has(&expression);
                if sources.iter().any(is_there) { expression } else { return Err(failure) }
            }
        });
    }
    let fields = |source: &QueryFile| {
        let keys = keys.iter().flat_map(|key| key.fields(source.shape()));
        columns.iter().flat_map(|column| column.fields(source)).chain(keys).collect()
    };
    let sources = sources.iter().map(|source| source.with(fields(source))).collect::<Result<Vec<_>, _>>()?;
    let made = |source| columns.iter().map(|column| Made::of(column, source, args)).collect();
    let made = sources.iter().map(made);
    let made: Vec<Vec<Made>> = made.collect::<Result<_, Failure>>()?;
    let bound = sources.iter().map(|source| bound(&keys, source)).collect::<Result<Vec<_>, _>>()?;
    if args.explain {
        return explain::print(args, &sources, plan, out).map(|()| Vec::new());
    }
    let number = |at| made.iter().all(|made: &Vec<Made>| made.get(at).is_some_and(Made::is_number));
    let kind = |at| {
        let mut kinds = made.iter().filter_map(|made: &Vec<Made>| made.get(at)).map(Made::kind);
        let first = kinds.find(|kind| !kind.is_empty()).unwrap_or_default();
        if kinds.all(|kind| kind.is_empty() || kind == first) { first.to_owned() } else { "mixed".to_owned() }
    };
    let named = names.into_iter().enumerate();
    let named = named.map(|(at, name)| Heading { name, is_number: number(at), kind: kind(at) });
    let named: Vec<Heading> = named.collect();
    let known = known(&named, &made);
    let printer = Printer::of_cells(args.format(), named, style);
    match keys.is_empty() {
        true => in_order(args, &sources, &made, printer, out)?,
        false => sorted::print(args, plan, &bound, &sources, &made, printer, out)?,
    }
    Ok(known)
}

/// What is known of the columns: their types where all files have the same.
fn known(named: &[Heading], made: &[Vec<Made>]) -> Vec<KnownField> {
    let one = |(at, heading): (usize, &Heading)| {
        let made = || made.iter().filter_map(move |made| made.get(at)).filter(|made| !made.is_nothing());
        let first = made().next().map(Made::known);
        let (shape, usual) = first.unwrap_or((None, Shape::String));
        let same = made().all(|made| made.known().0 == shape);
        KnownField { name: heading.name.clone(), shape: shape.filter(|_| same), usual }
    };
    named.iter().enumerate().map(one).collect()
}

/// Prints rows as they come.
fn in_order(
    args: &Query,
    sources: &[QueryFile],
    made: &[Vec<Made>],
    mut printer: Printer,
    out: &mut Output,
) -> Result<(), Failure> {
    let (mut skip, mut left) = (args.skip, args.number.unwrap_or(u64::MAX));
    for (source, made) in sources.iter().zip(made) {
        let selecting = source.rows()?;
        if left == 0 {
            break;
        }
        for batch in source.reader.batches().map_err(|error| source.failed(&error))? {
            let batch = batch.map_err(|error| source.failed(&error))?;
            let rows = selecting.rows(&batch)?;
            let scope = rows.scope(&batch);
            let passed = skip.min(scope.len() as u64);
            skip -= passed;
            let cells =
                made.iter().map(|made| made.cells(&scope, &args.printing)).collect::<Result<Vec<_>, _>>()?;
            let rows = (passed as usize..scope.len()).take(usize::try_from(left).unwrap_or(usize::MAX));
            left -= rows.len() as u64;
            let values = rows.map(|row| cells.iter().map(|cells| cells.value(row)).collect());
            printer.cells(values, out).map_err(|error| out.failed(&error))?;
            if left == 0 {
                break;
            }
        }
    }
    printer.finish(out).map_err(|error| out.failed(&error))
}

/// What rows of a file are sorted by.
fn bound(keys: &[Expression], source: &QueryFile) -> Result<Vec<BoundExpression>, Failure> {
    let single = |key: &Expression| {
        let bound = source.bind(key)?;
        if bound.kind.has_order() {
            return Ok(bound);
        }
        let (name, source) = (bound.kind.name(), key.source());
        Err(key
            .wrong(&match bound.kind.is_simple() {
                true => format!("{source} is {name}, which has no order"),
                false => format!("{source} is {name}, not a single value to sort by"),
            })
            .into())
    };
    keys.iter().map(single).collect()
}
