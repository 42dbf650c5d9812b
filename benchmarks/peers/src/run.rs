//! Runs the contestants over the data sets, one after the other in each repetition.

use crate::clock::{Time, time};
use crate::codec::Codec;
use crate::data::{DataSet, flights, log, mail, mesh, minecraft};
use crate::figures::{Figures, Operation, Refusal, Size, Times, median};
use crate::hand::Columnar;
use crate::options::Options;
use crate::peers::{Contestant, Outcome, Peer, Unsupported};
use crate::random::Random;
use bytes::Bytes;

/// Rows that are read by their numbers in one call.
const SINGLE_ROWS: usize = 64;
/// Most calls in one measurement.
const MOST_ITERATIONS: f64 = 10_000.0;

/// Measures all data sets that the options ask for.
pub fn run(options: &Options) -> Figures {
    let mut figures = Figures::default();
    for data in options.data_sets() {
        match data {
            flights::Flights::NAME => data_set::<flights::Flights>(options, &mut figures),
            mail::Nested::NAME => data_set::<mail::Nested>(options, &mut figures),
            mesh::Mesh::NAME => data_set::<mesh::Mesh>(options, &mut figures),
            log::Log::NAME => data_set::<log::Log>(options, &mut figures),
            minecraft::Minecraft::NAME => data_set::<minecraft::Minecraft>(options, &mut figures),
            other => panic!("no data set {other}"),
        }
    }
    figures
}

/// The rows, and what reading parts of them should give.
struct Expected<D: DataSet> {
    rows: Vec<D::Row>,
    one: Vec<D::One>,
    three: Vec<D::Three>,
    values: Vec<D::Value>,
    /// A hundredth of the values is as great or greater.
    bound: D::Value,
    /// Numbers of single rows.
    numbers: Vec<u64>,
}

/// A contestant with its file.
struct Entry<D: DataSet> {
    peer: Peer,
    contestant: Box<dyn Contestant<D>>,
    file: Bytes,
    /// What it can do, and how many calls one measurement has.
    operations: Vec<(Operation, usize)>,
}

fn data_set<D: Columnar>(options: &Options, figures: &mut Figures) {
    let rows = D::rows(&options.source());
    let mut random = Random::new(1);
    let values: Vec<D::Value> = rows.iter().map(D::value).collect();
    let mut sorted = values.clone();
    sorted.sort_by(|one, two| one.partial_cmp(two).expect("no value is NaN"));
    let expected = Expected::<D> {
        one: rows.iter().map(D::one).collect(),
        three: rows.iter().map(D::three).collect(),
        bound: sorted[sorted.len() / 100 * 99],
        values,
        numbers: (0..SINGLE_ROWS).map(|_| random.below(rows.len()) as u64).collect(),
        rows,
    };
    for &codec in &options.codec {
        eprintln!("{}, {}: {} rows", D::NAME, codec.name(), expected.rows.len());
        measure(options, codec, &expected, figures);
    }
}

fn measure<D: Columnar>(options: &Options, codec: Codec, expected: &Expected<D>, figures: &mut Figures) {
    let mut entries = Vec::new();
    for peer in Peer::ALL.into_iter().filter(|&peer| options.wants(peer)) {
        if let Some(contestant) = peer.contestant::<D>(codec, &expected.rows) {
            entries.extend(enter(peer, contestant, codec, expected, options.sample_time(), figures));
        }
    }
    let first = figures.times.len();
    for entry in &entries {
        figures.times.extend(entry.operations.iter().map(|&(operation, iterations)| Times {
            data: D::NAME.to_owned(),
            codec: codec.name().to_owned(),
            peer: entry.peer.name().to_owned(),
            operation,
            rows: rows_of(operation, expected),
            iterations,
            cpu: Vec::new(),
            wall: Vec::new(),
            median_cpu: f64::NAN,
            median_wall: f64::NAN,
        }));
    }
    let mut random = Random::new(2);
    for _ in 0..options.repetitions_of(codec) {
        for operation in Operation::ALL {
            let here = figures.times[first..].iter_mut().filter(|times| times.operation == operation);
            let mut here: Vec<&mut Times> = here.collect();
            // What the one before has left of memory counts, so it is not always the same one.
            random.shuffle(&mut here);
            for times in here {
                let entry = entries.iter().find(|entry| entry.peer.name() == times.peer);
                let entry = entry.expect("each time belongs to a contestant");
                let time = entry.sample(operation, times.iterations, expected);
                times.cpu.push(time.cpu / times.rows as f64);
                times.wall.push(time.wall / times.rows as f64);
            }
        }
    }
    for times in &mut figures.times[first..] {
        times.median_cpu = median(&times.cpu);
        times.median_wall = median(&times.wall);
    }
}

