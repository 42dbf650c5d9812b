//! Measures what trevni and other libraries cost a program: time to build, dependencies, size.

use clap::Parser;
use std::fs;
use std::io::Result;
use std::path::PathBuf;
use trevni_bench::footprint::projects::{PROJECTS, STRUCTS};
use trevni_bench::footprint::{measure, measure_structs, report};
use trevni_bench::report::marks;

/// Builds small programs, each with one library.
#[derive(Parser)]
struct Options {
    /// Only programs whose names begin so [default: all]
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Folder for the programs; what is built is removed again [default: one for temporary files]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Markdown file to write the report into, between its marks
    #[arg(long)]
    report: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let folder = options.folder.unwrap_or_else(std::env::temp_dir);
    let folder = folder.join(format!("trevni-footprint-{}", std::process::id()));
    let wanted =
        |name: &str| options.only.is_empty() || options.only.iter().any(|only| name.starts_with(only));
    let (mut costs, mut structs) = (Vec::new(), Vec::new());
    for project in PROJECTS.iter().filter(|project| wanted(project.name)) {
        eprintln!("footprint: {}", project.name);
        let cost = measure(project, &folder);
        let with_structs =
            STRUCTS.contains(&project.name).then(|| measure_structs(project, &folder)).transpose();
        fs::remove_dir_all(&folder)?;
        costs.push(cost?);
        structs.extend(with_structs?);
    }
    let text = report(&costs, &structs);
    println!("{text}");
    match &options.report {
        Some(path) => marks::write(path, "footprint", &text),
        None => Ok(()),
    }
}
