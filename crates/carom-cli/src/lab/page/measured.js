// Measured data: a CSV file that the server reads and fits, drawn with the fitted laws and their residuals.

import { messageWithAdvice } from "./advice.js";
import { Chart, formatReading } from "./chart.js";
import { OWN, change, chosenNames, look, spec, state } from "./state.js";
import { acceptFiles, ask, element, show, swatch, tableParts } from "./tools.js";
import { duration } from "./watch.js";

// Largest number of rows of a measured spring, which becomes part of the link; names and units of columns are in the first rows.
const MAX_CURVE_ROWS = 300;
const HEADER_ROWS = 5;
// Interval between requests for the progress of a fit (ms).
const PROGRESS_INTERVAL = 150;
const ROLES = { time: "time", force: "force", acceleration: "acceleration", indentation: "indentation", speed: "speed before", rebound: "speed after" };
// Number of the best laws whose confidence band is drawn.
const MAX_BANDS = 1;
let text = null;
let name = "";
let fitted = null;
const DEFAULT_OPTIONS = { columns: {}, impact: null, all: false, speed: "set" };
let fitOptions = DEFAULT_OPTIONS;
let running = null;
let redraw = () => {};
let charts = null;

/** Measured columns for the plots; null before anything is dropped. */
export function measuredColumns() {
  return fitted?.measured ?? null;
}

/** Largest force and indentation, for the table. No duration: it would depend on the noise. */
export function measuredNumbers() {
  if (!fitted) return null;
  const { force, indentation } = fitted.measured;
  const largest = (column) => column.reduce((most, value) => Math.max(most, value), -Infinity);
  return { force_max: force.length > 0 ? largest(force) : undefined, indentation_max: indentation.length > 0 ? largest(indentation) : undefined };
}

/** Makes the page accept files; `draw` shows the measured points. */
export function acceptMeasuredFiles(draw) {
  redraw = draw;
  const take = async (file) => {
    if (!file) return;
    const contents = await file.text();
    // A law file becomes the own law, everything else is measured data.
    if (/\.toml$/i.test(file.name)) return change({ own: contents, focus: OWN }, { replace: false });
    [name, text] = [file.name, contents];
    [fitOptions, impacts, fitted] = [DEFAULT_OPTIONS, 0, null];
    look({ tab: "data" });
    await fit();
  };
  acceptFiles(([file]) => take(file));
}

/** Fits the chosen laws, or all of them, to the data, the best first, and shows the points. */
async function fit() {
  running?.abort();
  const stop = new AbortController();
  running = stop;
  const place = document.getElementById("measured-report");
  const bar = element("progress", { max: 1, "aria-label": "Laws fitted" });
  const label = element("span", {}, fitOptions.all ? "Fitting all laws …" : "Fitting the chosen laws …");
  const busy = element("p", { class: "busy" }, label, bar, element("button", { type: "button", id: "cancel-fit", onclick: () => stop.abort() }, "Cancel"));
  place.querySelector(".busy")?.remove();
  place.prepend(busy);
  const job = `fit-${Math.random().toString(36).slice(2)}`;
  const timer = setInterval(async () => {
    const progress = await ask("progress/" + job).catch(() => null);
    if (!progress) return;
    Object.assign(bar, { max: progress.of, value: progress.done });
    label.textContent = `${progress.done} of ${progress.of} laws fitted${progress.left === null ? "" : `, ${duration(progress.left)} left`} …`;
  }, PROGRESS_INTERVAL);
  const { mass, speed, exponent, bodies, exit } = spec();
  try {
    const laws = fitOptions.all ? (await ask("models")).map((model) => model.id) : chosenNames();
    const request = { csv: text, spec: { mass, speed, exponent, bodies, exit }, laws, columns: fitOptions.columns, job };
    if (fitOptions.impact !== null) request.impact = fitOptions.impact;
    if (fitOptions.speed === "free") delete request.spec.speed;
    fitted = await ask("fit", request, { signal: stop.signal });
    place.replaceChildren(...report());
    draw();
  } catch (error) {
    if (error.name === "AbortError") {
      busy.remove();
      if (running === stop) place.prepend(element("p", { class: "faint busy" }, "The fit was cancelled. ", refitButton()));
    } else {
      fitted = null;
      charts = null;
      place.replaceChildren(reportHead(error), element("p", { class: "bad" }, ...messageWithAdvice(error.message, error.advice)), element("p", {}, refitButton(), " ", springButton(), " ", removeButton()));
    }
  } finally {
    clearInterval(timer);
    if (running === stop) running = null;
  }
  redraw();
}

