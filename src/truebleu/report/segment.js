// SPDX-License-Identifier: Apache-2.0
// One segment: its texts with their matches. Texts enter the page as text nodes only.

/** A text on the page, with its tokens. */
class TextView {
  constructor(name, pieces) {
    this.name = name;
    this.pieces = pieces;
    this.places = [...pieces.keys()].filter((i) => pieces[i].counted !== undefined);
    this.words = this.places.map((i) => pieces[i]);
    this.tokens = this.words.map((piece) => piece.counted);
    this.elements = [];
  }

  /** Draws the text; tokens of one match are one run. */
  draw(paragraph, marks) {
    this.marks = marks;
    let [run, i, gap] = [paragraph, -1, null];
    for (const piece of this.pieces) {
      if (piece.counted === undefined) {
        gap = piece.text;
        continue;
      }
      i++;
      const joined = i > 0 && this.joined(i);
      if (gap !== null) appendText(joined ? run : paragraph, gap);
      gap = null;
      if (!joined) {
        run = make("span", { class: this.class(i) });
        paragraph.append(run);
      }
      const clipped = marks.clipped[i] ? " clipped" : "";
      const word = make("span", { class: `token${clipped}`, "data-token": i });
      appendText(word, piece.text);
      run.append(word);
      this.elements.push(word);
    }
    if (gap !== null) appendText(paragraph, gap);
  }

  /** The text between a token and the token before it. */
  gap(i) {
    const before = this.pieces[this.places[i] - 1];
    return before && before.counted === undefined ? before.text : "";
  }

  class(i) {
    return `run m${Math.min(4, this.marks.order[i])}`;
  }

  /** Whether a token is in the same match as the token before it. */
  joined(i) {
    const { order, start } = this.marks;
    return order[i] > 0 && order[i] === order[i - 1] && start[i] < i;
  }
}

/** Where an n-gram begins in a text. */
const occurrences = (gram, tokens) =>
  [...tokens.keys()].filter((i) => gram.every((word, n) => tokens[i + n] === word));

/** Pointing at a token shows its longest match, and the other places of that match. */
class Pointer {
  constructor(root, bubble) {
    Object.assign(this, { root, bubble, texts: new Map(), lit: [] });
    const over = (event) => this.over(event.target.closest?.(".token"));
    root.addEventListener("pointerover", over);
    root.addEventListener("click", over);
    root.addEventListener("pointerleave", () => this.over(null));
    window.addEventListener("scroll", () => this.over(null), { passive: true });
  }

  /** Sets the texts by their paragraphs; each has the `others` that it is matched with. */
  show(texts) {
    this.over(null);
    this.texts = texts;
  }

  over(word) {
    for (const element of this.lit) element.classList.remove("lit", "echo");
    this.lit = [];
    const entry = word && this.texts.get(word.closest(".text"));
    this.bubble.hidden = !entry;
    if (!entry) return;
    const { text, others } = entry;
    const i = Number(word.dataset.token);
    const order = text.marks.order[i] || 1;
    const start = text.marks.order[i] ? text.marks.start[i] : i;
    const gram = text.tokens.slice(start, start + order);
    this.light(text, start, order, "lit");
    const places = [];
    for (const other of others) {
      const starts = occurrences(gram, other.tokens);
      for (const at of starts) this.light(other, at, order, "echo");
      if (starts.length) places.push(`${other.name} (token ${starts.map((at) => at + 1).join(", ")})`);
    }
    const here = occurrences(gram, text.tokens).length;
    this.bubble.replaceChildren(
      make("q", { dir: "auto" }),
      make("span", { class: "kind" }, this.kind(text, i, order)),
      make("span", {}, places.length ? `in ${places.join("; ")}` : `not in ${others.map((o) => o.name).join(", ")}`),
      ...(here > 1 ? [make("span", {}, `${here} times in this text`)] : []),
    );
    appendText(this.bubble.firstChild, gram.join(" "));
    this.place(word.getBoundingClientRect());
  }

  kind({ marks }, i, order) {
    const kind = marks.order[i] ? `${order}-gram` : "no match";
    return marks.clipped[i] ? `${kind}; clipped: the references have this token fewer times` : kind;
  }

  light(text, start, order, how) {
    for (const element of text.elements.slice(start, start + order)) {
      element.classList.add(how);
      this.lit.push(element);
    }
  }

  /** Places the bubble below a word, or above it at the end of the window. */
  place(word) {
    const { offsetWidth: width, offsetHeight: height } = this.bubble;
    const left = Math.max(8, Math.min(word.left, window.innerWidth - width - 8));
    const below = word.bottom + 8 + height < window.innerHeight;
    this.bubble.style.left = `${left}px`;
    this.bubble.style.top = `${below ? word.bottom + 8 : word.top - 8 - height}px`;
  }
}
