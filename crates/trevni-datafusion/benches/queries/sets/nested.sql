-- a field of a record
SELECT sum(head['size']) FROM mails;
-- group by a field of a record
SELECT sender['host'] AS host, count(*) AS n, avg(head['size']) FROM mails GROUP BY host ORDER BY n DESC, host LIMIT 10;
-- filter on a field of a record
SELECT count(*), max(id) FROM mails WHERE sender['name'] = 'sender 77';
-- filter that few rows pass
SELECT id, head['subject'] FROM mails WHERE head['size'] > 1361000 ORDER BY id LIMIT 20;
-- items of a list of strings
SELECT label, count(*) AS n FROM (SELECT unnest(labels) AS label FROM mails) GROUP BY label ORDER BY label;
-- items of a list of records
SELECT file['kind'] AS kind, count(*), sum(file['bytes']) FROM (SELECT unnest(files) AS file FROM mails) GROUP BY kind ORDER BY kind;
-- sizes of lists
SELECT cardinality(files) AS n, count(*) FROM mails GROUP BY n ORDER BY n;
-- long strings
SELECT sum(length(body)), max(body) FROM mails;
-- all columns
SELECT count(*), max(id), max(sender['name']), max(head['subject']), max(head['sent']), sum(cardinality(labels)), sum(cardinality(files)), max(body) FROM mails WHERE id > 5;
