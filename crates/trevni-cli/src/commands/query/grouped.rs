//! Queries for groups of rows.

use super::columns::{self, word};
use super::plan::QueryPlan;
use super::result::ResultColumn;
use super::source::{QueryFile, Selecting};
use super::{Query, explain, sorting};
use crate::commands::KnownField;
use crate::failure::Failure;
use crate::human::{rounded, thousands};
use crate::output::Output;
use crate::parallel;
use crate::progress::Progress;
use crate::rows::{Heading, Printer, RowFormat, Style};
use trevni::{Batch, Shape};
use trevni_query::aggregate::{Aggregate, Groups, State};
use trevni_query::{BoundExpression, Scalar, Type};

pub(super) fn run(
    args: &Query,
    plan: &QueryPlan,
    sources: &[QueryFile],
    style: &Style,
    out: &mut Output,
) -> Result<Vec<KnownField>, Failure> {
    let fields = |source: &QueryFile| {
        plan.expressions().flat_map(|expression| expression.fields(source.shape())).collect()
    };
    let sources = sources.iter().map(|source| source.with(fields(source))).collect::<Result<Vec<_>, _>>()?;
    let names = plan.names();
    let shown = plan.aggregates.get(..plan.shown).unwrap_or_default();
    let by = plan.sorting.iter().map(|by| by.find_group(&names, plan.groups.len(), shown));
    let by = by.collect::<Result<Vec<_>, _>>()?;
    let bindings = sources.iter().map(|source| Binding::new(source, plan)).collect::<Result<Vec<_>, _>>()?;
    if args.explain {
        return explain::print(args, &sources, plan, out).map(|()| Vec::new());
    }
    let mut grouping = Grouping::new(plan);
    let progress = Progress::rows("reading", sources.iter().map(|source| source.reader.row_count()).sum());
    for (source, binding) in sources.iter().zip(&bindings) {
        grouping.read(source, binding, &progress)?;
    }
    drop(progress);
    let values = grouping.values();
    let mut order: Vec<usize> = match &plan.having {
        Some(having) => having.groups(names.clone(), plan.groups.len(), &values)?,
        None => (0..values.first().map_or(0, Vec::len)).collect(),
    };
    if !by.is_empty() {
        let (by, values) = (&by, &values);
        let keys = |row: usize| by.iter().filter_map(move |at| values.get(*at)?.get(row));
        order.sort_by(|one, two| sorting::order(&plan.sorting, keys(*one), keys(*two)));
    }
    let kinds = kinds(plan, &bindings);
    let is_table = matches!(args.format(), RowFormat::Table);
    let cells = values.iter().zip(&kinds).take(names.len()).enumerate().map(|(at, (values, (kind, _)))| {
        let aggregate = at.checked_sub(plan.groups.len()).and_then(|at| plan.aggregates.get(at));
        match aggregate.is_some_and(|aggregate| is_table && !aggregate.keeps()) {
            true => ResultColumn::of_values(&values.iter().map(for_people).collect::<Vec<_>>(), Type::Text),
            false => ResultColumn::of_values(values, *kind),
        }
    });
    let cells = cells.collect::<Result<Vec<_>, _>>()?;
    let known = names.iter().zip(&kinds).enumerate().map(|(at, (name, (kind, _)))| {
        let aggregate = at.checked_sub(plan.groups.len()).and_then(|at| plan.aggregates.get(at));
        let (shape, usual) = columns::known(*kind);
        // Counts are integers, and sums what is summed.
        let shape = shape.filter(|_| aggregate.is_none_or(Aggregate::keeps));
        let counts = aggregate.is_some_and(|aggregate| aggregate.of.is_none());
        let usual = if counts { Shape::Long } else { usual };
        KnownField { name: name.clone(), shape, usual }
    });
    let known = known.collect();
    let named = names.into_iter().zip(&kinds).enumerate().map(|(at, (name, (kind, is_number)))| {
        let aggregate = at.checked_sub(plan.groups.len()).and_then(|at| plan.aggregates.get(at));
        // What is counted or summed says itself what it is.
        let kind = if aggregate.is_none_or(Aggregate::keeps) { word(*kind) } else { "" };
        Heading { name, is_number: *is_number, kind: kind.to_owned() }
    });
    let mut printer = Printer::of_cells(args.format(), named.collect(), style);
    let values =
        args.window(order.into_iter()).map(|row| cells.iter().map(|cells| cells.value(row)).collect());
    printer.cells(values, out).and_then(|()| printer.finish(out)).map_err(|error| out.failed(&error))?;
    Ok(known)
}

/// A number in a table: with commas, or rounded.
fn for_people(value: &Scalar) -> Scalar {
    match value {
        Scalar::Integer(value) => {
            let digits = value.unsigned_abs();
            let digits = u64::try_from(digits).map_or_else(|_| digits.to_string(), thousands);
            Scalar::Text(format!("{}{digits}", if *value < 0 { "-" } else { "" }))
        }
        Scalar::Float(value) => Scalar::Text(rounded(*value)),
        value => value.clone(),
    }
}

