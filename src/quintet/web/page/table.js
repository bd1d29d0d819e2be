// A table as this browser knows it: what the server told, and which position is looked at.

import { Connection } from "./connection.js";
import { notice } from "./elements.js";
import { COLOURS } from "./stones.js";
import { forgetSeat, forgetTokens, keepKey, tokensOf } from "./secrets.js";

export class Table extends EventTarget {
  constructor(id) {
    super();
    this.id = id;
    this.board = null;
    this.state = null;
    this.view = null; // a position that is looked at while the table stays elsewhere
    this.nodes = new Map();
    this.mine = new Set();
    this.owner = false;
    this.thoughts = new Map(); // the latest of each node
    this.status = "connecting";
    this.connection = new Connection(id, {
      tokens: () => tokensOf(id),
      void: (bad) => forgetTokens(id, bad), // somebody else sits there now
      received: (message) => this.received(message),
      changed: (status, code) => this.connected(status, code),
    });
  }

  tell(what) {
    this.dispatchEvent(new CustomEvent(what));
  }

  connected(status, code) {
    this.status = status;
    this.refusal = code;
    this.tell("status");
  }

  received(message) {
    this[`on_${message.type}`]?.(message);
  }

  on_welcome({ board, seats, owner }) {
    const isNew = !this.board;
    Object.assign(this, { board, owner, mine: new Set(seats) });
    if (isNew) this.tell("ready");
    else if (this.state) this.tell("change"); // the seats are others than before
  }

  on_state(state) {
    if (this.state && state.round !== this.state.round) {
      this.nodes.clear();
      this.thoughts.clear();
      this.view = null;
    }
    state.nodes.forEach((node) => this.nodes.set(node.id, node));
    this.before = this.state;
    this.state = state;
    if (this.view?.node === state.node) this.view = null;
    state.seats.forEach((seat, number) => {
      const given = seat.kind === "player" || (seat.kind === "elsewhere" && !seat.claimed);
      if (given && this.mine.delete(number)) forgetSeat(this.id, number);
    });
    this.tell("change");
  }

  on_view(view) {
    this.view = view.round === this.state.round && view.node !== this.state.node ? view : null;
    this.tell("change");
  }

  on_given({ key }) {
    // the owner keeps the invitation, to show its link again
    keepKey(this.id, key);
    if (key.token) this.mine.add(key.seat);
    this.tell("change");
  }

  on_thoughts(thoughts) {
    if (thoughts.round !== this.state?.round) return;
    if (!thoughts.visits) thoughts.values.fill(null); // the only move was not looked at
    const known = this.thoughts.get(thoughts.node);
    const isOther = known?.player !== thoughts.player && thoughts.why !== "seat";
    const isDeeper = !known || thoughts.visits >= known.visits; // a search begun anew is not, yet
    if (isOther || isDeeper) this.thoughts.set(thoughts.node, thoughts);
    this.hinted = thoughts.why === "hint" ? thoughts : this.hinted;
    this.tell("thoughts");
  }

  on_error({ problem }) {
    notice(problem.message);
  }

  // --- what is looked at --------------------------------------------------------

  get shown() {
    return this.view ?? this.state;
  }

  // The nodes to walk along: through the one looked at, on to where its line ends.
  get line() {
    const main = [...this.state.path, ...this.state.ahead];
    const { node, path } = this.shown;
    const line = main.includes(node) ? main : [...path];
    const children = new Map([...this.nodes.values()].map((one) => [one.parent, one.id]));
    while (children.has(line.at(-1))) line.push(children.get(line.at(-1)));
    return line;
  }

  async lookAt(node) {
    if (node === this.shown.node) return;
    if (node === this.state.node) {
      this.view = null;
      this.tell("change");
    } else await this.ask({ type: "look", node });
  }

  walk(steps) {
    const { line } = this;
    const at = line.indexOf(this.shown.node) + steps;
    return this.lookAt(line[Math.min(Math.max(at, 0), line.length - 1)]);
  }

  // --- what is asked --------------------------------------------------------------

  ask(message) {
    return this.connection.request(message);
  }

  async play(move) {
    const { node } = this.shown;
    const type = this.view ? "branch" : "move";
    this.view = null;
    await this.ask({ type, node, move });
  }

  get isPlayer() {
    return this.owner || this.mine.size > 0;
  }

  get mayPlay() {
    const { turn, over } = this.shown.position;
    return !over && turn !== null && this.mine.has(turn) && this.status === "open";
  }

  get whyNot() {
    const { turn, over } = this.shown.position;
    if (this.status !== "open") return "The server is not there just now.";
    if (over || turn === null) return "The game is over.";
    const seat = this.state.seats[turn];
    return `It is ${this.name(turn)}'s turn${seat.kind === "player" ? "" : ", who sits elsewhere"}.`;
  }

  name(seat) {
    return this.state.seats[seat]?.name || COLOURS[seat];
  }

  close() {
    this.connection.close();
  }
}
