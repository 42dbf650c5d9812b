//! The options of convert that are about messages of Protocol Buffers.

use crate::encoding::bytes;
use crate::failure::Failure;
use clap::Args;
use std::path::PathBuf;
use trevni_protobuf::{Enums, Mapping, MessageDescriptor, Options};

/// Which messages there are, and how they are read.
#[derive(Clone, Debug, Args)]
pub(crate) struct MessageOptions {
    /// Descriptors of Protocol Buffers (protoc --descriptor_set_out)
    #[arg(long, value_name = "FILE", requires = "message")]
    descriptor: Option<PathBuf>,
    /// Type of the messages, such as my.package.Person
    #[arg(long, value_name = "TYPE", requires = "descriptor")]
    message: Option<String>,
    /// Keep this number of levels of messages that contain messages of their own type
    #[arg(long, value_name = "LEVELS", requires = "descriptor", hide_short_help = true)]
    recursion: Option<u32>,
    /// Keep values of enums as numbers
    #[arg(long, requires = "descriptor", hide_short_help = true)]
    enum_numbers: bool,
    /// Refuse larger messages
    #[arg(long, value_name = "BYTES", default_value = "64MiB", value_parser = bytes, hide_short_help = true)]
    pub(super) largest_message: usize,
}

impl MessageOptions {
    /// Whether a type of messages is given.
    pub(super) fn is_given(&self) -> bool {
        self.descriptor.is_some()
    }

    /// The type of messages that is given.
    pub(super) fn descriptor(&self) -> Result<Option<MessageDescriptor>, Failure> {
        let (Some(path), Some(message)) = (&self.descriptor, &self.message) else {
            return Ok(None);
        };
        let set = std::fs::read(path).map_err(|error| Failure::io(path.display(), &error))?;
        let found = trevni_protobuf::message(&set, message);
        found.map(Some).map_err(|error| Failure::of_protobuf(path.display(), error))
    }

    /// How messages of a source are read.
    pub(super) fn mapping(&self, name: &str) -> Result<Mapping, Failure> {
        let Some(message) = self.descriptor()? else {
            let failure = Failure::usage(format!("{name}: the type of its messages is not known"));
            return Err(failure.hint("To name it: --descriptor FILE --message TYPE"));
        };
        let mut options = Options::new();
        if let Some(levels) = self.recursion {
            options = options.recursion(levels);
        }
        if self.enum_numbers {
            options = options.enums(Enums::Numbers);
        }
        Mapping::new(&message, &options).map_err(|error| Failure::of_protobuf(message.full_name(), error))
    }
}
