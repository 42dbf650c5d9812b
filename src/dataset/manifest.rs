//! Manifests of writes: which files of a folder count. docs/datasets.md, "Writes that are committed".

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::metadata::known_values;
use serde_json::{Value, json};
use std::collections::hash_map::RandomState;
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// How the name of a part of a write begins.
const START: &str = "part-w";
/// How it ends.
const END: &str = ".trv";
/// The folder of manifests, beside the parts or above them.
const FOLDER: &str = "_trevni_writes";
/// The key of a manifest that says its version.
const VERSION: &str = "trevni-write";
/// The most values of a manifest.
const VALUES_MAX: u64 = 1 << 20;
/// The keys of a manifest and of its parts.
const KEYS: [&str; 8] = [VERSION, "abandoned", "snapshot", "count", "parts", "path", "rows", "bytes"];

/// The identity of a write whose parts count once it is committed: `1763950833123x0123456789abcdef`, the milliseconds of its
/// beginning and digits by chance.
///
/// ```
/// use trevni::dataset::WriteId;
///
/// let write = WriteId::new();
/// let name = write.part_name(0x2a, 7);
/// assert_eq!(name, format!("part-w{write}-000000000000002a-00007.trv"));
/// assert_eq!(WriteId::from_part(&name), Some(write));
/// assert_eq!(WriteId::from_part("part-00007.trv"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WriteId(String);

impl WriteId {
    /// A write that is like no other, and later than the last one of this process.
    #[must_use]
    pub fn new() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_millis() as u64;
        let later = |last: u64| now.max(last.saturating_add(1));
        let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(later(last)));
        Self(format!("{:013}x{:016x}", later(last.unwrap_or_default()), Self::attempt()))
    }

    /// Digits by chance, by which an attempt at a write tells its parts from the parts of other attempts.
    #[must_use]
    pub fn attempt() -> u64 {
        RandomState::new().build_hasher().finish()
    }

    /// Parses a write; `None` if the text is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (time, chance) = text.split_once('x')?;
        let is_time = (13..=20).contains(&time.len()) && time.bytes().all(|byte| byte.is_ascii_digit());
        (is_time && is_hex(chance)).then(|| Self(text.to_owned()))
    }

    /// The write that a file belongs to, by its name; `None` for other files, which count as they are.
    #[must_use]
    pub fn from_part(name: &str) -> Option<Self> {
        let mut pieces = name.strip_prefix(START)?.strip_suffix(END)?.split('-');
        let (write, attempt, number) = (pieces.next()?, pieces.next()?, pieces.next()?);
        let is_number = number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit());
        (pieces.next().is_none() && is_hex(attempt) && is_number).then(|| Self::parse(write))?
    }

    /// The name of a part that an attempt writes.
    #[must_use]
    pub fn part_name(&self, attempt: u64, number: usize) -> String {
        format!("{START}{self}-{attempt:016x}-{number:05}{END}")
    }

    /// When the write began: milliseconds since 1970.
    #[must_use]
    pub fn millis(&self) -> u64 {
        let digits = self.0.split('x').next().unwrap_or_default();
        digits.parse().unwrap_or(u64::MAX)
    }

    /// The path of the manifest in the folder of a dataset, with `/`.
    #[must_use]
    pub fn manifest_name(&self) -> String {
        format!("{FOLDER}/{self}.json")
    }
}

