//! A service of many threads over one file: `cargo run -p examples --bin service -- 8080` answers `GET /12345` with that row
//! as JSON. Without a port, it asks itself and prints the answers.
//!
//! With **Parquet**, a row by its number takes a page of each column and an index that the file may lack. **SQLite** is as
//! simple, wants a connection for each thread, and its file is larger. **CSV** has no way to a row but to read all before it.

use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use trevni::Reader;

#[derive(Serialize, Deserialize)]
struct User {
    id: u64,
    name: String,
    tags: Vec<String>,
}

fn answer(users: &Reader<'_>, mut client: TcpStream) -> io::Result<()> {
    let mut request = String::new();
    BufReader::new(client.try_clone()?).take(1000).read_line(&mut request)?;
    let number = request.split(['/', ' ']).nth(2).and_then(|number| number.parse().ok());
    let found = number.filter(|number| *number < users.row_count()).map(|number| users.row::<User>(number));
    let (status, body) = match found {
        Some(Ok(user)) => ("200 OK", serde_json::to_string(&user)?),
        Some(Err(error)) => ("500 Internal Server Error", error.to_string()),
        None => ("404 Not Found", "no such row".to_owned()),
    };
    write!(client, "HTTP/1.0 {status}\r\nContent-Length: {}\r\n\r\n{body}\n", body.len() + 1)
}

fn ask(port: u16, number: u64) -> io::Result<String> {
    let mut client = TcpStream::connect(("127.0.0.1", port))?;
    write!(client, "GET /{number} HTTP/1.0\r\n\r\n")?;
    let answer = io::read_to_string(client)?;
    Ok(answer.lines().last().unwrap_or_default().to_owned())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tags = |id| (0..id % 4).map(|tag| format!("tag {tag}")).collect();
    let rows = (0..100_000).map(|id| User { id, name: format!("user {id}"), tags: tags(id) });
    let users = Reader::new(trevni::to_vec(rows)?)?; // or Reader::open(path); its cache serves all threads
    let port = std::env::args().nth(1).map_or(Ok(0), |port| port.parse())?;
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    let bound = listener.local_addr()?.port();
    let server = thread::spawn(move || {
        thread::scope(|threads| {
            let clients = listener.incoming().flatten().take(if port == 0 { 4 } else { usize::MAX });
            clients.for_each(|client| drop(threads.spawn(|| answer(&users, client))));
        })
    });
    if port == 0 {
        let asked = [17, 99_999, 54_321, 100_000].map(|number| thread::spawn(move || ask(bound, number)));
        asked.into_iter().try_for_each(|thread| thread.join().unwrap().map(|line| println!("{line}")))?;
    }
    Ok(server.join().map_err(|_| "the server panicked")?)
}
