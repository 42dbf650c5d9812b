//! The classes of errors.

/// The classes of errors, by what a caller can do about them.
///
/// # Examples
///
/// ```
/// use trevni::{Category, Reader};
///
/// let error = Reader::from_slice(b"{\"not\": \"trevni\"}").err().unwrap();
/// let advice = match error.category() {
///     Category::Io => "try again, or look at the disk",
///     Category::Corrupt => "fetch the file again",
///     Category::Unsupported => "enable a feature",
///     Category::Limit => "raise the limit that the message names, or read less at once",
///     Category::Shape => "change the type or the rows",
///     Category::Misuse => "change the call",
///     _ => "report a bug",
/// };
/// assert_eq!(advice, "fetch the file again");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The source or the sink failed. The same call may succeed later.
    Io,
    /// The bytes of a file are not what the format says. No call reads them; another copy may be whole.
    Corrupt,
    /// The file is well formed but needs more than this build has: a feature of the crate, a newer version.
    Unsupported,
    /// The file needs more than the [`Limits`](crate::Limits) of the reader allow. It may be well formed: with a higher
    /// limit it may be read, and so may some of its rows or columns with this one.
    Limit,
    /// The rows do not fit the type or shape asked for, or are larger than the format can hold. Other
    /// rows, another type or smaller files help.
    Shape,
    /// The caller asked for something that cannot be, such as a column that is not there. The message
    /// says what can.
    Misuse,
    /// A fault of this crate, or a thread of it that panicked. Neither the file nor the caller is to
    /// blame: please report it.
    Internal,
}