fn rows_of<D: DataSet>(operation: Operation, expected: &Expected<D>) -> usize {
    if operation == Operation::Row { SINGLE_ROWS } else { expected.rows.len() }
}

/// Sees what a contestant can do, and that what it reads is what was written.
fn enter<D: DataSet>(
    peer: Peer,
    contestant: Box<dyn Contestant<D>>,
    codec: Codec,
    expected: &Expected<D>,
    sample_time: f64,
    figures: &mut Figures,
) -> Option<Entry<D>> {
    let mut refuse = |operation, error: Box<dyn std::error::Error>| {
        figures.refusals.push(Refusal {
            data: D::NAME.to_owned(),
            codec: codec.name().to_owned(),
            peer: peer.name().to_owned(),
            operation,
            unexpected: !error.is::<Unsupported>(),
            reason: error.to_string().chars().take(160).collect(),
        });
    };
    let file = match contestant.write(&expected.rows) {
        Ok(file) => Bytes::from(file),
        Err(error) => {
            refuse(Operation::Write, error);
            return None;
        }
    };
    figures.sizes.push(Size {
        data: D::NAME.to_owned(),
        codec: codec.name().to_owned(),
        peer: peer.name().to_owned(),
        rows: expected.rows.len(),
        bytes: file.len(),
    });
    let mut entry = Entry { peer, contestant, file, operations: Vec::new() };
    for operation in Operation::ALL {
        if let Err(error) = entry.check(operation, expected) {
            refuse(operation, error);
            continue;
        }
        let once = entry.sample(operation, 1, expected).cpu.max(1.0);
        let iterations = (sample_time / once).ceil().clamp(1.0, MOST_ITERATIONS) as usize;
        entry.operations.push((operation, iterations));
    }
    Some(entry)
}

impl<D: DataSet> Entry<D> {
    fn check(&self, operation: Operation, expected: &Expected<D>) -> Outcome<()> {
        let (contestant, file) = (&self.contestant, &self.file);
        let equal = match operation {
            Operation::Write => true,
            Operation::Read => contestant.read(file)? == expected.rows,
            Operation::One => contestant.read_one(file)? == expected.one,
            Operation::Three => contestant.read_three(file)? == expected.three,
            Operation::Column => contestant.column(file)? == expected.values,
            Operation::Filter => {
                let wanted = expected.rows.iter().filter(|row| D::value(row) >= expected.bound);
                contestant.filter(file, expected.bound)?.iter().eq(wanted)
            }
            Operation::Row => {
                let rows = contestant.rows(file, &expected.numbers)?;
                rows.iter().eq(expected.numbers.iter().map(|&number| &expected.rows[number as usize]))
            }
        };
        if equal { Ok(()) } else { Err("what was read is not what was written".into()) }
    }

    fn sample(&self, operation: Operation, iterations: usize, expected: &Expected<D>) -> Time {
        let (contestant, file) = (&self.contestant, &self.file);
        match operation {
            Operation::Write => time(iterations, || contestant.write(&expected.rows)),
            Operation::Read => time(iterations, || contestant.read(file)),
            Operation::One => time(iterations, || contestant.read_one(file)),
            Operation::Three => time(iterations, || contestant.read_three(file)),
            Operation::Column => time(iterations, || contestant.column(file)),
            Operation::Filter => time(iterations, || contestant.filter(file, expected.bound)),
            Operation::Row => time(iterations, || contestant.rows(file, &expected.numbers)),
        }
    }
}
