//! A RedElm file with a footer of JSON, taken apart and put together.

use serde_json::Value;

const MAGIC: &[u8; 8] = b"Red Elm\n";

/// A file in parts.
pub(crate) struct RedElm {
    /// The magic and the row groups.
    pub(crate) body: Vec<u8>,
    /// Names and bytes of the other blocks.
    pub(crate) others: Vec<(Vec<u8>, Vec<u8>)>,
    pub(crate) footer: Value,
}

impl RedElm {
    /// Takes a file apart; `None` where it has another footer or is damaged.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.len().checked_sub(16)?;
        if !bytes.starts_with(MAGIC) || !bytes.ends_with(MAGIC) {
            return None;
        }
        let place = u64::from_be_bytes(bytes.get(end..end + 8)?.try_into().ok()?);
        let place = usize::try_from(place).ok().filter(|place| *place <= end)?;
        let body = bytes.get(..place)?.to_vec();
        let mut rest = bytes.get(place + 4..end)?;
        let (count, after) = rest.split_first()?;
        rest = after;
        let (mut others, mut footer) = (Vec::new(), None);
        for _ in 0..*count {
            let name = part(&mut rest, 2)?;
            let content = part(&mut rest, 4)?;
            match serde_json::from_slice(content) {
                Ok(value) if name == b"RedElm" => footer = Some(value),
                // Without checksums, what is changed goes on to be read.
                _ if name.starts_with(b"crc32_") => {}
                _ => others.push((name.to_vec(), content.to_vec())),
            }
        }
        Some(Self { body, others, footer: footer? })
    }

    /// Puts the file together with sizes that are right.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = self.body.clone();
        out.extend_from_slice(&1u32.to_be_bytes());
        out.push(self.others.len() as u8 + 1);
        let footer = (b"RedElm".to_vec(), self.footer.to_string().into_bytes());
        for (name, content) in std::iter::once(&footer).chain(&self.others) {
            out.extend_from_slice(&(name.len() as u16).to_be_bytes());
            out.extend_from_slice(name);
            out.extend_from_slice(&(content.len() as u32).to_be_bytes());
            out.extend_from_slice(content);
        }
        out.extend_from_slice(&(self.body.len() as u64).to_be_bytes());
        out.extend_from_slice(MAGIC);
        out
    }
}

/// Bytes after their size, which has `width` bytes.
fn part<'b>(rest: &mut &'b [u8], width: usize) -> Option<&'b [u8]> {
    let (size, after) = rest.split_at_checked(width)?;
    let size = size.iter().fold(0usize, |size, byte| size << 8 | usize::from(*byte));
    let (content, after) = after.split_at_checked(size)?;
    *rest = after;
    Some(content)
}
