//! A web server of one file, which counts requests and goes wrong as it is told.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What the server does with requests for bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manners {
    /// Answers all requests with this status.
    pub(crate) status: Option<u16>,
    /// Answers so many requests with 503 first.
    pub(crate) failures: usize,
    /// Ends so many bodies in the middle.
    pub(crate) cuts: usize,
    /// Sends the whole file, whatever is asked for.
    pub(crate) has_no_ranges: bool,
    /// Says what it is, and minds what must match.
    pub(crate) tag: Option<String>,
    /// Sends what must match on, but does not mind it.
    pub(crate) ignores_match: bool,
    /// Sends requests to another place.
    pub(crate) redirect: Option<String>,
}

/// Answers with a tag.
pub(crate) fn tagged() -> Manners {
    Manners { tag: Some("\"one\"".to_owned()), ..Manners::default() }
}

/// What a server does before its object is replaced, and after, if readers are to see it.
pub(crate) fn changes() -> [(Manners, Manners); 3] {
    let two = Manners { tag: Some("\"two\"".to_owned()), ..Manners::default() };
    [
        (tagged(), two.clone()),
        (tagged(), Manners { ignores_match: true, ..two }),
        (Manners::default(), Manners::default()),
    ]
}

pub(crate) struct Server {
    pub(crate) address: String,
    state: Arc<Mutex<State>>,
}

struct State {
    object: Arc<Vec<u8>>,
    manners: Manners,
    requests: Vec<String>,
}

impl Server {
    pub(crate) fn start(object: Vec<u8>, manners: Manners) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State { object: Arc::new(object), manners, requests: Vec::new() }));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                thread::spawn(move || answer(socket, &state));
            }
        });
        Self { address, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}/rows.trv", self.address)
    }

    /// The requests since the last call: the first line, and what is asked for.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().unwrap().requests)
    }

    pub(crate) fn behave(&self, manners: Manners) {
        self.state.lock().unwrap().manners = manners;
    }

    pub(crate) fn replace(&self, object: Vec<u8>) {
        self.state.lock().unwrap().object = Arc::new(object);
    }
}

/// Answers requests until the client or the server ends the connection.
fn answer(socket: TcpStream, state: &Mutex<State>) -> Option<()> {
    let mut reader = BufReader::new(socket.try_clone().ok()?);
    loop {
        let (mut lines, mut line) = (Vec::new(), String::new());
        while reader.read_line(&mut line).ok()? > 0 && line.trim() != "" {
            lines.push(line.trim().to_lowercase());
            line.clear();
        }
        let first = lines.first()?.clone();
        let header = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let range = header("range: bytes=").and_then(|range| {
            let (start, end) = range.split_once('-')?;
            Some(start.parse::<usize>().ok()?..end.parse::<usize>().ok()? + 1)
        });
        let (object, manners, cuts) = {
            let mut state = state.lock().unwrap();
            let asked = range.as_ref().map_or(String::new(), |range| format!(" {range:?}"));
            state.requests.push(format!("{first}{asked}"));
            let manners = state.manners.clone();
            state.manners.failures = manners.failures.saturating_sub(1);
            let cuts = manners.cuts > 0 && manners.failures == 0;
            state.manners.cuts -= usize::from(cuts);
            (Arc::clone(&state.object), manners, cuts)
        };
        let mut out = &socket;
        let mut refuse = |status: &str, more: &str| {
            out.write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n{more}\r\n").as_bytes()).ok()
        };
        let matches =
            header("if-match:").is_none_or(|tag| manners.tag.as_deref().is_none_or(|own| own == tag));
        let start = range.as_ref().map_or(0, |range| range.start);
        if manners.failures > 0 {
            refuse("503 Busy", "")?;
            continue;
        } else if let Some(status) = manners.status {
            refuse(&format!("{status} No"), "")?;
            continue;
        } else if let Some(place) = &manners.redirect {
            refuse("302 Found", &format!("Location: {place}\r\n"))?;
            continue;
        } else if !matches && !manners.ignores_match {
            refuse("412 Changed", "")?;
            continue;
        } else if range.is_some() && start >= object.len() && !manners.has_no_ranges {
            refuse("416 Range Not Satisfiable", "")?;
            continue;
        }
        let range =
            range.filter(|_| !manners.has_no_ranges).map(|range| range.start..range.end.min(object.len()));
        let len = object.len();
        let (status, body, more) = match range {
            Some(range) => {
                let more = format!("Content-Range: bytes {}-{}/{len}\r\n", range.start, range.end - 1);
                ("206 Partial Content", &object[range], more)
            }
            None => ("200 OK", &object[..], String::new()),
        };
        let tag = manners.tag.map_or(String::new(), |tag| format!("ETag: {tag}\r\n"));
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{more}{tag}\r\n", body.len());
        out.write_all(head.as_bytes()).ok()?;
        if !first.starts_with("head") {
            if cuts {
                out.write_all(&body[..body.len() / 2]).ok()?;
                return None;
            }
            out.write_all(body).ok()?;
        }
    }
}
