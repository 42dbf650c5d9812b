// The viewer of Trevni files: opens one, and ties its parts together.

import { call, isAborted, listeners } from "./client.js";
import { byId, element } from "./element.js";
import { Grid } from "./grid.js";
import { closeColumn, openColumn } from "./panel.js";
import { bytes, count, shown, thousands } from "./shown.js";
import { tree } from "./tree.js";

// Fields that are shown until others are chosen.
const FIELDS = 24;
// Milliseconds after the last key of a filter.
const REST = 350;

const state = { file: null, name: "", chosen: new Set(), filter: "", column: null, matching: null };
const grid = new Grid({ open: showColumn, problem });

listeners.traffic = (traffic) => {
  byId("traffic").textContent = `${count(traffic.requests, "request")}, ${bytes(traffic.bytes)} read`;
  byId("traffic").dataset.requests = traffic.requests;
  byId("traffic").dataset.bytes = traffic.bytes;
};

/** Shows what went wrong, or nothing. */
function problem(error) {
  const place = byId("problem");
  place.hidden = error === null;
  if (error !== null) place.textContent = shown(error.message) + (error.hint ? `\n${error.hint}` : "");
}

async function open(input, name) {
  problem(null);
  document.body.dataset.state = "opening";
  byId("name").textContent = `Opening ${shown(name)} …`;
  try {
    const file = await call("open", { input });
    Object.assign(state, { file, name, filter: "", column: null });
    show();
  } catch (error) {
    byId("name").textContent = "Trevni viewer";
    problem(error);
  }
  document.body.dataset.state = state.file === null ? "landing" : "open";
}

function show() {
  const { file, name } = state;
  document.title = `${shown(name)} – Trevni viewer`;
  byId("name").textContent = shown(name);
  const facts = [["rows", thousands(file.rowCount)], ["columns", thousands(file.columns.length)], ["size", bytes(file.size)]];
  if (file.format !== "trevni") facts.push(["format", file.format]);
  byId("facts").replaceChildren(...facts.map(([title, text]) => element("div", {}, element("dt", {}, title), element("dd", {}, text))));
  for (const id of ["facts", "again", "view"]) byId(id).hidden = false;
  byId("landing").hidden = true;
  byId("filter").value = "";
  wrong(null);
  closeColumn();
  // A row that is no record is a field by itself.
  const isRecord = ["struct", "tuple"].includes(file.schema.kind) && !file.schema.type.endsWith("?") && file.schema.fields.length > 0;
  grid.kind = isRecord ? file.schema.kind : "value";
  if (!isRecord) file.schema.fields = [{ ...file.schema, fields: [] }];
  state.chosen = new Set(file.schema.fields.slice(0, FIELDS).map((field) => field.path));
  byId("tree").replaceChildren(tree(file.schema, state.chosen, { choose, open: showColumn }));
  byId("fields").open = matchMedia("(min-width: 60rem)").matches;
  grid.clear();
  grid.first = 0;
  showRows(file.rowCount);
  byId("grid").focus({ preventScroll: true });
}

function showRows(rows) {
  const all = state.file.schema.fields;
  const fields = all.filter((field) => state.chosen.has(field.path));
  byId("chosen").textContent = fields.length === all.length ? "" : `${fields.length} of ${thousands(all.length)} shown`;
  const same = fields.length === grid.fields.length && fields.every((field, at) => field === grid.fields[at]);
  grid.show({ fields: same ? grid.fields : fields, count: rows, filter: state.filter });
  grid.mark(state.column);
}

function choose(path, isShown) {
  if (isShown) state.chosen.add(path);
  else state.chosen.delete(path);
  showRows(grid.count);
}

function showColumn(path) {
  state.column = path;
  grid.mark(path);
  const names = new Map();
  const add = (field) => {
    names.set(field.path, field.type);
    field.fields.forEach(add);
  };
  state.file.schema.fields.forEach(add);
  openColumn(path, names.get(path) ?? "", state.filter, () => {
    state.column = null;
    grid.mark(null);
    byId("grid").focus();
  });
}

