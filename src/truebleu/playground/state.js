// SPDX-License-Identifier: Apache-2.0
// What the reader chose, which the address holds.

const facts = JSON.parse($("playground-facts").textContent);

/** The longest texts that are computed while they are typed. */
const [MOST_LINES, MOST_CHARACTERS] = [500, 20_000];

/** The value of an option as text, for addresses and fields. */
function written(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === null ? "" : String(value);
}

/** The value of an option from its text. */
function parsed({ kind, default: usual }, text) {
  if (kind === "bool") return text === "yes";
  if (kind === "str") return text;
  if (text.trim() === "") return usual === null || kind !== "tuple" ? null : [];
  if (kind !== "tuple") return Number(text);
  return text.split(",").map((part) => (usual === null ? Number(part) : part.trim()));
}

/** Texts, tools and changed options. */
class State {
  hyp = "";
  refs = [""];
  tool = "sacrebleu";
  against = "";
  changes = {};
  order = 2;
  segment = 0;

  /** From what follows the # in an address; unknown names are left out. */
  static read(fragment) {
    const state = new State();
    const fields = new URLSearchParams(fragment);
    const known = (name) => (DIALECTS.has(name) ? name : null);
    const whole = (name, least) => Math.max(least, Math.trunc(Number(fields.get(name))) || least);
    state.hyp = fields.get("hyp") ?? "";
    if (fields.has("ref")) state.refs = fields.getAll("ref");
    state.tool = known(fields.get("tool")) ?? state.tool;
    state.against = known(fields.get("with")) ?? "";
    if (fields.has("order")) state.order = whole("order", 1);
    state.segment = whole("segment", 1) - 1;
    for (const [name, text] of fields) {
      if (OPTIONS.has(name)) state.changes[name] = parsed(OPTIONS.get(name), text);
    }
    return state;
  }

  write() {
    const fields = new URLSearchParams({ hyp: this.hyp });
    for (const ref of this.refs) fields.append("ref", ref);
    if (this.tool !== "sacrebleu") fields.set("tool", this.tool);
    if (this.against) fields.set("with", this.against);
    for (const [name, value] of Object.entries(this.changes)) fields.set(name, written(value));
    if (this.order !== 2) fields.set("order", this.order);
    if (this.segment) fields.set("segment", this.segment + 1);
    return `#${fields}`;
  }

  /** The columns of the texts; an Error says why they are not aligned. */
  corpus() {
    const hyps = linesOf(this.hyp);
    const size = this.hyp.length + this.refs.reduce((sum, text) => sum + text.length, 0);
    if (hyps.length > MOST_LINES || size > MOST_CHARACTERS) {
      throw new Error(`More than ${MOST_LINES} lines or ${MOST_CHARACTERS.toLocaleString("en")} characters: drop them on the page as files.`);
    }
    const filled = this.refs.filter((text) => text !== "");
    const columns = (filled.length ? filled : [""]).map(linesOf);
    for (const [k, column] of columns.entries()) {
      if (column.length !== hyps.length) {
        throw new Error(`The hypothesis has ${lineCount(hyps)}, reference ${k + 1} has ${lineCount(column)}; each line is a segment.`);
      }
    }
    return { hyps, refs: hyps.map((_, i) => columns.map((column) => column[i])) };
  }
}

/** The lines of a text; a line feed at the end does not begin another. */
function linesOf(text) {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

const lineCount = (lines) => plural(lines.length, "line");
