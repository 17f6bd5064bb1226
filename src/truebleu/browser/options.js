// SPDX-License-Identifier: Apache-2.0
// The dialects and options that Python wrote into the page, and changes of them.

const TABLE = JSON.parse(document.getElementById("kernel-table").textContent);
const OPTIONS = new Map(TABLE.options.map((option) => [option.name, option]));
const DEFAULTS = Object.fromEntries(TABLE.options.map((option) => [option.name, option.default]));
const DIALECTS = new Map(TABLE.dialects.map((dialect) =>
  [dialect.name, { ...dialect, options: { ...DEFAULTS, ...dialect.options } }]));

/** A value as Python's messages show it. */
function quoted(value) {
  if (Array.isArray(value)) return `[${value.map(quoted).join(", ")}]`;
  if (value === null) return "None";
  return typeof value === "string" ? `'${value}'` : String(value);
}

/** The value of an option, checked as in truebleu.dialects.options. */
function checkedValue({ name, kind, choices, least, size, default: usual }, value) {
  const refuse = (expected) => {
    throw new Error(`${name} cannot be ${quoted(value)}; it must be ${expected}`);
  };
  if (value === null && usual === null) return null;
  if (kind === "bool") return typeof value === "boolean" ? value : refuse("true or false");
  if (kind === "int") {
    const whole = Number.isInteger(value) && value >= least && value <= TABLE.highestOrder;
    return whole ? value : refuse(`a whole number from ${least} to ${TABLE.highestOrder}`);
  }
  if (kind === "float") {
    return Number.isFinite(value) && value >= 0 ? value : refuse("a number of 0 or more");
  }
  if (kind === "tuple") {
    const isNumber = (item) => Number.isFinite(item) && item >= 0;
    const isWord = (item) => typeof item === "string" && !item.includes(",");
    const list = Array.isArray(value) ? value : refuse("a list");
    if (usual !== null) return list.every(isWord) ? list : refuse("a list of words without commas");
    if (!list.every(isNumber)) refuse("a list of numbers of 0 or more");
    if (size) return list.length !== size ? refuse(`${size} numbers`) : list.some(Boolean) ? list : null;
    return list.some(Boolean) ? list : refuse("a list of numbers, not all 0");
  }
  if (typeof value !== "string") refuse("a name");
  return !choices.length || choices.includes(value) ? value : refuse(`one of ${choices.join(", ")}`);
}

/**
 * A dialect with options changed, as Python's `dialect(name, **changes)`.
 *
 * @param dialect a name, or what this function returned
 */
function resolve(dialect = "sacrebleu", changes = {}) {
  const row = typeof dialect === "string" ? DIALECTS.get(dialect) : dialect;
  if (!row) throw new Error(`no dialect is named ${quoted(dialect)}`);
  const all = { ...changes };
  for (const name of Object.keys(all)) {
    if (!OPTIONS.has(name)) throw new Error(`no option is named ${quoted(name)}`);
    all[name] = checkedValue(OPTIONS.get(name), all[name]);
  }
  for (const name of ["weights", "cumulative_weights"]) {
    if (all[name] && !("max_ngram_order" in changes)) all.max_ngram_order = all[name].length;
  }
  if (all.join === "mean" && row.options.join !== "mean") {
    all.effective_order ??= all.sentence_effective_order ?? row.options.sentence_effective_order;
  }
  if ("effective_order" in all) all.sentence_effective_order ??= all.effective_order;
  const options = { ...row.options, ...all };
  for (const name of ["weights", "cumulative_weights"]) {
    if (options[name] && options[name].length !== options.max_ngram_order) {
      throw new Error(`${name} has ${options[name].length} numbers, max_ngram_order is ` +
        `${options.max_ngram_order}; give one weight for each order`);
    }
  }
  return { name: row.name, version: row.version, options };
}

/** Whether the kernel has its tokenizer; Python has the others. */
const isNative = ({ options }) => TABLE.native.includes(options.tokenize);

/** The names and values of the options that differ from sacreBLEU's. */
const differences = ({ options }) =>
  Object.entries(options).filter(([name, value]) => !sameValue(value, DEFAULTS[name]));

const sameValue = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const smoothValue = ({ smooth_method, smooth_value }) =>
  smooth_value ?? TABLE.smoothValues[smooth_method] ?? 0;

/** A number of Python's `repr`, which always shows a float as one. */
function repr(value, kind) {
  const text = String(value).replace(/e([+-])(\d)$/, "e$10$2");
  return kind === "float" && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function valueText(value, kind) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    return value.map((one) => (typeof one === "number" ? repr(one, "float") : one)).join(",");
  }
  return typeof value === "number" ? repr(value, kind) : value;
}

/** The settings that the kernel compiles; those of single segments if `sentence`. */
function kernelSettings(resolved, sentence = false) {
  const { sentence_effective_order, ...options } = resolved.options;
  if (sentence) options.effective_order = sentence_effective_order;
  options.smooth_value = smoothValue(options);
  return Object.entries(options)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${valueText(value, OPTIONS.get(name).kind)}\n`)
    .join("");
}

/** The counts that a row has: orders, and places for the way segments join. */
function countedOrders({ options }) {
  const { max_ngram_order: orders, smooth_method, join, empty } = options;
  const more = ["average", "length-average"].includes(smooth_method) ? 1 : 0;
  return orders + more + { rows: 0, smoothed: orders, mean: empty.startsWith("skip") ? 2 : 1 }[join];
}

/** The signature of a score, as in truebleu.dialects.signature. */
function signatureOf(resolved, nrefs, unicode, sentence = false) {
  const values = resolved.options;
  const pairs = new Map();
  if (resolved.name !== "sacrebleu") pairs.set("dialect", resolved.name);
  pairs.set("nrefs", nrefs);
  pairs.set("case", values.lowercase ? "lc" : "mixed");
  const eff = sentence ? values.sentence_effective_order : values.effective_order;
  pairs.set("eff", eff ? "yes" : "no");
  // A pattern without the marks of signatures, as urllib.parse.quote writes it in Python.
  pairs.set("tok", values.tokenize.replace(/[^\w.~!$&'()*,/:;?@[\]^{}\\-]/gu, encodeURIComponent));
  pairs.set("smooth", values.smooth_method + smoothSuffix(values));
  const row = DIALECTS.get(resolved.name)?.options ?? {};
  for (const [name, value] of Object.entries(values)) {
    if (TABLE.keyed.includes(name) || sameValue(value, row[name])) continue;
    pairs.set(name, valueText(value, OPTIONS.get(name).kind));
  }
  const versions = [];
  if (TABLE.readCategories.includes(values.tokenize)) versions.push(`categories-${unicode.categories}`);
  if (values.lowercase && values.lowercase_rule === "unicode") versions.push(`lower-${unicode.lower}`);
  if (versions.length) pairs.set("unicode", versions.join(","));
  pairs.set("version", resolved.version);
  return Array.from(pairs, ([key, value]) => `${key}:${value}`).join("|");
}

function smoothSuffix(options) {
  if (TABLE.smoothValues[options.smooth_method] === null) return "";
  const value = smoothValue(options);
  const rounded = value.toFixed(2);
  return `[${Number(rounded) === value ? rounded : repr(value, "float")}]`;
}
