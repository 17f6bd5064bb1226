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

/** Fills the tables of tools, the common ones first; `choose` is called with the name of one. */
async function showTools(current, corpus, against, choose) {
  const every = await kernel.every(corpus.hyps, corpus.refs);
  const scored = every.filter(({ score }) => score);
  const [shown, key] = [points(current.score).toFixed(4), ({ score }) => points(score).toFixed(4)];
  const line = (tools, describe, ...lengths) => {
    const value = points(tools[0].score);
    const list = make("ul", { class: "names" }, ...tools.map(({ name }) => {
      const button = make("button", { type: "button", "data-tool": name, "aria-pressed": name === against }, name);
      button.addEventListener("click", () => choose(name));
      return make("li", {}, button, " ", describe(name));
    }));
    const first = numberCell(fixed(value, 2));
    first.dataset.value = value;
    return make("tr", key(tools[0]) === shown ? { class: "own" } : {}, first, bar(0, value, ""), ...lengths.map((cell) => numberCell(String(cell), "wide-only")), make("td", {}, list));
  };
  const groups = Map.groupBy(scored.filter(({ name }) => !(name in facts.common)), key);
  const rank = ([{ score }]) => (Number.isNaN(score.value) ? -1 : points(score));
  const sorted = [...groups.values()].sort((a, b) => rank(b) - rank(a));
  const common = Object.keys(facts.common).flatMap((own) => scored.filter(({ name }) => name === own));
  const rows = [
    common.map((tool) => line([tool], (name) => facts.common[name])),
    sorted.map((tools) => line(tools, (name) => make("code", {}, changesBetween(current.options, resolve(name).options).join(" ")),
      fixed(tools[0].score.bp, 3), tools[0].score.hyp_len, tools[0].score.ref_len)),
  ];
  const refocus = focusIn($("tools"), "[data-tool]");
  for (const [i, body] of $("tools").querySelectorAll("tbody").entries()) body.replaceChildren(...rows[i]);
  refocus();
  const [count, text] = [new Set(scored.map(key)).size, corpus.hyps.length > 1 ? `${corpus.hyps.length} segments have` : "sentence has"];
  $("tools-heading").textContent = `Your ${text} ${plural(count, "score")}; these are the tools people use`;
  $("tools-about").textContent = `Press a name to see it side by side with ${current.resolved.name}.`;
  $("other-tools").textContent = `The other ${plural(scored.length - common.length, "tool")}`;
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
  const stays = ({ before, after }) => signed(after - before, 2) === signed(0, 2);
  const middle = steps.map(({ changes, before, after }) => line(
    changes.flatMap(([name, one, other], i) => [
      ...(i ? [make("br")] : []), make("code", {}, `${name}: ${written(one) || "none"} → ${written(other) || "none"}`),
    ]),
    after, signed(after - before, 2), bar(at(before), at(after), after < before ? "loss" : "gain"),
  ));
  for (const [i, step] of steps.entries()) middle[i].classList.toggle("stays", stays(step));
  const zeros = steps.filter(stays).length;
  $("all-moves").hidden = !zeros;
  $("all-moves").textContent = `${plural(zeros, "decision")} ${zeros === 1 ? "changes" : "change"} nothing here`;
  $("moves").querySelector("tbody").replaceChildren(
    line([names[0]], start, "", bar(0, at(start), "")), ...middle, line([names[1]], end, signed(end - start, 2), bar(0, at(end), "")),
  );
  $("moves-about").textContent = steps.length
    ? `From ${names[0]} to ${names[1]}, one decision at a time, in the order in which BLEU makes them. Scores are of 100.`
    : `${names[0]} and ${names[1]} make the same decisions.`;
}
