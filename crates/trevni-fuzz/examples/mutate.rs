//! Runs a target over mutations of its corpus, as `tests/replay.rs` does, for a time: `mutate TARGET SECONDS [SEED]`.
//! An input that fails is written to `fuzz/artifacts/TARGET`.

use std::path::Path;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, seconds, rest @ ..] = &*arguments else {
        panic!("mutate TARGET SECONDS [SEED]");
    };
    let (_, run) = trevni_fuzz::TARGETS.into_iter().find(|(name, _)| name == target).expect("a target");
    let inputs = trevni_fuzz::corpus::of(target);
    let end = Instant::now() + Duration::from_secs(seconds.parse().expect("seconds"));
    let first: u64 = rest.first().map_or(1, |seed| seed.parse().expect("a seed"));
    let (mut seed, mut failed, mut slowest) = (first, 0, Duration::ZERO);
    while Instant::now() < end {
        let (name, bytes) = &inputs[seed as usize % inputs.len()];
        let changed = trevni_fuzz::mutated(target, bytes, seed);
        let begin = Instant::now();
        if std::panic::catch_unwind(|| run(&changed)).is_err() {
            failed += 1;
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/artifacts").join(target);
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(folder.join(format!("{seed}-{name}")), &changed).expect("a file");
            eprintln!("{target}: {name}, seed {seed}");
        }
        if begin.elapsed() > slowest {
            slowest = begin.elapsed();
            eprintln!("slowest: {slowest:?}, {name}, seed {seed}");
        }
        seed += 1;
    }
    println!("{target}: {} executions, {failed} failed, slowest {slowest:?}", seed - first);
}
