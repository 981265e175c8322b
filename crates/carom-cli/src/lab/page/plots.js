// The server draws the plots; this file places them and reads values with the pointer or the slider.
// The dots on all plots show the same instant.

import { colour, element, show } from "./tools.js";

const TITLES = {
  "force-time": "Force over time", "force-indentation": "Force over indentation",
  motion: "Rate over indentation", energy: "Dissipated energy over time",
};
const NS = "http://www.w3.org/2000/svg";
let seen = null;
let instant = null;

export function plots() {
  const slider = document.getElementById("cursor");
  slider.addEventListener("input", () => {
    instant = (Number(slider.value) / 1000) * longest();
    mark();
  });
}

/** How wide a plot should be drawn, so that its text has its own size. */
export function plotWidth() {
  const room = document.getElementById("plots").clientWidth || 900;
  const columns = Math.max(1, Math.floor((room + 10) / 410));
  return Math.round(Math.min(Math.max((room - 10 * (columns - 1)) / columns, 280), 700));
}

/** Shows what the server drew. */
export function showPlots(view) {
  seen = view;
  const place = document.getElementById("plots");
  for (const plot of view.plots) {
    let figure = place.querySelector(`[data-plot="${plot.name}"]`);
    if (!figure) {
      figure = element("figure", { class: "plot", "data-plot": plot.name });
      figure.append(element("div", { class: "drawing" }), document.createElementNS(NS, "svg"));
      figure.lastChild.setAttribute("class", "marks");
      figure.addEventListener("pointermove", (event) => point(event, figure));
      figure.addEventListener("pointerdown", (event) => point(event, figure));
      place.append(figure);
    }
    // Safe: markup from this server, with names escaped.
    figure.firstChild.innerHTML = plot.svg;
    const drawing = figure.firstChild.firstElementChild;
    const laws = view.results.filter((r) => r.course).map((r) => r.law).join(", ");
    drawing.setAttribute("aria-label", `${TITLES[plot.name]}: ${laws || "no law"}`);
    figure.lastChild.setAttribute("viewBox", drawing.getAttribute("viewBox"));
  }
  mark();
}

function longest() {
  const ends = seen ? seen.results.map((r) => r.course?.time.at(-1) ?? 0) : [];
  return Math.max(0, ...ends);
}

/** From the pointer to an instant: along time directly, elsewhere by the nearest point of a curve. */
function point(event, figure) {
  const plot = seen?.plots.find((p) => p.name === figure.dataset.plot);
  if (!plot?.frame) return;
  const box = figure.getBoundingClientRect();
  const [, , width, height] = figure.lastChild.getAttribute("viewBox").split(" ").map(Number);
  const px = ((event.clientX - box.left) / box.width) * width;
  const py = ((event.clientY - box.top) / box.height) * height;
  const { left, right, x: [low, high] } = plot.frame;
  if (px < left - 4 || px > right + 4) return;
  if (plot.x === "time") {
    instant = low + ((px - left) / (right - left)) * (high - low);
  } else {
    let best = Infinity;
    for (const { course } of seen.results) {
      if (!course) continue;
      course.time.forEach((t, i) => {
        const [x, y] = place(plot, course[plot.x][i], course[plot.y][i]);
        const far = (x - px) ** 2 + (y - py) ** 2;
        if (far < best) [best, instant] = [far, t];
      });
    }
  }
  mark();
}

function place({ frame: { left, right, top, bottom, x, y } }, a, b) {
  return [left + ((a - x[0]) / (x[1] - x[0])) * (right - left), bottom + ((b - y[0]) / (y[1] - y[0])) * (top - bottom)];
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

/** Dots at the instant on every plot, and the numbers in the table. */
function mark() {
  const slider = document.getElementById("cursor");
  const end = longest();
  if (instant === null || instant > end) instant = 0.5 * end;
  if (document.activeElement !== slider) slider.value = end > 0 ? Math.round((1000 * instant) / end) : 0;
  document.getElementById("cursor-value").textContent = `t = ${show(instant, "s")}`;
  slider.setAttribute("aria-valuetext", `t = ${show(instant, "s")}`);
  const rows = (seen?.results ?? []).map((r) => [r, r.course && valuesAt(r.course, instant)]);
  for (const figure of document.querySelectorAll(".plot")) {
    const plot = seen.plots.find((p) => p.name === figure.dataset.plot);
    const marks = figure.lastChild;
    marks.replaceChildren();
    if (!plot?.frame) continue;
    const { top, bottom } = plot.frame;
    if (plot.x === "time") {
      const [x] = place(plot, instant, 0);
      marks.append(svg("line", { x1: x, x2: x, y1: top, y2: bottom }));
    }
    for (const [result, values] of rows) {
      if (!values) continue;
      const [cx, cy] = place(plot, values[plot.x], values[plot.y]);
      if (cy < top - 8 || cy > bottom + 8) continue;
      const dot = svg("circle", { cx, cy, r: 4 });
      dot.style.fill = colour(result.style);
      marks.append(dot);
    }
  }
  for (const [result, values] of rows) {
    const cell = document.querySelector(`#results td[data-at="${CSS.escape(result.law)}"]`);
    if (!cell) continue;
    cell.textContent = values ? `${show(values.force, "N")}` : "–";
    cell.append(element("span", { class: "sub" }, values ? `δ ${show(values.indentation, "m")}, δ̇ ${show(values.rate, "m/s")}` : "over"));
  }
}

function svg(name, attributes) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
