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

class Files {
  files = [];
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
    try {
      for (const file of list) {
        const lines = await readLines(file);
        this.files = this.files.filter(({ name }) => name !== file.name);
        this.files.push({ name: file.name, lines, isRef: /ref|gold|target/i.test(file.name) });
      }
    } catch (error) {
      $("dropped").hidden = false;
      $("scored").textContent = error.message;
      return;
    }
    if (this.files.length && !this.files.some(({ isRef }) => isRef)) this.files[0].isRef = true;
    $("dropped").hidden = false;
    await this.score();
    $("files").scrollIntoView();
  }

  /** Opens the report of the files below them; a link opens it in a tab of its own. */
  async open() {
    const [files, dialect] = [this.files, this.dialect];
    const html = await reportOf(this.systems(), this.refs(), dialect);
    if (files !== this.files || dialect !== this.dialect) return;
    URL.revokeObjectURL($("report").href);
    $("report").href = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    $("report-frame").src = $("report").href;
    $("opened").hidden = false;
  }

  refs() {
    return this.files.filter(({ isRef }) => isRef);
  }

  systems() {
    return this.files.filter(({ isRef }) => !isRef);
  }

  /** Scores the files by another dialect. */
  async follow(dialect) {
    const before = this.dialect;
    this.dialect = dialect;
    if (!sameValue(before, dialect)) await this.score();
  }

  async score() {
    if (!this.files.length) return;
    const [refs, systems] = [this.refs(), this.systems()];
    const scores = new Map();
    let said = "";
    try {
      if (!refs.length || !systems.length) throw new Error("Give at least one hypothesis and one reference.");
      const columns = refs[0].lines.map((_, i) => refs.map(({ lines }) => lines[i]));
      const odd = this.files.find(({ lines }) => lines.length !== columns.length);
      if (odd) throw new Error(`${odd.name} has ${lineCount(odd.lines)}, ${refs[0].name} ${lineCount(refs[0].lines)}; line i of each must be the same segment.`);
      const start = performance.now();
      for (const system of systems) scores.set(system, await kernel.corpus(system.lines, columns, this.dialect));
      const seconds = (performance.now() - start) / 1000;
      said = `${plural(columns.length * systems.length, "segment")} scored in ${seconds < 0.01 ? "less than 0.01" : seconds.toFixed(2)} s by ${this.dialect.name}, on this machine.`;
    } catch (error) {
      said = error.message;
    }
    this.show(scores);
    $("scored").textContent = said;
    $("opened").hidden = true;
    if (scores.size) await this.open().catch((error) => ($("scored").textContent += ` ${error.message}`));
  }

  show(scores) {
    $("dropped").querySelector("tbody").replaceChildren(...this.files.map((file) => {
      const role = make("select", { "aria-label": `What ${file.name} is` }, make("option", { value: "hyp" }, "hypothesis"), make("option", { value: "ref" }, "reference"));
      role.value = file.isRef ? "ref" : "hyp";
      role.addEventListener("change", () => {
        file.isRef = role.value === "ref";
        this.score();
      });
      const score = scores.get(file);
      const value = numberCell(score ? shownScore(score) : "");
      if (score) Object.assign(value.dataset, { subsetScore: file.name, value: String(score.value) });
      const rest = score ? [fixed(score.bp, 3), score.hyp_len, score.ref_len] : ["", "", ""];
      return make("tr", {}, make("th", { scope: "row" }, textElement("bdi", {}, file.name)), numberCell(file.lines.length.toLocaleString("en")),
        make("td", {}, role), value, ...rest.map((cell) => numberCell(typeof cell === "number" ? cell.toLocaleString("en") : cell)));
    }));
  }
}
