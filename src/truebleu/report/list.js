// SPDX-License-Identifier: Apache-2.0
// A list of any length; only the rows in view are in the page.

class VirtualList {
  /**
   * @param box the element that scrolls; its first child holds the rows
   * @param fill writes entry `i` into a row
   * @param select is called with the entry that is clicked, and the event
   */
  constructor(box, fill, select) {
    Object.assign(this, { box, fill, rows: new Map(), spare: [], length: 0, selected: -1 });
    this.holder = box.firstElementChild;
    box.addEventListener("scroll", () => this.draw(), { passive: true });
    this.measure();
    new ResizeObserver(() => this.measure()).observe(box);
    this.holder.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) select(Number(row.dataset.entry), event);
    });
  }

  /** Reads the height of a row, which the style sheet sets. */
  measure() {
    const probe = this.holder.appendChild(document.createElement("div"));
    probe.setAttribute("role", "option");
    const height = probe.offsetHeight;
    probe.remove();
    if (height !== this.height) {
      this.height = height;
      this.show(this.length, this.selected);
    }
    this.draw();
  }

  /** Shows `length` entries, one of which may be selected. */
  show(length, selected) {
    Object.assign(this, { length, selected });
    this.holder.style.height = `${length * (this.height ?? 0)}px`;
    for (const row of this.rows.values()) this.retire(row);
    this.rows.clear();
    this.draw();
  }

  retire(row) {
    row.hidden = true;
    row.removeAttribute("id");
    this.spare.push(row);
  }

  draw() {
    if (!this.height) return;
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 4);
    const count = Math.ceil(this.box.clientHeight / this.height) + 8;
    const end = Math.min(this.length, first + count);
    for (const [entry, row] of this.rows) {
      if (entry >= first && entry < end) continue;
      this.rows.delete(entry);
      this.retire(row);
    }
    for (let entry = first; entry < end; entry++) {
      if (!this.rows.has(entry)) this.rows.set(entry, this.place(entry));
    }
  }

  place(entry) {
    const row = this.spare.pop() ?? this.holder.appendChild(document.createElement("div"));
    row.hidden = false;
    row.id = `entry-${entry}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", this.length);
    row.setAttribute("aria-posinset", entry + 1);
    row.setAttribute("aria-selected", entry === this.selected);
    row.dataset.entry = entry;
    row.style.transform = `translateY(${entry * this.height}px)`;
    this.fill(row, entry);
    return row;
  }

  /** Writes the rows in view again. */
  refresh() {
    for (const [entry, row] of this.rows) this.fill(row, entry);
  }

  /** Marks an entry and scrolls it into view. */
  select(entry) {
    this.rows.get(this.selected)?.setAttribute("aria-selected", "false");
    this.selected = entry;
    if (entry < 0) return void this.box.removeAttribute("aria-activedescendant");
    const top = entry * this.height;
    const { scrollTop, clientHeight } = this.box;
    const above = scrollTop - top;
    const below = top + this.height - scrollTop - clientHeight;
    // A step scrolls as little as possible; a distant entry comes into the middle.
    if (Math.max(above, below) > clientHeight / 2) this.box.scrollTop = top - (clientHeight - this.height) / 2;
    else if (above > 0) this.box.scrollTop = top;
    else if (below > 0) this.box.scrollTop = scrollTop + below;
    this.draw();
    this.rows.get(entry)?.setAttribute("aria-selected", "true");
    this.box.setAttribute("aria-activedescendant", `entry-${entry}`);
  }

  /** The number of rows in view. */
  get page() {
    return Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
  }
}
