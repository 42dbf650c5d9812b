//! Help, and the names of commands.

use crate::{Folder, flights};
use serde_json::Value;

/// Names of all commands that the help shows.
fn commands(folder: &Folder) -> Vec<String> {
    let help = folder.prints(&["-h"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn help_fits_a_screen_and_has_an_example() {
    let folder = Folder::new();
    let names = commands(&folder);
    assert_eq!(names.len(), 24 + usize::from(cfg!(feature = "view")), "{names:?}");
    for name in &names {
        let help = folder.prints(&[name, "-h"]);
        assert!(help.lines().count() <= 46, "{name}: {help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{name}: {help}");
        assert!(help.contains(&format!("  trevni {name} ")) && help.contains("Example"), "{name}: {help}");
        // The long one has no less.
        assert!(folder.prints(&[name, "--help"]).lines().count() >= help.lines().count());
        assert!(folder.prints(&["man", name]).contains(&format!(".TH trevni-{name}")), "{name}");
    }
    assert!(folder.prints(&["-h"]).contains("Examples:"));
}

#[test]
fn completions_know_all_commands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.prints(&["completions", shell]);
        assert!(commands(&folder).iter().all(|name| script.contains(name)), "{shell}");
    }
}

#[test]
fn commands_have_the_names_of_other_tools_too() {
    let folder = Folder::new();
    let lines: String = flights(50).iter().map(|flight| format!("{flight}\n")).collect();
    std::fs::write(folder.path("flights.jsonl"), lines).unwrap();
    folder.prints(&["-q", "convert", "flights.jsonl", "flights.avro.trv"]);
    folder.prints(&["-q", "convert", "flights.avro.trv", "-o", "flights.avro"]);
    // As Avro's tools are called: the input, the output.
    folder.prints(&["-q", "totrevni", "flights.avro", "flights.trv"]);
    let meta: Value =
        serde_json::from_str(&folder.prints(&["trevni_meta", "--json", "flights.trv"])).unwrap();
    assert_eq!(meta["rows"], 50);
    let rows = folder.prints(&["trevni_tojson", "flights.trv"]);
    assert_eq!(rows, folder.prints(&["cat", "flights.trv"]));
    // The schema, the number of rows, the output.
    std::fs::write(folder.path("s.avsc"), folder.prints(&["getschema", "-f", "avro", "flights.trv"]))
        .unwrap();
    folder.prints(&["-q", "trevni_random", "s.avsc", "30", "random.trv"]);
    for (name, other) in [("rowcount", "count"), ("check", "verify"), ("meta", "info"), ("columns", "size")] {
        assert_eq!(folder.prints(&[name, "random.trv"]), folder.prints(&[other, "random.trv"]));
    }
    assert_eq!(folder.prints(&["row-count", "random.trv"]), "30\n");
}

#[test]
fn help_has_commands_and_topics() {
    let folder = Folder::with_flights();
    let text = folder.prints(&["help", "expressions"]);
    assert!(
        text.starts_with("Expressions are conditions (-w, --having)") && !text.contains('\u{1b}'),
        "{text}"
    );
    assert_eq!(folder.prints(&["help", "query"]), folder.prints(&["query", "--help"]));
    assert_eq!(folder.prints(&["help", "describe"]), folder.prints(&["help", "stats"]));
    assert_eq!(folder.prints(&["help"]), folder.prints(&["--help"]));
    let output = folder.trevni(&["help", "expresions"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, "error: there is no command \"expresions\"; did you mean \"expressions\"?\n");
}
