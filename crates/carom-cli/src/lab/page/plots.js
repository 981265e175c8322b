// The plots of the impact page, drawn from the columns that the server computed, and two cursors: dots on all plots at the same instant.

import { Chart, formatReading, svg } from "./chart.js";
import { change, look, state } from "./state.js";
import { ask, colour, perFrame, show } from "./tools.js";

// Name, title, columns; the axis of the restitution is that of what was asked for.
const PLOTS = [
  { name: "force-time", title: "Force over time", columns: ["time", "force"] },
  { name: "force-indentation", title: "Force over indentation", columns: ["indentation", "force"] },
  { name: "delivered", title: "Restitution: delivered over asked", columns: null },
  { name: "motion", title: "Rate over indentation", columns: ["indentation", "rate"] },
  { name: "energy", title: "Dissipated energy over time", columns: ["time", "dissipated"] },
];
const AXES = {
  time: { label: "time", unit: "s" }, indentation: { label: "indentation δ", unit: "m" }, rate: { label: "rate δ̇", unit: "m/s" },
  force: { label: "force", unit: "N" }, dissipated: { label: "dissipated", unit: "J" },
};
// Largest number of rows of a tooltip, which would cover the plot otherwise.
const MAX_TIP_ROWS = 9;

const charts = new Map();
let lastView = null;
let measuredPoints = null;
let deliveries = null;
let hover = null;
let showReadOff = () => {};

/** Makes the plots; `read` is called with the values at the cursors whenever these change. */
export function createPlots(read) {
  showReadOff = read;
  const place = document.getElementById("plots");
  for (const { name, title, columns } of PLOTS) {
    const [x, y] = columns ? columns.map((column) => AXES[column]) : [{ label: "restitution asked for", unit: "", range: [0, 1] }, { label: "delivered", unit: "", range: [0, 1.02] }];
    const chart = new Chart(place, {
      name, title, x, y,
      on: {
        hover: (at) => (columns ? hoverPoint(chart, columns, at) : hoverDelivered(chart, at)),
        leave: () => { hover = null; mark(); },
        click: (at, event) => click(columns, at, event),
        zoom: remember,
        drawn: () => markOne(chart, columns),
        enlarge: () => look({ large: state.large === name ? "" : name }),
      },
    });
    charts.set(name, { chart, columns });
  }
  for (const [id, name] of [["cursor", "a"], ["cursor-b", "b"]]) {
    document.getElementById(id).addEventListener("input", (event) => {
      look({ [name]: precise((Number(event.target.value) / 1000) * longestDuration()) });
    });
  }
  document.getElementById("two").addEventListener("change", (event) => {
    look({ b: event.target.checked ? precise(0.75 * longestDuration()) : "" });
  });
}

const precise = (value) => String(Number(value.toPrecision(6)));

/** Zoomed axes into the link: NAME:x0,x1,y0,y1, several with a semicolon between. */
const remember = perFrame(() => {
  const words = [...charts.values()].filter(({ chart }) => chart.zoomed)
    .map(({ chart }) => `${chart.name}:${[...chart.zoomed.x, ...chart.zoomed.y].map(precise).join()}`);
  look({ zoom: words.join(";") });
});

let lastLook = null;

/** Brings zoom, size and cursors from the state into the plots. */
export function showLook() {
  mark();
  const now = [state.zoom, state.large, ...state.hidden].join("|");
  if (now === lastLook) return;
  lastLook = now;
  const zoomed = new Map(state.zoom.split(";").map((word) => word.split(":")));
  for (const [name, { chart }] of charts) {
    const numbers = zoomed.get(name)?.split(",").map(Number) ?? [];
    const fine = numbers.length === 4 && numbers.every(Number.isFinite) && numbers[0] < numbers[1] && numbers[2] < numbers[3];
    const ranges = fine ? { x: numbers.slice(0, 2), y: numbers.slice(2) } : null;
    if (JSON.stringify(ranges) !== JSON.stringify(chart.zoomed && { x: chart.zoomed.x.map((n) => Number(precise(n))), y: chart.zoomed.y.map((n) => Number(precise(n))) })) chart.zoomTo(ranges, false);
    chart.figure.classList.toggle("large", state.large === name);
    chart.figure.hidden = charts.has(state.large) && state.large !== name;
  }
  drawCurves();
}

/** Shows the laws of an answer and the measured points. */
export function showPlots(view, measured) {
  [lastView, measuredPoints] = [view, measured];
  drawCurves();
}

/** Whether the curve of a law is shown. */
export function isShown(law) {
  return !state.hidden.includes(law);
}

