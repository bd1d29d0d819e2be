// The board without stones: one drawing for each kind of board, and its coordinates.

import { drawn } from "./elements.js";
import { CELL } from "./geometry.js";

export function surface(geometry) {
  const made = drawn("g", { class: `surface ${geometry.board.kind}`, "aria-hidden": "true" });
  made.append(...SURFACES[geometry.board.kind](geometry), coordinates(geometry));
  return made;
}

const SURFACES = {
  squares: (geometry) => [plate(geometry, 6), ...gridLines(geometry, 0)],
  points: (geometry) => [plate(geometry, 6), ...gridLines(geometry, CELL / 2), ...stars(geometry)],
  columns: (geometry) => [plate(geometry, 14), ...holes(geometry)],
  quadrants: (geometry) => [plate(geometry, 14)], // the blocks are drawn with their stones: they turn
};

function plate({ margin, right, bottom }, rim) {
  const [width, height] = [right - margin, bottom - margin];
  return drawn("rect", {
    class: "plate", x: margin - 4, y: margin - 4, width: width + 8, height: height + 8, rx: rim,
  });
}

function gridLines(geometry, inset) {
  const { board, margin, right, bottom } = geometry;
  const last = inset ? 1 : 0; // crossings have as many lines as cells, squares one more
  const lines = [];
  for (let column = 0; column <= board.columns - last; column += 1) {
    const x = margin + column * CELL + inset;
    lines.push(drawn("line", { x1: x, x2: x, y1: margin + inset, y2: bottom - inset }));
  }
  for (let row = 0; row <= board.rows - last; row += 1) {
    const y = margin + row * CELL + inset;
    lines.push(drawn("line", { y1: y, y2: y, x1: margin + inset, x2: right - inset }));
  }
  return lines;
}

function stars(geometry) {
  const star = (cell) => ({ cx: geometry.x(cell), cy: geometry.y(cell), r: 3.2, class: "star" });
  return geometry.board.stars.map((cell) => drawn("circle", star(cell)));
}

function holes(geometry) {
  return allCells(geometry.board).map((cell) =>
    drawn("circle", { class: "hole", cx: geometry.x(cell), cy: geometry.y(cell), r: CELL * 0.42 }),
  );
}

// A block that turns, with a dimple for each of its cells.
export function turningBlock(geometry, cells) {
  const { left, top, right, bottom } = geometry.frame(cells);
  const tile = { x: left + 1, y: top + 1, width: right - left - 2, height: bottom - top - 2 };
  const dimples = cells.map((cell) =>
    drawn("circle", { class: "dimple", cx: geometry.x(cell), cy: geometry.y(cell), r: CELL * 0.4 }),
  );
  return [drawn("rect", { class: "tile", rx: 10, ...tile }), ...dimples];
}

function coordinates(geometry) {
  const { board, margin } = geometry;
  const made = drawn("g", { class: "coordinates", "font-size": geometry.letters });
  const away = 4 + geometry.letters * 0.75; // from the board's edge
  board.column_names.forEach((name, column) => {
    const x = geometry.left(column) + CELL / 2;
    made.append(drawn("text", { x, y: margin - away }, name));
  });
  board.row_names.forEach((name, row) => {
    const y = geometry.top(row) + CELL / 2;
    made.append(drawn("text", { x: margin - away, y }, name));
  });
  return made;
}

export function allCells(board) {
  return Array.from({ length: board.rows * board.columns }, (_, cell) => cell);
}
