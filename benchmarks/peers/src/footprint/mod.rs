//! What a library costs a program that uses it: time to build, dependencies, size.

pub mod projects;

use crate::report::numbers::{table, thousands};
use projects::Project;
use std::collections::BTreeSet;
use std::fs;
use std::io::{Error, Result};
use std::path::Path;
use std::process::{Command, Stdio};

/// What one project cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// What it uses.
    pub name: String,
    /// CPU seconds of a clean build.
    pub seconds: f64,
    /// Crates below it, procedural macros included.
    pub dependencies: usize,
    /// Bytes of the program without symbols.
    pub bytes: u64,
}

/// What one more struct costs a program.
#[derive(Clone, Debug, PartialEq)]
pub struct StructCost {
    /// What the program uses.
    pub name: String,
    /// CPU seconds of building it.
    pub seconds: f64,
    /// Bytes of the program without symbols.
    pub bytes: f64,
}

/// How many structs are added.
const STRUCTS: usize = 10;

/// Builds a project in `folder`, from nothing, and runs it.
///
/// # Errors
///
/// Commands and files that fail.
pub fn measure(project: &Project, folder: &Path) -> Result<Cost> {
    prepare(project, folder)?;
    let tree = cargo(folder, &["tree", "--edges", "normal", "--prefix", "none"])?;
    let (seconds, bytes) = build(folder, &project.main())?;
    Ok(Cost { name: project.name.to_owned(), seconds, dependencies: dependencies(&tree), bytes })
}

/// Builds a project in `folder` with one struct and with some more, each after its dependencies have been built.
///
/// # Errors
///
/// Commands and files that fail.
pub fn measure_structs(project: &Project, folder: &Path) -> Result<StructCost> {
    prepare(project, folder)?;
    build(folder, &project.main())?;
    let (one_seconds, one_bytes) = build(folder, &project.structs(1))?;
    let (seconds, bytes) = build(folder, &project.structs(1 + STRUCTS))?;
    Ok(StructCost {
        name: project.name.to_owned(),
        seconds: (seconds - one_seconds) / STRUCTS as f64,
        bytes: bytes.saturating_sub(one_bytes) as f64 / STRUCTS as f64,
    })
}

/// Makes the project, and fetches what it needs.
fn prepare(project: &Project, folder: &Path) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), project.manifest(&root))?;
    fs::write(folder.join("src/main.rs"), project.main())?;
    // The versions of this workspace; cargo leaves out what the project does not need.
    fs::copy(root.join("benchmarks/Cargo.lock"), folder.join("Cargo.lock"))?;
    cargo(folder, &["fetch", "--quiet"]).map(|_| ())
}

/// Builds a program and runs it: the CPU seconds, and its bytes.
fn build(folder: &Path, main: &str) -> Result<(f64, u64)> {
    fs::write(folder.join("src/main.rs"), main)?;
    let before = children_seconds()?;
    cargo(folder, &["build", "--release", "--quiet", "--offline"])?;
    let seconds = children_seconds()? - before;
    let program = folder.join("target/release/footprint");
    if !Command::new(&program).status()?.success() {
        return Err(Error::other("the program failed"));
    }
    Ok((seconds, fs::metadata(&program)?.len()))
}

fn cargo(folder: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(folder).env("CARGO_TARGET_DIR", folder.join("target"));
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(Error::other(format!("cargo {}: {}", arguments.join(" "), output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Number of crates that `cargo tree` names, without the project itself, which comes first.
pub fn dependencies(tree: &str) -> usize {
    let crates = tree.lines().skip(1).filter(|line| !line.is_empty());
    let name = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    crates.map(name).collect::<BTreeSet<_>>().len()
}

/// CPU seconds of all children that have ended, and of theirs.
fn children_seconds() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let ticks = children_ticks(&stat).ok_or_else(|| Error::other("/proc/self/stat is not as expected"))?;
    Ok(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// The fields `cutime` and `cstime`, behind a name in brackets that may hold anything.
pub fn children_ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split_whitespace().skip(13);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

/// The section of the report.
pub fn report(costs: &[Cost], structs: &[StructCost]) -> String {
    let row = |cost: &Cost| {
        vec![
            cost.name.clone(),
            format!("{:.1}", cost.seconds),
            cost.dependencies.to_string(),
            thousands(cost.bytes as usize),
        ]
    };
    let rows: Vec<Vec<String>> = costs.iter().map(row).collect();
    let header = ["a program that uses", "CPU seconds to build", "dependencies", "bytes, stripped"];
    let of_struct = |cost: &StructCost| {
        vec![cost.name.clone(), format!("{:.2}", cost.seconds), thousands(cost.bytes as usize)]
    };
    let structs: Vec<Vec<String>> = structs.iter().map(of_struct).collect();
    let struct_header = ["one struct more in a program that uses", "CPU seconds to build", "bytes, stripped"];
    format!(
        "## Footprint\n\nA program that writes three rows and reads them back, built from nothing with \
         `cargo build --release`.\n\n{}\nWhat one derived struct of ten fields adds, written and read as these rows are: a program of eleven ones \
         beside a program of one, ÷ 10.\n\n{}",
        table(&header, &rows),
        table(&struct_header, &structs)
    )
}
