// What the page shows, as one object that lives in the address: a link reproduces the view.

const START = {
  bodies: "numbers",
  mass: "0.54", stiffness: "2.4144e10", exponent: "1.5",
  shape1: "sphere", radius1: "12.7 mm", material1: "steel",
  shape2: "plane", radius2: "50 mm", material2: "steel",
  speed: "0.5", restitution: "0.7568",
  calibration: "published", exit: "",
  laws: ["hunt-crossley-1975", "lankarani-nikravesh-1990", "flores-2011", "tsuji-1992"],
  focus: "", engine: "lammps",
};

export const state = { ...START, laws: [...START.laws] };
const listeners = [];

/** Calls `listener` after every change. */
export function onChange(listener) {
  listeners.push(listener);
}

/** Changes the state, the address and everything that listens. */
export function change(changes, { replace = true } = {}) {
  Object.assign(state, changes);
  const address = location.pathname + "#" + write();
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  listeners.forEach((listener) => listener());
}

export function reset() {
  change({ ...START, laws: [...START.laws] }, { replace: false });
}

/** The state as the part of the address after #; what is as at the start is left out. */
export function write() {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    const text = Array.isArray(value) ? value.join(",") : value;
    const start = Array.isArray(START[name]) ? START[name].join(",") : START[name];
    if (text !== start) words.set(name, text);
  }
  return words.toString();
}

/** Reads the address; names it does not know are left alone. */
export function read() {
  const words = new URLSearchParams(location.hash.slice(1));
  Object.assign(state, { ...START, laws: [...START.laws] });
  for (const [name, text] of words) {
    if (!(name in START)) continue;
    state[name] = Array.isArray(START[name]) ? text.split(",").filter(Boolean) : text;
  }
  listeners.forEach((listener) => listener());
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
  if (said.shape !== "plane") said.radius = quantity(state["radius" + number]);
  return said;
}

/** A number where it is one; text with a unit is the library's to read. */
export function quantity(text) {
  const trimmed = String(text).trim();
  const number = Number(trimmed);
  return trimmed !== "" && Number.isFinite(number) ? number : trimmed;
}
