//! Processes that show each other certificates.

use crate::processes::{Cluster, Environment};
use crate::support::Folder;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A folder with a certificate for this machine, and the certificate of who has signed it.
fn certificate(folder: &Folder, name: &str, authority: &Issuer<'_, KeyPair>, root: &str) -> String {
    let (folder, key) = (folder.join(name), KeyPair::generate().unwrap());
    let names = ["localhost", "127.0.0.1"].map(str::to_owned);
    let certificate = CertificateParams::new(names).unwrap().signed_by(&key, authority).unwrap();
    std::fs::create_dir(&folder).unwrap();
    let (certificate, key) = (certificate.pem(), key.serialize_pem());
    for (name, text) in [("cert.pem", certificate.as_str()), ("key.pem", &key), ("ca.pem", root)] {
        std::fs::write(format!("{folder}/{name}"), text).unwrap();
    }
    folder
}

fn authority() -> (Issuer<'static, KeyPair>, String) {
    let (key, mut params) = (KeyPair::generate().unwrap(), CertificateParams::new([]).unwrap());
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = params.self_signed(&key).unwrap().pem();
    (Issuer::new(params, key), root)
}

fn environment(folder: &str) -> Environment {
    vec![("TREVNI_TLS", folder.to_owned())]
}

fn sql(cluster: &Cluster, sql: &str, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trevni-sql"));
    command.args(["--no-history", "--format", "csv", "--scheduler", &cluster.address, "-c", sql]).args(args);
    command.env_remove("TREVNI_TLS").stdin(Stdio::null()).output().unwrap()
}

#[test]
fn only_who_has_a_certificate_runs_queries() {
    let folder = Folder::new();
    let (one, other) = (authority(), authority());
    let ours = certificate(&folder, "ours", &one.0, &one.1);
    // Signed by another authority, and trusts the server.
    let theirs = certificate(&folder, "theirs", &other.0, &one.1);
    let cluster = Cluster::with_environment(2, 6, environment(&ours));
    let rows = folder.join("rows/");
    let copy = format!(
        "COPY (SELECT value AS n, value % 9 AS g FROM generate_series(1, 100000)) TO '{rows}' STORED AS TREVNI"
    );
    let query = format!(
        "SELECT a.g, sum(a.n) AS s FROM '{rows}' a JOIN '{rows}' b ON a.n = b.n GROUP BY a.g ORDER BY a.g LIMIT 2"
    );
    let ran = sql(&cluster, &copy, &["--tls", &ours]);
    assert!(ran.status.success(), "{ran:?}");
    let ran = sql(&cluster, &query, &["--tls", &ours]);
    assert!(ran.status.success(), "{ran:?}");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), format!("g,s\n0,{}\n1,{}\n", sum(0), sum(1)));
    for args in [&["--tls", &theirs][..], &[]] {
        let ran = sql(&cluster, &query, args);
        assert!(!ran.status.success() && ran.stdout.len() <= "g,s\n".len(), "{args:?}: {ran:?}");
    }
    // What speaks another language gets no answer.
    let mut plain = TcpStream::connect(&cluster.address).unwrap();
    plain.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    plain.write_all(b"GET /api/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
}

/// The sum of the numbers up to 100,000 that leave a remainder by 9.
fn sum(remainder: u64) -> String {
    (1..=100_000_u64).filter(|number| number % 9 == remainder).sum::<u64>().to_string()
}

#[test]
fn files_that_are_missing_are_named() {
    let folder = Folder::new();
    let empty = folder.join("empty");
    std::fs::create_dir(&empty).unwrap();
    for program in [env!("CARGO_BIN_EXE_trevni-scheduler"), env!("CARGO_BIN_EXE_trevni-executor")] {
        let ran = Command::new(program).args(["--tls", &empty]).output().unwrap();
        let error = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(!ran.status.success() && error.contains("cert.pem"), "{program}: {error}");
    }
}