/** Shows what is wrong with the filter, or nothing. */
function wrong(error) {
  byId("wrong").hidden = error === null;
  byId("filter").setAttribute("aria-invalid", String(error !== null));
  if (error === null) return;
  const hint = error.hint ? `\n${error.hint}` : "";
  byId("wrong").textContent = shown(error.message) + hint;
}

async function filter() {
  const text = byId("filter").value.trim();
  if (text === state.filter) {
    wrong(null);
    return;
  }
  state.matching?.abort();
  const abort = new AbortController();
  state.matching = abort;
  try {
    await call("check", { filter: text });
    if (abort.signal.aborted) return;
    wrong(null);
    state.filter = text;
    grid.first = 0;
    if (state.column !== null) showColumn(state.column);
    if (text === "") {
      showRows(state.file.rowCount);
      return;
    }
    document.body.dataset.state = "filtering";
    showRows(0);
    const progress = ({ found, looked, of }) => {
      if (abort.signal.aborted) return;
      grid.grow(found);
      byId("shown").textContent += `, ${Math.floor((100 * looked) / of)} % looked at`;
    };
    const found = await call("count", { filter: text }, { signal: abort.signal, progress });
    if (!abort.signal.aborted) grid.grow(found);
  } catch (error) {
    if (!isAborted(error)) wrong(error);
  }
  if (state.matching === abort) document.body.dataset.state = "open";
}

async function download() {
  const button = byId("csv");
  button.disabled = true;
  try {
    const columns = grid.kind === "value" ? undefined : grid.fields.map((field) => field.path);
    const progress = (size) => (button.textContent = `${bytes(size)} …`);
    const blob = await call("csv", { columns, filter: state.filter }, { progress });
    const link = element("a", { href: URL.createObjectURL(blob), download: `${state.name.replace(/\.trv$/, "")}.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (error) {
    problem(error);
  }
  button.textContent = "Download CSV";
  button.disabled = false;
}

function goTo() {
  const row = Number(byId("goto").value.replaceAll(/[,_\s]/g, ""));
  if (Number.isSafeInteger(row) && row >= 0) grid.go(row);
}

/** The last part of the path of a URL. */
function nameOf(url) {
  const last = new URL(url).pathname.split("/").at(-1);
  try {
    return decodeURIComponent(last) || url;
  } catch {
    return last;
  }
}

function openUrl(url) {
  let name;
  try {
    name = nameOf(url);
  } catch {
    problem(new Error(`${url} is no URL`));
    return;
  }
  open(url, name);
}

byId("pick").addEventListener("change", ({ target }) => {
  if (target.files.length > 0) open(target.files[0], target.files[0].name);
});
byId("address").addEventListener("submit", (event) => {
  event.preventDefault();
  openUrl(byId("url").value);
});
byId("again").addEventListener("click", () => {
  state.matching?.abort();
  closeColumn();
  for (const id of ["facts", "again", "view"]) byId(id).hidden = true;
  byId("landing").hidden = false;
  byId("name").textContent = "Trevni viewer";
  byId("pick").value = "";
  byId("pick").focus();
});
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    document.body.classList.toggle("over", kind === "dragenter" || kind === "dragover");
    const [dropped] = event.dataTransfer?.files ?? [];
    if (kind === "drop" && dropped !== undefined) open(dropped, dropped.name);
  });
}
let timer;
byId("filter").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(filter, REST);
});
byId("bar").addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  if (document.activeElement === byId("goto")) goTo();
  else filter();
});
byId("goto").addEventListener("change", goTo);
byId("csv").addEventListener("click", download);
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches?.("input:not([type=checkbox]):not([type=file])");
  if (event.key === "Escape" && state.column !== null) byId("column").querySelector(".close").click();
  if (isTyping || event.ctrlKey || event.altKey || event.metaKey || byId("view").hidden) return;
  const place = { "/": "filter", g: "goto" }[event.key];
  if (place === undefined) return;
  event.preventDefault();
  byId(place).focus();
  byId(place).select();
});
// `index.html#https://…` opens a URL; what follows the mark is not sent to any server.
if (location.hash.length > 1) openUrl(decodeURIComponent(location.hash.slice(1)));
