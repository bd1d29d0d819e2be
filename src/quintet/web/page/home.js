// The start: a game by one click, or one with all its settings and seats.

import { button, choice, element, notice, shortGame } from "./elements.js";
import { ParameterFields, takenApart } from "./parameters.js";
import { openTable, openingPanel } from "./open_game.js";
import { PERSON, SeatPicker, usualOpponent } from "./seat_picker.js";
import { forgetTable, rememberedTables } from "./secrets.js";
import { ask } from "./server.js";
import { stoneIcon } from "./stones.js";

const MOST_TRAINED = 4;
const MOST_TABLES = 6;
const uct = (sims) => ({ kind: "player", player: `uct:sims=${sims}` });
const QUICK = [
  ["Pente for three", "you against two searches", "pente:size=13,players=3", [PERSON, uct(1000), uct(1000)]],
  ["Pentago", "place a stone, turn a block", "pentago", [PERSON, uct(2000)]],
  ["Othello", "most discs win", "othello", [PERSON, uct(2000)]],
  ["Connect Four", "stones fall", "connect-four", [PERSON, uct(3000)]],
  ["Go-Moku", "five in a row", "go-moku", [PERSON, uct(2000)]],
  ["Go, 9 × 9", "most area", "go:size=9", [PERSON, uct(2000)]],
  ["Tic-tac-mo", "three in a row for three", "tic-tac-mo", [PERSON, PERSON, uct(500)]],
];

export async function homePage(query) {
  const [games, { runs }] = await Promise.all([ask("/api/games"), trainedRuns()]);
  const form = new GameForm(games, query);
  await form.begin();
  const root = element(
    "div",
    { class: "home" },
    element(
      "section", { "aria-label": "At once" },
      element("h1", {}, "Play"), quickCards(games, runs), yourTables(), openingPanel(() => form.game),
    ),
    form.root,
  );
  return { root };
}

// The start works without runs, too.
async function trainedRuns() {
  try {
    return await ask("/api/runs");
  } catch {
    return { runs: [] };
  }
}

function quickCards(games, runs) {
  const names = new Set(games.map((game) => game.name));
  const known = QUICK.filter(([, , game]) => names.has(takenApart(game).name));
  const cards = known.map(([title, told, game, seats]) =>
    card(title, told, seats.length, () => openTable({ game, seats })),
  );
  const trained = runs.filter((run) => run.checkpoints.length).slice(0, MOST_TRAINED).map(trainedCard);
  return element("div", { class: "cards" }, ...trained, ...cards);
}

function card(title, told, seats, open) {
  const stones = Array.from({ length: seats }, (_, seat) => stoneIcon(seat, seats));
  return element(
    "button", { type: "button", class: "quick", click: open },
    element("span", { class: "stones" }, ...stones),
    element("strong", {}, title),
    element("span", {}, told),
  );
}

// To go on where one was.
function yourTables() {
  const tables = rememberedTables().slice(0, MOST_TABLES);
  if (!tables.length) return "";
  const items = tables.map(({ table, told, seen }) => {
    const go = element("a", { href: `#/table/${table}` }, element("strong", {}, told.game), ` ${told.state}`);
    const away = button("×", () => (forgetTable(table), item.remove()), { class: "quiet", "aria-label": `Forget ${told.game}` });
    const item = element("li", {}, go, element("small", {}, new Date(seen).toLocaleString()), away);
    return item;
  });
  return element("section", { "aria-label": "Your tables" }, element("h2", {}, "Your tables"), element("ul", { class: "own-tables" }, ...items));
}

function trainedCard(run) {
  const step = run.checkpoints.at(-1);
  const open = async () => {
    const game = await ask("/api/board", { game: run.game });
    const player = { kind: "player", player: `run:${run.name}@${step}` };
    const seats = Array.from({ length: game.seats }, (_, seat) => (seat ? player : PERSON));
    await openTable({ game: run.game, seats });
  };
  const told = `${run.game}, learnt by ${run.learner}, ${step} steps`;
  return card(`Play against ${run.name}`, told, 2, open);
}

