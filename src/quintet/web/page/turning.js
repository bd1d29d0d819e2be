// Turns of a block: eight arrows to choose from, and the turn itself in motion.

import { drawn } from "./elements.js";

const DEPTH = 34; // of an arrow's field in the margin
const SECONDS = 0.55;

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Arrows for moves that place the same stone and differ in the turn.
export class TurnChooser {
  constructor(geometry, blockGroups, { chosen, cancelled }) {
    Object.assign(this, { geometry, blockGroups, chosen, cancelled });
    this.root = drawn("g", { class: "turns" });
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  show(moves) {
    const { board } = this.geometry;
    this.arrows = moves.map((move) => this.arrow(move, board.moves[move]));
    this.root.replaceChildren(...this.arrows);
  }

  hide() {
    this.blockGroups.forEach((group) => group.classList.remove("leans-right", "leans-left"));
    this.root.replaceChildren();
  }

  focus() {
    this.arrows[0]?.focus();
  }

  arrow(move, { block, clockwise }) {
    const { geometry } = this;
    const frame = geometry.frame(block);
    const isLeft = frame.x < geometry.width / 2;
    const isTop = frame.y < geometry.height / 2;
    // all arrows point from the outer corner to the middle of the board's side
    const lies = (isTop === isLeft) === clockwise;
    const field = lies ? lyingField(geometry, frame, isTop) : standingField(geometry, frame, isLeft);
    const angle = lies ? (isLeft ? 0 : 180) : isTop ? 90 : 270;
    const bend = clockwise ? 1 : -1;
    const where = `${isTop ? "top" : "bottom"} ${isLeft ? "left" : "right"}`;
    const label = `turn the ${where} block ${clockwise ? "clockwise" : "anticlockwise"}`;
    const group = this.blockGroups[geometry.blockOf(block[0])];
    const lean = clockwise ? "leans-right" : "leans-left";
    const leave = () => group.classList.remove(lean);
    const enter = () => group.classList.add(lean);
    const middle = `translate(${field.x + field.width / 2} ${field.y + field.height / 2})`;
    const image = drawn("path", {
      d: `M-24 ${6 * bend}Q0 ${-10 * bend} 20 ${3 * bend}M${20 - 10} ${3 * bend - 6 * bend - 4 * bend}L20 ${3 * bend}L${20 - 12} ${3 * bend + 4 * bend}`,
      transform: `${middle} rotate(${angle})`,
    });
    return drawn(
      "g",
      {
        class: "turn", role: "button", tabindex: 0, "aria-label": label, "data-move": move,
        pointerenter: enter, pointerleave: leave, focus: enter, blur: leave,
        click: (event) => {
          event.stopPropagation();
          this.chosen(move);
        },
      },
      drawn("rect", { ...field, rx: 9 }),
      image,
    );
  }

  key(event) {
    const at = this.arrows.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) this.arrows.at((at + step) % this.arrows.length).focus();
    else if (event.key === "Enter" || event.key === " ") this.arrows[at]?.dispatchEvent(new Event("click"));
    else if (event.key === "Escape") this.cancelled();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function lyingField(geometry, { left, right }, isTop) {
  const y = isTop ? geometry.margin - DEPTH - 3 : geometry.bottom + 3;
  return { x: left + 4, y, width: right - left - 8, height: DEPTH };
}

function standingField(geometry, { top, bottom }, isLeft) {
  const x = isLeft ? geometry.margin - DEPTH - 3 : geometry.right + 3;
  return { x, y: top + 4, width: DEPTH, height: bottom - top - 8 };
}

// Shows how the block came to stand as it is drawn now.
export function animateTurn(group, clockwise) {
  if (still()) return;
  const from = `rotate(${clockwise ? -90 : 90}deg)`;
  group.parentNode.append(group); // above its neighbours while it turns
  group.animate([{ transform: from }, { transform: from, offset: 0.35 }, { transform: "none" }], {
    duration: SECONDS * 1500,
    easing: "ease-in-out",
  });
}

export function turnsAbout(group, { x, y }) {
  group.style.transformBox = "view-box";
  group.style.transformOrigin = `${x}px ${y}px`;
}
