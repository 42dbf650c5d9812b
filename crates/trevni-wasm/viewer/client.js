// The page's end of the worker.

// The viewer of one file has its worker in the page: a script, since modules of such pages are not run.
const script = globalThis.trevniWorker;
const worker = script === undefined ? new Worker(new URL("./worker.js", import.meta.url), { type: "module" }) : new Worker(script);
const waiting = new Map();
let last = 0;

/** What is called with the requests and bytes so far. */
export const listeners = { traffic: () => {} };

worker.addEventListener("message", ({ data: { id, result, error, progress, traffic } }) => {
  if (traffic !== undefined) listeners.traffic(traffic);
  const call = waiting.get(id);
  if (call === undefined) return;
  if (progress !== undefined) {
    call.progress?.(progress);
    return;
  }
  waiting.delete(id);
  if (error !== undefined) call.reject(Object.assign(new Error(error.message), error));
  else call.resolve(result);
});
worker.addEventListener("error", (event) => {
  const error = new Error(event.message ?? "the worker cannot be loaded");
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
});

/** Calls the worker. A signal ends the call. */
export function call(name, given, { signal, progress } = {}) {
  return new Promise((resolve, reject) => {
    const id = (last += 1);
    waiting.set(id, { resolve, reject, progress });
    signal?.addEventListener("abort", () => worker.postMessage({ call: "abort", given: id }));
    worker.postMessage({ id, call: name, given });
  });
}

/** Whether a call was ended by its signal. */
export const isAborted = (error) => error.name === "AbortError";
