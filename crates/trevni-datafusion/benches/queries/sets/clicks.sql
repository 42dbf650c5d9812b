-- rows
SELECT value AS "WatchID", value * 7919 % 997 AS "UserID", value % 6 AS "AdvEngineID",
    CAST(900 + value * 31 % 7 * 160 AS SMALLINT) AS "ResolutionWidth", value % 17 = 0 AS "IsRefresh",
    arrow_cast(1372636800 + value * 613 % 2592000, 'Timestamp(Second, None)') AS "EventTime",
    CAST(arrow_cast(1372636800 + value * 613 % 2592000, 'Timestamp(Second, None)') AS DATE) AS "EventDate",
    CASE WHEN value % 5 > 0 THEN '' ELSE 'phrase ' || CAST(value % 23 AS VARCHAR) END AS "SearchPhrase",
    'http://example.com/' || CASE WHEN value % 9 = 0 THEN 'google/' ELSE '' END || CAST(value * 104729 % 641 AS VARCHAR) AS "URL",
    CASE WHEN value % 3 = 0 THEN NULL ELSE 'http://referer-' || CAST(value % 13 AS VARCHAR) || '.example.com/path' END AS "Referer",
    value % 11 AS "RegionID", CAST(value * 13 % 9 AS SMALLINT) AS "MobilePhone",
    CASE WHEN value % 7 > 0 THEN '' ELSE 'model ' || CAST(value % 29 AS VARCHAR) END AS "MobilePhoneModel",
    CAST(value % 4 AS SMALLINT) AS "SearchEngineID", CAST(value * 48271 % 7001 AS INT) AS "ClientIP",
    CAST(60 + value * 17 % 5 AS INT) AS "CounterID", CAST(value % 31 / 30 AS SMALLINT) AS "DontCountHits",
    CASE WHEN value % 8 = 0 THEN 'Google ' ELSE 'A page ' END || CAST(value * 7 % 301 AS VARCHAR) AS "Title",
    CAST(value % 9 - 2 AS SMALLINT) AS "TraficSourceID", CAST(value % 2 AS SMALLINT) AS "IsLink", CAST(value % 19 / 18 AS SMALLINT) AS "IsDownload",
    value * 104729 % 641 * 2654435761 AS "URLHash", CAST(800 + value % 13 * 40 AS SMALLINT) AS "WindowClientWidth",
    CAST(600 + value % 11 * 30 AS SMALLINT) AS "WindowClientHeight"
FROM generate_series(1, 20000);

-- views 1
SELECT COUNT(*) FROM hits;

-- views 2
SELECT COUNT(*) FROM hits WHERE "AdvEngineID" <> 0;

-- views 3
SELECT SUM("AdvEngineID"), COUNT(*), AVG("ResolutionWidth") FROM hits;

-- views 4
SELECT AVG("UserID") FROM hits;

-- views 5
SELECT COUNT(DISTINCT "UserID"), COUNT(DISTINCT "SearchPhrase") FROM hits;

-- views 6
SELECT MIN("EventDate"), MAX("EventDate"), MIN("EventTime"), MAX("EventTime") FROM hits;

-- views 7
SELECT "AdvEngineID", COUNT(*) FROM hits WHERE "AdvEngineID" <> 0 GROUP BY 1 ORDER BY 2 DESC, 1;

-- views 8
SELECT "RegionID", COUNT(DISTINCT "UserID") AS u FROM hits GROUP BY 1 ORDER BY u DESC, 1 LIMIT 10;

-- views 9
SELECT "SearchPhrase", COUNT(*) AS c FROM hits WHERE "SearchPhrase" <> '' GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10;

-- views 10
SELECT "UserID", "SearchPhrase", COUNT(*) FROM hits GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 10;

-- views 11
SELECT "UserID", extract(minute FROM "EventTime") AS m, COUNT(*) FROM hits GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 10;

-- views 12
SELECT "WatchID" FROM hits WHERE "UserID" = 435 ORDER BY 1 LIMIT 5;

-- views 13
SELECT COUNT(*) FROM hits WHERE "URL" LIKE '%google%';

-- views 14
SELECT "SearchPhrase", MIN("URL"), COUNT(*) AS c FROM hits WHERE "URL" LIKE '%google%' AND "SearchPhrase" <> '' GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10;

-- views 15
SELECT * FROM hits WHERE "URL" LIKE '%google%' ORDER BY "EventTime", "WatchID" LIMIT 10;

-- views 16
SELECT "SearchPhrase" FROM hits WHERE "SearchPhrase" <> '' ORDER BY "EventTime", "WatchID" LIMIT 10;

-- views 17
SELECT regexp_replace("Referer", '^https?://(?:www\.)?([^/]+)/.*$', '\1') AS k, AVG(length("Referer")), COUNT(*) AS c FROM hits WHERE "Referer" IS NOT NULL GROUP BY 1 HAVING COUNT(*) > 100 ORDER BY c DESC, 1;

-- views 18
SELECT SUM("ResolutionWidth"), SUM("ResolutionWidth" + 1), SUM("ResolutionWidth" + 2) FROM hits;

-- views 19
SELECT "URL", COUNT(*) AS c FROM hits GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10;

-- views 20
SELECT "URL", COUNT(*) AS c FROM hits WHERE "EventDate" >= '2013-07-05' AND "EventDate" <= '2013-07-09' AND NOT "IsRefresh" AND "URL" <> '' GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10 OFFSET 3;

