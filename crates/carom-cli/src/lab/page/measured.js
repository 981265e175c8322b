// Measured data: dropped as CSV, read and fitted by the server, laid over the plots.

import { advised } from "./advice.js";
import { OWN, change, chosenLaws, spec, state } from "./state.js";
import { ask, element, show } from "./tools.js";

// Few enough for a link; names and units of columns stand in the first rows.
const MAX_CURVE_ROWS = 300;
const HEADER_ROWS = 5;
let text = null;
let name = "";
let found = null;
let redraw = () => {};

/** Measured columns for the plots; null before anything is dropped. */
export function measured() {
  return found?.measured ?? null;
}

/** Largest force and indentation, for the table. No duration: it would depend on the noise. */
export function measuredNumbers() {
  if (!found) return null;
  const { force, indentation } = found.measured;
  return { force_max: Math.max(...force), indentation_max: indentation.length > 0 ? Math.max(...indentation) : undefined };
}

/** Takes files that are dropped or chosen; `draw` shows them. */
export function dropping(draw) {
  redraw = draw;
  const take = async (file) => {
    if (!file) return;
    const contents = await file.text();
    // A law file becomes the own law, everything else is measured data.
    if (/\.toml$/i.test(file.name)) return change({ own: contents, focus: OWN }, { replace: false });
    [name, text] = [file.name, contents];
    await fit();
  };
  document.getElementById("file").addEventListener("change", (event) => take(event.target.files[0]));
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    take(event.dataTransfer.files[0]);
  });
}

/** Fits the chosen laws to the data, the best first, and overlays the points. */
async function fit() {
  const place = document.getElementById("measured-report");
  place.replaceChildren(element("p", { class: "faint" }, "Asked for a fit …"));
  const { mass, speed, exponent, bodies, exit } = spec();
  try {
    found = await ask("fit", { csv: text, spec: { mass, speed, exponent, bodies, exit }, laws: chosenLaws() });
    place.replaceChildren(...report());
  } catch (error) {
    found = null;
    place.replaceChildren(element("p", { class: "bad" }, ...advised(error.message, error.advice)), element("p", {}, spring()));
  }
  redraw();
}

function report() {
  const { data, notes } = found.best;
  const columns = found.columns.map((column) => `${column.name} as ${column.role} in ${column.unit || "SI"}`).join(", ");
  const by_aicc = found.criterion === "aicc";
  const heads = ["law", by_aicc ? "AICc" : "leave-one-out", "misfit", "parameters", ""];
  const evidence = (law) => {
    if (by_aicc) return law.aicc.toFixed(1);
    return law.leave_one_out === null ? "–" : `${(100 * law.leave_one_out).toPrecision(3)} %`;
  };
  const rows = found.laws.map((law) => element("tr", {},
    element("td", {}, law.law),
    element("td", {}, evidence(law)),
    element("td", {}, `${(100 * law.relative_rms).toPrecision(3)} %`),
    element("td", { class: "wide" }, law.same_as ? `the same force as ${law.same_as}` : law.parameters.map(parameter).join(", ")),
    element("td", {}, element("button", { type: "button", onclick: () => use(law) }, "Use"))));
  return [
    element("p", {}, `${name}: ${columns}; ${data.points} points from ${show(data.from, "s")} to ${show(data.to, "s")}. `,
      element("button", { type: "button", id: "fit", onclick: fit }, "Fit the chosen laws"), " ",
      spring(), " ",
      element("button", { type: "button", onclick: forget }, "Remove")),
    ...[...found.notes, ...notes].map((note) => element("p", { class: "faint" }, ...advised(note.message, note.advice))),
    element("div", { class: "scroll" }, element("table", { id: "fit-table" },
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows))),
    ...found.failed.map(({ law, reason, advice }) => element("p", { class: "faint" }, `${law}: `, ...advised(reason, advice))),
  ];
}

function parameter({ name, value, standard_error, unit }) {
  const doubt = standard_error === null ? "not determined" : `± ${Number(standard_error.toPrecision(2))}`;
  return `${name} = ${Number(value.toPrecision(5))} ${doubt} ${unit}`.trim();
}

/** A button for compression curves, which are no impacts. */
function spring() {
  return element("button", { type: "button", id: "as-spring", onclick: asSpring }, "Use as a spring");
}

/** Makes the measured curve of force over indentation the own law; the server finds its columns. */
function asSpring() {
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== "");
  const every = Math.ceil(rows.length / MAX_CURVE_ROWS);
  const kept = rows.filter((_, i) => i < HEADER_ROWS || i % every === 0 || i === rows.length - 1);
  const plain = name.replace(/\.[^.]*$/, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "measured";
  const csv = kept.join("\n").replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  change({ own: `name = "${plain}"\ncurve = """\n${csv}\n"""\n`, focus: OWN }, { replace: false });
}

function forget() {
  found = text = null;
  document.getElementById("measured-report").replaceChildren();
  redraw();
}

/** Takes mass, stiffness and delivered restitution of a fit into the controls, with exact damping. */
function use({ law, parameters, restitution }) {
  const digits = (value) => String(Number(value.toPrecision(6)));
  const value = (name) => parameters.find((parameter) => parameter.name === name)?.value;
  // The mass as well: the fit may have used the effective mass of two shapes.
  const mass = String(Number(found.best.pair.mass.toPrecision(12)));
  const taken = { bodies: "numbers", mass, calibration: "exact", focus: law };
  for (const name of ["stiffness", "exponent", "speed"]) if (value(name)) taken[name] = digits(value(name));
  if (restitution > 0) taken.restitution = digits(Math.min(restitution, 1));
  change({ ...taken, laws: [law, ...state.laws.filter((other) => other !== law)] }, { replace: false });
}
