// SPDX-License-Identifier: Apache-2.0
// Light and dark.

function listenToTheme() {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let stored = {}; // some browsers store nothing for files; the page then follows the system
  try {
    stored = localStorage ?? stored;
  } catch {
    // as above
  }
  const show = (theme) => {
    root.dataset.theme = theme;
    $("theme").textContent = theme === "dark" ? "Light" : "Dark";
    $("theme").setAttribute("aria-label", `Show the page ${theme === "dark" ? "light" : "dark"}`);
  };
  const own = stored["truebleu-theme"];
  show(["light", "dark"].includes(own) ? own : dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => show(dark.matches ? "dark" : "light"));
  $("theme").addEventListener("click", () => {
    show(root.dataset.theme === "dark" ? "light" : "dark");
    stored["truebleu-theme"] = root.dataset.theme;
  });
}
