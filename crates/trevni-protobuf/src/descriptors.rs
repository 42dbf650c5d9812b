//! Sets of descriptors, and the messages in them.

use crate::Error;
use prost_reflect::prost::Message as _;
use prost_reflect::prost_types::FileDescriptorSet;
use prost_reflect::{Cardinality, DescriptorPool, Kind, MessageDescriptor};

/// Names that an error lists.
const MOST_NAMES: usize = 20;

/// The descriptor of a message in a set of descriptors, as `protoc --include_imports --descriptor_set_out` and other
/// compilers write it. The name may lack its package where no two messages have it. Files of Google's own definitions
/// (`google/protobuf/….proto`) need not be in the set.
///
/// # Errors
///
/// Bytes that are no such set, and a set without such a message.
pub fn message(set: &[u8], name: &str) -> Result<MessageDescriptor, Error> {
    let pool = pool(set)?;
    if let Some(message) = pool.get_message_by_name(name.trim_start_matches('.')) {
        return Ok(message);
    }
    let mut named = pool.all_messages().filter(|message| message.name() == name && !message.is_map_entry());
    match (named.next(), named.next()) {
        (Some(message), None) => Ok(message),
        _ => Err(Error::NoMessage { name: name.to_owned(), others: names(&pool) }),
    }
}

/// Reads a set; what it imports of Google's definitions is added where it is missing.
fn pool(set: &[u8]) -> Result<DescriptorPool, Error> {
    let set = FileDescriptorSet::decode(set).map_err(|error| Error::Descriptors(error.to_string()))?;
    if set.file.is_empty() {
        return Err(Error::Descriptors("there is no file in it".to_owned()));
    }
    // `prost-reflect` panics at these.
    if let Some(file) = set.file.iter().find(|file| !matches!(file.syntax(), "" | "proto2" | "proto3")) {
        let (name, syntax) = (file.name(), file.syntax());
        return Err(Error::Descriptors(format!(
            "{name} has syntax {syntax:?}, and only proto2 and proto3 are known"
        )));
    }
    let pool = DescriptorPool::from_file_descriptor_set(set.clone()).or_else(|first| {
        let mut pool = DescriptorPool::global();
        let added = pool.add_file_descriptor_set(set);
        added.map(|()| pool).map_err(|_| Error::Descriptors(first.to_string()))
    })?;
    let wrong = pool.all_messages().find(|message| message.is_map_entry() && !is_entry(message));
    match wrong {
        Some(entry) => Err(Error::Descriptors(format!("{} is no entry of a map", entry.full_name()))),
        None => Ok(pool),
    }
}

/// Whether the message has a key and a value, as the reader of maps takes for granted.
fn is_entry(message: &MessageDescriptor) -> bool {
    let is_key = |kind: &Kind| {
        !matches!(kind, Kind::Message(_) | Kind::Enum(_) | Kind::Float | Kind::Double | Kind::Bytes)
    };
    match (message.get_field(1), message.get_field(2)) {
        (Some(key), Some(value)) => {
            let are_single = [&key, &value].iter().all(|field| field.cardinality() != Cardinality::Repeated);
            are_single && is_key(&key.kind())
        }
        _ => false,
    }
}

fn names(pool: &DescriptorPool) -> Vec<String> {
    let is_own =
        |message: &MessageDescriptor| !message.is_map_entry() && message.package_name() != "google.protobuf";
    let mut names: Vec<String> =
        pool.all_messages().filter(is_own).map(|message| message.full_name().to_owned()).collect();
    names.sort_unstable();
    if names.len() > MOST_NAMES {
        names.truncate(MOST_NAMES);
        names.push("…".to_owned());
    }
    names
}
