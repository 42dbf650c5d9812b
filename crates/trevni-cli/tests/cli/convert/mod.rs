//! convert: what rows become, what is refused, what the options do.

mod cells;
mod inputs;
mod json;
#[cfg(target_os = "linux")]
mod memory;
mod refused;
mod report;
mod types;

use super::Folder;
use serde_json::Value;
use std::fs;

impl Folder {
    /// A file with a text, as it is.
    fn text(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Converts a file, checks the result, and gives its rows.
    #[track_caller]
    fn converts(&self, args: &[&str]) -> Vec<Value> {
        self.notes(args);
        let rows = self.prints(&["cat", "out.trv"]);
        rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Converts a file, checks the result, and gives what is said.
    #[track_caller]
    fn notes(&self, args: &[&str]) -> String {
        let all = [&["convert"], args, &["-o", "out.trv", "--force", "--check"]].concat();
        let output = self.trevni(&all).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{args:?}: {error}");
        assert!(error.contains("checked "), "{error}");
        error
    }

    /// The tree of the schema of what was converted, without its first line.
    fn schema(&self) -> String {
        let tree = self.prints(&["schema", "out.trv"]);
        let lines = tree.lines().skip(1).map(|line| {
            let words: Vec<&str> = line.split_whitespace().filter(|word| !"├─└─│".contains(word)).collect();
            words.join(" ")
        });
        lines.collect::<Vec<_>>().join("; ")
    }

    /// Why a file cannot be converted, and the exit code.
    #[track_caller]
    fn refuses(&self, args: &[&str]) -> (i32, String) {
        let all = [&["convert"], args, &["-o", "refused.trv"]].concat();
        let output = self.trevni(&all).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("error: ") && !error.contains("panicked"), "{args:?}: {error}");
        assert!(!self.path("refused.trv").exists() && output.stdout.is_empty(), "{args:?}");
        let left = fs::read_dir(self.0.path()).unwrap();
        let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
        assert!(!left.into_iter().any(|file| hidden(&file.unwrap().file_name())), "a file is left behind");
        (output.status.code().unwrap(), error)
    }
}
