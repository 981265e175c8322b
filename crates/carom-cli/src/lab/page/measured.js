// Measured data: dropped as CSV, read and fitted by the server, laid over the plots.

import { change, spec, state } from "./state.js";
import { ask, element, show } from "./tools.js";

let text = null;
let name = "";
let read = null;

/** What is measured, for the plots and the table; null before anything is dropped. */
export function measured() {
  return read;
}

export function dropping(redraw) {
  const take = async (file) => {
    if (!file) return;
    name = file.name;
    text = await file.text();
    await open(redraw);
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

async function open(redraw) {
  const place = document.getElementById("measured-report");
  try {
    read = await ask("measured", { csv: text, mass: spec().mass });
    const columns = read.columns.map((column) => `${column.name} as ${column.quantity} in ${column.unit}`).join(", ");
    place.replaceChildren(
      element("p", {}, `${name}: ${read.rows} rows; ${columns}. Peak force ${show(read.force_max, "N")}.`),
      element("p", {},
        element("button", { type: "button", id: "fit", onclick: () => fit(redraw) }, "Fit the chosen laws"),
        " ",
        element("button", { type: "button", onclick: () => forget(redraw) }, "Remove")),
      element("div", { id: "fits" }));
  } catch (error) {
    read = null;
    place.replaceChildren(element("p", { class: "bad" }, error.message));
  }
  redraw();
}

function forget(redraw) {
  read = text = null;
  document.getElementById("measured-report").replaceChildren();
  redraw();
}

/** Stiffness and damping of each chosen law from the data, the best first. */
async function fit() {
  const place = document.getElementById("fits");
  place.replaceChildren(element("p", { class: "faint" }, "Fitting …"));
  const { mass, speed, exponent, bodies, exit } = spec();
  try {
    const ranking = await ask("fit", { csv: text, spec: { mass, speed, exponent, bodies, exit }, laws: state.laws });
    const rows = ranking.fits.map((found) => element("tr", {},
      element("td", {}, found.law),
      element("td", {}, Number(found.score.toPrecision(4)) + ""),
      element("td", {}, found.misfit.toPrecision(3) + " %"),
      element("td", { class: "wide" }, found.parameters.map((p) => `${p.name} = ${Number(p.value.toPrecision(5))} ± ${Number((p.standard_error ?? 0).toPrecision(2))}`).join(", ")),
      element("td", {}, element("button", { type: "button", onclick: () => use(found) }, "Use"))));
    const refused = ranking.refused.map(({ law, error }) => element("p", { class: "faint" }, `${law}: ${error}`));
    place.replaceChildren(element("table", { id: "fit-table" },
      element("thead", {}, element("tr", {}, ...["law", "AICc", "misfit", "parameters", ""].map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows)), ...refused);
  } catch (error) {
    place.replaceChildren(element("p", { class: "bad" }, error.message));
  }
}

/** Takes stiffness, speed and delivered restitution of a fit into the controls. */
function use(found) {
  const { pair, speed, restitution } = found.impact;
  const digits = (value) => String(Number(value.toPrecision(6)));
  change({
    bodies: "numbers", mass: digits(pair.mass), stiffness: digits(pair.stiffness), exponent: digits(pair.exponent),
    speed: digits(speed), restitution: digits(restitution.newton), calibration: "exact", laws: [found.law, ...state.laws.filter((law) => law !== found.law)], focus: found.law,
  }, { replace: false });
}
