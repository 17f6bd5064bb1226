// SPDX-License-Identifier: Apache-2.0
// Elements and texts, which enter a page as text nodes only.

const $ = (id) => document.getElementById(id);

/** Characters that are invisible, or that reorder the text around them. */
const ODD = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/u;

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children); // strings become nodes of text
  return element;
}

/** Appends a text; odd characters are shown by their code and do not affect the others. */
function appendText(parent, text) {
  if (!ODD.test(text)) {
    parent.append(text);
    return;
  }
  let plain = "";
  for (const character of text) {
    if (!ODD.test(character)) {
      plain += character;
      continue;
    }
    const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    parent.append(plain, make("span", { class: "odd", "data-code": `U+${code}` }, character));
    plain = "";
  }
  parent.append(plain);
}

/** The bytes of base64 of zlib's format; browsers since 2025 have a faster function of their own. */
function unpacked(text) {
  const packed = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

function download(blob, name) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
