// SPDX-License-Identifier: Apache-2.0
// The segment browser: the list with its filters and order, and the selected segment.

const digits = () => (facts.scale === 1 ? 4 : 1);
const fixed = (value, places = digits()) =>
  Number.isFinite(value) ? value.toFixed(places).replace(/^-(?=[0.]*$)/, "").replace("-", "−") : "–";
const isPressed = (id) => $(id).getAttribute("aria-pressed") === "true";
const signed = (value, places = digits()) => (value > 0 ? "+" : "") + fixed(value, places);

class Browser {
  static async open() {
    const browser = new Browser();
    const each = (count, of) => Promise.all(Array.from({ length: count }, (_, i) => of(i)));
    const systems = facts.systems.length;
    [browser.systems, browser.refs, browser.source, browser.scores, browser.costs, browser.stats,
      browser.labels, browser.values] = await Promise.all([
      each(systems, (i) => Column.read(`system.${i}`)),
      each(facts.references, (i) => Column.read(`ref.${i}`)),
      "source" in facts.columns ? Column.read("source") : null,
      each(systems, (i) => read(`score.${i}`)),
      each(systems, (i) => read(`cost.${i}`)),
      each(systems, (i) => read(`stats.${i}`)),
      each(facts.divisions.length, (i) => read(`label.${i}`)),
      each(facts.metrics.length - 1, (k) => each(systems, (i) => read(`value.${k + 1}.${i}`))),
    ]);
    browser.errors = "errors" in facts.types ? JSON.parse(await read("errors")) : [];
    browser.start();
    return browser;
  }

  start() {
    [this.a, this.b] = [0, Math.min(1, facts.systems.length - 1)]; // the best systems are first
    this.against = "all";
    this.all = new Uint32Array(facts.segments).map((_, i) => i);
    this.setCosts(this.costs);
    this.picked = new Set();
    this.only = this.lasso = null;
    this.notes = new Map();
    $("list").style.setProperty("--line-width", `${Math.max(2, String(facts.segments).length)}ch`);
    this.list = new VirtualList($("list"), (row, entry) => this.fill(row, entry), (entry, event) => {
      if (event.shiftKey) this.pickTo(entry);
      else if (event.ctrlKey || event.metaKey) this.pickOne(entry);
      else this.select(entry);
      if (window.matchMedia("(max-width: 56rem)").matches) $("segment").scrollIntoView();
    });
    this.pointer = new Pointer($("segment"), $("bubble"));
    this.fillControls();
    this.listen();
    if (kernel.available) this.live = new Live(this);
    else $("segment").lastElementChild.textContent = "Matches are not marked: this browser has no WebAssembly.";
    this.arrange();
    this.follow();
  }

  setCosts(costs) {
    Object.assign(this, { costs, sorted: null });
    // The more segments there are, the less each costs.
    const largest = costs[0].reduce((most, cost) => Math.max(most, Math.abs(cost) || 0), 0);
    this.costDigits = Math.max(2, Math.min(8, 2 - Math.floor(Math.log10(largest || 1))));
  }

  fillControls() {
    const option = (value, text) => make("option", { value }, text);
    for (const select of [$("a"), $("b")]) select.append(...facts.systems.map((name, i) => option(i, name)));
    $("a").value = this.a;
    $("b").value = this.b;
    const sorts = Object.entries(this.sorts());
    $("sort").append(...sorts.map(([name, { text }]) => option(name, text)));
    $("ranged").append(...sorts.filter(([name]) => !/^(line|against.*)$/.test(name)).map(([name, { text }]) => option(name, text)));
    $("sort").value = facts.systems.length > 1 ? "influence" : "cost";
    for (const [k, { name, labels }] of facts.divisions.entries()) {
      const select = make("select", { id: `filter-${k}` }, option("", "all"));
      select.append(...labels.map((label, i) => option(i, label)));
      $("filters").append(make("label", {}, name, " ", select));
    }
    $("flagged").append(option("", "all"), ...(facts.systems.length > 1 ? [option("differing", "different texts")] : []),
      ...(this.errors.some((own) => Object.keys(own).length) ? [option("marked", "with a marked error")] : []),
      option("edited", "edited"), option("noted", "with a note"), ...(facts.flagged.length ? [option("any", "with a finding")] : []),
      ...facts.flagged.map(({ name }, k) => option(k, name)));
    for (const node of document.querySelectorAll(".pairs-only")) node.hidden = facts.systems.length < 2;
  }

