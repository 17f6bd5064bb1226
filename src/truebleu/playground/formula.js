// SPDX-License-Identifier: Apache-2.0
// The formula of a score with its numbers, which are steps of the kernel, as MathML.

const math = (tag, ...children) => {
  const element = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
  element.append(...children);
  return element;
};
const mn = (value) => math("mn", typeof value === "number" ? figure(value) : value);
const mi = (name) => math("mi", name);
const mo = (sign) => math("mo", sign);
const row = (...children) => math("mrow", ...children);
const between = (sign, parts) => parts.flatMap((part, i) => (i ? [mo(sign), part] : [part]));
const inBrackets = (...children) => row(mo("("), ...children, mo(")"));
const short = (value) => mn(Number(value.toPrecision(4)));
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** A count and the numbers that are added to it. */
const sum = (...terms) => {
  const shown = terms.filter(Boolean).map(mn);
  return shown.length > 1 ? inBrackets(...between("+", shown)) : shown[0] ?? mn(0);
};

/** The lines of the formula; why the score is no product, or ""; whether it was smoothed. */
function formulaOf({ steps, score, options, rows }) {
  const fault = options.undefined === "missing-order" ? "without n-grams of each order" : "empty";
  const outcome = filled(facts.outcomes[steps.outcome], {
    ...options, fault, segments: plural(rows.length, "segment"), reason: facts.guards[options.guard],
    factors: (options.cumulative_weights ?? []).map(figure).join(", "),
  });
  const lines = [...steps.orders.map((order, n) => precisionLine(n, order, options, score)), penaltyLine(steps)];
  const smoothed = steps.orders.some(({ match, total, precision }) => Math.abs(match / total - precision) > 1e-9);
  return { lines: outcome ? lines : [...lines, productLine(steps, score)], outcome, smoothed };
}

/** A rule of Python's tables, with elements in its places. */
function drawn(rule, values) {
  const exponent = /^e\^\((.*)\)$/.exec(rule);
  if (exponent) return math("msup", mi("e"), drawn(exponent[1], values));
  const fraction = /^(\S+) \/ (\S+)$/.exec(rule);
  if (fraction) return math("mfrac", ...fraction.slice(1).map((part) => drawn(part, values)));
  return row(...rule.split(/(2\^\{zeros\}|\{\w+\}|[^\w{}]+)/).filter(Boolean).map((part) => (
    values[part.replace(/.*\{|\}/g, "")] ?? (/^\d/.test(part) ? mn : /^\w/.test(part) ? mi : mo)(part.trim().replace("-", MINUS)))));
}

function precisionLine(n, order, options, { hyp_len }) {
  const share = smoothValue(options) / (options.arithmetic === "percent" ? 100 : 1);
  const fraction = drawn(facts.precisions[order.rule], {
    matches: sum(order.match, order.by_segment, order.to_match), ngrams: sum(order.counted, order.to_total),
    zeros: math("msup", mn(2), mn(Math.log2(order.halvings))), value: mn(smoothValue(options)), share: mn(share), tokens: mn(hyp_len),
  });
  const more = order.to_precision ? [mo("+"), mn(order.to_precision)] : [];
  const after = order.after === "plain" ? [mo("=")] : [math("mtext", `, ${order.after}: `)];
  return math("math", math("msub", mi("p"), mn(n + 1)), mo("="), fraction, ...more, ...after, short(order.precision));
}

function penaltyLine({ rule, bp, power, hyp_len, to_hyp_len, ref_len, to_ref_len }) {
  const [shown, why] = facts.penalties[rule].split(", as ");
  if (why) return math("math", mi("BP"), mo("="), mn(shown), math("mtext", `, as ${filled(why, { c: figure(hyp_len + to_hyp_len), r: figure(ref_len + to_ref_len) })}`));
  const penalty = drawn(shown, { c: sum(hyp_len, to_hyp_len), r: sum(ref_len, to_ref_len) });
  return math("math", mi("BP"), mo("="), power === 1 ? penalty : math("msup", inBrackets(penalty), mn(power)), mo("="), short(bp));
}

function productLine({ bp, orders }, score) {
  const used = orders.filter(({ weight }) => weight);
  const equal = used.length > 1 && used.every(({ weight, precision, factor }) => weight === used[0].weight && (precision || !factor));
  const root = () => math("msup", inBrackets(...between("×", used.map(({ precision }) => short(precision)))), row(mn(1), mo("/"), mn(1 / used[0].weight)));
  const power = ({ precision, weight, factor }) => (precision || !factor ? math("msup", short(precision), mn(weight)) : short(factor));
  const factors = equal ? [root()] : used.map(power);
  return math("math", mi("BLEU"), mo("="), ...between("×", [mn(score.scale), short(bp), ...factors]), mo("="), mn(shownScore(score)));
}
