//! schema: a tree, Avro, and Rust that compiles.

use super::Folder;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What the program printed for these rows, compiled.
#[allow(dead_code, reason = "only what the test needs is used")]
mod generated {
    include!("generated/mails.rs");
}

#[allow(dead_code, reason = "only what the test needs is used")]
mod generated_words {
    include!("generated/words.rs");
}

#[allow(dead_code, reason = "only what the test needs is used")]
mod generated_symbols {
    include!("generated/symbols.rs");
}

#[allow(clippy::option_option, reason = "fields may be absent and null")]
mod generated_nulls {
    include!("generated/nulls.rs");
}

#[derive(Serialize)]
enum Kind {
    Small,
    Large,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Mail {
    id: u64,
    r#type: Kind,
    sent_at: Option<i64>,
    sender: Address,
    hops: Vec<Address>,
    sizes: (i32, f32),
    tags: BTreeMap<String, Vec<bool>>,
    body: Body,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize)]
struct Address {
    host: String,
    #[serde(rename = "5.5")]
    version: Option<f64>,
}

#[derive(Serialize)]
enum Body {
    Empty,
    Text(String),
    Parts { count: i32, names: Vec<String> },
}

fn mails() -> Vec<Mail> {
    let address =
        |n: u64| Address { host: format!("h{n}"), version: n.is_multiple_of(2).then_some(n as f64) };
    let mail = |n: u64| Mail {
        id: n,
        r#type: if n.is_multiple_of(2) { Kind::Small } else { Kind::Large },
        sent_at: (!n.is_multiple_of(3)).then_some(n as i64 * i64::from(i32::MAX)),
        sender: address(n),
        hops: (0..n % 3).map(address).collect(),
        sizes: (n as i32, 0.5),
        tags: (0..n % 2).map(|tag| (format!("tag{tag}"), vec![true])).collect(),
        body: match n % 3 {
            0 => Body::Empty,
            1 => Body::Text("text".to_owned()),
            _ => Body::Parts { count: 1, names: vec!["part".to_owned()] },
        },
        note: (n == 5).then(|| "a note".to_owned()),
    };
    (0..20).map(mail).collect()
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mails.trv", mails());
    folder
}

#[test]
fn the_tree_names_each_field() {
    let text = folder().prints(&["schema", "mails.trv"]);
    let expected = [
        "mails",
        "├─ id         int64",
        "├─ type       enum of 2: Small, Large",
        "├─ sentAt     int64?",
        "├─ sender     struct",
        "│  ├─ host    string",
        "│  └─ 5.5     float64?",
        "├─ hops       list<struct>",
        "│  ├─ host    string",
        "│  └─ 5.5     float64?",
        "├─ sizes      tuple of 2",
        "│  ├─ _0      int32",
        "│  └─ _1      float32",
        "├─ tags       map<string, list<boolean>>",
        "├─ body       union<enum of 1: Empty, struct, struct>",
        "│  ├─ Text    variant",
        "│  │  └─ _0   string",
        "│  └─ Parts   variant",
    ];
    let lines: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in expected {
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(lines.contains(&words), "{line:?} in\n{text}");
    }
}

#[test]
fn the_list_has_a_path_and_a_type_on_each_line() {
    let text = folder().prints(&["schema", "-f", "flat", "mails.trv"]);
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = text.lines().map(words).collect();
    let expected = [
        "id int64",
        "type enum of 2: Small, Large",
        "sentAt int64?",
        "sender struct",
        "sender.host string",
        "sender.5.5 float64?",
        "hops list<struct>",
        "hops.host string",
        "hops.5.5 float64?",
        "sizes tuple of 2",
        "sizes._0 int32",
        "sizes._1 float32",
        "tags map<string, list<boolean>>",
        "body union<enum of 1: Empty, struct, struct>",
        "body.Text._0 string",
        "body.Parts.count int32",
        "body.Parts.names list<string>",
        "note string?",
    ];
    assert_eq!(lines, expected, "\n{text}");
    let folder = Folder::new();
    folder.write("numbers.trv", [1u64]);
    assert_eq!(folder.prints(&["schema", "-f", "flat", "numbers.trv"]), "value  int64\n");
}

