// SPDX-License-Identifier: Apache-2.0
// The formula of a score with its numbers, all of which are the kernel's, as MathML.

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

/** The lines of the formula: each precision, the brevity penalty, the product. */
function formulaOf(result) {
  const { score, options, rows } = result;
  const orders = ordersOf(sumOf(rows), options);
  const lines = orders.map(([match, of], n) => precisionLine(n, match, of, score.precisions[n] / 100));
  lines.push(brevityLine(score, options));
  const product = productLine(score, options, orders);
  const changed = orders.some(([match, of], n) => !near(match / of, score.precisions[n] / 100));
  return { lines: [...lines, ...(product ? [product] : [])], product, smoothed: changed };
}

const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

function precisionLine(n, match, of, precision) {
  const fraction = math("mfrac", mn(match), mn(of));
  const asCounted = near(match / of, precision);
  return math("math", math("msub", mi("p"), mn(n + 1)), mo("="), fraction,
    mo(asCounted ? "=" : "→"), mn(Number(precision.toPrecision(4))));
}

function brevityLine({ bp, hyp_len: c, ref_len: r }, { brevity, brevity_power: power, add_lengths: added }) {
  const [moreC, moreR] = added ?? [0, 0];
  const length = (count, more) => (more ? row(mo("("), mn(count), mo("+"), mn(more), mo(")")) : mn(count));
  if (bp === 1 || bp === 0) {
    const longEnough = `${figure(c + moreC)} is not less than ${figure(r + moreR)}`;
    const why = brevity === "none" ? "this dialect has no penalty" : bp ? longEnough : "there is no token";
    return math("math", mi("BP"), mo("="), mn(bp), math("mtext", `, as ${why}`));
  }
  // The table writes a rule as text with places for both lengths.
  const text = facts.brevity[c + moreC > r + moreR ? "longer" : brevity];
  const inside = (part) => row(...part.split(/([{][cr][}]|[^\w{}]+)/).filter(Boolean).map((one) => {
    if (one === "{c}") return length(c, moreC);
    if (one === "{r}") return length(r, moreR);
    return /^\d/.test(one) ? mn(one) : /^\w/.test(one) ? mi(one) : mo(one.trim().replace("-", MINUS));
  }));
  const exponent = /^e\^\((.*)\)$/.exec(text);
  const plain = exponent ? math("msup", mi("e"), inside(exponent[1])) : inside(text);
  const rule = power === 1 ? plain : math("msup", row(mo("("), plain, mo(")")), mn(power));
  return math("math", mi("BP"), mo("="), rule, mo("="), mn(Number(bp.toPrecision(4))));
}

/** The product, if the score is one: of all orders, or of those that have n-grams. */
function productLine({ value, scale, bp, precisions }, { weights, arithmetic }, orders) {
  const all = orders.map((_, n) => n);
  const own = weights ?? all.map(() => 1 / all.length);
  for (const used of [all, all.filter((n) => orders[n][1] > 0), all.filter((n) => precisions[n] > 0)]) {
    const sum = arithmetic === "weighted" ? 1 : used.reduce((part, n) => part + own[n], 0);
    const exponents = used.map((n) => own[n] / sum);
    const mean = used.reduce((part, n, i) => part * (precisions[n] / 100) ** exponents[i], 1);
    if (!used.length || !(Math.abs(scale * bp * mean - value) <= 1e-6 * scale)) continue;
    const equal = exponents.every((one) => one === exponents[0]);
    const power = (n, i) => math("msup", mn(Number((precisions[n] / 100).toPrecision(4))), mn(exponents[i]));
    const together = () => math("msup",
      row(mo("("), ...between("×", used.map((n) => mn(Number((precisions[n] / 100).toPrecision(4))))), mo(")")),
      row(mn(1), mo("/"), mn(1 / exponents[0])));
    const factors = equal && used.length > 1 ? [together()] : used.map(power);
    return math("math", mi("BLEU"), mo("="), ...between("×", [mn(scale), mn(Number(bp.toPrecision(4))), ...factors]),
      mo("="), math("mn", shownScore({ value, scale })));
  }
  return null;
}
