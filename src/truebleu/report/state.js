// SPDX-License-Identifier: Apache-2.0
// The state of the page in the fragment of its address.

/** The controls of the list, by their short names in the address. */
const CONTROLS = {
  q: "search", a: "a", b: "b", sort: "sort", flag: "flagged", of: "ranged", least: "least", most: "most", across: "across",
};
/** The longest address that all programs pass on. */
const LONGEST = 2000;
const BUTTONS = { reverse: "reverse", not: "others-instead" };

const controls = () => ({
  ...CONTROLS,
  ...Object.fromEntries(facts.divisions.map(({ name }, k) => [name, `filter-${k}`])),
});

/** Segments as ranges of lines, such as `1-5,9`. */
function ranges(segments) {
  const lines = [...segments].map((i) => i + 1).sort((a, b) => a - b);
  const parts = [];
  for (let i = 0; i < lines.length; ) {
    let end = i;
    while (lines[end + 1] === lines[end] + 1) end++;
    parts.push(end > i ? `${lines[i]}-${lines[end]}` : String(lines[i]));
    i = end + 1;
  }
  return parts.join(",");
}

function segmentsOf(text) {
  return text.split(",").flatMap((part) => {
    const [first, last = first] = part.split("-").map(Number);
    if (!(first >= 1 && last >= first && last <= facts.segments)) return [];
    return Array.from({ length: last - first + 1 }, (_, i) => first - 1 + i);
  });
}

/** The values of controls in a new page, which the address leaves out. */
let usual = null;

function readControls() {
  const values = {};
  for (const [name, id] of Object.entries(controls())) values[name] = $(id).value;
  for (const [name, id] of Object.entries(BUTTONS)) values[name] = isPressed(id) ? "1" : "";
  return values;
}

/** Writes the state into the address; a page that nobody touched has none. */
function writeState(browser) {
  const { live, segment } = browser;
  const state = new URLSearchParams();
  if (segment !== undefined) state.set("seg", segment + 1);
  for (const [name, value] of Object.entries(readControls())) {
    if (value !== usual?.[name]) state.set(name, value);
  }
  if (browser.only) state.set("only", ranges(browser.only));
  if (browser.lasso) {
    const { a, b, across, line } = browser.lasso;
    state.set("lasso", [a, b, across, ...line.map((point) => point.join("."))].join("_"));
  }
  for (const [noted, { tag, text }] of browser.notes) state.append("note", `${noted + 1}:${tag}:${text}`);
  if (live && !live.isWritten()) {
    state.set("dialect", live.resolved.choice);
    const { changes } = live.resolved;
    if (Object.keys(changes).length) state.set("options", JSON.stringify(changes));
  }
  for (const [key, column] of live?.columns ?? []) {
    for (const [edited, text] of column.edits) state.append("edit", `${key}:${edited + 1}:${text}`);
  }
  $("permalink").href = `#${state}`;
  $("too-long").hidden = $("permalink").href.length <= LONGEST;
  if (!browser.touched && [...state.keys()].join() === "seg") return;
  try {
    history.replaceState(null, "", `#${state}`);
    if (parent !== window) parent.postMessage(`#${state}`, "*"); // the page of a campaign
  } catch {
    // Browsers refuse many changes in a short time; the next one writes the state.
  }
}

/** Sets the controls as a link says; returns the segment that it names, and whether alone. */
function readState(browser, link) {
  usual ??= readControls();
  if (!/^#[a-z]+=/.test(link)) return { segment: null };
  const state = new URLSearchParams(link.slice(1));
  const segment = /^\d+$/.test(state.get("seg") ?? "") ? Number(state.get("seg")) - 1 : null;
  if ([...state.keys()].every((name) => ["seg", "a"].includes(name))) {
    if (state.get("a") in facts.systems && state.get("a") !== $("a").value) {
      if ($("b").value === state.get("a")) $("b").value = $("a").value;
      $("a").value = state.get("a");
      browser.arrange();
    }
    return { segment, alone: true };
  }
  for (const [name, id] of Object.entries(controls())) {
    const value = state.get(name) ?? usual[name];
    const control = $(id);
    if (control.tagName !== "SELECT" || [...control.options].some((one) => one.value === value)) control.value = value;
  }
  for (const [name, id] of Object.entries(BUTTONS)) $(id).setAttribute("aria-pressed", state.get(name) === "1");
  const only = segmentsOf(state.get("only") ?? "");
  browser.only = only.length ? new Set(only) : null;
  const [a, b, across, ...points] = (state.get("lasso") ?? "").split("_");
  const line = points.map((point) => point.split(".").map(Number));
  const isLine = line.length > 2 && line.flat().every(Number.isFinite) && [a, b].every((s) => s in facts.systems) &&
    [...$("across").options].some(({ value }) => value === across);
  browser.lasso = isLine ? { a: Number(a), b: Number(b), across, line } : null;
  browser.notes = new Map(state.getAll("note").map((note) => /^(\d+):([^:]*):(.*)$/su.exec(note))
    .filter((parts) => parts && parts[1] >= 1 && parts[1] <= facts.segments)
    .map(([, number, tag, text]) => [number - 1, { tag, text }]));
  readEdits(browser, state);
  browser.arrange();
  return { segment, alone: false };
}

function readEdits({ live }, state) {
  if (!live?.canCount) return;
  const edited = live.clearEdits();
  for (const one of state.getAll("edit")) {
    const [, key, line, text] = /^([a-z]+\.\d+):(\d+):(.*)$/su.exec(one) ?? [];
    const column = live.columns.get(key);
    const segment = Number(line) - 1;
    if (!column || segment >= facts.segments || !column.has(segment)) continue;
    column.edits.set(segment, text.replace(/[\r\n]+/g, " "));
    edited.add(segment);
  }
  const choice = state.get("dialect") ?? live.written.choice;
  let changes = {};
  try {
    changes = JSON.parse(state.get("options")) ?? {};
  } catch {
    // a damaged link
  }
  if (!live.scoring && sameValue([choice, changes], [live.resolved.choice, live.resolved.changes])) {
    for (const segment of edited) live.recount(segment).catch((error) => live.fail(error));
  } else {
    live.showEdits();
    live.score(choice, changes);
  }
}
