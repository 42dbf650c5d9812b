// The JavaScript package in Node: local files, a local server, damaged files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { openAsBlob, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { ROWS, flight } from "./files.mjs";
import { serve } from "./server.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const built = process.env.TREVNI_WASM ?? join(root, "target/wasm");
const files = join(built, "files");
const trevni = process.env.TREVNI ?? join(root, "target/debug/trevni");
const { TrevniError, open } = await import(pathToFileURL(join(built, "package/index.js")));

const local = async (name) => open(await openAsBlob(join(files, name)));
const bytesOf = (name) => new Uint8Array(readFileSync(join(files, name)));
const fails = (category, message = /./) => (error) => {
  assert(error instanceof TrevniError, error.stack);
  assert.equal(error.category, category, error.message);
  assert.match(error.message, message);
  return true;
};

const flights = await local("flights.trv");
after(() => flights.close());

test("the package has at most 605 kB, compressed", () => {
  let all = 0;
  for (const name of readdirSync(join(built, "package"))) {
    if (/\.(js|wasm)$/.test(name)) all += gzipSync(readFileSync(join(built, "package", name)), { level: 9 }).length;
  }
  console.log(`${all} bytes`);
  assert(all <= 605_000, `${all} bytes`);
});

test("a file says what it has", () => {
  assert.equal(flights.rowCount, ROWS);
  assert.equal(flights.format, "trevni");
  assert.deepEqual(flights.schema.fields.map(({ path }) => path), ["id", "carrier", "tail", "dep_delay", "distance", "when", "cancelled", "note"]);
  assert.equal(flights.schema.fields[3].type, "int64?");
  const sizes = flights.schema.fields.reduce((sum, field) => sum + field.bytes, 0);
  assert(sizes > 0.9 * flights.size && sizes <= flights.size);
  assert(flights.columns.every(({ codec, bytes }) => codec && bytes > 0));
  assert.equal(JSON.parse(flights.avro).type, "record");
});

test("rows are as they were written", async () => {
  assert.deepEqual(await flights.rows(0, 3), [0, 1, 2].map(flight));
  assert.deepEqual(await flights.rows(300_000, 300_100), Array.from({ length: 100 }, (_, at) => flight(300_000 + at)));
  assert.deepEqual(await flights.rows(ROWS - 1, ROWS + 5), [flight(ROWS - 1)]);
  assert.deepEqual(await flights.rows(ROWS, ROWS + 5), []);
  const { id, carrier } = flight(7);
  assert.deepEqual(await flights.rows(7, 8, { columns: ["carrier", "id"] }), [{ id, carrier }]);
  await assert.rejects(flights.rows(0, 1, { columns: ["carier"] }), fails("misuse", /carrier/));
  await assert.rejects(flights.rows(-1, 1), fails("misuse"));
});

test("filters select rows", async () => {
  const wanted = Array.from({ length: ROWS }, (_, id) => flight(id));
  const check = async (filter, is) => {
    const expected = wanted.filter(is);
    assert.equal(await flights.count({ filter }), expected.length, filter);
    assert.deepEqual(await flights.rows(0, 10, { filter }), expected.slice(0, 10));
    assert.deepEqual(await flights.rows(expected.length - 5, Infinity, { filter, columns: ["id"] }), expected.slice(-5).map(({ id }) => ({ id })));
  };
  await check("dep_delay > 170 and carrier in ('AA', 'UA')", (row) => row.dep_delay > 170 && ["AA", "UA"].includes(row.carrier));
  await check("dep_delay is null", (row) => row.dep_delay === null);
  await check("id >= 200000 and id < 200010", (row) => row.id >= 200_000 && row.id < 200_010);
  await check("len(note) = 16 or note ~ '^flight 99+ '", (row) => row.note.length === 16 || /^flight 99+ /.test(row.note));
  await check("when >= '2013-12-25T00:00:00Z'", (row) => row.when >= "2013-12-25T00:00:00Z");
  assert.equal(await flights.count({ filter: "id < 0" }), 0);
  assert.deepEqual(await flights.rows(0, 10, { filter: "id < 0" }), []);
  await assert.rejects(flights.rows(0, 1, { filter: "dep_delay > and" }), (error) => {
    assert.equal(error.position, 12);
    return fails("misuse", /expected/)(error);
  });
  assert.throws(() => flights.check("nothing = 1"), fails("misuse"));
});

