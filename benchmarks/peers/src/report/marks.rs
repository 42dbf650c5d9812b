//! Sections of a Markdown file between marks; what stands around them is left alone.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// `document` with `section` between the marks of `name`; without marks it is added at the end.
pub fn replaced(document: &str, name: &str, section: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let section = format!("{begin}\n{}\n{end}", section.trim_end());
    let Some((before, rest)) = document.split_once(&begin) else {
        let gap = if document.is_empty() || document.ends_with("\n\n") { "" } else { "\n" };
        return Some(format!("{document}{gap}{section}\n"));
    };
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{section}{after}"))
}

/// Writes a section into a file, which is made where it is not there.
///
/// # Errors
///
/// A file that cannot be read or written, one whose mark has no end, and what is no file: a device may never end.
pub fn write(path: &Path, name: &str, section: &str) -> Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(Error::new(ErrorKind::InvalidInput, format!("{} is no file", path.display())));
    }
    let document = match fs::read_to_string(path) {
        Ok(document) => document,
        Err(error) if error.kind() == ErrorKind::NotFound => "# Benchmarks\n".to_owned(),
        Err(error) => return Err(error),
    };
    let document = replaced(&document, name, section)
        .ok_or_else(|| Error::new(ErrorKind::InvalidData, format!("the mark of {name} has no end")))?;
    fs::write(path, document)
}
