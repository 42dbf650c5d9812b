//! Processes that are killed at any moment.

#![cfg(unix)]

use crate::folder::Folder;
use crate::job::{BEGUN, JOBS, Job, PART, hidden, is_done, serve, whole};
use crate::rows::{Row, row};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use trevni::{Dataset, DatasetWriter};

const TEST: &str = "kill::processes_that_are_killed_at_any_moment_damage_nothing";
/// How many processes of each kind are killed: this many, or as many as the environment says.
const KILLS: u32 = 12;
const KILLS_NAME: &str = "TREVNI_TEST_KILLS";
/// The first row of an appender that lives.
const OWN: u64 = 1 << 20;

/// A process that has begun its work.
fn begin(job: Job, folder: &Path) -> Child {
    begin_by(TEST, job, folder)
}

/// The same by another test, which calls [`serve`] first.
fn begin_by(test: &str, job: Job, folder: &Path) -> Child {
    let mut child = job.command(test, folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == BEGUN));
    child
}

#[test]
fn processes_that_are_killed_at_any_moment_damage_nothing() {
    serve();
    let kills = std::env::var(KILLS_NAME).map_or(KILLS, |kills| kills.parse().unwrap());
    let folder = Folder::new("kill");
    for job in JOBS {
        let new = whole(job, &folder.0.join(format!("{job:?}-whole")));
        let here = folder.0.join(format!("{job:?}"));
        let begin_anew = || {
            let _ = fs::remove_dir_all(&here);
            job.prepare(&here);
            (begin(job, &here), Instant::now())
        };
        // How long it takes, at most of three.
        let time = |_| {
            let (mut child, begun) = begin_anew();
            assert!(child.wait().unwrap().success());
            assert!(is_done(job, &here, &new) && hidden(&here) == 0, "{job:?}");
            begun.elapsed()
        };
        let full: Duration = (0..3).map(time).max().unwrap_or_default();
        let (mut killed, mut done, mut left) = (0, 0, 0);
        // More of them on a busy machine, until one is killed before it is done.
        while killed < kills || done == killed && killed < 20 * kills {
            let kill = killed % kills;
            killed += 1;
            // Every third near the end, where names are given.
            let part = f64::from(kill) / f64::from(kills);
            let part = if kill.is_multiple_of(3) { 0.8 + part * 0.3 } else { part * 1.1 };
            let (mut child, begun) = begin_anew();
            std::thread::sleep(full.mul_f64(part).saturating_sub(begun.elapsed()));
            child.kill().unwrap();
            child.wait().unwrap();
            done += u32::from(is_done(job, &here, &new));
            left += u32::from(hidden(&here) > 0);
            if hidden(&here) > 0 {
                // The next one is not disturbed, and removes what is left.
                let appended = here.join("parts");
                if job == Job::Append {
                    fs::read_dir(&appended).unwrap().map(|entry| entry.unwrap().path()).for_each(|path| {
                        let number = path
                            .file_stem()
                            .and_then(|stem| stem.to_str()?.strip_prefix("part-")?.parse().ok());
                        if number.is_some_and(|number: u32| number > 1) {
                            fs::remove_file(path).unwrap();
                        }
                    });
                }
                assert!(begin(job, &here).wait().unwrap().success(), "{job:?}");
                assert!(is_done(job, &here, &new), "{job:?}");
                assert_eq!(hidden(&here), 0, "{job:?}");
            }
        }
        println!(
            "{job:?}: {full:?} each, {killed} killed, {done} of them done, {left} left temporary files, 0 damaged"
        );
        assert!(done < killed, "{job:?}: all were done before they were killed");
    }
}

/// An appender that is killed beside one that lives: the rows of the living one are all there, and of the other whole parts.
#[test]
fn an_appender_that_is_killed_disturbs_no_other() {
    serve();
    let folder = Folder::new("beside");
    for part in 0..6u32 {
        let here = folder.0.join(part.to_string());
        Job::Append.prepare(&here);
        let options = DatasetWriter::builder().part_rows(PART);
        let mut living = options.append(here.join("parts")).unwrap();
        // Rows that the other one does not write.
        let own = |number: u64| row(OWN + number);
        living.write_all((0..PART + 10).map(own)).unwrap();
        let test = "kill::an_appender_that_is_killed_disturbs_no_other";
        let mut child = begin_by(test, Job::Append, &here);
        std::thread::sleep(Duration::from_millis(u64::from(part) * 12));
        living.write_all((PART + 10..3 * PART).map(own)).unwrap();
        let _ = child.kill();
        child.wait().unwrap();
        living.write_all((3 * PART..4 * PART + 5).map(own)).unwrap();
        living.finish().unwrap();
        let rows = Dataset::open(here.join("parts")).unwrap().rows::<Row>().unwrap();
        let rows: Vec<Row> = rows.map(|row| row.unwrap()).collect();
        let (own_rows, others): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.id >= OWN);
        assert!(
            own_rows == (0..4 * PART + 5).map(own).collect::<Vec<_>>(),
            "{part}: {} rows",
            own_rows.len()
        );
        let appended = others.len() as u64 - 2 * PART;
        assert!(appended.is_multiple_of(PART), "{part}: {appended} rows");
        assert!(others == (0..2 * PART).chain(0..appended).map(row).collect::<Vec<_>>(), "{part}");
    }
}
