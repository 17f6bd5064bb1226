// SPDX-License-Identifier: Apache-2.0
// The worker of the page: keeps columns and rows in the kernel's memory, and answers calls.
"use strict";

const SEGMENTS_AT_A_TIME = 5_000;
const ABSENT = 0xffffffff;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The exports of the module. */
let wasm;

/** Memory for input of this many bytes. */
const input = (bytes) => wasm.input(bytes);

/** Writes numbers, part after part. */
function write(Type, ...parts) {
  const count = parts.reduce((sum, { length }) => sum + length, 0);
  let place = input(count * Type.BYTES_PER_ELEMENT);
  for (const part of parts) {
    new Type(wasm.memory.buffer, place, part.length).set(part);
    place += part.length * Type.BYTES_PER_ELEMENT;
  }
}

/** The numbers that the last call wrote. */
const numbers = () => new Float64Array(wasm.memory.buffer, wasm.numbers(), wasm.numbers_count()).slice();

const writtenText = () =>
  decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.text(), wasm.text_size()));

function accepted(result) {
  if (result < 0) throw new Error(writtenText());
  return result;
}

const plans = new Map();

/** A compiled plan, kept for the next call. */
function planOf(settings) {
  if (!plans.has(settings)) {
    write(Uint8Array, encoder.encode(settings));
    plans.set(settings, accepted(wasm.plan()));
  }
  return plans.get(settings);
}

/** Puts texts into the kernel; returns the number of the column. */
function columnOf(texts) {
  const units = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const space = input(4 * texts.length + 3 * units);
  const lengths = new Uint32Array(wasm.memory.buffer, space, texts.length);
  const bytes = new Uint8Array(wasm.memory.buffer, space + 4 * texts.length, 3 * units);
  let end = 0;
  for (const [i, text] of texts.entries()) {
    if (text === null) {
      lengths[i] = ABSENT;
      continue;
    }
    const { written } = encoder.encodeInto(text, bytes.subarray(end));
    lengths[i] = written;
    end += written;
  }
  return accepted(wasm.column(texts.length, end));
}

/** The same for texts that follow each other in one, with their lengths in units of UTF-16. */
function columnOfWhole(whole, lengths, absent) {
  const count = lengths.length;
  const space = input(4 * count + 3 * whole.length);
  const sizes = new Uint32Array(wasm.memory.buffer, space, count);
  const bytes = new Uint8Array(wasm.memory.buffer, space + 4 * count, 3 * whole.length);
  const { written } = encoder.encodeInto(whole, bytes);
  sizes.set(lengths);
  for (let i = 0, at = 0; written > whole.length && i < count; i++) {
    let size = 0;
    for (const end = at + lengths[i]; at < end; at++) {
      const unit = whole.charCodeAt(at);
      const isHalf = unit >= 0xd800 && unit < 0xe000; // of a character with four bytes
      size += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
    }
    sizes[i] = size;
  }
  for (const i of absent) sizes[i] = ABSENT;
  return accepted(wasm.column(count, written));
}

const everything = (count) => new Uint32Array(count).map((_, i) => i);

function rowsOf(plan, columns, count, onShare = () => {}) {
  const rows = wasm.rows(plan, count);
  for (let first = 0; first < count; first += SEGMENTS_AT_A_TIME) {
    const some = Math.min(SEGMENTS_AT_A_TIME, count - first);
    write(Uint32Array, columns);
    accepted(wasm.count(plan, rows, first, first, some));
    onShare(some);
  }
  return rows;
}

function scored(plan, rows, segments) {
  write(Uint32Array, segments);
  wasm.score(plan, rows);
  return numbers();
}

/** Does `work` with the rows of texts that are not kept. */
function withRows(settings, hyps, refs, work) {
  const columns = [hyps, ...refs].map(columnOf);
  const plan = planOf(settings);
  const rows = rowsOf(plan, columns, hyps.length);
  try {
    return work(plan, rows);
  } finally {
    wasm.drop_rows(rows);
    for (const column of columns) wasm.drop_column(column);
  }
}

