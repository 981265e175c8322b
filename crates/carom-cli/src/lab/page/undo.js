// Undo and Redo are Back and Forward of the browser: the address holds the whole state of a page, and every change is an entry of the history.

import { copy } from "./tools.js";

// Changes of the same control within this time (ms) are undone together.
const SAME_CHANGE_TIME = 1000;
const NEWEST_PLACE_KEY = "newest" + location.pathname;
let last = { names: "", at: -Infinity };
// Places in the history of this tab, so that Undo is offered only where it stays on the page.
let place = 0;
let newest = 0;
let pageShown = false;

/** Whether a change belongs to the one before: of the same control, shortly after it. */
export function continuesLastChange(names) {
  const now = performance.now();
  const found = names === last.names && now - last.at < SAME_CHANGE_TIME;
  last = { names, at: now };
  return found;
}

/** Writes the part of the address after #; with `replace` without a new entry in the history. */
export function saveAddress(words, replace) {
  const address = location.pathname + "#" + words;
  if (replace || address === location.pathname + (location.hash || "#")) {
    history.replaceState({ place }, "", address);
  } else {
    place += 1;
    newest = place;
    history.pushState({ place }, "", address);
  }
  try {
    sessionStorage.setItem(NEWEST_PLACE_KEY, newest);
  } catch { /* Storage is switched off: Redo is not offered after a reload. */ }
  showUndo();
}

/** Called when the address has changed by a link, Back or Forward: finds the position in the history. */
export function updateHistoryPlace() {
  last = { names: "", at: -Infinity };
  if (typeof history.state?.place === "number") {
    place = history.state.place;
    try {
      newest = Math.max(newest, place, Number(sessionStorage.getItem(NEWEST_PLACE_KEY)) || 0);
    } catch { newest = Math.max(newest, place); }
  } else if (pageShown) {
    // A link that was followed within the page is one more entry.
    place += 1;
    newest = place;
  }
  pageShown = true;
  showUndo();
}

function showUndo() {
  document.getElementById("undo").disabled = place === 0;
  document.getElementById("redo").disabled = place >= newest;
}

/** The buttons of the header, and the keys that undo and redo; `reset` starts over. */
export function enableHeaderButtons(reset) {
  document.getElementById("undo").addEventListener("click", () => history.back());
  document.getElementById("redo").addEventListener("click", () => history.forward());
  document.getElementById("reset").addEventListener("click", reset);
  const link = document.getElementById("link");
  link.addEventListener("click", () => copy(link, location.href));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    // Text fields undo by themselves.
    if (event.target.matches("textarea, input[type=text], input[type=search]")) return;
    const key = event.key.toLowerCase();
    const redo = key === "y" || (key === "z" && event.shiftKey);
    if (redo ? place < newest : key === "z" && place > 0) {
      event.preventDefault();
      if (redo) history.forward();
      else history.back();
    }
  });
}
