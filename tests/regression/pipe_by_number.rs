//! An open pipe has a name by its number, a link to a name that does not exist. The file was to be made there.

use std::io::Read;
use std::os::fd::AsRawFd;
use trevni::{AtomicFile, Writer};

#[test]
fn a_pipe_is_written_to_by_its_number() {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let path = format!("/dev/fd/{}", writer.as_raw_fd());
    let mut file = AtomicFile::create(&path).unwrap();
    std::io::Write::write_all(&mut file, b"text").unwrap();
    file.commit().unwrap();
    let mut rows = Writer::create(&path).unwrap();
    rows.write_all(0..100u32).unwrap();
    rows.finish().unwrap();
    drop(writer);
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    let bytes = bytes.strip_prefix(b"text").unwrap();
    assert_eq!(trevni::from_slice::<Vec<u32>>(bytes).unwrap(), (0..100).collect::<Vec<_>>());
}