  listen() {
    const arrange = () => this.arrange();
    for (const id of ["search", "least", "most"]) $(id).addEventListener("input", arrange);
    $("browser-form").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["a", "b", "sort", "flagged", "ranged", ...this.filters()]) $(id).addEventListener("change", arrange);
    for (const field of [$("tag"), $("note")]) field.addEventListener("input", () => this.note());
    for (const button of [$("reverse"), $("others-instead")]) {
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", !isPressed(button.id));
        this.arrange();
      });
    }
    $("pick").addEventListener("click", () => this.arrangeAfter(() => this.keepOnly([...this.picked])));
    $("clear").addEventListener("click", () => this.arrangeAfter(() => this.clearFilters()));
    $("list").addEventListener("keydown", (event) => {
      const { page } = this.list;
      const steps = new Map([["ArrowUp", -1], ["ArrowDown", 1], ["PageUp", -page], ["PageDown", page],
        ["Home", -Infinity], ["End", Infinity]]);
      if (!steps.has(event.key)) return;
      event.preventDefault();
      if (event.shiftKey) this.pickTo(this.nextEntry(steps.get(event.key)));
      else this.step(steps.get(event.key));
    });
    $("others").addEventListener("toggle", () => this.show(this.segment));
    window.addEventListener("hashchange", ({ newURL }) => this.follow(newURL && new URL(newURL).hash));
  }

  /** Compares two systems, by their places. */
  compare(a, b) {
    $("a").value = a;
    $("b").value = b;
    this.arrange();
    $("segments").scrollIntoView();
  }

  filters() {
    return facts.divisions.map((_, k) => `filter-${k}`);
  }

  /** Picks the entries from the selected one to this one, which is then selected. */
  pickTo(entry) {
    const [first, last] = [this.selected, entry].sort((a, b) => a - b);
    for (let i = Math.max(0, first); i <= last; i++) this.picked.add(this.order[i]);
    this.select(entry);
    this.showPicks();
  }

  pickOne(entry) {
    const segment = this.order[entry];
    if (!this.picked.delete(segment)) this.picked.add(segment);
    this.select(entry);
    this.showPicks();
  }

  showPicks() {
    $("pick").hidden = !this.picked.size;
    $("pick").textContent = `Only the ${this.picked.size.toLocaleString("en")} picked`;
    this.list.refresh();
  }

  /** Keeps the note and the tag of the segment. */
  note() {
    const [tag, text] = [$("tag").value.replaceAll(":", " "), $("note").value];
    if (tag || text) this.notes.set(this.segment, { tag, text });
    else this.notes.delete(this.segment);
    this.touched = true;
    this.list.refresh();
    writeState(this);
  }

  /** How the listed segments were chosen, if that depends on their scores. */
  chosenBy() {
    const isRanged = $("ranged").value !== "length" && ($("least").value || $("most").value);
    return this.lasso || isRanged ? "chosen by their scores" : this.only ? "picked by hand" : "";
  }

  /** What limits the list: whether it is set, in words, what removes it, and the test of a segment. */
  limits() {
    const text = (id) => $(id).selectedOptions[0].text;
    const reset = (...ids) => () => { for (const id of ids) $(id).value = ""; };
    const [query, shown, least, most] = ["search", "flagged", "least", "most"].map((id) => $(id).value);
    const flagged = new Set((shown === "any" ? facts.flagged : [facts.flagged[shown]]).flatMap((kind) => kind?.segments ?? []));
    const value = this.keys[$("ranged").value].value;
    const inside = this.lasso && this.live && new Set(this.live.selection.scatter.segmentsIn(this.lasso));
    return [
      [query, `“${query}”`, reset("search"), this.searched(query)],
      ...this.filters().map((id, k) => [$(id).value, `${facts.divisions[k].name} ${text(id)}`, reset(id), (i) => this.labels[k][i] === Number($(id).value)]),
      [shown, text("flagged"), reset("flagged"), {
        differing: (i) => this.systems[this.a].text(i) !== this.systems[this.b].text(i),
        marked: (i) => i in this.errors[this.a], edited: (i) => this.live?.isEdited(i), noted: (i) => this.notes.has(i),
      }[shown] ?? ((i) => flagged.has(i))],
      [least || most, `${text("ranged")} ${least || "…"} to ${most || "…"}`, reset("least", "most"),
        (i) => value(i) >= (least || -Infinity) && value(i) <= (most || Infinity)],
      [this.only, `${this.only?.size.toLocaleString("en")} picked`, () => { this.only = null; }, (i) => this.only.has(i)],
      [this.lasso, "within the line drawn", () => { this.lasso = null; }, (i) => inside?.has(i)],
      [isPressed("others-instead"), "all but these", () => $("others-instead").setAttribute("aria-pressed", false)],
    ].filter(([isSet]) => isSet);
  }

  /** The test of a segment for what is searched, in texts of all kinds or of one, as in `ref: text`. */
  searched(query) {
    const [, kind, text] = /^(?:(hyp|ref|src): ?)?(.*)$/su.exec(query);
    const [pattern, { systems, refs, source }] = [patternOf(text), this];
    const columns = { hyp: systems, ref: refs, src: source ? [source] : [] };
    const searched = kind ? columns[kind] : Object.values(columns).flat();
    return (i) => searched.some((column) => column.text(i).search(pattern) >= 0);
  }

  /** Shows what limits the list, and the dialect, each with a button that removes it. */
  showChips() {
    const { live } = this;
    const chips = [...this.limited];
    $("others-instead").hidden = !chips.length;
    if (live && !live.isWritten()) chips.push([true, live.resolved.choice, () => live.score(live.written.choice, {})]);
    $("chips").replaceChildren(...chips.map(([, name, remove]) => {
      const chip = make("button", { type: "button", class: "chip", "aria-label": `Remove: ${name}` }, name, " ×");
      chip.addEventListener("click", () => this.arrangeAfter(remove));
      return chip;
    }));
  }

  arrangeAfter(act) {
    act();
    this.arrange();
    $("list").focus();
  }

  /** Lists these segments only, or those within a drawn line; null for all. */
  keepOnly(segments, lasso = null) {
    this.only = segments && new Set(segments);
    this.lasso = lasso;
    this.picked.clear();
    this.arrange();
  }

  /** Lists the segments that match the search and the filters, in order. */
  arrange() {
    this.a = Number($("a").value);
    this.b = Number($("b").value);
    this.keys = this.sorts();
    this.arrangeNumbers();
    this.limited = this.limits();
    const tests = this.limited.flatMap(([, , , test]) => test ?? []);
    const isLeftOut = isPressed("others-instead");
    const isListed = new Uint8Array(facts.segments).map((_, i) => tests.every((test) => test(i)) !== isLeftOut);
    this.listed = this.all.filter((i) => isListed[i]);
    this.live?.select(); // the kernel computes while the list is drawn
    const order = (this.order = this.ranked().filter((i) => isListed[i]));
    this.selected = -1;
    $("list").scrollTop = 0;
    this.list.show(order.length, -1);
    this.showPicks();
    this.showChips();
    $("clear").hidden = order.length === facts.segments;
    const part = order.length === facts.segments ? "" : `${order.length.toLocaleString("en")} of `;
    $("count").textContent = `${part}${facts.segments.toLocaleString("en")} segment${facts.segments === 1 ? "" : "s"}`;
    $("empty").hidden = order.length > 0;
    if (order.length) this.select(0, false);
  }

  /** The same with the selected segment kept, if it is listed. */
  arrangeAround() {
    const { segment } = this;
    this.arrange();
    const entry = this.order.indexOf(segment);
    if (entry >= 0) this.select(entry, false);
  }

  /** All segments in the order of the list, until it or the numbers change. */
  ranked() {
    const order = [this.a, this.b, $("sort").value, isPressed("reverse")].join();
    if (this.sorted?.order !== order) {
      const value = this.keys[$("sort").value].value ?? ((i) => -i);
      const sign = isPressed("reverse") ? -1 : 1;
      // NaN comes last in both directions.
      const ranks = Float64Array.from(this.all, (i) => (Number.isNaN(value(i)) ? -Infinity : sign * value(i)));
      this.sorted = { order, segments: this.all.toSorted((i, j) => ranks[j] - ranks[i] || i - j) };
    }
    return this.sorted.segments;
  }

  clearFilters() {
    for (const [, , remove] of this.limits()) remove();
  }

  /** What the list can be sorted by: in words, the value of a segment, and what the list shows. */
  sorts() {
    const gap = (all, i) => all[this.a][i] - all[this.b][i];
    const key = (text, value, head = "difference", show = (i) => signed(gap(this.scores, i))) => ({ text, value, head, show });
    const [cost, influence] = [(i) => this.costs[this.a][i], (i) => -gap(this.costs, i)];
    const tokens = (i) => this.row(this.a, i)[0];
    const sorts = { line: key("line", null), score: key("score", (i) => this.scores[this.a][i]) };
    if (facts.systems.length > 1) {
      sorts.difference = key("difference", (i) => gap(this.scores, i));
      sorts.influence = key("influence on the difference", influence, "influence", (i) => signed(influence(i), this.costDigits));
    }
    sorts.cost = key("cost to the corpus", cost, "cost", (i) => signed(cost(i), this.costDigits));
    sorts.length = key("length of the hypothesis", tokens, "tokens", (i) => String(tokens(i)));
    for (const [k, name] of facts.metrics.slice(1).entries()) {
      const [all, places] = [this.values[k], facts.places[k + 1]];
      const own = (i) => fixed(all[this.a][i], places);
      sorts[`value.${k}`] = key(name, (i) => all[this.a][i], name, own);
      if (k + 1 < facts.metrics.length - facts.elsewhere) continue;
      sorts[`against.${k}`] = key(`disagreement with ${name}`, this.disagreement(all), name, (i) => (this.a === this.b ? own(i) : signed(gap(all, i), places)));
    }
    return sorts;
  }

  /** The segments in which A and B match an n-gram a different number of times. */
  matchedDifferently(words) {
    const first = patternOf(words[0]);
    const mayHave = (column, i) => column.spelled[i] || column.text(i).search(first) >= 0;
    const count = (column, i) => (mayHave(column, i) ? occurrences(words, new TextView("", column.pieces(i)).tokens).length : 0);
    const matches = (s, i) => Math.min(count(this.systems[s], i), Math.max(...this.refs.map((ref) => (ref.has(i) ? count(ref, i) : 0))));
    return this.all.filter((i) => matches(this.a, i) !== matches(this.b, i));
  }

  /** How much a metric disagrees with sentence scores about A and B: the order is SegmentScores.disagreement's. */
  disagreement(values) {
    const { a, b } = this;
    const mean = (all) => all.filter(Number.isFinite).reduce((sum, value, _, { length }) => sum + value / length, 0);
    const [score, value] = [this.scores, values].map((all) => {
      const middle = a === b ? mean(all[a]) : 0;
      return (i) => all[a][i] - (a === b ? middle : all[b][i]);
    });
    return (i) => -score(i) * value(i);
  }

  /** The counts of a segment: lengths, matches and n-grams of each order. */
  row(system, segment) {
    const width = 2 + 2 * facts.counted;
    return this.stats[system].subarray(segment * width, (segment + 1) * width);
  }

  /** Sets the numbers that the list shows with each text: their names and functions. */
  arrangeNumbers() {
    const { head, show } = this.keys[$("sort").value];
    const compared = facts.systems.length > 1 ? [this.a, this.b] : [this.a];
    this.numbers = compared.map((s) => [facts.systems[s], (i) => fixed(this.scores[s][i])]);
    if (compared.length > 1 || head !== "difference") this.numbers.push([head, show]);
    $("columns").replaceChildren(...this.numbers.flatMap(([name], i) => [
      ...(i ? [" · "] : []), make("bdi", {}, name),
    ]));
  }

  /** Writes a row of the list: the text and score of each compared system, then a number. */
  fill(row, entry) {
    const segment = this.order[entry];
    const compared = [...new Set([this.a, this.b])];
    const texts = compared.map((system) => this.systems[system].text(segment));
    const start = texts.length > 1 ? differFrom(...texts) : 0;
    const snippets = texts.map((text) => {
      const snippet = make("span", { class: "snippet", dir: "auto" });
      appendText(snippet, (start ? "… " : "") + text.slice(start, start + 300));
      return snippet;
    });
    const numbers = this.numbers.map(([, number]) => make("span", { class: "number" }, number(segment)));
    const line = make("span", { class: "line" }, String(segment + 1));
    row.replaceChildren(line, ...snippets.flatMap((text, k) => [text, numbers[k]]),
      ...numbers.slice(Math.max(texts.length, numbers.length - 1)));
    row.classList.toggle("alone", texts.length === 1);
    row.classList.toggle("picked", this.picked.has(segment));
    row.classList.toggle("edited", this.live?.isEdited(segment) ?? false);
    row.classList.toggle("noted", this.notes.has(segment));
  }

  step(by) {
    if (this.order.length) this.select(this.nextEntry(by));
  }

  nextEntry(by) {
    return Math.max(0, Math.min(this.order.length - 1, this.selected + by));
  }

  /** Shows an entry of the list; `link` puts it into the address. */
  select(entry, link = true) {
    this.selected = entry;
    this.list.select(entry);
    this.show(this.order[entry]);
    if (!link) return;
    this.touched = true;
    writeState(this);
  }

  /** Shows the state and the segment that a link names, even if the address has changed since. */
  follow(link = location.hash) {
    const { segment, alone } = readState(this, link);
    if (segment === null || !(segment in this.scores[0])) return;
    let entry = this.order.indexOf(segment);
    if (entry < 0 && alone) {
      this.clearFilters();
      this.arrange();
      entry = this.order.indexOf(segment);
    }
    if (entry >= 0) this.select(entry, false);
    else this.show(segment);
    $("browser").scrollIntoView();
  }

  /** Shows a segment; if its tokens are not in the page, the kernel tokenizes first. */
  show(segment) {
    this.segment = segment;
    document.documentElement.dataset.drawing = ""; // for tests and benchmarks
    this.drawing = this.live?.needsTokens(segment) ? this.live.tokenize(segment) : this.draw(segment);
    this.drawing.catch((error) => this.live.fail(error));
  }

  /** The matches that cover the tokens of a hypothesis and its references. */
  async covers(texts) {
    const tokens = texts.map((text) => text.tokens);
    if (this.live) return (await kernel.matches(tokens, this.live.resolved)).covers;
    const none = (list) => list.map(() => 0);
    return tokens.map((list) => ({ order: none(list), start: none(list), clipped: [] }));
  }

  /** Draws a segment, matched with the selected references. */
  async draw(segment) {
    const turn = (this.turn = {});
    const view = (name, column) => new TextView(name, column.pieces(segment));
    const present = this.refs.map((column, k) => [column, k]).filter(([column]) => column.has(segment));
    const refs = present.map(([column, k]) => ({ k, text: view(`reference ${k + 1}`, column) }));
    const hyps = this.systems.map((column, i) => view(facts.systems[i], column));
    if (!refs.some(({ k }) => String(k) === this.against)) this.against = "all";
    const pool = facts.firstAlone ? refs.slice(0, 1) : refs;
    const selected = this.against === "all" ? pool : refs.filter(({ k }) => String(k) === this.against);
    const against = selected.map(({ text }) => text);
    const compared = [...new Set([this.a, this.b])];
    const others = [...facts.systems.keys()].filter((i) => !compared.includes(i));
    const drawn = $("others").open ? [...compared, ...others] : compared;
    const [[, ...ofRefs], ...ofHyps] = await Promise.all([
      this.covers([hyps[this.a], ...refs.map(({ text }) => text)]),
      ...drawn.map((i) => this.covers([hyps[i], ...against])),
    ]);
    if (turn !== this.turn || segment !== this.segment) return this.drawing;
    const texts = new Map();
    const draw = (paragraph, text, marks, others) => {
      text.draw(paragraph, marks);
      texts.set(paragraph, { text, others });
    };
    const card = (i) => {
      const paragraph = make("p", { class: "text", dir: "auto" });
      draw(paragraph, hyps[i], ofHyps[drawn.indexOf(i)][0], against);
      return this.card(i, segment, paragraph);
    };
    const references = refs.map(({ k, text }, i) => {
      const paragraph = make("p", { class: "text", dir: "auto" });
      draw(paragraph, text, ofRefs[i], hyps);
      const heading = make("h4", {}, this.referenceButton(k, refs.length));
      const part = make("div", { class: "reference", "data-key": `ref.${k}` }, heading, paragraph);
      this.live?.addEditor(part, heading);
      return part;
    });
    $("segment-title").textContent = `Segment ${segment + 1}`;
    const { tag = "", text = "" } = this.notes.get(segment) ?? {};
    if (document.activeElement !== $("tag")) $("tag").value = tag;
    if (document.activeElement !== $("note")) $("note").value = text;
    const classes = facts.divisions.map(({ name, labels }, k) => [name, labels[this.labels[k][segment]]]);
    $("segment-classes").replaceChildren(...classes.map(([name, label]) =>
      make("span", {}, `${name} `, make("bdi", {}, label))));
    const parts = [];
    if (this.source) {
      const paragraph = make("p", { class: "text", dir: "auto" });
      appendText(paragraph, this.source.text(segment));
      parts.push(make("div", { class: "reference" }, make("h4", {}, "source"), paragraph));
    }
    parts.push(...references);
    if (refs.length > 1) parts.push(make("p", { class: "either" }, this.referenceButton("all", refs.length)));
    replaceAround($("references"), parts);
    replaceAround($("cards"), compared.map(card));
    $("others").hidden = !others.length;
    $("others").firstElementChild.textContent =
      `${others.length} other system${others.length === 1 ? "" : "s"}`;
    $("others").lastElementChild.replaceChildren(...(drawn.length > compared.length ? others.map(card) : []));
    this.showDifference([hyps[this.a], hyps[this.b]]);
    this.pointer.show(texts);
    highlightMatches($("segment"), $("search").value);
    writeState(this);
    delete document.documentElement.dataset.drawing;
  }

  /** Shows A above B, with the words marked that only one of them has. */
  showDifference(views) {
    const [names, paragraphs] = ["dt", "dd"].map((tag) => [...$("difference").querySelectorAll(tag)]);
    for (const [k, system] of [this.a, this.b].entries()) names[k].replaceChildren(make("bdi", {}, facts.systems[system]));
    drawDifference(paragraphs, views);
  }

  card(system, segment, paragraph) {
    const [hypLen, refLen, ...counts] = this.row(system, segment);
    const match = counts.slice(0, facts.orders);
    const total = counts.slice(facts.counted, facts.counted + facts.orders);
    const values = this.values.map((of, k) => `${facts.metrics[k + 1]} ${fixed(of[system][segment], facts.places[k + 1])}`);
    const heading = make("header", {},
      make("h4", {}, make("bdi", {}, facts.systems[system])),
      make("span", { class: "score" }, fixed(this.scores[system][segment])),
    );
    const edited = this.live?.isEdited(segment);
    const errors = this.systems[system].edits.has(segment) ? [] : this.errors[system]?.[segment] ?? [];
    for (const [start, severity, , text] of errors) markPart(paragraph, start, start + text.length, { class: "error", "data-severity": severity });
    const card = make("article", { class: "card", "data-key": `system.${system}` },
      heading,
      paragraph,
      make("dl", {},
        ...this.fact("matched n-grams", match.map((count, n) => `${count}/${total[n]}`).join("  ")),
        ...this.fact("tokens", `${hypLen}, reference ${refLen}`),
        ...this.fact("cost to the corpus", signed(this.costs[system][segment], this.costDigits)),
        ...(values.length ? this.fact("other metrics", edited ? "not computed for edited texts" : values.join(", ")) : []),
      ),
      ...(errors.length ? [make("ul", { class: "errors", "aria-label": "marked errors" }, ...errors.map(([, , what, text]) => {
        const quote = make("q", { dir: "auto" });
        appendText(quote, text);
        return make("li", {}, `${what}: `, quote);
      }))] : []),
    );
    this.live?.addEditor(card, heading);
    return card;
  }

  fact(name, value) {
    return [make("dt", {}, name), make("dd", {}, value)];
  }

  /** A button that selects the references that matches are marked against. */
  referenceButton(k, references) {
    const text = k === "all" ? "match with all references" : `reference ${k + 1}`;
    if (references === 1) return text;
    const button = make("button", { type: "button", "aria-pressed": String(k) === this.against }, text);
    button.addEventListener("click", () => {
      this.against = String(k);
      this.show(this.segment);
      this.drawing.then(() => document.querySelector("#references [aria-pressed=true]")?.focus());
    });
    return button;
  }
}

