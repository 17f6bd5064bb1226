// SPDX-License-Identifier: Apache-2.0
// All segments as points, the listed ones in color; drawing a line around some lists these only.

class Scatter {
  constructor(figure, browser) {
    this.canvas = figure.querySelector("canvas");
    this.caption = figure.querySelector("figcaption");
    this.browser = browser;
    this.lasso = [];
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    new MutationObserver(() => this.draw()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.lasso = [this.at(event)];
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!this.lasso.length) return;
      this.lasso.push(this.at(event));
      this.draw();
    });
    this.canvas.addEventListener("pointerup", () => this.finish());
    this.canvas.addEventListener("pointercancel", () => this.finish());
  }

  at(event) {
    return [event.offsetX, event.offsetY];
  }

  finish() {
    const { lasso } = this;
    this.lasso = [];
    const inside = lasso.length > 3 ? this.segmentsIn(lasso) : [];
    if (inside.length) this.browser.keepOnly(inside);
    else this.draw();
  }

  /** The segments within a polygon: a ray to the right crosses its sides an odd number of times. */
  segmentsIn(polygon) {
    const [x, y] = this.axes();
    const isInside = (px, py) => {
      let odd = false;
      for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
        const [[ax, ay], [bx, by]] = [polygon[i], polygon[j]];
        if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) odd = !odd;
      }
      return odd;
    };
    return Array.from({ length: facts.segments }, (_, i) => i).filter((i) => isInside(x(i), y(i)));
  }

  /** The places of a segment on the canvas: the score of B or the length, and the score of A. */
  axes() {
    const { browser, canvas } = this;
    const { a, b, scores } = browser;
    const [width, height, left, bottom] = [canvas.clientWidth, canvas.clientHeight, 34, 22];
    const values = a === b ? (i) => browser.row(a, i)[0] : (i) => scores[b][i];
    let most = facts.scale;
    if (a === b) for (let i = 0; i < facts.segments; i++) most = Math.max(i ? most : 1, values(i));
    const place = (value, end) => Math.min(1, Math.max(0, (value || 0) / end));
    return [
      (i) => left + place(values(i), most) * (width - left - 8),
      (i) => height - bottom - place(scores[a][i], facts.scale) * (height - bottom - 8),
    ];
  }

  /** Draws once before the next frame, however often this is called. */
  draw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.drawNow();
    });
  }

  drawNow() {
    const { browser, canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width || !browser.order) return;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: width * ratio, height: height * ratio });
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(canvas);
    const color = (name) => {
      pen.fillStyle = pen.strokeStyle = style.getPropertyValue(name);
    };
    const { a, b } = browser;
    const name = (s) => facts.systems[s];
    const below = a === b ? "tokens" : name(b);
    this.caption.textContent = "Segments: draw around some to list them";
    canvas.setAttribute("aria-label", a === b
      ? `Score of each segment of ${name(a)} against its length; ${browser.order.length} are listed`
      : `Score of each segment of ${name(a)} against that of ${name(b)}; ${browser.order.length} are listed`);
    const [x, y] = this.axes();
    color("border-top-color");
    pen.beginPath();
    pen.moveTo(34, 8);
    pen.lineTo(34, height - 22);
    pen.lineTo(width - 8, height - 22);
    if (a !== b) {
      pen.moveTo(34, height - 22);
      pen.lineTo(width - 8, 8);
    }
    pen.stroke();
    color("color");
    pen.font = `11px ${style.fontFamily}`;
    pen.fillText(below, Math.max(40, width - 8 - pen.measureText(below).width), height - 6);
    pen.save();
    pen.translate(14, 12 + pen.measureText(name(a)).width);
    pen.rotate(-Math.PI / 2);
    pen.fillText(name(a), 0, 0);
    pen.restore();
    const size = facts.segments > 5_000 ? 2 : 4;
    const dots = (segments) => {
      for (const i of segments) pen.fillRect(x(i) - size / 2, y(i) - size / 2, size, size);
    };
    const some = browser.order.length < facts.segments;
    if (some) {
      pen.globalAlpha = 0.35;
      dots(Array(facts.segments).keys());
    }
    pen.globalAlpha = facts.segments > 5_000 ? 0.5 : 0.85;
    color("accent-color");
    dots(browser.order);
    pen.globalAlpha = 1;
    if (!this.lasso.length) return;
    pen.beginPath();
    for (const [px, py] of this.lasso) pen.lineTo(px, py);
    pen.closePath();
    pen.stroke();
    pen.globalAlpha = 0.15;
    pen.fill();
  }
}
