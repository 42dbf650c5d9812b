//! Every command line of every page runs.
//!
//! Those in `console` blocks of some pages are compared with what they print (`readme.rs`); here all others run, in the
//! order of their page, and must succeed.
#![cfg(not(feature = "sql"))]
#![cfg(all(unix, feature = "protobuf"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Lines that do not run here, each with the reason.
const NOT_RUN: [(&str, &str); 12] = [
    ("cargo install trevni-cli", "it needs a network"),
    ("cargo install trevni-ballista", "it needs a network"),
    ("cargo install --path crates/trevni-cli", "it builds this program, which the tests have done"),
    ("cargo install --path crates/trevni-cli --features parquet", "as above, with Parquet"),
    ("cargo install --path crates/trevni-cli --features stores", "as above, with stores"),
    ("trevni head s3://bucket/flights.trv", STORE),
    ("trevni stats https://example.org/flights.trv", STORE),
    ("trevni query 's3://bucket/flights/*.trv' -b carrier -a 'count()'", STORE),
    ("trevni recode flights.trv -z zstd -o s3://bucket/flights.trv", STORE),
    ("cargo install --path crates/trevni-cli --features view", "as above, with the view of a terminal"),
    ("cargo install trevni-cli --features parquet", "it needs a network"),
    ("trevni view flights.trv", "it needs a terminal; tests of the view have one"),
];

const STORE: &str = "it needs a store; crates/trevni-store-tests has some";

/// Pages whose `console` blocks are compared with what their commands print.
const COMPARED: [&str; 2] = ["crates/trevni-cli/README.md", "docs/parquet.md"];

/// Languages of blocks that have command lines.
const LANGUAGES: [&str; 6] = ["", "text", "console", "sh", "bash", "shell"];

