// SPDX-License-Identifier: Apache-2.0
// The five decisions, each drawn from a result. Texts enter the page as text nodes only.

const [MOST_GRAMS, MOST_TOKENS] = [60, 200];
const nameOf = (k) => (k ? `Reference ${k}` : "Hypothesis");
const plural = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

function textElement(tag, attributes, text) {
  const element = make(tag, attributes);
  appendText(element, text);
  return element;
}

/** Keeps the focus on the same control of a part that is drawn again. */
function focusIn(part, selector) {
  const controls = () => [...part.querySelectorAll(selector)];
  const at = controls().indexOf(document.activeElement);
  return () => at >= 0 && (controls()[at] ?? controls().at(-1) ?? $("chosen")).focus({ preventScroll: true });
}

/** Draws each panel of a result into a box. */
const PANELS = {
  normalize(box, { texts, originals }) {
    for (const [k, { normalized }] of texts.entries()) {
      const paragraph = make("p", { class: "line", dir: "auto", ...(normalized.length > 1000 && { class: "line long", tabindex: 0 }) });
      const changes = drawChanges(paragraph, originals[k], normalized);
      box.append(captioned(nameOf(k), changes ? plural(changes, "character") + " changed" : "unchanged", paragraph));
    }
  },

  tokenize(box, { texts }) {
    for (const [k, { tokens }] of texts.entries()) {
      const list = make("ol", { class: "boxes", dir: "auto" });
      for (const token of tokens.slice(0, MOST_TOKENS)) list.append(textElement("li", {}, token));
      if (tokens.length > MOST_TOKENS) list.append(make("li", { class: "remark" }, `and ${plural(tokens.length - MOST_TOKENS, "more token")}`));
      box.append(captioned(nameOf(k), plural(tokens.length, "token"), list));
    }
  },

  count(box, result, { order, choose }) {
    const { options, rows, segment } = result;
    const orders = ordersOf(rows[segment], options);
    const shown = Math.min(order, orders.length);
    const picture = new Picture(result, shown);
    box.append(picture.element);
    const cards = make("div", { class: "orders" });
    for (const [i, [match, of]] of orders.entries()) {
      const n = i + 1;
      const grams = n === shown ? picture.grams : gramsOf(result, n);
      cards.append(orderCard(n, match, of, grams, n === shown ? picture : null, choose));
    }
    box.append(cards);
    return picture;
  },

  aggregate(box, { rows, alone, options, score, segment }, { select }) {
    const orders = options.max_ngram_order;
    const cells = (one) => [one[0], one[1], ...ordersOf(one, options).map(([m, of]) => `${m}/${of}`)];
    const line = (head, one, value) => make("tr", {}, head, ...[...cells(one), value].map(
      (cell) => make("td", { class: "number" }, String(cell)),
    ));
    const heads = ["segment", "tokens", "against", ...Array.from({ length: orders }, (_, n) => `${n + 1}-grams`), "score"];
    const body = make("tbody");
    for (const [i, one] of rows.entries()) {
      const button = make("button", { type: "button", "aria-pressed": i === segment }, String(i + 1));
      button.addEventListener("click", () => select(i));
      body.append(line(make("th", { scope: "row" }, button), one, shownScore(alone[i])));
    }
    const foot = make("tfoot", {}, line(make("th", { scope: "row" }, "sum"), sumOf(rows), shownScore(score)));
    const head = make("tr", {}, ...heads.map((text, i) => make("th", { scope: "col", class: i ? "number" : "" }, text)));
    const table = make("table", {}, make("thead", {}, head), body, foot);
    box.append(make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Rows of integers" }, table));
    if (options.join !== "rows") box.append(make("p", { class: "remark" }, `join=${options.join}: ${OPTIONS.get("join").help}`));
  },

  combine(box, result) {
    const { lines, outcome, smoothed } = formulaOf(result);
    box.append(...lines.map((line) => make("p", { class: "formula", tabindex: 0 }, line)));
    const { score, options } = result;
    if (outcome) box.append(make("p", { class: "formula" }, `BLEU = ${shownScore(score)}`), make("p", { class: "remark" }, `The score is ${outcome}.`));
    if (smoothed && options.smooth_method !== "none") {
      box.append(make("p", { class: "remark" }, `Smoothing ${options.smooth_method}: ${facts.smoothings[options.smooth_method].replaceAll("{}", figure(smoothValue(options)))}.`));
    }
    box.append(make("p", { class: "remark" }, make("code", {}, score.signature)));
  },
};

function captioned(name, note, ...children) {
  return make("div", { class: "captioned" }, make("h4", {}, name, " ", make("small", {}, note)), ...children);
}

/** Draws the normalized text with its changes marked; returns their number. */
function drawChanges(paragraph, before, after) {
  const [a, b] = [Array.from(before), Array.from(after)];
  let [i, j, changes, plain] = [0, 0, 0, ""];
  const flush = () => {
    if (plain) appendText(paragraph, plain);
    plain = "";
  };
  for (const [nextA, nextB] of [...common(a, b), [a.length, b.length]]) {
    if (nextA > i || nextB > j) {
      flush();
      changes += Math.max(nextA - i, nextB - j);
      const [removed, added] = [a.slice(i, nextA), b.slice(j, nextB)];
      if (added.length) {
        const was = removed.slice(0, added.length).join("");
        paragraph.append(textElement("ins", { title: was && `was ${was}` }, added.join("")));
      }
      if (removed.length > added.length) paragraph.append(textElement("del", {}, removed.slice(added.length).join("")));
    }
    if (nextA < a.length) plain += a[nextA];
    [i, j] = [nextA + 1, nextB + 1];
  }
  flush();
  return changes;
}

/** The n-grams of an order, with their words and the places that match. */
function gramsOf({ texts, matches }, order) {
  return matches.orders[order - 1].map((gram) => {
    const starts = texts.map((_, k) => gram.places.filter(([text]) => text === k).map(([, start]) => start));
    const [at, ...inRefs] = starts;
    const k = inRefs.findIndex(({ length }) => length === gram.allowed);
    const matching = gram.allowed ? at.slice(0, at.length - gram.clipped) : [];
    const [[text, start]] = gram.places;
    return {
      ...gram,
      at,
      words: texts[text].tokens.slice(start, start + order),
      links: matching.map((i, n) => [i, k, inRefs[k][Math.min(n, gram.allowed - 1)]]),
    };
  });
}

const KINDS = [["matched", "matched"], ["clipped", "clipped"], ["unmatched", "no match"], ["missed", "missed"]];

/** The n-grams of an order by what became of them; those of the order shown light up in the picture. */
function orderCard(order, match, of, grams, picture, choose) {
  const button = make("button", { type: "button", "aria-pressed": picture !== null }, `${order}-grams`);
  button.addEventListener("click", () => choose(order));
  const meter = make("span", { class: "meter" }, make("span", { class: `m${Math.min(4, order)}` }));
  meter.firstChild.style.width = `${of > 0 ? Math.min(100, (100 * match) / of) : 0}%`;
  const list = make("dl");
  for (const [kind, label] of KINDS) {
    const having = grams.filter((gram) => gram[kind] > 0);
    if (!having.length) continue;
    const chips = having.slice(0, MOST_GRAMS).map((gram) => chip(kind, gram, picture));
    const rest = having.length > MOST_GRAMS ? [make("span", { class: "remark" }, `and ${having.length - MOST_GRAMS} more`)] : [];
    list.append(make("dt", {}, label), make("dd", {}, ...chips, ...rest));
  }
  return make("div", { class: "order" }, make("h4", {}, button, ` ${match} of ${of}`), meter, list);
}

function chip(kind, gram, picture) {
  const words = textElement("bdi", {}, gram.words.join(" "));
  const times = gram[kind] > 1 ? [make("small", {}, ` ×${gram[kind]}`)] : [];
  const limit = kind === "clipped" ? [make("small", {}, ` a reference has ${gram.allowed}`)] : [];
  if (!picture || !gram.links.length) return make("span", { class: `chip ${kind}` }, words, ...times, ...limit);
  const element = make("button", { type: "button", class: `chip ${kind}` }, words, ...times, ...limit);
  for (const event of ["pointerenter", "focus"]) element.addEventListener(event, () => picture.light(gram));
  for (const event of ["pointerleave", "blur"]) element.addEventListener(event, () => picture.light(null));
  return element;
}

/** Hypothesis and references, with a line from each n-gram that matches to its place in a reference. */
class Picture {
  constructor(result, order) {
    Object.assign(this, { order, grams: gramsOf(result, order), lines: [], lit: null });
    const { texts, matches } = result;
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.words = texts.map(({ tokens }, k) => tokens.map((token, i) => {
      const { order: lengths, clipped } = matches.covers[k];
      const kind = clipped[i] ? "clipped" : `m${Math.min(4, lengths[i])}`;
      return textElement("span", { class: `word ${kind}` }, token);
    }));
    if (texts.some(({ tokens }) => tokens.length > MOST_TOKENS)) {
      this.grams = this.grams.map((gram) => ({ ...gram, at: [], links: [] }));
      this.words = [];
    }
    this.element = make("div", { class: "picture" }, this.svg, ...this.words.map((words, k) => (
      captioned(nameOf(k), "", make("p", { class: "line", dir: "auto" }, ...words.flatMap((word) => [word, " "])))
    )), this.words.length ? "" : make("p", { class: "remark" }, `The picture shows texts of up to ${MOST_TOKENS} tokens.`));
    for (const gram of this.grams) {
      for (const i of gram.at) {
        const word = this.words[0][i];
        word.addEventListener("pointerenter", () => this.light(gram));
        word.addEventListener("pointerleave", () => this.light(null));
      }
    }
  }

  /** Draws the lines where the words now stand. */
  draw() {
    const origin = this.element.getBoundingClientRect();
    this.svg.replaceChildren();
    this.lines = [];
    for (const gram of this.grams) {
      for (const [i, k, j] of gram.links) {
        const from = this.bracket(this.words[0], i, origin, "bottom");
        const to = this.bracket(this.words[1 + k], j, origin, "top");
        const bend = Math.max(14, (to.y - from.y) * 0.45);
        const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
        line.setAttribute("d", `${from.path}M${from.x} ${from.y}C${from.x} ${from.y + bend} ${to.x} ${to.y - bend} ${to.x} ${to.y}${to.path}`);
        this.svg.append(line);
        this.lines.push([gram, line]);
      }
    }
    this.light(this.lit);
  }

  /** The line below or above an n-gram, and its middle. */
  bracket(words, start, origin, edge) {
    const first = words[start].getBoundingClientRect();
    const last = words[start + this.order - 1].getBoundingClientRect();
    const y = first[edge] - origin.top + (edge === "bottom" ? 2 : -2);
    const left = Math.min(first.left, last.left) - origin.left;
    const right = (last.top === first.top ? Math.max(first.right, last.right) : first.right) - origin.left;
    return { x: (left + right) / 2, y, path: `M${left + 2} ${y}H${right - 2}` };
  }

  /** Shows one n-gram and its lines; none if `gram` is null. */
  light(gram) {
    this.lit = gram;
    this.element.classList.toggle("dimmed", gram !== null && gram.links.length > 0);
    for (const [of, line] of this.lines) line.classList.toggle("lit", of === gram);
    for (const word of this.words.flat()) word.classList.remove("lit");
    for (const [i, k, j] of gram?.links ?? []) {
      for (let n = 0; n < this.order; n++) {
        this.words[0][i + n].classList.add("lit");
        this.words[1 + k][j + n].classList.add("lit");
      }
    }
  }
}
