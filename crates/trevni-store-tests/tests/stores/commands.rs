//! The command line on URLs.

use crate::files::file;
use crate::http::{Manners, Server};
use crate::s3::{Bucket, trevni};
use std::path::Path;

/// What a command prints; it has to succeed.
fn printed(mut command: std::process::Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// All commands that read, on a file and at a URL: the same but for the name.
const READING: &[&[&str]] = &[
    &["info"],
    &["schema"],
    &["size"],
    &["layout"],
    &["layout", "-c", "text"],
    &["stats", "-c", "id,last"],
    &["dump", "-c", "last"],
    &["cat", "-n", "3"],
    &["cat", "-w", "id = 1777", "-f", "csv"],
    &["head", "-n", "2"],
    &["tail", "-n", "2"],
    &["count"],
    &["count", "-w", "last < 10"],
    &["query", "-b", "last % 2", "-a", "count()"],
    &["plot", "-c", "id"],
    &["verify"],
];

#[test]
fn commands_read_urls_as_files() {
    let (bucket, folder) = (Bucket::start(), tempfile::tempdir().unwrap());
    let bytes = file(3000);
    bucket.put("dir/rows.trv", &bytes);
    std::fs::write(folder.path().join("rows.trv"), &bytes).unwrap();
    let server = Server::start(bytes, Manners::default());
    for args in READING {
        let on = |file: &str| {
            let args: Vec<&str> = args.iter().copied().chain([file]).collect();
            printed(bucket.trevni(folder.path(), &args)).replace(file, "FILE")
        };
        let wanted = on("rows.trv");
        assert!(!wanted.is_empty());
        assert_eq!(on("s3://bucket/dir/rows.trv"), wanted, "{args:?}");
        assert_eq!(on(&server.url()), wanted, "{args:?}");
    }
    let same = bucket.trevni(folder.path(), &["diff", "rows.trv", "s3://bucket/dir/rows.trv"]);
    printed(same);
    let urls = [server.url(), "s3://bucket/dir/rows.trv".to_owned()];
    let merged = bucket.trevni(folder.path(), &["merge", &urls[0], &urls[1], "-o", "s3://bucket/all.trv"]);
    printed(merged);
    assert_eq!(trevni::Reader::open(bucket.path("all.trv")).unwrap().row_count(), 6000);
    assert_eq!(files(folder.path()), ["rows.trv"]);
}

#[test]
fn patterns_and_folders_of_a_bucket() {
    let (bucket, folder) = (Bucket::start(), tempfile::tempdir().unwrap());
    for (key, count) in
        [("d/a.trv", 1), ("d/b.trv", 20), ("d/.c.trv", 300), ("d/e/f.trv", 4000), ("d/g.csv", 5)]
    {
        bucket.put(key, file(count));
    }
    for (pattern, rows) in [
        ("s3://bucket/d/*.trv", "21"),
        ("s3://bucket/d/", "21"),
        ("s3://bucket/d/[b-z].trv", "20"),
        ("s3://bucket/*/?.trv", "21"),
        ("s3://bucket/d/*/*.trv", "4000"),
    ] {
        let counted =
            printed(bucket.trevni(folder.path(), &["query", "-a", "count()", "-f", "csv", pattern]));
        assert_eq!(counted.lines().last(), Some(rows), "{pattern}");
    }
    let none = bucket.trevni(folder.path(), &["count", "s3://bucket/d/*.none"]).output().unwrap();
    assert!(String::from_utf8_lossy(&none.stderr).contains("no object is like d/*.none"), "{none:?}");
}

#[test]
fn texts_are_converted_from_urls_and_to_buckets() {
    let (bucket, folder) = (Bucket::start(), tempfile::tempdir().unwrap());
    bucket.put("t.csv", "id,word\n1,a\n2,\n");
    printed(bucket.trevni(folder.path(), &["convert", "s3://bucket/t.csv"]));
    assert_eq!(trevni::Reader::open(bucket.path("t.trv")).unwrap().row_count(), 2);
    printed(
        bucket.trevni(folder.path(), &["convert", "s3://bucket/t.csv", "-o", "s3://bucket/u.trv", "--check"]),
    );
    printed(bucket.trevni(folder.path(), &["cat", "s3://bucket/t.trv", "-o", "s3://bucket/t.jsonl"]));
    assert_eq!(
        std::fs::read_to_string(bucket.path("t.jsonl")).unwrap(),
        "{\"id\":1,\"word\":\"a\"}\n{\"id\":2,\"word\":null}\n"
    );
    assert!(files(folder.path()).is_empty());
}

#[test]
fn failures_are_one_line_with_the_url_and_without_secrets() {
    let (bucket, folder) = (Bucket::start(), tempfile::tempdir().unwrap());
    bucket.put("text.trv", "no columns");
    let server = Server::start(file(10), Manners { status: Some(403), ..Manners::default() });
    let signed = format!("{}?X-Signature=c0ffee00", server.url());
    for (url, wanted) in [
        ("s3://bucket/none.trv", "s3://bucket/none.trv: there is no such object"),
        ("s3://bucket/text.trv", "s3://bucket/text.trv is not a Trevni file"),
        ("s3://", "a bucket is missing"),
        (&signed, "access is denied"),
    ] {
        let failed = bucket.trevni(folder.path(), &["head", url]).output().unwrap();
        let told = String::from_utf8(failed.stderr).unwrap();
        assert!(!failed.status.success() && told.contains(wanted), "{url}: {told}");
        assert!(!told.contains("c0ffee") && !told.contains("the-secret"), "{told}");
        assert_eq!(
            told.matches("s3://bucket/none.trv").count(),
            usize::from(url.ends_with("none.trv")),
            "{told}"
        );
    }
    let wrong = bucket
        .trevni(folder.path(), &["head", "s3://bucket/text.trv"])
        .env("AWS_SECRET_ACCESS_KEY", "wrong")
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("access is denied (403)"), "{wrong:?}");
    // What only looks like a URL is a path.
    let missing = trevni(folder.path(), &["head", "s3:/bucket/x.trv"]).output().unwrap();
    assert!(String::from_utf8_lossy(&missing.stderr).contains("No such file"), "{missing:?}");
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
