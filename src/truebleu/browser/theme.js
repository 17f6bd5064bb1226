// SPDX-License-Identifier: Apache-2.0
// Light and dark.

function listenToTheme() {
  const root = document.documentElement;
  const remember = (theme) => {
    try {
      localStorage.setItem("truebleu-theme", theme);
    } catch {
      // Some browsers store nothing for files; the page then follows the system.
    }
  };
  const show = (theme) => {
    root.dataset.theme = theme;
    $("theme").textContent = theme === "dark" ? "Light" : "Dark";
    $("theme").setAttribute("aria-label", `Show the page ${theme === "dark" ? "light" : "dark"}`);
  };
  let theme = null;
  try {
    theme = localStorage.getItem("truebleu-theme");
  } catch {
    // as above
  }
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  show(["light", "dark"].includes(theme) ? theme : dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => show(dark.matches ? "dark" : "light"));
  $("theme").addEventListener("click", () => {
    show(root.dataset.theme === "dark" ? "light" : "dark");
    remember(root.dataset.theme);
  });
}