#[test]
fn the_json_schema_has_all_that_is_known() {
    let json: Value = serde_json::from_str(&folder().prints(&["schema", "-f", "json", "mails.trv"])).unwrap();
    let field = |name: &str| {
        let fields = json["fields"].as_array().unwrap();
        let field = fields.iter().find(|field| field["name"] == name).unwrap_or_else(|| panic!("no {name}"));
        let mut field = field.as_object().unwrap().clone();
        field.remove("name");
        Value::Object(field)
    };
    assert_eq!((&json["type"], &json["type_name"]), (&"struct".into(), &"Mail".into()));
    assert_eq!(field("id"), json!({"type": "int64"}));
    assert_eq!(field("type"), json!({"type": "enum", "type_name": "Kind", "symbols": ["Small", "Large"]}));
    assert_eq!(field("sentAt"), json!({"type": "int64", "optional": "null"}));
    assert_eq!(field("note"), json!({"type": "string", "optional": "absent"}));
    let item = &field("hops")["item"];
    assert_eq!(item["fields"][1], json!({"name": "5.5", "type": "float64", "optional": "null"}));
    assert_eq!(field("sizes")["type"], "tuple");
    let list = json!({"type": "list", "item": {"type": "boolean"}});
    assert_eq!(field("tags"), json!({"type": "map", "key": {"type": "string"}, "value": list}));
    let variants = &field("body")["variants"];
    assert_eq!((&variants[1]["variant"], &variants[2]["variant"]), (&json!("newtype"), &json!("struct")));
}

#[test]
fn the_avro_schema_is_that_of_the_file() {
    let schema: Value =
        serde_json::from_str(&folder().prints(&["schema", "-f", "avro", "mails.trv"])).unwrap();
    assert_eq!((schema["type"].as_str(), schema["name"].as_str()), (Some("record"), Some("Mail")));
}

#[test]
fn the_rust_structs_read_the_rows() {
    let folder = folder();
    let text = folder.prints(&["schema", "-f", "rust", "mails.trv"]);
    assert_eq!(text, include_str!("generated/mails.rs"), "\n{text}");
    let reader = trevni::Reader::open(folder.path("mails.trv")).unwrap();
    let rows: Vec<generated::Mail> = reader.rows().unwrap().map(Result::unwrap).collect();
    let expected: Vec<Value> = mails().iter().map(|mail| serde_json::to_value(mail).unwrap()).collect();
    let read: Vec<Value> = rows.iter().map(|row| serde_json::to_value(row).unwrap()).collect();
    assert_eq!(read, expected);
}

/// Rust's keywords: strict ones, those that are reserved and weak ones; and names of the text's own types.
const WORDS: [&str; 68] = [
    "as",
    "async",
    "await",
    "break",
    "const",
    "continue",
    "crate",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "fn",
    "for",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "match",
    "mod",
    "move",
    "mut",
    "pub",
    "ref",
    "return",
    "self",
    "Self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "type",
    "unsafe",
    "use",
    "where",
    "while",
    "abstract",
    "become",
    "box",
    "do",
    "final",
    "gen",
    "macro",
    "override",
    "priv",
    "try",
    "typeof",
    "unsized",
    "virtual",
    "yield",
    "auto",
    "default",
    "macro_rules",
    "raw",
    "safe",
    "union",
    "static_",
    "'static",
    "_",
    "__",
    "",
    "option",
    "String",
    "vec",
    "some",
    "Box",
];

/// A variant without data for each of the words.
struct Symbol(usize);

impl Serialize for Symbol {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit_variant("Symbol", self.0 as u32, WORDS[self.0])
    }
}

