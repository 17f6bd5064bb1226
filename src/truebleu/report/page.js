// SPDX-License-Identifier: Apache-2.0
// Keys, saving of charts.

const TYPING = "input, select, textarea";

function listenToKeys(browser) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    if (event.key === "Escape") document.activeElement.blur();
    if (event.target.closest?.(TYPING)) {
      // These keys lead from the search field into the list.
      if (event.target.id === "search" && ["ArrowDown", "Enter"].includes(event.key)) {
        event.preventDefault();
        $("list").focus();
      }
      return;
    }
    if (event.key === "/") {
      $("segments").scrollIntoView();
      $("search").focus();
      $("search").select();
    } else if (event.key === "?") {
      $("help").showModal();
    } else if (event.key === "j" || event.key === "k") {
      if ($("browser").getBoundingClientRect().top > window.innerHeight / 2) $("browser").scrollIntoView();
      $("list").focus({ preventScroll: true });
      browser.step(event.key === "j" ? 1 : -1);
    } else if (event.key === "e" && browser.live?.canCount) {
      browser.live.open(`system.${browser.a}`);
    } else {
      return;
    }
    event.preventDefault();
  });
}

const PAINT = ["fill", "stroke", "font-family"];

/** A chart as a file of its own, with the colors that it has on the page. */
function standalone(chart) {
  const copy = chart.cloneNode(true);
  const originals = chart.querySelectorAll("*");
  for (const [i, element] of copy.querySelectorAll("*").entries()) {
    const style = getComputedStyle(originals[i]);
    for (const name of PAINT) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  }
  const [xmlns, { width, height }] = ["http://www.w3.org/2000/svg", chart.viewBox.baseVal];
  const paper = document.createElementNS(xmlns, "rect");
  const fill = getComputedStyle(document.body).backgroundColor;
  for (const [element, values] of [[copy, { xmlns, width, height }], [paper, { width: "100%", height: "100%", fill }]]) {
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
  }
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

async function savePng(text, chart, name) {
  const { width, height } = chart.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = make("canvas", { width: 3 * width, height: 3 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => download(blob, `${name}.png`), "image/png");
}

function listenToCharts() {
  for (const figure of document.querySelectorAll("figure[data-name]")) {
    const { name } = figure.dataset;
    const chart = figure.querySelector("svg");
    const menu = figure.querySelector("details");
    menu.addEventListener("click", (event) => {
      const kind = event.target.dataset?.save;
      if (!kind) return;
      menu.open = false;
      const text = standalone(chart);
      if (kind === "png") savePng(text, chart, name);
      else download(new Blob([text], { type: "image/svg+xml" }), `${name}.svg`);
    });
  }
}

/** Follows links in a page that has no file, which the playground opens: browsers refuse to. */
function listenToLinks() {
  if (location.protocol !== "blob:") return;
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    history.replaceState(null, "", link.hash);
    window.dispatchEvent(new Event("hashchange"));
    $(link.hash.slice(1))?.scrollIntoView();
  });
}

for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
listenToLinks();
listenToTheme();
listenToCharts();
$("help-button").addEventListener("click", () => $("help").showModal());
Browser.open().then(
  (browser) => {
    listenToKeys(browser);
    listenToExport(browser);
    listenToTables(browser);
    document.documentElement.dataset.ready = ""; // for tests and benchmarks
  },
  (error) => {
    $("count").textContent = `This browser cannot show the segments (${error}); use one of 2024 or later.`;
    throw error;
  },
);
