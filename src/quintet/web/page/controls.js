// The buttons under the board: walk, undo, hint, pass, resign, and how fast players move.

import { button, element, iconButton, labelled } from "./elements.js";
import { COLOURS } from "./stones.js";

const MOST_BUTTONS = 6; // so few are always there, that nothing moves under the finger
const SECONDS = [0, 0.2, 0.5, 1, 2, 5]; // between moves, by the place of the slider

function placelessMoves(table) {
  const made = new Map();
  table.board.moves.forEach(({ name, cells }, move) => {
    const title = name[0].toUpperCase() + name.slice(1);
    if (!cells.length) made.set(move, button(title, () => table.play(move), { class: "primary" }));
  });
  return made;
}

export class Controls {
  constructor(table, thoughts) {
    this.table = table;
    this.thoughts = thoughts;
    this.placeless = placelessMoves(table);
    this.moveButtons = element("div", { class: "row own-moves" }, ...this.placeless.values());
    this.walkers = {
      first: iconButton("first", "To the first position (Home)", () => table.walk(-Infinity)),
      back: iconButton("back", "One move back (left arrow)", () => table.walk(-1)),
      replay: iconButton("play", "Replay", () => this.toggleReplay()),
      forward: iconButton("forward", "One move forward (right arrow)", () => table.walk(1)),
      last: iconButton("last", "To the last position (End)", () => table.walk(Infinity)),
    };
    this.undoButton = button("Undo", () => this.undo(), { title: "Take back to your last move (u)" });
    this.redoButton = button("Redo", () => this.redo(), { title: "(r)" });
    this.hintButton = button("Hint", () => this.hint(), { title: "What would a player do? (h)" });
    this.analysis = button("Analysis", () => thoughts.toggle(), { title: "Think while I look (a)", "aria-pressed": "false" });
    this.resignButton = button("Resign", () => this.resign());
    this.again = button("New game", () => this.newGame());
    this.pause = button("Pause", () => this.setPause(), { class: "pause" });
    this.speed = element("input", { type: "range", min: 0, max: SECONDS.length - 1, change: () => this.setSpeed() });
    this.speedTold = element("span", { class: "told" });
    this.pace = element("div", { class: "row pace" }, this.pause, labelled("seconds a move", this.speed), this.speedTold);
    this.root = element(
      "div", { class: "controls", role: "toolbar", "aria-label": "Game" },
      this.moveButtons,
      element("div", { class: "row walk" }, ...Object.values(this.walkers)),
      element("div", { class: "row" }, this.undoButton, this.redoButton, this.hintButton, this.analysis, this.resignButton, this.again),
      this.pace,
    );
  }

  update() {
    const { table } = this;
    const { state, shown, isPlayer } = table;
    const { line } = table;
    const at = line.indexOf(shown.node);
    this.walkers.first.disabled = this.walkers.back.disabled = at <= 0;
    this.walkers.forward.disabled = this.walkers.last.disabled = at >= line.length - 1;
    this.walkers.replay.disabled = line.length < 2;
    this.undoButton.disabled = !isPlayer || state.path.length < 2;
    this.redoButton.disabled = !isPlayer || !state.ahead.length;
    this.hintButton.disabled = state.position.over || table.view !== null; // it is for the table
    this.analysis.setAttribute("aria-pressed", String(this.thoughts.on));
    this.resignButton.disabled = !table.mine.size || state.position.over;
    this.again.disabled = !isPlayer;
    this.again.classList.toggle("primary", state.position.over);
    this.placeMoveButtons();
    const players = state.seats.some((seat) => seat.kind === "player");
    this.pace.hidden = !isPlayer || !(players || line.length > 2);
    this.pause.textContent = state.paused ? "Let players move" : "Pause players";
    this.pause.hidden = !players || state.position.over;
    this.pause.classList.toggle("primary", state.paused);
    if (document.activeElement !== this.speed) this.showSpeed(state.seconds);
  }

  // Moves without a place on the board, such as a pass.
  placeMoveButtons() {
    const { table } = this;
    const { legal } = table.shown.position;
    for (const [move, made] of this.placeless) {
      made.disabled = !table.mayPlay || !legal.includes(move);
      made.hidden = made.disabled && this.placeless.size > MOST_BUTTONS;
    }
  }

  undo() {
    if (!this.undoButton.disabled) return this.withoutView({ type: "undo" });
  }

  redo() {
    if (!this.redoButton.disabled) return this.withoutView({ type: "redo" });
  }

  withoutView(message) {
    this.table.view = null;
    return this.table.ask(message);
  }

  async hint() {
    if (this.hintButton.disabled) return;
    this.hintButton.disabled = true;
    this.hintButton.textContent = "Thinking …";
    try {
      await this.table.ask({ type: "hint", ...this.thoughts.chosenPlayer() });
      this.thoughts.showHint();
    } finally {
      this.hintButton.disabled = false;
      this.hintButton.textContent = "Hint";
    }
  }

  resign() {
    const { table } = this;
    const { turn } = table.state.position;
    const seat = table.mine.has(turn) ? turn : [...table.mine][0];
    this.confirm(`Give up for ${table.name(seat)} (${COLOURS[seat]})?`, "Resign", { type: "resign", seat });
  }

  newGame() {
    const { position } = this.table.state;
    const message = { type: "new_game" };
    if (position.over || !position.last) this.withoutView(message);
    else this.confirm("Begin again with the same seats? The moves of this round go.", "New game", message);
  }

  confirm(text, yes, message) {
    const close = () => dialog.remove();
    const dialog = element("dialog", { close }, element("p", {}, text));
    const act = () => {
      close();
      this.withoutView(message);
    };
    dialog.append(element("div", { class: "row" }, button(yes, act, { class: "primary" }), button("No", close)));
    this.root.append(dialog);
    dialog.showModal();
  }

  // --- pace and replay ----------------------------------------------------------------

  setPause() {
    const { state } = this.table;
    return this.table.ask({ type: "pace", paused: !state.paused });
  }

  setSpeed() {
    const seconds = SECONDS[this.speed.value];
    this.showSpeed(seconds);
    return this.table.ask({ type: "pace", seconds });
  }

  showSpeed(seconds) {
    const distance = (value) => Math.abs(value - seconds);
    const nearest = SECONDS.reduce((a, b) => (distance(b) < distance(a) ? b : a));
    this.speed.value = SECONDS.indexOf(nearest);
    this.speedTold.textContent = String(seconds);
  }

  async toggleReplay() {
    if (this.replaying) {
      this.leave();
      return;
    }
    const { table } = this;
    this.walkers.replay.setIcon("pause", "Stop the replay");
    if (table.shown.node === table.line.at(-1)) await table.walk(-Infinity);
    const step = async () => {
      if (table.shown.node === table.line.at(-1)) this.leave();
      else await table.walk(1);
      if (this.replaying) this.replaying = setTimeout(step, Math.max(SECONDS[this.speed.value], 0.2) * 1000);
    };
    this.replaying = setTimeout(step, 300);
  }

  leave() {
    clearTimeout(this.replaying);
    this.replaying = null;
    this.walkers.replay.setIcon("play", "Replay");
  }
}
