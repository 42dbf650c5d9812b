"use strict";
for (const search of document.querySelectorAll("input[data-in]")) {
  const within = Array.from(document.getElementById(search.dataset.in).children);
  const texts = within.map((one) => one.textContent.toLowerCase());
  const box = search.closest(".search");
  box.hidden = false;
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    let found = 0;
    within.forEach((one, at) => {
      one.hidden = !texts[at].includes(wanted);
      found += one.hidden ? 0 : 1;
    });
    box.querySelector("output").textContent = wanted === "" ? "" : found + " of " + within.length;
  });
}
