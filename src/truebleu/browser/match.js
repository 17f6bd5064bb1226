// SPDX-License-Identifier: Apache-2.0
// The matches of a hypothesis and its references, as in truebleu.analysis.explain.overlap.

/** Numbers for tokens, equal for equal tokens. */
class Vocabulary {
  numbers = new Map();

  number(token) {
    if (!this.numbers.has(token)) this.numbers.set(token, this.numbers.size);
    return this.numbers.get(token);
  }
}

const gramAt = (tokens, start, order) => tokens.slice(start, start + order).join(" ");

/** How often each n-gram of each order occurs. */
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

/** The highest count of each n-gram in any reference: it can match so often. */
function highestCounts(counts) {
  const highest = new Map();
  for (const one of counts) {
    for (const [gram, times] of one) highest.set(gram, Math.max(times, highest.get(gram) ?? 0));
  }
  return highest;
}

/**
 * For each token, the order of the longest match that covers it, and where that match begins.
 *
 * If an n-gram occurs more often than it can match, its first occurrences are the matches. Later
 * tokens are clipped, even if a longer match covers them.
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
        if (order[j] < n) start[j] = i; // the first of several
        order[j] = n;
      }
    }
  }
  return { order, start, clipped };
}

/** Where an n-gram begins in other tokens. */
function occurrences(gram, order, tokens) {
  const places = [];
  for (let i = 0; i + order <= tokens.length; i++) {
    if (gramAt(tokens, i, order) === gram) places.push(i);
  }
  return places;
}