function drawCurves() {
  if (!lastView) return;
  const results = lastView.results.filter((r) => r.course && isShown(r.law));
  for (const { chart, columns } of charts.values()) {
    if (!columns) continue;
    const [x, y] = columns;
    const series = results.map(({ law, style, course, stale }) => ({ name: law, style, x: course[x], y: course[y], dim: stale }));
    if (measuredPoints && y === "force" && measuredPoints[x]?.length > 0) series.unshift({ name: "measured", kind: "dots", x: measuredPoints[x], y: measuredPoints.force });
    chart.show(series);
  }
  drawDelivered();
  mark();
}

function drawDelivered() {
  const { chart } = charts.get("delivered");
  const style = new Map(lastView?.results.map((r) => [r.law, r.style]));
  const laws = deliveries?.laws.filter(({ law }) => style.has(law) && isShown(law)) ?? [];
  chart.show([
    { name: "asked", x: [0, 1], y: [0, 1], dashed: true },
    ...laws.map(({ law, delivered }) => ({ name: law, style: style.get(law), x: deliveries.asked, y: delivered })),
  ]);
}

let pending = null;

/** Asks for the curves of delivered restitution, where they may have changed. The restitution itself does not matter. */
export async function refreshDelivered(request) {
  const { spec, laws } = request;
  const wanted = JSON.stringify({ spec: { ...spec, restitution: 0.5 }, laws: laws.map((law) => (law.restitution === undefined ? law : { ...law, restitution: 0.5 })) });
  if (deliveries?.wanted === wanted || pending?.wanted === wanted) return;
  pending?.stop.abort();
  pending = { wanted, stop: new AbortController() };
  try {
    const answer = await ask("delivered", { ...JSON.parse(wanted), points: 40 }, { signal: pending.stop.signal });
    deliveries = { ...answer, wanted };
    pending = null;
    drawDelivered();
    mark();
  } catch {
    // The same request as that for the view, which says what is wrong; the last curves stay.
  }
}

function longestDuration() {
  const ends = lastView ? lastView.results.map((r) => r.course?.time.at(-1) ?? 0) : [];
  return Math.max(0, ...ends);
}

/** The instant that is read off: under the pointer, or else at cursor A, or else the middle. */
function instantA() {
  const end = longestDuration();
  if (hover !== null) return Math.min(Math.max(hover, 0), end);
  const cursor = Number(state.a);
  return state.a !== "" && cursor >= 0 && cursor <= end ? cursor : 0.5 * end;
}

function instantB() {
  const cursor = Number(state.b);
  return state.b !== "" && cursor >= 0 && cursor <= longestDuration() ? cursor : null;
}

/** From the pointer to an instant: along time directly, elsewhere by the nearest point of a curve. */
function hoverPoint(chart, [x, y], at) {
  if (!lastView) return;
  const shown = lastView.results.filter((r) => r.course && isShown(r.law));
  if (x === "time") {
    hover = Math.min(Math.max(at.x, 0), longestDuration());
    const rows = shown.map((r) => [r, valuesAt(r.course, hover)?.[y]]).filter(([, value]) => value !== undefined)
      .sort((one, other) => other[1] - one[1]);
    const nearest = rows.reduce((best, row) => (Math.abs(row[1] - at.y) < Math.abs((best?.[1] ?? Infinity) - at.y) ? row : best), null);
    chart.showTip(at, `t = ${show(hover, "s")}`, tipRows(rows.map((row) => [row[0].style, row[0].law, formatReading(row[1], AXES[y].unit), row === nearest])));
  } else {
    let [best, found] = [Infinity, null];
    for (const result of shown) {
      const { course } = result;
      for (let i = 0; i < course.time.length; i++) {
        const far = (chart.px(course[x][i]) - at.px) ** 2 + (chart.py(course[y][i]) - at.py) ** 2;
        if (far < best) [best, found] = [far, { result, i }];
      }
    }
    if (!found) return;
    const { result: { law, style, course }, i } = found;
    hover = course.time[i];
    chart.showTip(at, law, [[style, AXES[y].label, formatReading(course[y][i], AXES[y].unit), true], [null, AXES[x].label, formatReading(course[x][i], AXES[x].unit)], [null, "time", formatReading(hover, "s")]]);
  }
  mark();
}

/** Limits the rows of a tooltip; the one nearest to the pointer is always kept. */
function tipRows(rows) {
  if (rows.length <= MAX_TIP_ROWS) return rows;
  const middle = Math.max(0, rows.findIndex((row) => row[3]));
  const from = Math.min(Math.max(0, middle - 4), rows.length - MAX_TIP_ROWS + 1);
  return [...rows.slice(from, from + MAX_TIP_ROWS - 1), [null, `and ${rows.length - MAX_TIP_ROWS + 1} more`, ""]];
}

