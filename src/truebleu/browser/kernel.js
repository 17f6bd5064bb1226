// SPDX-License-Identifier: Apache-2.0
// The kernel of the page: WebAssembly in a worker, which answers one call after the other.

class Kernel {
  /** Whether this browser can run it. */
  available = typeof WebAssembly === "object" && typeof Worker === "function";
  calls = new Map();
  last = 0;

  start() {
    const part = (id) => document.getElementById(`kernel-${id}`).textContent;
    const url = URL.createObjectURL(new Blob([part("worker")], { type: "text/javascript" }));
    this.worker = new Worker(url);
    this.worker.addEventListener("message", ({ data }) => this.hear(data));
    this.worker.addEventListener("error", (event) => this.stop(event.message ?? "it did not start"));
    this.worker.postMessage({ id: 0, name: "start", args: [part("wasm")] });
  }

  /** Ends all calls; the next one starts a new worker, which has no columns. */
  stop(reason) {
    this.worker?.terminate();
    this.worker = null;
    this.unicode = null;
    for (const { reject } of this.calls.values()) reject(new Error(`the kernel stopped: ${reason}`));
    this.calls.clear();
  }

  hear({ id, result, error, share }) {
    const call = this.calls.get(id);
    if (share !== undefined) return call?.onProgress?.(share);
    this.calls.delete(id);
    if (error === undefined) call?.resolve(result);
    else if (call) call.reject(new Error(error));
    else this.stop(error);
  }

  call(name, args, { transfer = [], onProgress } = {}) {
    if (!this.available) return Promise.reject(new Error("this browser has no WebAssembly"));
    if (!this.worker) this.start();
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject, onProgress });
      this.worker.postMessage({ id, name, args }, transfer);
    });
  }

  /** The Unicode versions of character categories and of lower case. */
  versions() {
    this.unicode ??= this.call("versions", []);
    return this.unicode;
  }

  /** Settings of a dialect that the kernel can compile. */
  settings(resolved) {
    if (!isNative(resolved)) {
      throw new Error(`tokenize=${resolved.options.tokenize} needs Python; this page cannot tokenize so`);
    }
    return { corpus: kernelSettings(resolved), sentence: kernelSettings(resolved, true) };
  }

  /** The same for what is tokenized already, also by a tokenizer that only Python has. */
  settingsOfTokens(resolved) {
    const tokenize = isNative(resolved) ? resolved.options.tokenize : "none";
    return this.settings({ ...resolved, options: { ...resolved.options, tokenize } });
  }

  /** Keeps a column of texts in the worker under a name. */
  load(name, texts) {
    return this.call("load", [name, checkedTexts(name, texts)]);
  }

  /** Keeps a column of texts that follow each other in one; those of the `absent` segments are not. */
  loadWhole(name, whole, lengths, absent) {
    return this.call("loadWhole", [name, whole, lengths, absent]);
  }

  /** Keeps the rows of systems under the name `set`, and says how they are scored. */
  count(set, resolved, hyps, refs, onProgress) {
    return this.call("count", [set, this.settings(resolved), hyps, refs], { onProgress });
  }

  /** Keeps rows of systems that were counted before, also with a tokenizer that only Python has. */
  keep(set, resolved, tables) {
    return this.call("keep", [set, this.settingsOfTokens(resolved), tables]);
  }

  /** Counts a segment of a set again, with other texts; returns the numbers of each system. */
  recount(set, segment, hyps, refs) {
    return this.call("recount", [set, segment, checkedTexts("hyps", hyps), checkedTexts("refs", refs)]);
  }

  /** The score of each system on these segments. */
  async select(set, segments, resolved, nrefs) {
    const made = await this.call("select", [set, segments]);
    const unicode = await this.versions();
    return made.map((numbers) => score(numbers, resolved, signatureOf(resolved, nrefs, unicode)));
  }

  /**
   * Intervals of systems' scores and, of two, of the second minus the first with a p-value, as
   * Python's `compare`. `documents` has the document of each segment if these are drawn, else null.
   */
  compare(set, segments, systems, documents, options) {
    return this.call("compare", [set, segments, systems, documents, options]);
  }

  /** The `table` of rows, the `values` or the `costs` of the segments of each system of a set. */
  each(kind, set) {
    return this.call(kind, [set]);
  }

  async rows(hyps, refs, resolved) {
    const columns = aligned(hyps, refs);
    return this.call("rows", [this.settings(resolved), columns.hyps, columns.refs]);
  }

  /** The score of a corpus, as Python's `BLEU.corpus`, with the words of its steps. */
  async corpus(hyps, refs, resolved) {
    const columns = aligned(hyps, refs);
    const settings = this.settings(resolved);
    const { numbers, words } = await this.call("corpus", [settings, columns.hyps, columns.refs]);
    const unicode = await this.versions();
    return { ...score(numbers, resolved, signatureOf(resolved, columns.nrefs, unicode)), words };
  }

  /** The score of each segment, as Python's `BLEU.sentence`. */
  async sentences(hyps, refs, resolved) {
    const columns = aligned(hyps, refs);
    const settings = this.settings(resolved);
    const all = await this.call("sentences", [settings, columns.hyps, columns.refs]);
    const unicode = await this.versions();
    return all.map((numbers, i) =>
      score(numbers, resolved, signatureOf(resolved, columns.counts[i], unicode, true)));
  }

  /** For each text its normalized form, its tokens, and their places if they are in it. */
  async tokens(texts, resolved) {
    return this.call("tokens", [this.settings(resolved), checkedTexts("texts", texts)]);
  }

  /**
   * The matches of a hypothesis, the first of the texts, and its references, from their tokens: those
   * that cover each token, and the n-grams of each order.
   */
  matches(texts, resolved) {
    return this.call("matches", [this.settingsOfTokens(resolved), texts]);
  }

  /** The score under every dialect, or the problem that prevents it. */
  async every(hyps, refs) {
    const dialects = TABLE.dialects.map(({ name }) => resolve(name));
    const columns = aligned(hyps, refs);
    const native = dialects.filter(isNative);
    const all = await this.call("every", [native.map((own) => this.settings(own)), columns.hyps, columns.refs]);
    const unicode = await this.versions();
    return dialects.map((resolved) => {
      const numbers = all[native.indexOf(resolved)];
      if (!numbers) return { name: resolved.name, score: null, problem: `its tokenizer needs Python: ${resolved.options.tokenize}` };
      return { name: resolved.name, score: score(numbers, resolved, signatureOf(resolved, columns.nrefs, unicode)), problem: "" };
    });
  }
}

