//! Folders of files, manifests of writes and names of parts: which files count is compared with docs/datasets.md.

use crate::cell::Cell;
use crate::choices::Choices;
use crate::done;
use crate::folder::Folder;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use trevni::Dataset;
use trevni::dataset::{WriteId, WriteManifest};

/// Names of files that are no parts of writes, and whether they are data.
const NAMES: [(&str, bool); 26] = [
    ("part-00000.trv", true),
    ("part-00001.redelm", true),
    ("part-m-00002.redelm.gz", true),
    ("part-100000.trv", true),
    ("part-9.trv", true),
    ("b.trv", true),
    ("_b.trv", true),
    ("a.b.redelm.lzo_deflate", true),
    ("part-.trv", true),
    ("ünï=1.trv", true),
    ("x.trv.redelm", true),
    (".hidden.trv", false),
    (".trevni.5.tmp", false),
    ("_b.redelm", false),
    ("_RedElmSummary", false),
    ("x.redelm.zip", false),
    ("x.trv.gz", false),
    ("trv", false),
    ("notes.txt", false),
    // Nearly parts of writes: they count as ever.
    ("part-w1763950833123x0123456789abcdef.trv", true),
    ("part-w1763950833123x0123456789ABCDEF-0123456789abcdef-00000.trv", true),
    ("part-w176395083312x0123456789abcdef-0123456789abcdef-00000.trv", true),
    ("part-w1763950833123x0123456789abcdef-0123456789abcdef-0000.trv", true),
    ("part-w1763950833123x0123456789abcdef-0123456789abcdef-00000-1.trv", true),
    ("part-w1763950833123x0123456789abcdef-0123456789abcdef-00000.redelm", true),
    ("part-w1763950833123x0123456789abcde-0123456789abcdef-00000.trv", true),
];
const FOLDERS: [&str; 9] = [
    "",
    "",
    "day=1/",
    "day=2/hour=3/",
    "_day=1/",
    "day=__HIVE_DEFAULT_PARTITION__/",
    "_hidden/",
    ".x=1/",
    "other/",
];
const WRITES: [&str; 3] = [
    "1763950833123x0123456789abcdef",
    "1763950833123x0123456789abcdee",
    "00000000000000000000xffffffffffffffff",
];

/// Makes a manifest, and a folder with files and manifests, and reads both.
///
/// # Panics
///
/// Where a manifest that is right is refused or another one is taken, where other files count than the manifests say, or an error
/// says that the crate is at fault.
pub fn datasets(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    manifest(&mut choices);
    Tree::any(&mut choices).check();
    let _ = done(WriteManifest::from_slice(bytes));
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert!(WriteId::parse(text).is_none_or(|write| write.to_string() == text));
        assert!(WriteId::from_part(text).is_none_or(|write| text.contains(&write.to_string())));
    }
}

/// Ways in which a manifest is invalid.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    Version,
    NoVersion,
    Rows,
    NoRows,
    NoPath,
    Negative,
    NoParts,
    Abandoned,
    Cut,
}

const FAULTS: [Fault; 13] = [
    Fault::None,
    Fault::None,
    Fault::None,
    Fault::None,
    Fault::Version,
    Fault::NoVersion,
    Fault::Rows,
    Fault::NoRows,
    Fault::NoPath,
    Fault::Negative,
    Fault::NoParts,
    Fault::Abandoned,
    Fault::Cut,
];

/// The JSON of a manifest, and whether it is one.
fn written(paths: &[String], fault: Fault, choices: &mut Choices<'_>) -> (Vec<u8>, bool) {
    let mut total = 0u64;
    let mut parts = Vec::new();
    for path in paths {
        let rows = choices.integer().unsigned_abs();
        total = total.saturating_add(rows);
        parts.push(
            json!({"path": path, "rows": rows, "bytes": choices.integer().unsigned_abs(), "more": null}),
        );
    }
    let has_parts = !parts.is_empty();
    let mut value = json!({"trevni-write": 1, "rows": total, "parts": parts, "more": [1]});
    let is_right = match fault {
        Fault::None => true,
        Fault::NoPath | Fault::Negative | Fault::Abandoned => !has_parts,
        _ => false,
    };
    match fault {
        Fault::None | Fault::Cut => {}
        Fault::Version => {
            value["trevni-write"] = choices.pick(&[json!(0), json!(2), json!("1"), json!(1.0), Value::Null]);
        }
        Fault::NoVersion => value["trevni-write"] = Value::Null,
        Fault::Rows => value["rows"] = json!(total ^ 1),
        Fault::NoRows => value["rows"] = choices.pick(&[Value::Null, json!("0"), json!(-1), json!(0.5)]),
        Fault::NoParts => value["parts"] = choices.pick(&[Value::Null, json!({}), json!("")]),
        Fault::Abandoned => value["abandoned"] = true.into(),
        Fault::NoPath | Fault::Negative if !has_parts => {}
        Fault::NoPath => value["parts"][0]["path"] = choices.pick(&[Value::Null, json!(1), json!([])]),
        Fault::Negative => value["parts"][0]["bytes"] = choices.pick(&[json!(-1), json!(0.5), Value::Null]),
    }
    let mut bytes = value.to_string().into_bytes();
    if fault == Fault::Cut {
        bytes.truncate(choices.below(bytes.len()));
    }
    (bytes, is_right)
}

