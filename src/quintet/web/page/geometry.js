// Where things are on a board that is drawn, in units of the drawing.

export const CELL = 40;
const GAP = 8; // between blocks that turn
const ARROW = 38; // the margin in which a turn is chosen: a finger wide on a phone

export class Geometry {
  constructor(board) {
    this.board = board;
    this.blocks = distinctBlocks(board.moves);
    this.letters = 5.5 + 0.75 * Math.max(board.rows, board.columns); // readable on a phone
    this.margin = this.blocks.length ? ARROW : this.letters * 1.3 + 8;
    this.columnGaps = gapsBefore(board.columns, (column) => this.blockOf(column));
    this.rowGaps = gapsBefore(board.rows, (row) => this.blockOf(row * board.columns));
    this.right = this.left(board.columns - 1) + CELL;
    this.bottom = this.top(board.rows - 1) + CELL;
    const far = this.blocks.length ? this.margin : 8;
    this.width = this.right + far;
    this.height = this.bottom + far;
  }

  blockOf(cell) {
    return this.blocks.findIndex((block) => block.includes(cell));
  }

  left(column) {
    return this.margin + column * CELL + this.columnGaps[column] * GAP;
  }

  top(row) {
    return this.margin + row * CELL + this.rowGaps[row] * GAP;
  }

  row(cell) {
    return Math.floor(cell / this.board.columns);
  }

  column(cell) {
    return cell % this.board.columns;
  }

  x(cell) {
    return this.left(this.column(cell)) + CELL / 2;
  }

  y(cell) {
    return this.top(this.row(cell)) + CELL / 2;
  }

  name(cell) {
    return this.board.column_names[this.column(cell)] + this.board.row_names[this.row(cell)];
  }

  // The frame of some cells: {left, top, right, bottom, x, y} with its middle.
  frame(cells) {
    const xs = cells.map((cell) => this.x(cell));
    const ys = cells.map((cell) => this.y(cell));
    const [left, right] = [Math.min(...xs) - CELL / 2, Math.max(...xs) + CELL / 2];
    const [top, bottom] = [Math.min(...ys) - CELL / 2, Math.max(...ys) + CELL / 2];
    return { left, top, right, bottom, x: (left + right) / 2, y: (top + bottom) / 2 };
  }
}

function distinctBlocks(moves) {
  const seen = new Map();
  for (const move of moves) {
    if (move.block.length) seen.set([...move.block].sort((a, b) => a - b).join(), move.block);
  }
  return [...seen.values()];
}

function gapsBefore(count, blockAt) {
  const gaps = [0];
  for (let i = 1; i < count; i += 1) {
    gaps.push(gaps[i - 1] + (blockAt(i) === blockAt(i - 1) ? 0 : 1));
  }
  return gaps;
}
