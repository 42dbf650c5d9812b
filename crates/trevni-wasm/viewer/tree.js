// The fields of a file, with their sizes.

import { element } from "./element.js";
import { bytes, shown } from "./shown.js";

// Fields of a record that are shown.
const MOST = 300;

/** The tree of a schema. `choose` is called with a path and whether it is shown, `open` with the path of a column. */
export function tree(schema, shownPaths, { choose, open }) {
  const all = Math.max(1, schema.bytes);
  const list = (fields, depth) => {
    const made = element("ul", { className: depth === 0 ? "tree" : "" });
    for (const field of fields.slice(0, MOST)) made.append(item(field, depth));
    if (fields.length > MOST) made.append(element("li", { className: "more" }, `… ${fields.length - MOST} more`));
    return made;
  };
  const item = (field, depth) => {
    const node = element("div", { className: "node" });
    if (depth === 0) {
      const box = element("input", { type: "checkbox", checked: shownPaths.has(field.path), "aria-label": `Show ${shown(field.name)}` });
      box.addEventListener("change", () => choose(field.path, box.checked));
      node.append(box);
    }
    const name = element("button", { type: "button" }, shown(field.name) || "“”");
    name.addEventListener("click", () => open(field.path));
    node.append(name, element("span", { className: "type" }, shown(field.type)), element("small", {}, bytes(field.bytes)));
    const bar = element("span");
    bar.style.width = `${(100 * field.bytes) / all}%`;
    const made = element("li", {}, node, element("div", { className: "size" }, bar));
    if (field.fields.length > 0) {
      const inner = element("details", { open: depth === 0 && field.fields.length < 12 });
      inner.append(element("summary", {}, `${field.fields.length} inside`), list(field.fields, depth + 1));
      made.append(inner);
    }
    return made;
  };
  return list(schema.fields, 0);
}