fn manifest(choices: &mut Choices<'_>) {
    let paths = choices.some(4, |choices| format!("{}{}", choices.pick(&FOLDERS), choices.pick(&NAMES).0));
    let fault = choices.pick(&FAULTS);
    let (bytes, is_right) = written(&paths, fault, choices);
    let read = WriteManifest::from_slice(&bytes);
    assert_eq!(read.is_ok(), is_right, "{}: {read:?}", String::from_utf8_lossy(&bytes));
    if let Some(manifest) = done(read) {
        assert_eq!(manifest.parts(), paths);
        assert_eq!(manifest.row_count().is_none(), fault == Fault::Abandoned);
        assert_eq!(WriteManifest::from_slice(&manifest.to_vec()).expect("what is written is read"), manifest);
    }
}

/// A folder of files, each with a row that has its number.
struct Tree {
    files: BTreeMap<String, File>,
    /// Manifests by the folder they are in and the write that they are of; `None` where they are damaged.
    manifests: BTreeMap<(&'static str, usize), Option<BTreeSet<String>>>,
    folder: Folder,
    recursive: bool,
}

struct File {
    number: u64,
    /// The folder it is in, with `/` behind.
    around: &'static str,
    name: String,
    is_data: bool,
    /// The write that it belongs to.
    write: Option<usize>,
}

impl File {
    fn is_hidden(&self) -> bool {
        ["_hidden/", ".x=1/"].contains(&self.around)
    }

    /// The folder that has the manifests, and the path of the file from there.
    fn place(&self) -> (&'static str, String) {
        match self.around {
            "other/" | "_hidden/" => (self.around, self.name.clone()),
            around => ("", format!("{around}{}", self.name)),
        }
    }
}

impl Tree {
    fn any(choices: &mut Choices<'_>) -> Self {
        let folder = Folder::new();
        let mut files = BTreeMap::new();
        for number in 0..choices.below(12) as u64 {
            let around = choices.pick(&FOLDERS);
            let write = if choices.one_in(2) { Some(choices.below(WRITES.len())) } else { None };
            let (name, is_data) = match write {
                Some(write) => {
                    let write = WriteId::parse(WRITES[write]).expect("it is a write");
                    (write.part_name(choices.below(2) as u64, choices.pick(&[0, 1, 99_999, 100_000])), true)
                }
                None => {
                    let (name, is_data) = choices.pick(&NAMES);
                    (name.to_owned(), is_data)
                }
            };
            files.insert(format!("{around}{name}"), File { number, around, name, is_data, write });
        }
        for (path, file) in &files {
            let bytes = if file.is_data {
                trevni::to_vec(&[json!({"n": file.number})]).expect("a row is written")
            } else {
                b"nothing".to_vec()
            };
            folder.write(path, &bytes);
        }
        let mut manifests = BTreeMap::new();
        for place in ["", "other/", "_hidden/"] {
            for (write, id) in WRITES.iter().enumerate() {
                if choices.one_in(3) {
                    continue;
                }
                let mut paths: Vec<String> = files
                    .values()
                    .filter(|file| file.place().0 == place)
                    .map(|file| file.place().1)
                    .collect();
                paths.retain(|_| !choices.one_in(4));
                // Paths that no file has.
                paths.extend(choices.some(2, |choices| {
                    choices
                        .pick(&["./part-00000.trv", "day=1//x.trv", "", "../b.trv", "part-00000.trv"])
                        .to_owned()
                }));
                let fault = if choices.one_in(8) { choices.pick(&FAULTS) } else { Fault::None };
                let (bytes, is_right) = written(&paths, fault, choices);
                folder.write(&format!("{place}_trevni_writes/{id}.json"), &bytes);
                manifests.insert((place, write), is_right.then(|| paths.into_iter().collect()));
            }
        }
        Self { files, manifests, folder, recursive: choices.one_in(3) }
    }

    /// The numbers of the files that count; `None` where opening is an error.
    fn expected(&self) -> Option<BTreeSet<u64>> {
        let mut numbers = BTreeSet::new();
        for file in self.files.values().filter(|file| file.is_data && !file.is_hidden()) {
            if file.around == "other/" && !self.recursive {
                return None;
            }
            let (place, path) = file.place();
            let counts = match file.write {
                None => true,
                Some(write) => match self.manifests.get(&(place, write)) {
                    None => false,
                    Some(parts) => parts.as_ref()?.contains(&path),
                },
            };
            if counts {
                numbers.insert(file.number);
            }
        }
        (!numbers.is_empty()).then_some(numbers)
    }

    fn check(&self) {
        let mut options = Dataset::builder();
        if self.recursive {
            options = options.recursive();
        }
        let opened = done(options.open(&self.folder.0));
        let expected = self.expected();
        let found = opened.map(|dataset| {
            let rows = dataset.rows::<Cell>().expect("rows are read");
            let numbers: Vec<u64> = rows
                .map(|row| match row.expect("a row is read").field("n") {
                    Some(Cell::Integer(number)) => *number as u64,
                    other => panic!("a row has {other:?}"),
                })
                .collect();
            let all: BTreeSet<u64> = numbers.iter().copied().collect();
            assert_eq!(all.len(), numbers.len(), "a file is read twice");
            all
        });
        assert_eq!(found, expected, "{:?} of {:?}", self.manifests, self.files.keys());
    }
}
