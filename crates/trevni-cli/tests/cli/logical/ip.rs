//! IP addresses and networks.

use super::Folder;

const ROWS: &str = "ip,any,net,version\n\
                    9.255.0.1,10.0.0.1,10.0.0.0/8,1.5\n\
                    10.0.0.9,::1,10.1.0.0/16,2.5\n\
                    10.0.0.10,9.0.0.1,0.0.0.0/0,1.5\n";

fn with_addresses(types: &[&str]) -> Folder {
    let folder = Folder::new();
    folder.put("in.csv", ROWS);
    folder.prints(&[&["-q", "convert", "in.csv", "--check"], types].concat());
    folder
}

#[test]
fn addresses_are_found_given_and_printed() {
    let auto = with_addresses(&["-t", "*=auto"]);
    let flat = auto.prints(&["schema", "-f", "flat", "in.trv"]);
    for line in ["ip       ipv4-address", "any      ip-address", "net      ipv4-network"] {
        assert!(flat.contains(line), "{flat}");
    }
    let given = with_addresses(&["-t", "ip=ipv4", "-t", "any=ip", "-t", "net=ipv4-network"]);
    for folder in [auto, given] {
        assert_eq!(folder.prints(&["cat", "-f", "csv", "in.trv"]), ROWS);
        let rust = folder.prints(&["schema", "-f", "rust", "in.trv"]);
        for own in ["std::net::Ipv4Addr reads it", "std::net::IpAddr reads it", "ipnet::Ipv4Net reads it"] {
            assert!(rust.contains(own), "{rust}");
        }
    }
}

#[test]
fn addresses_are_compared_and_sorted_as_such() {
    let folder = with_addresses(&["-t", "*=auto"]);
    let csv = |args: &[&str]| folder.prints(&[&["query", "in.trv", "-f", "csv"], args].concat());
    assert_eq!(csv(&["-c", "ip", "-w", "ip >= '10.0.0.9'"]), "ip\n10.0.0.9\n10.0.0.10\n");
    assert_eq!(csv(&["-c", "any", "-s", "any"]), "any\n9.0.0.1\n10.0.0.1\n::1\n");
    assert_eq!(csv(&["-c", "net", "-s", "net"]), "net\n0.0.0.0/0\n10.0.0.0/8\n10.1.0.0/16\n");
    assert_eq!(csv(&["-a", "low=min(ip),high=max(ip)"]), "low,high\n9.255.0.1,10.0.0.10\n");
    assert_eq!(csv(&["-b", "any", "-a", "count()", "-w", "any < '::'", "-s", "any"]).lines().count(), 3);
    folder.fails(&["query", "in.trv", "-w", "ip = '10.0.0'"]);
    folder.fails(&["query", "in.trv", "-w", "ip = '10.0.0.0/8'"]);
}
