//! Reading: how many requests it takes, and what servers can do.

use crate::files::{Row, file, made, row};
use crate::http::{Manners, Server, changes, tagged};
use std::io::{ErrorKind, Read};
use trevni::{Category, Codec, Reader, Source, Writer, col};
use trevni_object_store::Object;

#[test]
fn opening_takes_one_request_and_a_projection_one_for_each_run_of_columns() {
    let bytes = file(60_000);
    assert!(bytes.len() > 2 << 20, "{}", bytes.len());
    let server = Server::start(bytes, tagged());
    let wanted: Vec<Row> = (0..60_000).map(row).collect();
    for (columns, runs) in [
        (&["id"][..], 1),
        (&["id", "last"], 2),
        (&["noise", "text", "last"], 1),
        (&["id", "noise", "text", "last"], 1),
    ] {
        let object = Object::open(&server.url()).unwrap();
        let reader = Reader::new(object.clone()).unwrap();
        assert_eq!(server.take().len(), 1, "opening");
        let batches = reader.project(columns).unwrap().batches().unwrap();
        let rows: usize = batches.map(|batch| batch.unwrap().len()).sum();
        assert_eq!(rows, 60_000);
        let taken = server.take();
        assert!(taken.len() <= runs + 1, "{columns:?}: {taken:#?}");
        assert_eq!(object.requests() as usize, 1 + taken.len());
    }
    let found: Vec<Row> =
        trevni_object_store::open(&server.url()).unwrap().rows().unwrap().map(Result::unwrap).collect();
    assert!(found == wanted);
}

#[test]
fn long_headers_take_two_requests() {
    let mut writer = Writer::builder().metadata("long", vec![7; 200_000]).build(Vec::new()).unwrap();
    writer.write_all(0..10u8).unwrap();
    let server = Server::start(writer.finish().unwrap(), tagged());
    let reader = trevni_object_store::open(&server.url()).unwrap();
    let opened = server.take();
    assert!(opened.len() <= 2, "{opened:?}");
    assert_eq!(reader.column::<u8>("").unwrap(), (0..10).collect::<Vec<_>>());
}

#[test]
fn columns_of_large_files_are_fetched_in_steps() {
    let bytes = made(500_000, Writer::builder().codec(Codec::Null));
    let len = bytes.len();
    assert!(len > 20 << 20, "{len}");
    let server = Server::start(bytes, tagged());
    let reader = trevni_object_store::open(&server.url()).unwrap();
    server.take();
    let texts: Vec<String> = reader.column::<String>("text").unwrap();
    assert_eq!(texts[499_999], row(499_999).text);
    let taken = server.take();
    assert!((2..=6).contains(&taken.len()), "{taken:?}");
    // A filter jumps.
    let some = reader.filter(col("id").eq(400_000i64)).unwrap();
    assert_eq!(some.column::<String>("text").unwrap().len(), 1);
    let fetched: usize = server.take().iter().map(|request| bytes_of(request)).sum();
    assert!(fetched < 3 << 20, "{fetched}");
}

fn bytes_of(request: &str) -> usize {
    let range = request.rsplit(' ').next().and_then(|range| range.split_once(".."));
    range.map_or(0, |(start, end)| end.parse::<usize>().unwrap() - start.parse::<usize>().unwrap())
}

#[test]
fn threads_share_what_is_fetched() {
    let server = Server::start(file(60_000), tagged());
    let reader = trevni_object_store::open(&server.url()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let sum: i64 = reader.column::<i64>("id").unwrap().iter().sum();
                assert_eq!(sum, (0..60_000).sum::<i64>());
            });
        }
    });
    let taken = server.take();
    assert!(taken.len() <= 3, "{taken:?}");
}

#[test]
fn requests_that_fail_for_the_moment_are_sent_again() {
    let bytes = file(20_000);
    let server = Server::start(bytes, Manners { failures: 2, ..tagged() });
    let reader = trevni_object_store::open(&server.url()).unwrap();
    assert_eq!(server.take().len(), 3);
    server.behave(Manners { failures: 1, cuts: 2, ..tagged() });
    assert_eq!(reader.column::<i32>("last").unwrap().len(), 20_000);
    let taken = server.take();
    assert!(taken.len() >= 4, "{taken:?}");
}

