//! Help, and the names of commands.

use crate::{Folder, flights};
use serde_json::Value;

/// Names of all commands that the help shows.
fn commands(folder: &Folder) -> Vec<String> {
    let help = folder.prints(&["help", "all"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn help_fits_a_screen_and_has_an_example() {
    let folder = Folder::new();
    let names = commands(&folder);
    let optional = usize::from(cfg!(feature = "view")) + usize::from(cfg!(feature = "sql"));
    assert_eq!(names.len(), 25 + optional, "{names:?}");
    for name in names.iter().filter(|name| *name != "dev" && *name != "sql") {
        let help = folder.prints(&[name, "-h"]);
        assert!(help.lines().count() <= 46, "{name}: {help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{name}: {help}");
        let is_for_developers = ["layout", "dump", "random", "from-text"].contains(&&**name);
        let call = format!("  trevni {}{name} ", if is_for_developers { "dev " } else { "" });
        assert!(help.contains(&call) && help.contains("Example"), "{name}: {help}");
        if is_for_developers {
            assert!(folder.prints(&["dev", name, "--help"]).contains(&call), "{name}");
        }
        // The long one has no less.
        assert!(folder.prints(&[name, "--help"]).lines().count() >= help.lines().count());
        assert!(folder.prints(&["man", name]).contains(&format!(".TH trevni-{name}")), "{name}");
    }
    let help = folder.prints(&["-h"]);
    assert!(help.contains("Examples:"));
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let (listed, more) = listed.split_once("\n\n").unwrap();
    let listed: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed.len(), 8 + optional, "{help}");
    for name in &names {
        assert!(listed.contains(&&**name) || more.contains(name), "{name}: {help}");
    }
}

/// Options that few need are in no help but the one of all.
#[test]
fn few_options_are_in_sight() {
    let folder = Folder::new();
    let options = |args: &[&str]| {
        let help = folder.prints(args);
        let is_option = |line: &&str| line.trim_start().starts_with('-');
        help.lines().filter(is_option).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert!(options(&["convert", "-h"]).len() < 25);
    for command in ["head", "stats", "query", "verify", "merge", "info"] {
        for help in ["-h", "--help"] {
            let some = options(&[command, help]);
            for rare in ["--max-memory", "--lenient", "--read-schema", "--alias", "--escape", "--encoding"] {
                assert!(!some.iter().any(|line| line.contains(rare)), "{command} {help}: {rare}");
            }
            assert!(some.iter().any(|line| line.contains("--help-all")), "{command}");
        }
        let all = options(&[command, "--help-all"]);
        for rare in ["--max-memory", "--lenient", "--read-schema", "--alias", "--escape", "--encoding"] {
            assert!(all.iter().any(|line| line.contains(rare)), "{command}: {rare}");
        }
    }
}

/// What people guess says what to do, which is done.
#[test]
fn guessed_commands_say_what_does_the_same() {
    let folder = Folder::new();
    std::fs::write(folder.path("f.jsonl"), "{\"a\": 2, \"b\": \"x\", \"l\": [1, 2]}\n").unwrap();
    folder.prints(&["-q", "convert", "f.jsonl"]);
    for guess in [
        "sort", "select", "filter", "join", "freq", "uniq", "top", "grep", "explode", "Sort", "cut", "where",
        "search", "distinct", "groupby", "slice", "limit", "wc", "headers", "rename", "mutate", "summary",
        "export", "show", "hist", "append", "sql",
    ] {
        if guess == "sql" && cfg!(feature = "sql") {
            continue;
        }
        let output = folder.trevni(&[guess, "f.trv"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{guess}: {error}");
        assert!(error.starts_with(&format!("error: there is no command {guess:?}\n  ")), "{error}");
        if ["join", "sql", "show"].contains(&guess) {
            continue;
        }
        let (_, call) = error.split_once("trevni ").unwrap();
        let call = call.split("; ").next().unwrap().trim();
        let call =
            call.replace("FILE.trv", "all.trv").replace("FILE.csv", "all.csv").replace("FILE", "f.trv");
        let call = call.replace("COLUMNS", "a,b").replace("PATTERN", "x").replace("LIST", "l");
        let column = if guess == "grep" || guess == "search" { "b" } else { "a" };
        let call = call.replace("COLUMN", column);
        let words = words(&call);
        let words = words.iter().map(String::as_str);
        folder.prints(&std::iter::once("-q").chain(words).collect::<Vec<_>>());
    }
    let output = folder.trevni(&["stat", "f.trv"]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("'stats'"));
}

/// The words of a command, as a shell takes them apart.
fn words(call: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in call.chars() {
        match quote {
            Some(own) if c == own => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.push(word);
    words
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
