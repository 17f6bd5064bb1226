// The table of dialects is long: a box above it hides the rows that lack a typed word.
document.addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector("section#dialects > div table, section#dialects > table");
  if (!table) return;
  const box = document.createElement("input");
  box.type = "search";
  box.placeholder = "Filter: caption, PyTorch, 2009, ...";
  box.setAttribute("aria-label", "Filter the dialects");
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/);
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
  table.before(box);
});
