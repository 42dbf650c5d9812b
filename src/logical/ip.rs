//! IP addresses and networks as strings: addresses as `std::net` writes them (RFC 5952), networks with the length of
//! their prefix, `10.0.0.0/8`.
//!
//! The order of the bytes is that of the addresses, and then that of the prefixes.

use crate::shape::IpFamily;
use std::fmt::Write;
use std::net::IpAddr;

/// The first byte of an address of any family.
const V4: u8 = 4;
const V6: u8 = 6;
/// Bytes of the longest address.
const ADDRESS_MAX: usize = 16;

/// How addresses or networks are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) family: IpFamily,
    /// Whether each has the length of a prefix.
    pub(crate) is_network: bool,
}

impl Form {
    /// The same of any family.
    pub(crate) fn of_any(self) -> Self {
        Self { family: IpFamily::Any, ..self }
    }

    /// Whether values of it may be values of another.
    pub(super) fn becomes(self, other: Self) -> bool {
        self.is_network == other.is_network && self.family.join(other.family) == other.family
    }

    /// The bytes of a value as those of any family.
    pub(crate) fn widen(self, bytes: &[u8], out: &mut Vec<u8>) {
        // One that is too short has no prefix, and is filled up with zeros.
        let (address, prefix) = bytes.split_at_checked(self.family.size()).unwrap_or((bytes, &[]));
        match self.family {
            IpFamily::V4 => out.push(V4),
            IpFamily::V6 => out.push(V6),
            IpFamily::Any => {}
        }
        out.extend(address);
        out.resize(out.len().max(IpFamily::Any.size()), 0);
        out.extend(prefix);
    }

    /// Appends the bytes of a value; false where the string is no value.
    pub(super) fn parse(self, text: &str, out: &mut Vec<u8>) -> bool {
        let Some((address, prefix)) = parse(text, self.is_network) else { return false };
        match (self.family, address) {
            (IpFamily::V4, IpAddr::V4(address)) => out.extend(address.octets()),
            (IpFamily::V6, IpAddr::V6(address)) => out.extend(address.octets()),
            (IpFamily::Any, IpAddr::V4(address)) => {
                out.push(V4);
                out.extend(address.octets());
                out.extend([0; ADDRESS_MAX - 4]);
            }
            (IpFamily::Any, IpAddr::V6(address)) => {
                out.push(V6);
                out.extend(address.octets());
            }
            _ => return false,
        }
        out.extend(prefix);
        true
    }

    /// Appends the string of a value; false where these are not the bytes of one.
    pub(super) fn format(self, bytes: &[u8], out: &mut String) -> bool {
        let Some((address, prefix)) = self.value(bytes) else { return false };
        // A `String` takes all that is written.
        let _ = match prefix {
            Some(prefix) => write!(out, "{address}/{prefix}"),
            None => write!(out, "{address}"),
        };
        true
    }

    fn value(self, bytes: &[u8]) -> Option<(IpAddr, Option<u8>)> {
        let (address, prefix) = match self.is_network {
            true => bytes.split_last().map(|(prefix, address)| (address, Some(*prefix)))?,
            false => (bytes, None),
        };
        let address = self.address(address)?;
        prefix.is_none_or(|prefix| prefix <= prefix_max(address)).then_some((address, prefix))
    }

    fn address(self, bytes: &[u8]) -> Option<IpAddr> {
        match self.family {
            IpFamily::V4 => v4(bytes),
            IpFamily::V6 => v6(bytes),
            IpFamily::Any => match bytes.split_first()? {
                (&V4, rest) => {
                    let (address, padding) = rest.split_at_checked(4)?;
                    let is_padding =
                        padding.len() == ADDRESS_MAX - 4 && padding.iter().all(|byte| *byte == 0);
                    v4(address).filter(|_| is_padding)
                }
                (&V6, rest) => v6(rest),
                _ => None,
            },
        }
    }
}

fn v4(bytes: &[u8]) -> Option<IpAddr> {
    <[u8; 4]>::try_from(bytes).ok().map(IpAddr::from)
}

fn v6(bytes: &[u8]) -> Option<IpAddr> {
    <[u8; ADDRESS_MAX]>::try_from(bytes).ok().map(IpAddr::from)
}

/// Bits of an address.
fn prefix_max(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// An address, with a prefix where it is a network.
fn parse(text: &str, is_network: bool) -> Option<(IpAddr, Option<u8>)> {
    if !is_network {
        return text.parse().ok().map(|address| (address, None));
    }
    let (address, prefix) = text.split_once('/')?;
    let address = address.parse().ok()?;
    // There is no other string of the same number: neither signs nor zeros in front.
    let is_number = prefix.bytes().all(|byte| byte.is_ascii_digit());
    let is_shortest = is_number && (prefix == "0" || !prefix.starts_with('0'));
    let prefix = prefix.parse().ok().filter(|prefix| is_shortest && *prefix <= prefix_max(address))?;
    Some((address, Some(prefix)))
}

/// The family of the value that a string is the canonical one of. Uses the room for its string.
pub(super) fn canonical(text: &str, is_network: bool, room: &mut String) -> Option<IpFamily> {
    let (address, prefix) = parse(text, is_network)?;
    if address.is_ipv4() {
        // These have one string.
        return Some(IpFamily::V4);
    }
    room.clear();
    let _ = write!(room, "{address}");
    let length = match prefix {
        Some(_) => text.find('/')?,
        None => text.len(),
    };
    (text.get(..length) == Some(room)).then_some(IpFamily::V6)
}
