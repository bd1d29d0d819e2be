// Games that were recorded by matches and tournaments, to be replayed.

import { button, element } from "./elements.js";
import { openTable } from "./open_game.js";
import { ask } from "./server.js";

const AT_ONCE = 50;

export async function recordsPage(query) {
  const file = query.get("file");
  const root = file ? await gamesOf(file) : await files();
  return { root, title: "Recorded games" };
}

async function files() {
  const found = await ask("/api/records");
  const rows = found.map(({ file, bytes }) =>
    element("li", {}, element("a", { href: `#/records?${new URLSearchParams({ file })}` }, file), ` ${Math.ceil(bytes / 1024)} kB`),
  );
  const none = element("p", {}, "None yet. ", element("code", {}, "quintet match … --record"), " writes them.");
  return element("div", {}, element("h1", {}, "Recorded games"), rows.length ? element("ul", { class: "files" }, ...rows) : none);
}

async function gamesOf(file) {
  const body = element("tbody");
  const note = element("p");
  const more = button("More", () => load());
  let first = 0;
  const load = async () => {
    const shown = await ask("/api/records/games", { file, first, count: AT_ONCE });
    first += shown.games.length;
    body.append(...shown.games.map((game) => gameRow(file, game)));
    note.textContent = shown.note ?? "";
    more.hidden = !shown.more;
  };
  await load();
  const titles = ["", "game", "players", "moves", "scores"].map((text) => element("th", { scope: "col" }, text));
  const table = element("table", { class: "games" }, element("thead", {}, element("tr", {}, ...titles)), body);
  const back = element("a", { href: "#/records" }, "All files");
  return element("div", {}, element("h1", {}, file), back, element("div", { class: "scrolls" }, table), note, more);
}

function gameRow(file, { number, game, players, plies, scores }) {
  const watch = () => openTable({ file: { file, number }, paused: true });
  const cells = [game, players.join(" – "), String(plies), scores.map((score) => Number(score.toFixed(2))).join(" – ")];
  return element("tr", {}, element("td", {}, button("Replay", watch)), ...cells.map((text) => element("td", {}, text)));
}
