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

/// Builds a project in `folder`, from nothing, and runs it.
pub fn measure(project: &Project, folder: &Path) -> Result<Cost> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), project.manifest(&root))?;
    fs::write(folder.join("src/main.rs"), project.main())?;
    // The versions of this workspace; cargo leaves out what the project does not need.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let cargo = |arguments: &[&str]| -> Result<String> {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(folder).env("CARGO_TARGET_DIR", folder.join("target"));
        let output = command.stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(Error::other(format!("cargo {}: {}", arguments.join(" "), output.status)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    cargo(&["fetch", "--quiet"])?;
    let tree = cargo(&["tree", "--edges", "normal", "--prefix", "none"])?;
    let before = children_seconds()?;
    cargo(&["build", "--release", "--quiet", "--offline"])?;
    let seconds = children_seconds()? - before;
    let program = folder.join("target/release/footprint");
    if !Command::new(&program).status()?.success() {
        return Err(Error::other(format!("{} failed", project.name)));
    }
    Ok(Cost {
        name: project.name.to_owned(),
        seconds,
        dependencies: dependencies(&tree),
        bytes: fs::metadata(&program)?.len(),
    })
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
pub fn report(costs: &[Cost]) -> String {
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
    format!(
        "## Footprint\n\nA program that writes three rows and reads them back, built from nothing with \
         `cargo build --release`.\n\n{}",
        table(&header, &rows)
    )
}
