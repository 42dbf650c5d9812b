//! A server of plain HTTP with ranges, started by the test.

use super::file;
use crate::support::{Ran, cells, session};
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use object_store::ClientOptions;
use object_store::http::HttpBuilder;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use trevni::Writer;
use trevni_datafusion::{TrevniFormat, TrevniTable};
use url::Url;

/// Serves one object at every path.
async fn serve(object: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let object = Arc::new(object);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(answer(socket, Arc::clone(&object)));
        }
    });
    address
}

/// Answers `HEAD` and `GET`, request by request.
async fn answer(socket: TcpStream, object: Arc<Vec<u8>>) -> Option<()> {
    let mut socket = BufReader::new(socket);
    loop {
        let (mut is_head, mut range, mut line) = (None, None, String::new());
        loop {
            line.clear();
            if socket.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            let lower = line.trim().to_lowercase();
            if is_head.is_none() {
                is_head = Some(lower.starts_with("head"));
            } else if let Some(bytes) = lower.strip_prefix("range: bytes=") {
                let (start, end) = bytes.split_once('-')?;
                range = Some(start.parse::<usize>().ok()?..end.parse::<usize>().ok()? + 1);
            } else if lower.is_empty() {
                break;
            }
        }
        let len = object.len();
        let (status, body, more) = match range {
            Some(range) => {
                let range = range.start.min(len)..range.end.min(len);
                let more = format!("Content-Range: bytes {}-{}/{len}\r\n", range.start, range.end - 1);
                ("206 Partial Content", &object[range], more)
            }
            None => ("200 OK", &object[..], String::new()),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n{more}\r\n",
            body.len()
        );
        socket.get_mut().write_all(head.as_bytes()).await.ok()?;
        if is_head != Some(true) {
            socket.get_mut().write_all(body).await.ok()?;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_behind_a_web_server() {
    let address = serve(file(100_000, Writer::builder())).await;
    let session = session();
    let store = HttpBuilder::new()
        .with_url(&address)
        .with_client_options(ClientOptions::new().with_allow_http(true))
        .build()
        .unwrap();
    session.register_object_store(&Url::parse(&address).unwrap(), Arc::new(store));
    let path = ListingTableUrl::parse(format!("{address}/rows.trv")).unwrap();
    let options = ListingOptions::new(Arc::new(TrevniFormat::default())).with_file_extension("");
    let config = ListingTableConfig::new(path).with_listing_options(options);
    let config = config.infer_schema(&session.state()).await.unwrap();
    session
        .register_table("rows", Arc::new(TrevniTable::new(ListingTable::try_new(config).unwrap())))
        .unwrap();
    assert_eq!(cells(&session, "SELECT count(*), max(id) FROM rows").await, ["100000 99999"]);
    let ran = Ran::new(&session, "SELECT text FROM rows WHERE id >= 99990").await;
    assert_eq!(ran.rows, 10);
    assert!(ran.count("bytes_scanned") < 1 << 20, "{}", ran.count("bytes_scanned"));
    let sql = format!("SELECT count(*) FROM '{address}/rows.trv' WHERE last = 7");
    assert_eq!(cells(&session, &sql).await, ["100"]);
}
