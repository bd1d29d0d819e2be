// Makes elements of HTML and SVG.  Text becomes text nodes, never markup: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else if (name === "value" || name === "checked") made[name] = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

// The text of a game without the folders of its file.
export function shortGame(text) {
  return text.replace(/^.*[\\/](?=[^\\/]*\.py:)/, "");
}

export function button(text, click, attributes = {}) {
  return element("button", { type: "button", click, ...attributes }, text);
}

const ICONS = {
  first: "M5 4v16M19 4 8 12l11 8z",
  back: "M17 4 6 12l11 8z",
  forward: "M7 4l11 8-11 8z",
  last: "M19 4v16M5 4l11 8-11 8z",
  play: "M4 5l8 7-8 7zM13 5l8 7-8 7z",
  pause: "M8 4v16M16 4v16",
};

export function iconButton(icon, label, click) {
  const path = drawn("path", { d: ICONS[icon] });
  const image = drawn("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, path);
  const made = button(image, click, { class: "icon-button", "aria-label": label, title: label });
  made.setIcon = (name, text) => {
    path.setAttribute("d", ICONS[name]);
    made.setAttribute("aria-label", text);
    made.title = text;
  };
  return made;
}

export function labelled(text, field, explained = "") {
  const help = explained ? [element("small", {}, explained)] : [];
  return element("label", { class: "field" }, element("span", {}, text), field, ...help);
}

export function choice(options, chosen, change) {
  const made = element("select", { change: () => change?.(made.value) });
  made.append(...options.map(([value, text]) => element("option", { value }, text)));
  made.value = chosen;
  return made;
}

export function section(title, opened, ...children) {
  const heading = element("summary", {}, title);
  return element("details", { class: "section", open: opened }, heading, ...children);
}

export function notice(text, kind = "problem") {
  const made = element("div", { class: `notice ${kind}` }, element("span", {}, text));
  made.append(button("×", () => made.remove(), { "aria-label": "Close this message" }));
  const notices = document.getElementById("notices");
  if (notices.lastChild?.firstChild.textContent === text) return; // told twice, by its cause and by its effect
  while (notices.children.length > 2) notices.firstChild.remove();
  notices.append(made);
  setTimeout(() => made.remove(), 8000);
}

export async function copied(text, told) {
  try {
    await navigator.clipboard.writeText(text);
    notice(told, "good");
  } catch {
    // without permission, or over plain HTTP from another machine: let people copy by hand
    const field = element("input", { value: text, readonly: true, "aria-label": "To copy" });
    const close = () => dialog.remove();
    const dialog = element("dialog", { close }, element("p", {}, "Copy this:"), field);
    dialog.append(button("Close", close));
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  }
}
