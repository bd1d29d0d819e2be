// What a player thinks: bars of values, the best moves, the expected line, a graph over the game.

import { Chart } from "./chart.js";
import { button, element, labelled, section } from "./elements.js";
import { countsVisits, percent, ranked, shortCount, worth } from "./overlay.js";
import { ask } from "./server.js";
import { stoneIcon } from "./stones.js";

const MOST_MOVES = 6;
const PATIENCE = 900; // milliseconds for each position when the whole game is looked through

export class ThoughtsPanel {
  constructor(table, changed) {
    this.table = table;
    this.changed = changed;
    this.on = false;
    this.player = "";
    this.lineShown = false;
    this.summary = element("p", { class: "summary" });
    this.bars = element("div", { class: "bars" });
    this.best = element("table", { class: "best" });
    this.expected = button("", () => {}, { class: "expected-line" });
    const showLine = (shown) => () => {
      this.lineShown = shown;
      this.changed();
    };
    for (const event of ["pointerenter", "focus"]) this.expected.addEventListener(event, showLine(true));
    for (const event of ["pointerleave", "blur"]) this.expected.addEventListener(event, showLine(false));
    this.chart = new Chart({
      label: "What each seat may expect, over the game", low: 0, high: 1, written: (y) => `${Math.round(y * 100)} %`,
      chosen: (ply) => ply !== null && table.lookAt(table.line[ply]),
    });
    this.whole = button("Look through the whole game", () => this.lookThrough(), { class: "quiet" });
    this.select = element("select", { change: () => this.choosePlayer() });
    this.select.append(element("option", { value: "" }, "the usual search"));
    const who = labelled("thinks:", this.select);
    this.root = section("Thinking", false, this.summary, this.bars, this.chart.root, this.best, this.expected, who, this.whole);
    this.root.classList.add("thoughts");
    this.listPlayers();
  }

  async listPlayers() {
    const { players, trained, models } = await ask("/api/players", { game: this.table.board.game });
    const aloud = players.filter((one) => one.thinks_aloud).map((one) => [one.name, `${one.name}: ${one.summary}`]);
    const learnt = [...trained.filter((one) => one.last), ...models].map(({ player }) => [player, player]);
    this.select.append(...[...aloud, ...learnt].map(([value, text]) => element("option", { value }, text)));
  }

  choosePlayer() {
    this.player = this.select.value;
    if (this.on) this.ask();
  }

  chosenPlayer() {
    return this.player ? { player: this.player } : {};
  }

  // --- asking ------------------------------------------------------------------

  toggle() {
    this.on = !this.on;
    this.hint = null;
    this.root.open = true;
    this.asked = null;
    this.ask();
    this.table.tell("change");
  }

  async ask() {
    const { table, on } = this;
    const node = table.view?.node ?? null;
    this.asked = on ? [table.state.round, node].join() : null;
    try {
      await table.ask(on ? { type: "analysis", on, node, ...this.chosenPlayer() } : { type: "analysis", on });
    } catch (problem) {
      this.on = false;
      this.summary.textContent = problem.message;
      table.tell("change");
    }
  }

  showHint() {
    this.hint = this.table.hinted;
    this.root.open = true;
    this.changed();
  }

  async lookThrough() {
    const { table } = this;
    this.whole.disabled = true;
    for (const node of table.line) {
      if (table.thoughts.has(node)) continue;
      try {
        await table.ask({ type: "analysis", on: true, node, ...this.chosenPlayer() });
      } catch {
        break; // the end of a game has nothing to think about
      }
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    }
    this.whole.disabled = false;
    this.ask();
  }

  // --- showing -----------------------------------------------------------------

  get current() {
    const { node } = this.table.shown;
    if (this.hint?.node === node) return this.hint;
    return this.table.thoughts.get(node) ?? null;
  }

  onBoard() {
    const hinted = this.hint?.node === this.table.shown.node;
    const visible = this.on || hinted || this.lineShown;
    return { thoughts: visible ? this.current : null, withLine: this.lineShown };
  }

  update() {
    const { table } = this;
    const lookedAt = [table.state.round, table.view?.node ?? null].join();
    if (this.on && this.asked !== lookedAt && table.status === "open") this.ask();
    if (table.status !== "open") this.asked = null; // after a new connection, ask again
    const { current } = this;
    this.whole.hidden = table.line.length < 3;
    this.tell(current);
    this.graph();
  }

  tell(thoughts) {
    const idle = this.on ? "Thinking …" : "Switch the analysis on, or ask for a hint.";
    this.summary.textContent = thoughts ? this.told(thoughts) : idle;
    this.bars.replaceChildren(...(thoughts ? this.barRows(thoughts) : []));
    this.best.replaceChildren(...(thoughts?.moves.length ? this.bestRows(thoughts) : []));
    this.expected.hidden = !thoughts?.line_names.length;
    this.expected.textContent = thoughts ? `Expected: ${thoughts.line_names.slice(0, 10).join(" ")}` : "";
  }

  told(thoughts) {
    const { player, visits, depth, seconds, solved, finished, why } = thoughts;
    const count = countsVisits(thoughts) ? `${shortCount(visits)} visits` : "";
    const parts = [player, count, depth ? `depth ${depth}` : "", `${seconds.toFixed(1)} s`];
    if (solved) parts.push("solved");
    if (!finished && why === "analysis") parts.push("going deeper …");
    return parts.filter(Boolean).join(" · ");
  }

  barRows({ values }) {
    if (values.every((value) => value === null)) return []; // a network may know moves alone
    return values.map((value, seat) => {
      const filled = element("div", { class: `filled seat-${seat}` });
      filled.style.width = `${(value ?? 0) * 100}%`; // a style attribute would be refused
      const bar = element("div", { class: "track", role: "meter", "aria-label": this.table.name(seat) }, filled);
      bar.setAttribute("aria-valuenow", percent(value));
      return element("div", { class: "bar" }, stoneIcon(seat, values.length), bar, element("span", {}, `${percent(value)} %`));
    });
  }

  bestRows(thoughts) {
    const { board } = this.table;
    const { seat } = thoughts;
    const moves = ranked(thoughts);
    const counts = countsVisits(thoughts);
    const isUtility = moves.some((one) => one.utility !== null);
    const titles = ["move", isUtility ? "utility" : "value", ...(counts ? ["visits"] : [])];
    const head = element("tr", {}, ...titles.map((text) => element("th", { scope: "col" }, text)));
    const row = (...cells) => element("tr", {}, ...cells.map((text) => element("td", {}, text)));
    const rows = moves.slice(0, MOST_MOVES).map((one) => {
      const value = `${worth(one, seat)}${isUtility ? "" : " %"}`;
      return row(board.moves[one.move].name, value, ...(counts ? [shortCount(one.visits)] : []));
    });
    return [element("thead", {}, head), element("tbody", {}, ...rows)];
  }

  graph() {
    const { table } = this;
    const { line, board } = table;
    const series = Array.from({ length: board.seats }, (_, seat) => ({
      name: table.name(seat),
      style: `seat-${seat}`,
      icon: stoneIcon(seat, board.seats),
      points: line
        .map((node, ply) => [ply, table.thoughts.get(node)?.values[seat]])
        .filter(([, value]) => value !== null && value !== undefined),
    }));
    this.chart.root.hidden = !series.some((one) => one.points.length);
    this.chart.show(series, line.indexOf(table.shown.node), [0, line.length - 1]);
  }
}
