//! A web service that answers `GET /rows?filter=…&fields=…` with rows of a column file in an object store, a line of JSON each.
//!
//! ```text
//! cargo run -p trevni-object-store --example rows_service
//! cargo run -p trevni-object-store --example rows_service -- s3://bucket/flights.trv 127.0.0.1:8080
//! ```
//!
//! Without arguments, it serves a file of a folder of its own, asks itself once, prints the answer, and ends. Any number of requests
//! share a reader, and no thread waits for the store. A client that goes away ends the requests to the store.

use futures::{Stream, StreamExt};
use http_body_util::{BodyExt, Empty, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use object_store::local::LocalFileSystem;
use serde::Serialize;
use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use trevni_object_store::{AsyncReader, object_store};
use trevni_query::Condition;

type Done<T> = Result<T, Box<dyn Error + Send + Sync>>;
type Body = UnsyncBoxBody<Bytes, trevni::Error>;

#[tokio::main]
async fn main() -> Done<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [url, address] => serve(AsyncReader::open(url).await?, TcpListener::bind(address).await?).await,
        _ => demonstrate().await,
    }
}

/// Answers requests, each connection in a task of its own.
async fn serve(reader: AsyncReader, listener: TcpListener) -> Done<()> {
    loop {
        let (socket, _) = listener.accept().await?;
        let reader = reader.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let answer = answer(&reader, &request);
                async move { Ok::<_, Infallible>(answer) }
            });
            let http = hyper::server::conn::http1::Builder::new();
            if let Err(error) = http.serve_connection(TokioIo::new(socket), service).await {
                eprintln!("{error}");
            }
        });
    }
}

fn answer(reader: &AsyncReader, request: &Request<Incoming>) -> Response<Body> {
    let (status, body) = match (request.uri().path(), rows(reader, request.uri())) {
        ("/rows", Ok(rows)) => (StatusCode::OK, StreamBody::new(rows).boxed_unsync()),
        ("/rows", Err(error)) => (StatusCode::BAD_REQUEST, text(format!("{error}\n"))),
        _ => (StatusCode::NOT_FOUND, text("there is only /rows\n".to_owned())),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}

fn text(text: String) -> Body {
    Full::from(text).map_err(|never| match never {}).boxed_unsync()
}

/// The rows that a request asks for, as lines. Nothing has been fetched yet: this happens as the client reads.
fn rows(
    reader: &AsyncReader,
    uri: &Uri,
) -> Done<impl Stream<Item = trevni::Result<Frame<Bytes>>> + Send + 'static> {
    let mut reader = reader.clone();
    let query = uri.query().unwrap_or_default().as_bytes();
    for (name, value) in url::form_urlencoded::parse(query) {
        match &*name {
            "filter" => {
                let predicate = Condition::parse(&value)?.predicate(reader.shape())?;
                reader = reader.filter(predicate.ok_or("a filter compares fields with values")?)?;
            }
            "fields" => reader = reader.project(value.split(','))?,
            name => return Err(format!("{name}? There are filter and fields").into()),
        }
    }
    // Some thousand rows at a time; `rows::<Value>()` would give them one by one.
    Ok(reader.batches().map(|batch| {
        let (batch, mut lines) = (batch?, Vec::new());
        for row in batch.rows::<serde_json::Value>() {
            serde_json::to_writer(&mut lines, &row?).map_err(std::io::Error::from)?;
            lines.push(b'\n');
        }
        Ok(Frame::data(lines.into()))
    }))
}

#[derive(Serialize)]
struct Flight {
    carrier: &'static str,
    number: u32,
    dep_delay: Option<f64>,
    distance: f32,
}

/// Serves a file of a folder, and asks for some of its rows.
async fn demonstrate() -> Done<()> {
    let folder = tempfile::tempdir()?;
    let flight = |number: u32| Flight {
        carrier: ["AA", "DL", "UA"][number as usize % 3],
        number,
        dep_delay: (!number.is_multiple_of(11)).then(|| f64::from(number % 240) - 10.0),
        distance: 1089.0,
    };
    let mut writer = trevni::Writer::create(folder.path().join("flights.trv"))?;
    writer.write_all((0..100_000).map(flight))?;
    writer.finish()?;

    let store = Arc::new(LocalFileSystem::new_with_prefix(folder.path())?);
    let reader = AsyncReader::open_in(store, "flights.trv").await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let service = tokio::spawn(serve(reader.clone(), listener));

    for query in [
        "/rows?filter=number+%3C+60+and+carrier+%3D+'AA'+and+dep_delay+%3E+40&fields=carrier,number,dep_delay",
        "/rows?filter=distence+%3E+40",
    ] {
        println!("GET {query}\n{}", get(address, query).await?);
    }
    println!("{} requests to the store", reader.requests());
    service.abort();
    Ok(())
}

async fn get(address: std::net::SocketAddr, query: &str) -> Done<String> {
    let socket = TokioIo::new(TcpStream::connect(address).await?);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(socket).await?;
    tokio::spawn(connection);
    let request = Request::get(query).header("host", address.to_string()).body(Empty::<Bytes>::new())?;
    let body = sender.send_request(request).await?.collect().await?.to_bytes();
    Ok(String::from_utf8(body.to_vec())?)
}
