// Values and numbers as they are shown.

// What would steer the text around it, or cannot be seen.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
// Characters of a cell.
const CELL = 300;

/** A text in which nothing hides. */
export function shown(text) {
  return text.replace(HIDDEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value of a row as the text of a cell. */
export function cell(value) {
  const text = typeof value === "string" ? value : json(value);
  return shown(text.length > CELL ? `${text.slice(0, CELL)}…` : text);
}

function json(value) {
  return JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return String(part);
    if (part instanceof Uint8Array) return bytesText(part);
    if (part instanceof Map) return Object.fromEntries([...part].map(([key, entry]) => [json(key), entry]));
    if (typeof part === "number" && !Number.isFinite(part)) return String(part);
    return part;
  })?.replace(/^"(.*)"$/s, "$1") ?? "";
}

function bytesText(bytes) {
  const start = bytes.subarray(0, CELL);
  return Array.from(start, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A number with commas. */
export function thousands(number) {
  return number.toLocaleString("en-US");
}

/** So many of something. */
export function count(number, one) {
  return `${thousands(number)} ${one}${number === 1 ? "" : "s"}`;
}

/** A number of bytes in few digits. */
export function bytes(number) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let at = 0;
  while (number >= 1000 && at < units.length - 1) [number, at] = [number / 1000, at + 1];
  return `${at === 0 || number >= 100 ? Math.round(number) : number.toPrecision(2)} ${units[at]}`;
}

/** A number in few digits. */
export function short(number) {
  if (Number.isInteger(number) && Math.abs(number) < 1e9) return thousands(number);
  return String(Number(number.toPrecision(6)));
}

const DAY = 86_400_000;

/** A number of a column, by its logical type. */
export function moment(value, logical) {
  const scale = { "timestamp-millis": 1, "timestamp-micros": 1e3, "timestamp-nanos": 1e6 };
  const name = logical?.replace("local-", "");
  if (name === "date") return date(Number(value) * DAY)?.slice(0, 10) ?? String(value);
  if (name in scale) return date(Number(value) / scale[name])?.replace(".000", "") ?? String(value);
  if (typeof value === "bigint") return thousands(value);
  return typeof value === "number" ? short(value) : shown(String(value));
}

function date(millis) {
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
