//! Writing: an object is whole or not there.

use crate::files::{file, row};
use crate::s3::{Bucket, trevni};
use std::io::Write;
use std::process::{Command, Stdio};

/// Rows as JSON, for the command line's standard input.
fn lines(count: i64) -> String {
    (0..count).map(|id| format!("{{\"id\":{id},\"text\":\"{}\"}}\n", row(id).text)).collect()
}

fn with_input(mut command: Command, input: &[u8]) -> std::process::Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

#[test]
fn objects_of_one_part_and_of_several() {
    let (bucket, folder) = (Bucket::start(), tempfile::tempdir().unwrap());
    for (count, name) in [(10, "small.trv"), (700_000, "large.trv")] {
        let url = format!("s3://bucket/dir/{name}");
        let made =
            bucket.trevni(folder.path(), &["convert", "-", "--from", "jsonl", "-z", "null", "-o", &url]);
        let output = with_input(made, lines(count).as_bytes());
        assert!(output.status.success(), "{output:?}");
        let read = trevni::Reader::open(bucket.path(&format!("dir/{name}"))).unwrap();
        assert_eq!(read.row_count(), count as u64);
        assert_eq!(read.column::<i64>("id").unwrap().last(), Some(&(count - 1)));
    }
    assert!(std::fs::metadata(bucket.path("dir/large.trv")).unwrap().len() > 9 << 20);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_is_there_is_replaced_only_with_force() {
    let (bucket, folder) = (Bucket::start(), tempfile::tempdir().unwrap());
    bucket.put("a.trv", file(10));
    bucket.put("a.csv", "kept");
    let before = std::fs::read(bucket.path("a.trv")).unwrap();
    for args in [
        &["recode", "s3://bucket/a.trv", "-o", "s3://bucket/a.trv"][..],
        &["convert", "s3://bucket/a.trv", "-o", "s3://bucket/a.csv"],
    ] {
        let refused = bucket.trevni(folder.path(), args).output().unwrap();
        let told = String::from_utf8(refused.stderr).unwrap();
        assert!(
            !refused.status.success() && told.contains("already exists") && told.contains("--force"),
            "{told}"
        );
    }
    assert!(std::fs::read(bucket.path("a.trv")).unwrap() == before);
    let args = ["recode", "s3://bucket/a.trv", "-w", "id < 3", "-o", "s3://bucket/a.trv", "--force"];
    assert!(bucket.trevni(folder.path(), &args).status().unwrap().success());
    assert_eq!(trevni::Reader::open(bucket.path("a.trv")).unwrap().row_count(), 3);
}

#[test]
fn failures_leave_nothing() {
    let (bucket, folder) = (Bucket::start(), tempfile::tempdir().unwrap());
    let before = bucket.files();
    // The last row is no JSON.
    let mut input = lines(600_000);
    input.push_str("{\"id\": oops}\n");
    for output in ["s3://bucket/x.trv", "s3://bucket/y.jsonl"] {
        let args = ["convert", "-", "--from", "jsonl", "-z", "null", "-o", output];
        let failed = with_input(bucket.trevni(folder.path(), &args), input.as_bytes());
        assert!(!failed.status.success());
    }
    assert_eq!(bucket.files(), before);
    let elsewhere =
        bucket.trevni(folder.path(), &["random", "-o", "s3://none/x.trv", "--help"]).output().unwrap();
    assert!(elsewhere.status.success());
    bucket.put("a.trv", file(10));
    let args = ["recode", "s3://bucket/a.trv", "-o", "s3://bucket/x.trv", "--force"];
    let wrong = bucket.trevni(folder.path(), &args).env("AWS_SECRET_ACCESS_KEY", "wrong").output().unwrap();
    assert!(!wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("access is denied"));
    assert!(!bucket.path("x.trv").exists());
}

#[test]
fn web_servers_and_folders_take_no_files() {
    let (bucket, folder) = (Bucket::start(), tempfile::tempdir().unwrap());
    bucket.put("a.trv", file(10));
    for (args, wanted) in [
        (&["recode", "s3://bucket/a.trv", "-o", "https://localhost/x.trv"][..], "not to web servers"),
        (&["recode", "s3://bucket/a.trv", "-o", "s3://bucket/dir/"], "name of an object"),
        (&["split", "s3://bucket/a.trv", "--rows", "3", "-o", "s3://bucket/dir"], "is not a folder"),
    ] {
        let refused = bucket.trevni(folder.path(), args).output().unwrap();
        let told = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && told.contains(wanted), "{args:?}: {told}");
    }
    assert_eq!(bucket.files(), ["bucket/a.trv"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A signal in the middle of an upload of many parts.
#[cfg(unix)]
#[test]
fn a_signal_takes_back_what_was_sent() {
    let (bucket, folder) = (Bucket::start(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("rows.trv"), file(400_000)).unwrap();
    let before = bucket.files();
    // So many times that it is not sent wholly before the signal.
    let args = [&["cat"][..], &["rows.trv"; 1000], &["-f", "jsonl", "-o", "s3://bucket/x.jsonl"]].concat();
    let mut child = bucket.trevni(folder.path(), &args).stderr(Stdio::piped()).spawn().unwrap();
    while bucket.files().iter().filter(|file| file.contains("part")).count() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "nothing was sent before the end");
    }
    let pid = rustix::process::Pid::from_child(&child);
    // Not SIGINT, which whoever starts a program in the background has it ignore.
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    // The server's own temporary files are those of requests that were cut.
    let is_left = |file: &String| !before.contains(file) && !file.starts_with(".tmp.");
    let left: Vec<String> = bucket.files().into_iter().filter(is_left).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn without_credentials_the_error_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let output = trevni(folder.path(), &["count", "s3://bucket/a.trv"])
        .env("AWS_METADATA_ENDPOINT", format!("http://{closed}"))
        .env("AWS_ENDPOINT_URL", format!("http://{closed}"))
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && told.contains("s3://bucket/a.trv") && told.contains("AWS_ACCESS_KEY_ID"),
        "{told}"
    );
}
