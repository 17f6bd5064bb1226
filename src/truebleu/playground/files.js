// SPDX-License-Identifier: Apache-2.0
// Files that are dropped on the page: scored here, sent nowhere.

/** The lines of a file, as the command reads them. */
async function readLines(file) {
  const packed = file.name.endsWith(".gz");
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const bytes = await new Response(stream).arrayBuffer();
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${file.name}: not UTF-8 text`);
  }
  if (text === "") throw new Error(`${file.name}: the file is empty`);
  return linesOf(text);
}

const ROLES = ["system", "reference", "source", "ignore"];

class Files {
  files = [];
  unread = [];
  dialect = resolve();

  constructor() {
    $("chosen").addEventListener("change", () => this.add($("chosen").files));
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dropping");
    });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      this.add(event.dataTransfer.files);
    });
  }

  async add(list) {
    this.unread = [];
    for (const { name } of list) this.files = this.files.filter((file) => file.name !== name);
    for (const file of list) {
      const role = /ref|gold|target/i.test(file.name) ? "reference" : /src|source/i.test(file.name) ? "source" : "system";
      await readLines(file).then((lines) => this.files.push({ name: file.name, lines, role }), ({ message }) => this.unread.push(message));
    }
    const systems = this.files.filter(({ role }) => role === "system");
    if (systems.length > 1 && !this.files.some(({ role }) => role === "reference")) systems[0].role = "reference";
    $("dropped").hidden = false;
    await this.score();
    $("files").scrollIntoView();
  }

  /** Opens the report of the files below them; a link opens it in a tab of its own. */
  async open() {
    const [files, dialect] = [this.files, this.dialect];
    const html = await reportOf(...["system", "reference", "source"].map((role) => this.used(role)), dialect);
    if (files !== this.files || dialect !== this.dialect) return;
    URL.revokeObjectURL($("report").href);
    $("report").href = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    $("save-report").href = $("report").href;
    $("opened").hidden = false;
    // Chromium may leave a frame blank whose page changes while it is hidden.
    $("report-frame").replaceWith(Object.assign($("report-frame").cloneNode(), { src: $("report").href }));
  }

  /** The files of a role that have as many lines as most do; of several numbers, that of the references. */
  used(role) {
    const counts = this.files.filter((file) => file.role !== "ignore").toSorted((a, b) => (b.role === "reference") - (a.role === "reference")).map(({ lines }) => lines.length);
    const often = (count) => counts.filter((other) => other === count).length;
    this.size = counts.reduce((best, count) => (often(count) > often(best) ? count : best), counts[0]);
    return this.files.filter((file) => file.role === role && file.lines.length === this.size);
  }

  /** Scores the files by another dialect. */
  async follow(dialect) {
    const before = this.dialect;
    this.dialect = dialect;
    if (!sameValue(before, dialect)) await this.score();
  }

  async score() {
    const [refs, systems] = [this.used("reference"), this.used("system")];
    const scores = new Map();
    let said = "";
    try {
      if (!refs.length || !systems.length) throw new Error("Give at least one system and one reference of the same length.");
      const columns = refs[0].lines.map((_, i) => refs.map(({ lines }) => lines[i]));
      const start = performance.now();
      for (const system of systems) scores.set(system, await kernel.corpus(system.lines, columns, this.dialect));
      const seconds = (performance.now() - start) / 1000;
      said = `${plural(columns.length * systems.length, "segment")} scored in ${seconds < 0.01 ? "less than 0.01" : seconds.toFixed(2)} s by ${this.dialect.name}, on this machine.`;
    } catch (error) {
      said = error.message;
    }
    this.show(scores);
    $("scored").textContent = [...this.unread, said].join(" ");
    $("opened").hidden = true;
    if (scores.size) await this.open().catch((error) => ($("scored").textContent += ` ${error.message}`));
  }

  show(scores) {
    const body = $("dropped").querySelector("tbody");
    const refocus = focusIn(body, "select, button");
    body.replaceChildren(...this.files.map((file) => {
      const role = make("select", { "aria-label": `What ${file.name} is` }, ...ROLES.map((name) => make("option", { value: name }, name)));
      role.value = file.role;
      role.addEventListener("change", () => {
        file.role = role.value;
        this.score();
      });
      const remove = make("button", { type: "button", "aria-label": `Remove ${file.name}` }, "Remove");
      remove.addEventListener("click", () => {
        this.files = this.files.filter((other) => other !== file);
        this.score();
      });
      const score = scores.get(file);
      const value = numberCell(score ? shownScore(score) : "");
      if (score) Object.assign(value.dataset, { subsetScore: file.name, value: String(score.value) });
      const cells = score ? [fixed(score.bp, 3), score.hyp_len.toLocaleString("en"), score.ref_len.toLocaleString("en")] : ["", "", ""];
      const odd = file.role !== "ignore" && file.lines.length !== this.size && `${file.name} has ${lineCount(file.lines)}, most files ${this.size}; it is left out`;
      return make("tr", {}, make("th", { scope: "row" }, textElement("bdi", {}, file.name)), numberCell(file.lines.length.toLocaleString("en")),
        make("td", {}, role), ...(odd ? [make("td", { colspan: 4, class: "problem" }, odd)] : [value, ...cells.map((cell) => numberCell(cell))]), make("td", {}, remove));
    }));
    refocus();
  }
}
