// Who sits where, what they have, and how to let somebody else sit down.

import { button, copied, element, shortGame } from "./elements.js";
import { SeatPicker } from "./seat_picker.js";
import { keysOf } from "./secrets.js";
import { ask } from "./server.js";
import { COLOURS, stoneIcon } from "./stones.js";

export class SeatsPanel {
  constructor(table) {
    this.table = table;
    this.list = element("ol", { class: "seats" });
    this.watchers = element("p", { class: "watchers" });
    this.root = element("section", { class: "card seats-panel", "aria-label": "Seats" }, this.list, this.watchers);
  }

  update() {
    const { table } = this;
    const { state, board } = table;
    const { turn, points, facts, scores } = table.shown.position;
    const mine = [...table.mine];
    const key = JSON.stringify([state.seats, state.thinking, state.watchers, turn, points, facts, scores, mine]);
    if (key === this.key) return; // what has the focus stays
    this.key = key;
    this.list.replaceChildren(...state.seats.map((seat, number) => this.row(seat, number, board.seats)));
    const count = state.watchers;
    this.watchers.textContent = `${shortGame(board.game)} · ${count} ${count === 1 ? "browser" : "browsers"} at this table`;
  }

  row(seat, number, seats) {
    const { table } = this;
    const { position } = table.shown;
    const short = (seat.name || COLOURS[number]).replace(` (${seat.player})`, "");
    const name = element("span", { class: "name" }, short);
    const kind = element("span", { class: "kind" }, this.kind(seat, number));
    const made = element("li", { class: position.turn === number ? "seat at-turn" : "seat" });
    if (position.turn === number) made.setAttribute("aria-current", "true");
    if (table.state.thinking === number) made.classList.add("thinking");
    made.append(stoneIcon(number, seats), element("span", { class: "who" }, name, kind));
    made.append(element("span", { class: "counts" }, ...this.counts(position, number)));
    made.append(element("span", { class: "acts" }, ...this.acts(seat, number)));
    return made;
  }

  kind(seat, number) {
    const mine = this.table.mine.has(number) ? " (you)" : "";
    if (seat.kind === "player") return seat.player;
    if (seat.kind === "elsewhere" && !seat.claimed) return "waits for its person";
    return `${COLOURS[number]}${mine}${seat.present ? "" : ", away"}`;
  }

  counts(position, number) {
    const { board } = this.table;
    const told = [];
    if (position.scores) told.push(["score", position.scores[number]]);
    const facts = Object.entries(position.facts).filter(([, values]) => values.length === board.seats);
    for (const [fact, values] of facts) told.push([fact, values[number]]);
    const others = [...facts.map(([, values]) => values), position.scores ?? []];
    const isNew = !others.some((values) => values.join() === position.points?.join());
    if (position.points && board.counts_points && isNew) told.push(["points", position.points[number]]);
    return told.map(([what, value]) =>
      element("span", { class: "count" }, element("b", {}, String(Number(value.toFixed(2)))), ` ${what}`),
    );
  }

  acts(seat, number) {
    const { table } = this;
    const made = [];
    const invitation = keysOf(table.id).invitations[number];
    if (seat.kind === "elsewhere" && !seat.claimed && invitation) {
      const link = `${location.origin}${location.pathname}#/table/${table.id}?invitation=${invitation}`;
      made.push(button("Copy link", () => copied(link, "The link is copied: send it to one person."), { class: "primary", "data-link": link }));
    }
    if (table.owner) {
      made.push(button("Change", () => this.change(number), { class: "quiet", "aria-label": `Change who sits at seat ${number + 1}` }));
    }
    return made;
  }

  async change(number) {
    const { table } = this;
    const players = await ask("/api/players", { game: table.board.game });
    const seat = table.state.seats[number];
    const picker = new SeatPicker(players, seat.kind === "player" ? seat : { kind: seat.kind }, "Who sits here");
    const close = () => dialog.remove();
    const problem = element("p", { class: "problem", role: "alert" });
    const apply = async () => {
      try {
        await table.ask({ type: "seat", seat: number, wanted: picker.wanted() });
        close();
      } catch (refused) {
        problem.textContent = refused.message;
      }
    };
    const title = element("h2", {}, stoneIcon(number, table.board.seats), ` Seat ${number + 1}`);
    const row = element("div", { class: "row" }, button("Sit down", apply, { class: "primary" }), button("Cancel", close));
    const dialog = element("dialog", { close, class: "wide" }, title, picker.root, problem, row);
    document.body.append(dialog);
    dialog.showModal();
  }
}
