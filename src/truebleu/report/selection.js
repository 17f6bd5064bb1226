// SPDX-License-Identifier: Apache-2.0
// The scores of the listed segments: in the table of scores, and of the compared pair.

/** Resamples times segments, so that an interval takes less than a second. */
const MOST_DRAWN = 50_000_000;
const RESAMPLES = { fewest: 200, most: 10_000 };

/** The table of scores of a page that has none, because the playground opened it. */
function scoreTable() {
  const row = (tag, cells) => make("tr", {}, ...cells.map((cell, i) =>
    make(i ? tag : "th", { class: ["", "number", "number subset", "number subset"][i] }, ...cell)));
  const head = row("th", [["system"], [facts.metrics[0]], ["selection"], ["place"]]);
  const rows = facts.systems.map((name) => {
    const [score, place] = [make("span", { "data-subset-score": name }, "–"), make("span", { "data-place": "" })];
    return row("td", [[make("bdi", {}, name)], [], [score], [place]]);
  });
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
  $("segments").before(make("div", { class: "measure", id: "scores" }, table));
  return table;
}

const number = (value, text) => make("data", { value: String(value) }, text);

class Selection {
  constructor(browser) {
    this.browser = browser;
    this.scatter = new Scatter($("scatter"), browser);
    this.table = document.querySelector("#scores table") ?? scoreTable();
    this.rows = [...this.table.tBodies[0].rows];
  }

  /** Shows the scores of the listed segments, and the places of systems by them. */
  show(scores, whole, others) {
    this.scores = scores;
    const { listed, live } = this.browser;
    const isPart = listed.length < facts.segments;
    const edited = [...live.editedSegments()].filter((i) => listed.includes(i));
    const place = (all, s) => 1 + all.filter(({ value }) => value > all[s].value).length;
    for (const [s, row] of this.rows.entries()) {
      const cell = row.querySelector("[data-subset-score]");
      cell.dataset.value = String(scores[s].value);
      cell.textContent = fixed(scores[s].value);
      const isStale = edited.some((i) => live.isStale(s, i));
      for (const [k, other] of row.querySelectorAll("[data-subset-metric]").entries()) {
        const value = isStale ? NaN : others[k][s].at(-1);
        other.dataset.value = String(value);
        other.textContent = fixed(value, 1);
      }
      const [now, before] = [place(scores, s), place(whole, s)];
      row.querySelector("[data-place]").replaceChildren(String(now), ...(now === before ? [] : [` (all:\u00a0${before})`]));
    }
    this.table.classList.toggle("selecting", isPart);
    const sorted = this.table.querySelector("[aria-sort]");
    if (sorted) sortRows(sorted);
    else {
      const order = isPart ? [...this.rows.keys()].sort((i, j) => scores[j].value - scores[i].value || i - j) : this.rows.keys();
      this.table.tBodies[0].append(...Array.from(order, (s) => this.rows[s]));
    }
    const { a, b } = this.browser;
    const line = ({ value, precisions, bp, hyp_len, ref_len }, s) =>
      `${facts.systems[s]} ${fixed(value)}: ${precisions.map((precision) => fixed(precision, 1)).join("/")}, ` +
      `BP ${fixed(bp, 3)}, ${hyp_len.toLocaleString("en")} to ${ref_len.toLocaleString("en")} tokens`;
    $("selection-details").replaceChildren(...[...new Set([a, b])].map((s) => make("span", {}, line(scores[s], s))));
    const difference = scores[a].value - scores[b].value;
    this.say(a === b ? [] : [make("b", {}, number(difference, signed(difference)))]);
    this.scatter.draw();
  }

  /** Says the difference of the compared systems: its parts, numbers or texts, and a note. */
  say(parts) {
    const { a, b } = this.browser;
    const name = (s) => make("bdi", {}, facts.systems[s]);
    const pair = a === b ? [name(a), ": "] : [name(a), " minus ", name(b), ": "];
    $("selection-difference").replaceChildren(...(parts.length ? pair : []), ...parts);
  }

  /** The interval and p-value of a difference; `certainty` says what p is corrected for. */
  sayTest(difference, [low, high], p, certainty) {
    const level = Math.round(1e4 * facts.level) / 100;
    const pText = p < 0.1 ? String(Number(p.toPrecision(2))) : p.toFixed(2);
    const alone = difference === null;
    const show = alone ? fixed : signed;
    this.say([
      ...(alone ? [] : [make("b", {}, number(difference, signed(difference))), ", "]),
      `${level}\u00a0% interval `, number(low, show(low)), " to ", number(high, show(high)),
      ...(alone ? [] : [", p = ", number(p, pText)]), certainty,
    ]);
  }

  /** Tests the difference, unless Python has done so, or the segments were chosen by their scores. */
  async compare() {
    const { a, b, listed, live } = this.browser;
    const { scores } = this;
    const difference = scores[a].value - scores[b].value;
    const chosen = this.browser.chosenBy();
    if (chosen) {
      this.say(a === b ? [`${chosen}, so without an interval`] : [make("b", {}, number(difference, signed(difference))), ` (${chosen}, so not a test)`]);
      return;
    }
    const written = facts.pairs?.find((pair) => [a, b].includes(pair.a) && [a, b].includes(pair.b));
    if (written && listed.length === facts.segments && live.isWritten() && !live.editedSegments().size) {
      const sign = written.a === a ? 1 : -1;
      const ends = written.interval.map((end) => sign * end).sort((one, other) => one - other);
      this.sayTest(sign * written.difference, ends, written.p, facts.corrected);
      return;
    }
    const documents = facts.documents === null ? null : this.browser.labels[facts.documents];
    const units = documents ? new Set(listed.map((i) => documents[i])).size : listed.length;
    if (units < 2 || [a, b].some((s) => !Number.isFinite(scores[s].value))) return;
    const drawn = Math.floor(MOST_DRAWN / listed.length / 100) * 100;
    const resamples = Math.max(RESAMPLES.fewest, Math.min(RESAMPLES.most, drawn));
    const options = { resamples, seed: facts.seed, level: facts.level };
    $("listed").setAttribute("aria-busy", "true");
    try {
      const result = await kernel.compare("report", listed, a === b ? [a] : [b, a], documents, options);
      const note = ` (${facts.systems.length > 2 ? "this pair alone, " : ""}${resamples.toLocaleString("en")} resamples of ${documents ? "documents" : "segments"})`;
      if (scores !== this.scores) return;
      if (a === b) this.sayTest(null, result.intervals[0], NaN, note);
      else this.sayTest(result.difference, result.interval, result.p, note);
    } catch (error) {
      if (error.message !== "another comparison began") throw error;
    } finally {
      if (scores === this.scores) $("listed").removeAttribute("aria-busy");
    }
  }
}
