// What a player thinks, drawn on the board: heat with numbers, and the expected line.

import { drawn } from "./elements.js";
import { CELL } from "./geometry.js";
import { stone } from "./stones.js";

const MOST_SHOWN = 40;
// five colours of cividis (Nuñez, Anderton, Renslow 2018), made for colour-blind readers
const HEAT = [[0, 34, 78], [65, 77, 107], [124, 123, 120], [188, 175, 111], [254, 232, 56]];

export function heat(share) {
  const at = Math.min(Math.max(share, 0), 1) * (HEAT.length - 1);
  const below = Math.min(Math.floor(at), HEAT.length - 2);
  const mixed = HEAT[below].map((low, i) => Math.round(low + (HEAT[below + 1][i] - low) * (at - below)));
  return { colour: `rgb(${mixed.join(" ")})`, dark: share < 0.5 };
}

export function percent(value) {
  return value === null || value === undefined ? "–" : `${Math.round(value * 100)}`;
}

// The best first: among equals that is the one the player would make.
export function ranked({ moves, line }) {
  return [...moves].sort((a, b) => (b.move === line[0]) - (a.move === line[0]));
}

// What a move is worth to its seat: by values in percent, or as a network tells it.
export function worth({ utility, values }, seat) {
  if (utility === null || utility === undefined) return percent(values[seat]);
  return utility.toFixed(Math.abs(utility) < 10 ? 2 : 0);
}

// Searches by simulated games tell by the number of visits what they prefer; others do not count.
export function countsVisits({ moves }) {
  return moves.some(({ visits }) => visits > 1);
}

// How warm each entry is, from 0 to 1: by visits, or else by what the moves are worth.
function warmth(entries, thoughts) {
  if (countsVisits(thoughts)) {
    const most = Math.max(...entries.map((entry) => entry.share), 1e-9);
    return (entry) => entry.share / most;
  }
  const number = ({ best }) => (best.visits ? (best.utility ?? best.values[thoughts.seat]) : null);
  const known = entries.map(number).filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return (entry) => (number(entry) === null ? 0 : (number(entry) - low) / (high - low || 1));
}

// Moves of the same cell, as Pentago's, count together; their best gives the number.
function byCell(geometry, cells, thoughts) {
  const found = new Map();
  for (const thought of ranked(thoughts)) {
    const cell = cellOf(geometry.board.moves[thought.move], cells);
    if (cell === undefined) continue;
    const entry = found.get(cell) ?? { cell, share: 0, visits: 0, best: thought };
    entry.share += thought.share;
    entry.visits += thought.visits;
    found.set(cell, entry);
  }
  return [...found.values()];
}

// Where a move's stone lands: its only cell, or the lowest empty one of a column.
export function cellOf(move, cells) {
  if (move.cells.length < 2) return move.cells[0];
  return move.cells.filter((cell) => !cells[cell]).at(-1);
}

export function heatMap(geometry, cells, thoughts) {
  const made = drawn("g", { class: "heat", "aria-hidden": "true" });
  const entries = byCell(geometry, cells, thoughts).slice(0, MOST_SHOWN);
  const warm = warmth(entries, thoughts);
  entries.forEach((entry, rank) => made.append(spot(geometry, entry, warm(entry), thoughts, rank)));
  return made;
}

function spot(geometry, { cell, visits, best }, share, thoughts, rank) {
  const { colour, dark } = heat(share);
  const [x, y] = [geometry.x(cell), geometry.y(cell)];
  const made = drawn("g", { class: `spot ${dark ? "dark" : "light"} ${rank ? "" : "best"}` });
  const side = CELL * (0.68 + 0.2 * share); // square, so that dark ones are no stones
  const corner = { x: x - side / 2, y: y - side / 2 };
  made.append(drawn("rect", { ...corner, width: side, height: side, rx: 5, fill: colour }));
  const counts = countsVisits(thoughts);
  const told = worth(best, thoughts.seat);
  made.append(drawn("text", { x, y: counts ? y - 4 : y, class: told.length > 2 ? "value long" : "value" }, told));
  if (counts) made.append(drawn("text", { x, y: y + 9, class: "visits" }, shortCount(visits)));
  return made;
}

export function shortCount(count) {
  const [size, letter] = count < 1000 ? [1, ""] : count < 1e6 ? [1e3, "k"] : [1e6, "M"];
  return size === 1 ? String(count) : `${Number((count / size).toPrecision(2))}${letter}`;
}

// The next moves as numbered stones; of those on the same cell the first is shown.
export function expectedLine(geometry, cells, thoughts) {
  const { board } = geometry;
  const made = drawn("g", { class: "expected", "aria-hidden": "true" });
  const filled = [...cells];
  thoughts.line.forEach((move, i) => {
    const cell = cellOf(board.moves[move], filled);
    if (cell === undefined || filled[cell]) return;
    const seat = (thoughts.seat + i) % board.seats;
    filled[cell] = seat + 1;
    const [x, y] = [geometry.x(cell), geometry.y(cell)];
    made.append(stone(seat, 2, x, y, CELL * 0.4));
    made.append(drawn("text", { x, y, class: `number on-seat-${seat}` }, String(i + 1)));
  });
  return made;
}
