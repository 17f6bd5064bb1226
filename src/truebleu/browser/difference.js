// SPDX-License-Identifier: Apache-2.0
// The words that two texts share, and those that only one of them has.

/** The most cells of a table of common lengths; longer texts differ as a whole. */
const MOST_CELLS = 4_000_000;

/** Pairs of places of a longest common subsequence of two lists of words. */
function common(a, b) {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const pairs = Array.from({ length: start }, (_, i) => [i, i]);
  const [rows, width] = [endA - start, endB - start + 1];
  if (rows * width <= MOST_CELLS) {
    // longest[i * width + j] is the length for the words from i and from j on.
    const longest = new Uint16Array((rows + 1) * width);
    for (let i = rows - 1; i >= 0; i--) {
      for (let j = width - 2; j >= 0; j--) {
        const at = i * width + j;
        longest[at] = a[start + i] === b[start + j]
          ? longest[at + width + 1] + 1
          : Math.max(longest[at + width], longest[at + 1]);
      }
    }
    for (let i = 0, j = 0; i < rows && j < width - 1; ) {
      const at = i * width + j;
      if (a[start + i] === b[start + j]) pairs.push([start + i++, start + j++]);
      else if (longest[at + width] >= longest[at + 1]) i++;
      else j++;
    }
  }
  for (let i = endA, j = endB; i < a.length; i++, j++) pairs.push([i, j]);
  return pairs;
}

/** Where to begin to read two texts: a few words before they differ. */
function differFrom(a, b) {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return a === b ? 0 : a.lastIndexOf(" ", Math.max(0, same - 12)) + 1;
}

/** Draws two texts with the words that only one has marked: those that match a reference, and others. */
function drawDifference(paragraphs, views) {
  const words = (view) => view.words.map((piece) => piece.text);
  const shared = common(...views.map(words));
  for (const [k, view] of views.entries()) {
    const same = new Set(shared.map((pair) => pair[k]));
    paragraphs[k].replaceChildren();
    let part = null;
    for (const i of view.words.keys()) {
      const kind = same.has(i) ? "" : view.marks.order[i] ? "hit" : "miss";
      const joined = kind && part?.className === kind;
      if (i) appendText(joined ? part : paragraphs[k], view.gap(i));
      if (!joined) part = kind ? paragraphs[k].appendChild(make("mark", { class: kind })) : null;
      appendText(part ?? paragraphs[k], view.words[i].text);
    }
  }
}
