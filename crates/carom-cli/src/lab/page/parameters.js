// Parameters of a single law: how its dissipation is given, and its own parameters with units and defaults.

import { DISSIPATION, OWN, changeOf, dissipation, focusedName, state } from "./state.js";
import { ask, element } from "./tools.js";

const lawPages = new Map();
let shownFor = null;

/** Everything about a law of the catalogue. */
export async function lawPage(id) {
  if (!lawPages.has(id)) lawPages.set(id, await ask("models/" + encodeURIComponent(id)));
  return lawPages.get(id);
}

/** The fields for the law in focus. */
export async function showParameters() {
  const law = focusedName();
  const place = document.getElementById("parameter-fields");
  document.getElementById("parameter-law").textContent = law === OWN ? "own law" : law;
  document.getElementById("parameters").hidden = !law;
  if (!law) return;
  let page = null;
  try {
    page = law === OWN ? { parameters: [] } : await lawPage(law);
  } catch {
    // A law that the catalogue lacks; its row says so.
    page = { parameters: [] };
  }
  if (law !== focusedName()) return;
  const kind = [law, state.bodies].join();
  if (shownFor !== kind) {
    shownFor = kind;
    place.replaceChildren(...lawFields(law, page));
  }
  const own = state.each[law] ?? {};
  for (const input of place.querySelectorAll("[data-name]")) {
    const { name } = input.dataset;
    const text = name === DISSIPATION ? dissipation(law) : own[name] ?? "";
    if (input.value !== text) input.value = text;
    if (name === "damping") input.closest(".field").hidden = dissipation(law) !== "coefficient";
    const unit = input.closest(".field").querySelector("[data-unit]");
    if (unit) unit.textContent = unitText(unit.dataset.unit, own.exponent);
  }
}

/** A unit with the exponent of the contact in it. */
function unitText(unit, exponent) {
  const n = exponent || (state.bodies === "numbers" ? state.exponent : "") || "n";
  return unit ? ` (${unit.replaceAll("lambda", n)})` : "";
}

function lawFields(law, { parameters, input }) {
  const ways = [
    ["", "as set for all laws"], ["published", "restitution, published formula"], ["exact", "restitution, exact"], ["coefficient", "damping coefficient"],
    ["none", input === "elastic" ? "none: the law is elastic" : "from its own parameters"],
  ];
  const way = element("div", { class: "field" }, element("label", { for: "p-" + DISSIPATION }, "Dissipation"),
    element("select", { id: "p-" + DISSIPATION, "data-name": DISSIPATION, onchange: (event) => changeOf(law, DISSIPATION, event.target.value) },
      ...ways.filter(([value]) => input !== "elastic" || value === "" || value === "none").map(([value, text]) => element("option", { value }, text))));
  const made = [way, lawField(law, { name: "damping", help: "the damping coefficient c, in the unit of the law", title: "Damping c", example: "required" })];
  if (state.bodies === "numbers") {
    made.push(lawField(law, { name: "stiffness", help: "K for this law only, where its exponent differs", title: "Stiffness K", example: "as for all laws" }),
      lawField(law, { name: "exponent", help: "n for this law only", title: "Exponent n", example: "as for all laws" }));
  }
  for (const parameter of parameters) {
    const { name, unit, help } = parameter;
    made.push(lawField(law, { name, unit, help, title: name.replaceAll("_", " "), example: parameter.default === null ? "from the bodies, or needed" : `${parameter.default}` }));
  }
  return made;
}

function lawField(law, { name, unit = "", help, title, example }) {
  return element("div", { class: "field", title: help },
    element("label", { for: "p-" + name }, title, element("span", { "data-unit": unit })),
    element("input", {
      type: "text", id: "p-" + name, "data-name": name, placeholder: example, spellcheck: "false", "aria-description": help,
      oninput: (event) => changeOf(law, name, event.target.value),
    }));
}
