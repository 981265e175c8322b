// The list of laws: grouped, searchable, many at once; and what is known about one of them.

import { change, nameLaws, state } from "./state.js";
import { ask, element } from "./tools.js";

let models = [];
const MAX_LAWS = 24;

export async function laws() {
  models = await ask("models");
  nameLaws(models);
  const search = document.getElementById("search");
  search.placeholder = `Search ${models.length} laws`;
  search.addEventListener("input", filter);
  const list = document.getElementById("law-list");
  for (const group of new Set(models.map((model) => model.group))) {
    list.append(element("details", { "data-group": group },
      element("summary", {}, group),
      ...models.filter((model) => model.group === group).map(entry)));
  }
}

function entry(model) {
  const facts = [model.velocity_free ? "v-free" : "", model.input === "restitution" ? "" : model.input];
  return element("label", { "data-words": [model.id, model.title, ...model.aliases].join(" ").toLowerCase(), title: model.title },
    element("input", { type: "checkbox", name: "law", value: model.id, onchange: choose }),
    element("span", {}, model.id),
    element("small", {}, facts.filter(Boolean).join(", ")));
}

function choose(event) {
  const { value, checked } = event.target;
  const chosen = state.laws.filter((law) => law !== value);
  if (checked) chosen.push(value);
  if (chosen.length > MAX_LAWS) chosen.shift();
  change({ laws: chosen });
}

function filter() {
  const words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const group of document.querySelectorAll("#law-list details")) {
    let shown = 0;
    for (const label of group.querySelectorAll("label")) {
      label.hidden = !words.every((word) => label.dataset.words.includes(word) || group.dataset.group.includes(word));
      label.style.display = label.hidden ? "none" : "";
      if (!label.hidden) shown += 1;
    }
    group.hidden = shown === 0;
    group.open = words.length > 0 ? shown > 0 : group.querySelector("input:checked") !== null;
  }
}

/** Updates the list from the state. */
export function showLaws() {
  unlisted();
  for (const box of document.getElementsByName("law")) box.checked = state.laws.includes(box.value);
  document.getElementById("chosen-count").textContent = `(${state.laws.length} chosen)`;
  if (!document.getElementById("search").value && !document.getElementById("laws").contains(document.activeElement)) filter();
  const focus = document.getElementById("focus");
  const shown = state.laws.includes(state.focus) ? state.focus : (state.laws[0] ?? "");
  const ids = state.laws.join();
  if (focus.dataset.ids !== ids) {
    focus.dataset.ids = ids;
    focus.replaceChildren(...state.laws.map((law) => element("option", { value: law }, law)));
  }
  focus.value = shown;
  about(shown);
}

/** A law of the address that the catalogue lacks: the server answers with an error, and the user can remove it. */
function unlisted() {
  const list = document.getElementById("law-list");
  list.querySelector("[data-group=unknown]")?.remove();
  const strange = state.laws.filter((law) => !models.some((model) => model.id === law));
  if (strange.length === 0) return;
  const entries = strange.map((id) => entry({ id, title: id, aliases: [], input: "not in the catalogue" }));
  list.prepend(element("details", { "data-group": "unknown", open: true }, element("summary", {}, "unknown"), ...entries));
}

export function focusControl() {
  document.getElementById("focus").addEventListener("change", (event) => change({ focus: event.target.value }));
}

const known = new Map();
let described = null;

async function about(id) {
  const place = document.getElementById("law");
  if (described === id) return;
  described = id;
  if (!id) {
    place.replaceChildren(element("p", { class: "faint" }, "Choose a law."));
    return;
  }
  try {
    if (!known.has(id)) known.set(id, await ask("models/" + encodeURIComponent(id)));
    if (described !== id) return;
    place.replaceChildren(...page(known.get(id)));
  } catch (error) {
    place.replaceChildren(element("p", { class: "bad" }, error.message));
  }
}

function page(model) {
  const heading = element("h3", {}, model.title);
  const facts = element("p", { class: "faint" },
    `${model.group} · input: ${model.input} · contact ends at zero ${model.exit} · ${model.velocity_free ? "velocity-free" : "depends on the impact speed"}`);
  const part = (title, text) => [element("h4", {}, title), ...text.split(/\n\s*\n/).map((p) => element("p", {}, p))];
  const reference = element("p", {}, model.reference, " ");
  if (model.doi) reference.append(element("a", { href: "https://doi.org/" + model.doi, rel: "noreferrer" }, "doi:" + model.doi));
  return [heading, facts, element("pre", { "aria-label": "Equation", tabindex: 0 }, model.equation),
    ...part("Validity", model.validity), ...part("Remarks", model.remarks), element("h4", {}, "Reference"), reference];
}
