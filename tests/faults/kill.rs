//! Processes that are killed at any moment.

#![cfg(unix)]

use crate::folder::Folder;
use crate::job::{BEGUN, JOBS, Job, hidden, is_done, serve, whole};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const TEST: &str = "kill::processes_that_are_killed_at_any_moment_damage_nothing";
/// How many processes of each kind are killed: this many, or as many as the environment says.
const KILLS: u32 = 12;
const KILLS_NAME: &str = "TREVNI_TEST_KILLS";

/// A process that has begun its work.
fn begin(job: Job, folder: &Path) -> Child {
    let mut child = job.command(TEST, folder).stdout(Stdio::piped()).spawn().unwrap();
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
        let (mut done, mut left) = (0, 0);
        for kill in 0..kills {
            // Every third near the end, where names are given.
            let part = f64::from(kill) / f64::from(kills);
            let part = if kill % 3 == 0 { 0.8 + part * 0.3 } else { part * 1.1 };
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
            "{job:?}: {full:?} each, {kills} killed, {done} of them done, {left} left temporary files, 0 damaged"
        );
        assert!(done < kills, "{job:?}: all were done before they were killed");
    }
}
