// The state of the page as one object that is stored in the address: a link reproduces the view.

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

export const state = { ...DEFAULTS, laws: [...DEFAULTS.laws] };
const listeners = [];

/** Calls `listener` after every change. */
export function onChange(listener) {
  listeners.push(listener);
}

/** Changes the state, the address and everything that listens. */
export function change(changes, { replace = true } = {}) {
  Object.assign(state, changes);
  normalise();
  if (replace) history.replaceState(null, "", address());
  else history.pushState(null, "", address());
  listeners.forEach((listener) => listener());
}

export function reset() {
  change({ ...DEFAULTS, laws: [...DEFAULTS.laws] }, { replace: false });
}

/** The state as the part of the address after #, without values that are the defaults. */
export function write() {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    const text = Array.isArray(value) ? value.join(",") : value;
    const start = Array.isArray(DEFAULTS[name]) ? DEFAULTS[name].join(",") : DEFAULTS[name];
    if (text !== start) words.set(name, text);
  }
  return words.toString();
}

/** The address that reproduces the view. */
function address() {
  return location.pathname + "#" + write();
}

/** Reads the address and rewrites it in normal form; unknown names are kept. */
export function read() {
  const hash = location.hash.slice(1);
  // A link to a section of the page, such as the plots, has no state.
  if (!hash || !document.getElementById(hash)) {
    Object.assign(state, { ...DEFAULTS, laws: [...DEFAULTS.laws] });
    for (const [name, text] of new URLSearchParams(hash)) {
      if (!Object.hasOwn(DEFAULTS, name)) continue;
      state[name] = Array.isArray(DEFAULTS[name]) ? text.split(",").filter(Boolean) : text;
    }
  }
  normalise();
  history.replaceState(null, "", address());
  listeners.forEach((listener) => listener());
}

/** Brings the state into the one form that the controls show: aliases become ids, unknown choices the default. */
function normalise() {
  if (state.bodies !== "shapes") state.bodies = "numbers";
  state.laws = [...new Set(state.laws.map(named))];
  // The first law is in focus unless another is.
  if (!state.laws.includes(state.focus) && !(state.focus === OWN && hasOwnLaw())) state.focus = "";
}

/** What `focus` is for the own law. */
export const OWN = "own";

function hasOwnLaw() {
  return state.own.trim() !== "";
}

/** The laws to run, as the API takes them: names, and the text of the own law. */
export function chosenLaws() {
  return hasOwnLaw() ? [...state.laws, state.own] : state.laws;
}

/** The choices for `focus`, each with its label. */
export function focusChoices() {
  const choices = state.laws.map((law) => [law, law]);
  if (hasOwnLaw()) choices.push([OWN, state.own.match(/^\s*name\s*=\s*["']([^"']+)/m)?.[1] ?? "own law"]);
  return choices;
}

/** The law in focus, as the API takes it. */
export function focusedLaw() {
  if (state.focus === OWN) return state.own;
  return state.laws.includes(state.focus) ? state.focus : chosenLaws()[0];
}

let named = (law) => law;

/** Replaces aliases of laws by their ids from now on. */
export function nameLaws(models) {
  const ids = new Map(models.flatMap(({ id, aliases }) => [[id, id], ...aliases.map((alias) => [alias, id])]));
  named = (law) => ids.get(law) ?? law;
}

/** The impact as the API takes it, without a law. */
export function spec() {
  const said = {
    speed: quantity(state.speed),
    restitution: quantity(state.restitution),
    calibration: state.calibration,
  };
  if (state.exit) said.exit = state.exit;
  if (state.bodies === "numbers") {
    return { mass: quantity(state.mass), stiffness: quantity(state.stiffness), exponent: quantity(state.exponent), ...said };
  }
  return { bodies: [body(1), body(2)], ...said };
}

function body(number) {
  const said = { shape: state["shape" + number], material: state["material" + number] };
  for (const name of lengths(said.shape)) said[name] = quantity(state[name + number]);
  return said;
}

/** A number if the text is one; the library parses text with units. */
export function quantity(text) {
  const trimmed = String(text).trim();
  const number = Number(trimmed);
  return trimmed !== "" && Number.isFinite(number) ? number : trimmed;
}
