// A server of files that answers range requests, and counts them.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export async function serve(folder, { ranges = true, expose = true, change = false } = {}) {
  const server = { requests: 0, bytes: 0, asked: [], fail: 0 };
  let version = 0;
  const http = createServer(async (request, response) => {
    server.requests += 1;
    server.asked.push(request.headers.range ?? request.method);
    if (server.fail > 0) {
      server.fail -= 1;
      response.writeHead(503).end();
      return;
    }
    let bytes;
    try {
      bytes = await readFile(join(folder, decodeURIComponent(new URL(request.url, "http://local").pathname)));
    } catch {
      response.writeHead(404).end();
      return;
    }
    if (change) version += 1;
    const headers = { "Access-Control-Allow-Origin": "*", ETag: `"${version}"` };
    if (expose) headers["Access-Control-Expose-Headers"] = "Content-Range, ETag";
    const asked = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (request.method === "HEAD") {
      response.writeHead(200, { ...headers, "Content-Length": bytes.length }).end();
    } else if (asked === null || !ranges) {
      server.bytes += bytes.length;
      response.writeHead(200, { ...headers, "Content-Length": bytes.length }).end(bytes);
    } else {
      const [start, end] = [Number(asked[1]), Math.min(Number(asked[2]) + 1, bytes.length)];
      if (start >= bytes.length) {
        response.writeHead(416, { ...headers, "Content-Range": `bytes */${bytes.length}` }).end();
        return;
      }
      server.bytes += end - start;
      if (expose) headers["Content-Range"] = `bytes ${start}-${end - 1}/${bytes.length}`;
      response.writeHead(206, headers).end(bytes.subarray(start, end));
    }
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  server.url = `http://127.0.0.1:${http.address().port}/`;
  server.close = () => {
    http.closeAllConnections();
    return new Promise((resolve) => http.close(resolve));
  };
  return server;
}
