// A table: its board, who sits there, and all one can do.

import { BoardView } from "./board.js";
import { Controls } from "./controls.js";
import { button, element, notice, shortGame } from "./elements.js";
import { FilesPanel } from "./files_panel.js";
import { MovesPanel } from "./moves_panel.js";
import { openingPanel } from "./open_game.js";
import { forgetTable, keepSight, keysOf } from "./secrets.js";
import { SeatsPanel } from "./seats_panel.js";
import { sounds } from "./sound.js";
import { COLOURS } from "./stones.js";
import { Table } from "./table.js";
import { TextBoard } from "./text_board.js";
import { ThoughtsPanel } from "./thoughts_panel.js";

const PATIENCE = 4000; // milliseconds until thinking is excused

export async function tablePage(query, id) {
  const page = new TablePage(new Table(id), query.get("invitation"));
  return { root: page.root, title: "Table", leave: () => page.leave() };
}

class TablePage {
  constructor(table, invitation) {
    this.table = table;
    this.invitation = invitation;
    this.status = element("p", { class: "status", role: "status", "aria-live": "polite" });
    this.banner = element("div", { class: "banner", role: "alert" });
    this.boardPlace = element("div", { class: "board-place" }, element("p", { class: "loading" }, "Setting the table …"));
    this.side = element("div", { class: "side" });
    const middle = element("div", { class: "middle" }, this.banner, this.status, this.boardPlace);
    this.root = element("div", { class: "table" }, middle, this.side);
    this.middle = middle;
    table.addEventListener("status", () => this.statusChanged());
    table.addEventListener("ready", () => this.build());
    table.addEventListener("change", () => this.update());
    table.addEventListener("thoughts", () => this.think());
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  leave() {
    document.removeEventListener("keydown", this.onKey);
    clearTimeout(this.excusing);
    this.controls?.leave();
    this.table.close();
  }

  build() {
    const { table } = this;
    const View = TextBoard.suits(table.board) ? TextBoard : BoardView;
    this.view = new View(table.board, {
      chosen: (move) => this.play(move),
      refused: (text) => this.say(text, true),
    });
    this.seats = new SeatsPanel(table);
    this.thoughts = new ThoughtsPanel(table, () => this.think());
    this.controls = new Controls(table, this.thoughts);
    this.moves = new MovesPanel(table);
    this.files = new FilesPanel(table, () => this.update());
    this.boardPlace.replaceChildren(this.view.root);
    this.middle.append(this.controls.root);
    const opening = openingPanel(() => table.board.game);
    this.side.append(this.seats.root, this.thoughts.root, this.moves.root, this.files.root, opening);
  }

  // --- what is shown ------------------------------------------------------------

  update() {
    const { table } = this;
    if (!this.view || !table.state) return;
    const { node, position } = table.shown;
    const parent = table.nodes.get(node)?.parent;
    const isNext = parent !== null && parent !== undefined && parent === this.shownNode;
    const how = { playable: table.mayPlay, whyNot: table.whyNot, animated: isNext };
    const key = [table.state.round, node, how.playable, table.view === null].join();
    if (key !== this.shownKey) {
      this.view.show(position, how); // a stone that waits for its turn stays otherwise
      if (isNext) sounds.placed();
    } else this.view.how = how;
    this.shownKey = key;
    this.shownNode = node;
    this.status.replaceChildren(...this.told());
    this.excuse(table.state.thinking !== null && !table.view);
    for (const panel of [this.seats, this.controls, this.moves, this.thoughts, this.files]) panel.update();
    this.inviting();
    this.think();
    keepSight(table.id, { game: shortGame(table.board.game), state: this.inShort() });
  }

  // Says why nothing happens, once it lasts.
  excuse(waits) {
    clearTimeout(this.excusing);
    const text = " The first move of a new player takes longer: it is compiled.";
    if (waits) this.excusing = setTimeout(() => this.status.append(text), PATIENCE);
  }

  think() {
    if (!this.view || !this.table.state) return;
    this.thoughts.update();
    const { thoughts, withLine } = this.thoughts.onBoard();
    this.view.think(thoughts, withLine);
  }

  told() {
    const { table } = this;
    const { state } = table;
    const { position } = table.shown;
    const last = position.last ? `${capital(COLOURS[position.last.seat])} played ${position.last.name}. ` : "";
    if (table.view) {
      const number = table.view.path.length - 1;
      return [`Looking at move ${number} of ${state.path.length - 1}. `, ...this.ways()];
    }
    if (position.over) return [element("strong", {}, position.result || "The game is over.")];
    const { turn } = position;
    const seat = state.seats[turn];
    const who = table.mine.size === 1 && table.mine.has(turn) ? "You" : table.name(turn);
    if (state.thinking === turn) return [`${last}${who} thinks …`];
    if (seat.kind === "player" && state.paused) return [`${last}${who} waits: the game is paused.`];
    if (seat.kind === "elsewhere" && !seat.claimed) return [`${last}Seat ${turn + 1} waits for its person: share the link.`];
    return [`${last}${who === "You" ? "Your" : `${who}'s`} turn (${COLOURS[turn]}).`];
  }

  inShort() {
    const { position, path } = this.table.state;
    const moves = path.length === 2 ? "1 move" : `${path.length - 1} moves`;
    return position.over ? position.result : `${moves}${this.table.mine.has(position.turn) ? ", your turn" : ""}`;
  }

  ways() {
    const { table } = this;
    const made = [button("Back to the game", () => table.lookAt(table.state.node), { class: "quiet" })];
    if (table.isPlayer) {
      const here = () => table.ask({ type: "go_to", node: table.view.node });
      made.push(button("Go on from here", here, { class: "quiet" }));
    }
    return made;
  }

  say(text, isProblem = false) {
    if (isProblem) notice(text);
    else this.status.replaceChildren(text);
  }

  // --- connection and invitation ---------------------------------------------------

  statusChanged() {
    const { status, refusal } = this.table;
    this.root.dataset.status = status;
    this.banner.replaceChildren();
    if (status === "lost" || (status === "connecting" && this.table.state)) {
      this.banner.append("The connection was lost; trying again …");
    } else if (status === "refused") this.banner.append(...this.refused(refusal));
    if (this.table.state) this.update();
  }

  refused(code) {
    const home = element("a", { href: "#/" }, "To the start");
    if (code === "unknown") return ["There is no such table; it may have expired. ", home];
    if (code !== "stranger") return ["The server refused this page. ", home];
    const watch = () => {
      forgetTable(this.table.id);
      location.reload();
    };
    return ["The keys of this browser are not good for this table (any more). ", button("Watch without them", watch)];
  }

  inviting() {
    const { table, invitation } = this;
    const asked = invitation && table.status === "open" && !Object.keys(keysOf(table.id).tokens).length;
    if (!asked || this.banner.childElementCount) return;
    const name = element("input", { type: "text", maxlength: 40, placeholder: "your name", "aria-label": "Your name" });
    const sit = button("Sit down", () => this.claim(name.value.trim()), { class: "primary" });
    this.banner.replaceChildren(element("span", {}, "A seat at this table is kept for you."), name, sit);
  }

  async claim(name) {
    const invitation = this.invitation;
    this.invitation = null;
    await this.table.ask(name ? { type: "claim", invitation, name } : { type: "claim", invitation });
    this.banner.replaceChildren();
    history.replaceState(null, "", `#/table/${this.table.id}`);
    this.update();
  }

  // --- what is done -----------------------------------------------------------------

  async play(move) {
    try {
      await this.table.play(move);
    } catch (problem) {
      this.shownKey = null;
      this.update();
      this.say(problem.message, true);
    }
  }

  key(event) {
    const field = event.target.closest?.("input, select, textarea, dialog, summary");
    if (field || event.ctrlKey || event.metaKey || event.altKey || !this.table.state) return;
    const { table } = this;
    const actions = {
      ArrowLeft: () => table.walk(-1), ArrowRight: () => table.walk(1),
      PageUp: () => table.walk(-1), PageDown: () => table.walk(1),
      Home: () => table.walk(-Infinity), End: () => table.walk(Infinity),
      u: () => this.controls.undo(), r: () => this.controls.redo(),
      h: () => this.controls.hint(), a: () => this.thoughts.toggle(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
