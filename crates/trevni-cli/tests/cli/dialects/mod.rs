//! File formats other than Trevni: files of other implementations, and what is written.

mod damaged;
mod golden;
mod levels;
mod options;
mod recoded;

use std::path::{Path, PathBuf};

/// A file of another implementation, which `tests/data` of the library has.
struct Golden {
    path: PathBuf,
    /// What the command line calls its format.
    dialect: &'static str,
}

impl Golden {
    fn name(&self) -> &str {
        self.path.to_str().unwrap()
    }

    fn stem(&self) -> &str {
        self.path.file_stem().unwrap().to_str().unwrap()
    }

    /// The text beside the file.
    fn text(&self, extension: &str) -> String {
        std::fs::read_to_string(self.path.with_extension(extension)).unwrap()
    }

    /// A command for the file, told only what the file cannot say.
    fn command<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        let mut args = [args, &[self.name()]].concat();
        match self.stem() {
            "leaves_only" => args.extend(["--read-schema", "leaves_only.message"]),
            "size_limit_lenient" => args.push("--lenient"),
            _ => {}
        }
        args
    }
}

/// The message of the rows in `leaves_only`, whose groups have no columns.
const LEAVES_ONLY: &str = "message Document {
    required int64 DocId;
    optional group Links { repeated int64 Backward; repeated int64 Forward; }
    repeated group Name {
      repeated group Language { required string Code; optional string Country; }
      optional string Url;
    }
  }";

/// A folder in which commands for the files run.
fn folder() -> super::Folder {
    let folder = super::Folder::new();
    std::fs::write(folder.path("leaves_only.message"), LEAVES_ONLY).unwrap();
    folder
}

fn within(folder: &str, extension: &str, dialect: &'static str) -> Vec<Golden> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").canonicalize().unwrap();
    let paths = std::fs::read_dir(data.join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let found = paths.filter(|path| path.extension().is_some_and(|own| own == extension));
    let mut found: Vec<Golden> = found.map(|path| Golden { path, dialect }).collect();
    found.sort_by(|one, two| one.path.cmp(&two.path));
    found
}

/// Files that can be read, and files that must be refused.
fn all() -> (Vec<Golden>, Vec<Golden>) {
    let mut files = within("levels", "trv", "levels");
    files.extend(within("levels/impala-writer", "trv", "levels"));
    let (mut bad, mut good): (Vec<Golden>, Vec<Golden>) =
        files.into_iter().partition(|file| file.stem().starts_with("bad_"));
    good.extend(within("redelm/public", "redelm", "redelm"));
    good.extend(within("redelm/extra", "redelm", "redelm"));
    bad.extend(within("redelm/bad", "redelm", "redelm"));
    assert!(good.len() >= 42 && bad.len() >= 33, "{} {}", good.len(), bad.len());
    (good, bad)
}

fn good() -> Vec<Golden> {
    all().0
}
