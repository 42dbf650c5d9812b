//! Codecs by the names of their Java classes.

use crate::dialect::Dialect;
use crate::error::{ErrorKind, Result};
use crate::storage::codec::Codec;

/// The package of Hadoop's codecs.
const PACKAGE: &str = "org.apache.hadoop.io.compress.";

/// Codecs with the classes in the package, and the short names that readers take too.
const CLASSES: [(Codec, &str, &[&str]); 5] = [
    (Codec::Deflate, "DefaultCodec", &["deflate"]),
    (Codec::Gzip, "GzipCodec", &["gz", "gzip"]),
    (Codec::Snappy, "SnappyCodec", &["snappy"]),
    (Codec::Bzip2, "BZip2Codec", &["bzip2"]),
    (Codec::Lz4, "Lz4Codec", &["lz4"]),
];

/// The codec that a footer names.
///
/// # Errors
///
/// A class that is not known, and a codec that this build lacks.
pub(super) fn from_name(name: Option<&str>) -> Result<Codec> {
    let name = match name {
        None | Some("none") => return Ok(Codec::Null),
        // Hadoop's other name for its default.
        Some("org.apache.hadoop.io.compress.DeflateCodec") => return Ok(Codec::Deflate),
        Some(name) => name,
    };
    let class = name.strip_prefix(PACKAGE);
    let known = CLASSES.iter().find(|(_, own, short)| class == Some(*own) || short.contains(&name));
    match known {
        Some((codec, ..)) => codec.available(),
        None => Err(ErrorKind::Codec { codec: name.to_owned(), hint: "" }.into()),
    }
}

/// The name in a footer; `None` without a codec.
///
/// # Errors
///
/// A codec that files cannot have.
pub(super) fn name(codec: Codec) -> Result<Option<String>> {
    Dialect::RedElm.check_codec(codec)?;
    let class = CLASSES.iter().find(|(own, ..)| *own == codec).map(|(_, class, _)| class);
    Ok(class.map(|class| format!("{PACKAGE}{class}")))
}
