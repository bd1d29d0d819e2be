// Save, load, share, set up a position, and how the page behaves.

import { button, copied, element, section } from "./elements.js";
import { ask } from "./server.js";
import { setUpDialog } from "./set_up.js";
import { sounds } from "./sound.js";

const FORMATS = {
  record: { save: "Save the game", ending: "jsonl" },
  sgf: { save: "Save as SGF", ending: "sgf" },
};

export class FilesPanel {
  constructor(table) {
    this.table = table;
    this.setUp = button("Set up a position …", () => setUpDialog(table));
    const sound = element("input", { type: "checkbox", checked: sounds.on, change: () => (sounds.on = sound.checked) });
    const coordinates = element("input", { type: "checkbox", checked: true });
    coordinates.addEventListener("change", () => {
      document.querySelector(".board-place").classList.toggle("bare", !coordinates.checked);
    });
    this.root = section(
      "Save, share, set up", false,
      element("div", { class: "row" }, button("Copy link to watch", () => this.share()), button("Copy link to this position", () => this.sharePosition())),
      element("div", { class: "row" }, ...this.saveButtons()),
      element("div", { class: "row" }, this.setUp),
      element("label", { class: "check" }, sound, " Sound"),
      element("label", { class: "check" }, coordinates, " Coordinates"),
      element("p", { class: "keys" }, "Keys: arrows and Enter on the board; elsewhere left, right, Home and End walk through the game; u undo, r redo, h hint, a analysis."),
    );
  }

  saveButtons() {
    return Object.keys(FORMATS).map((format) => button(FORMATS[format].save, () => this.save(format)));
  }

  update() {
    this.setUp.disabled = !this.table.isPlayer;
  }

  get here() {
    return `${location.origin}${location.pathname}`;
  }

  share() {
    return copied(`${this.here}#/table/${this.table.id}`, "The link is copied: whoever has it may watch.");
  }

  sharePosition() {
    const { board, shown } = this.table;
    const query = new URLSearchParams({ game: board.game, picture: shown.position.picture });
    return copied(`${this.here}#/new?${query}`, "The link is copied: it begins a game from this position.");
  }

  async save(format) {
    const content = await ask(`/api/tables/${this.table.id}/record`, { format });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const { ending } = FORMATS[format];
    element("a", { href: address, download: `quintet-${this.table.id}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}
