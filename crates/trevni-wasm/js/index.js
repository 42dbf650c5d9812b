// Trevni column files in JavaScript.

import { TrevniError } from "./error.js";
import { instance } from "./module.js";
import { source } from "./source.js";
import { Stats } from "./stats.js";

export { TrevniError };

// Requests that are sent at once.
const REQUESTS = 6;
// How often a step may lack bytes.
const TRIES = 64;
// Filters whose rows are remembered.
const FILTERS = 8;
// Milliseconds after which others have their turn.
const TURN = 30;
// The end of a stream of Arrow.
const ARROW_END = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
const ARRAYS = {
  boolean: Uint8Array, int32: Int32Array, int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
};

let compiled = null;

/** Compiles the module once. Each file has its own instance: a fault in one is none in others. */
function compile() {
  compiled ??= load().catch((cause) => {
    compiled = null;
    throw new TrevniError(`module.wasm cannot be loaded: ${cause.message}`, "io", { cause });
  });
  return compiled;
}

/** Gives the module, where `module.wasm` is not beside this file. */
export function init(module) {
  compiled = module instanceof WebAssembly.Module ? Promise.resolve(module) : WebAssembly.compile(module);
}

async function load() {
  const url = new URL("./module.wasm", import.meta.url);
  if (url.protocol === "file:" && typeof process !== "undefined") {
    const { readFile } = await import(/* webpackIgnore: true */ "node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const isWasm = response.headers.get("Content-Type")?.startsWith("application/wasm");
  return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Opens a file: a File or Blob, an ArrayBuffer or typed array, or a URL. */
export function open(input, options = {}) {
  return TrevniFile.open(input, options);
}

/** An open file. */
export class TrevniFile {
  #source;
  #module;
  #core;
  #fault = null;
  #filters = new Map();
  #number = 0;
  #turn = 0;
  #loading = new Map();

  static async open(input, options = {}) {
    const file = new TrevniFile();
    file.traffic = { requests: 0, bytes: 0 };
    const count = (bytes) => {
      file.traffic.requests += 1;
      file.traffic.bytes += bytes;
    };
    const [module, from] = await Promise.all([compile(), source(input, options, count)]);
    file.#source = from;
    file.#module = instance();
    await file.#module({ module_or_path: module });
    file.#core = new file.#module.File(from.size);
    const about = await file.#run((core) => core.open(), options.signal);
    file.size = from.size;
    return Object.assign(file, about);
  }

  /** The rows number `from` to `to`, among those that a filter selects if there is one. */
  async rows(from = 0, to = Infinity, options = {}) {
    const rows = [];
    const read = (core, ...window) => core.rows(...window);
    for await (const part of this.#windows(from, to, options, read)) {
      for (const row of part) rows.push(row);
    }
    return rows;
  }

  /** How many rows a filter selects; all of them without one. */
  async count({ filter, signal, progress } = {}) {
    if (isEmpty(filter)) return this.rowCount;
    return (await this.#match(filter, Infinity, signal, progress)).found;
  }

  /** The values of a path as a typed array, and which of them are null. */
  async column(path, { from = 0, to = Infinity, filter, signal } = {}) {
    const { kind, logical, nullable } = await this.#kind(path, signal);
    const range = await this.#range(from, to, filter, signal);
    const count = Math.max(0, range.to - range.from);
    const values = kind in ARRAYS ? new ARRAYS[kind](count) : [];
    let nulls = null;
    let at = 0;
    const read = (core, one, two, _, number) => core.column(path, one, two, number);
    for await (const [part, absent] of this.#windows(from, to, { filter, signal, columns: [path] }, read)) {
      if (kind in ARRAYS) values.set(part, at);
      else for (const value of part) values.push(value);
      if (absent !== undefined) (nulls ??= new Uint8Array(count)).set(absent, at);
      at += part.length;
    }
    return { kind, logical: logical ?? null, nullable, values, nulls };
  }

  /** Counts, bounds, mean, frequent values and a histogram of the values of a path. */
  async stats(path, { from = 0, to = Infinity, filter, bars = 40, signal, progress } = {}) {
    const { kind, logical } = await this.#kind(path, signal);
    const stats = new Stats(kind, logical ?? null);
    const read = (core, one, two, _, number) => core.column(path, one, two, number);
    for await (const part of this.#windows(from, to, { filter, signal, columns: [path] }, read)) {
      stats.add(...part);
      progress?.(stats.count);
    }
    return stats.finish(bars);
  }

  /** Rows as CSV: parts of its bytes, in UTF-8. */
  async *csv({ from = 0, to = Infinity, header = true, ...options } = {}) {
    let isFirst = header;
    const read = (core, ...window) => core.csv(...window, isFirst);
    for await (const part of this.#windows(from, to, options, read)) {
      isFirst = false;
      yield part;
    }
    if (isFirst) yield await this.#run((core) => core.csv(0, 0, options.columns, undefined, true), options.signal);
  }

  /** Rows as a stream of Arrow's IPC format. */
  async toArrowIPC({ from = 0, to = Infinity, ...options } = {}) {
    const parts = [];
    const read = (core, ...window) => core.arrowRows(...window);
    for await (const part of this.#windows(from, to, options, read)) parts.push(part);
    parts.unshift(await this.#run((core) => core.arrowSchema(options.columns), options.signal));
    parts.push(ARROW_END);
    const stream = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
    let at = 0;
    for (const part of parts) {
      stream.set(part, at);
      at += part.byteLength;
    }
    return stream;
  }

  /** Checks a filter without reading a row. */
  check(filter) {
    if (!isEmpty(filter)) this.#filter(filter);
  }

  /** Gives the memory back. The file cannot be used after it. */
  close() {
    this.#fault ??= new TrevniError("the file is closed", "misuse");
    this.#end();
  }

  #end() {
    this.#core = null;
    this.#module = null;
    this.#filters.clear();
  }

  /** What the values of a path are. */
  #kind(path, signal) {
    if (typeof path !== "string") throw new TrevniError("a path is a string", "misuse");
    return this.#run((core) => core.columnKind(path), signal);
  }

  /** Parts of some rows, as `read` makes them. */
  async *#windows(from, to, { columns, filter, signal }, read) {
    if (columns !== undefined && !(Array.isArray(columns) && columns.every((path) => typeof path === "string"))) {
      throw new TrevniError("columns are an array of paths", "misuse");
    }
    const range = await this.#range(from, to, filter, signal);
    let rows = await this.#run((core) => core.windowRows(columns), signal);
    for (let at = range.from; at < range.to; ) {
      const end = Math.min(at + rows, range.to);
      let part;
      try {
        part = await this.#run((core) => read(core, at, end, columns, range.filter?.number), signal);
      } catch (error) {
        // Rows that are far apart need more bytes than others.
        if (error.category !== "window" || end - at === 1) throw error;
        rows = Math.ceil((end - at) / 4);
        continue;
      }
      at = end;
      this.#call((core) => core.trim());
      yield part;
      await this.#pause();
    }
  }

  /** The rows that there are of those that are asked for. */
  async #range(from, to, text, signal) {
    if (!(from >= 0) || !(to >= 0)) throw new TrevniError("rows are numbered from 0", "misuse");
    [from, to] = [Math.floor(from), Math.floor(to)];
    if (isEmpty(text)) return { from, to: Math.min(to, this.rowCount) };
    const filter = await this.#match(text, to, signal);
    return { from, to: Math.min(to, filter.found), filter };
  }

  /** The filter of a text. */
  #filter(text) {
    const known = this.#filters.get(text);
    const filter = known ?? { number: (this.#number += 1), found: 0, looked: 0 };
    if (known === undefined) this.#call((core) => core.filter(filter.number, text));
    this.#filters.delete(text);
    this.#filters.set(text, filter);
    if (this.#filters.size > FILTERS) {
      const [[oldest, { number }]] = this.#filters;
      this.#filters.delete(oldest);
      this.#call((core) => core.dropFilter(number));
    }
    return filter;
  }

  /** Looks for rows until so many have been found. */
  async #match(text, until, signal, progress) {
    const filter = this.#filter(text);
    while (filter.found < until && filter.looked < this.rowCount) {
      [filter.found, filter.looked] = await this.#run((core) => core.matchMore(filter.number), signal);
      this.#call((core) => core.trim());
      progress?.({ found: filter.found, looked: filter.looked, of: this.rowCount });
      await this.#pause();
    }
    return filter;
  }

  /** Lets others have their turn. */
  async #pause() {
    if (performance.now() - this.#turn < TURN) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#turn = performance.now();
  }

  /** Takes a step; again if it lacks bytes. */
  async #run(step, signal) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      signal?.throwIfAborted();
      const result = this.#call(step);
      if (result !== undefined) return result;
      const missing = this.#call((core) => core.missing(tries));
      if (missing.length === 0) break;
      await this.#load(missing);
    }
    throw new TrevniError(`a step of reading still lacks bytes after ${TRIES} tries`, "internal");
  }

  /** Adds parts of the file, several at a time. */
  async #load(missing) {
    let next = 0;
    const load = async () => {
      while (next < missing.length) {
        const [start, end] = [missing[next], missing[next + 1]];
        next += 2;
        const name = `${start}-${end}`;
        // Another call may be loading the same.
        let loading = this.#loading.get(name);
        if (loading === undefined) {
          loading = this.#source.read(start, end).finally(() => this.#loading.delete(name));
          this.#loading.set(name, loading);
        }
        const bytes = await loading;
        this.#call((core) => core.add(start, bytes));
      }
    };
    const all = await Promise.allSettled(Array.from({ length: Math.min(REQUESTS, missing.length / 2) }, load));
    const failed = all.find(({ status }) => status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** Calls the module. What it throws is an error of the file; all else is a fault, which ends the module. */
  #call(step) {
    if (this.#fault !== null) throw this.#fault;
    try {
      return step(this.#core);
    } catch (error) {
      if (Object.getPrototypeOf(error) === Object.prototype && "category" in error) {
        throw new TrevniError(error.message, error.category, error);
      }
      let told = "";
      try {
        told = this.#module.lastPanic();
      } catch {
        // The module is beyond help.
      }
      const message = `a fault in reading this file, which has to be opened again: ${told || error.message}`;
      this.#fault = new TrevniError(message, "internal", { cause: error });
      this.#end();
      throw this.#fault;
    }
  }
}

function isEmpty(filter) {
  if (filter === undefined || filter === null) return true;
  if (typeof filter !== "string") throw new TrevniError("a filter is a string", "misuse");
  return filter.trim() === "";
}
