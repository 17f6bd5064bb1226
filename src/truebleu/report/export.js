// SPDX-License-Identifier: Apache-2.0
// The listed segments as a file: every column, in the order of the list.

/** The columns of an export: their names, and their values by segment. */
function exportColumns(browser) {
  const { systems, scores, costs, refs, source, labels, values, live, notes } = browser;
  // Other metrics are not computed for edited texts: of a system, or all if a reference is edited.
  const text = (column) => (i) => (column.has(i) ? column.text(i) : null);
  const number = (array) => (i) => (Number.isFinite(array[i]) ? array[i] : null);
  const columns = [
    ["line", (i) => i + 1],
    ...facts.divisions.map(({ name, labels: names }, k) => [name, (i) => names[labels[k][i]]]),
    ...(source ? [["source", text(source)]] : []),
    ...refs.map((column, k) => [`reference ${k + 1}`, text(column)]),
  ];
  for (const [s, name] of facts.systems.entries()) {
    columns.push(
      [`${name} text`, text(systems[s])],
      [`${name} ${facts.metrics[0]}`, number(scores[s])],
      ...values.map((of, k) => [`${name} ${facts.metrics[k + 1]}`, (i) => (live?.isStale(s, i) ? null : number(of[s])(i))]),
      [`${name} cost`, number(costs[s])],
      [`${name} tokens`, (i) => browser.row(s, i)[0]],
    );
  }
  if (facts.systems.length > 1) {
    const { a, b } = browser;
    const name = `${facts.systems[a]} - ${facts.systems[b]} ${facts.metrics[0]}`;
    columns.push([name, number(scores[a].map((score, i) => score - scores[b][i]))]);
  }
  if (live?.editedSegments().size) columns.push(["edited", (i) => live.isEdited(i)]);
  if (notes.size) columns.push(["tag", (i) => notes.get(i)?.tag ?? null], ["note", (i) => notes.get(i)?.text ?? null]);
  return columns;
}

/** The lines of a file in `format`, one for each segment. */
function* exportLines(columns, segments, format) {
  if (format === "json") {
    for (const [k, i] of segments.entries()) {
      const row = Object.fromEntries(columns.map(([name, value]) => [name, value(i)]));
      yield `${k ? "," : "["}\n${JSON.stringify(row)}`;
    }
    yield segments.length ? "\n]\n" : "[]\n";
    return;
  }
  // A tab or a line break in a cell becomes a space, as in all TSV of TrueBLEU.
  const line = (cells) => `${cells.map((cell) => String(cell ?? "").replace(/[\t\r\n]/g, " ")).join("\t")}\n`;
  yield line(columns.map(([name]) => name));
  for (const i of segments) yield line(columns.map(([, value]) => value(i)));
}

/** The table of scores as it is seen, with the signatures, for a paper or a page. */
function scoreText(format) {
  const rows = [...document.querySelectorAll("#scores tr")].map((row) =>
    [...row.cells].filter((cell) => cell.checkVisibility()).map((cell) => cell.innerText.trim()));
  const signatures = Array.from(document.querySelectorAll(".signatures code"), (code) => code.textContent);
  if (format === "markdown") {
    const lines = rows.map((cells) => `| ${cells.map((cell) => cell.replace(/[\\|]/g, "\\$&")).join(" | ")} |`);
    return [lines[0], `|${" --- |".repeat(rows[0].length)}`, ...lines.slice(1), "", ...signatures.map((text) => `\`${text}\``), ""].join("\n");
  }
  const names = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$" };
  const line = (cells) => `${cells.map((cell) => cell.replace(/[\\~^−&%$#_{}]/g, (sign) => names[sign] ?? `\\${sign}`)).join(" & ")} \\\\`;
  return [...signatures.map((text) => `% ${text}`), `\\begin{tabular}{l${"r".repeat(rows[0].length - 1)}}`, ...rows.map(line), "\\end{tabular}", ""].join("\n");
}

function listenToExport(browser) {
  $("copy")?.addEventListener("click", async (event) => {
    const { copy } = event.target.dataset;
    if (copy) await navigator.clipboard.writeText(scoreText(copy)).then(() => ($("copied").textContent = "Copied."), (error) => browser.live?.fail(error));
  });
  $("export").addEventListener("click", (event) => {
    const format = event.target.dataset.export;
    if (!format) return;
    const lines = exportLines(exportColumns(browser), browser.order, format);
    const type = format === "json" ? "application/json" : "text/tab-separated-values";
    download(new Blob([...lines], { type }), `segments.${format}`);
  });
}
