// Save, load, share, set up a position, and how the page behaves.

import { button, copied, element, notice, section } from "./elements.js";
import { openTable } from "./home.js";
import { ask } from "./server.js";
import { setUpDialog } from "./set_up.js";
import { sounds } from "./sound.js";

const FORMATS = {
  record: { what: "a record", save: "Save the game", ending: "jsonl" },
  sgf: { what: "an SGF file", save: "Save as SGF", ending: "sgf" },
};

export class FilesPanel {
  constructor(table) {
    this.table = table;
    const formats = this.formats;
    this.setUp = button("Set up a position …", () => setUpDialog(table));
    const file = element("input", { type: "file", accept: ".jsonl,.json,.record,.sgf,.txt", change: () => this.load(file) });
    const sound = element("input", { type: "checkbox", checked: sounds.on, change: () => (sounds.on = sound.checked) });
    const coordinates = element("input", { type: "checkbox", checked: true });
    coordinates.addEventListener("change", () => {
      document.querySelector(".board-place").classList.toggle("bare", !coordinates.checked);
    });
    this.root = section(
      "Save, share, set up", false,
      element("div", { class: "row" }, button("Copy link to watch", () => this.share()), button("Copy link to this position", () => this.sharePosition())),
      element("div", { class: "row" }, ...this.saveButtons()),
      element("label", { class: "field" }, element("span", {}, "Load a game"), file, element("small", {}, `${formats.map((one) => FORMATS[one].what).join(" or ")}; it opens a new table`)),
      element("div", { class: "row" }, this.setUp),
      element("label", { class: "check" }, sound, " Sound"),
      element("label", { class: "check" }, coordinates, " Coordinates"),
      element("p", { class: "keys" }, "Keys: arrows and Enter on the board; elsewhere left, right, Home and End walk through the game; u undo, r redo, h hint, a analysis."),
    );
  }

  // What the server can read and write of this game.
  get formats() {
    return this.table.board.formats ?? ["record"];
  }

  saveButtons() {
    return this.formats.map((format) => button(FORMATS[format].save, () => this.save(format)));
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

  async load(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      const format = file.name.toLowerCase().endsWith(".sgf") ? "sgf" : "record";
      await openTable({ record: { format, content: await file.text() }, paused: true });
    } catch (problem) {
      notice(problem.message);
    }
    input.value = "";
  }
}