test("columns are typed arrays", async () => {
  const kinds = { id: [BigInt64Array, "int64"], distance: [Float64Array, "float64"], cancelled: [Uint8Array, "boolean"], carrier: [Array, "string"] };
  for (const [path, [type, kind]] of Object.entries(kinds)) {
    const column = await flights.column(path);
    assert.equal(column.kind, kind);
    assert(column.values instanceof type && column.values.length === ROWS && column.nulls === null);
    const expected = flight(123_456)[path];
    assert.deepEqual(column.values[123_456], { int64: BigInt, boolean: Number }[kind]?.(expected) ?? expected);
  }
  const { values, nulls, nullable } = await flights.column("dep_delay");
  assert(nullable && nulls instanceof Uint8Array);
  for (let id = 0; id < ROWS; id += 1) {
    const { dep_delay } = flight(id);
    if (nulls[id] !== Number(dep_delay === null) || values[id] !== BigInt(dep_delay ?? 0)) assert.fail(`row ${id}`);
  }
  const part = await flights.column("id", { filter: "id % 1000 = 7", from: 1, to: 4 });
  assert.deepEqual(part.values, BigInt64Array.of(1007n, 2007n, 3007n));
  const big = await local("big.trv");
  assert.deepEqual((await big.column("u")).values, BigUint64Array.of(18446744073709551615n, 0n));
  assert.deepEqual(await big.rows(), [
    { big: 9007199254740993n, u: 18446744073709551615n, small: 1 }, { big: -1, u: 0, small: 2 },
  ]);
});

test("nested rows are objects", async () => {
  const nested = await local("nested.trv");
  const rows = await nested.rows(0, 6);
  assert.deepEqual(rows[1], { id: 1, in: { a: 0.5, deep: { flag: false } }, tags: ["t0"], hops: [{ host: "h1", port: 1 }], any: "1" });
  assert.equal(rows[0].in, null);
  const flags = await nested.column("in.deep.flag", { to: 4 });
  assert.deepEqual([flags.kind, [...flags.values], [...flags.nulls]], ["boolean", [0, 0, 1, 0], [1, 0, 0, 1]]);
  assert.deepEqual((await nested.column("tags", { from: 3, to: 5 })).values, [["t0", "t1", "t2"], []]);
  const [, inside] = nested.schema.fields;
  assert.deepEqual(inside.fields.map(({ path }) => path), ["in.a", "in.deep"]);
  assert.equal(inside.fields.reduce((sum, { bytes }) => sum + bytes, 0) <= inside.bytes, true);
});

test("logical types are strings in rows, and numbers in columns", async () => {
  const file = await local("logical.trv");
  assert.equal(file.schema.fields[5].type, "timestamp-millis");
  assert.equal((await file.rows(7, 8))[0].when, flight(7).when);
  const { kind, logical, values } = await file.column("when");
  assert.deepEqual([kind, logical, Number(values[7])], ["int64", "timestamp-millis", Date.parse(flight(7).when)]);
  assert.equal(await file.count({ filter: "when < '2013-01-02'" }), Array.from({ length: 3000 }, (_, id) => flight(id)).filter(({ when }) => when < "2013-01-02").length);
  assert.equal((await file.stats("when")).min, BigInt(Date.UTC(2013, 0, 1)));
});

test("names of a file set no prototype", async () => {
  const [row] = await (await local("hostile.trv")).rows(0, 8).then((rows) => rows.filter((row) => Object.hasOwn(row, "__proto__") && row["__proto__"] !== undefined));
  assert(Object.hasOwn(row, "__proto__"));
  assert.equal(Object.getPrototypeOf(row), Object.prototype);
});

/** A value as `trevni cat` prints it. */
function printed(value) {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, entry]) => [typeof key === "string" ? key : JSON.stringify(printed(key)), printed(entry)]));
  }
  if (Array.isArray(value)) return value.map(printed);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, printed(entry)]));
  }
  return Object.is(value, -0) ? 0 : value;
}

function* found(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* found(path);
    else if (/\.(trv|redelm)$/.test(name)) yield path;
  }
}

