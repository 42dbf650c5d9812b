//! The checksums of this crate in the header of a file: taken out, or made right after a change.

type Entries = Vec<(Vec<u8>, Vec<u8>)>;

const KEYS: [&[u8]; 3] = [b"crc32_header", b"crc32_header_bytes", b"crc32_column"];

/// A header, and what comes after it.
struct Parts<'a> {
    head: &'a [u8],
    file: Entries,
    columns: Vec<Entries>,
    starts: Vec<u64>,
    /// Where the header ends.
    end: usize,
}

fn int(bytes: &[u8], at: &mut usize) -> usize {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        value |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return value >> 1;
        }
    }
}

fn prefixed(bytes: &[u8], at: &mut usize) -> Vec<u8> {
    let len = int(bytes, at);
    *at += len;
    bytes[*at - len..*at].to_vec()
}

fn entries(bytes: &[u8], at: &mut usize) -> Entries {
    (0..int(bytes, at)).map(|_| (prefixed(bytes, at), prefixed(bytes, at))).collect()
}

fn parts(bytes: &[u8]) -> Parts<'_> {
    let count = u32::from_le_bytes(bytes[12..16].try_into().unwrap());
    let mut at = 16;
    let file = entries(bytes, &mut at);
    let columns = (0..count).map(|_| entries(bytes, &mut at)).collect();
    let starts = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let starts = (0..count as usize).map(|number| starts(at + 8 * number)).collect();
    Parts { head: &bytes[..16], file, columns, starts, end: at + 8 * count as usize }
}

fn push_int(mut rest: usize, out: &mut Vec<u8>) {
    rest <<= 1;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

fn push(entries: &Entries, out: &mut Vec<u8>) {
    push_int(entries.len(), out);
    for text in entries.iter().flat_map(|(key, value)| [key, value]) {
        push_int(text.len(), out);
        out.extend(text);
    }
}

/// The file as another program would have written it: without these checksums.
#[allow(dead_code, reason = "not all tests need it")]
pub(crate) fn without_sums(bytes: &[u8]) -> Vec<u8> {
    let Parts { head, mut file, mut columns, starts, end } = parts(bytes);
    for entries in columns.iter_mut().chain([&mut file]) {
        entries.retain(|(key, _)| !KEYS.contains(&key.as_slice()));
    }
    let mut out = head.to_vec();
    push(&file, &mut out);
    columns.iter().for_each(|entries| push(entries, &mut out));
    let shorter = (end - 8 * starts.len() - out.len()) as u64;
    starts.iter().for_each(|start| out.extend((start - shorter).to_le_bytes()));
    out.extend(&bytes[end..]);
    out
}

/// The file with the checksum that its header should have, after a change there.
#[allow(dead_code, reason = "not all tests need it")]
pub(crate) fn mended(bytes: &[u8]) -> Vec<u8> {
    let Parts { end, .. } = parts(bytes);
    let value = |key: &[u8], len: usize| {
        let key = [&[2 * key.len() as u8], key, &[2 * len as u8]].concat();
        let at = bytes[..end].windows(key.len()).position(|found| found == key).expect("a checksum");
        at + key.len()..at + key.len() + len
    };
    let (sum, len) = (value(KEYS[0], 4), value(KEYS[1], 8));
    let mut out = bytes.to_vec();
    out[sum.clone()].fill(0);
    out[len].copy_from_slice(&(end as u64).to_le_bytes());
    let computed = crc32fast::hash(&out[..end]);
    out[sum].copy_from_slice(&computed.to_be_bytes());
    out
}
