//! The columns of a Parquet file by patterns: a pattern names a column, or all columns within a field.

use crate::failure::Failure;
use trevni_parquet::ParquetFile;
use trevni_query::paths::{Pattern, near};

/// The numbers of the columns that patterns choose, all without patterns.
pub fn chosen(file: &ParquetFile, lists: &[String]) -> Result<Vec<usize>, Failure> {
    let (columns, patterns) = (file.columns(), Pattern::all(lists)?);
    let mut numbers: Vec<usize> = Vec::new();
    if patterns.iter().all(|pattern| pattern.leaves_out) {
        numbers = (0..columns.len()).collect();
    }
    for pattern in &patterns {
        let fits = |path: &[String]| (1..=path.len()).any(|end| pattern.fits(&path[..end].join(".")));
        let found: Vec<usize> = (0..columns.len()).filter(|number| fits(&columns[*number])).collect();
        if found.is_empty() {
            let names: Vec<String> = columns.iter().map(|path| path.join(".")).collect();
            let near = near(&pattern.text, &names);
            return Err(Failure::usage(format!("there is no column {:?}{near}", pattern.text)));
        }
        numbers.retain(|number| !pattern.leaves_out || !found.contains(number));
        if !pattern.leaves_out {
            let new: Vec<usize> = found.into_iter().filter(|number| !numbers.contains(number)).collect();
            numbers.extend(new);
        }
    }
    Ok(numbers)
}
