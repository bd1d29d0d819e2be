// A board whose game tells no places: its own text, with a button for each legal move below.

import { element, shortGame } from "./elements.js";

export class TextBoard {
  constructor(board) {
    this.picture = element("pre", { class: "text-board", tabindex: 0, "aria-label": `Board of ${shortGame(board.game)}` });
    this.root = element("div", { class: "board-frame" }, this.picture);
  }

  show(position) {
    this.picture.textContent = position.picture;
  }

  think() {} // there is no place to draw on

  static suits(board) {
    return board.moves.every((move) => !move.cells.length);
  }
}
