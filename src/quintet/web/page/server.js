// Asks the server over HTTP; docs/guide/protocol.md tells what it answers.

export class Refused extends Error {
  constructor(code, message, badTokens = []) {
    super(message);
    this.code = code;
    this.badTokens = badTokens; // places in the list that was sent
  }
}

export function ask(path, parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  return answered(path + (query ? `?${query}` : ""), {});
}

export function send(path, body) {
  const headers = { "Content-Type": "application/json" };
  return answered(path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function answered(path, options) {
  const response = await fetched(path, options);
  const json = (response.headers.get("Content-Type") ?? "").includes("json");
  const content = json ? await response.json() : await response.text();
  if (response.ok) return content;
  const problem = content?.problem;
  throw new Refused(problem?.code ?? "failed", problem?.message ?? `the server says ${response.status}`);
}

async function fetched(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Refused("lost", "the server does not answer");
  }
}
