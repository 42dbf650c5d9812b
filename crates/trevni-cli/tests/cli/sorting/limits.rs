//! Sorting where there is little memory, or no room for what does not fit in it.

use super::super::Folder;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

/// Long texts, whose keys come in no order.
fn texts(folder: &Folder, count: u64) {
    let mut random = fastrand::Rng::with_seed(5);
    let mut text = || format!("{:016x}{}", random.u64(..), "text ".repeat(57));
    let rows = (0..count).map(|n| (n * 7919 % count, text()));
    let mut writer = trevni::Writer::builder().create(folder.path("texts.trv")).unwrap();
    writer.write_all(rows.map(|(key, text)| serde_json::json!({"key": key, "text": text}))).unwrap();
    writer.finish().unwrap();
}

#[test]
fn many_rows_need_little_memory() {
    let folder = Folder::new();
    texts(&folder, 600_000);
    // 185 MB of rows; the program alone, without optimization, takes 85 MB of the address space.
    let limited = |args: &str| drop(folder.prints_within(215_000, args));
    limited("query texts.trv -s key -o sorted.csv --sort-memory 16MiB");
    let sorted = fs::read_to_string(folder.path("sorted.csv")).unwrap();
    let keys = sorted.lines().skip(1).map(|line| line.split(',').next().unwrap().parse::<u64>().unwrap());
    assert!(keys.eq(0..600_000));
}

#[test]
fn temporary_files_have_no_names() {
    let folder = Folder::new();
    texts(&folder, 3000);
    fs::create_dir(folder.path("tmp")).unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("trevni"))
        .args(["query", "texts.trv", "-s", "key", "-f", "csv", "--sort-memory", "100kB"])
        .current_dir(folder.path(""))
        .env("TMPDIR", folder.path("tmp"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Rows come when all have been sorted; most of them wait, since nobody reads more.
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 5000]).unwrap();
    let own = format!("/proc/{}/fd", child.id());
    let own = fs::read_dir(own).unwrap().filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
    let own = own.filter(|path| path.starts_with(folder.path("tmp").canonicalize().unwrap())).count();
    assert!(own > 3, "{own}");
    assert_eq!(fs::read_dir(folder.path("tmp")).unwrap().count(), 0);
    // Whatever ends the program.
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read_dir(folder.path("tmp")).unwrap().count(), 0);
}

#[test]
fn where_there_is_no_room_is_an_error() {
    let folder = Folder::new();
    texts(&folder, 3000);
    let trevni = assert_cmd::cargo::cargo_bin("trevni");
    for (limit, temporary, reason) in
        [("-f 20", "/tmp", "File too large"), ("-n 1024", "/nowhere", "No such file or directory")]
    {
        for args in ["query texts.trv -s key -o out.csv", "recode texts.trv --sort-by text -o out.trv"] {
            let script = format!("ulimit {limit}; exec {} {args} --sort-memory 100kB", trevni.display());
            let mut shell = Command::new("bash");
            let output = shell
                .current_dir(folder.path(""))
                .env("TMPDIR", temporary)
                .args(["-c", &script])
                .output()
                .unwrap();
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{args}: {error}");
            assert!(
                error.contains("temporary files for sorting") && error.contains(reason),
                "{args}: {error}"
            );
            let names: Vec<_> =
                fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(names, ["texts.trv"], "{args}");
        }
    }
}
