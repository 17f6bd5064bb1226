// SPDX-License-Identifier: Apache-2.0
// What a hypothesis shares with references, as truebleu.explanation.overlap finds it.

/** Numbers for tokens: equal tokens have equal ones. */
class Vocabulary {
  numbers = new Map();

  number(token) {
    if (!this.numbers.has(token)) this.numbers.set(token, this.numbers.size);
    return this.numbers.get(token);
  }
}

const gramAt = (tokens, start, order) => tokens.slice(start, start + order).join(" ");

/** How often each n-gram occurs, of all orders. */
function countGrams(tokens, orders) {
  const counts = new Map();
  for (let n = 1; n <= orders; n++) {
    for (let i = 0; i + n <= tokens.length; i++) {
      const gram = gramAt(tokens, i, n);
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
  }
  return counts;
}

/** The largest of the counts: as often as an n-gram may match. */
function largest(counts) {
  const found = new Map();
  for (const one of counts) {
    for (const [gram, times] of one) found.set(gram, Math.max(times, found.get(gram) ?? 0));
  }
  return found;
}

/**
 * For each token the longest match that covers it, and where that begins.
 *
 * Where an n-gram occurs more often than it may match, the first ones are taken for the matches;
 * tokens beyond them are clipped, though a longer match may cover them.
 */
function cover(tokens, allowed, orders) {
  const order = new Uint8Array(tokens.length);
  const start = new Int32Array(tokens.length).fill(-1);
  const clipped = new Array(tokens.length);
  for (let n = 1; n <= orders; n++) {
    const used = new Map();
    for (let i = 0; i + n <= tokens.length; i++) {
      const gram = gramAt(tokens, i, n);
      const times = (used.get(gram) ?? 0) + 1;
      used.set(gram, times);
      const most = allowed.get(gram) ?? 0;
      if (n === 1) clipped[i] = most > 0 && times > most;
      if (times > most) continue;
      for (let j = i; j < i + n; j++) {
        if (order[j] < n) start[j] = i; // of several, the first one
        order[j] = n;
      }
    }
  }
  return { order, start, clipped };
}

/** Where an n-gram begins in other tokens. */
function occurrences(gram, order, tokens) {
  const found = [];
  for (let i = 0; i + order <= tokens.length; i++) {
    if (gramAt(tokens, i, order) === gram) found.push(i);
  }
  return found;
}
