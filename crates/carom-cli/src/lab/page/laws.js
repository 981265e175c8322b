// The list of laws: grouped, searchable, many at once; and what is known about one of them.

import { lawPage, showParameters } from "./parameters.js";
import { OWN, change, focusChoices, focusedName, nameLaws, state } from "./state.js";
import { ask, element } from "./tools.js";

let models = [];
const MAX_LAWS = 24;

export async function loadLaws() {
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
  const own = document.getElementById("own");
  if (own.value !== state.own) own.value = state.own;
  if (state.own) document.getElementById("own-law").open = true;
  const choices = focusChoices();
  const shown = focusedName();
  const ids = choices.flat().join();
  if (focus.dataset.ids !== ids) {
    focus.dataset.ids = ids;
    focus.replaceChildren(...choices.map(([value, label]) => element("option", { value }, label)));
  }
  focus.value = shown;
  showLawPage(shown);
  showParameters();
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
  document.getElementById("focus").addEventListener("change", (event) => change({ focus: event.target.value }, { replace: true }));
  document.getElementById("own").addEventListener("input", (event) => change({ own: event.target.value }));
  document.getElementById("own-example").addEventListener("click", () => change({ own: EXAMPLE, focus: OWN }, { replace: false }));
}

const EXAMPLE = `name = "my-buffer"
spring = "K*delta^1.5 + K3*delta^3"
damper = "c*delta*rate"

[parameters]
K = "2.4144e10 N/m^1.5"
K3 = "1e15 N/m^3"
`;

let describedLaw = null;

async function showLawPage(id) {
  const place = document.getElementById("law");
  if (describedLaw === id) return;
  describedLaw = id;
  if (!id) {
    place.replaceChildren(element("p", { class: "faint" }, "Choose a law."));
    return;
  }
  if (id === OWN) {
    describedLaw = null;
    place.replaceChildren(element("p", { class: "faint" }, "An own law, as in a law file:"), element("pre", { tabindex: 0, "aria-label": "Law file" }, state.own));
    return;
  }
  try {
    const model = await lawPage(id);
    if (describedLaw !== id) return;
    place.replaceChildren(...page(model));
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
  return [heading, facts, element("pre", { role: "region", "aria-label": "Equation", tabindex: 0 }, model.equation),
    ...part("Validity", model.validity), ...part("Remarks", model.remarks), element("h4", {}, "Reference"), reference];
}
