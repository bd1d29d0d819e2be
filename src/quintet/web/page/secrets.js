// Keeps in this browser what lets it move: the owner's secret and the seats' tokens, by table.

import { forget, recalled, recalledNames, remember } from "./remembered.js";

const PREFIX = "quintet.table.";
const MOST_REMEMBERED = 200; // tables; of more, those seen longest ago are forgotten

export function keysOf(table) {
  const empty = { owner: null, tokens: {}, invitations: {} };
  try {
    return { ...empty, ...JSON.parse(recalled(PREFIX + table)) };
  } catch {
    return empty; // somebody else wrote there
  }
}

function keep(table, keys) {
  remember(PREFIX + table, JSON.stringify(keys));
}

export function keepTable(made) {
  keep(made.table, { ...keysOf(made.table), owner: made.owner });
  made.keys.forEach((key) => keepKey(made.table, key));
}

export function keepKey(table, key) {
  const keys = keysOf(table);
  delete keys.tokens[key.seat];
  delete keys.invitations[key.seat];
  if (key.token) keys.tokens[key.seat] = key.token;
  if (key.invitation) keys.invitations[key.seat] = key.invitation;
  keep(table, keys);
}

export function forgetSeat(table, seat) {
  keepKey(table, { seat });
}

export function forgetTokens(table, bad) {
  const keys = keysOf(table);
  const tokens = Object.entries(keys.tokens).filter(([, token]) => !bad.has(token));
  const owner = bad.has(keys.owner) ? null : keys.owner;
  keep(table, { ...keys, owner, tokens: Object.fromEntries(tokens) });
}

export function forgetTable(table) {
  forget(PREFIX + table);
}

// What a table looked like last, to find it again at the start.
export function keepSight(table, told) {
  if (recalled(PREFIX + table)) keep(table, { ...keysOf(table), seen: Date.now(), told });
}

// The tables that this browser holds keys of, the one seen last before the others.
export function rememberedTables() {
  const tables = recalledNames(PREFIX).map((name) => name.slice(PREFIX.length));
  const found = tables.map((table) => ({ table, ...keysOf(table) })).filter((one) => one.seen);
  found.sort((a, b) => b.seen - a.seen);
  found.slice(MOST_REMEMBERED).forEach((one) => forgetTable(one.table));
  return found.slice(0, MOST_REMEMBERED);
}

export function tokensOf(table) {
  const keys = keysOf(table);
  return [...(keys.owner ? [keys.owner] : []), ...Object.values(keys.tokens)];
}
