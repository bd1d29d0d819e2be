// A board that is played on: by mouse, touch and keyboard, and told to screen readers.

import { button, drawn, element, shortGame } from "./elements.js";
import { CELL, Geometry } from "./geometry.js";
import { cellOf, expectedLine, heatMap } from "./overlay.js";
import { COLOURS, stone } from "./stones.js";
import { allCells, surface, turningBlock } from "./surface.js";
import { TurnChooser, animateTurn, still, turnsAbout } from "./turning.js";

const STONE = CELL * 0.43;
const FINGER = 40; // pixels: cells that are smaller ask again before a touch plays
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class BoardView {
  // told: {chosen(move), refused(text)}; a set-up also {touched(cell)}
  constructor(board, told) {
    this.board = board;
    this.told = told;
    this.geometry = new Geometry(board);
    this.position = null;
    this.focused = Math.floor(board.rows / 2) * board.columns + Math.floor(board.columns / 2);
    this.layers();
    this.listen();
  }

  layers() {
    const { geometry, board } = this;
    this.blocks = geometry.blocks.map((cells) => {
      const group = drawn("g", { class: "block" }, turningBlock(geometry, cells));
      turnsAbout(group, geometry.frame(cells));
      group.stones = drawn("g");
      group.append(group.stones);
      return group;
    });
    this.blockLayer = drawn("g", {}, ...this.blocks);
    this.loose = drawn("g");
    this.marks = drawn("g", { class: "marks", "aria-hidden": "true" });
    this.ghost = drawn("g", { class: "ghost", "aria-hidden": "true" });
    this.thinking = drawn("g");
    this.turns = new TurnChooser(geometry, this.blocks, {
      chosen: (move) => this.choose(move),
      cancelled: () => this.cancel(),
    });
    this.svg = drawn("svg", {
      viewBox: `0 0 ${geometry.width} ${geometry.height}`,
      class: `board ${board.kind}`,
      role: "group",
      "aria-label": `Board of ${shortGame(board.game)}`,
    });
    this.svg.append(surface(geometry), this.blockLayer, this.loose, this.marks, this.thinking);
    this.svg.append(this.ghost, this.hits(), this.turns.root);
    this.bar = element("div", { class: "board-bar", "aria-live": "polite" });
    this.root = element("div", { class: "board-frame" }, this.svg, this.bar);
    this.root.style.setProperty("--shape", geometry.width / geometry.height);
  }

  hits() {
    const { board, geometry } = this;
    this.cells = allCells(board).map((cell) =>
      drawn("rect", {
        class: "hit", role: "gridcell", tabindex: -1, "data-cell": cell,
        x: geometry.left(geometry.column(cell)), y: geometry.top(geometry.row(cell)),
        width: CELL, height: CELL, rx: 4,
      }),
    );
    const rows = board.row_names.map((_, row) => {
      const first = row * board.columns;
      return drawn("g", { role: "row" }, this.cells.slice(first, first + board.columns));
    });
    const label = `${shortGame(board.game)}, ${board.rows} rows, ${board.columns} columns`;
    this.cells[this.focused].setAttribute("tabindex", 0);
    return drawn("g", { role: "grid", "aria-label": label }, rows);
  }

  listen() {
    const cellAt = (event) => {
      const hit = event.target.closest?.("[data-cell]");
      return hit ? Number(hit.dataset.cell) : null;
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.pointer = event.pointerType;
    });
    this.svg.addEventListener("click", (event) => {
      const cell = cellAt(event);
      if (cell === null) return;
      this.focusOn(cell, false);
      this.touch(cell, this.pointer === "touch");
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") this.hover(cellAt(event));
    });
    this.svg.addEventListener("pointerleave", () => this.hover(null));
    this.svg.addEventListener("keydown", (event) => this.key(event, cellAt(event)));
  }

  // --- what is shown ------------------------------------------------------------

  // how: {playable, whyNot, animated, hints}
  show(position, how) {
    const before = this.position;
    this.position = position;
    this.how = how;
    this.pending = null;
    this.turns.hide();
    this.bar.replaceChildren();
    this.svg.classList.remove("choosing");
    this.ghost.replaceChildren();
    this.placeStones();
    this.placeMarks();
    this.name();
    if (how.animated && before && !still()) this.animate(before);
  }

  placeStones() {
    const { board, geometry, position } = this;
    this.stones = new Map();
    this.loose.replaceChildren();
    this.blocks.forEach((block) => block.stones.replaceChildren());
    position.cells.forEach((owner, cell) => {
      if (!owner) return;
      const made = stone(owner - 1, board.seats, geometry.x(cell), geometry.y(cell), STONE);
      this.stones.set(cell, made);
      this.groupOf(cell).append(made);
    });
    const last = this.lastCell();
    this.stones.get(last)?.append(drawn("circle", { r: 0.74, class: "last" }));
  }

  groupOf(cell) {
    return this.blocks[this.geometry.blockOf(cell)]?.stones ?? this.loose;
  }

  // Where the stone of the last move is now: a turn may have carried it on.
  lastCell() {
    const last = this.position.last;
    if (!last || last.cell === null) return undefined;
    const { block, clockwise } = this.board.moves[last.move] ?? { block: [] };
    if (!turned(last) || !block.includes(last.cell)) return last.cell;
    const { geometry } = this;
    const middle = geometry.frame(block);
    const [dx, dy] = [geometry.x(last.cell) - middle.x, geometry.y(last.cell) - middle.y];
    const [x, y] = clockwise ? [middle.x - dy, middle.y + dx] : [middle.x + dy, middle.y - dx];
    return block.find((cell) => Math.abs(geometry.x(cell) - x) + Math.abs(geometry.y(cell) - y) < 1);
  }

  placeMarks() {
    const { geometry, position } = this;
    const made = [];
    for (const line of position.winning) made.push(...this.winningLine(line));
    for (const cell of position.last?.changed ?? []) {
      if (position.cells[cell] || this.blocks.length) continue;
      made.push(drawn("circle", { class: "taken", cx: geometry.x(cell), cy: geometry.y(cell), r: STONE * 0.8 }));
    }
    if (this.how.playable && this.how.hints !== false) {
      for (const cell of this.hintedCells()) {
        made.push(drawn("circle", { class: "legal", cx: geometry.x(cell), cy: geometry.y(cell), r: 5 }));
      }
    }
    this.marks.replaceChildren(...made);
  }

  winningLine(cells) {
    const { geometry } = this;
    const points = cells.map((cell) => `${geometry.x(cell)},${geometry.y(cell)}`).join(" ");
    return ["casing", "line"].map((part) => drawn("polyline", { class: `winning ${part}`, points }));
  }

  // Dots help where only few of the empty cells may be played.
  hintedCells() {
    const { board, position } = this;
    const cells = new Set(position.legal.flatMap((move) => board.moves[move].cells));
    const empty = position.cells.filter((owner) => !owner).length;
    return board.kind !== "columns" && cells.size < empty / 2 ? cells : [];
  }

  name() {
    const { geometry, position } = this;
    const playable = new Set(position.legal.flatMap((move) => this.board.moves[move].cells));
    const last = this.lastCell();
    this.cells.forEach((hit, cell) => {
      const owner = position.cells[cell];
      const parts = [geometry.name(cell), owner ? COLOURS[owner - 1] : "empty"];
      if (cell === last) parts.push("last move");
      if (position.winning.some((line) => line.includes(cell))) parts.push("winning line");
      hit.setAttribute("aria-label", parts.join(", "));
      hit.classList.toggle("playable", this.how.playable && playable.has(cell));
    });
  }

  animate(before) {
    const { board, position, geometry } = this;
    const { last } = position;
    if (!last) return;
    const { block, clockwise } = board.moves[last.move];
    if (block.length && turned(last)) {
      animateTurn(this.blocks[geometry.blockOf(block[0])], clockwise);
    } else if (board.kind === "columns" && last.cell !== null) {
      const drop = geometry.y(last.cell) - geometry.margin + CELL / 2;
      move(this.stones.get(last.cell), [{ translate: `0 ${-drop}px` }, { translate: "0 0" }], 120 + drop);
    } else {
      for (const cell of last.changed) {
        const frames = before.cells[cell] ? [{ opacity: 0.2 }, { opacity: 1 }] : [{ opacity: 0 }, { opacity: 1 }];
        move(this.stones.get(cell), frames, before.cells[cell] ? 420 : 160);
      }
    }
  }

  // thoughts: what to show on the board, or null; withLine: numbered stones instead of heat
  think(thoughts, withLine) {
    const { geometry, position } = this;
    if (!thoughts) this.thinking.replaceChildren();
    else if (withLine) this.thinking.replaceChildren(expectedLine(geometry, position.cells, thoughts));
    else this.thinking.replaceChildren(heatMap(geometry, position.cells, thoughts));
  }

  // --- what is played -------------------------------------------------------------

  movesAt(cell) {
    return this.position.legal.filter((move) => this.board.moves[move].cells.includes(cell));
  }

  touch(cell, byFinger, byKeyboard = false) {
    if (this.told.touched) {
      this.told.touched(cell);
      return;
    }
    const name = this.geometry.name(cell);
    if (!this.how.playable) {
      this.refuse(cell, this.how.whyNot);
      return;
    }
    const moves = this.movesAt(cell);
    if (!moves.length) {
      const owner = this.position.cells[cell];
      this.refuse(cell, `${name} may not be played${owner ? ": it is taken" : " now"}.`);
    } else if (moves.length > 1) this.askWhich(cell, moves, byKeyboard);
    else if (byFinger && this.pixels() < FINGER && this.pending !== cell) this.askAgain(cell, moves[0]);
    else this.choose(moves[0]);
  }

  refuse(cell, text) {
    this.told.refused(text);
    const hit = this.cells[cell];
    hit.classList.add("refused");
    setTimeout(() => hit.classList.remove("refused"), 500);
  }

  choose(move) {
    this.turns.hide();
    this.svg.classList.remove("choosing");
    this.bar.replaceChildren();
    this.told.chosen(move);
  }

  pixels() {
    return (this.svg.getBoundingClientRect().width / this.geometry.width) * CELL;
  }

  askAgain(cell, move) {
    this.pending = cell;
    this.drawGhost(cell, "pending");
    this.bar.replaceChildren(
      button(`Play ${this.board.moves[move].name}`, () => this.choose(move), { class: "primary" }),
      button("Not there", () => this.cancel()),
    );
  }

  askWhich(cell, moves, byKeyboard) {
    this.pending = cell;
    const turning = moves.every((move) => this.board.moves[move].block.length);
    this.drawGhost(cell, "pending");
    if (turning) {
      this.svg.classList.add("choosing");
      this.turns.show(moves);
      const text = element("span", {}, `${this.geometry.name(cell)}: turn a block.`);
      this.bar.replaceChildren(text, button("Not there", () => this.cancel()));
      if (byKeyboard) this.turns.focus();
    } else {
      const names = moves.map((move) => button(this.board.moves[move].name, () => this.choose(move)));
      this.bar.replaceChildren(...names, button("None", () => this.cancel()));
    }
  }

  cancel() {
    const cell = this.pending;
    this.pending = null;
    this.turns.hide();
    this.svg.classList.remove("choosing");
    this.ghost.replaceChildren();
    this.bar.replaceChildren();
    if (cell !== null) this.focusOn(cell);
  }

  // --- pointer and keyboard -------------------------------------------------------

  hover(cell) {
    if (this.pending !== null && this.pending !== undefined) return;
    if (cell === null || !this.how?.playable || this.told.touched) {
      this.ghost.replaceChildren();
      return;
    }
    const [move] = this.movesAt(cell);
    if (move === undefined) this.ghost.replaceChildren();
    else this.drawGhost(this.board.kind === "columns" ? cellOf(this.board.moves[move], this.position.cells) : cell);
  }

  drawGhost(cell, more = "") {
    const { board, geometry, position } = this;
    if (position.turn === null || cell === undefined) return;
    const made = stone(position.turn, board.seats, geometry.x(cell), geometry.y(cell), STONE, more);
    this.ghost.replaceChildren(made);
  }

  key(event, cell) {
    if (cell === null) return;
    const step = STEPS[event.key];
    if (step) {
      const { rows, columns } = this.board;
      const row = Math.min(Math.max(this.geometry.row(cell) + step[0], 0), rows - 1);
      const column = Math.min(Math.max(this.geometry.column(cell) + step[1], 0), columns - 1);
      this.focusOn(row * columns + column);
    } else if (event.key === "Enter" || event.key === " ") this.touch(cell, false, true);
    else if (event.key === "Escape") this.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focusOn(cell, focus = true) {
    this.cells[this.focused].setAttribute("tabindex", -1);
    this.focused = cell;
    this.cells[cell].setAttribute("tabindex", 0);
    if (focus) this.cells[cell].focus();
  }
}

function turned(last) {
  return last.changed.some((cell) => cell !== last.cell);
}

function move(shape, frames, milliseconds) {
  shape?.animate(frames, { duration: milliseconds, easing: "ease-in" });
}