/// The expressions of a plan for one file.
struct Binding {
    groups: Vec<BoundExpression>,
    /// Each value that is aggregated, once.
    values: Vec<BoundExpression>,
    /// Which of these an aggregate takes.
    taken: Vec<Option<usize>>,
}

impl Binding {
    fn new(source: &QueryFile, plan: &QueryPlan) -> Result<Self, Failure> {
        let groups = plan.groups.iter().map(|(_, expression)| {
            let bound = source.bind(expression)?;
            match bound.kind.is_simple() {
                true => Ok::<_, Failure>(bound),
                false => Err(expression
                    .wrong(&format!(
                        "{} is {}, not a single value to group by",
                        expression.source(),
                        bound.kind.name()
                    ))
                    .into()),
            }
        });
        let groups = groups.collect::<Result<_, _>>()?;
        let (mut values, mut taken, mut sources) = (Vec::new(), Vec::new(), Vec::new());
        for aggregate in &plan.aggregates {
            let Some(of) = &aggregate.of else {
                taken.push(None);
                continue;
            };
            let bound = source.bind(of)?;
            aggregate.check(&bound)?;
            let same = sources.iter().position(|source| *source == of.source());
            taken.push(Some(same.unwrap_or(values.len())));
            if same.is_none() {
                sources.push(of.source());
                values.push(bound);
            }
        }
        Ok(Self { groups, values, taken })
    }
}

/// The types of the columns of the result, and whether they are numbers.
fn kinds(plan: &QueryPlan, bindings: &[Binding]) -> Vec<(Type, bool)> {
    // Of several files the first that has the field says it.
    let known = |of: &dyn Fn(&Binding) -> Option<Type>| {
        bindings.iter().filter_map(of).find(|kind| *kind != Type::Null).unwrap_or(Type::Null)
    };
    let groups = (0..plan.groups.len()).map(|at| {
        let kind = known(&|binding| Some(binding.groups.get(at)?.kind));
        (kind, kind.is_number())
    });
    let aggregates = plan.aggregates.iter().enumerate().map(|(at, aggregate)| {
        let kind = known(&|binding| Some(binding.values.get((*binding.taken.get(at)?)?)?.kind));
        (if aggregate.keeps() { kind } else { Type::Float }, aggregate.is_number(kind))
    });
    groups.chain(aggregates).collect()
}

/// The groups so far, and what they come to.
struct Grouping {
    groups: Groups,
    states: Vec<State>,
}

impl Grouping {
    fn new(plan: &QueryPlan) -> Self {
        let mut states: Vec<State> = plan.aggregates.iter().map(|aggregate| aggregate.state()).collect();
        let groups = Groups::new(plan.groups.len());
        states.iter_mut().for_each(|state| state.grow(groups.len()));
        Self { groups, states }
    }

    /// Adds the rows of a file.
    fn read(&mut self, source: &QueryFile, binding: &Binding, progress: &Progress) -> Result<(), Failure> {
        let selecting = source.rows()?;
        let batches = source.reader.batches().map_err(|error| source.failed(&error))?;
        let batches = batches.map(|batch| batch.map_err(|error| source.failed(&error)));
        parallel::ahead(batches, |batch| {
            self.add(&batch, &selecting, binding)?;
            progress.add(batch.len() as u64);
            Ok(true)
        })
    }

    fn add(&mut self, batch: &Batch, selecting: &Selecting<'_>, binding: &Binding) -> Result<(), Failure> {
        let rows = selecting.rows(batch)?;
        let scope = rows.scope(batch);
        let mut waiting = Vec::new();
        for (state, taken) in self.states.iter_mut().zip(&binding.taken) {
            let place = taken.and_then(|at| binding.values.get(at)?.place());
            // Those of a group are not all of a vector.
            let all = place.filter(|_| binding.groups.is_empty()).and_then(|place| scope.all(place));
            let is_added = all.is_some_and(|(shape, vector)| state.add_vector(shape, vector));
            if !is_added {
                waiting.push((state, *taken));
            }
        }
        if waiting.is_empty() {
            return Ok(());
        }
        let keys =
            binding.groups.iter().map(|bound| bound.evaluate(&scope)).collect::<Result<Vec<_>, _>>()?;
        let values = binding.values.iter().enumerate().map(|(at, bound)| {
            let is_taken = waiting.iter().any(|(_, taken)| *taken == Some(at));
            is_taken.then(|| bound.evaluate(&scope)).transpose()
        });
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let groups = self.groups.of_rows(&keys, scope.len());
        for (state, taken) in waiting {
            state.grow(self.groups.len());
            state.add(&groups, taken.and_then(|at| values.get(at)?.as_ref()))?;
        }
        Ok(())
    }

    /// The columns of the result.
    fn values(self) -> Vec<Vec<Scalar>> {
        let keys = self.groups.into_keys();
        keys.into_iter().chain(self.states.into_iter().map(State::values)).collect()
    }
}
