// SPDX-License-Identifier: Apache-2.0
// The data of the page: columns that lie in it compressed, read when they are asked for.

const facts = JSON.parse(document.getElementById("facts").textContent);

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };

/** Bytes from base64; browsers of 2025 and later have a way of their own, which is faster. */
function bytes(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const found = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) found[i] = binary.charCodeAt(i);
  return found;
}

/** A column by its name: a typed array or, of texts, a string. */
async function read(name) {
  const node = document.getElementById(`stream-${name}`);
  const packed = bytes(node.textContent);
  node.remove(); // 100,000 segments take 20 MB, which need not stay twice
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(unpacked).arrayBuffer();
  const type = facts.types[name];
  // A byte order mark at the start is a character of the first segment.
  return type === "text"
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(buffer)
    : new TYPES[type](buffer);
}

/** Where each of the parts begins whose lengths are given, and where the last one ends. */
function starts(lengths) {
  const found = new Float64Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) found[i + 1] = found[i] + lengths[i];
  return found;
}

/** The texts of a system or a reference, with their tokens. */
class Column {
  static async read(name) {
    const column = new Column();
    const about = facts.columns[name];
    [column.whole, column.counted, column.lengths, column.counts, column.gaps, column.sizes] =
      await Promise.all([
        read(`${name}.text`),
        `${name}.counted` in facts.types ? read(`${name}.counted`) : null,
        ...["lengths", "counts", "gaps", "sizes"].map((kind) => read(`${name}.${kind}`)),
      ]);
    column.starts = starts(column.lengths);
    column.firsts = starts(column.counts);
    column.spelled = about.spelled;
    column.absent = new Set(about.absent);
    return column;
  }

  has(segment) {
    return !this.absent.has(segment);
  }

  text(segment) {
    return this.whole.slice(this.starts[segment], this.starts[segment + 1]);
  }

  /** Pieces of the text: tokens, as they are `counted`, and what is between them. */
  pieces(segment) {
    const spelled = this.spelled[segment];
    if (spelled) {
      return spelled.flatMap((token, i) => [
        ...(i ? [{ text: " " }] : []),
        { text: token, counted: token },
      ]);
    }
    const found = [];
    const counted = this.counted ?? this.whole;
    let at = this.starts[segment];
    for (let i = this.firsts[segment]; i < this.firsts[segment + 1]; i++) {
      const start = at + this.gaps[i];
      const end = start + this.sizes[i];
      if (start > at) found.push({ text: this.whole.slice(at, start) });
      found.push({ text: this.whole.slice(start, end), counted: counted.slice(start, end) });
      at = end;
    }
    const end = this.starts[segment + 1];
    if (end > at) found.push({ text: this.whole.slice(at, end) });
    return found;
  }

  /** Marks in `hits` the segments that have `query`, which is in lower case. */
  search(query, hits) {
    if (this.lower === undefined) this.lowercase();
    const { lower, lowerStarts } = this;
    let segment = 0;
    for (let at = lower.indexOf(query); at >= 0; ) {
      while (lowerStarts[segment + 1] <= at) segment++;
      const inside = at + query.length <= lowerStarts[segment + 1];
      if (inside) hits[segment] = 1;
      at = lower.indexOf(query, inside ? lowerStarts[segment + 1] : at + 1);
    }
  }

  lowercase() {
    this.lower = this.whole.toLowerCase();
    this.lowerStarts = this.starts;
    if (this.lower.length === this.whole.length) return;
    // Some letter, such as a Turkish one, takes more room in lower case.
    const lowered = Array.from(this.lengths, (_, i) => this.text(i).toLowerCase());
    this.lower = lowered.join("");
    this.lowerStarts = starts(lowered.map((text) => text.length));
  }
}
