// The state of the page as one object that is stored in the address: a link reproduces the view, and the browser's Back
// and Forward undo and redo changes.

import { continuesLastChange, saveAddress, updateHistoryPlace } from "./undo.js";

const DEFAULTS = {
  bodies: "numbers",
  mass: "0.54", stiffness: "2.4144e10", exponent: "1.5",
  shape1: "sphere", radius1: "12.7 mm", length1: "20 mm", half_side1: "5 mm", material1: "steel",
  shape2: "plane", radius2: "50 mm", length2: "20 mm", half_side2: "5 mm", material2: "steel",
  speed: "0.5", restitution: "0.7568",
  calibration: "published", exit: "",
  laws: ["hunt-crossley-1975", "lankarani-nikravesh-1990", "flores-2011", "tsuji-1992"],
  // The text of an own law, as in a law file.
  own: "",
  focus: "", engine: "lammps",
  // What is shown: the tab, the enlarged plot, laws without curves, cursors (s) and zoomed axes.
  tab: "plots", large: "", hidden: [], a: "", b: "", zoom: "",
};

/** Every shape, and the lengths that it has. */
export const SHAPES = {
  sphere: ["radius"], plane: [], socket: ["radius"], "square-punch": ["half_side"],
  cylinder: ["radius", "length"], bore: ["radius", "length"],
};

/** The lengths of a shape; none for an unknown shape, which the server reports. */
export function lengths(shape) {
  return Object.hasOwn(SHAPES, shape) ? SHAPES[shape] : [];
}

/** What holds for one law only: texts by law and by name, in the link as LAW.NAME. */
export const state = defaultState();
const listeners = [];
const lookListeners = [];

function defaultState() {
  return { ...DEFAULTS, laws: [...DEFAULTS.laws], hidden: [], each: {} };
}

/** Calls `listener` after every change of the impact. */
export function onChange(listener) {
  listeners.push(listener);
}

/** Calls `listener` after every change of what is shown of it. */
export function onLook(listener) {
  lookListeners.push(listener);
}

/**
 * Changes the state, the address and everything that listens. A change is an entry of the history, together with those of
 * the same control shortly before it; `replace` decides otherwise.
 */
export function change(changes, { replace, names = Object.keys(changes).join() } = {}) {
  const same = continuesLastChange(names);
  Object.assign(state, changes);
  normalise();
  // The server is asked first; the address is written while it computes.
  listeners.forEach((listener) => listener());
  saveAddress(write(), replace ?? same);
}

/** Changes what is shown, which asks the server for nothing and is not undone. */
export function look(changes) {
  Object.assign(state, changes);
  saveAddress(write(), true);
  lookListeners.forEach((listener) => listener());
}

/** Sets a number of one law; an empty text takes it back. */
export function changeOf(law, name, text) {
  const own = { ...state.each[law], [name]: text };
  if (text === "") delete own[name];
  const each = { ...state.each, [law]: own };
  if (Object.keys(own).length === 0) delete each[law];
  change({ each }, { names: `${law}.${name}` });
}

export function reset() {
  change(defaultState(), { replace: false });
}

/** The state as the part of the address after #, without values that are the defaults. */
export function write() {
  const words = new URLSearchParams();
  for (const name of Object.keys(DEFAULTS)) {
    const text = asText(state[name]);
    if (text !== asText(DEFAULTS[name])) words.set(name, text);
  }
  for (const [law, own] of Object.entries(state.each)) {
    for (const [name, text] of Object.entries(own)) words.set(`${law}.${name}`, text);
  }
  return words.toString();
}

function asText(value) {
  return Array.isArray(value) ? value.join(",") : value;
}

/** Reads the address and rewrites it in normal form; unknown names are left out. */
export function read() {
  const hash = location.hash.slice(1);
  // A link to a section of the page, such as the plots, has no state.
  if (!hash || !document.getElementById(hash)) {
    Object.assign(state, defaultState());
    for (const [name, text] of new URLSearchParams(hash)) {
      const [law, parameter] = name.split(/\.(.*)/s);
      if (Object.hasOwn(DEFAULTS, name)) {
        state[name] = Array.isArray(DEFAULTS[name]) ? text.split(",").filter(Boolean) : text;
      } else if (parameter && text !== "" && law !== "__proto__") {
        state.each[law] = { ...state.each[law], [parameter]: text };
      }
    }
  }
  normalise();
  updateHistoryPlace();
  saveAddress(write(), true);
  listeners.forEach((listener) => listener());
}

