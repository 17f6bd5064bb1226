// SPDX-License-Identifier: Apache-2.0
// All segments as points, the listed ones dark; drawing a line around points lists these only.

/** Points of a drawn line are a hundredth of the chart apart, in thousandths: a link has few letters. */
const FINE = 1000;
const APART = FINE / 100;
const MARGIN = { left: 40, right: 10, top: 8, bottom: 34 };

/** About five round numbers between two ends, with their texts. */
function ticksOf(least, most) {
  const rough = (most - least || 1) / 6;
  const power = Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((part) => part * 10 ** power >= rough) * 10 ** power;
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step)
    .map((number) => [number, fixed(number, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))]);
}

class Scatter {
  constructor(figure, browser) {
    this.canvas = figure.querySelector("canvas");
    this.browser = browser;
    this.line = [];
    const choices = [...(facts.systems.length > 1 ? [["b", "the other system"]] : []), ["tokens", "tokens"],
      ...facts.metrics.slice(1).map((name, k) => [`value.${k}`, name])];
    $("across").append(...choices.map(([value, text]) => make("option", { value }, text)));
    if (facts.elsewhere) $("across").value = `value.${facts.metrics.length - 1 - facts.elsewhere}`;
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    new MutationObserver(() => this.draw()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    $("across").addEventListener("change", () => this.draw());
    $("chart").addEventListener("toggle", () => this.draw());
    window.addEventListener("beforeprint", () => this.drawNow());
    // A swipe over the chart scrolls the page; a mouse and a press of the button draw.
    $("lasso").addEventListener("click", () => $("lasso").setAttribute("aria-pressed", !isPressed("lasso")));
    this.canvas.addEventListener("touchstart", (event) => isPressed("lasso") && event.preventDefault(), { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" && !isPressed("lasso")) return;
      this.canvas.setPointerCapture(event.pointerId);
      this.line = [this.at(event)];
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const [last, next] = [this.line.at(-1), this.at(event)];
      if (!last || Math.hypot(next[0] - last[0], next[1] - last[1]) < APART) return;
      this.line.push(next);
      this.draw();
    });
    this.canvas.addEventListener("pointerup", () => this.finish());
    this.canvas.addEventListener("pointercancel", () => this.finish());
  }

  get size() {
    const { clientWidth, clientHeight } = this.canvas;
    return [clientWidth - MARGIN.left - MARGIN.right, clientHeight - MARGIN.top - MARGIN.bottom];
  }

  /** A place in thousandths of the chart, from its lower left corner. */
  at(event) {
    const [width, height] = this.size;
    return [(event.offsetX - MARGIN.left) / width, 1 - (event.offsetY - MARGIN.top) / height].map((share) =>
      Math.round(share * FINE));
  }

  finish() {
    const { line, browser } = this;
    this.line = [];
    $("lasso").setAttribute("aria-pressed", false);
    const lasso = { a: browser.a, b: browser.b, across: $("across").value, line };
    if (line.length > 2 && this.segmentsIn(lasso).length) browser.keepOnly(null, lasso);
    else this.draw();
  }

  /** The segments within a drawn line: a ray to the right crosses its sides an odd number of times. */
  segmentsIn({ a, b, across, line }) {
    const [x, y] = this.axes(a, b, across);
    const isInside = (px, py) => {
      let odd = false;
      for (let i = 0, j = line.length - 1; i < line.length; j = i++) {
        const [[ax, ay], [bx, by]] = [line[i], line[j]];
        if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) odd = !odd;
      }
      return odd;
    };
    return Array.from({ length: facts.segments }, (_, i) => i).filter((i) => isInside(x.share(i) * FINE, y.share(i) * FINE));
  }

  /** The axes: what each shows, its ends, and the share of a segment on it. */
  axes(a, b, across) {
    const { scores, values } = this.browser;
    const all = (value) => Array.from({ length: facts.segments }, (_, i) => value(i)).filter(Number.isFinite);
    const ends = (value) => all(value).reduce(([least, most], one) => [Math.min(least, one), Math.max(most, one)], [Infinity, -Infinity]);
    const axis = (metric, s, value, [least, most] = ends(value)) => {
      const at = (number) => Math.min(1, Math.max(0, (number - least) / (most - least || 1)));
      return { name: `${metric} of ${facts.systems[s]}`, ticks: ticksOf(least, most).map(([number, text]) => [at(number), text]), share: (i) => at(value(i) || 0) };
    };
    const score = (s) => axis(facts.metrics[0], s, (i) => scores[s][i], [0, facts.scale]);
    if (across === "b") return [score(b), score(a)];
    if (across === "tokens") return [axis("length in tokens", a, (i) => this.browser.row(a, i)[0]), score(a)];
    const k = Number(across.slice("value.".length));
    return [axis(facts.metrics[k + 1], a, (i) => values[k][a][i]), score(a)];
  }

  /** Draws once before the next frame, however often this is called, unless nobody sees it. */
  draw() {
    if (!$("chart").open) return;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.drawNow();
    });
  }

  drawNow() {
    const { browser, canvas } = this;
    const [width, height] = this.size;
    if (width < 1 || height < 1 || !browser.order) return;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: canvas.clientWidth * ratio, height: canvas.clientHeight * ratio });
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.translate(MARGIN.left, MARGIN.top);
    const style = getComputedStyle(canvas);
    const color = (name) => {
      pen.fillStyle = pen.strokeStyle = style.getPropertyValue(name);
    };
    const { a, b } = browser;
    const [across, up] = this.axes(a, b, $("across").value);
    canvas.setAttribute("aria-label", `${up.name} against ${across.name} of each segment; ${browser.order.length} are listed`);
    color("border-top-color");
    pen.strokeRect(0, 0, width, height);
    color("color");
    pen.font = `11px ${style.fontFamily}`;
    pen.textAlign = "right";
    for (const [share, text] of up.ticks) {
      pen.fillRect(-3, height * (1 - share), 3, 1);
      pen.fillText(text, -5, height * (1 - share) + 4);
    }
    pen.textAlign = "center";
    for (const [share, text] of across.ticks) {
      pen.fillRect(width * share, height, 1, 3);
      pen.fillText(text, width * share, height + 14);
    }
    pen.fillText(across.name, width / 2, height + 28, width);
    pen.save();
    pen.translate(-28, height / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(up.name, 0, 0, height);
    pen.restore();
    const size = facts.segments > 5_000 ? 2 : 4;
    const dots = (segments, alpha) => {
      pen.globalAlpha = alpha;
      for (const i of segments) pen.fillRect(across.share(i) * width - size / 2, (1 - up.share(i)) * height - size / 2, size, size);
    };
    if (browser.order.length < facts.segments) dots(Array(facts.segments).keys(), 0.35);
    color("accent-color");
    dots(browser.order, facts.segments > 5_000 ? 0.5 : 0.75);
    pen.globalAlpha = 1;
    if (!this.line.length) return;
    pen.beginPath();
    for (const [x, y] of this.line) pen.lineTo((x / FINE) * width, (1 - y / FINE) * height);
    pen.closePath();
    pen.stroke();
    pen.globalAlpha = 0.15;
    pen.fill();
  }
}
