// What tells the seats apart: a colour that colour-blind people can tell, and a shape.
//
// The colours are those of Okabe and Ito (Color Universal Design, 2008); board.css has them.

import { drawn } from "./elements.js";

export const COLOURS = ["black", "white", "orange", "blue", "green", "yellow"];

// around (0, 0), for a stone of radius 1
const SHAPES = [
  "M-.36 -.36 .36 .36M.36 -.36-.36 .36",
  "M0-.36A.36.36 0 1 0 .01-.36Z",
  "M0-.46 .42 .28-.42 .28Z",
  "M-.33-.33H.33V.33H-.33Z",
  "M0-.48 .4 0 0 .48-.4 0Z",
  "M-.44 0H.44M0-.44V.44",
];

export function stone(seat, seats, x, y, radius, more = "") {
  const made = drawn("g", {
    class: `stone seat-${seat} ${more}`,
    transform: `translate(${x} ${y}) scale(${radius})`,
  });
  made.append(drawn("circle", { r: 1, class: "body" }));
  if (seats > 2) made.append(drawn("path", { d: SHAPES[seat], class: "shape" }));
  return made;
}

// A stone by itself, to stand before a name.
export function stoneIcon(seat, seats) {
  const image = drawn("svg", { viewBox: "-1.15 -1.15 2.3 2.3", class: "stone-icon" });
  image.setAttribute("aria-hidden", "true");
  image.append(stone(seat, seats, 0, 0, 1));
  return image;
}
