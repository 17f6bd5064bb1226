// SPDX-License-Identifier: Apache-2.0
// The page: texts and choices in, panels out.

class Playground {
  state = new State();
  run = 0;

  constructor() {
    const names = TABLE.dialects.filter((dialect) => isNative(resolve(dialect.name))).map(({ name }) => name);
    for (const select of [$("tool"), $("with")]) select.append(...names.map((name) => make("option", { value: name }, name)));
    this.fields = new Fields((name, value) => this.change(name, value));
    this.files = new Files();
    this.listen();
    new ResizeObserver(() => this.pictures?.forEach((picture) => picture.draw())).observe($("count"));
  }

  listen() {
    const set = (id, event, write) => $(id).addEventListener(event, () => {
      write($(id).value);
      this.update();
    });
    set("hyp", "input", (text) => { this.state.hyp = text; });
    set("tool", "change", (name) => Object.assign(this.state, { tool: name, changes: {} }));
    set("with", "change", (name) => { this.state.against = name; });
    $("all-moves").addEventListener("click", () => $("all-moves").setAttribute("aria-pressed", $("all-moves").ariaPressed !== "true"));
    set("segment", "input", (number) => { this.state.segment = Math.max(1, Number(number)) - 1; });
    $("more").addEventListener("click", () => this.resize((refs) => [...refs, ""]));
    $("fewer").addEventListener("click", () => this.resize((refs) => refs.slice(0, -1)));
    window.addEventListener("hashchange", ({ newURL }) => {
      const { hash } = new URL(newURL);
      return hash.includes("=") ? this.follow(hash) : this.remember(); // a link to a part of the page
    });
  }

  resize(change) {
    this.state.refs = change(this.state.refs);
    this.fill();
    $("texts").lastElementChild.querySelector("textarea").focus();
    this.update();
  }

  change(name, value) {
    if (value === undefined) delete this.state.changes[name];
    else this.state.changes[name] = value;
    this.update();
  }

  /** Shows what a link says. */
  follow(link = location.hash) {
    this.state = State.read(link.slice(1));
    this.fill();
    return this.update();
  }

  /** Writes the state into the fields of text. */
  fill() {
    const { hyp, refs } = this.state;
    if ($("hyp").value !== hyp) $("hyp").value = hyp;
    for (const label of document.querySelectorAll("#texts label + label")) label.remove();
    for (const [k, text] of refs.entries()) {
      const area = make("textarea", { rows: 3, spellcheck: "false", autocomplete: "off", dir: "auto" });
      area.value = text;
      area.addEventListener("input", () => {
        this.state.refs[k] = area.value;
        this.update();
      });
      $("texts").append(make("label", { class: "typed" }, refs.length > 1 ? `Reference ${k + 1} ` : "Reference ", area));
    }
    $("fewer").hidden = refs.length === 1;
  }

  /** Writes the state into the address; browsers refuse to do so with every key. */
  remember() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => history.replaceState(null, "", this.state.write()), 300);
  }

  /** Computes and draws all; a later call replaces an earlier one. */
  async update() {
    const run = ++this.run;
    delete document.documentElement.dataset.ready;
    const { state } = this;
    try {
      const corpus = state.corpus();
      state.segment = Math.min(state.segment, corpus.hyps.length - 1);
      const own = resolve(state.tool);
      const other = state.against ? resolve(state.against) : Object.keys(state.changes).length ? own : null;
      const [a, b] = await Promise.all([resolve(own, state.changes), other].map((one) => one && resultOf(one, corpus, state.segment)));
      if (run !== this.run) return;
      $("problem").textContent = "";
      document.body.classList.remove("stale");
      this.draw(a, b, corpus);
      this.remember();
      await Promise.all([
        showTools(a, corpus, state.against, (name) => this.choose(name)),
        b ? showMoves(...(state.against ? [a, b] : [b, a]), corpus, this.names()) : null,
        this.fields.show(a, state.changes, corpus),
        this.files.follow(a.resolved),
      ]);
    } catch (error) {
      if (run !== this.run) return;
      $("problem").textContent = error.message;
      document.body.classList.add("stale");
    }
    if (run === this.run) document.documentElement.dataset.ready = ""; // for tests and benchmarks
  }

  /** The names of both ends of the steps. */
  names() {
    const { tool, against, changes } = this.state;
    const own = [tool, ...Object.entries(changes).map(([name, value]) => `${name}=${written(value) || "none"}`)].join(" ");
    return against ? [own, against] : [tool, own];
  }

  choose(name) {
    this.state.against = name === this.state.against ? "" : name;
    this.update();
  }

  draw(a, b, corpus) {
    const { state } = this;
    const both = state.against && b ? [a, b] : [a];
    $("tool").value = state.tool;
    $("with").value = state.against;
    $("score").textContent = shownScore(a.score);
    $("score").dataset.value = a.score.value;
    $("other-score").textContent = state.against ? shownScore(b.score) : "";
    if (state.against) $("other-score").dataset.value = b.score.value;
    const [from, to] = state.against ? [a, b] : [b, a];
    const gap = b ? points(to.score) - points(from.score) : 0;
    $("gap").textContent = b ? `${signed(gap, 2)} points${state.against ? "" : ` by ${plural(Object.keys(state.changes).length, "change")}`}` : "";
    $("moves").hidden = !b;
    $("segments").hidden = corpus.hyps.length === 1;
    $("segment").max = corpus.hyps.length;
    $("segment").value = state.segment + 1;
    $("segment-count").textContent = `of ${corpus.hyps.length}`;
    this.pictures = [];
    for (const panel of document.querySelectorAll("[data-part]")) {
      const { part } = panel.dataset;
      const [sides, refocus] = [panel.querySelector(".sides"), focusIn(panel, ".sides button")];
      sides.replaceChildren(...both.map((result, i) => {
        const side = make("div", { class: `side s${i}` });
        side.append(make("h3", both.length > 1 ? {} : { class: "unseen" }, this.names()[i]));
        const picture = PANELS[part](side, result, {
          order: state.order,
          choose: (order) => { state.order = order; this.update(); },
          select: (segment) => { state.segment = segment; this.update(); },
        });
        if (picture) this.pictures.push(picture);
        return side;
      }));
      refocus();
      const moved = panel.querySelector(".moved");
      moved.hidden = !b || fingerprint(part, a) === fingerprint(part, b);
      moved.textContent = state.against ? "the tools differ here" : "this moved";
    }
    for (const picture of this.pictures) picture.draw();
  }
}

/** What a panel shows, to see whether two results differ in it. */
function fingerprint(part, { texts, rows, score, options }) {
  const value = {
    normalize: texts.map(({ normalized }) => normalized),
    tokenize: texts.map(({ tokens }) => tokens),
    count: rows.map((one) => [one[0], ordersOf(one, options)]),
    aggregate: rows.map((one) => one[1]),
    combine: [score.precisions, score.bp, points(score)],
  }[part];
  return JSON.stringify(value);
}

listenToTheme();
const playground = new Playground();
if (location.hash.includes("=")) playground.follow();
else location.replace(document.querySelector("#examples a").hash);
