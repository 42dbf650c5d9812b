"use strict";
const search = document.getElementById("search");
const rows = Array.from(document.getElementById("cells").rows);
const texts = rows.map((row) => row.textContent.toLowerCase());
search.addEventListener("input", () => {
  const wanted = search.value.toLowerCase();
  let found = 0;
  rows.forEach((row, at) => {
    row.hidden = !texts[at].includes(wanted);
    found += row.hidden ? 0 : 1;
  });
  document.getElementById("found").textContent = wanted === "" ? "" : found + " found";
});