/** Brings the state into the one form that the controls show: aliases become ids, unknown choices the default. */
function normalise() {
  if (state.bodies !== "shapes") state.bodies = "numbers";
  if (!["plots", "data", "law", "export"].includes(state.tab)) state.tab = "plots";
  state.laws = [...new Set(state.laws.map(lawName))];
  state.each = Object.fromEntries(Object.entries(state.each).map(([law, own]) => [lawName(law), own]));
  // The first law is in focus unless another is.
  if (!state.laws.includes(state.focus) && !(state.focus === OWN && hasOwnLaw())) state.focus = "";
}

/** Value of `focus` for the own law. */
export const OWN = "own";

function hasOwnLaw() {
  return state.own.trim() !== "";
}

/** The laws to run, as the API takes them: a name, the text of the own law, or a whole spec where a law has numbers of its own. */
export function chosenLaws() {
  const laws = state.laws.map((law) => lawRequest(law, law));
  return hasOwnLaw() ? [...laws, lawRequest(OWN, state.own)] : laws;
}

/** The laws to fit: names, and the text of the own law, without parameters of single laws. */
export function chosenNames() {
  return hasOwnLaw() ? [...state.laws, state.own] : state.laws;
}

/** The choices for `focus`, each with its label. */
export function focusChoices() {
  const choices = state.laws.map((law) => [law, law]);
  if (hasOwnLaw()) choices.push([OWN, state.own.match(/^\s*name\s*=\s*["']([^"']+)/m)?.[1] ?? "own law"]);
  return choices;
}

/** The name of the law in focus. */
export function focusedName() {
  return state.focus || (focusChoices()[0]?.[0] ?? "");
}

/** The spec of the law in focus, as the API takes it; none without a law. */
export function focusedSpec() {
  const law = focusedName();
  if (!law) return null;
  const request = lawRequest(law, law === OWN ? state.own : law);
  return typeof request === "string" ? { ...spec(), law: request } : request;
}

let lawName = (law) => law;
let elastic = new Set();

/** Replaces aliases of laws by their ids from now on, and notes which laws have no damping. */
export function nameLaws(models) {
  const ids = new Map(models.flatMap(({ id, aliases }) => [[id, id], ...aliases.map((alias) => [alias, id])]));
  lawName = (law) => ids.get(law) ?? law;
  elastic = new Set(models.filter((model) => model.input === "elastic").map((model) => model.id));
}

/** The name under which the kind of dissipation of a law is stored; no parameter has a hyphen in its name. */
export const DISSIPATION = "damped-by";

/** How the dissipation of a law is given: as for all laws (empty), published, exact, coefficient or none. */
export function dissipation(law) {
  return state.each[law]?.[DISSIPATION] ?? (elastic.has(law) ? "none" : "");
}

/** A law as the API takes it. Elastic laws get no restitution. */
function lawRequest(law, text) {
  const { [DISSIPATION]: _, damping, stiffness, exponent, ...set } = state.each[law] ?? {};
  const way = dissipation(law);
  if (!state.each[law] && way === "") return text;
  const description = { ...spec(), law: text };
  if (way === "none" || way === "coefficient") {
    delete description.restitution;
    delete description.calibration;
  } else if (way !== "") {
    description.calibration = way;
  }
  if (way === "coefficient" && damping) description.damping = quantity(damping);
  if (state.bodies === "numbers" && stiffness) description.stiffness = quantity(stiffness);
  if (state.bodies === "numbers" && exponent) description.exponent = quantity(exponent);
  const names = Object.entries(set);
  if (names.length > 0) description.set = Object.fromEntries(names.map(([name, value]) => [name, quantity(value)]));
  return description;
}

/** The impact as the API takes it, without a law. */
export function spec() {
  const description = {
    speed: quantity(state.speed),
    restitution: quantity(state.restitution),
    calibration: state.calibration,
  };
  if (state.exit) description.exit = state.exit;
  if (state.bodies === "numbers") {
    return { mass: quantity(state.mass), stiffness: quantity(state.stiffness), exponent: quantity(state.exponent), ...description };
  }
  return { bodies: [body(1), body(2)], ...description };
}

function body(number) {
  const description = { shape: state["shape" + number], material: state["material" + number] };
  for (const name of lengths(description.shape)) description[name] = quantity(state[name + number]);
  return description;
}

/** A number if the text is one; the library parses text with units. */
export function quantity(text) {
  const trimmed = String(text).trim();
  const number = Number(trimmed);
  return trimmed !== "" && Number.isFinite(number) ? number : trimmed;
}
