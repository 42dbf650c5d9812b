//! What is promised for each graph of types and its rows.

use crate::dialects::{self, Small};
use crate::model::Graph;
use crate::random::Random;
use crate::serialize::Typed;
use crate::value::Value;
use crate::{cuts, evolve, files, finite, oracle, plain, watchdog};
use derive_tests::{comparable_json, schema};
use serde_json::Value as Json;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use trevni::{ErrorKind, Reader};

/// A promise that was not kept.
#[derive(Clone, Debug)]
pub struct Failure {
    pub check: &'static str,
    pub message: String,
}

/// A type with rows of it.
#[derive(Clone)]
pub struct Case {
    pub graph: &'static Graph,
    pub pool: Vec<&'static str>,
    pub rows: Vec<Value>,
    /// For the options of the files and later versions of the type.
    pub seed: u64,
}

thread_local! {
    /// The schemas of all files so far.
    pub static SCHEMAS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    /// Whether a panic is caught and reported, so that nobody needs to hear of it at once.
    pub static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The failures of a case.
struct Checks<'a> {
    /// The only check that is wanted, if not all are.
    only: Option<&'a str>,
    failures: Vec<Failure>,
}

impl Checks<'_> {
    /// Runs one check; gives what it made.
    fn run<T>(&mut self, check: &'static str, run: impl FnOnce() -> Result<T, String>) -> Option<T> {
        if self.only.is_some_and(|only| only != check && !NEEDED.contains(&check)) {
            return None;
        }
        QUIET.set(true);
        let outcome = catch_unwind(AssertUnwindSafe(run));
        QUIET.set(false);
        let message = match outcome {
            Ok(Ok(made)) => return Some(made),
            Ok(Err(message)) => message,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
                format!("panicked: {}", text.unwrap_or_default())
            }
        };
        self.failures.push(Failure { check, message });
        None
    }

    /// Runs one check that reads rows.
    fn reads(
        &mut self,
        check: &'static str,
        expected: &[Value],
        read: impl FnOnce() -> trevni::Result<Vec<Value>>,
    ) {
        self.run(check, || same(expected, &read().map_err(text)?));
    }
}

/// The first line without the place, so that it is the same for failures of one kind.
fn text(error: trevni::Error) -> String {
    format!("{:?}: {}\n      in full: {error}", error.category(), error.kind())
}

fn same(expected: &[Value], found: &[Value]) -> Result<(), String> {
    if expected.len() != found.len() {
        return Err(format!("rows: {} instead of {}", found.len(), expected.len()));
    }
    for (row, (expected, found)) in expected.iter().zip(found).enumerate() {
        if expected != found {
            return Err(format!("wrong data: row {row} is {found:?}\n      instead of {expected:?}"));
        }
    }
    Ok(())
}

/// Checks whose outcome others need.
const NEEDED: [&str; 5] = ["write", "open", "rows", "cut", "merge of cut rows"];

pub fn run(case: &Case, only: Option<&str>) -> Vec<Failure> {
    watchdog::watch(Some(case));
    let failures = run_watched(case, only);
    watchdog::watch(None);
    failures
}

fn run_watched(case: &Case, only: Option<&str>) -> Vec<Failure> {
    let Case { graph, rows, seed, .. } = case;
    let mut checks = Checks { only, failures: vec![] };
    let mut random = Random::new(*seed);
    let options = files::options(&mut random);
    let written = checks.run("write", || files::write(graph, rows, options.clone()).map_err(text));
    if let Some(bytes) = written {
        readings(&mut checks, case, &bytes, &mut random);
        if checks.failures.iter().any(|failure| NEEDED.contains(&failure.check)) {
            return checks.failures;
        }
        evolutions(&mut checks, case, &bytes, &mut random);
        checks.run("write_batch", || {
            let again = files::again(&bytes, options).map_err(text)?;
            same(rows, &files::whole(graph, &again).map_err(text)?)
        });
        with_parts(&mut checks, case, &bytes, &mut random);
        with_dialects(&mut checks, case, &bytes);
        with_shape_of_type(&mut checks, case, &bytes);
    }
    checks.failures
}

