// One websocket to a table, opened again with growing pauses whenever it is lost.

import { Refused } from "./server.js";

const FIRST_PAUSE = 300; // milliseconds
const LONGEST_PAUSE = 8000;
const FINAL = { 4400: "invalid", 4403: "stranger", 4404: "unknown", 4413: "large" };

export class Connection {
  // told: {tokens() for join, void(tokens), received(message), changed(status, code)}
  constructor(table, told) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.address = `${scheme}//${location.host}/api/tables/${encodeURIComponent(table)}/play`;
    this.told = told;
    this.waiting = new Map();
    this.number = 0;
    this.pause = FIRST_PAUSE;
    this.hurry = () => this.retry && this.open();
    window.addEventListener("online", this.hurry);
    this.open();
  }

  open() {
    clearTimeout(this.retry);
    this.retry = null;
    this.told.changed("connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => this.join();
    socket.onmessage = (event) => socket === this.socket && this.receive(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.lost(event.code);
  }

  async join() {
    const tokens = this.told.tokens();
    try {
      await this.request({ type: "join", tokens });
      this.pause = FIRST_PAUSE;
      this.told.changed("open");
    } catch (problem) {
      // a close follows; with the tokens that are still good one may come again
      const bad = new Set((problem.badTokens ?? []).map((number) => tokens[number]));
      this.comesAgain = bad.size > 0 && bad.size < tokens.length;
      if (this.comesAgain) this.told.void(bad);
    }
  }

  // Resolves when the server has stored what was asked, rejects with why it did not.
  request(message) {
    if (this.socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Refused("lost", "not connected just now; try again in a moment"));
    }
    this.number += 1;
    const request = this.number;
    this.socket.send(JSON.stringify({ ...message, request }));
    return new Promise((resolve, reject) => this.waiting.set(request, { resolve, reject }));
  }

  receive(message) {
    const waiter = this.waiting.get(message.request);
    if (message.type === "done") waiter?.resolve();
    else if (message.type === "error") {
      const { code, message: text } = message.problem;
      if (waiter) waiter.reject(new Refused(code, text, message.bad_tokens));
      else this.told.received(message); // nobody asked: a player could not play
    } else this.told.received(message);
    if (waiter) this.waiting.delete(message.request);
  }

  lost(code) {
    for (const { reject } of this.waiting.values()) {
      reject(new Refused("lost", "the connection was lost"));
    }
    this.waiting.clear();
    if (this.closed) return;
    if (this.comesAgain) {
      this.comesAgain = false;
      this.open();
      return;
    }
    if (FINAL[code]) {
      this.told.changed("refused", FINAL[code]);
      return;
    }
    this.told.changed("lost");
    this.retry = setTimeout(() => this.open(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 1.7, LONGEST_PAUSE);
  }

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    window.removeEventListener("online", this.hurry);
    this.socket.close();
  }
}
