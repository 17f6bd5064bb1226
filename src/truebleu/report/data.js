// SPDX-License-Identifier: Apache-2.0
// The data of the page: compressed columns, each read once.

const facts = JSON.parse(document.getElementById("facts").textContent);

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };

/** A column by its name: a typed array, or a string for texts. */
async function read(name) {
  const node = document.getElementById(`stream-${name}`);
  node.remove(); // 100,000 segments take 20 MB, which would stay twice
  const buffer = await unpacked(node.textContent);
  const type = facts.types[name];
  // A byte order mark at the start belongs to the first segment.
  return type === "text"
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(buffer)
    : new TYPES[type](buffer);
}

/** The rows of a table that is written by columns, from the fourth on as differences to the third before. */
function rowsOf(table) {
  const [rows, width] = [new Float64Array(table.length), table.length / facts.segments];
  for (let at = 0; at < table.length; at++) {
    const column = Math.floor(at / facts.segments);
    const place = (at - column * facts.segments) * width + column;
    rows[place] = column < 3 ? table[at] : (table[at] + rows[place - 3]) % 2 ** 32;
  }
  return rows;
}

/** Where parts of these lengths begin, and where the last one ends. */
function starts(lengths) {
  const sums = new Float64Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) sums[i + 1] = sums[i] + lengths[i];
  return sums;
}

/** The texts of a system or a reference, with their tokens. */
class Column {
  /** Texts that the reader changed, and pieces of texts under another dialect, by segment. */
  edits = new Map();
  redrawn = new Map();

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
    return this.edits.get(segment) ?? this.original(segment);
  }

  /** The text as the report was written. */
  original(segment) {
    return this.whole.slice(this.starts[segment], this.starts[segment + 1]);
  }

  /** Pieces of the text: tokens, also as they are `counted`, and the text between them. */
  pieces(segment) {
    if (this.redrawn.has(segment)) return this.redrawn.get(segment);
    const spelled = this.spelled[segment];
    if (spelled) return spelledPieces(spelled);
    const own = (all, from) => all.slice(from[segment], from[segment + 1]);
    return piecesOf(this.original(segment), own(this.counted ?? this.whole, this.starts),
      own(this.gaps, this.firsts), own(this.sizes, this.firsts));
  }
}

/** What is searched for, in any case: a text, or a pattern between slashes. */
function patternOf(query) {
  const plain = query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  try {
    return new RegExp(/^\/(.+)\/$/u.exec(query)?.[1] ?? plain, "giu");
  } catch {
    return new RegExp(plain, "giu"); // not yet a pattern
  }
}

/** Pieces of tokens that do not occur in the text as they are. */
const spelledPieces = (tokens) => tokens.flatMap((token, i) => [
  ...(i ? [{ text: " " }] : []),
  { text: token, counted: token },
]);

/** Pieces of a text, from the lengths of its tokens and of the white space before each. */
function piecesOf(text, counted, gaps, sizes) {
  const pieces = [];
  let at = 0;
  for (const [i, gap] of gaps.entries()) {
    const [start, end] = [at + gap, at + gap + sizes[i]];
    if (gap) pieces.push({ text: text.slice(at, start) });
    pieces.push({ text: text.slice(start, end), counted: counted.slice(start, end) });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}
