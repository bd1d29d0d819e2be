// Fields for the settings of a game or player, and the text they make: name:setting=value,...

import { choice, element, labelled } from "./elements.js";

const WIDEST = 100_000; // a limit above it tells nobody anything

export class ParameterFields {
  // given: values by name, as in a text
  constructor(name, parameters, given = {}, changed = () => {}) {
    Object.assign(this, { name, parameters, changed });
    this.inputs = new Map(
      parameters.map((parameter) => [parameter.name, this.input(parameter, given[parameter.name])]),
    );
  }

  input(parameter, given) {
    const value = given ?? parameter.default;
    const { kind, choices, low, high } = parameter;
    const change = () => this.changed();
    if (kind === "choice") return choice(choices.map((one) => [one, one]), value, change);
    if (kind === "yes_no") return element("input", { type: "checkbox", checked: value === "yes", change });
    const counts = (kind === "number" || kind === "whole") && Number.isFinite(Number(parameter.default));
    if (!counts) return element("input", { type: "text", value, change, maxlength: 200 });
    const step = kind === "whole" ? 1 : "any";
    return element("input", { type: "number", value, min: low, max: high, step, change });
  }

  field({ name, meaning, expected, high }) {
    const range = expected && !(high > WIDEST) ? `(${expected})` : ""; // the server has limits of its own
    return labelled(name, this.inputs.get(name), [meaning, range].filter(Boolean).join(" "));
  }

  // so many fields at once, the others behind a line that opens
  fields(atOnce) {
    const shown = this.parameters.slice(0, atOnce).map((one) => this.field(one));
    const more = this.parameters.slice(atOnce).map((one) => this.field(one));
    const label = shown.length ? "More settings" : `Settings of ${this.name}`;
    const rest = element("details", {}, element("summary", {}, label), element("div", { class: "fields" }, ...more));
    return [element("div", { class: "fields" }, ...shown), ...(more.length ? [rest] : [])];
  }

  valueOf({ name, kind }) {
    const input = this.inputs.get(name);
    if (kind === "yes_no") return input.checked ? "yes" : "no";
    return input.value.trim();
  }

  text() {
    const changed = this.parameters
      .map((parameter) => [parameter, this.valueOf(parameter)])
      .filter(([parameter, value]) => value !== "" && value !== parameter.default)
      .map(([parameter, value]) => `${parameter.name}=${value}`);
    return this.name + (changed.length ? `:${changed.join(",")}` : "");
  }
}

// The name and the settings of a text such as uct:sims=9, uct(sims=9) or mine.py:Mine:size=5;
// commas inside brackets belong to a value.
export function takenApart(text) {
  const found = /^([^(=]*?)(?:\((.*)\)|:([^:=]+=.*))?$/s.exec(text.trim());
  const [, name, inBrackets, behindColon] = found ?? [null, text];
  const rest = inBrackets ?? behindColon ?? "";
  const settings = {};
  for (const part of rest.split(/,(?![^(]*\))/)) {
    const at = part.indexOf("=");
    if (at > 0) settings[part.slice(0, at).trim()] = part.slice(at + 1).trim();
  }
  return { name, settings };
}
