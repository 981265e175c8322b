// Plots of energies and contact forces beside the animation, with a line at the current time. The list of numbers is their legend.

import { Chart, formatReading, svg } from "./chart.js";
import { countAnswer } from "./tools.js";

const MAX_POINTS = 3000;
const MAX_FORCES = 6;
/** Number of the first colour of forces, so that they differ from the usual energies. */
const FIRST_FORCE = 4;

export class Strip {
  /** `seek(t)` when a time is clicked. */
  constructor(place, seek) {
    this.place = place;
    const made = (name, title, unit) => {
      const chart = new Chart(place, {
        name, title, x: { label: "time", unit: "s" }, y: { label: title.toLowerCase(), unit },
        on: { hover: (at) => this.read(chart, at), click: (at) => seek(at.x), drawn: () => this.markOne(chart) },
      });
      // A chart without curves is hidden.
      chart.figure.remove();
      return chart;
    };
    this.charts = [made("energy", "Energy", "J"), made("contact-force", "Contact force", "N")];
  }

  /** Draws a part of a run. */
  draw(film, from, to, t) {
    this.t = t;
    if (film !== this.film) this.curves = [film.energies.map(([name, column], style) => ({ name, column, style })), strongestContacts(film)];
    this.film = film;
    this.charts.forEach((chart, i) => {
      const curves = this.curves[i];
      if (curves.length > 0) this.place.append(chart.figure);
      else chart.figure.remove();
      chart.x.range = [from, to];
      chart.zoomed = null;
      chart.show(curves.map((curve) => thinnedCurve(curve, film, from, to)));
    });
    countAnswer();
  }

  /** The values of all curves at the pointer. */
  read(chart, at) {
    const t = Math.min(Math.max(at.x, 0), this.film.end);
    const curves = this.curves[this.charts.indexOf(chart)];
    chart.showTip(at, `t = ${formatReading(t, "s")}`, curves.map((curve) => [curve.style, curve.name, formatReading(valueAt(curve, this.film, t), chart.y.unit)]));
  }

  /** Draws the line at the current time. */
  mark(t) {
    this.t = t;
    this.charts.forEach((chart) => this.markOne(chart));
  }

  markOne(chart) {
    if (this.t === undefined || !chart.ranges || chart.room[0] === 0) return;
    chart.now ??= svg("line", { class: "now" });
    if (!chart.now.isConnected) chart.marks.append(chart.now);
    const { top, bottom, left, right } = chart.inner();
    const x = chart.px(this.t);
    chart.now.style.visibility = x >= left - 0.5 && x <= right + 0.5 ? "" : "hidden";
    for (const [name, value] of [["x1", x], ["x2", x], ["y1", top], ["y2", bottom]]) chart.now.setAttribute(name, value);
  }
}

/** The contacts with the largest forces. */
function strongestContacts(film) {
  const first = Math.max(FIRST_FORCE, film.energies.length);
  const most = new Map(film.forces().map((curve) => [curve, curve[1].reduce((a, b) => Math.max(a, b), 0)]));
  const strongest = new Set([...most.keys()].sort((a, b) => most.get(b) - most.get(a)).slice(0, MAX_FORCES));
  return film.forces().filter((curve) => strongest.has(curve)).map(([name, column, before], i) => ({ name, column, before, style: first + i }));
}

/** A curve at a time; at a frame where it jumps it has two values, the earlier for what is before it. */
function valueAt({ column, before }, film, t) {
  const [i, j, share] = film.between(t);
  return column[i] + share * ((before?.get(j) ?? column[j]) - column[i]);
}

/** A curve over a time range, interpolated at its ends; a curve that jumps at a frame has two points there. */
export function thinnedCurve(curve, film, from, to) {
  const { name, style, column, before } = curve;
  const { times } = film;
  const [first, last] = [film.index(from), film.index(to)];
  const every = Math.max(1, Math.ceil((last - first) / MAX_POINTS));
  const [x, y] = [[from], [valueAt(curve, film, from)]];
  for (let i = first + 1; i <= last; i++) {
    const jumps = before?.has(i);
    if (i % every !== 0 && !jumps) continue;
    if (jumps) {
      x.push(times[i]);
      y.push(before.get(i));
    }
    x.push(times[i]);
    y.push(column[i]);
  }
  return { name, style, x: [...x, to], y: [...y, valueAt(curve, film, to)] };
}
