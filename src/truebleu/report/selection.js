// SPDX-License-Identifier: Apache-2.0
// The scores of the listed segments: of each system, of the compared pair, and two charts.

/** Resamples times segments, so that an interval takes less than a second. */
const MOST_DRAWN = 50_000_000;
const RESAMPLES = { fewest: 200, most: 10_000 };

class Selection {
  constructor(browser) {
    this.browser = browser;
    this.scatter = new Scatter($("scatter"), browser);
    $("selection").hidden = false;
    // Until the kernel answers, the place of each number is empty.
    const unknown = { value: NaN, bp: NaN, hyp_len: NaN, ref_len: NaN, precisions: Array(facts.orders).fill(NaN) };
    this.show(facts.systems.map(() => unknown));
  }

  /** Shows the scores of the listed segments. */
  show(scores) {
    this.scores = scores;
    const count = this.browser.order?.length ?? facts.segments;
    const orders = scores[0]?.precisions.length ?? 0;
    const table = $("selection").querySelector("table");
    const heads = ["system", facts.metrics[0], "interval", ...Array.from({ length: orders }, (_, n) => `p${n + 1}`), "BP", "ratio", "tokens"];
    this.cells = new Map();
    table.tBodies[0].replaceChildren(...scores.map((score, s) => this.row(score, s)));
    if (heads.length !== table.tHead.rows[0]?.cells.length) {
      const head = heads.map((text, i) => make("th", { scope: "col", ...(i ? { class: "number" } : {}) }, text));
      table.tHead.replaceChildren(make("tr", {}, ...head));
      if (scores.length > 1) addSorting(table);
    }
    const sorted = table.querySelector("[aria-sort]");
    if (sorted) sortRows(sorted);
    const plural = count === 1 ? "" : "s";
    // The report that the playground opens has no other sections.
    const rest = document.getElementById("scores") ? "; the sections above and below show all" : "";
    $("selection-caption").textContent = count === facts.segments
      ? `Scores on all ${count.toLocaleString("en")} segments`
      : `Scores on the ${count.toLocaleString("en")} listed segment${plural}${rest}`;
    $("selection").removeAttribute("aria-busy");
    $("selection-difference").textContent = "";
    this.drawPrecisions(scores);
    this.scatter.draw();
  }

  row(score, s) {
    const name = facts.systems[s];
    const key = make("span", { class: `key s${s % facts.colors}` });
    const label = make("span", { class: "system" }, ...(facts.systems.length > 1 ? [key] : []), make("bdi", {}, name));
    const value = make("td", { class: "number", "data-subset-score": name, "data-value": String(score.value) },
      make("b", {}, fixed(score.value)));
    const interval = make("td", { class: "number" });
    this.cells.set(s, interval);
    const cell = (text) => make("td", { class: "number" }, text);
    return make("tr", {},
      make("th", { scope: "row" }, label), value, interval,
      ...score.precisions.map((precision) => cell(fixed(precision, 1))),
      cell(fixed(score.bp, 3)), cell(fixed(score.hyp_len / score.ref_len, 3)),
      cell(Number.isNaN(score.hyp_len) ? "–" : score.hyp_len.toLocaleString("en")),
    );
  }

  /** Draws the systems again and again: intervals, and how certain the difference is. */
  async compare() {
    const { a, b, order } = this.browser;
    const documents = facts.documents === null ? null : this.browser.labels[facts.documents];
    const units = documents ? new Set(Array.from(order, (i) => documents[i])).size : order.length;
    const scores = this.scores;
    if (units < 2 || [a, b].some((s) => !Number.isFinite(scores[s].value))) return;
    const drawn = Math.floor(MOST_DRAWN / order.length / 100) * 100;
    const resamples = Math.max(RESAMPLES.fewest, Math.min(RESAMPLES.most, drawn));
    const systems = a === b ? [a] : [b, a];
    const segments = Uint32Array.from(order).sort(); // the order of the list changes no number
    const options = { resamples, seed: facts.seed, level: facts.level };
    $("selection").setAttribute("aria-busy", "true");
    try {
      const result = await kernel.compare("report", segments, systems, documents, options);
      if (scores === this.scores) this.showComparison(result, systems, documents);
    } catch (error) {
      if (error.message !== "another comparison began") throw error;
    }
    if (scores === this.scores) $("selection").removeAttribute("aria-busy");
  }

  showComparison({ intervals, difference, interval, p, resamples }, systems, documents) {
    for (const [i, s] of systems.entries()) {
      const ends = intervals[i].map((end) => make("data", { value: String(end) }, fixed(end)));
      this.cells.get(s).replaceChildren(ends[0], " to ", ends[1]);
    }
    if (systems.length < 2) return;
    const [b, a] = systems;
    const name = (s) => make("bdi", {}, facts.systems[s]);
    const number = (value, text) => make("data", { value: String(value) }, text);
    const level = Math.round(1e4 * facts.level) / 100;
    $("selection-difference").replaceChildren(
      name(a), " minus ", name(b), ": ",
      make("b", {}, number(difference, signed(difference))), `, ${level} % interval `,
      number(interval[0], signed(interval[0])), " to ", number(interval[1], signed(interval[1])),
      ", p = ", number(p, p < 0.1 ? String(Number(p.toPrecision(2))) : p.toFixed(2)),
      ` (${resamples.toLocaleString("en")} resamples of ${documents ? "documents" : "segments"}` +
        ", permutation test)",
    );
  }

  /** Precision against n, a line for each of the compared systems. */
  drawPrecisions(scores) {
    const { a, b } = this.browser;
    const shown = [...new Set([a, b])];
    const [width, height, left, bottom] = [300, 170, 34, 22];
    const orders = scores[0].precisions.length;
    const most = Math.max(10, ...shown.flatMap((s) => scores[s].precisions.filter(Number.isFinite)));
    const top = Math.ceil(most / 20) * 20;
    const x = (n) => left + 14 + (n * (width - left - 60)) / Math.max(1, orders - 1);
    const y = (value) => height - bottom - (value / top) * (height - bottom - 10);
    const svg = (tag, attributes, ...children) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    };
    const ticks = [0, top / 2, top].flatMap((value) => [
      svg("line", { x1: left, x2: width, y1: y(value), y2: y(value), stroke: "var(--line)" }),
      svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end", "font-size": 11, fill: "var(--faint)" }, String(value)),
    ]);
    const names = Array.from({ length: orders }, (_, n) =>
      svg("text", { x: x(n), y: height - 5, "text-anchor": "middle", "font-size": 11, fill: "var(--faint)" }, `${n + 1}-gram`));
    const lines = shown.flatMap((s) => {
      const color = `var(--s${s % facts.colors})`;
      const points = scores[s].precisions.map((value, n) => [x(n), y(Number.isFinite(value) ? value : 0)]);
      return [
        svg("polyline", { points: points.join(" "), fill: "none", stroke: color, "stroke-width": 2 }),
        ...points.map(([cx, cy], n) => svg("circle", { cx, cy, r: 3.5, fill: color },
          svg("title", {}, `${facts.systems[s]}, ${n + 1}-grams: ${fixed(scores[s].precisions[n], 1)} %`))),
      ];
    });
    const said = shown.map((s) => `${facts.systems[s]} ${scores[s].precisions.map((value) => fixed(value, 1)).join(", ")}`);
    const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Precisions in percent: ${said.join("; ")}` },
      ...ticks, ...(orders <= 5 ? names : []), ...lines);
    const figure = $("selection-precisions");
    figure.replaceChildren(figure.querySelector("figcaption"), chart);
  }
}