test("all formats and codecs are read as the program reads them", async () => {
  let read = 0;
  let refused = 0;
  for (const path of [...found(files), ...found(join(root, "tests/data"))]) {
    // The package does not have the codec `archive`.
    if (path.endsWith("flights.trv") || path.endsWith("-archive.trv")) continue;
    let expected;
    try {
      const text = execFileSync(trevni, ["--quiet", "cat", path, "-f", "jsonl"], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
      expected = text.trim() === "" ? [] : text.trim().split("\n").map((line) => printed(JSON.parse(line)));
    } catch {
      // Damaged on purpose.
      await assert.rejects(open(await openAsBlob(path)).then((file) => file.rows()), (error) => error instanceof TrevniError && error.category !== "internal", path);
      refused += 1;
      continue;
    }
    const file = await open(await openAsBlob(path));
    assert.deepEqual((await file.rows()).map(printed), expected, path);
    file.close();
    read += 1;
  }
  assert(read > 80, `${read} read, ${refused} refused`);
});

test("CSV is what the program writes", async () => {
  const csv = async (file, options) => {
    const parts = [];
    for await (const part of file.csv(options)) parts.push(part);
    return Buffer.concat(parts).toString();
  };
  for (const name of ["flights.trv", "nested.trv", "hostile.trv"]) {
    const expected = execFileSync(trevni, ["--quiet", "cat", join(files, name), "-f", "csv"], { encoding: "utf8", maxBuffer: 1 << 28 });
    const file = await local(name);
    assert(await csv(file) === expected, name);
  }
  assert.equal(await csv(flights, { columns: ["id"], filter: "id in (5, 300000)" }), "id\n5\n300000\n");
  assert.equal(await csv(flights, { columns: ["id"], filter: "id < 0" }), "id\n");
});

test("statistics of a column", async () => {
  const delay = await flights.stats("dep_delay");
  let [nulls, sum] = [0, 0];
  for (let id = 0; id < ROWS; id += 1) {
    const { dep_delay } = flight(id);
    nulls += dep_delay === null;
    sum += dep_delay ?? 0;
  }
  assert.deepEqual([delay.count, delay.nulls, delay.min, delay.max], [ROWS, nulls, -19n, 179n]);
  assert(Math.abs(delay.mean - sum / (ROWS - nulls)) < 1e-9);
  assert.equal(delay.histogram.counts.reduce((one, two) => one + two), ROWS - nulls);
  assert.deepEqual([delay.histogram.from, delay.histogram.width, delay.histogram.counts.length], [-19, 5, 40]);
  const carrier = await flights.stats("carrier", { filter: "carrier = 'AA' or carrier = 'UA'" });
  assert.deepEqual([carrier.distinct, carrier.top.map(({ value }) => value).sort(), carrier.histogram], [2, ["AA", "UA"], null]);
  assert.equal((await flights.stats("id")).distinct, null);
});

test("Arrow is a stream that begins and ends", async () => {
  // Its contents are compared in src/arrow/tests.rs.
  const stream = await flights.toArrowIPC({ columns: ["id", "carrier"], from: 10, to: 20 });
  assert.deepEqual([...stream.subarray(0, 4)], [255, 255, 255, 255]);
  assert.deepEqual([...stream.subarray(-8)], [255, 255, 255, 255, 0, 0, 0, 0]);
});

test("a URL is read by ranges", async () => {
  const server = await serve(files);
  const file = await open(`${server.url}flights.trv`);
  assert.equal(file.rowCount, ROWS);
  const opened = [server.requests, server.bytes];
  assert(opened[0] <= 2 && opened[1] <= 70_000, String(opened));
  assert.deepEqual(await file.rows(300_000, 300_040), Array.from({ length: 40 }, (_, at) => flight(300_000 + at)));
  const first = [server.requests, server.bytes];
  console.log(`opening: ${opened}, 40 rows in the middle: ${first}, of ${file.size}`);
  assert(first[1] < file.size / 8 && first[0] <= 24, String(first));
  assert.deepEqual([file.traffic.requests, file.traffic.bytes], first);
  // What is here is not fetched again.
  await file.rows(300_010, 300_020, { columns: ["id", "note"] });
  assert.deepEqual([server.requests, server.bytes], first);
  // One column of eight.
  const before = server.bytes;
  await file.column("carrier");
  assert(server.bytes - before < file.schema.fields[1].bytes * 1.1 + 100_000);
  // Zone maps say where to look.
  const found = server.bytes;
  assert.deepEqual(await file.rows(0, 9, { filter: "id = 123456", columns: ["id"] }), [{ id: 123_456 }]);
  assert(server.bytes - found < 200_000, String(server.bytes - found));
  await server.close();
});

test("servers that know less", async () => {
  const whole = await serve(files, { ranges: false });
  const file = await open(new URL("codec-snappy.trv", whole.url));
  assert.deepEqual(await file.rows(2000, 2001), [flight(2000)]);
  assert.equal(whole.requests, 1);
  await whole.close();

  const shy = await serve(files, { expose: false });
  const other = await open(`${shy.url}flights.trv`);
  assert.deepEqual(await other.rows(200_000, 200_001), [flight(200_000)]);
  await shy.close();

  const weak = await serve(files);
  weak.fail = 2;
  assert.equal((await open(`${weak.url}flights.trv`)).rowCount, ROWS);
  await assert.rejects(open(`${weak.url}none.trv`), fails("io", /404/));
  await weak.close();
  await assert.rejects(open(`${weak.url}flights.trv`), fails("io"));

  const changing = await serve(files, { change: true });
  const stale = await open(`${changing.url}flights.trv`);
  await assert.rejects(stale.rows(300_000, 300_001), fails("io", /changed/));
  await changing.close();
});

test("several calls at once", async () => {
  const file = await local("flights.trv");
  const calls = Array.from({ length: 20 }, (_, at) => file.rows(at * 16_000, at * 16_000 + 50));
  const counts = [file.count({ filter: "carrier = 'AA'" }), file.count({ filter: "carrier = 'AA'" }), file.stats("distance")];
  for (const [at, rows] of (await Promise.all(calls)).entries()) assert.deepEqual(rows[49], flight(at * 16_000 + 49));
  const [one, two] = await Promise.all(counts);
  assert.equal(one, two);
  const abort = new AbortController();
  const counting = file.count({ filter: "len(note) = 3", signal: abort.signal });
  abort.abort();
  await assert.rejects(counting, { name: "AbortError" });
  file.close();
  await assert.rejects(file.rows(0, 1), fails("misuse", /closed/));
});

test("what is no file is an error", async () => {
  await assert.rejects(open(new Uint8Array()), fails("corrupt"));
  await assert.rejects(open(new TextEncoder().encode("a,b\n1,2\n")), fails("corrupt", /Trevni/i));
  await assert.rejects(open(7), fails("misuse"));
  await assert.rejects(open("flights.trv"), fails("misuse", /no URL/));
});

test("damaged files are errors, and never end the module", async () => {
  let errors = 0;
  let seed = 1;
  const random = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const names = ["nested.trv", "codec-typed.trv", "codec-zstd.trv", "codec-bzip2.trv", "codec-lz4.trv", "codec-deflate.trv", "format-levels.trv", "format-redelm.trv", "format-compact.trv"];
  for (const name of names) {
    const whole = bytesOf(name);
    for (let round = 0; round < 60; round += 1) {
      const bytes = round % 5 === 0 ? whole.slice(0, random(whole.length)) : whole.slice();
      for (let flips = random(4); round % 5 !== 0 && flips >= 0; flips -= 1) {
        // Most of the first bytes are headers.
        const at = round % 2 === 0 ? random(Math.min(4000, bytes.length)) : random(bytes.length);
        bytes[at] ^= 1 << random(8);
      }
      try {
        const file = await open(bytes);
        await file.rows(0, 3000);
        await file.count({ filter: "id > 5" });
        await file.stats("id");
        await file.toArrowIPC();
        file.close();
      } catch (error) {
        assert(error instanceof TrevniError, error.stack);
        assert.notEqual(error.category, "internal", `${name}, round ${round}: ${error.message}`);
        errors += 1;
      }
    }
  }
  assert(errors > 200, String(errors));
});

test("a fault ends one file, and says so", async () => {
  const other = await local("codec-snappy.trv");
  // A module whose rows are a trap.
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    const file_rows = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    return { instance: { exports: { ...instance.exports, file_rows } }, module: given[0] };
  };
  try {
    const file = await local("codec-snappy.trv");
    assert.equal(await file.count({ filter: "id < 7" }), 7);
    await assert.rejects(file.rows(0, 1), fails("internal", /opened again: unreachable/));
    await assert.rejects(file.count({ filter: "id < 8" }), fails("internal", /opened again/));
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  assert.deepEqual(await other.rows(0, 1), [flight(0)]);
  // What a caller gives wrongly is no fault.
  for (const wrong of [() => other.column(Symbol("x")), () => other.rows(0, 1, { columns: "id" }), () => other.count({ filter: 7 })]) {
    await assert.rejects(wrong(), fails("misuse"));
  }
  assert.deepEqual(await other.rows(1, 2), [flight(1)]);
});
