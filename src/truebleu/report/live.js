// SPDX-License-Identifier: Apache-2.0
// What the reader changes: the selection, the dialect, and texts. The kernel computes what follows.

/** Milliseconds without a change after which intervals are computed and the address is written. */
const SETTLED = 200;
const SET = "report";

/** The options that have a menu of their own, and how their values read. */
const MENUS = {
  tokenize: TABLE.native,
  lowercase: [false, true],
  smooth_method: Object.keys(TABLE.smoothValues),
  max_ngram_order: [1, 2, 3, 4, 5, 6, 7, 8, 9],
};
const VALUE_NAMES = { lowercase: { false: "as written", true: "lowercase" } };

/** The number of references of each segment, or `var`. */
function referenceCount(columns) {
  if (!columns.some(({ absent }) => absent.size)) return columns.length;
  const counts = new Set();
  for (let i = 0; i < facts.segments; i++) counts.add(columns.filter((column) => column.has(i)).length);
  return counts.size === 1 ? [...counts][0] : "var";
}

const columnName = (key) => (key.startsWith("system.") ? facts.systems[key.slice(7)] : `reference ${Number(key.slice(4)) + 1}`);

class Live {
  constructor(browser) {
    this.browser = browser;
    this.written = { ...facts.dialect, choice: facts.dialect.name, changes: {} };
    this.resolved = this.written;
    this.canCount = facts.live;
    this.editing = null;
    this.selection = new Selection(browser);
    this.columns = new Map([
      ...browser.systems.map((column, s) => [`system.${s}`, column]),
      ...browser.refs.map((column, k) => [`ref.${k}`, column]),
    ]);
    this.nrefs = referenceCount(browser.refs);
    // When the page is open: the kernel does not delay it.
    const opened = new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve, { timeout: 500 }));
    this.ready = opened.then(() => Promise.all([kernel.keep(SET, this.written, browser.stats), ...this.keepOthers()])).then(() => { this.ready = null; });
    this.ready.then(() => this.showWhole()).catch((error) => this.fail(error));
    if (this.canCount) this.fillMenus();
    $("no-edits").hidden = this.canCount;
  }

  fail(error) {
    $("problem").textContent = error.message;
    $("problem").hidden = false;
  }

  /** Keeps the rows of the metrics besides BLEU whose formulas the kernel has. */
  keepOthers() {
    return facts.formulas.map(async ([k, corpus]) => {
      const tables = await Promise.all(facts.systems.map(async (_, i) => rowsOf(await read(`rows.${k}.${i}`))));
      return kernel.call("keep", [`${SET}.${k}`, { corpus }, tables]);
    });
  }

  // ---- the selection

  /** Ends what is computed, for a change. */
  begin() {
    clearTimeout(this.timer);
    delete document.documentElement.dataset.settled; // for tests
    return (this.turn = {});
  }

  /** Shows the scores of the listed segments, and later their intervals. */
  async select() {
    const turn = this.begin();
    const { listed } = this.browser;
    if (!listed.length) {
      this.selection.say([]);
      writeState(this.browser);
      document.documentElement.dataset.settled = ""; // for tests
      return;
    }
    try {
      if (this.ready) await this.ready; // a wait for nothing would let the list be drawn before the kernel begins
      const [whole, scores, ...others] = await Promise.all([this.whole, kernel.select(SET, listed, this.resolved, this.nrefs),
        ...facts.formulas.map(([k]) => kernel.call("select", [`${SET}.${k}`, listed]))]);
      if (turn !== this.turn) return;
      this.selection.show(scores, whole, others);
      this.timer = setTimeout(() => this.settle(turn), SETTLED);
    } catch (error) {
      this.fail(error);
    }
  }

  async settle(turn) {
    writeState(this.browser);
    try {
      if (this.stale) {
        this.stale = false;
        this.browser.setCosts(await kernel.each("costs", SET));
        this.browser.list.refresh();
        this.browser.show(this.browser.segment);
      }
      await this.selection.compare();
    } catch (error) {
      if (turn === this.turn) this.fail(error);
    }
    if (turn === this.turn && !this.scoring) document.documentElement.dataset.settled = ""; // for tests
  }

  // ---- the dialect

  fillMenus() {
    $("differently").hidden = false;
    const option = (value, text, attributes = {}) => make("option", { value, ...attributes }, text);
    const names = TABLE.dialects.map(({ name }) => name);
    const own = names.includes(this.written.name) ? [] : [option(this.written.name, this.written.name)];
    $("dialect").append(...own, ...names.map((name) =>
      option(name, name, isNative(resolve(name)) ? {} : { disabled: "" })));
    for (const [name, values] of Object.entries(MENUS)) {
      $(`option-${name}`).append(...values.map((value) =>
        option(JSON.stringify(value), VALUE_NAMES[name]?.[value] ?? String(value))));
      $(`option-${name}`).addEventListener("change", () => {
        const value = JSON.parse($(`option-${name}`).value);
        this.score(this.resolved.choice, { ...this.resolved.changes, [name]: value });
      });
    }
    $("dialect-form").addEventListener("submit", (event) => event.preventDefault());
    $("dialect").addEventListener("change", () => this.score($("dialect").value, {}));
    $("as-written").addEventListener("click", () => this.score(this.written.choice, {}));
    $("patch").addEventListener("click", () => this.savePatch());
    $("reset-edits").addEventListener("click", () => this.resetEdits());
    this.showMenus();
  }

  showMenus() {
    const { options, choice } = this.resolved;
    $("dialect").value = choice;
    for (const name of Object.keys(MENUS)) {
      const select = $(`option-${name}`);
      const value = JSON.stringify(options[name]);
      if (![...select.options].some((option) => option.value === value)) {
        select.append(make("option", { value }, String(options[name])));
      }
      select.value = value;
    }
    $("as-written").hidden = this.isWritten();
  }

  isWritten() {
    return sameValue(this.resolved.options, this.written.options);
  }

  /** The dialect with this name, or the report's own, with changes. */
  resolveChoice(choice, changes) {
    return { ...resolve(choice === this.written.name ? this.written : choice, changes), choice, changes };
  }

  /** Scores all segments under another dialect. */
  async score(choice, changes) {
    const turn = (this.scoring = {});
    $("problem").hidden = true;
    try {
      const resolved = this.resolveChoice(choice, changes);
      $("progress").hidden = false;
      $("progress").removeAttribute("value");
      await this.ready;
      await this.load();
      const names = (kind, count) => Array.from({ length: count }, (_, i) => `${kind}.${i}`);
      const { systems, refs } = this.browser;
      await kernel.count(SET, resolved, names("system", systems.length), names("ref", refs.length), (share) => {
        $("progress").value = share;
      });
      for (const segment of this.editedSegments()) await this.recount(segment, false);
      const [scores, costs, stats] = await Promise.all(["values", "costs", "table"].map((kind) => kernel.each(kind, SET)));
      if (turn !== this.scoring) return;
      Object.assign(this.browser, { scores, stats });
      this.browser.setCosts(costs);
      this.resolved = resolved;
      const { max_ngram_order: orders, references, scale } = resolved.options;
      Object.assign(facts, { orders, counted: countedOrders(resolved), firstAlone: references === "first", scale });
      for (const column of this.columns.values()) column.redrawn.clear();
      this.showMenus();
      this.showWhole();
      this.browser.arrangeAround();
    } catch (error) {
      if (turn === this.scoring) {
        this.fail(error);
        this.showMenus();
      }
    }
    if (turn === this.scoring) [$("progress").hidden, this.scoring] = [true, null];
  }

  /** Puts the texts into the kernel, once. */
  load() {
    this.loaded ??= Promise.all(Array.from(this.columns, ([name, { whole, lengths, absent }]) =>
      kernel.loadWhole(name, whole, lengths, absent)));
    return this.loaded;
  }

  /** Writes the scores of all segments into the table of scores. */
  async showWhole() {
    const { table, rows } = this.selection;
    const scores = await (this.whole = kernel.select(SET, null, this.resolved, this.nrefs));
    const heads = Array.from(table.tHead.rows[0].cells, (cell) => cell.textContent);
    const edited = this.editedSegments().size > 0;
    const changed = !this.isWritten() || edited;
    this.originals ??= new Map(rows.flatMap((row) => [...row.cells]).map((cell) => [cell, [...cell.childNodes]]));
    for (const [s, row] of rows.entries()) {
      const { value, bp, hyp_len, ref_len } = scores[s];
      const live = new Map([[facts.metrics[0], [value, digits()]], ["BP", [bp, 3]], ["length", [hyp_len / ref_len, 3]]]);
      for (const [i, cell] of [...row.cells].entries()) {
        if (!i || cell.matches(".subset") || heads[i] === "findings") continue;
        const [number, old] = [live.get(heads[i]), this.originals.get(cell)];
        const isOld = edited || heads[i].endsWith("interval") || heads[i] === "rank";
        if (number && (changed || !old.length)) cell.replaceChildren(make("data", { value: String(number[0]) }, fixed(...number)));
        else cell.replaceChildren(...(changed && isOld ? ["–"] : old));
      }
    }
    if (!$("live-note")) return; // the playground opened this page
    $("live-note").hidden = !changed;
    $("live-note").firstElementChild.textContent = signatureOf(this.resolved, this.nrefs, await kernel.versions());
  }

  // ---- edited texts

  editedSegments() {
    return new Set([...this.columns.values()].flatMap((column) => [...column.edits.keys()]));
  }

  /** Whether other metrics of a system do not hold for a segment: a text is edited. */
  isStale(s, segment) {
    return [this.columns.get(`system.${s}`), ...this.browser.refs].some(({ edits }) => edits.has(segment));
  }

  isEdited(segment) {
    return [...this.columns.values()].some(({ edits }) => edits.has(segment));
  }

  /** Adds a button that opens the editor of a text, or the open editor, below the heading of its part. */
  addEditor(part, heading) {
    if (!this.canCount) return;
    const { key } = part.dataset;
    const name = columnName(key);
    const column = this.columns.get(key);
    const { segment } = this.browser;
    const edited = column.edits.has(segment);
    part.classList.toggle("changed", edited);
    if (this.editing !== key) {
      const edit = make("button", { type: "button", class: "edit", "aria-label": `Edit ${name}` }, edited ? "Edited" : "Edit");
      edit.addEventListener("click", () => this.open(key));
      heading.append(edit);
      return;
    }
    const field = make("textarea", { "aria-label": `Text of ${name}`, spellcheck: "false", dir: "auto", rows: "3" });
    field.value = column.text(segment);
    field.addEventListener("input", () => this.edit(key, segment, field.value.replace(/[\r\n]+/g, " ")));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation(); // which would take the focus away
      this.close();
    });
    const reset = make("button", { type: "button" }, "Reset");
    reset.addEventListener("click", () => {
      field.value = column.original(segment);
      this.edit(key, segment, field.value);
    });
    const done = make("button", { type: "button" }, "Done");
    done.addEventListener("click", () => this.close());
    heading.after(make("div", { class: "editor" }, field, reset, done));
  }

  open(key) {
    this.editing = key;
    document.activeElement?.blur();
    this.browser.show(this.browser.segment);
    this.browser.drawing.then(() => document.querySelector(`[data-key="${key}"] textarea`)?.focus());
  }

  close() {
    const key = this.editing;
    this.editing = null;
    document.activeElement?.blur();
    this.browser.show(this.browser.segment);
    this.browser.drawing.then(() => document.querySelector(`[data-key="${key}"] .edit`)?.focus());
  }

  /** Changes a text; the segment and all that depends on it follow. */
  edit(key, segment, text) {
    const column = this.columns.get(key);
    if (text === column.original(segment)) column.edits.delete(segment);
    else column.edits.set(segment, text);
    for (const one of this.columns.values()) one.redrawn.delete(segment);
    this.begin();
    this.recount(segment).catch((error) => this.fail(error));
  }

  async recount(segment, shown = true) {
    await this.ready;
    const { browser } = this;
    const texts = (columns) => columns.filter((column) => column.has(segment)).map((column) => column.text(segment));
    const all = await kernel.recount(SET, segment, texts(browser.systems), texts(browser.refs));
    if (!shown) return;
    const width = 2 + 2 * facts.counted;
    for (const [s, numbers] of all.entries()) {
      if (!(browser.stats[s] instanceof Float64Array)) browser.stats[s] = Float64Array.from(browser.stats[s]);
      browser.stats[s].set(numbers.subarray(0, width), segment * width);
      browser.scores[s][segment] = numbers[width];
    }
    this.stale = true; // costs
    browser.sorted = null;
    this.showEdits();
    browser.list.refresh();
    if (browser.segment === segment) browser.show(segment);
    this.showWhole();
    this.select();
  }

  /** Forgets all edits; returns their segments, which must be counted again. */
  clearEdits() {
    const segments = this.editedSegments();
    for (const column of this.columns.values()) {
      column.edits.clear();
      for (const segment of segments) column.redrawn.delete(segment);
    }
    return segments;
  }

  async resetEdits() {
    for (const segment of this.clearEdits()) await this.recount(segment);
    if ($("flagged").value === "edited") $("flagged").value = "";
    this.showEdits();
    this.browser.arrangeAround();
  }

  showEdits() {
    const count = this.editedSegments().size;
    $("edits").hidden = !count;
    $("edits").firstElementChild.textContent = `${count} edited segment${count === 1 ? "" : "s"}`;
  }

  /** The edits as a patch of the files of systems and references. */
  savePatch() {
    const parts = [];
    for (const [key, column] of this.columns) {
      if (!column.edits.size) continue;
      const name = columnName(key);
      parts.push(`--- ${name}\n+++ ${name}\n`);
      for (const [segment, text] of [...column.edits].sort(([a], [b]) => a - b)) {
        const line = segment + 1;
        parts.push(`@@ -${line} +${line} @@\n-${column.original(segment)}\n+${text}\n`);
      }
    }
    download(new Blob(parts, { type: "text/x-diff" }), "edits.patch");
  }

  // ---- tokens

  /** Whether the page does not have the tokens of a segment. */
  needsTokens(segment) {
    if (this.isWritten() && !this.isEdited(segment)) return false;
    return ![...this.columns.values()].every((column) => column.redrawn.has(segment) || !column.has(segment));
  }

  /** Tokenizes a segment and draws it. */
  async tokenize(segment) {
    const columns = [...this.columns.values()].filter((column) => column.has(segment));
    const texts = columns.map((column) => column.text(segment));
    const { resolved } = this;
    const all = await kernel.tokens(texts, resolved);
    if (resolved !== this.resolved) return;
    for (const [i, column] of columns.entries()) {
      if (column.text(segment) !== texts[i]) continue;
      const { tokens, places } = all[i];
      column.redrawn.set(segment, places ? piecesOf(texts[i], places.counted, places.gaps, places.sizes) : spelledPieces(tokens));
    }
    if (this.browser.segment === segment) await this.browser.draw(segment);
  }
}