/// A command line of a page.
#[derive(Debug)]
struct Line {
    page: String,
    number: usize,
    /// The language of its block.
    language: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages of the repository.
fn pages() -> Vec<String> {
    let (mut pages, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
                folders.push(path);
            } else if name.ends_with(".md") {
                pages.push(path.strip_prefix(root()).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    pages.sort();
    pages
}

/// The command lines in the blocks of a page. A line that ends with a backslash goes on in the next one.
fn lines(page: &str, text: &str) -> Vec<Line> {
    let (mut found, mut language, mut rows) = (Vec::new(), None, text.lines().enumerate());
    while let Some((at, row)) = rows.next() {
        if let Some(mark) = row.trim_start().strip_prefix("```") {
            language = if language.is_none() { Some(mark.trim().to_owned()) } else { None };
            continue;
        }
        let Some(language) = language.as_ref().filter(|language| LANGUAGES.contains(&language.as_str()))
        else {
            continue;
        };
        let row = row.trim_start();
        let command = row.strip_prefix("$ ").unwrap_or(row);
        if !["trevni ", "cargo install "].iter().any(|start| command.starts_with(start)) {
            continue;
        }
        let mut text = command.to_owned();
        while let Some(start) = text.strip_suffix('\\') {
            text = format!("{start}{}", rows.next().map_or("", |(_, row)| row));
        }
        found.push(Line { page: page.to_owned(), number: at + 1, language: language.clone(), text });
    }
    found
}

/// A folder with the files that the commands of a page begin with.
fn folder(page: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let here = folder.path();
    let data = here.join("examples/data");
    fs::create_dir_all(&data).unwrap();
    fs::copy(root().join("examples/data/flights.csv.gz"), data.join("flights.csv.gz")).unwrap();
    match page {
        "crates/trevni-cli/README.md" => {
            shell(here, "trevni -q convert examples/data/flights.csv.gz --null NA -o flights.trv").unwrap();
            mails(here);
            people(here);
            fs::write(here.join("measured.txt"), "station;value\nnorth;1.5\n").unwrap();
        }
        "docs/dialects.md" => {
            mails(here);
            shell(here, "trevni -q convert mails.jsonl -o log.redelm").unwrap();
        }
        _ => {}
    }
    folder
}

/// Mails, and their schema as a message.
fn mails(folder: &Path) {
    let mail = |n: u32| format!("{{\"subject\":\"mail {n}\",\"to\":[\"a\",\"b\"],\"size\":{n}}}\n");
    fs::write(folder.join("mails.jsonl"), (0..500).map(mail).collect::<String>()).unwrap();
    shell(folder, "trevni -q convert mails.jsonl -o m.trv && trevni schema -f message m.trv > mail.message")
        .unwrap();
}

/// Messages of people, and their descriptors.
fn people(folder: &Path) {
    use protox::prost_reflect::{prost::Message, prost_types::FileDescriptorSet};
    let text = "syntax = \"proto3\"; package my.package; message Person { string name = 1; int32 age = 2; }";
    let file = protox::file::File::from_source("people.proto", text).unwrap();
    fs::write(folder.join("d.binpb"), FileDescriptorSet { file: vec![file.into()] }.encode_to_vec()).unwrap();
    fs::write(folder.join("people.csv"), "name,age\nAda,36\nCharles,79\n").unwrap();
    let types = "--descriptor d.binpb --message my.package.Person";
    let script =
        format!("trevni -q convert people.csv -o p.trv && trevni -q convert p.trv people.pb {types}");
    shell(folder, &script).unwrap();
}

/// Runs a line; `trevni` is the program.
fn shell(folder: &Path, line: &str) -> Result<(), String> {
    let program = assert_cmd::cargo::cargo_bin("trevni");
    let path = std::env::join_paths(
        std::iter::once(program.parent().unwrap().to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let output =
        Command::new("bash").args(["-c", line]).env("PATH", path.unwrap()).current_dir(folder).output();
    let output = output.unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

#[test]
fn all_command_lines_run() {
    let (mut ran, mut seen, mut failed) = (0, BTreeSet::new(), Vec::new());
    for page in pages() {
        let lines = lines(&page, &fs::read_to_string(root().join(&page)).unwrap());
        let is_compared = |line: &Line| COMPARED.contains(&line.page.as_str()) && line.language == "console";
        let lines: Vec<Line> = lines.into_iter().filter(|line| !is_compared(line)).collect();
        if lines.is_empty() {
            continue;
        }
        let folder = folder(&page);
        for line in lines {
            if let Some((text, _)) = NOT_RUN.iter().find(|(text, _)| *text == line.text) {
                seen.insert(*text);
                continue;
            }
            // `sql.rs` has such statements.
            if line.text.starts_with("trevni sql") {
                continue;
            }
            if line.text.contains(".parquet") && cfg!(not(feature = "parquet")) {
                continue;
            }
            ran += 1;
            if let Err(error) = shell(folder.path(), &line.text) {
                failed.push(format!("{} line {}: {}\n{error}", line.page, line.number, line.text));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(ran > 10, "{ran}");
    for (text, reason) in NOT_RUN {
        // In the middle of a sentence it is no line of a block.
        let is_named =
            pages().iter().any(|page| fs::read_to_string(root().join(page)).unwrap().contains(text));
        assert!(seen.contains(text) || is_named, "{text} ({reason}) is on no page");
    }
}

#[test]
fn lines_are_found_in_blocks_only() {
    let text = "trevni in prose\n```toml\ntrevni = \"0.1\"\n```\n```console\n$ trevni info a.trv\na.trv  rows\n```\n\
                ```sh\n  trevni cat a.trv \\\n    -n 3\nls\ncargo install x\n```\n```rust\ntrevni = 1;\n```\n";
    let found = lines("page.md", text);
    let found: Vec<(usize, &str, &str)> =
        found.iter().map(|line| (line.number, line.language.as_str(), line.text.as_str())).collect();
    let expected = [
        (6, "console", "trevni info a.trv"),
        (10, "sh", "trevni cat a.trv     -n 3"),
        (13, "sh", "cargo install x"),
    ];
    assert_eq!(found, expected);
}
