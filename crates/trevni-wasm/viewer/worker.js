// Reads files beside the page, so that the page never waits. Each message is a call with a number, which the answer has too.

import { init, open } from "./trevni/index.js";

// In the viewer of one file.
if (globalThis.trevniModule !== undefined) init(Uint8Array.from(atob(globalThis.trevniModule), (one) => one.charCodeAt(0)));

let file = null;
const running = new Map();

const calls = {
  async open({ input }, options) {
    file?.close();
    file = null;
    file = await open(input, options);
    const { rowCount, format, size, schema, columns } = file;
    return { rowCount, format, size, schema, columns };
  },
  async rows({ from, to, ...more }, options) {
    return file.rows(from, to, { ...more, ...options });
  },
  async check({ filter }) {
    file.check(filter);
  },
  async count({ filter }, options, progress) {
    return file.count({ filter, ...options, progress });
  },
  async stats({ path, filter }, options, progress) {
    return file.stats(path, { filter, ...options, progress });
  },
  async csv(given, options, progress) {
    // Blobs may lie on the disk.
    const parts = [];
    let bytes = 0;
    for await (const part of file.csv({ ...given, ...options })) {
      parts.push(new Blob([part]));
      bytes += part.byteLength;
      progress(bytes);
    }
    return new Blob(parts, { type: "text/csv" });
  },
};

self.addEventListener("message", async ({ data: { id, call, given } }) => {
  if (call === "abort") {
    running.get(given)?.abort();
    return;
  }
  const abort = new AbortController();
  running.set(id, abort);
  let told = 0;
  const progress = (progress) => {
    if (performance.now() - told < 50) return;
    told = performance.now();
    self.postMessage({ id, progress, traffic: file?.traffic });
  };
  try {
    const result = await calls[call](given, { signal: abort.signal }, progress);
    self.postMessage({ id, result, traffic: file?.traffic });
  } catch (error) {
    const { message, name, category, hint, position } = error;
    self.postMessage({ id, error: { message, name, category, hint, position }, traffic: file?.traffic });
  } finally {
    running.delete(id);
  }
});
self.postMessage({ ready: true });