fn readings(checks: &mut Checks<'_>, case: &Case, bytes: &[u8], random: &mut Random) {
    let Case { graph, rows, .. } = case;
    let Some(reader) = checks.run("open", || Reader::from_slice(bytes).map_err(text)) else { return };
    checks.run("schema", || {
        let stored = files::schema(&reader);
        SCHEMAS.with_borrow_mut(|schemas| schemas.push(stored.clone()));
        schema::check(&stored).map_err(|error| format!("{error}\n      {stored}"))?;
        let shown = reader.shape().to_avro();
        schema::check(&shown).map_err(|error| format!("to_avro: {error}\n      {shown}"))
    });
    checks.reads("rows", rows, || files::rows(graph, &reader));
    if checks.failures.iter().all(|failure| !NEEDED.contains(&failure.check)) {
        other_readings(checks, case, bytes, &reader, random);
    }
    let expected: Result<Vec<Json>, _> =
        rows.iter().map(|value| serde_json::to_value(Typed { graph, ty: &graph.row, value })).collect();
    if let Ok(expected) = expected {
        checks.run("untyped", || {
            let found: Vec<Json> = reader.rows().and_then(Iterator::collect).map_err(text)?;
            same_json(&expected, &found)?;
            same_json(&expected, &trevni::from_slice::<Vec<Json>>(bytes).map_err(text)?)
        });
    }
}

fn other_readings(
    checks: &mut Checks<'_>,
    case: &Case,
    bytes: &[u8],
    reader: &Reader<'_>,
    random: &mut Random,
) {
    let Case { graph, rows, .. } = case;
    checks.reads("from_slice", rows, || files::whole(graph, bytes));
    checks.reads("batches", rows, || files::batches(graph, reader));
    if !rows.is_empty() {
        let numbers: Vec<usize> = (0..3).map(|_| random.below(rows.len())).collect();
        let expected: Vec<Value> = numbers.iter().map(|number| rows[*number].clone()).collect();
        checks.reads("row", &expected, || files::single(graph, reader, &numbers));
    }
}

fn same_json(expected: &[Json], found: &[Json]) -> Result<(), String> {
    let pairs = expected.iter().zip(found).enumerate();
    let differ = |expected: &Json, found: &Json| {
        expected != found && comparable_json(expected.clone()) != comparable_json(found.clone())
    };
    match pairs.into_iter().find(|(_, (expected, found))| differ(expected, found)) {
        _ if expected.len() != found.len() => {
            Err(format!("rows: {} instead of {}", found.len(), expected.len()))
        }
        Some((row, (expected, found))) => {
            Err(format!("wrong data: row {row} is {found}\n      instead of {expected}"))
        }
        None => Ok(()),
    }
}

fn evolutions(checks: &mut Checks<'_>, case: &Case, bytes: &[u8], random: &mut Random) {
    let Case { graph, pool, rows, .. } = case;
    for _ in 0..3 {
        let later = evolve::evolve(random, graph, pool);
        if !finite::is_finite(&later) {
            continue;
        }
        let later = later.leak();
        let through =
            |row| oracle::write(graph, row).and_then(|content| oracle::read_in_any_order(later, content));
        let Ok(expected) = rows.iter().map(through).collect::<Result<Vec<Value>, _>>() else { continue };
        checks.run("evolution", || {
            let described = |error| format!("{error}\nread as:\n{}", crate::render::graph(later));
            let read = files::whole(later, bytes).map_err(|error| described(text(error)))?;
            same(&expected, &read).map_err(described)?;
            let reader = Reader::from_slice(bytes).map_err(text)?;
            let read = files::rows(later, &reader).map_err(|error| described(text(error)))?;
            same(&expected, &read).map_err(described)
        });
    }
}

