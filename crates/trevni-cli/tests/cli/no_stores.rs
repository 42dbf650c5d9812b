//! What is said of URLs by a program that was built without stores.

use super::Folder;

#[test]
fn the_feature_is_named() {
    let folder = Folder::with_flights();
    for args in [
        &["head", "s3://bucket/a.trv"][..],
        &["count", "https://localhost/a.trv"],
        &["query", "-a", "count()", "HTTP://localhost/*.trv"],
        &["convert", "s3://bucket/a.csv", "-o", "-"],
        &["recode", "flights.trv", "-o", "s3://bucket/a.trv"],
        &["cat", "flights.trv", "-o", "s3://bucket/a.csv"],
        &["merge", "flights.trv", "-o", "s3://bucket/a.trv"],
    ] {
        let output = folder.trevni(args).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains("--features stores") && output.stdout.is_empty(), "{args:?}: {told}");
    }
    assert!(!folder.path("s3:").exists());
}
