// SPDX-License-Identifier: Apache-2.0
// A set's report is unpacked and opened when its link is followed; arrow keys move in a heat map.

/** The text of an element of compressed data. */
const textOf = async (node) => new TextDecoder().decode(await unpacked(node.textContent));

class Sets {
  open = null;
  focus = null;
  frame = null;

  /** Shows the set that a link names, with the state of its report, or all sets. */
  async show(link = location.hash) {
    const [name, ...state] = link.slice(1).split("/");
    const node = document.getElementById(`packed-${name}`);
    const address = state.length ? `#${state.join("/")}` : "";
    if (!node) return this.close();
    if (this.open === node) {
      this.frame?.contentWindow.location.replace(this.url + address);
      return;
    }
    this.close();
    this.open = node;
    this.focus = document.activeElement;
    for (const part of [document.querySelector(".top"), $("main")]) part.inert = true;
    $("set").hidden = false;
    $("set-heading").replaceChildren(make("bdi", {}, node.dataset.title));
    $("opening").textContent = "Opening\u2026";
    $("back").focus();
    try {
      this.shared ??= await Promise.all(Array.from(document.querySelectorAll("[data-shared]"), textOf));
      let page = await textOf(node);
      for (const [i, part] of this.shared.entries()) page = page.split(`<!--shared-${i}-->`).join(part);
      if (this.open !== node) return;
      this.url = URL.createObjectURL(new Blob([page], { type: "text/html" }));
      this.frame = make("iframe", { title: node.dataset.title, src: this.url + address });
      this.frame.addEventListener("load", () => this.follow(this.frame));
      $("set").append(this.frame);
      $("opening").textContent = "";
    } catch (error) {
      $("opening").textContent = `This browser cannot open the set (${error}); use one of 2024 or later.`;
    }
  }

  /** The report has the colors of this page; where browsers keep both apart, those of the system. */
  follow(frame) {
    try {
      const { theme } = document.documentElement.dataset;
      if (frame.contentDocument.documentElement.dataset.theme !== theme) frame.contentDocument.getElementById("theme").click();
      frame.contentDocument.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !event.target.closest?.("input, select, dialog")) $("back").click();
      });
    } catch {
      // as above
    }
    document.documentElement.dataset.opened = ""; // for tests
  }

  close() {
    if (!this.open) return;
    this.open = null;
    this.frame?.remove();
    this.frame = null;
    if (this.url) URL.revokeObjectURL(this.url);
    $("set").hidden = true;
    for (const part of [document.querySelector(".top"), $("main")]) part.inert = false;
    delete document.documentElement.dataset.opened;
    this.focus?.focus();
  }
}

/** Arrow keys move from cell to cell. */
function listenToArrows(table) {
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  table.addEventListener("keydown", (event) => {
    const [down, right] = moves[event.key] ?? [];
    const cell = event.target.closest("td");
    if (down === undefined || !cell) return;
    let [row, column, link] = [cell.parentElement.sectionRowIndex, cell.cellIndex];
    do {
      [row, column] = [row + down, column + right];
      const next = table.tBodies[0].rows[row]?.cells[column];
      if (!next) return;
      link = next.querySelector("a");
    } while (!link); // a missing output
    event.preventDefault();
    link.focus();
  });
}

for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
listenToTheme();
const sets = new Sets();
window.addEventListener("hashchange", ({ newURL }) => sets.show(new URL(newURL).hash));
window.addEventListener("message", ({ source, data }) => {
  if (source !== sets.frame?.contentWindow || typeof data !== "string") return;
  history.replaceState(null, "", `#${sets.open.id.slice(7)}/${data.slice(1)}`);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && sets.open) $("back").click();
});
for (const table of document.querySelectorAll(".heat")) listenToArrows(table);
sets.show();
document.documentElement.dataset.ready = "";