class GameForm {
  constructor(games, query) {
    this.games = games;
    this.given = query.get("game");
    this.picture = query.get("picture");
    this.player = query.get("player");
    this.pickers = [];
    this.settings = element("div", { class: "settings" });
    this.seats = element("div", { class: "seats-form" });
    this.problem = element("p", { class: "problem", role: "alert" });
    this.start = button("Start the game", () => this.open(), { class: "primary large" });
    this.root = element("section", { class: "card new-game", "aria-label": "Choose a game" });
  }

  async begin() {
    const { name, settings } = takenApart(this.given ?? this.games[0].name);
    const options = this.games.map((game) => [game.name, `${shortGame(game.name)}: ${game.summary}`]);
    this.select = choice(options, name, () => this.gameChosen({}));
    this.select.setAttribute("aria-label", "Game");
    const title = this.picture ? "From this position" : "Choose everything";
    this.root.append(element("h2", {}, title), this.select, this.settings);
    if (this.picture) this.root.append(element("pre", { class: "picture" }, this.picture));
    this.root.append(element("h3", {}, "Seats"), this.seats, this.problem, this.start);
    await this.gameChosen(settings);
  }

  async gameChosen(settings) {
    const game = this.games.find((one) => one.name === this.select.value) ?? this.games[0];
    this.fields = new ParameterFields(game.name, game.parameters, settings, () => this.fieldsChanged());
    const seatsFirst = (parameter) => (parameter.name === game.seats_by ? 0 : 1);
    this.fields.parameters = [...game.parameters].sort((a, b) => seatsFirst(a) - seatsFirst(b));
    this.settings.replaceChildren(...this.fields.fields(2));
    await this.fieldsChanged();
  }

  async fieldsChanged() {
    const text = this.fields.text();
    try {
      const [board, players] = await Promise.all([
        ask("/api/board", { game: text }),
        ask("/api/players", { game: text }),
      ]);
      if (text !== this.fields.text()) return; // another was chosen meanwhile
      this.problem.textContent = "";
      this.start.disabled = false;
      this.seatsChanged(board, players);
    } catch (problem) {
      this.problem.textContent = problem.message;
      this.start.disabled = true;
    }
  }

  seatsChanged(board, players) {
    const opponent = this.player ? { kind: "player", player: this.player } : usualOpponent(players);
    const before = this.game === board.game ? this.pickers.map((picker) => picker.wanted()) : [];
    this.game = board.game;
    this.pickers = Array.from({ length: board.seats }, (_, seat) => {
      const wanted = before[seat] ?? (seat ? opponent : PERSON);
      return new SeatPicker(players, wanted, `Who sits at seat ${seat + 1}`);
    });
    const rows = this.pickers.map((picker, seat) =>
      element("div", { class: "seat-row" }, stoneIcon(seat, board.seats), picker.root),
    );
    const turn = () => this.rotate(players, board);
    this.seats.replaceChildren(...rows, button("Let everybody move up a seat", turn, { class: "quiet" }));
  }

  rotate(players, board) {
    const wanted = this.pickers.map((picker) => picker.wanted());
    wanted.unshift(wanted.pop());
    this.pickers.forEach((picker, seat) => {
      const made = new SeatPicker(players, wanted[seat], `Who sits at seat ${seat + 1}`);
      picker.root.replaceWith(made.root);
      this.pickers[seat] = made;
    });
    this.game = board.game;
  }

  async open() {
    this.start.disabled = true;
    try {
      const wanted = { game: this.fields.text(), seats: this.pickers.map((picker) => picker.wanted()) };
      await openTable(this.picture ? { ...wanted, picture: this.picture } : wanted);
    } catch (problem) {
      this.problem.textContent = problem.message;
      notice(problem.message);
    }
    this.start.disabled = false;
  }
}