const [OF_SCORE, OF_ORDER] = [7, 11]; // numbers of the steps of a score, and of each of its orders

/** A score from the kernel's numbers: the row, then the steps. */
function score(numbers, resolved, signature) {
  const orders = countedOrders(resolved);
  const [hyp_len, ref_len] = numbers;
  const after = 2 + 2 * orders;
  return {
    value: numbers[after],
    steps: Array.from(numbers.subarray(after)),
    precisions: Array.from({ length: resolved.options.max_ngram_order }, (_, n) => 100 * numbers[after + OF_SCORE + n * OF_ORDER + 8]),
    matches: Array.from(numbers.subarray(2, 2 + orders)),
    totals: Array.from(numbers.subarray(2 + orders, after)),
    bp: numbers[after + 1],
    hyp_len, ref_len, signature,
    scale: resolved.options.scale,
  };
}

function checkedTexts(name, texts) {
  if (!Array.isArray(texts)) throw new Error(`${name} must be a list of strings`);
  for (const [i, text] of texts.entries()) {
    if (text === null) continue;
    if (typeof text !== "string") throw new Error(`${name}[${i}] is not a string`);
    if (!text.isWellFormed?.()) {
      if (/[\uD800-\uDFFF]/u.test(text)) throw new Error(`${name}[${i}] has a lone surrogate, which is not a character`);
    }
  }
  return texts;
}

/** Hypotheses, and as many columns of references as the segment with the most has. */
function aligned(hyps, refs) {
  checkedTexts("hyps", hyps);
  if (hyps.includes(null)) throw new Error(`hyps[${hyps.indexOf(null)}] is missing`);
  if (!Array.isArray(refs) || refs.length !== hyps.length) {
    throw new Error(`there are ${hyps.length} hypotheses and ${refs?.length ?? "no"} entries of references; give one for each`);
  }
  const lists = refs.map((entry) => [entry].flat().filter((text) => text !== null));
  const counts = lists.map((list) => list.length);
  const [fewest, most] = [Math.min, Math.max].map((choose) => counts.reduce((a, b) => choose(a, b), counts[0] ?? 1));
  if (fewest === 0) throw new Error(`refs[${counts.indexOf(0)}] has no reference; each hypothesis needs at least one`);
  const columns = Array.from({ length: most }, (_, k) => lists.map((list) => list[k] ?? null));
  for (const column of columns) checkedTexts("refs", column);
  return { hyps, refs: columns, counts, nrefs: fewest === most ? fewest : "var" };
}

const kernel = new Kernel();

globalThis.truebleu = {
  dialects: [...DIALECTS.keys()],
  corpus: async (hyps, refs, { dialect, ...changes } = {}) => kernel.corpus(hyps, refs, resolve(dialect, changes)),
  sentences: async (hyps, refs, { dialect, ...changes } = {}) => kernel.sentences(hyps, refs, resolve(dialect, changes)),
};
