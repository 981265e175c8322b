// Sliders with text fields: the slider for exploring, the field for exact values, with any unit.

import { change, quantity, state } from "./state.js";
import { ask, element } from "./tools.js";

// Sliders run in SI units, most of them over powers of ten.
const SLIDERS = [
  { name: "mass", where: "numbers", label: "Effective mass m (kg)", from: 1e-6, to: 1e3, log: true },
  { name: "stiffness", where: "numbers", label: "Stiffness K (N/mⁿ)", from: 1e3, to: 1e13, log: true },
  { name: "exponent", where: "numbers", label: "Exponent n", from: 1, to: 5 },
  { name: "speed", where: "impact", label: "Speed v₀ (m/s)", from: 1e-3, to: 1e2, log: true },
  { name: "restitution", where: "impact", label: "Restitution e asked for", from: 0.01, to: 1 },
  { name: "radius1", where: "shape1", label: "Radius (m)", from: 1e-5, to: 1, log: true },
  { name: "radius2", where: "shape2", label: "Radius (m)", from: 1e-5, to: 1, log: true },
];
const STEPS = 1000;
const SHAPES = { shape1: ["sphere", "cylinder"], shape2: ["plane", "sphere", "socket"] };
const UNITS = { m: 1, mm: 1e-3, cm: 1e-2, um: 1e-6, "µm": 1e-6, kg: 1, g: 1e-3, mg: 1e-6, "m/s": 1, "mm/s": 1e-3, "km/h": 1 / 3.6 };

export async function controls() {
  const shapes = document.getElementById("shapes");
  const materials = await ask("materials");
  for (const number of [1, 2]) {
    shapes.append(element("div", { id: "shape" + number, class: "body" },
      select("shape" + number, `Body ${number}`, SHAPES["shape" + number].map((name) => [name, name])),
      select("material" + number, "Material", materials.map((m) => [m.id, m.name]))));
  }
  for (const slider of SLIDERS) document.getElementById(slider.where).append(field(slider));
  for (const name of ["calibration", "exit"]) {
    document.getElementById(name).addEventListener("change", (event) => change({ [name]: event.target.value }));
  }
  for (const radio of document.getElementsByName("bodies")) {
    radio.addEventListener("change", () => change({ bodies: radio.value }));
  }
}

/** Puts the state into the controls. */
export function showControls() {
  for (const slider of SLIDERS) {
    const text = document.getElementById(slider.name);
    if (document.activeElement !== text) text.value = state[slider.name];
    const value = inSI(state[slider.name]);
    const range = document.getElementById(slider.name + "-slider");
    if (value !== null && document.activeElement !== range) range.value = position(slider, value);
    range.setAttribute("aria-valuetext", state[slider.name]);
  }
  for (const name of ["calibration", "exit", "shape1", "shape2", "material1", "material2"]) {
    document.getElementById(name).value = state[name];
  }
  for (const radio of document.getElementsByName("bodies")) radio.checked = radio.value === state.bodies;
  document.getElementById("numbers").hidden = state.bodies !== "numbers";
  document.getElementById("shapes").hidden = state.bodies === "numbers";
  for (const number of [1, 2]) {
    document.getElementById(`radius${number}-field`).hidden = state["shape" + number] === "plane";
  }
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
      oninput: (event) => change({ [name]: value(slider, Number(event.target.value)) }),
    }));
}

function select(name, label, options) {
  return element("div", { class: "field" },
    element("label", { for: name }, label),
    element("select", { id: name, onchange: (event) => change({ [name]: event.target.value }) },
      ...options.map(([id, text]) => element("option", { value: id }, text))));
}

function value({ from, to, log }, step) {
  const part = step / STEPS;
  const number = log ? from * (to / from) ** part : from + (to - from) * part;
  return String(Number(number.toPrecision(log ? 3 : 4)));
}

function position({ from, to, log }, number) {
  const part = log ? Math.log(number / from) / Math.log(to / from) : (number - from) / (to - from);
  return Math.round(STEPS * Math.min(Math.max(part, 0), 1));
}

/** What the slider can show; other units are the server's to read. */
function inSI(text) {
  const plain = quantity(text);
  if (typeof plain === "number") return plain;
  const [, number, unit] = plain.match(/^([-+.\deE]+)\s*(.+)$/) ?? [];
  return unit in UNITS && Number.isFinite(Number(number)) ? Number(number) * UNITS[unit] : null;
}
