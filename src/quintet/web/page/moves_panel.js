// The moves that were made, as a list, with what else was tried.

import { element, section } from "./elements.js";
import { stoneIcon } from "./stones.js";

export class MovesPanel {
  constructor(table) {
    this.table = table;
    this.list = element("ol", { class: "moves" });
    this.root = section("Moves", true, this.list);
  }

  update() {
    const { table } = this;
    const { line } = table;
    const children = this.children();
    const key = [table.state.round, line.join(), table.nodes.size, table.shown.node, table.state.node].join("|");
    if (key === this.key) return;
    this.key = key;
    const items = line.slice(1).map((id, ply) => this.item(id, ply, line, children));
    const hadFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren(...(items.length ? items : [element("li", { class: "none" }, "No moves yet.")]));
    this.keepInSight();
    if (hadFocus) this.list.querySelector("[aria-current]")?.focus({ preventScroll: true });
  }

  // The panel scrolls, never the page.
  keepInSight() {
    const shown = this.list.querySelector("[aria-current]");
    this.list.scrollTop = shown ? shown.offsetTop - this.list.clientHeight / 2 : 0;
  }

  children() {
    const made = new Map();
    for (const node of this.table.nodes.values()) {
      if (!made.has(node.parent)) made.set(node.parent, []);
      made.get(node.parent).push(node);
    }
    return made;
  }

  item(id, ply, line, children) {
    const node = this.table.nodes.get(id);
    const others = (children.get(node?.parent) ?? []).filter((other) => other.id !== id);
    const made = element("li", {}, element("span", { class: "ply" }, `${ply + 1}`), this.link(node));
    if (others.length) made.append(this.variations(others, children));
    return made;
  }

  link(node) {
    const { table } = this;
    const name = node.move === null ? "resigns" : node.name;
    const current = node.id === table.shown.node;
    const onTable = node.id === table.state.node;
    return element(
      "button",
      {
        type: "button", class: onTable ? "move on-table" : "move", "data-node": node.id,
        "aria-current": current ? "true" : null, click: () => table.lookAt(node.id),
      },
      stoneIcon(node.seat ?? 0, table.board.seats),
      ` ${name}`,
    );
  }

  // Other moves tried here, each with how many moves follow it.
  variations(others, children) {
    const size = (node) => 1 + (children.get(node.id) ?? []).reduce((sum, child) => sum + size(child), 0);
    const items = others.map((node) => element("span", { class: "variation" }, this.link(node), size(node) > 1 ? ` +${size(node) - 1}` : ""));
    return element("span", { class: "variations", "aria-label": "also tried" }, ...items);
  }
}