fn is_hex(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl Default for WriteId {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for WriteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a write has written. Once it is stored, under [`WriteId::manifest_name`] and where nothing was before, the write is
/// committed: readers see its parts, all at once and no others of it.
///
/// ```
/// use trevni::dataset::WriteManifest;
///
/// let mut manifest = WriteManifest::default();
/// manifest.add("day=1/part-w1763950833123x0123456789abcdef-000000000000002a-00000.trv", 1000, 52_100);
/// let read = WriteManifest::from_slice(&manifest.to_vec())?;
/// assert_eq!((read.row_count(), read.parts().len()), (Some(1000), 1));
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteManifest {
    parts: Vec<String>,
    rows: u64,
    sizes: Vec<(u64, u64)>,
    is_abandoned: bool,
    snapshot: Option<(u64, u64)>,
}

impl WriteManifest {
    /// The manifest of a write that is given up: it can no longer be committed, and its parts can be removed.
    #[must_use]
    pub fn abandoned() -> Self {
        Self { is_abandoned: true, ..Self::default() }
    }

    /// The manifest of a write that also removes parts: its own parts count if the snapshot of this number has the write, and only
    /// there. `count` is the number of rows that the statement reports.
    #[must_use]
    pub fn in_snapshot(self, number: u64, count: u64) -> Self {
        Self { snapshot: Some((number, count)), ..self }
    }

    /// The number of the snapshot that decides whether the write is committed, if one does.
    #[must_use]
    pub fn snapshot(&self) -> Option<u64> {
        self.snapshot.map(|(number, _)| number)
    }

    /// The number of rows that the statement reports; `None` for a write that is given up.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        let rows = self.row_count()?;
        Some(self.snapshot.map_or(rows, |(_, count)| count))
    }

    /// Adds a part: its path within the folder of the dataset, with `/`; its rows and bytes.
    pub fn add(&mut self, path: impl Into<String>, rows: u64, bytes: u64) {
        self.parts.push(path.into());
        self.sizes.push((rows, bytes));
        self.rows = self.rows.saturating_add(rows);
    }

    /// The paths of the parts within the folder of the dataset, with `/`.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The rows and bytes of each part.
    #[must_use]
    pub fn sizes(&self) -> &[(u64, u64)] {
        &self.sizes
    }

    /// The rows of all parts; `None` for a write that is given up.
    #[must_use]
    pub fn row_count(&self) -> Option<u64> {
        (!self.is_abandoned).then_some(self.rows)
    }

    /// The manifest as JSON.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let part = |(path, (rows, bytes)): (&String, &(u64, u64))| json!({"path": path, "rows": rows, "bytes": bytes});
        let parts: Vec<Value> = self.parts.iter().zip(&self.sizes).map(part).collect();
        let mut manifest = json!({VERSION: 1, "rows": self.rows, "parts": parts});
        if self.is_abandoned {
            manifest["abandoned"] = true.into();
        }
        if let Some((number, count)) = self.snapshot {
            manifest["snapshot"] = number.into();
            manifest["count"] = count.into();
        }
        manifest.to_string().into_bytes()
    }

    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// Bytes that are no manifest, or one of a later version; and one of more than 262,000 parts or so.
    pub fn from_slice(bytes: &[u8]) -> Result<Self> {
        let damaged = || Error::metadata("this is not the manifest of a write");
        let mut values = 0;
        let value = known_values(bytes, &KEYS, &mut |_| {
            values += 1;
            if values <= VALUES_MAX { Ok(()) } else { Err(too_many_values()) }
        })?;
        let value = value.map_err(|_| damaged())?;
        match value[VERSION].as_u64() {
            Some(1) => {}
            Some(later) => {
                return Err(Error::metadata(format!("manifests of version {later} are not known")));
            }
            None => return Err(damaged()),
        }
        let mut manifest = Self { is_abandoned: value["abandoned"] == true, ..Self::default() };
        for part in value["parts"].as_array().ok_or_else(damaged)? {
            let path = part["path"].as_str().ok_or_else(damaged)?;
            let (rows, bytes) = (part["rows"].as_u64(), part["bytes"].as_u64());
            manifest.add(path, rows.ok_or_else(damaged)?, bytes.ok_or_else(damaged)?);
        }
        let number = |key: &str| match &value[key] {
            Value::Null => Ok(None),
            number => number.as_u64().map(Some).ok_or_else(damaged),
        };
        manifest.snapshot = match (number("snapshot")?, number("count")?) {
            (Some(snapshot), Some(count)) => Some((snapshot, count)),
            (None, None) => None,
            _ => return Err(damaged()),
        };
        if value["rows"].as_u64() != Some(manifest.rows)
            || manifest.is_abandoned && !manifest.parts.is_empty()
        {
            return Err(damaged());
        }
        Ok(manifest)
    }

    /// How many folders, the innermost ones of a path, are below the one that has the manifests: those whose names have a `=`,
    /// as partitions have.
    #[must_use]
    pub fn depth<'p>(folders: impl DoubleEndedIterator<Item = &'p str>) -> usize {
        folders.rev().take_while(|name| name.contains('=')).count()
    }

    /// A stored manifest; an empty one where there is no manifest.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let in_file = |error: Error| error.in_file(path);
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(in_file(error.into())),
        };
        let mut bytes = Vec::new();
        let most = Limits::DEFAULT.block_bytes;
        file.take(most).read_to_end(&mut bytes).map_err(|error| in_file(error.into()))?;
        Self::from_slice(&bytes).map_err(in_file)
    }
}

