// Chooses who sits: a person here, a person by link, or a player with its settings.

import { element, labelled } from "./elements.js";
import { ParameterFields, takenApart } from "./parameters.js";

const AT_ONCE = 2; // settings that are shown without asking: they tell the strength

export class SeatPicker {
  // players: PlayersShown; wanted: SeatWanted to begin with
  constructor(players, wanted, label) {
    this.players = players;
    this.select = element("select", { "aria-label": label, change: () => this.changed() });
    this.details = element("div", { class: "seat-details" });
    this.root = element("div", { class: "seat-picker" }, this.select, this.details);
    this.select.append(
      group("A person", [["here", "A person at this browser"], ["elsewhere", "A person by link"]]),
      ...(players.trained.length ? [group("Trained", players.trained.map(trainedOption))] : []),
      ...(players.models.length ? [group("Come with Quintet", players.models.map(modelOption))] : []),
      group("Players", players.players.map((one) => [`player ${one.name}`, `${one.name}: ${one.summary}`])),
      group("Any", [["text", "A player by its text …"]]),
    );
    this.begin(wanted);
  }

  begin(wanted) {
    if (wanted.kind !== "player") {
      this.select.value = wanted.kind;
      this.changed(wanted.name ?? "");
      return;
    }
    const { name, settings } = takenApart(wanted.player);
    const options = [...this.select.options].map((option) => option.value);
    const value = [`text ${wanted.player}`, `player ${name}`].find((one) => options.includes(one));
    this.select.value = value ?? "text";
    this.changed("", settings, wanted.player);
  }

  changed(name = "", settings = {}, text = "") {
    const [kind, ...rest] = this.select.value.split(" ");
    this.kind = kind;
    this.fields = null;
    this.input = null;
    this.details.replaceChildren();
    if (kind === "player") {
      const player = this.players.players.find((one) => one.name === rest.join(" "));
      this.fields = new ParameterFields(player.name, player.parameters, settings);
      this.details.append(...this.fields.fields(AT_ONCE));
    } else if (kind === "text" && !rest.length) {
      this.input = element("input", { type: "text", value: text, maxlength: 500, placeholder: "uct:sims=1000,c=1.2" });
      this.details.append(labelled("text", this.input, "as in the command line"), this.unfit());
    } else if (kind === "text") {
      const model = this.players.models.find((one) => one.player === rest.join(" "));
      if (model) this.details.append(element("p", { class: "count" }, [model.summary, ...model.strengths].join("; ")));
    } else {
      this.input = element("input", { type: "text", value: name, maxlength: 40, placeholder: "name, if you like" });
      this.details.append(labelled("name", this.input));
    }
  }

  unfit() {
    const items = this.players.unfit.map(({ name, why }) => element("li", {}, `${name}: ${why}`));
    if (!items.length) return "";
    return element("details", {}, element("summary", {}, "Who cannot play this, and why"), element("ul", {}, ...items));
  }

  wanted() {
    if (this.kind === "player") return { kind: "player", player: this.fields.text() };
    if (this.kind === "text") {
      return { kind: "player", player: this.input ? this.input.value.trim() : this.select.value.slice("text ".length) };
    }
    const name = this.input.value.trim();
    return name ? { kind: this.kind, name } : { kind: this.kind };
  }
}

function group(label, options) {
  return element("optgroup", { label }, ...options.map(([value, text]) => element("option", { value }, text)));
}

function trainedOption({ player, run, step, last }) {
  return [`text ${player}`, `${run}, step ${step}${last ? " (newest)" : ""}`];
}

function modelOption({ player, name }) {
  return [`text ${player}`, name];
}

export const PERSON = { kind: "here" };

// Someone of middling strength that can play the game at once.
export function usualOpponent(players) {
  const newest = players.trained.find((one) => one.last);
  if (newest) return { kind: "player", player: newest.player };
  const names = players.players.map((one) => one.name);
  const name = ["uct", "greedy", "random"].find((one) => names.includes(one)) ?? names[0];
  if (!name) return PERSON;
  return { kind: "player", player: name === "uct" ? "uct:sims=1000" : name };
}
