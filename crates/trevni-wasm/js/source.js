// Where the bytes of a file come from: each source has a `size`, and `read(start, end)` gives bytes.

import { TrevniError } from "./error.js";

// The first bytes of a file at a URL: the header of most files, and all of small ones.
const FIRST_BYTES = 64 << 10;
// How often a request is sent that fails for the moment, and the milliseconds before it is sent again.
const TRIES = 3;
const WAIT = 250;

/** The source of what a user gives. */
export async function source(input, options, count) {
  if (typeof Blob !== "undefined" && input instanceof Blob) return new BlobSource(input, count);
  if (input instanceof ArrayBuffer) return new BytesSource(new Uint8Array(input), count);
  if (ArrayBuffer.isView(input)) {
    return new BytesSource(new Uint8Array(input.buffer, input.byteOffset, input.byteLength), count);
  }
  if (typeof input === "string" || input instanceof URL) {
    let url;
    try {
      url = new URL(input, globalThis.location?.href);
    } catch (cause) {
      throw new TrevniError(`${input} is no URL`, "misuse", { cause, hint: "of a file in Node: open(await fs.openAsBlob(path))" });
    }
    if (url.protocol === "file:" && typeof process !== "undefined") {
      const { openAsBlob } = await import(/* webpackIgnore: true */ "node:fs");
      return new BlobSource(await openAsBlob(url), count);
    }
    return UrlSource.open(url, options, count);
  }
  throw new TrevniError("a File, a Blob, an ArrayBuffer, a typed array or a URL is expected", "misuse");
}

class BlobSource {
  constructor(blob, count) {
    this.blob = blob;
    this.size = blob.size;
    this.count = count;
  }

  async read(start, end) {
    let bytes;
    try {
      bytes = new Uint8Array(await this.blob.slice(start, end).arrayBuffer());
    } catch (cause) {
      throw new TrevniError(`the file cannot be read: ${cause.message}`, "io", { cause });
    }
    return whole(bytes, start, end, this.count);
  }
}

class BytesSource {
  constructor(bytes, count) {
    this.bytes = bytes;
    this.size = bytes.byteLength;
    this.count = count;
  }

  async read(start, end) {
    return whole(this.bytes.slice(start, end), start, end, this.count);
  }
}

class UrlSource {
  static async open(url, options, count) {
    const own = new UrlSource();
    Object.assign(own, { url, options, count, size: 0, tag: null, first: null });
    const response = await own.request(0, FIRST_BYTES, options.signal);
    if (response.status === 206) {
      own.first = await body(response);
      own.size = total(response.headers.get("Content-Range")) ?? (await own.length());
      own.tag = tag(response);
    } else if (response.status === 416 && total(response.headers.get("Content-Range")) === 0) {
      own.first = new Uint8Array();
    } else {
      // A server that knows no ranges sends all of it.
      own.first = await body(response);
      own.size = own.first.byteLength;
    }
    count(own.first.byteLength);
    return own;
  }

  /** The number of bytes, where the server of another origin does not let the page see it. */
  async length() {
    this.count(0);
    const response = await fetch(this.url, { ...this.init(), method: "HEAD" });
    const length = Number(response.headers.get("Content-Length") ?? NaN);
    if (!response.ok || !Number.isSafeInteger(length)) {
      throw new TrevniError(`${this.url}: the server does not say how long the file is`, "io", {
        hint: "Access-Control-Expose-Headers: Content-Range",
      });
    }
    return length;
  }

  init(headers = {}) {
    const { headers: more, credentials } = this.options;
    // Chromium reads the parts of one URL one after the other where they go to the cache.
    return { headers: { ...more, ...headers }, cache: "no-store", ...(credentials && { credentials }) };
  }

  async request(start, end, signal) {
    for (let tries = 1; ; tries += 1) {
      let failure;
      try {
        const response = await fetch(this.url, { ...this.init({ Range: `bytes=${start}-${end - 1}` }), signal });
        if (response.ok || response.status === 416) return response;
        await response.body?.cancel();
        failure = new TrevniError(`${this.url}: ${response.status} ${response.statusText}`.trim(), "io");
        if (response.status < 500 && response.status !== 429) throw failure;
      } catch (cause) {
        if (cause === failure || signal?.aborted) throw cause;
        const hint = "the server has to be there, and to allow pages of this origin (CORS)";
        failure = new TrevniError(`${this.url}: ${cause.message}`, "io", { cause, hint });
      }
      if (tries === TRIES) throw failure;
      await new Promise((resolve) => setTimeout(resolve, WAIT * tries));
    }
  }

  async read(start, end) {
    const first = this.first;
    if (end <= first.byteLength) return first.slice(start, end);
    if (start < first.byteLength) {
      const rest = await this.read(first.byteLength, end);
      const bytes = new Uint8Array(end - start);
      bytes.set(first.subarray(start));
      bytes.set(rest, first.byteLength - start);
      return bytes;
    }
    const response = await this.request(start, end);
    const now = tag(response);
    if (response.status !== 206 || (this.tag !== null && now !== null && now !== this.tag)) {
      await response.body?.cancel();
      throw new TrevniError(`${this.url}: the file has changed since it was opened`, "io");
    }
    return whole(await body(response), start, end, this.count, this.url);
  }
}

function whole(bytes, start, end, count, url) {
  count(bytes.byteLength);
  if (bytes.byteLength === end - start) return bytes;
  const place = url === undefined ? "" : `${url}: `;
  throw new TrevniError(`${place}${bytes.byteLength} bytes came, ${end - start} were asked for`, "io");
}

async function body(response) {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new TrevniError(`${response.url}: ${cause.message}`, "io", { cause });
  }
}

/** The size of the whole file: what comes after the slash in `bytes 0-9/100`. */
function total(range) {
  const size = Number(/\/(\d+)$/.exec(range ?? "")?.[1] ?? NaN);
  return Number.isSafeInteger(size) ? size : null;
}

/** What tells one version of a file from another. */
function tag(response) {
  return response.headers.get("ETag") ?? response.headers.get("Last-Modified");
}
