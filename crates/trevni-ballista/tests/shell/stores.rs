//! Files that URLs name, of a web server of the test.

use crate::{Folder, texts};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// Serves one file at `/data/flights.trv`; gives the address.
fn serve(bytes: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let bytes = Arc::new(bytes);
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let bytes = Arc::clone(&bytes);
            std::thread::spawn(move || while answer(&socket, &bytes).is_some() {});
        }
    });
    address
}

/// Answers one request; `None` where the connection ends.
fn answer(mut socket: &TcpStream, bytes: &[u8]) -> Option<()> {
    let mut lines = BufReader::new(socket).lines();
    let first = lines.next()?.ok()?;
    let (mut range, mut status) = (0..bytes.len(), "200 OK");
    let mut is_there = first.contains(" /data/flights.trv ");
    is_there &= first.starts_with("GET ") || first.starts_with("HEAD ");
    for line in lines.map_while(Result::ok).take_while(|line| !line.is_empty()) {
        if let Some(wanted) = line.to_lowercase().strip_prefix("range: bytes=") {
            let (start, end) = wanted.split_once('-')?;
            range = start.parse().ok()?..end.parse::<usize>().ok()? + 1;
            status = "206 Partial Content";
        }
    }
    let head = match is_there {
        false => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
        true => format!(
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nContent-Range: bytes {}-{}/{}\r\nLast-Modified: Mon, 03 Jun 2013 00:00:00 GMT\r\n\r\n",
            range.len(),
            range.start,
            range.end - 1,
            bytes.len()
        ),
    };
    socket.write_all(head.as_bytes()).ok()?;
    if is_there && first.starts_with("GET ") {
        socket.write_all(bytes.get(range)?).ok()?;
    }
    Some(())
}

#[test]
fn files_of_web_servers_are_tables() {
    let folder = Folder::with_flights();
    let address = serve(std::fs::read(folder.path("flights.trv")).unwrap());
    let sql = format!(
        "SELECT carrier, count(*) AS n FROM '{address}/data/flights.trv' WHERE flight < 100 GROUP BY carrier ORDER BY carrier"
    );
    assert_eq!(folder.prints(&["--format", "csv", "-c", &sql]), "carrier,n\nAA,34\nB6,33\nDL,33\n");
    let output = folder.sql(&["-c", &format!("SELECT * FROM '{address}/data/other.trv'")]).output().unwrap();
    assert!(output.status.code() != Some(0) && texts(&output).1.contains("other.trv"), "{output:?}");
    let output = folder.sql(&["-c", "SELECT * FROM 'nothing://host/other.trv'"]).output().unwrap();
    assert!(texts(&output).1.contains("nothing"), "{output:?}");
}