/** Replaces the children of an element, except the editor that has the focus. */
function replaceAround(parent, children) {
  const active = parent.contains(document.activeElement) && document.activeElement;
  const editor = active && active.closest(".editor");
  const old = editor && editor.closest("[data-key]");
  const fresh = old && children.find((child) => child.dataset?.key === old.dataset.key);
  if (!fresh) {
    const button = active && active.matches(".edit") && active.getAttribute("aria-label");
    parent.replaceChildren(...children);
    if (button) parent.querySelector(`[aria-label="${CSS.escape(button)}"]`)?.focus();
    return;
  }
  const around = (element, kept, nodes, isKept) => {
    for (const node of [...element.childNodes]) if (node !== kept) node.remove();
    const all = [...nodes];
    kept.before(...all.slice(0, all.findIndex(isKept)));
    element.append(...all.slice(all.findIndex(isKept) + 1));
  };
  around(old, editor, fresh.childNodes, (node) => node.classList?.contains("editor"));
  around(parent, old, children, (node) => node === fresh);
}

/** The nodes of a text that is drawn, and where each begins. */
function textNodes(root) {
  const nodes = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let at = 0; walker.nextNode(); at += walker.currentNode.length) nodes.push([at, walker.currentNode]);
  return nodes;
}

/** Puts a part of a text that is drawn into elements: one in each node that has some of it. */
function markPart(paragraph, start, end, attributes) {
  for (const [at, node] of textNodes(paragraph)) {
    const [from, to] = [Math.max(0, start - at), Math.min(node.length, end - at)];
    if (start < 0 || from >= to) continue;
    const part = node.splitText(from);
    part.splitText(to - from);
    const mark = make("span", attributes);
    part.replaceWith(mark);
    mark.append(part);
  }
}

/** Highlights the text that was searched for, in browsers that can do so without markup. */
function highlightMatches(root, query) {
  if (!globalThis.Highlight) return;
  const ranges = [];
  for (const paragraph of query ? root.querySelectorAll(".text") : []) {
    const nodes = textNodes(paragraph);
    const place = (at) => {
      const [start, node] = nodes.findLast(([from]) => from <= at);
      return [node, at - start];
    };
    for (const { 0: { length }, index } of paragraph.textContent.matchAll(patternOf(query.replace(/^(hyp|ref|src): ?/, "")))) {
      if (!length) continue;
      const range = new Range();
      range.setStart(...place(index));
      const [node, last] = place(index + length - 1);
      range.setEnd(node, last + 1);
      ranges.push(range);
    }
  }
  CSS.highlights.set("search", new Highlight(...ranges));
}
