//! Runs many cases and collects what fails.

use crate::checks::{self, QUIET, SCHEMAS};
use crate::report::{category, describe};
use crate::{cases, fastavro, shrink};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Once;

pub struct Outcome {
    seed: u64,
    cases: usize,
    without_rows: usize,
    schemas: usize,
    /// By category: how many graphs, and the first one made small.
    pub failures: BTreeMap<String, (usize, String)>,
}

/// Lets panics that are caught and reported print nothing themselves.
pub fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                loud(panic);
            }
        }));
    });
}

/// Runs the graphs; where not all failures are wanted, up to the first.
pub fn run(seed: u64, graphs: Range<usize>, all: bool) -> Outcome {
    let mut outcome = Outcome { seed, cases: 0, without_rows: 0, schemas: 0, failures: BTreeMap::new() };
    let mut schemas: BTreeMap<String, usize> = BTreeMap::new();
    for number in graphs {
        let Some(case) = cases::case(seed, number) else {
            outcome.without_rows += 1;
            continue;
        };
        outcome.cases += 1;
        let failures = checks::run(&case, None);
        for schema in SCHEMAS.take() {
            schemas.entry(schema).or_insert(number);
        }
        let mut messages = Vec::new();
        for failure in failures {
            let category = category(&failure);
            // What fails in one way of reading fails in most others too.
            let message = category.split_once(": ").map(|(_, message)| message.to_owned());
            if messages.contains(&message) {
                continue;
            }
            messages.push(message);
            let (count, example) = outcome.failures.entry(category.clone()).or_default();
            *count += 1;
            if *count == 1 {
                let small = shrink::shrink(&case, failure.check, &category);
                SCHEMAS.take();
                let failed = checks::run(&small, Some(failure.check))
                    .into_iter()
                    .find(|failure| crate::report::category(failure) == category);
                let shown = describe(&small, &failed.unwrap_or(failure));
                *example = format!("// seed {seed}, graph {number}\n{shown}");
            }
        }
        if !all && !outcome.failures.is_empty() {
            break;
        }
    }
    outcome.schemas = schemas.len();
    outcome.ask_fastavro(schemas);
    outcome
}

impl Outcome {
    fn ask_fastavro(&mut self, schemas: BTreeMap<String, usize>) {
        let (texts, graphs): (Vec<String>, Vec<usize>) = schemas.into_iter().unzip();
        let Some(refused) = fastavro::refused(&texts) else {
            println!("fastavro is not there: {} schemas go without it", texts.len());
            return;
        };
        for (number, reason) in refused {
            let kind = reason.split('\t').next().unwrap_or_default();
            let (count, example) = self.failures.entry(format!("fastavro: {kind}")).or_default();
            *count += 1;
            if *count == 1 {
                let graph = graphs[number];
                *example =
                    format!("// seed {}, graph {graph}\n// {reason}\n// {}\n", self.seed, texts[number]);
            }
        }
    }

    pub fn summary(&self) -> String {
        format!(
            "{} graphs, {} more without rows that serde brings back, {} schemas, {} categories of failures",
            self.cases,
            self.without_rows,
            self.schemas,
            self.failures.len()
        )
    }

    pub fn text(&self) -> String {
        let mut text = self.summary() + "\n";
        let mut failures: Vec<_> = self.failures.iter().collect();
        failures.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (category, (count, _)) in &failures {
            let _ = writeln!(text, "{count:6} {category}");
        }
        for (category, (count, example)) in &failures {
            let _ = writeln!(text, "\n=== {count} × {category}\n{example}");
        }
        text
    }
}
