-- sum of one column
SELECT sum(distance) FROM flights;
-- group by text
SELECT carrier, count(*), avg(dep_delay) FROM flights GROUP BY carrier ORDER BY carrier;
-- group by two strings
SELECT origin, dest, count(*) AS n, avg(arr_delay) FROM flights GROUP BY origin, dest ORDER BY n DESC, origin, dest LIMIT 10;
-- group by many strings
SELECT tailnum, count(*) AS n, sum(air_time) FROM flights GROUP BY tailnum ORDER BY n DESC, tailnum LIMIT 10;
-- filter on text
SELECT count(*), avg(arr_delay) FROM flights WHERE dest = 'LAX';
-- filter that few rows pass
SELECT carrier, flight, dest, dep_delay FROM flights WHERE dep_delay > 600 ORDER BY dep_delay DESC, flight;
-- range of months
SELECT day, count(*), max(air_time) FROM flights WHERE month = 7 AND day BETWEEN 3 AND 5 GROUP BY day ORDER BY day;
-- two conditions
SELECT count(*) FROM flights WHERE origin = 'JFK' AND dep_delay > 60 AND distance > 1000;
-- start of a text
SELECT carrier, count(*) FROM flights WHERE tailnum LIKE 'N3%' GROUP BY carrier ORDER BY carrier;
-- first ten by delay
SELECT time_hour, carrier, flight, arr_delay FROM flights ORDER BY arr_delay DESC NULLS LAST, flight LIMIT 10;
-- different values
SELECT count(DISTINCT tailnum), count(DISTINCT dest) FROM flights;
-- groups by instants
SELECT date_trunc('day', time_hour) AS date, count(*) AS n, avg(dep_delay) FROM flights GROUP BY date ORDER BY n DESC, date LIMIT 5;
-- all columns
SELECT max(year), max(month), max(day), max(dep_time), max(sched_dep_time), sum(dep_delay), max(arr_time), max(sched_arr_time), sum(arr_delay), max(carrier), sum(flight), max(tailnum), max(origin), max(dest), sum(air_time), sum(distance), sum(hour), sum(minute), max(time_hour) FROM flights;
