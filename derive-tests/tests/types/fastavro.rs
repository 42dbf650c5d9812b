//! What fastavro, another implementation of Avro, says of schemas, where it is installed.

use std::io::Write;
use std::process::{Command, Stdio};

/// Numbers of the schemas that fastavro refuses, with its reasons; none where it is not there.
pub fn refused(schemas: &[String]) -> Option<Vec<(usize, String)>> {
    let python = std::env::var("TREVNI_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let there = Command::new(&python).args(["-c", "import fastavro"]).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        return None;
    }
    let mut child = Command::new(&python)
        .args(["-c", include_str!("fastavro.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let lines = schemas.join("\n") + "\n";
    let feeder = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("python ends");
    feeder.join().expect("the feeder ends").expect("python reads all schemas");
    assert!(output.status.success(), "the script failed");
    let text = String::from_utf8(output.stdout).expect("text");
    let refusal = |line: &str| {
        let (number, reason) = line.split_once('\t').expect("number and reason");
        (number.parse().expect("a number"), reason.to_owned())
    };
    Some(text.lines().map(refusal).collect())
}
