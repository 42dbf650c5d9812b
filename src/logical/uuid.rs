//! UUIDs as strings: hyphenated, in lower case.

/// Where hyphens are.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

/// The 16 bytes of a UUID: 32 hexadecimal digits of any case, with the usual hyphens or without any.
pub(super) fn parse(text: &str) -> Option<[u8; 16]> {
    let is_hyphenated = text.len() == 36;
    if !is_hyphenated && text.len() != 32 {
        return None;
    }
    let (mut bytes, mut nibbles) = ([0; 16], 0_usize);
    for (index, byte) in text.bytes().enumerate() {
        if is_hyphenated && HYPHENS.contains(&index) {
            if byte != b'-' {
                return None;
            }
            continue;
        }
        let nibble = char::from(byte).to_digit(16)? as u8;
        let place = bytes.get_mut(nibbles / 2)?;
        *place = *place << 4 | nibble;
        nibbles += 1;
    }
    Some(bytes)
}

/// Appends a UUID; false where these are not 16 bytes.
pub(super) fn format(bytes: &[u8], out: &mut String) -> bool {
    if bytes.len() != 16 {
        return false;
    }
    for (index, byte) in bytes.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            out.push('-');
        }
        for nibble in [byte >> 4, byte & 15] {
            out.extend(char::from_digit(nibble.into(), 16));
        }
    }
    true
}
