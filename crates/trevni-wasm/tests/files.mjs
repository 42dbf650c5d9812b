// Makes the files that the tests read, with the program `trevni`: node files.mjs FOLDER

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = new URL("../../../", import.meta.url);
const trevni = process.env.TREVNI ?? new URL("target/debug/trevni", root).pathname;
const isProgram = import.meta.url === pathToFileURL(process.argv[1] ?? "").href;
const folder = resolve(process.argv[2] ?? ".");
export const ROWS = 336_776;
const HOSTILE = [
  "<script>window.canary=1</script>", "<img src=x onerror='window.canary=1'>", "\u202e\u2066reversed", "\u0000\u0007\u001b[31m",
  "__proto__", "constructor", "javascript:window.canary=1", "\"><svg onload=\"window.canary=1\">",
];

/** A row of the large file. Filters of the tests know how often each value is there. */
export function flight(id) {
  const mixed = (id * 7919) % 1009;
  return {
    id, carrier: ["AA", "B6", "DL", "UA", "WN"][mixed % 5], tail: `N${(id * 31) % 4000}`, dep_delay: mixed % 40 === 0 ? null : (mixed % 200) - 20,
    distance: ((id * 13) % 5000) / 2, when: new Date(Date.UTC(2013, 0, 1) + id * 93_000).toISOString().replace(".000", ""),
    cancelled: mixed % 50 === 0, note: `flight ${id} of ${mixed}`,
  };
}

function convert(rows, name, ...options) {
  const text = join(folder, `${name}.jsonl`);
  writeFileSync(text, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  execFileSync(trevni, ["--quiet", "convert", "--force", text, ...options, "-o", `${name}.trv`], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

if (isProgram) {
  mkdirSync(folder, { recursive: true });
  const flights = (count) => Array.from({ length: count }, (_, id) => flight(id));
  convert(flights(ROWS), "flights");
  for (const codec of ["null", "deflate", "snappy", "bzip2", "zstd", "lz4", "typed", "typed-zstd", "auto"]) {
    convert(flights(3000), `codec-${codec}`, "--codec", codec);
  }
  convert(flights(3000), "format-levels", "--dialect", "levels");
  convert(flights(3000), "format-redelm", "--dialect", "redelm");
  convert(flights(3000), "logical", "-t", "*=auto");
  convert(flights(500), "format-compact", "--compact");
  const nested = (id) => ({
    id, in: id % 3 === 0 ? null : { a: id / 2, deep: { flag: id % 2 === 0 } }, tags: Array.from({ length: id % 4 }, (_, at) => `t${at}`),
    hops: [{ host: `h${id % 7}`, port: id % 5 === 0 ? null : id }], any: [id, `${id}`, null][id % 3],
  });
  convert(Array.from({ length: 2000 }, (_, id) => nested(id)), "nested");
  convert(HOSTILE.map((text, n) => ({ [text]: text, n, in: { [text]: [text] } })), "hostile");
  convert(Array.from({ length: 20 }, (_, row) => Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`column_${n}`, n * row]))), "wide", "--map-keys", "10000");
  writeFileSync(join(folder, "big.jsonl"), '{"big":9007199254740993,"u":18446744073709551615,"small":1}\n{"big":-1,"u":0,"small":2}\n');
  execFileSync(trevni, ["--quiet", "convert", "--force", "big.jsonl", "-o", "big.trv"], { cwd: folder });
}
