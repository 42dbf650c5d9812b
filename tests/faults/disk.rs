//! A system that lets files grow no more, at any size.

#![cfg(unix)]

use crate::folder::Folder;
use crate::job::{JOBS, hidden, is_done, serve, whole};
use std::fs;

#[test]
fn a_disk_that_is_full_anywhere_leaves_what_was_there() {
    serve();
    let folder = Folder::new("disk");
    for job in JOBS {
        let at = |name: &str| folder.0.join(format!("{job:?}-{name}"));
        let new = whole(job, &at("whole"));
        let (mut failed, mut done) = (0, 0);
        // In blocks of 512 or of 1024 bytes, as shells have it.
        for limit in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 4000] {
            let here = at("limited");
            job.prepare(&here);
            // The signal that comes with the error is ignored by those who want the error.
            let mut command = job.command("disk::a_disk_that_is_full_anywhere_leaves_what_was_there", &here);
            command.env("LIMIT", limit.to_string());
            let mut limited = std::process::Command::new("sh");
            limited.args(["-c", r#"trap '' XFSZ; ulimit -f "$LIMIT"; exec "$0" "$@""#]);
            limited.args(command.get_args().skip(2));
            limited.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
            let output = limited.output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            let is_new = is_done(job, &here, &new);
            match output.status.code() {
                Some(0) => done += 1,
                Some(1) => {
                    assert!(
                        text.contains("Io: ") && text.contains("File too large"),
                        "{job:?} {limit}: {text}"
                    );
                    failed += 1;
                }
                code => panic!("{job:?} {limit}: {code:?} {text}"),
            }
            assert_eq!(is_new, output.status.success(), "{job:?} {limit}: {text}");
            assert_eq!(hidden(&here), 0, "{job:?} {limit}");
            fs::remove_dir_all(here).unwrap();
        }
        println!("{job:?}: {failed} times without room, {done} times with it");
        assert!(failed > 2 && done > 0, "{job:?}: {failed} failed, {done} done");
    }
}
