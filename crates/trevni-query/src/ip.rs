//! IP addresses and networks.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use trevni::ValueRef;
use trevni::shape::{IpFamily, Logical, LogicalShape};

/// An IP address, or a network: an address and the length of its prefix. v4 addresses come before v6 addresses.
///
/// ```
/// use trevni_query::Ip;
///
/// let network = Ip::parse_network("10.0.0.0/8").unwrap();
/// assert_eq!(network.to_string(), "10.0.0.0/8");
/// assert!(Ip::parse_address("9.255.0.1") < Ip::parse_address("10.0.0.9"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ip {
    /// The address.
    pub address: IpAddr,
    /// The length of the prefix of a network.
    pub prefix: Option<u8>,
}

impl Ip {
    /// The address of a string.
    pub fn parse_address(text: &str) -> Option<Self> {
        text.parse().ok().map(|address| Self { address, prefix: None })
    }

    /// The network of a string, `10.0.0.0/8`.
    pub fn parse_network(text: &str) -> Option<Self> {
        let logical = Logical::IpNetwork(IpFamily::Any);
        let storage = logical.storage()?;
        let shape = LogicalShape::new(logical, storage).ok()?;
        // The library says which prefixes there are.
        shape.parse(text, &mut Vec::new())?;
        let (address, prefix) = text.split_once('/')?;
        Some(Self { address: address.parse().ok()?, prefix: Some(prefix.parse().ok()?) })
    }

    /// Decodes the bytes of a logical type; `None` if they are not an address or a network.
    pub(crate) fn of_bytes(shape: &LogicalShape, bytes: &[u8]) -> Option<Self> {
        let text = shape.text(ValueRef::Bytes(bytes))?;
        match shape.logical {
            Logical::IpAddress(_) => Self::parse_address(&text),
            Logical::IpNetwork(_) => Self::parse_network(&text),
            _ => None,
        }
    }

    /// Bytes in the order of the values, which are equal for equal values only.
    pub(crate) fn key(self) -> Vec<u8> {
        let mut key = vec![if self.address.is_ipv4() { 4 } else { 6 }];
        match self.address {
            IpAddr::V4(address) => key.extend(address.octets()),
            IpAddr::V6(address) => key.extend(address.octets()),
        }
        key.extend(self.prefix);
        key
    }
}

impl Default for Ip {
    fn default() -> Self {
        Self { address: Ipv4Addr::UNSPECIFIED.into(), prefix: None }
    }
}

impl fmt::Display for Ip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.prefix {
            Some(prefix) => write!(f, "{}/{prefix}", self.address),
            None => self.address.fmt(f),
        }
    }
}