-- views 21
SELECT date_trunc('hour', "EventTime") AS h, COUNT(*) FROM hits WHERE "EventTime" BETWEEN '2013-07-14T00:00:00' AND '2013-07-14T05:00:00' GROUP BY 1 ORDER BY 1;

-- views 22
SELECT "RegionID", "Referer" IS NULL, COUNT(*) FROM hits WHERE "ResolutionWidth" IN (900, 1220) GROUP BY 1, 2 ORDER BY 1, 2;

-- views 23
SELECT CASE WHEN "AdvEngineID" = 0 THEN "Referer" ELSE '' END AS src, COUNT(*) AS c FROM hits GROUP BY 1 ORDER BY c DESC, 1 NULLS FIRST LIMIT 10;

-- views 24
SELECT COUNT(*) FROM hits WHERE "EventTime" < '2013-07-01T00:10:00' OR "Referer" = 'http://referer-7.example.com/path';

-- views 25
SELECT COUNT(DISTINCT "UserID") FROM hits;

-- views 26
SELECT COUNT(DISTINCT "SearchPhrase") FROM hits;

-- views 27
SELECT "RegionID", SUM("AdvEngineID"), COUNT(*) AS c, AVG("ResolutionWidth"), COUNT(DISTINCT "UserID") FROM hits GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10;

-- views 28
SELECT "MobilePhoneModel", COUNT(DISTINCT "UserID") AS u FROM hits WHERE "MobilePhoneModel" <> '' GROUP BY 1 ORDER BY u DESC, 1 LIMIT 10;

-- views 29
SELECT "MobilePhone", "MobilePhoneModel", COUNT(DISTINCT "UserID") AS u FROM hits WHERE "MobilePhoneModel" <> '' GROUP BY 1, 2 ORDER BY u DESC, 1, 2 LIMIT 10;

-- views 30
SELECT "SearchPhrase", COUNT(DISTINCT "UserID") AS u FROM hits WHERE "SearchPhrase" <> '' GROUP BY 1 ORDER BY u DESC, 1 LIMIT 10;

-- views 31
SELECT "SearchEngineID", "SearchPhrase", COUNT(*) AS c FROM hits WHERE "SearchPhrase" <> '' GROUP BY 1, 2 ORDER BY c DESC, 1, 2 LIMIT 10;

-- views 32
SELECT "UserID", COUNT(*) AS c FROM hits GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10;

-- views 33
SELECT "SearchPhrase", MIN("URL"), MIN("Title"), COUNT(*) AS c, COUNT(DISTINCT "UserID") FROM hits WHERE "Title" LIKE '%Google%' AND "URL" NOT LIKE '%/google/%' AND "SearchPhrase" <> '' GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10;

-- views 34
SELECT "SearchPhrase" FROM hits WHERE "SearchPhrase" <> '' ORDER BY 1 LIMIT 10;

-- views 35
SELECT "CounterID", AVG(length("URL")) AS l, COUNT(*) AS c FROM hits WHERE "URL" <> '' GROUP BY 1 HAVING COUNT(*) > 100 ORDER BY l DESC, 1 LIMIT 25;

-- views 36
SELECT "SearchEngineID", "ClientIP", COUNT(*) AS c, SUM(CAST("IsRefresh" AS INT)), AVG("ResolutionWidth") FROM hits WHERE "SearchPhrase" <> '' GROUP BY 1, 2 ORDER BY c DESC, 1, 2 LIMIT 10;

-- views 37
SELECT "WatchID", "ClientIP", COUNT(*) AS c, SUM(CAST("IsRefresh" AS INT)), AVG("ResolutionWidth") FROM hits GROUP BY 1, 2 ORDER BY c DESC, 1, 2 LIMIT 10;

-- views 38
SELECT "ClientIP", "ClientIP" - 1, "ClientIP" - 2, "ClientIP" - 3, COUNT(*) AS c FROM hits GROUP BY 1, 2, 3, 4 ORDER BY c DESC, 1 LIMIT 10;

-- views 39
SELECT "Title", COUNT(*) AS c FROM hits WHERE "CounterID" = 62 AND "EventDate" BETWEEN '2013-07-01' AND '2013-07-31' AND "DontCountHits" = 0 AND NOT "IsRefresh" AND "Title" <> '' GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10;

-- views 40
SELECT "URL", COUNT(*) AS c FROM hits WHERE "CounterID" = 62 AND "EventDate" BETWEEN '2013-07-01' AND '2013-07-31' AND "IsLink" <> 0 AND "IsDownload" = 0 GROUP BY 1 ORDER BY c DESC, 1 LIMIT 10 OFFSET 20;

-- views 41
SELECT "URLHash", "EventDate", COUNT(*) AS c FROM hits WHERE "CounterID" = 62 AND "TraficSourceID" IN (-1, 6) AND "EventDate" >= '2013-07-10' GROUP BY 1, 2 ORDER BY c DESC, 1, 2 LIMIT 10 OFFSET 10;

-- views 42
SELECT "WindowClientWidth", "WindowClientHeight", COUNT(*) AS c FROM hits WHERE "CounterID" = 62 AND "DontCountHits" = 0 AND NOT "IsRefresh" GROUP BY 1, 2 ORDER BY c DESC, 1, 2 LIMIT 10 OFFSET 10;

-- views 43
SELECT date_trunc('minute', "EventTime") AS m, COUNT(*) AS c FROM hits WHERE "CounterID" = 62 AND "EventDate" BETWEEN '2013-07-14' AND '2013-07-15' AND "DontCountHits" = 0 GROUP BY 1 ORDER BY 1 LIMIT 10 OFFSET 10;
