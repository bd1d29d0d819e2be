// Which page is shown: the part of the address behind the # tells.

import { element, notice } from "./elements.js";
import { homePage } from "./home.js";
import { recordsPage } from "./records.js";
import { runPage, runsPage } from "./runs.js";
import { tablePage } from "./table_page.js";

const PAGES = [
  [/^\/?$/, homePage],
  [/^\/new$/, homePage],
  [/^\/table\/([\w-]+)$/, tablePage],
  [/^\/runs$/, runsPage],
  [/^\/runs\/(.+)$/, runPage],
  [/^\/records$/, recordsPage],
];

let leave = () => {};
let visit = 0;

async function show() {
  const [path, query] = location.hash.slice(1).split("?", 2);
  leave();
  leave = () => {};
  visit += 1;
  const mine = visit;
  const main = document.getElementById("main");
  const [page, found] = matching(path);
  try {
    const made = await page(new URLSearchParams(query ?? ""), ...found);
    if (mine !== visit) {
      made.leave?.();
      return;
    }
    leave = made.leave ?? leave;
    main.replaceChildren(made.root);
    if (visit > 1) main.focus({ preventScroll: true }); // keyboards and readers begin at what is new
    scrollTo(0, 0);
    document.title = made.title ? `${made.title} · Quintet` : "Quintet";
  } catch (problem) {
    if (mine === visit) main.replaceChildren(failed(problem));
  }
  const section = `#/${path.split("/")[1] ?? ""}`;
  document.querySelectorAll("header nav a").forEach((link) => {
    const here = link.getAttribute("href") === section;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
}

function matching(path) {
  for (const [pattern, page] of PAGES) {
    const found = pattern.exec(path);
    if (found) return [page, found.slice(1).map(decodeURIComponent)];
  }
  return [() => Promise.reject(new Error(`there is no page ${path}`)), []];
}

function failed(problem) {
  const back = element("a", { href: "#/" }, "Back to the start");
  return element("section", { class: "card" }, element("h1", {}, "That did not work"), element("p", {}, problem.message), back);
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address tells the page, not the place on it
  document.getElementById("main").focus();
});
window.addEventListener("hashchange", show);
window.addEventListener("unhandledrejection", (event) => {
  if (event.reason?.code) {
    notice(event.reason.message);
    event.preventDefault();
  }
});
show();
