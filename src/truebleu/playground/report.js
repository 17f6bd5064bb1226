// SPDX-License-Identifier: Apache-2.0
// The report of dropped files: its page, with the data that truebleu.report.segments writes.

/** A number array or a text as base64 of zlib's format. */
async function packed(data) {
  const stream = new Blob([data]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const parts = [];
  for (let at = 0; at < bytes.length; at += 30_000) parts.push(String.fromCharCode(...bytes.subarray(at, at + 30_000)));
  return btoa(parts.join(""));
}

/** The page of a report of files, which are lists of lines. */
async function reportOf(systems, refs, srcs, resolved) {
  const [columns, types, streams] = [{}, {}, []];
  const add = async (name, type, data) => {
    types[name] = type;
    streams.push(make("script", { type: "text/plain", id: `stream-${name}` }, await packed(data)).outerHTML);
  };
  const addTexts = async (name, texts) => {
    const all = await kernel.tokens(texts, resolved);
    const spelled = {};
    const located = all.map(({ tokens, places }, i) => {
      if (!places) spelled[i] = tokens;
      return places ?? { gaps: [], sizes: [], counted: texts[i] };
    });
    columns[name] = { absent: [], spelled };
    const [whole, counted] = [texts.join(""), located.map((one) => one.counted).join("")];
    await add(`${name}.text`, "text", whole);
    if (counted !== whole) await add(`${name}.counted`, "text", counted);
    const numbers = { lengths: texts.map((text) => text.length), counts: located.map(({ sizes }) => sizes.length),
      gaps: located.flatMap(({ gaps }) => gaps), sizes: located.flatMap(({ sizes }) => sizes) };
    for (const [kind, values] of Object.entries(numbers)) await add(`${name}.${kind}`, "u4", Uint32Array.from(values));
    await kernel.load(name, texts);
    return name;
  };
  const named = { hyps: [], refs: [] };
  for (const [i, { lines }] of systems.entries()) named.hyps.push(await addTexts(`system.${i}`, lines));
  for (const { lines } of srcs.slice(0, 1)) await addTexts("source", lines);
  for (const [k, { lines }] of refs.entries()) named.refs.push(await addTexts(`ref.${k}`, lines));
  await kernel.count("report", resolved, named.hyps, named.refs);
  const [scores, costs] = [await kernel.each("values", "report"), await kernel.each("costs", "report")];
  const segments = refs[0].lines.length;
  const pairs = refs[0].lines.map((_, i) => refs.map(({ lines }) => lines[i]));
  for (const [i, { lines }] of systems.entries()) {
    await add(`score.${i}`, "f8", scores[i]);
    await add(`cost.${i}`, "f8", costs[i]);
    // Joined segments have integers of 36 bits and more.
    await add(`stats.${i}`, "f8", (await kernel.rows(lines, pairs, resolved)).rows);
  }
  const { max_ngram_order: orders, references, scale } = resolved.options;
  const names = systems.map(({ name }) => name);
  const page = {
    systems: names, segments, references: refs.length, orders, counted: countedOrders(resolved),
    firstAlone: references === "first", scale, metrics: ["BLEU"], formulas: [], divisions: [], columns, types,
    dialect: resolved, live: true, documents: null, flagged: [], level: 0.95, seed: facts.seed,
  };
  const json = JSON.stringify(page).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  const parts = { facts: json, streams: streams.join("\n"), kernel: $("kernel").innerHTML };
  return facts.report.replace(/\[\[(facts|streams|kernel)\]\]/g, (_, name) => parts[name]);
}