function hoverDelivered(chart, at) {
  if (!deliveries) return;
  const requested = Math.min(Math.max(at.x, 0.01), 1);
  const style = new Map(lastView?.results.map((r) => [r.law, r.style]));
  const rows = deliveries.laws.filter(({ law }) => style.has(law) && isShown(law))
    .map(({ law, delivered }) => [style.get(law), law, interpolate(deliveries.asked, delivered, requested)])
    .filter(([, , value]) => value !== null).sort((one, other) => other[2] - one[2]);
  chart.showTip(at, `asked for e = ${requested.toFixed(3)}`, tipRows(rows.map(([style, law, value]) => [style, law, value.toFixed(3)])));
}

/** A column at a place between two others of a rising one. */
function interpolate(xs, ys, x) {
  const i = xs.findIndex((other) => other >= x);
  if (i < 0 || ys[i] === null) return null;
  if (i === 0 || ys[i - 1] === null) return ys[i];
  const part = (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
  return ys[i - 1] * (1 - part) + ys[i] * part;
}

/** A click puts cursor A where the pointer is, with Shift cursor B; on the restitution it asks for that one. */
function click(columns, at, event) {
  if (!columns) {
    change({ restitution: String(Number(Math.min(Math.max(at.x, 0.01), 1).toFixed(3))) });
  } else if (hover !== null) {
    look({ [event.shiftKey ? "b" : "a"]: precise(hover) });
  }
}

/** The values of a trajectory at an instant, interpolated between two of its points. */
export function valuesAt(course, t) {
  const last = course.time.length - 1;
  if (last < 1 || t > course.time[last]) return null;
  const place = Math.min(Math.max((t / course.time[last]) * last, 0), last);
  const i = Math.min(Math.floor(place), last - 1);
  const part = place - i;
  const at = (column) => column[i] * (1 - part) + column[i + 1] * part;
  return Object.fromEntries(Object.entries(course).map(([name, column]) => [name, at(column)]));
}

/** Dots at the cursors on every plot, and the numbers in the table. */
const mark = perFrame(() => {
  if (!lastView) return;
  const [a, b, end] = [instantA(), instantB(), longestDuration()];
  const say = (id, value) => {
    const slider = document.getElementById(id);
    if (document.activeElement !== slider) slider.value = end > 0 ? Math.round((1000 * value) / end) : 0;
    slider.setAttribute("aria-valuetext", `t = ${show(value, "s")}`);
  };
  say("cursor", a);
  document.getElementById("cursor-value").textContent = `t = ${show(a, "s")}`;
  const two = b !== null;
  document.getElementById("two").checked = two;
  document.getElementById("cursor-b").hidden = !two;
  document.getElementById("cursor-b-value").textContent = two ? `t = ${show(b, "s")}, Δt = ${show(b - a, "s")}` : "";
  if (two) say("cursor-b", b);
  for (const { chart, columns } of charts.values()) markOne(chart, columns);
  const at = (course, t) => (course && t !== null ? valuesAt(course, t) : null);
  showReadOff(lastView.results.map((r) => ({ law: r.law, a: at(r.course, a), b: at(r.course, b) })), two);
});

function markOne(chart, columns) {
  if (!lastView || !chart.ranges || chart.room[0] === 0) return;
  const { left, right, top, bottom } = chart.inner();
  const marks = [];
  const dot = (x, y, style, kind) => {
    const [cx, cy] = [chart.px(x), chart.py(y)];
    if (!(cx >= left - 3 && cx <= right + 3 && cy >= top - 3 && cy <= bottom + 3)) return;
    const made = svg("circle", { cx, cy, r: kind === "b" ? 3 : 4, class: kind });
    made.style.fill = colour(style);
    marks.push(made);
  };
  const upright = (x, name) => {
    const at = chart.px(x);
    if (at < left || at > right) return;
    marks.push(svg("line", { x1: at, x2: at, y1: top, y2: bottom }), svg("text", { x: at + 4, y: top + 10 }, name));
  };
  if (!columns) {
    for (const { law, style, report } of lastView.results) {
      const restitution = report?.restitution;
      if (isShown(law) && restitution?.requested) dot(restitution.requested, restitution.newton, style, "a");
    }
    const requested = Number(state.restitution);
    if (requested > 0 && requested <= 1) upright(requested, "");
  } else {
    for (const [t, name] of [[instantA(), "A"], [instantB(), "B"]]) {
      if (t === null) continue;
      if (columns[0] === "time") upright(t, hover !== null && name === "A" ? "" : name);
      for (const { law, style, course } of lastView.results) {
        const values = course && isShown(law) ? valuesAt(course, t) : null;
        if (values) dot(values[columns[0]], values[columns[1]], style, name.toLowerCase());
      }
    }
  }
  chart.marks.replaceChildren(...marks);
}
