//! Questions like those of ClickBench, on made-up page views: one wide table, mostly filtered and grouped by texts and numbers.

use crate::support::{Folder, run, session, table};

/// The statement that makes the rows, then the queries. A comment names each.
const SQL: &str = include_str!("../../benches/queries/sets/clicks.sql");

#[tokio::test(flavor = "multi_thread")]
async fn questions_about_page_views() {
    let folder = Folder::new();
    let (memory, trevni) = (session(), session());
    let mut statements = SQL.split("-- ").filter_map(|statement| Some(statement.split_once('\n')?.1.trim()));
    let views = statements.next().unwrap().trim_end_matches(';');
    run(&memory, &format!("CREATE TABLE hits AS {views}")).await.unwrap();
    for part in 0..4 {
        let rows = format!("SELECT * FROM hits WHERE \"WatchID\" % 4 = {part}");
        let to = folder.join(&format!("part-{part}.trv"));
        run(&memory, &format!("COPY ({rows}) TO '{to}' OPTIONS ('format.block_size' '8192')")).await.unwrap();
    }
    run(
        &trevni,
        &format!("CREATE EXTERNAL TABLE hits STORED AS TREVNI LOCATION '{}/'", folder.path().display()),
    )
    .await
    .unwrap();
    for sql in statements {
        let expected = table(&memory, sql).await;
        assert!(expected.lines().count() > 4, "{sql}: {expected}");
        assert_eq!(table(&trevni, sql).await, expected, "{sql}");
    }
}
