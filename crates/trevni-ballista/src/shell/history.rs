//! Where the shell keeps what was typed.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;

/// The name of the file of statements.
const NAME: &str = "sql_history";

/// The file of statements, in the folder for the state of programs; `None` where there is no such folder.
pub(super) fn path() -> Option<PathBuf> {
    path_of(env::var_os("XDG_STATE_HOME"), env::home_dir())
}

fn path_of(state: Option<OsString>, home: Option<PathBuf>) -> Option<PathBuf> {
    // The specification ignores a path that is not absolute.
    let state = state.map(PathBuf::from).filter(|path| path.is_absolute());
    let home = home.filter(|path| path.is_absolute()).map(|home| home.join(".local/state"));
    state.or(home).map(|folder| folder.join("trevni").join(NAME))
}

/// Makes the folder of a file, for its owner only.
pub(super) fn make_folder(path: &std::path::Path) -> io::Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_in_the_folder_of_state() {
        let path =
            |state: Option<&str>, home: Option<&str>| path_of(state.map(Into::into), home.map(Into::into));
        let found = |path: &str| Some(PathBuf::from(path));
        assert_eq!(path(Some("/state"), Some("/home/a")), found("/state/trevni/sql_history"));
        assert_eq!(path(Some("state"), Some("/home/a")), found("/home/a/.local/state/trevni/sql_history"));
        assert_eq!(path(None, Some("/home/a")), found("/home/a/.local/state/trevni/sql_history"));
        assert_eq!(path(Some(""), None), None);
    }
}
