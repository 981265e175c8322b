// What the pages of drop tests and robot files share: a form that is stored in the address, and errors shown at its fields.

import { onReconnect } from "./connection.js";
import { continuesLastChange, enableHeaderButtons, saveAddress, updateHistoryPlace } from "./undo.js";

/** Pause after the last keystroke before the form is sent (ms). */
const EDIT_PAUSE = 250;
/** The field that was changed last: an error that names no parameter is about it. */
let lastEdited = "";

/**
 * Runs `work` at the start, after the form was edited, and when the lab answers again after an interruption. Fields that differ from their
 * defaults are stored in the address. Returns a function that updates the address after the page itself has set fields.
 */
export function linkForm(form, work) {
  const fields = [...form.querySelectorAll("input[id]:not([type=file]), select[id]:not([data-own])")];
  const usual = new Map(fields.map((field) => [field, field.type === "checkbox" ? "" : field.value]));
  const value = (field) => (field.type === "checkbox" ? (field.checked ? "1" : "") : field.value);
  const write = (replace) => saveAddress(new URLSearchParams(fields.filter((field) => value(field) !== usual.get(field)).map((field) => [field.id, value(field)])).toString(), replace);
  const set = (words) => {
    for (const field of fields) {
      const text = words.get(field.id) ?? usual.get(field);
      if (field.type === "checkbox") field.checked = text !== "";
      else field.value = text;
    }
  };
  const read = () => {
    updateHistoryPlace();
    set(new URLSearchParams(location.hash.slice(1)));
    write(true);
    work();
  };
  let timer = null;
  form.addEventListener("input", ({ target }) => {
    lastEdited = target.id;
    write(continuesLastChange(lastEdited));
    clearTimeout(timer);
    timer = setTimeout(work, EDIT_PAUSE);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  enableHeaderButtons(() => {
    set(new Map());
    write(false);
    work();
  });
  onReconnect(work);
  // Also for Back and Forward.
  window.addEventListener("hashchange", read);
  read();
  return () => write(false);
}

/** Shows an error, also at its field, and dims the last result; null removes it. */
export function showProblem(error) {
  const place = document.getElementById("problem");
  place.hidden = !error;
  place.textContent = error?.message ?? "";
  document.body.classList.toggle("stale", Boolean(error));
  for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  const field = error && (document.getElementById(error.parameter?.replaceAll(" ", "_")) ?? document.getElementById(lastEdited));
  if (field?.matches("#controls input, #controls select")) {
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-errormessage", "problem");
  }
}

/** The fields of a form that are not empty, by name. */
export function filledFields(names) {
  const entries = names.map((name) => [name, document.getElementById(name).value.trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}
