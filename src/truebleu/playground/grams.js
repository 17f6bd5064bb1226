// SPDX-License-Identifier: Apache-2.0
// The n-grams of a segment, and where they match, as in truebleu.analysis.explain.overlap.

/** How often an n-gram counts as shared, to find the best reference. */
const SHARED = {
  precision: Math.min,
  "simple-precision": (inHyp, inRef) => inHyp * (inRef > 0),
  "reference-counts": (inHyp, inRef) => inRef * (inHyp > 0),
};

/** Numbers for the tokens of texts, equal for equal tokens. */
function numbered(texts) {
  const vocabulary = new Vocabulary();
  return texts.map(({ tokens }) => tokens.map((token) => vocabulary.number(token)));
}

/** The n-grams of an order: their words, counts, and the places of hypothesis and reference that match. */
function gramsOf(texts, order, { references, measure }) {
  const [hyp, ...refs] = numbered(texts);
  const places = (tokens) => {
    const found = new Map();
    for (let i = 0; i + order <= tokens.length; i++) {
      const gram = gramAt(tokens, i, order);
      if (!found.has(gram)) found.set(gram, []);
      found.get(gram).push(i);
    }
    return found;
  };
  const ofHyp = places(hyp);
  let pool = (references === "first" ? refs.slice(0, 1) : refs).map(places);
  if (references === "best" && measure !== "recall") {
    const shared = pool.map((ref) => [...ofHyp].reduce(
      (sum, [gram, at]) => sum + SHARED[measure](at.length, ref.get(gram)?.length ?? 0), 0,
    ));
    const best = shared.indexOf(Math.max(...shared));
    pool = pool.map((ref, k) => (k === best ? ref : new Map()));
  }
  const grams = [];
  for (const gram of new Set([ofHyp, ...pool].flatMap((counts) => [...counts.keys()]))) {
    const at = ofHyp.get(gram) ?? [];
    const inRefs = pool.map((ref) => ref.get(gram) ?? []);
    const allowed = Math.max(0, ...inRefs.map((found) => found.length));
    const k = inRefs.findIndex((found) => found.length === allowed);
    const kept = measure === "simple-precision" && allowed ? at.length : Math.min(at.length, allowed);
    const matched = {
      recall: inRefs.reduce((sum, found) => sum + Math.min(at.length, found.length), 0),
      "reference-counts": at.length ? allowed : 0,
    }[measure] ?? kept;
    const source = at.length ? texts[0].tokens.slice(at[0], at[0] + order)
      : texts[1 + k].tokens.slice(inRefs[k][0], inRefs[k][0] + order);
    grams.push({
      words: source,
      matched,
      clipped: allowed ? at.length - kept : 0,
      unmatched: allowed ? 0 : at.length,
      missed: Math.max(0, allowed - at.length),
      allowed,
      at,
      links: at.slice(0, kept).map((i, n) => [i, k, inRefs[k][Math.min(n, allowed - 1)]]),
    });
  }
  return grams;
}

/** For each text, the longest match of each of its tokens. */
function covers(texts, { references, max_ngram_order: orders }) {
  const [hyp, ...refs] = numbered(texts);
  const counts = (references === "first" ? refs.slice(0, 1) : refs).map((tokens) => countGrams(tokens, orders));
  const ofHyp = countGrams(hyp, orders);
  return [cover(hyp, highestCounts(counts), orders), ...refs.map((tokens) => cover(tokens, ofHyp, orders))];
}
