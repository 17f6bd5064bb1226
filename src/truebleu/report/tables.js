// SPDX-License-Identifier: Apache-2.0
// Tables are sorted by the column whose heading is pressed; the matrix leads to the segments.

const collator = new Intl.Collator("en", { numeric: true });

/** What a row is sorted by: the number in a column of numbers, else the text. */
function sortKey(cell) {
  const text = cell.dataset.value ?? cell.querySelector("data")?.value ?? cell.textContent;
  const number = cell.matches(".number") ? Number.parseFloat(text.replaceAll(",", "")) : NaN;
  return Number.isNaN(number) ? text : number;
}

/** Text after numbers; empty cells are last in both directions. */
function compareKeys(a, b, sign) {
  if (a === "" || b === "") return (a === "") - (b === "");
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return sign * (typeof a === "number" ? a - b : collator.compare(a, b));
}

function sortTable(head) {
  // Numbers begin with the largest, texts with the first of the alphabet.
  const first = head.matches(".number") ? "descending" : "ascending";
  const other = { ascending: "descending", descending: "ascending" };
  const order = head.ariaSort ? other[head.ariaSort] : first;
  for (const one of head.parentElement.cells) one.ariaSort = null;
  head.ariaSort = order;
  sortRows(head);
}

/** Sorts the rows as the heading of their column says. */
function sortRows(head) {
  const body = head.closest("table").tBodies[0];
  const keys = new Map(Array.from(body.rows, (row) => [row, sortKey(row.cells[head.cellIndex])]));
  const sign = head.ariaSort === "ascending" ? 1 : -1;
  body.append(...[...keys.keys()].sort((a, b) => compareKeys(keys.get(a), keys.get(b), sign)));
}

/** Makes a button of each heading of a table. */
function addSorting(table) {
  for (const head of table.tHead.rows[0].cells) {
    const button = make("button", { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortTable(head));
  }
}

/** A row of a part lists its segments; an n-gram, those in which the systems match it differently. */
function listenToParts(browser) {
  document.querySelector(".folds").addEventListener("click", ({ target }) => {
    const button = target.closest("button") ?? target.closest("tbody tr")?.querySelector("[data-filter]");
    const { filter, gram } = button?.dataset ?? {};
    if (!filter && !gram) return;
    browser.clearFilters();
    if (filter) $(filter).value = button.value;
    browser.compare(...(gram ? [0, 1] : [browser.a, browser.b]));
    if (gram) browser.keepOnly(browser.matchedDifferently(JSON.parse(gram)));
    $("list").focus({ preventScroll: true });
  });
}

function listenToTables(browser) {
  listenToParts(browser);
  for (const table of document.querySelectorAll("main .measure .tabular table")) {
    if (table.tBodies[0].rows.length > 1) addSorting(table);
  }
  const matrix = document.querySelector(".matrix");
  for (const kind of ["click", "focusin"]) {
    matrix?.addEventListener(kind, (event) => {
      const button = event.target.closest("button[title]");
      if (!button) return;
      const cell = button.closest("td");
      const [row, column] = [cell.parentElement.cells[0], matrix.tHead.rows[0].cells[cell.cellIndex]];
      $("pair").textContent = `${row.textContent} minus ${column.textContent}: ${button.textContent}, ${button.title}`;
      if (kind === "click") browser.compare(row.dataset.system, column.dataset.system);
    });
  }
}
