// SPDX-License-Identifier: Apache-2.0
// A field for each option, with what each of its values would change.

class Fields {
  /** @param change called with an option's name and its value, or undefined for the tool's own */
  constructor(change) {
    this.fields = new Map();
    for (const option of TABLE.options) {
      const field = this.field(option);
      const reset = make("button", { type: "button", hidden: "", "aria-label": `Reset ${option.name}` }, "reset");
      const label = make("label", {}, make("span", { class: "option" }, option.name), field);
      const about = make("p", { class: "remark", id: `about-${option.name}` }, option.help);
      field.setAttribute("aria-describedby", about.id);
      field.addEventListener("change", () => change(option.name, parsed(option, field.value)));
      reset.addEventListener("click", () => {
        change(option.name, undefined);
        field.focus();
      });
      document.querySelector(`[data-part="${option.part}"] .fields`)
        .append(make("div", { class: "field" }, make("div", { class: "set" }, label, reset), about));
      this.fields.set(option.name, { option, field, reset });
    }
    for (const part of document.querySelectorAll("[data-part] .options")) {
      part.addEventListener("toggle", () => this.compare());
    }
  }

  field({ name, kind, choices }) {
    const values = kind === "bool" ? ["no", "yes"] : choices;
    if (!values.length) {
      const type = kind === "int" || kind === "float" ? { type: "number", step: kind === "int" ? 1 : "any", min: 0 } : { type: "text", placeholder: "none" };
      return make("input", { id: `option-${name}`, autocomplete: "off", ...type });
    }
    const select = make("select", { id: `option-${name}` });
    for (const value of values) {
      const option = make("option", { value }, value);
      if (name === "tokenize" && !TABLE.native.includes(value)) {
        option.disabled = true;
        option.textContent = `${value} (needs Python)`;
      }
      select.append(option);
    }
    return select;
  }

  /** Shows the values of a result, of which some are changed. */
  show(result, changes, corpus) {
    Object.assign(this, { result, corpus });
    for (const [name, { field, reset }] of this.fields) {
      const value = written(result.options[name]);
      if (document.activeElement !== field || field.tagName === "SELECT") field.value = value;
      reset.hidden = !(name in changes);
      field.classList.toggle("changed", name in changes);
    }
    for (const part of document.querySelectorAll("[data-part]")) {
      const own = Object.keys(changes).filter((name) => OPTIONS.get(name).part === part.dataset.part);
      part.querySelector("summary").textContent = own.length ? `Options (${own.length} changed)` : "Options";
    }
    return this.compare();
  }

  /** Writes after each value of the open panels what the score would gain with it. */
  async compare() {
    const { result, corpus } = this;
    if (!result || corpus.hyps.length > 100) return;
    const base = points(result.score);
    for (const [name, { option, field }] of this.fields) {
      if (field.tagName !== "SELECT" || !field.closest("details").open) continue;
      await Promise.all(Array.from(field.options, async (choice) => {
        if (choice.disabled) return;
        const gain = await this.gain(name, parsed(option, choice.value), base);
        if (this.result === result) choice.textContent = choice.value + gain;
      }));
    }
  }

  async gain(name, value, base) {
    const { result, corpus } = this;
    if (written(result.options[name]) === written(value)) return "";
    try {
      const score = await kernel.corpus(corpus.hyps, corpus.refs, resolve(result.resolved, { [name]: value }));
      const gain = points(score) - base;
      return `  ${Number.isNaN(gain) ? "NaN" : signed(gain, 2)}`;
    } catch {
      return ""; // a value that does not go with the others
    }
  }
}