#[test]
fn bodies_that_end_too_early_are_errors_where_they_cannot_be_resumed() {
    let server = Server::start(file(20_000), Manners::default());
    let reader = trevni_object_store::open(&server.url()).unwrap();
    server.behave(Manners { cuts: usize::MAX / 2, ..Manners::default() });
    let error = reader.column::<i32>("last").unwrap_err();
    assert_eq!(error.category(), Category::Io, "{error}");
    assert!(error.to_string().contains(&server.url()), "{error}");
    // Nothing of it is kept.
    server.behave(Manners::default());
    assert_eq!(reader.column::<i32>("last").unwrap().len(), 20_000);
    server.behave(Manners { cuts: 1, ..Manners::default() });
    assert_eq!(Object::open(&server.url()).err().map(|error| error.kind()), Some(ErrorKind::Other));
}

#[test]
fn servers_without_ranges_are_asked_for_all() {
    let bytes = file(5000);
    let server = Server::start(bytes.clone(), Manners { has_no_ranges: true, ..Manners::default() });
    let object = Object::open(&server.url()).unwrap();
    assert_eq!(server.take().len(), 2);
    let mut all = Vec::new();
    object.read().read_to_end(&mut all).unwrap();
    assert!(all == bytes && object.size().unwrap() == bytes.len() as u64);
    let found: Vec<Row> = Reader::new(object).unwrap().rows().unwrap().map(Result::unwrap).collect();
    assert!(found == (0..5000).map(row).collect::<Vec<_>>() && server.take().is_empty());
    server.behave(Manners { has_no_ranges: true, cuts: 1, ..Manners::default() });
    // The head of the first answer is enough to know; the second one is cut.
    server.behave(Manners { has_no_ranges: true, cuts: 9, ..Manners::default() });
    assert!(Object::open(&server.url()).is_err());
}

#[test]
fn objects_that_change_are_errors() {
    for (before, after) in changes() {
        let server = Server::start(file(20_000), before);
        let reader = trevni_object_store::open(&server.url()).unwrap();
        server.replace(file(20_001));
        server.behave(after);
        let error = reader.column::<i32>("last").unwrap_err();
        assert!(error.to_string().contains("has changed while it was read"), "{error}");
        assert_eq!(error.category(), Category::Io);
    }
}

#[test]
fn redirects_are_followed() {
    let target = Server::start(file(3000), tagged());
    let server = Server::start(Vec::new(), Manners { redirect: Some(target.url()), ..Manners::default() });
    let reader = trevni_object_store::open(&server.url()).unwrap();
    assert_eq!(reader.column::<i64>("id").unwrap().len(), 3000);
    server.behave(Manners { redirect: Some(server.url()), ..Manners::default() });
    let error = Object::open(&server.url()).unwrap_err().to_string();
    assert!(error.contains("redirect") && error.contains(&server.url()), "{error}");
}

#[test]
fn failures_have_a_kind_and_no_secret() {
    let server = Server::start(file(10), Manners::default());
    let address = server.address.strip_prefix("http://").unwrap();
    let url = format!("http://me:password1@{address}/rows.trv?signature=c0ffee00&part=1");
    for (status, kind) in [
        (404, ErrorKind::NotFound),
        (403, ErrorKind::PermissionDenied),
        (401, ErrorKind::PermissionDenied),
        (400, ErrorKind::Other),
        (418, ErrorKind::Other),
    ] {
        server.behave(Manners { status: Some(status), ..Manners::default() });
        let error = Object::open(&url).unwrap_err();
        assert_eq!(error.kind(), kind, "{status}: {error}");
        let text = format!("{error} {error:?}");
        assert!(text.contains(&server.url()), "{text}");
        assert!(!text.contains("c0ffee") && !text.contains("password1"), "{text}");
    }
    // The query and the password reach the server.
    server.behave(Manners::default());
    server.take();
    Object::open(&url).unwrap();
    assert!(server.take()[0].contains("?signature=c0ffee00&part=1"));
    // A port that nobody listens on.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = Object::open(&format!("http://{free}/x?signature=c0ffee00")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused, "{error}");
    assert!(
        !error.to_string().contains("c0ffee") && error.to_string().contains(&free.to_string()),
        "{error}"
    );
}

#[test]
fn objects_without_bytes_and_bytes_behind_the_end() {
    for manners in [Manners::default(), Manners { has_no_ranges: true, ..Manners::default() }] {
        let server = Server::start(Vec::new(), manners);
        let object = Object::open(&server.url()).unwrap();
        assert_eq!(object.size().unwrap(), 0);
        assert!(Reader::new(object).is_err());
    }
    let server = Server::start(vec![1; 100_000], tagged());
    let object = Object::open(&server.url()).unwrap();
    let mut ten = [0; 10];
    for offset in [99_991, 100_000, u64::MAX] {
        assert_eq!(object.read_at(offset, &mut ten).unwrap_err().kind(), ErrorKind::UnexpectedEof);
    }
    object.read_at(99_990, &mut ten).unwrap();
    assert_eq!(ten, [1; 10]);
}