/** The number of the current comparison, which ends those before it. */
let comparison = 0;

/** Columns of texts by name, and sets of rows by name. */
const columns = new Map();
const sets = new Map();

function keepColumn(name, id, count) {
  if (columns.has(name)) wasm.drop_column(columns.get(name).id);
  columns.set(name, { id, count });
}

function dropSet(name) {
  for (const rows of sets.get(name)?.rows ?? []) wasm.drop_rows(rows);
  sets.delete(name);
}

/** The rows of systems under a name; a worker that follows one that stopped has none. */
function setOf(name) {
  if (!sets.has(name)) throw new Error("the kernel stopped and has no texts; reload the page");
  return sets.get(name);
}

function makeSet(name, settings, segments, rows) {
  dropSet(name);
  sets.set(name, { settings, segments, rows });
}

const calls = {
  versions() {
    wasm.versions();
    const [categories, lower] = writtenText().split(" ");
    return { categories, lower };
  },

  load(_, name, texts) {
    keepColumn(name, columnOf(texts), texts.length);
  },

  loadWhole(_, name, whole, lengths, absent) {
    keepColumn(name, columnOfWhole(whole, lengths, absent), lengths.length);
  },

  count(onShare, name, settings, hyps, refs) {
    const plan = planOf(settings.corpus);
    const references = refs.map((ref) => columns.get(ref).id);
    const segments = columns.get(hyps[0]).count;
    let done = 0;
    const step = (some) => {
      done += some;
      onShare(done / (segments * hyps.length));
    };
    const rows = hyps.map((hyp) => rowsOf(plan, [columns.get(hyp).id, ...references], segments, step));
    makeSet(name, settings, segments, rows);
  },

  /** Counts a segment of each system again, with these texts. */
  recount(_, name, segment, hyps, refs) {
    const { settings, rows } = setOf(name);
    const plan = planOf(settings.corpus);
    const references = refs.map((text) => columnOf([text]));
    for (const [i, hyp] of hyps.entries()) {
      const column = columnOf([hyp]);
      write(Uint32Array, [column, ...references]);
      accepted(wasm.count(plan, rows[i], segment, 0, 1));
      wasm.drop_column(column);
    }
    for (const column of references) wasm.drop_column(column);
    return rows.map((one) => scored(planOf(settings.sentence), one, [segment]));
  },

  keep(_, name, settings, tables) {
    const plan = planOf(settings.corpus);
    const width = wasm.width(plan);
    const rows = tables.map((table) => {
      const made = wasm.rows(plan, table.length / width);
      write(Float64Array, table);
      wasm.set_rows(made);
      return made;
    });
    makeSet(name, settings, tables[0].length / width, rows);
  },

  /** The numbers of each system on some segments; null for all. */
  select(_, name, selection) {
    const { settings, segments, rows } = setOf(name);
    const plan = planOf(settings.corpus);
    return rows.map((one) => scored(plan, one, selection ?? everything(segments)));
  },

  /** As Python's `compare` of the systems; `documents` has that of each segment, or is null. */
  async compare(_, name, segments, systems, documents, options) {
    const { settings, rows } = setOf(name);
    const plan = planOf(settings.corpus);
    const observed = systems.map((i) => scored(plan, rows[i], segments)[wasm.width(plan)]);
    const places = new Map();
    const place = (unit) => places.get(unit) ?? places.set(unit, places.size).size - 1;
    const units = documents ? segments.map((i) => place(documents[i])) : everything(segments.length);
    const count = documents ? places.size : segments.length;
    write(Uint32Array, systems.map((i) => rows[i]), segments, units);
    wasm.resample(plan, systems.length, count);
    comparison += 1;
    return compareSystems(count, observed, options);
  },

  values(_, name) {
    const { settings, rows } = setOf(name);
    return rows.map((one) => {
      wasm.values(planOf(settings.sentence), one);
      return numbers();
    });
  },

  costs(_, name) {
    const { settings, segments, rows } = setOf(name);
    const plan = planOf(settings.corpus);
    return rows.map((one) => {
      const all = everything(segments);
      const whole = scored(plan, one, all)[wasm.width(plan)];
      write(Uint32Array, [one], all, all);
      comparison += 1; // its resampler is gone
      wasm.resample(plan, 1, segments);
      wasm.jackknife(0, segments);
      return numbers().map((without) => without - whole);
    });
  },

  table(_, name) {
    const { segments, rows } = setOf(name);
    return rows.map((one) => {
      wasm.get_rows(one);
      return numbers();
    });
  },

  rows(_, settings, hyps, refs) {
    return withRows(settings.corpus, hyps, refs, (plan, rows) => {
      wasm.get_rows(rows);
      return { width: wasm.width(plan), rows: numbers() };
    });
  },

  corpus(_, settings, hyps, refs) {
    return withRows(settings.corpus, hyps, refs, (plan, rows) =>
      ({ numbers: scored(plan, rows, everything(hyps.length)), words: writtenText().split(" ") }));
  },

  sentences(_, settings, hyps, refs) {
    return withRows(settings.corpus, hyps, refs, (_, rows) =>
      hyps.map((_, i) => scored(planOf(settings.sentence), rows, [i])));
  },

  every(_, all, hyps, refs) {
    const columns = [hyps, ...refs].map(columnOf);
    const results = all.map(({ corpus }) => {
      const plan = planOf(corpus);
      const rows = rowsOf(plan, columns, hyps.length);
      const result = scored(plan, rows, everything(hyps.length));
      wasm.drop_rows(rows);
      return result;
    });
    for (const column of columns) wasm.drop_column(column);
    return results;
  },

  tokens(_, settings, texts) {
    const plan = planOf(settings.corpus);
    return texts.map((text) => {
      write(Uint8Array, encoder.encode(text));
      accepted(wasm.tokens(plan));
      const [count, found, ...all] = numbers();
      const bytes = new Uint8Array(wasm.memory.buffer, wasm.text(), wasm.text_size());
      let end = 0;
      const [normalized, counted, ...tokens] = all.splice(0, 2 + count).map((length) =>
        decoder.decode(bytes.subarray(end, (end += length))));
      return { normalized, tokens, places: found ? { counted, gaps: all.slice(0, count), sizes: all.slice(count) } : null };
    });
  },

  matches(_, settings, texts) {
    const plan = planOf(settings.corpus);
    const words = new Map();
    const number = (word) => words.get(word) ?? words.set(word, words.size).size - 1;
    write(Uint32Array, [texts.length, ...texts.map(({ length }) => length), ...texts.flat().map(number)]);
    wasm.matches(plan);
    const all = Array.from(numbers());
    let at = 0;
    const take = (count) => all.slice(at, (at += count));
    const covers = texts.map(({ length }) => ({ order: take(length), start: take(length), clipped: take(length) }));
    const orders = [];
    while (at < all.length) {
      orders.push(Array.from({ length: take(1)[0] }, () => {
        const [matched, clipped, unmatched, missed, allowed, count] = take(6);
        return { matched, clipped, unmatched, missed, allowed, places: Array.from({ length: count }, () => take(2)) };
      }));
    }
    return { covers, orders };
  },
};

/** Calls run one after the other; the first one starts the module. */
let before;
addEventListener("message", ({ data: { id, name, args } }) => {
  if (name === "start") {
    before = unpacked(args[0]).then((bytes) => WebAssembly.instantiate(bytes)).then(({ instance }) => (wasm = instance.exports));
    before.catch((error) => postMessage({ id, error: String(error) }));
    return;
  }
  before.then(async () => {
    const onShare = (share) => postMessage({ id, share });
    const result = await calls[name](onShare, ...args);
    const tables = Array.isArray(result) ? result.filter(ArrayBuffer.isView) : [];
    postMessage({ id, result }, tables.map(({ buffer }) => buffer));
  }).catch((error) => {
    // After a trap, the memory of the module is in an unknown state.
    postMessage({ id: error instanceof WebAssembly.RuntimeError ? 0 : id, error: error.message });
  });
});
