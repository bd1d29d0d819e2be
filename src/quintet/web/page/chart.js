// Lines over steps or moves; a pointer reads them off.

import { drawn, element } from "./elements.js";

const [WIDTH, HEIGHT] = [480, 190];
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 12, 10, 24];

export class Chart {
  // options: {label, low?, high?, written(y), chosen?(x)}; without low and high the lines decide
  constructor(options) {
    this.options = { written: (y) => trimmed(y), ...options };
    this.svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img" });
    this.svg.setAttribute("aria-label", options.label);
    this.legend = element("ul", { class: "legend" });
    this.root = element("figure", { class: "chart-figure" }, this.svg, this.legend);
    this.cursor = drawn("line", { class: "cursor", y1: TOP, y2: HEIGHT - BOTTOM });
    this.svg.addEventListener("pointermove", (event) => this.read(event));
    this.svg.addEventListener("pointerleave", () => this.rest());
    if (options.chosen) {
      this.svg.classList.add("choosable");
      this.svg.addEventListener("click", (event) => options.chosen(this.nearest(event)));
    }
  }

  // series: [{name, style, icon?, points: [[x, y], ...]}]; marked: an x to mark; span: [first x, last x]
  show(series, marked, span) {
    this.span = span;
    this.series = series.filter((one) => one.points.length);
    this.marked = marked;
    const points = this.series.flatMap((one) => one.points);
    this.svg.replaceChildren();
    if (!points.length) {
      this.svg.append(drawn("text", { x: WIDTH / 2, y: HEIGHT / 2, class: "empty" }, "nothing yet"));
      this.legend.replaceChildren();
      return;
    }
    this.scale(points);
    this.svg.append(...this.grid(), ...this.series.flatMap((one) => this.line(one)), this.cursor);
    this.legend.replaceChildren(...this.series.map((one) => this.entry(one)));
    this.rest();
  }

  scale(points) {
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const least = (values) => values.reduce((a, b) => Math.min(a, b));
    const most = (values) => values.reduce((a, b) => Math.max(a, b));
    this.x0 = this.span?.[0] ?? least(xs);
    this.x1 = Math.max(this.span?.[1] ?? most(xs), this.x0 + 1);
    const room = (most(ys) - least(ys)) * 0.05 || Math.abs(most(ys)) * 0.1 || 1;
    this.y0 = this.options.low ?? least(ys) - room;
    this.y1 = this.options.high ?? most(ys) + room;
  }

  x(value) {
    return LEFT + ((value - this.x0) / (this.x1 - this.x0)) * (WIDTH - LEFT - RIGHT);
  }

  y(value) {
    return HEIGHT - BOTTOM - ((value - this.y0) / (this.y1 - this.y0)) * (HEIGHT - TOP - BOTTOM);
  }

  grid() {
    const made = [];
    for (const value of ticks(this.y0, this.y1, 4)) {
      const y = this.y(value);
      made.push(drawn("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }));
      made.push(drawn("text", { class: "y", x: LEFT - 6, y }, this.options.written(value)));
    }
    for (const value of ticks(this.x0, this.x1, 6, 1)) {
      made.push(drawn("text", { class: "x", x: this.x(value), y: HEIGHT - 8 }, trimmed(value)));
    }
    return made;
  }

  line({ style, points }) {
    const drawnPoints = points.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).join(" ");
    const made = ["casing", "line"].map((part) =>
      drawn("polyline", { class: `${part} ${style}`, points: drawnPoints }),
    );
    if (points.length > 1) return made;
    const [[x, y]] = points; // one point has no line
    return [drawn("circle", { class: `dot ${style}`, cx: this.x(x), cy: this.y(y), r: 4 })];
  }

  entry(one) {
    one.told = element("span", { class: "told" });
    const sample = drawn("svg", { viewBox: "0 0 24 8", class: "sample", "aria-hidden": "true" });
    for (const part of ["casing", "line"]) {
      sample.append(drawn("polyline", { class: `${part} ${one.style}`, points: "1,4 23,4" }));
    }
    return element("li", {}, one.icon ?? sample, ` ${one.name} `, one.told);
  }

  nearest(event) {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const xs = this.series?.flatMap((one) => one.points.map(([at]) => at)) ?? [];
    const closer = (a, b) => (Math.abs(this.x(a) - x) <= Math.abs(this.x(b) - x) ? a : b);
    return xs.length ? xs.reduce(closer) : null;
  }

  read(event) {
    const at = this.nearest(event);
    if (at !== null) this.tell(at);
  }

  rest() {
    if (!this.series?.length) return;
    this.tell(this.marked ?? this.series[0].points.at(-1)[0], this.marked === undefined);
  }

  tell(at, hidden = false) {
    this.cursor.setAttribute("x1", this.x(at));
    this.cursor.setAttribute("x2", this.x(at));
    this.cursor.classList.toggle("hidden", hidden);
    for (const one of this.series) {
      const point = one.points.findLast(([x]) => x <= at);
      one.told.textContent = point ? this.options.written(point[1]) : "";
    }
  }
}

export function ticks(low, high, count, least = 0) {
  const rough = Math.max((high - low) / count, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const made = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-6; value += step) made.push(value);
  return made;
}

export function trimmed(value) {
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toExponential(1);
  return String(Number(value.toPrecision(4)));
}
