//! Whatever dies, and whenever: the right rows or an error, none twice, none lost.
//!
//! `TREVNI_KILLS=200 cargo test -p trevni-ballista --test cluster kills -- --nocapture` kills more often, and wants each answer within
//! 15 seconds; `TREVNI_SEED` repeats a run.

use crate::processes::Cluster;
use crate::support::{Folder, local, rows, run, write_numbers};
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// Kills of an ordinary run.
const KILLS: usize = 16;
/// How long an answer may take after a kill; far more on a machine that does other tests at the same time.
const PATIENCE: [Duration; 2] = [Duration::from_secs(15), Duration::from_secs(300)];
/// Rows of the source.
const ROWS: u64 = 64_000;

/// Numbers by chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % end
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Work {
    Scan,
    Join,
    Sort,
    Insert,
    InsertPartitions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kill {
    One,
    Both,
    Scheduler,
}

const WORK: [Work; 5] = [Work::Scan, Work::Join, Work::Sort, Work::Insert, Work::InsertPartitions];

/// A cluster, the tables that are written, and how many inserts of each count.
struct Place {
    cluster: Cluster,
    session: SessionContext,
    from: String,
    to: BTreeMap<Work, (String, u64)>,
}

impl Place {
    async fn new(folder: &Folder) -> Self {
        let from = folder.join("from");
        write_numbers(&from, 8, ROWS as usize / 8).await;
        let to = [Work::Insert, Work::InsertPartitions];
        let to = to.into_iter().map(|work| (work, (folder.join(&format!("{work:?}")), 0))).collect();
        let cluster = Cluster::with_timeout(2, 3);
        let mut place = Self { cluster, session: local(), from, to };
        place.connect().await;
        place
    }

    async fn connect(&mut self) {
        self.session = trevni_ballista::client::connect(&self.cluster.address).await.unwrap();
        for (work, (to, _)) in &self.to {
            std::fs::create_dir_all(to).unwrap();
            let (name, partitions) = match work {
                Work::InsertPartitions => ("parted", "PARTITIONED BY (day)"),
                _ => ("plain", ""),
            };
            let columns = "(n BIGINT, name VARCHAR, price DOUBLE, day BIGINT)";
            let create = format!(
                "CREATE EXTERNAL TABLE {name} {columns} STORED AS TREVNI {partitions} LOCATION '{to}/'"
            );
            rows(&self.session, &create).await;
        }
    }

    fn sql(&self, work: Work) -> String {
        let from = &self.from;
        match work {
            Work::Scan => {
                format!("SELECT count(*), sum(n), max(name), sum(price) FROM '{from}/' WHERE day <> 3")
            }
            Work::Join => format!(
                "SELECT a.day, count(*), sum(a.n + b.n) FROM '{from}/' a JOIN '{from}/' b ON a.n = b.n GROUP BY a.day ORDER BY a.day"
            ),
            Work::Sort => format!("SELECT n, name, price FROM '{from}/' WHERE n % 8 = 5 ORDER BY price DESC"),
            Work::Insert => format!("INSERT INTO plain SELECT n, name, price, day FROM '{from}/'"),
            Work::InsertPartitions => format!("INSERT INTO parted SELECT n, name, price, day FROM '{from}/'"),
        }
    }

    /// That each table has what was inserted, as often as it was told.
    async fn check(&self, told: &str) {
        for (work, (to, times)) in &self.to {
            if *times == 0 && std::fs::read_dir(to).unwrap().next().is_none() {
                continue;
            }
            let sum = times * (ROWS * (ROWS - 1) / 2);
            let expected = if *times == 0 { "0".to_owned() } else { format!("{} {sum}", times * ROWS) };
            let found = rows(&local(), &format!("SELECT count(*), sum(n) FROM '{to}/'")).await;
            assert_eq!(found, [expected], "{work:?} after {told}");
        }
    }
}

/// What came of it: right rows, or an error.
fn judged(work: Work, answer: &Result<Vec<String>>, expected: &[String], told: &str) -> bool {
    match answer {
        Ok(found) => {
            let (first, last) = (&found[..found.len().min(7)], &expected[..expected.len().min(7)]);
            assert!(
                found == expected,
                "{told}: {} rows, not {}: {first:?}, {last:?}",
                found.len(),
                expected.len()
            );
            true
        }
        Err(error) => {
            let text = error.to_string();
            let is_told = ["executor", "scheduler"].iter().any(|word| text.contains(word));
            assert!(is_told, "{told}: {text}");
            let is_write = matches!(work, Work::Insert | Work::InsertPartitions);
            assert!(!is_write || text.contains("nothing of the write"), "{told}: {text}");
            false
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn kills_give_right_rows_or_an_error() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let (kills, patience) = match number("TREVNI_KILLS") {
        Some(kills) => (kills as usize, PATIENCE[0]),
        None => (KILLS, PATIENCE[1]),
    };
    let seed = number("TREVNI_SEED").unwrap_or(0x9e37_79b9_7f4a_7c15);
    println!("TREVNI_SEED={seed}");
    let mut chance = Chance(seed);
    let folder = Folder::new();
    let mut place = Place::new(&folder).await;
    let mut expected = BTreeMap::new();
    let mut takes = BTreeMap::new();
    for work in WORK {
        let sql = place.sql(work);
        let answer = match place.to.get_mut(&work) {
            Some((_, times)) => {
                *times += 1;
                vec![ROWS.to_string()]
            }
            None => rows(&local(), &sql).await,
        };
        let start = Instant::now();
        assert!(rows(&place.session, &sql).await == answer, "{work:?}");
        takes.insert(work, start.elapsed());
        expected.insert(work, answer);
    }
    println!("undisturbed: {takes:?}");
    let mut found: BTreeMap<(Kill, bool), (usize, usize, Duration)> = BTreeMap::new();
    for turn in 0..kills {
        let work = chance.of(&WORK);
        let kill = match chance.below(20) {
            0..14 => Kill::One,
            14..18 => Kill::Both,
            _ => Kill::Scheduler,
        };
        let (is_replaced, executor) = (chance.below(2) == 0, chance.below(2) as usize);
        let after = takes[&work].mul_f64(chance.below(1100) as f64 / 1000.0);
        let told =
            format!("kill {turn} of {seed}: {work:?}, {kill:?}, replaced {is_replaced}, after {after:?}");
        let query = tokio::spawn({
            let (session, sql) = (place.session.clone(), place.sql(work));
            async move { run(&session, &sql).await }
        });
        sleep(after).await;
        let start = Instant::now();
        match kill {
            Kill::One => place.cluster.executors.remove(executor).kill(),
            Kill::Both => place.cluster.executors.drain(..).for_each(|mut executor| executor.kill()),
            Kill::Scheduler => place.cluster.scheduler.kill(),
        }
        match kill {
            Kill::Scheduler if is_replaced => place.cluster.start_scheduler(3),
            _ if is_replaced => place.cluster.fill(2),
            _ => {}
        }
        let answer = timeout(patience, query).await.unwrap_or_else(|_| panic!("{told}: no answer")).unwrap();
        let took = start.elapsed();
        let is_right = judged(work, &answer, &expected[&work], &told);
        println!(
            "{told}: {} after {took:.1?}",
            if is_right { "right".to_owned() } else { answer.unwrap_err().to_string() }
        );
        if is_right && let Some((_, times)) = place.to.get_mut(&work) {
            *times += 1;
        }
        place.check(&told).await;
        let of = found.entry((kill, is_replaced)).or_default();
        *of = (of.0 + usize::from(is_right), of.1 + usize::from(!is_right), of.2.max(took));
        match kill {
            Kill::Scheduler if !is_replaced => {
                place.cluster = Cluster::with_timeout(2, 3);
                place.connect().await;
            }
            _ => place.cluster.fill(2),
        }
    }
    // What was told not to count does not come to count later.
    place.check("all").await;
    for ((kill, is_replaced), (right, errors, longest)) in found {
        println!("{kill:?}, replaced {is_replaced}: right {right}, errors {errors}, longest {longest:.1?}");
    }
}
