// What is known of the values of a column.

import { call, isAborted } from "./client.js";
import { byId, element } from "./element.js";
import { cell, count, moment, short, thousands } from "./shown.js";

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 40;

let abort = null;

/** Shows a column: its path, its type, and the filter of the rows. */
export async function openColumn(path, type, filter, closed) {
  abort?.abort();
  abort = new AbortController();
  const { signal } = abort;
  const place = byId("column");
  const close = element("button", { className: "close", type: "button", "aria-label": "Close" }, "×");
  close.addEventListener("click", () => {
    closeColumn();
    closed();
  });
  const body = element("div", {}, element("p", { className: "order" }, "Reading …"));
  const note = filter === "" ? "" : element("p", { className: "note" }, "of the filtered rows");
  place.replaceChildren(
    element("article", { className: "card" }, close, element("h2", {}, cell(path) || "value"), element("p", { className: "type" }, cell(type)), note, body),
  );
  place.hidden = false;
  try {
    const progress = (rows) => body.replaceChildren(element("p", { className: "order" }, `Reading … ${count(rows, "row")}`));
    const stats = await call("stats", { path, filter }, { signal, progress });
    if (!signal.aborted) body.replaceChildren(...parts(stats));
  } catch (error) {
    if (!isAborted(error)) body.replaceChildren(element("p", { role: "alert" }, error.message));
  }
}

export function closeColumn() {
  abort?.abort();
  byId("column").hidden = true;
}

function parts(stats) {
  const facts = [["rows", thousands(stats.count)], ["nulls", share(stats.nulls, stats.count)]];
  if (stats.distinct !== null && stats.top.length > 0) facts.push(["distinct", thousands(stats.distinct)]);
  if (stats.mean !== null) facts.push(["mean", short(stats.mean)]);
  if (stats.nan > 0) facts.push(["NaN", thousands(stats.nan)]);
  const list = element("dl", {}, ...facts.map(([title, text]) => element("div", {}, element("dt", {}, title), element("dd", {}, text))));
  const made = [list];
  if (stats.nulls > 0) {
    const bar = element("span");
    bar.style.width = `${Math.max(0.5, (100 * stats.nulls) / stats.count)}%`;
    made.push(element("div", { className: "nulls" }, bar));
  }
  if (stats.histogram !== null) made.push(histogram(stats));
  if (stats.min !== null) {
    const ends = [stats.min, stats.max].map((value) => element("span", {}, typeof value === "string" ? cell(value) : moment(value, stats.logical)));
    made.push(element("p", { className: "ends" }, ...ends));
  }
  const there = stats.count - stats.nulls;
  const top = stats.top.filter((one) => one.count > 1);
  if (there > 1 && stats.distinct === there) {
    made.push(element("p", { className: "order" }, `all ${count(there, "value")} are different`));
  } else if (top.length > 0) {
    made.push(element("ol", { className: "top" }, ...top.map((one) => frequent(one, there, stats.logical))));
  } else if (stats.distinct === null && there > 0) {
    made.push(element("p", { className: "order" }, "more than 10,000 different values"));
  }
  return made;
}

function share(part, all) {
  if (part === 0) return "none";
  const percent = (100 * part) / all;
  return `${thousands(part)} (${percent < 0.1 ? "< 0.1" : percent.toFixed(1)} %)`;
}

function frequent({ value, count }, all, logical) {
  const bar = element("i");
  bar.style.width = `${(100 * count) / all}%`;
  const text = typeof value === "string" ? cell(value) || "“”" : typeof value === "boolean" ? String(value) : moment(value, logical);
  return element("li", {}, bar, element("span", {}, `${text} `, element("small", {}, thousands(count))));
}

function histogram({ histogram: { from, width, counts, every }, logical }) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "histogram");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Histogram of ${count(counts.length, "part")}`);
  svg.setAttribute("viewBox", `0 0 ${10 * counts.length - 1} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  const most = counts.reduce((one, two) => Math.max(one, two), 1);
  counts.forEach((number, at) => {
    if (number === 0) return;
    const bar = document.createElementNS(SVG, "rect");
    const height = Math.max(1.5, (HEIGHT * number) / most);
    for (const [name, value] of [["x", 10 * at], ["y", HEIGHT - height], ["width", 9], ["height", height]]) bar.setAttribute(name, value);
    const title = document.createElementNS(SVG, "title");
    const start = from + at * width;
    const ends = [start, start + width].map((value) => moment(logical === null ? value : Math.round(value), logical));
    title.textContent = `${every > 1 ? "about " : ""}${thousands(number)} from ${ends[0]} to ${ends[1]}`;
    bar.append(title);
    svg.append(bar);
  });
  return svg;
}
