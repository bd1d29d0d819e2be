// Places stones freely and begins a round from there.  Below the board is the same position
// as text, with what the board does not show, such as captured stones.

import { BoardView } from "./board.js";
import { button, choice, element, labelled } from "./elements.js";
import { COLOURS, stoneIcon } from "./stones.js";

export function setUpDialog(table) {
  const editor = new PictureEditor(table.board, table.shown.position);
  const problem = element("p", { class: "problem", role: "alert" });
  const close = () => dialog.remove();
  const begin = async () => {
    try {
      await table.ask({ type: "set_up", picture: editor.picture() });
      close();
    } catch (refused) {
      problem.textContent = refused.message;
    }
  };
  const acts = element("div", { class: "row" }, button("Begin from here", begin, { class: "primary" }), button("Cancel", close));
  const title = element("h2", {}, "Set up a position");
  const dialog = element("dialog", { class: "wide set-up", close }, title, editor.root, problem, acts);
  document.body.append(dialog);
  dialog.showModal();
}

class PictureEditor {
  constructor(board, position) {
    this.board = board;
    this.cells = [...position.cells];
    this.lines = position.picture.split("\n");
    this.brush = 1;
    this.view = new BoardView(board, { touched: (cell) => this.paint(cell), refused: () => {} });
    const facts = this.lines.slice(board.rows + 1).filter((line) => !line.startsWith("turn:"));
    const turnLine = this.lines.find((line) => line.startsWith("turn:"));
    this.facts = element("textarea", { rows: Math.max(facts.length, 1), spellcheck: "false", value: facts.join("\n") });
    const seats = COLOURS.slice(0, board.seats).map((colour, seat) => [String(seat), colour]);
    this.turn = turnLine ? choice(seats, turnLine.slice("turn:".length).trim()) : null;
    this.root = element("div", {}, this.brushes(), this.view.root);
    if (this.turn) this.root.append(labelled("to move", this.turn));
    if (facts.length) this.root.append(labelled("besides", this.facts, "one fact a line, as in pictures of the game"));
    this.draw();
  }

  brushes() {
    const options = [0, ...Array.from({ length: this.board.seats }, (_, seat) => seat + 1)];
    const made = options.map((owner) => {
      const input = element("input", { type: "radio", name: "brush", checked: owner === this.brush, change: () => (this.brush = owner) });
      const icon = owner ? stoneIcon(owner - 1, this.board.seats) : "";
      return element("label", { class: "check" }, input, icon, owner ? COLOURS[owner - 1] : "empty");
    });
    const clear = () => {
      this.cells.fill(0);
      this.draw();
    };
    return element("div", { class: "row", role: "radiogroup", "aria-label": "Stone to place" }, ...made, button("Clear", clear, { class: "quiet" }));
  }

  paint(cell) {
    this.cells[cell] = this.cells[cell] === this.brush ? 0 : this.brush;
    this.draw();
  }

  draw() {
    const position = { cells: this.cells, legal: [], last: null, winning: [], turn: null };
    this.view.show(position, { playable: false });
  }

  picture() {
    const { board, lines, cells } = this;
    const symbols = `.${board.marks}`;
    const rows = lines.slice(1, board.rows + 1).map((line, row) => {
      const label = /^\s*\d+\s/.exec(line)?.[0] ?? "";
      const owners = cells.slice(row * board.columns, (row + 1) * board.columns);
      return label + owners.map((owner) => symbols[owner]).join(" ");
    });
    const turn = this.turn ? [`turn: ${this.turn.value}`] : [];
    return [lines[0], ...rows, ...turn, this.facts.value].join("\n").trimEnd();
  }
}
