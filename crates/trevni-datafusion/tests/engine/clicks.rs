//! Questions like those of ClickBench, on made-up page views: one wide table, mostly filtered and grouped by texts and numbers.

use crate::support::{Folder, run, session, table};

/// Page views: few users with many views, many with few; most searches are empty.
const VIEWS: &str = "SELECT value AS \"WatchID\", value * 7919 % 997 AS \"UserID\", value % 6 AS \"AdvEngineID\", \
    CAST(900 + value * 31 % 7 * 160 AS SMALLINT) AS \"ResolutionWidth\", value % 17 = 0 AS \"IsRefresh\", \
    arrow_cast(1372636800 + value * 613 % 2592000, 'Timestamp(Second, None)') AS \"EventTime\", \
    CAST(arrow_cast(1372636800 + value * 613 % 2592000, 'Timestamp(Second, None)') AS DATE) AS \"EventDate\", \
    CASE WHEN value % 5 > 0 THEN '' ELSE 'phrase ' || CAST(value % 23 AS VARCHAR) END AS \"SearchPhrase\", \
    'http://example.com/' || CASE WHEN value % 9 = 0 THEN 'google/' ELSE '' END || CAST(value * 104729 % 641 AS VARCHAR) AS \"URL\", \
    CASE WHEN value % 3 = 0 THEN NULL ELSE 'http://referer-' || CAST(value % 13 AS VARCHAR) || '.example.com/path' END AS \"Referer\", \
    value % 11 AS \"RegionID\" FROM generate_series(1, 20000)";

const QUESTIONS: [&str; 24] = [
    "SELECT COUNT(*) FROM hits",
    "SELECT COUNT(*) FROM hits WHERE \"AdvEngineID\" <> 0",
    "SELECT SUM(\"AdvEngineID\"), COUNT(*), AVG(\"ResolutionWidth\") FROM hits",
    "SELECT AVG(\"UserID\") FROM hits",
    "SELECT COUNT(DISTINCT \"UserID\"), COUNT(DISTINCT \"SearchPhrase\") FROM hits",
    "SELECT MIN(\"EventDate\"), MAX(\"EventDate\"), MIN(\"EventTime\"), MAX(\"EventTime\") FROM hits",
    "SELECT \"AdvEngineID\", COUNT(*) FROM hits WHERE \"AdvEngineID\" <> 0 GROUP BY 1 ORDER BY 2 DESC, 1",
    "SELECT \"RegionID\", COUNT(DISTINCT \"UserID\") AS u FROM hits GROUP BY 1 ORDER BY u DESC, 1 LIMIT 10",
    "SELECT \"SearchPhrase\", COUNT(*) AS c FROM hits WHERE \"SearchPhrase\" <> '' GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10",
    "SELECT \"UserID\", \"SearchPhrase\", COUNT(*) FROM hits GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 10",
    "SELECT \"UserID\", extract(minute FROM \"EventTime\") AS m, COUNT(*) FROM hits GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 10",
    "SELECT \"WatchID\" FROM hits WHERE \"UserID\" = 435 ORDER BY 1 LIMIT 5",
    "SELECT COUNT(*) FROM hits WHERE \"URL\" LIKE '%google%'",
    "SELECT \"SearchPhrase\", MIN(\"URL\"), COUNT(*) AS c FROM hits WHERE \"URL\" LIKE '%google%' AND \"SearchPhrase\" <> '' GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10",
    "SELECT * FROM hits WHERE \"URL\" LIKE '%google%' ORDER BY \"EventTime\", \"WatchID\" LIMIT 10",
    "SELECT \"SearchPhrase\" FROM hits WHERE \"SearchPhrase\" <> '' ORDER BY \"EventTime\", \"WatchID\" LIMIT 10",
    "SELECT regexp_replace(\"Referer\", '^https?://(?:www\\.)?([^/]+)/.*$', '\\1') AS k, AVG(length(\"Referer\")), COUNT(*) AS c FROM hits WHERE \"Referer\" IS NOT NULL GROUP BY 1 HAVING COUNT(*) > 100 ORDER BY c DESC, 1",
    "SELECT SUM(\"ResolutionWidth\"), SUM(\"ResolutionWidth\" + 1), SUM(\"ResolutionWidth\" + 2) FROM hits",
    "SELECT \"URL\", COUNT(*) AS c FROM hits GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10",
    "SELECT \"URL\", COUNT(*) AS c FROM hits WHERE \"EventDate\" >= '2013-07-05' AND \"EventDate\" <= '2013-07-09' AND NOT \"IsRefresh\" AND \"URL\" <> '' GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10 OFFSET 3",
    "SELECT date_trunc('hour', \"EventTime\") AS h, COUNT(*) FROM hits WHERE \"EventTime\" BETWEEN '2013-07-14T00:00:00' AND '2013-07-14T05:00:00' GROUP BY 1 ORDER BY 1",
    "SELECT \"RegionID\", \"Referer\" IS NULL, COUNT(*) FROM hits WHERE \"ResolutionWidth\" IN (900, 1220) GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT CASE WHEN \"AdvEngineID\" = 0 THEN \"Referer\" ELSE '' END AS src, COUNT(*) AS c FROM hits GROUP BY 1 ORDER BY c DESC, 1 NULLS FIRST LIMIT 10",
    "SELECT COUNT(*) FROM hits WHERE \"EventTime\" < '2013-07-01T00:10:00' OR \"Referer\" = 'http://referer-7.example.com/path'",
];

#[tokio::test(flavor = "multi_thread")]
async fn questions_about_page_views() {
    let folder = Folder::new();
    let (memory, trevni) = (session(), session());
    run(&memory, &format!("CREATE TABLE hits AS {VIEWS}")).await.unwrap();
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
    for sql in QUESTIONS {
        let expected = table(&memory, sql).await;
        assert!(expected.lines().count() > 4, "{sql}: {expected}");
        assert_eq!(table(&trevni, sql).await, expected, "{sql}");
    }
}