function refitButton() {
  return element("button", { type: "button", id: "fit", onclick: () => refit({ all: false }) }, "Fit the chosen laws");
}

function removeButton() {
  return element("button", { type: "button", onclick: removeData }, "Remove");
}

function refit(changes) {
  fitOptions = { ...fitOptions, ...changes };
  fit();
}

/** The file with choosers for its columns, and for the impact where there are several. */
function reportHead(error) {
  const names = columnNames();
  const choosers = Object.entries(ROLES).map(([role, label]) => {
    const automatic = fitted?.columns.find((column) => column.role === role);
    const selected = fitOptions.columns[role] ?? "";
    const detected = automatic && !selected ? `${automatic.name || `column ${automatic.column}`} in ${automatic.unit || "SI"}` : fitted ? "none" : "as in the header";
    const options = [element("option", { value: "" }, detected), ...names.map((column, i) => element("option", { value: String(i + 1) }, column))];
    const list = element("select", { id: "column-" + role, onchange: (event) => {
      const columns = { ...fitOptions.columns, [role]: event.target.value };
      if (event.target.value === "") delete columns[role];
      refit({ columns });
    } }, ...options);
    list.value = selected;
    return element("label", {}, `${label} `, list);
  });
  const several = Number(error?.message.match(/(\d+) impacts/)?.[1] ?? 0);
  if (several > 0) impacts = several;
  const which = impacts > 1 && element("label", {}, "impact ", element("select", { id: "impact-number", onchange: (event) => refit({ impact: Number(event.target.value) || null }) },
    element("option", { value: "" }, "choose"), ...Array.from({ length: impacts }, (_, i) => element("option", { value: i + 1, selected: fitOptions.impact === i + 1 }, `${i + 1} of ${impacts}`))));
  const given = element("select", { id: "fit-speed", onchange: (event) => refit({ speed: event.target.value }) },
    element("option", { value: "set" }, `as set: ${state.speed}`), element("option", { value: "free" }, "fitted"));
  given.value = fitOptions.speed;
  return element("div", { class: "columns" }, element("strong", {}, name), ...choosers, which || "", element("label", {}, "speed at touch ", given));
}

let impacts = 0;

