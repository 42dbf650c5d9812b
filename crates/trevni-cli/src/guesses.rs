//! Commands that there are not, and that people guess: what does the same.

use crate::failure::Failure;

/// What is guessed, and what to do.
const GUESSED: [(&[&str], &str); 19] = [
    (&["sort", "order", "orderby"], "To sort: trevni query FILE -s COLUMN; the greatest first: -s -COLUMN"),
    (&["select", "cut", "project", "pick"], "To choose columns: trevni cat FILE -c COLUMNS"),
    (&["filter", "where"], "To choose rows: trevni cat FILE -w 'COLUMN > 1'"),
    (&["grep", "search", "find"], "To search: trevni cat FILE -w \"COLUMN ~ 'PATTERN'\""),
    (
        &["freq", "frequency", "frequencies", "value-counts"],
        "To count values: trevni query FILE -b COLUMN -a 'count()' -s -count",
    ),
    (&["uniq", "unique", "distinct", "dedup"], "Each value once: trevni query FILE -b COLUMNS"),
    (&["top"], "The greatest: trevni query FILE -s -COLUMN -n 10"),
    (&["explode", "unnest", "flatten"], "A row for each item of a list: trevni query FILE --explode LIST"),
    (
        &["group", "groupby", "group-by", "aggregate", "agg", "sum", "mean", "pivot"],
        "To group: trevni query FILE -b COLUMN -a 'count(),mean(COLUMN)'",
    ),
    (&["slice", "limit", "skip"], "Some rows: trevni cat FILE --skip 100 -n 10"),
    (&["wc", "rows", "nrows", "length"], "To count rows: trevni count FILE"),
    (&["headers", "names", "fields"], "Names and types: trevni schema FILE"),
    (&["rename"], "To rename: trevni query FILE -c 'NEW=COLUMN'"),
    (&["mutate", "map", "apply", "derive"], "To compute: trevni query FILE -c 'COLUMN,NEW=COLUMN'"),
    (&["summary", "summarize", "summarise", "profile"], "To sum columns up: trevni stats FILE"),
    (
        &["export", "tocsv", "to-csv", "to-parquet", "save", "write"],
        "To write another format: trevni convert FILE -o FILE.csv",
    ),
    (
        &["show", "browse", "less", "more", "open", "tui"],
        "Rows on a full screen: trevni view FILE; on lines: trevni head FILE",
    ),
    (&["hist", "histogram", "chart", "graph"], "To draw: trevni plot FILE -c COLUMN"),
    (&["append", "stack", "union"], "Files into one: trevni merge FILE FILE -o FILE.trv"),
];

/// SQL joins files.
const JOIN: &str = "To join: trevni sql \"select … from 'a.csv' join 'b.trv' using (id)\"";
#[cfg(not(feature = "sql"))]
const NO_SQL: &str = "This build has no SQL: cargo install trevni-cli --features sql";

/// What to say of a command that is missing; `None` where nothing does the same.
pub(crate) fn guessed(command: &str) -> Option<Failure> {
    let name = command.to_ascii_lowercase();
    let failure = || Failure::usage(format!("there is no command {command:?}"));
    #[cfg(not(feature = "sql"))]
    if name == "sql" {
        return Some(failure().hint(NO_SQL));
    }
    if name == "join" {
        return Some(failure().hint(JOIN));
    }
    let (_, hint) = GUESSED.iter().find(|(names, _)| names.contains(&&*name))?;
    Some(failure().hint(*hint))
}