#[test]
fn keywords_are_names_in_rust_too() {
    let folder = Folder::new();
    let row: serde_json::Map<String, Value> =
        WORDS.iter().map(|word| ((*word).to_owned(), json!({*word: 1}))).collect();
    let row = Value::from(row);
    std::fs::write(folder.path("words.jsonl"), row.to_string()).unwrap();
    folder.prints(&["convert", "-q", "words.jsonl"]);
    let text = folder.prints(&["schema", "-f", "rust", "words.trv"]);
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(file.items.len(), WORDS.len() + 1);
    expected(&text, "generated/words.rs", include_str!("generated/words.rs"));
    let reader = trevni::Reader::open(folder.path("words.trv")).unwrap();
    let read: generated_words::Words = reader.rows().unwrap().next().unwrap().unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), row);

    folder.write("symbols.trv", [(0..WORDS.len()).map(Symbol).collect::<Vec<_>>()]);
    let text = folder.prints(&["schema", "-f", "rust", "symbols.trv"]);
    expected(&text, "generated/symbols.rs", include_str!("generated/symbols.rs"));
    let reader = trevni::Reader::open(folder.path("symbols.trv")).unwrap();
    let read: generated_symbols::Symbols = reader.rows().unwrap().next().unwrap().unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), json!(WORDS[..]));
}

#[test]
fn the_rust_structs_give_nulls_back() {
    let rows = [
        json!({"id": 1, "both": null, "null": null, "sometimes": null, "deep": {"a": null}}),
        json!({"id": 2, "both": 1, "always": 1, "deep": {}}),
        json!({"id": 3, "sometimes": null, "deep": {"a": 5}}),
        json!({"id": null, "both": null, "always": 2, "null": null, "deep": null}),
        json!({"id": 5}),
    ];
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let folder = Folder::new();
    std::fs::write(folder.path("nulls.jsonl"), &lines).unwrap();
    folder.prints(&["convert", "-q", "nulls.jsonl"]);
    let text = folder.prints(&["schema", "-f", "rust", "nulls.trv"]);
    expected(&text, "generated/nulls.rs", include_str!("generated/nulls.rs"));
    let reader = trevni::Reader::open(folder.path("nulls.trv")).unwrap();
    let read: Vec<generated_nulls::Nulls> = reader.rows().unwrap().map(Result::unwrap).collect();
    let parsed: Vec<generated_nulls::Nulls> =
        rows.iter().map(|row| serde_json::from_value(row.clone()).unwrap()).collect();
    assert_eq!(read, parsed);
    let json: Vec<Value> = parsed.iter().map(|row| serde_json::to_value(row).unwrap()).collect();
    assert_eq!(json, rows);
    folder.write("again.trv", &parsed);
    let again = folder.prints(&["cat", "again.trv"]);
    assert_eq!(again.lines().map(|row| serde_json::from_str(row).unwrap()).collect::<Vec<Value>>(), rows);
}

/// Compares a text with a file of the tests, which gets the text with `TREVNI_GENERATE=1`.
#[track_caller]
fn expected(text: &str, name: &str, expected: &str) {
    if std::env::var_os("TREVNI_GENERATE").is_some() {
        std::fs::write(format!("{}/tests/cli/{name}", env!("CARGO_MANIFEST_DIR")), text).unwrap();
        return;
    }
    assert_eq!(text, expected, "\n{text}");
}

#[test]
fn the_tree_has_all_branches_with_fields() {
    let folder = Folder::new();
    let rows = [
        json!({"id": 1, "in": {"a": 1}}),
        json!({"id": 2, "in": [{"a": 2, "b": "x"}]}),
        json!({"id": 3, "in": "text"}),
    ];
    folder.write("unions.trv", &rows);
    let tree = folder.prints(&["schema", "unions.trv"]);
    let lines: Vec<&str> = tree.lines().collect();
    assert_eq!(lines.len(), 8, "{tree}");
    assert!(lines[2].contains("in") && lines[2].contains("union<"), "{tree}");
    assert!(lines[3].ends_with("struct") && lines[4].contains("└─ a"), "{tree}");
    assert!(
        lines[5].contains("array") && lines[5].ends_with("list<struct>") && lines[7].contains("└─ b"),
        "{tree}"
    );
    // The names are those of paths.
    assert_eq!(folder.prints(&["count", "unions.trv", "-w", "any(in.array, b = 'x')"]), "1\n");
}