/** Names of the columns, from the first line that is no comment. */
function columnNames() {
  const line = text.split(/\r?\n/, 60).find((row) => row.trim() !== "" && !/^\s*(#|%|\/\/)/.test(row)) ?? "";
  const separator = ["\t", ";", ","].find((one) => line.includes(one)) ?? /\s+/;
  return line.split(separator).map((cell, i) => cell.trim().replace(/^"|"$/g, "") || `column ${i + 1}`).slice(0, 40);
}

function report() {
  const { data, notes } = fitted.best;
  const columns = fitted.columns.map((column) => `${column.name} as ${column.role} in ${column.unit || "SI"}`).join(", ");
  const by_aicc = fitted.criterion === "aicc";
  const heads = ["law", by_aicc ? "AICc" : "leave-one-out", "misfit", "parameters", element("span", { class: "hidden" }, "Use")];
  const evidence = (law) => {
    if (by_aicc) return law.aicc === null ? "–" : law.aicc.toFixed(1);
    return law.leave_one_out === null ? "–" : `${(100 * law.leave_one_out).toPrecision(3)} %`;
  };
  const rows = fitted.laws.map((law, i) => element("tr", {},
    element("td", {}, i < fitted.curves.length ? swatch(styleOf(law.law, i)) : "", law.law),
    element("td", {}, evidence(law)),
    element("td", {}, `${(100 * law.relative_rms).toPrecision(3)} %`),
    element("td", { class: "wide" }, law.same_as ? `the same force as ${law.same_as}` : law.parameters.map(parameter).join(", ")),
    element("td", {}, element("button", { type: "button", onclick: () => useLaw(law) }, "Use"))));
  const drawings = element("div", { id: "fit-charts" });
  charts = drawings;
  return [
    reportHead(),
    element("p", {}, `${columns}; ${data.points} points from ${show(data.from, "s")} to ${show(data.to, "s")}. `,
      refitButton(), " ", element("button", { type: "button", id: "rank-all", onclick: () => refit({ all: true }) }, "Rank all laws"), " ", springButton(), " ", removeButton()),
    drawings,
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of fits" }, element("table", { id: "fit-table" }, ...tableParts(heads, rows))),
    ...[...fitted.notes, ...notes].map((note) => element("p", { class: "faint" }, ...messageWithAdvice(note.message, note.advice))),
    fitted.failed.length > 0 && element("details", { open: fitted.failed.length < 4 }, element("summary", {}, `${fitted.failed.length} laws could not be fitted`),
      ...fitted.failed.map(({ law, reason, advice }) => element("p", { class: "faint" }, `${law}: `, ...messageWithAdvice(reason, advice)))),
  ].filter(Boolean);
}

/** The colour of a law: that of its line in the answer, and another one for laws that are not chosen. */
function styleOf(law, place) {
  const index = state.laws.indexOf(law);
  return index >= 0 ? index : state.laws.length + place;
}

/** Draws the measured points with the best laws, and the residuals. */
function draw() {
  const { measured: points, curves } = fitted;
  const over = points.indentation.length > 0 ? ["indentation", "m"] : ["time", "s"];
  const x = { label: over[0] === "time" ? "time since touch" : "indentation", unit: over[1] };
  if (points.force.length === 0) return charts.remove();
  const make = (name, title, y, series) => {
    const chart = new Chart(charts, { name, title, x, y, on: {
      hover: (at) => {
        let [best, nearest] = [Infinity, 0];
        points[over[0]].forEach((value, i) => {
          if (Math.abs(value - at.x) < best) [best, nearest] = [Math.abs(value - at.x), i];
        });
        chart.showTip(at, `${x.label} ${show(points[over[0]][nearest], over[1])}`, [
          [null, "measured", formatReading(points.force[nearest], "N")],
          ...curves.map(({ law, residuals }, i) => [styleOf(law, i), law, `${residuals[nearest] >= 0 ? "+" : ""}${formatReading(residuals[nearest], "N")}`]),
        ]);
      },
    } });
    chart.show(series);
  };
  make("fit", "Measured and fitted force, 95 % band of the best fit", { label: "force", unit: "N" }, [
    { name: "measured", kind: "dots", x: points[over[0]], y: points.force },
    // The best on top.
    ...curves.map(({ law, x, force, band }, i) => ({ name: law, style: styleOf(law, i), x, y: force, ...(i < MAX_BANDS ? { band: { x: band.x, y: band.force } } : {}) })).reverse()]);
  make("residuals", "Residuals: fitted minus measured", { label: "residual", unit: "N" },
    curves.map(({ law, residuals }, i) => ({ name: law, style: styleOf(law, i), x: points[over[0]], y: residuals })));
}

/** A number with so many digits; very large and very small ones with a power of ten. */
function digits(value, count) {
  const size = Math.abs(value);
  const far = size >= 1e5 || (size > 0 && size < 1e-3);
  return far ? value.toExponential(count - 1).replace(/\.?0+e/, "e").replace("e+", "e") : String(Number(value.toPrecision(count)));
}

function parameter({ name, value, standard_error, unit }) {
  const doubt = standard_error === null ? "not determined" : `± ${digits(standard_error, 2)}`;
  return `${name} = ${digits(value, 5)} ${doubt} ${unit}`.trim();
}

/** A button that uses a compression curve, which is not an impact, as a spring. */
function springButton() {
  return element("button", { type: "button", id: "as-spring", onclick: useAsSpring }, "Use as a spring");
}

/** Makes the measured curve of force over indentation the own law; the server finds its columns. */
function useAsSpring() {
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== "");
  const every = Math.ceil(rows.length / MAX_CURVE_ROWS);
  const kept = rows.filter((_, i) => i < HEADER_ROWS || i % every === 0 || i === rows.length - 1);
  const plain = name.replace(/\.[^.]*$/, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "measured";
  const csv = kept.join("\n").replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  change({ own: `name = "${plain}"\ncurve = """\n${csv}\n"""\n`, focus: OWN }, { replace: false });
}

function removeData() {
  running?.abort();
  fitted = text = charts = null;
  impacts = 0;
  document.getElementById("measured-report").replaceChildren();
  redraw();
}

/** Takes mass, stiffness and delivered restitution of a fit into the controls, with exact damping. */
function useLaw({ law, parameters, restitution }) {
  const digits = (value) => String(Number(value.toPrecision(6)));
  const value = (name) => parameters.find((parameter) => parameter.name === name)?.value;
  // The mass as well: the fit may have used the effective mass of two shapes.
  const mass = String(Number(fitted.best.pair.mass.toPrecision(12)));
  const taken = { bodies: "numbers", mass, calibration: "exact", focus: law };
  for (const name of ["stiffness", "exponent", "speed"]) if (value(name)) taken[name] = digits(value(name));
  if (restitution > 0) taken.restitution = digits(Math.min(restitution, 1));
  change({ ...taken, laws: [law, ...state.laws.filter((other) => other !== law)] }, { replace: false });
}
