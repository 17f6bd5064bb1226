// SPDX-License-Identifier: Apache-2.0
// Intervals and p-values from resamples, as in truebleu.analysis.compare.

/** Rows that are added between two looks at other calls. */
const ROWS_AT_A_TIME = 4_000_000;
const UNITS_AT_A_TIME = 20_000;

/** The cumulative distribution of the normal, to 1e-15 (Marsaglia 2004). */
function normal(x) {
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0;
  let [sum, term] = [x, x];
  for (let i = 3; sum + term !== sum; i += 2) sum += term *= (x * x) / i;
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Its inverse, by Newton's method. */
function inverseNormal(share) {
  let x = 0;
  for (let i = 0; i < 100; i++) {
    const step = (normal(x) - share) * Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2);
    x -= Math.max(-1, Math.min(1, step));
    if (Math.abs(step) < 1e-15) break;
  }
  return x;
}

function quantile(ordered, share) {
  const place = share * (ordered.length - 1);
  const low = Math.floor(place);
  const high = Math.min(low + 1, ordered.length - 1);
  return ordered[low] + (ordered[high] - ordered[low]) * (place - low);
}

/** BCa's interval (Efron 1987) from resampled values and values without each unit. */
function interval(resampled, estimate, without, level) {
  const ordered = Float64Array.from(resampled).sort();
  const count = ordered.length;
  if (Number.isNaN(ordered[count - 1])) return [NaN, NaN];
  if (ordered[0] === ordered[count - 1]) return [ordered[0], ordered[0]];
  let [first, second, third] = [0, 0, 0];
  for (const value of without) {
    const moved = estimate - value;
    first += moved;
    second += moved * moved;
    third += moved * moved * moved;
  }
  const units = without.length;
  const mean = first / units;
  const squares = second - units * mean ** 2;
  const cubes = third - 3 * mean * second + 2 * units * mean ** 3;
  const acceleration = squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
  let twice = 0;
  for (const value of ordered) twice += (value < estimate) + (value <= estimate);
  const half = 0.5 / count;
  const bias = inverseNormal(Math.min(Math.max(twice * half, half), 1 - half));
  const corrected = (tail) => {
    const shifted = bias + inverseNormal(tail);
    const stretch = 1 - acceleration * shifted;
    return stretch > 0 ? normal(bias + shifted / stretch) : Number(shifted > 0);
  };
  const tail = (1 - level) / 2;
  return [quantile(ordered, corrected(tail)), quantile(ordered, corrected(1 - tail))];
}

/** The numbers that `work` writes for parts of `count`; other calls are answered between them. */
async function inParts(count, size, work) {
  const parts = [];
  const mine = comparison;
  for (let first = 0; first < count; first += size) {
    work(first, Math.min(size, count - first));
    parts.push(numbers());
    const { port1, port2 } = new MessageChannel(); // setTimeout would take 4 ms
    await new Promise((resolve) => { port1.onmessage = resolve; port2.postMessage(null); });
    if (mine !== comparison) throw new Error("another comparison began");
  }
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** The comparison of the systems that `resample` prepared; with two of them, of b minus a, too. */
async function compareSystems(units, observed, { resamples, seed, level }) {
  const systems = observed.length;
  const size = Math.max(1, Math.ceil(ROWS_AT_A_TIME / units / 8)) * 8;
  const drawn = await inParts(resamples, size, (first, count) => wasm.bootstrap(seed, first, count));
  const without = await inParts(units, UNITS_AT_A_TIME, wasm.jackknife);
  const column = (table, i) => table.subarray(0, table.length / systems).map((_, at) => table[at * systems + i]);
  const [scores, left] = [drawn, without].map((table) => observed.map((_, i) => column(table, i)));
  const intervals = observed.map((value, i) => interval(scores[i], value, left[i], level));
  const result = { intervals };
  if (systems !== 2) return result;
  const minus = (all) => all[1].map((value, i) => value - all[0][i]);
  result.difference = observed[1] - observed[0];
  result.interval = interval(minus(scores), result.difference, minus(left), level);
  const gap = Math.abs(result.difference);
  const gaps = await inParts(resamples, size, (first, count) => wasm.permutation(seed, first, count));
  result.p = (gaps.reduce((sum, value) => sum + !(Math.abs(value) < gap), 0) + 1) / (resamples + 1);
  return result;
}
