// The runs on disk: how far they are, their curves while they train, and play against them.

import { Chart, trimmed } from "./chart.js";
import { element } from "./elements.js";
import { ask } from "./server.js";

const EVERY = 2000; // milliseconds between questions while a run trains

export async function runsPage() {
  const list = element("div", { class: "runs" });
  const broken = element("ul", { class: "problem" });
  let known = "";
  const show = async () => {
    const shown = await ask("/api/runs");
    const told = JSON.stringify(shown);
    if (told === known) return; // what has the focus stays
    known = told;
    const none = element("p", {}, "No runs yet. In a terminal, ", element("code", {}, "quintet train"), " makes one.");
    list.replaceChildren(...(shown.runs.length ? shown.runs.map(runCard) : [none]));
    broken.replaceChildren(...shown.broken.map((text) => element("li", {}, text)));
  };
  await show();
  const timer = setInterval(() => show().catch(() => {}), EVERY);
  const root = element("div", {}, element("h1", {}, "Runs"), list, broken);
  return { root, title: "Runs", leave: () => clearInterval(timer) };
}

function runCard(run) {
  const address = `#/runs/${encodeURIComponent(run.name)}`;
  const link = element("a", { href: address }, run.name);
  return element(
    "article", { class: "card run" },
    element("h2", {}, link, run.training ? element("span", { class: "badge" }, "training") : ""),
    element("p", {}, `${run.learner} learns ${run.game}`),
    progress(run),
    figures(run),
  );
}

function progress({ step, steps }) {
  const bar = element("progress", { max: steps || 1, value: step, "aria-label": "steps" });
  return element("p", { class: "progress" }, bar, ` step ${step} of ${steps}`);
}

function figures(run) {
  const names = run.headline.filter((name) => name in run.figures);
  const written = (value) => (value === null ? "–" : trimmed(value));
  return element(
    "dl", { class: "figures" },
    ...names.flatMap((name) => [element("dt", {}, name), element("dd", {}, written(run.figures[name]))]),
  );
}

export async function runPage(_query, name) {
  const page = new RunPage(name);
  await page.ask();
  return { root: page.root, title: name, leave: () => clearTimeout(page.timer) };
}

class RunPage {
  constructor(name) {
    this.name = name;
    this.since = -1;
    this.lines = [];
    this.charts = new Map();
    this.head = element("section", { class: "card run" });
    this.curves = element("div", { class: "curves" });
    this.root = element("div", {}, element("h1", {}, name), this.head, this.curves);
  }

  async ask() {
    const path = `/api/runs/${encodeURIComponent(this.name)}`;
    const [run, metrics] = await Promise.all([ask(path), ask(`${path}/metrics`, { since: this.since })]);
    this.since = metrics.last;
    this.lines.push(...metrics.lines);
    this.show(run, metrics.lines.length > 0);
    const again = () => this.ask().catch(() => this.later(again));
    this.later(again);
  }

  later(again) {
    clearTimeout(this.timer);
    this.timer = setTimeout(again, EVERY);
  }

  show(run, isNew) {
    const checkpoints = [...run.checkpoints].reverse().map((step) => this.playLink(run, step));
    this.head.replaceChildren(
      element("p", {}, `${run.learner} learns ${run.game}, seed ${run.seed} `, run.training ? element("span", { class: "badge" }, "training") : ""),
      progress(run),
      figures(run),
      element("h2", {}, "Play against it"),
      element("div", { class: "row checkpoints" }, ...(checkpoints.length ? checkpoints : ["Nothing is kept yet."])),
    );
    if (isNew) this.draw(run);
  }

  playLink(run, step) {
    const query = new URLSearchParams({ game: run.game, player: `run:${run.name}@${step}` });
    return element("a", { class: "button", href: `#/new?${query}` }, `step ${step}`);
  }

  draw(run) {
    const names = new Set(this.lines.flatMap((line) => Object.keys(line)));
    names.delete("step");
    const important = run.headline.filter((name) => names.has(name));
    for (const name of new Set([...important, ...names])) {
      const points = this.lines
        .filter((line) => Number.isFinite(line[name]))
        .map((line) => [line.step, line[name]]);
      this.chart(name).show([{ name, style: "series-0", points: thinned(points) }]);
    }
  }

  chart(name) {
    if (!this.charts.has(name)) {
      const chart = new Chart({ label: `${name} over the steps of the run` });
      this.charts.set(name, chart);
      this.curves.append(element("section", { class: "card" }, element("h2", {}, name), chart.root));
    }
    return this.charts.get(name);
  }
}

// At most so many points, evenly chosen, the last among them: a screen shows no more.
function thinned(points, most = 600) {
  if (points.length <= most) return points;
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => points[Math.round(i * step)]);
}
