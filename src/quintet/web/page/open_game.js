// Opens tables: new ones, and for games from a file or from a text that is pasted.

import { button, element, labelled, section } from "./elements.js";
import { keepTable } from "./secrets.js";
import { send } from "./server.js";

const ENDINGS = ".jsonl,.sgf,.json,.ggf,.psq,.txt,.moves";

export async function openTable(wanted) {
  const made = await send("/api/tables", wanted);
  keepTable(made);
  location.hash = `#/table/${made.table}`;
}

// game: the text of the game for formats that do not tell it, such as moves that are pasted
export function openingPanel(game) {
  const problem = element("p", { class: "problem", role: "alert" });
  const number = element("input", { type: "number", min: 1, value: 1 });
  const pasted = element("textarea", { rows: 3, spellcheck: "false", placeholder: "(;FF[4]GM[1]SZ[9];B[ee] …" });
  const open = async (content, name) => {
    problem.textContent = "";
    const known = game();
    try {
      const record = { content, number: number.value - 1, ...(name && { name }), ...(known && { game: known }) };
      await openTable({ record, paused: true });
    } catch (refused) {
      problem.textContent = refused.message;
    }
  };
  const file = element("input", {
    type: "file", accept: ENDINGS,
    change: async () => {
      const [chosen] = file.files;
      if (chosen) await open(await chosen.text(), chosen.name);
      file.value = "";
    },
  });
  const paste = () => open(pasted.value, isMoves(pasted.value) ? "pasted.txt" : null);
  const made = section(
    "Open a game", false,
    labelled("Load a game", file, "records, SGF, GGF, Piskvork, or a text of moves; it opens a new table"),
    labelled("or paste it", pasted),
    labelled("which one", number, "where there are several games"),
    element("div", { class: "row" }, button("Open what is pasted", paste)),
    problem,
  );
  made.classList.add("opening");
  return made;
}

// Only moves begin with neither a bracket nor the name of a program.
function isMoves(text) {
  return /^\s*[a-z0-9]/i.test(text) && !/^\s*Piskvorky/.test(text);
}
