// SPDX-License-Identifier: Apache-2.0
// What every dialect says of the texts, and the steps from one to another.

/** The options of `b` that differ from those of `a`, as text. */
function changesBetween(a, b) {
  return decisions(a, b).flat().map(([name, , value]) => `${name}=${written(value) || "none"}`);
}

/** A bar from one value to another, in percent of the widest. */
function bar(from, to, kind) {
  const part = make("span", { class: kind });
  part.style.left = `${Math.max(0, Math.min(from, to))}%`;
  part.style.width = `${Math.min(100, Math.abs(to - from))}%`;
  return make("td", { class: "bars", "aria-hidden": "true" }, make("span", { class: "bar" }, part));
}

const numberCell = (text, kind = "") => make("td", { class: `number ${kind}` }, text);

/** Fills the table of all dialects; `choose` is called with the name of one. */
async function showTools(current, corpus, against, choose) {
  const every = await kernel.every(corpus.hyps, corpus.refs);
  const groups = new Map();
  for (const { name, score } of every) {
    if (!score) continue;
    const key = points(score).toFixed(4);
    if (!groups.has(key)) groups.set(key, { score, names: [] });
    groups.get(key).names.push(name);
  }
  const rank = ({ score }) => (Number.isNaN(score.value) ? -1 : points(score));
  const sorted = [...groups.values()].sort((a, b) => rank(b) - rank(a));
  const own = points(current.score).toFixed(4);
  const rows = sorted.map(({ score, names }) => {
    const list = make("ul", { class: "names" }, ...names.map((name) => {
      const button = make("button", { type: "button", "data-tool": name, "aria-pressed": name === against }, name);
      button.addEventListener("click", () => choose(name));
      const differing = changesBetween(current.options, resolve(name).options);
      return make("li", {}, button, " ", make("code", {}, differing.join(" ")));
    }));
    const value = points(score);
    const first = numberCell(fixed(value, 2));
    first.dataset.value = value;
    const lengths = [fixed(score.bp, 3), score.hyp_len, score.ref_len].map((cell) => numberCell(String(cell), "wide-only"));
    const cells = [first, bar(0, value, ""), ...lengths];
    return make("tr", value.toFixed(4) === own ? { class: "own" } : {}, ...cells, make("td", {}, list));
  });
  $("tools").querySelector("tbody").replaceChildren(...rows);
  const count = every.filter(({ score }) => score).length;
  $("tools-about").textContent = `${count} tools give ${sorted.length} different numbers. Press a name to see it side by side with ${current.resolved.name}.`;
  for (const node of document.querySelectorAll(".tool-name")) node.textContent = current.resolved.name;
  const others = OPTIONS.get("tokenize").choices.filter((name) => !TABLE.native.includes(name));
  $("not-here").replaceChildren(
    ...every.filter(({ score }) => !score).map(({ name, problem }) => make("li", {}, make("b", {}, name), ` is not computed here: ${problem}`)),
    make("li", {}, `The tokenizers ${others.join(", ")} are not computed here: they are libraries of Python (MeCab, SentencePiece) with their dictionaries and models.`),
  );
}

/** Shows the decisions between two dialects and what each does to the score. */
async function showMoves(a, b, corpus, names) {
  const { steps, start } = await pathBetween(a.resolved, b.resolved, corpus);
  const end = steps.at(-1)?.after ?? start;
  const widest = Math.max(1e-9, start, ...steps.map(({ after }) => after).filter(Number.isFinite));
  const at = (value) => (100 * (Number.isFinite(value) ? value : 0)) / widest;
  const line = (name, value, effect, cell) => make("tr", {}, make("th", { scope: "row" }, ...name),
    numberCell(fixed(value, 2)), numberCell(effect), cell);
  const middle = steps.map(({ changes, before, after }) => line(
    changes.flatMap(([name, one, other], i) => [
      ...(i ? [make("br")] : []), make("code", {}, `${name}: ${written(one) || "none"} → ${written(other) || "none"}`),
    ]),
    after, signed(after - before, 2), bar(at(before), at(after), after < before ? "loss" : "gain"),
  ));
  $("moves").querySelector("tbody").replaceChildren(
    line([names[0]], start, "", bar(0, at(start), "")), ...middle, line([names[1]], end, signed(end - start, 2), bar(0, at(end), "")),
  );
  $("moves-about").textContent = steps.length
    ? `From ${names[0]} to ${names[1]}, one decision at a time, in the order in which BLEU makes them. Scores are of 100.`
    : `${names[0]} and ${names[1]} make the same decisions.`;
}