/// The shape that the type tells takes its rows, and goes together with the shape that rows show.
fn with_shape_of_type(checks: &mut Checks<'_>, case: &Case, bytes: &[u8]) {
    let Case { graph, rows, .. } = case;
    let plain = plain::is_plain(graph);
    let shape = checks.run("shape of type", || match files::shape_of(graph) {
        Ok(shape) => Ok(Some(shape).filter(|_| plain)),
        Err(error) if !matches!(error.kind(), ErrorKind::Untraceable { .. }) => Err(text(error)),
        Err(error) if plain && !error.to_string().contains("holds itself") => Err(text(error)),
        Err(_) => Ok(None),
    });
    let Some(Some(shape)) = shape else { return };
    let of = |rows: &[Value]| files::write(graph, rows, trevni::Writer::builder().shape(&shape));
    checks.reads("rows under the shape of the type", rows, || files::whole(graph, &of(rows)?));
    checks.reads("dataset with the shape of the type", rows, || {
        files::dataset(graph, &[of(&[])?, bytes.to_vec()])
    });
}

/// All formats give the same rows; what one cannot carry is refused.
fn with_dialects(checks: &mut Checks<'_>, case: &Case, bytes: &[u8]) {
    let Case { graph, rows, .. } = case;
    checks.run("formats", || dialects::read_equal(graph, rows));
    checks.reads("merged from format to format", rows, || dialects::merged(graph, bytes));
    let small = |shape: Option<&trevni::Shape>| {
        dialects::small_groups(graph, rows, shape).map_err(|error| error.to_string())
    };
    let refused = checks.run("row groups of one row", || match small(None)? {
        Small::Written(file) => {
            same(rows, &files::whole(graph, &file).map_err(text)?)?;
            Ok(false)
        }
        Small::Refused(message) if dialects::is_clear(&message) => Ok(true),
        Small::Refused(message) => Err(format!("not clear: {message}")),
    });
    if refused == Some(true) && plain::is_plain(graph) {
        checks.run("row groups of one row and a given shape", || {
            let shape = Reader::from_slice(bytes).map_err(text)?.shape().clone();
            match small(Some(&shape))? {
                Small::Written(file) => same(rows, &files::whole(graph, &file).map_err(text)?),
                Small::Refused(message) => Err(format!("refused: {message}")),
            }
        });
    }
}

fn with_parts(checks: &mut Checks<'_>, case: &Case, bytes: &[u8], random: &mut Random) {
    let Case { graph, rows, .. } = case;
    if rows.is_empty() {
        return;
    }
    let size = random.between(1, rows.len());
    let plain = plain::is_plain(graph);
    checks.reads("dataset of parts written apart", rows, || {
        let parts = files::parts(graph, rows, size, None)?;
        for part in &parts {
            let stored = files::schema(&Reader::from_slice(part)?);
            SCHEMAS.with_borrow_mut(|schemas| schemas.push(stored));
        }
        files::dataset(graph, &parts)
    });
    if random.one_in(5) {
        let name = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "");
        checks.reads("folder of parts", rows, || files::folder(graph, rows, size, &name));
    }
    with_cuts(checks, case, random);
    checks.reads("split and merged", rows, || files::whole(graph, &files::split_and_merged(bytes, size)?));
    if plain {
        let parts = || {
            let shape = Reader::from_slice(bytes)?.shape().clone();
            files::parts(graph, rows, size, Some(&shape))
        };
        checks.reads("dataset of parts of one shape", rows, || files::dataset(graph, &parts()?));
        checks.reads("merge of parts of one shape", rows, || files::whole(graph, &files::merged(&parts()?)?));
    }
}

/// Any cut of the rows into files is one file.
fn with_cuts(checks: &mut Checks<'_>, case: &Case, random: &mut Random) {
    let Case { graph, rows, .. } = case;
    let Some(cut) = checks.run("cut", || cuts::cut(graph, rows, random).map_err(text)) else { return };
    checks.reads("dataset of cut rows", rows, || files::dataset(graph, &cut.files));
    let merged = checks.run("merge of cut rows", || cuts::merged(&cut.files, random).map_err(text));

    let Some(merged) = merged else { return };
    checks.reads("rows of a merge of cut rows", rows, || files::whole(graph, &merged));
    checks.run("columns and predicates of cut rows", || cuts::compare(&cut, &merged));
}
