// Sliders with text fields: the slider for exploring, the field for exact values, with any unit.
//
// Controls change the state and are updated from it, whoever changed it. Ids are those of the names in the state; what surrounds a control has another id.

import { SHAPES, change, lengths, quantity, state } from "./state.js";
import { ask, element } from "./tools.js";

// Sliders run in SI units, most of them over powers of ten.
const SLIDERS = [
  { name: "mass", where: "numbers", label: "Effective mass m (kg)", from: 1e-6, to: 1e3, log: true },
  { name: "stiffness", where: "numbers", label: "Stiffness K (N/mⁿ)", from: 1e3, to: 1e13, log: true },
  { name: "exponent", where: "numbers", label: "Exponent n", from: 1, to: 5 },
  { name: "speed", where: "impact", label: "Speed v₀ (m/s)", from: 1e-3, to: 1e2, log: true },
  { name: "restitution", where: "impact", label: "Restitution e asked", from: 0.01, to: 1 },
];
const LENGTHS = { radius: "Radius (m)", length: "Length (m)", half_side: "Half the side (m)" };
for (const number of [1, 2]) {
  for (const [name, label] of Object.entries(LENGTHS)) {
    SLIDERS.push({ name: name + number, where: `body${number}`, label, from: 1e-5, to: 1, log: true });
  }
}
const SELECTS = ["calibration", "exit", "shape1", "shape2", "material1", "material2", "engine"];
const STEPS = 1000;
const UNITS = { m: 1, mm: 1e-3, cm: 1e-2, um: 1e-6, "µm": 1e-6, kg: 1, g: 1e-3, mg: 1e-6, "m/s": 1, "mm/s": 1e-3, "km/h": 1 / 3.6 };

export async function createControls() {
  const shapes = document.getElementById("shapes");
  const [materials, engines] = await Promise.all([ask("materials"), ask("engines")]);
  const known = Object.keys(SHAPES).map((name) => [name, name]);
  for (const number of [1, 2]) {
    shapes.append(element("div", { id: "body" + number, class: "body" },
      select("shape" + number, `Body ${number}`, known),
      select("material" + number, "Material", materials.map((m) => [m.id, m.name]))));
  }
  document.getElementById("engine").append(...engines.map(({ id, title }) => element("option", { value: id }, title)));
  for (const slider of SLIDERS) document.getElementById(slider.where).append(field(slider));
  for (const name of SELECTS) {
    document.getElementById(name).addEventListener("change", (event) => change({ [name]: event.target.value }));
  }
  for (const radio of document.getElementsByName("bodies")) {
    radio.addEventListener("change", () => change({ bodies: radio.value }));
  }
}

/** Updates the controls from the state. */
export function showControls() {
  for (const slider of SLIDERS) {
    const entry = state[slider.name];
    // Setting an unchanged value would move the caret while the user is typing.
    const text = document.getElementById(slider.name);
    if (text.value !== entry) text.value = entry;
    const value = inSI(entry);
    const range = document.getElementById(slider.name + "-slider");
    if (value !== null) range.value = stepOf(slider, value);
    // Mark a slider that cannot show the value because it cannot parse it.
    range.classList.toggle("unknown", value === null);
    range.setAttribute("aria-valuetext", entry);
  }
  for (const name of SELECTS) setOptions(document.getElementById(name), state[name]);
  for (const radio of document.getElementsByName("bodies")) radio.checked = radio.value === state.bodies;
  document.getElementById("numbers").hidden = state.bodies !== "numbers";
  document.getElementById("shapes").hidden = state.bodies === "numbers";
  for (const number of [1, 2]) {
    const has = lengths(state["shape" + number]);
    for (const name of Object.keys(LENGTHS)) {
      document.getElementById(`${name}${number}-field`).hidden = !has.includes(name);
    }
  }
}

/** Selects an option. A value of a link that is not in the list (an alias, a mistake) becomes an entry, since it is sent to the server. */
function setOptions(list, value) {
  if (list.value === value) return;
  list.querySelector("[data-unlisted]")?.remove();
  list.value = value;
  if (list.value === value) return;
  list.append(element("option", { value, "data-unlisted": true }, value));
  list.value = value;
}

/** The visible field of the parameter that an error is about, or else the field that has the focus. */
function inputOf(parameter, law) {
  const [, length, number] = parameter?.match(/^(.+) of body ([12])$/) ?? [];
  const ids = [length && length.replaceAll(" ", "_") + number, law && "p-" + parameter, parameter, "p-" + parameter];
  const found = ids.filter(Boolean).map((id) => document.getElementById(id)).find((input) => input?.matches("input, select, textarea") && input.offsetParent !== null);
  const active = document.activeElement;
  return found ?? (active?.matches("#controls input[type=text], #controls select, #controls textarea") ? active : null);
}

/** Marks the field that an error is about and shows the message there; null removes the mark. */
export function markInvalid(error, law) {
  const input = error ? inputOf(error.parameter, law) : null;
  for (const marked of document.querySelectorAll("#controls [aria-invalid]")) {
    if (marked === input) continue;
    marked.removeAttribute("aria-invalid");
    marked.removeAttribute("aria-errormessage");
  }
  let sentence = document.getElementById("field-problem");
  if (!input) return sentence?.remove();
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-errormessage", "field-problem");
  sentence ??= element("p", { id: "field-problem", class: "bad" });
  sentence.textContent = error.message;
  const place = input.closest(".field") ?? input.parentElement;
  if (sentence.parentElement !== place) place.append(sentence);
}

function field(slider) {
  const { name, label } = slider;
  return element("div", { class: "field", id: name + "-field" },
    element("label", { for: name }, label),
    element("input", {
      type: "text", id: name, inputmode: "decimal", spellcheck: "false",
      oninput: (event) => change({ [name]: event.target.value }),
    }),
    element("input", {
      type: "range", id: name + "-slider", min: 0, max: STEPS, "aria-label": label,
      oninput: (event) => change({ [name]: valueAtStep(slider, Number(event.target.value)) }),
    }));
}

function select(name, label, options) {
  return element("div", { class: "field" },
    element("label", { for: name }, label),
    element("select", { id: name },
      ...options.map(([id, text]) => element("option", { value: id }, text))));
}

function valueAtStep({ from, to, log }, step) {
  const part = step / STEPS;
  const number = log ? from * (to / from) ** part : from + (to - from) * part;
  return String(Number(number.toPrecision(log ? 3 : 4)));
}

function stepOf({ from, to, log }, number) {
  const part = log ? Math.log(number / from) / Math.log(to / from) : (number - from) / (to - from);
  return Math.round(STEPS * Math.min(Math.max(part, 0), 1));
}

/** The value in SI units for the slider; the server parses other units. */
function inSI(text) {
  const plain = quantity(text);
  if (typeof plain === "number") return plain;
  const [, number, unit] = plain.match(/^([-+.\deE]+)\s*(.+)$/) ?? [];
  const known = Object.hasOwn(UNITS, unit) && Number.isFinite(Number(number));
  return known ? Number(number) * UNITS[unit] : null;
}
