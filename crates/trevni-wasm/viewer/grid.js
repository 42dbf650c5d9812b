// Rows that scroll to any number at once: only those that are seen are fetched, and only they are in the page.

import { call, isAborted } from "./client.js";
import { byId, element } from "./element.js";
import { cell, shown, thousands } from "./shown.js";

// Rows that are fetched together, and how many such pages are remembered.
const PAGE = 64;
const PAGES = 64;
// Height of a row, as the style has it, and the highest element that all browsers can show.
const ROW = 28;
const HIGHEST = 8_000_000;
// Milliseconds that a place has to be looked at before it is fetched.
const REST = 40;

/** The rows of a file, some of its fields, and those that a filter selects. */
export class Grid {
  constructor({ open, problem }) {
    this.open = open;
    this.problem = problem;
    this.grid = byId("grid");
    this.spacer = byId("spacer");
    this.table = this.spacer.querySelector("table");
    this.head = this.table.tHead;
    this.body = this.table.tBodies[0];
    this.first = 0;
    this.clear();
    this.grid.addEventListener("scroll", () => this.scrolled());
    this.grid.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.grid);
  }

  clear() {
    Object.assign(this, { fields: [], count: 0, filter: "", pages: new Map() });
    this.abort?.abort();
  }

  /** Shows other fields or rows. */
  show({ fields, count, filter }) {
    const isOther = filter !== this.filter || fields !== this.fields;
    Object.assign(this, { fields, count, filter });
    if (isOther) {
      this.abort?.abort();
      this.pages = new Map();
      this.drawHead();
    }
    this.go(Math.min(this.first, Math.max(0, count - 1)));
  }

  /** More rows have been found. */
  grow(count) {
    const before = this.count;
    this.count = count;
    this.size();
    if (before < this.first + this.fit()) {
      this.pages.delete(Math.floor(before / PAGE));
      this.draw();
    } else {
      this.tell();
    }
  }

  /** How many rows are seen. */
  fit() {
    return Math.max(1, Math.floor((this.grid.clientHeight - this.head.offsetHeight) / ROW));
  }

  /** The last row that can be the first one seen. */
  last() {
    return Math.max(0, this.count - this.fit());
  }

  size() {
    // So high that the last row can be scrolled to, where that is not too high.
    const height = Math.min(HIGHEST, this.count * ROW + this.head.offsetHeight + 4);
    this.spacer.style.height = `${Math.max(height, this.grid.clientHeight)}px`;
  }

  /** Makes a row the first one seen. */
  go(row) {
    this.size();
    this.first = Math.max(0, Math.min(row, this.last()));
    const most = this.grid.scrollHeight - this.grid.clientHeight;
    this.ignored = Math.round(this.last() === 0 ? 0 : (most * this.first) / this.last());
    this.grid.scrollTop = this.ignored;
    this.draw();
  }

  scrolled() {
    const top = this.grid.scrollTop;
    if (Math.abs(top - this.ignored) <= 1) return;
    this.ignored = -Infinity;
    const most = this.grid.scrollHeight - this.grid.clientHeight;
    this.first = most <= 0 ? 0 : Math.round((this.last() * top) / most);
    this.draw();
  }

  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: this.fit(), PageUp: -this.fit(), Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("button")) return;
    event.preventDefault();
    const step = steps[event.key];
    this.go(step === -Infinity ? 0 : step === Infinity ? this.last() : this.first + step);
  }

  drawHead() {
    const row = element("tr", {}, element("th", { className: "at", scope: "col", "aria-label": "Number" }));
    for (const field of this.fields) {
      const button = element("button", { type: "button", title: shown(`${field.path}: ${field.type}`) }, shown(field.name) || "value");
      button.append(element("small", { className: "type" }, shown(field.type)));
      button.addEventListener("click", () => this.open(field.path));
      const head = element("th", { scope: "col" }, button);
      head.dataset.path = field.path;
      if (isNumber(field)) head.className = "number";
      row.append(head);
    }
    this.head.replaceChildren(row);
  }

  /** Marks the column that is open. */
  mark(path) {
    for (const head of this.head.querySelectorAll("[data-path]")) {
      head.setAttribute("aria-current", String(head.dataset.path === path));
    }
  }

  /** Puts the rows that are seen into the page; those that are not here are fetched. */
  draw() {
    const end = Math.min(this.count, this.first + this.fit());
    const rows = [];
    for (let at = this.first; at < end; at += 1) {
      const found = this.pages.get(Math.floor(at / PAGE))?.[at % PAGE];
      const wait = () => element("td", { className: "wait" }, "…");
      const cells = this.fields.map((field, at) => (found === undefined ? wait() : this.cell(found, field, at)));
      rows.push(element("tr", {}, element("th", { className: "at", scope: "row" }, thousands(at)), ...cells));
    }
    this.body.replaceChildren(...rows);
    this.tell();
    this.load(end);
  }

  cell(row, field, at) {
    const value = this.kind === "value" ? row : row[this.kind === "tuple" ? at : field.name];
    if (value === null || value === undefined) {
      return element("td", { className: isNumber(field) ? "null number" : "null" }, value === null ? "null" : "");
    }
    const text = cell(value);
    return element("td", { className: isNumber(field) ? "number" : "", title: text.length > 40 ? text : "" }, text);
  }

  /** Says which rows are seen. */
  tell() {
    const end = Math.min(this.count, this.first + this.fit());
    byId("shown").textContent =
      this.count === 0 ? "no rows" : `rows ${thousands(this.first)} to ${thousands(end - 1)} of ${thousands(this.count)}`;
  }

  /** Fetches what is seen, once it has been looked at for a moment. */
  load(end) {
    clearTimeout(this.timer);
    const [from, to] = [Math.floor(this.first / PAGE), Math.floor(Math.max(this.first, end - 1) / PAGE)];
    const missing = [];
    for (let page = from; page <= to && page * PAGE < this.count; page += 1) {
      const rows = this.pages.get(page);
      if (rows === undefined || rows.length < Math.min(PAGE, this.count - page * PAGE)) missing.push(page);
    }
    this.isWaiting = missing.length > 0;
    if (missing.length > 0) this.timer = setTimeout(() => this.fetch(missing), REST);
  }

  async fetch(missing) {
    // What was seen before is not wanted any more.
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    const [from, to] = [missing[0] * PAGE, Math.min((missing.at(-1) + 1) * PAGE, this.count)];
    const columns = this.kind === "value" ? undefined : this.fields.map((field) => field.path);
    try {
      const rows = await call("rows", { from, to, columns, filter: this.filter }, { signal: abort.signal });
      if (abort.signal.aborted) return;
      for (let at = 0; at < rows.length; at += PAGE) this.pages.set((from + at) / PAGE, rows.slice(at, at + PAGE));
      while (this.pages.size > PAGES) this.pages.delete(this.pages.keys().next().value);
      this.problem(null);
      if (rows.length > 0) this.draw();
    } catch (error) {
      if (!isAborted(error)) this.problem(error);
    }
  }
}

function isNumber({ type }) {
  return /^(u?int\d+|float\d+|decimal.*|null)\??$/.test(type);
}
