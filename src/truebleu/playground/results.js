// SPDX-License-Identifier: Apache-2.0
// What the kernel says of a corpus, and the steps from one dialect to another.

/** A score and the results of the five decisions; texts are those of one segment. */
async function resultOf(resolved, { hyps, refs }, segment) {
  const [score, counted, alone, texts] = await Promise.all([
    kernel.corpus(hyps, refs, resolved),
    kernel.rows(hyps, refs, resolved),
    kernel.sentences(hyps, refs, resolved),
    kernel.tokens([hyps[segment], ...refs[segment]], resolved),
  ]);
  const matches = await kernel.matches(texts.map(({ tokens }) => tokens), resolved);
  const rows = hyps.map((_, i) => Array.from(counted.rows.subarray(i * counted.width, (i + 1) * counted.width)));
  return { resolved, options: resolved.options, score, steps: stepsOf(score), rows, alone, texts, matches, originals: [hyps[segment], ...refs[segment]], segment };
}

/** The calculation of a score, by the names that Python gives to the kernel's words and numbers. */
function stepsOf({ words, steps }) {
  const next = (names) => Object.fromEntries(names.map((name, i) => [name, (i < 2 ? words : steps).shift()]));
  return { ...next(facts.steps), orders: Array.from({ length: words.length / 2 }, () => next(facts.orderSteps)) };
}

/** Matches and n-grams of each order of the score, from a row. */
function ordersOf(row, { max_ngram_order: orders }) {
  const half = row.length / 2 - 1;
  return Array.from({ length: orders }, (_, n) => [row[2 + n], row[2 + half + n]]);
}

const sumOf = (rows) => rows.reduce((sum, row) => sum.map((value, i) => value + row[i]));

const points = (score) => score.value * (100 / score.scale);

/** The decisions in which two dialects differ: options by their values in both, in their order. */
function decisions(a, b) {
  const [one, other] = [{ ...a }, { ...b }];
  if (one.smooth_method === other.smooth_method) {
    for (const each of [one, other]) each.smooth_value = smoothValue(each);
  }
  const grouped = new Map();
  for (const [name, value] of Object.entries(one)) {
    if (sameValue(value, other[name])) continue;
    const head = facts.heads[name] ?? name;
    grouped.set(head, [...(grouped.get(head) ?? []), [name, value, other[name]]]);
  }
  return [...grouped.values()];
}

/** The scores on the way from one dialect to another, one decision at a time. */
async function pathBetween(a, b, { hyps, refs }) {
  const all = decisions(a.options, b.options);
  const mixes = all.map((_, i) => Object.fromEntries(
    all.slice(0, i + 1).flatMap((changes) => changes.map(([name]) => [name, b.options[name]])),
  ));
  const scores = await Promise.all([a, ...mixes.map((changes) => resolve(a, changes))].map(
    (resolved) => kernel.corpus(hyps, refs, resolved),
  ));
  const steps = [];
  let [waiting, before] = [[], points(scores[0])];
  for (const [i, changes] of all.entries()) {
    waiting.push(...changes);
    const after = points(scores[i + 1]);
    if (!Number.isFinite(after) && i < all.length - 1) continue; // no score here: the next step, too
    steps.push({ changes: waiting, before, after });
    [waiting, before] = [[], after];
  }
  return { steps, start: points(scores[0]) };
}

const MINUS = "−";
const fixed = (value, places) => (Number.isFinite(value) ? value.toFixed(places).replace("-", MINUS) : Number.isNaN(value) ? "NaN" : "∞");
const signed = (value, places) => (Number(value.toFixed(places)) ? (value > 0 ? "+" : "") + fixed(value, places) : (0).toFixed(places));
/** A score in the scale of its dialect. */
const shownScore = ({ value, scale }) => fixed(value, scale === 1 ? 4 : 2);
/** Six significant digits. */
const figure = (value) => String(Number(value.toPrecision(6))).replace("-", MINUS);
