//! No program is larger than its budget in docs/design.md, has more functions, or needs more crates. The budgets are those of one machine, so no
//! other is asked. `nm` and `strip` come with the linker.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod programs;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn programs_are_within_their_budgets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let design = fs::read_to_string(root.join("docs/design.md")).unwrap();
    let mut above = Vec::new();
    for (features, arguments) in [("default", &[][..]), ("none", &["--no-default-features"])] {
        let target = programs::build(features, arguments);
        let crates = crates(&root, arguments);
        for program in ["hello", "write", "read"] {
            let budget = budget(&design, program, features);
            let program = target.join("release/examples").join(program);
            let found = [bytes(&program), functions(&program), crates];
            println!("{}, features {features}: {found:?} of {budget:?}", program.display());
            if found.iter().zip(&budget).any(|(found, budget)| found > budget) {
                above.push(format!("{}, features {features}: {found:?} of {budget:?}", program.display()));
            }
        }
    }
    assert!(above.is_empty(), "more bytes, functions or crates than in docs/design.md: {above:#?}");
}

/// Bytes of a program without its symbols.
fn bytes(program: &Path) -> u64 {
    let stripped = program.with_extension("stripped");
    output(Command::new("strip").arg("--strip-all").arg("-o").arg(&stripped).arg(program));
    fs::metadata(stripped).unwrap().len()
}

/// Number of functions of a program: those with one address count once.
fn functions(program: &Path) -> u64 {
    let symbols = output(Command::new("nm").arg("--defined-only").arg(program));
    let addresses = symbols.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let address = words.next()?;
        words.next().filter(|kind| ["t", "T"].contains(kind)).map(|_| address)
    });
    addresses.collect::<BTreeSet<_>>().len() as u64
}

/// Number of crates that a program is built from, without its own and without those of the standard library.
fn crates(root: &Path, arguments: &[&str]) -> u64 {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root).args([
        "tree",
        "--package",
        "trevni-weight",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
    ]);
    let tree = output(command.args(arguments));
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    names.into_iter().filter(|name| !name.is_empty() && *name != "trevni-weight").count() as u64
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The budget of a program: bytes, functions and crates, of a line `| hello | default | 1,000,000 | 1,000 | 10 |`.
fn budget(design: &str, program: &str, features: &str) -> Vec<u64> {
    let begin = format!("| `{program}` | {features} | ");
    let line = design.lines().find_map(|line| line.strip_prefix(&begin));
    let numbers = line.unwrap_or_else(|| panic!("no budget begins with {begin:?}")).trim_end_matches(" |");
    let budget: Vec<u64> =
        numbers.split(" | ").map(|digits| digits.replace(',', "").parse().unwrap()).collect();
    assert_eq!(budget.len(), 3, "{begin:?}");
    budget
}
