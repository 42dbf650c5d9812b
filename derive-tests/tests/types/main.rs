//! Random graphs of types, with names that collide, come back as they were written.
//!
//! `TREVNI_GRAPHS` says how many graphs (300), `TREVNI_SEED` which (1), `TREVNI_GRAPH` runs one alone.
//! With `TREVNI_SURVEY=1` all graphs are tried and the failures shown by category, one small example each.

#![allow(unreachable_pub, reason = "what modules of a test share is `pub`")]

mod buffered;
mod cases;
mod checks;
mod content;
mod cuts;
mod deserialize;
mod dialects;
mod enums;
mod evolve;
mod fastavro;
mod files;
mod finite;
mod flat_reading;
mod flatten;
mod generate;
mod keys;
mod model;
mod names;
mod oracle;
mod plain;
mod random;
mod render;
mod report;
mod serialize;
mod shrink;
mod structs;
mod survey;
mod value;
mod values;
mod variants;
mod watchdog;

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

#[test]
fn random_types_come_back_whatever_their_names() {
    let seed = number("TREVNI_SEED", 1);
    let count = number("TREVNI_GRAPHS", 300) as usize;
    let graphs = match number("TREVNI_GRAPH", u64::MAX) {
        u64::MAX => 0..count,
        only => only as usize..only as usize + 1,
    };
    survey::quiet_panics();
    let outcome = survey::run(seed, graphs, number("TREVNI_SURVEY", 0) > 0);
    println!("{}", outcome.summary());
    assert!(outcome.failures.is_empty(), "{}", outcome.text());
}