#[cold]
fn too_many_values() -> Error {
    let (what, limit) = ("the number of values in a manifest", VALUES_MAX);
    crate::error::ErrorKind::Limit { what, value: limit + 1, limit, option: "" }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "1763950833123x0123456789abcdef";

    #[test]
    fn names_say_which_write_they_are_of() {
        let id = WriteId::parse(ID).unwrap();
        assert_eq!(id.manifest_name(), format!("_trevni_writes/{ID}.json"));
        assert_eq!(WriteId::from_part(&id.part_name(u64::MAX, 123_456)), Some(id));
        assert!(WriteId::parse(&WriteId::new().to_string()).is_some());
        for other in [
            format!("part-w{ID}.trv"),
            format!("part-w{ID}-0123456789abcdef.trv"),
            format!("part-w{ID}-0123456789abcde-00000.trv"),
            format!("part-w{ID}-0123456789ABCDEF-00000.trv"),
            format!("part-w{ID}-0123456789abcdef-0000.trv"),
            format!("part-w{ID}-0123456789abcdef-00000.redelm"),
            format!("part-w{ID}-0123456789abcdef-00000-1.trv"),
            format!("part-{ID}-0123456789abcdef-00000.trv"),
            "part-w12x0123456789abcdef-0123456789abcdef-00000.trv".to_owned(),
            "part-00000.trv".to_owned(),
        ] {
            assert_eq!(WriteId::from_part(&other), None, "{other}");
        }
    }

    #[test]
    fn manifests_come_back_and_damage_is_an_error() {
        let mut manifest = WriteManifest::default();
        manifest.add("a=\"1\"\n/part", 3, 40);
        manifest.add("b", 0, u64::MAX);
        let text = manifest.to_vec();
        assert_eq!(WriteManifest::from_slice(&text).unwrap(), manifest);
        for end in 0..text.len() {
            assert!(WriteManifest::from_slice(&text[..end]).is_err(), "{end}");
        }
        let abandoned = WriteManifest::abandoned();
        assert_eq!(WriteManifest::from_slice(&abandoned.to_vec()).unwrap().row_count(), None);
        for wrong in [
            r#"{"trevni-write":2,"rows":0,"parts":[]}"#,
            r#"{"rows":0,"parts":[]}"#,
            r#"{"trevni-write":1,"rows":1,"parts":[]}"#,
            r#"{"trevni-write":1,"rows":0}"#,
            r#"{"trevni-write":1,"rows":1,"parts":[{"path":"a","rows":1}]}"#,
            r#"{"trevni-write":1,"rows":1,"abandoned":true,"parts":[{"path":"a","rows":1,"bytes":1}]}"#,
            "[]",
            "null",
        ] {
            assert!(WriteManifest::from_slice(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn folders_of_partitions_are_below_the_one_of_manifests() {
        assert_eq!(WriteManifest::depth(["a=1", "t", "day=1", "x=y=z"].into_iter()), 2);
        assert_eq!(WriteManifest::depth(["t"].into_iter()), 0);
    }
}
