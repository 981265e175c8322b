// Plots of energies and contact forces below the animation, drawn by the server, with a line at the current time.

import { ask, download, element } from "./tools.js";

const NS = "http://www.w3.org/2000/svg";
const MAX_POINTS = 3000;
const MAX_FORCES = 6;
const TITLES = ["Energy", "Contact force"];

export class Strip {
  /** `seek(t)` when a time is pointed at. */
  constructor(place, seek) {
    this.place = place;
    this.seek = seek;
    this.plots = [];
    this.asked = 0;
  }

  /** Draws a part of a run, soon. */
  draw(film, from, to, t) {
    clearTimeout(this.waiting);
    this.t = t;
    this.waiting = setTimeout(() => this.ask(film, from, to), 60);
  }

  async ask(film, from, to) {
    const number = ++this.asked;
    const room = this.place.clientWidth || 800;
    // Of many contacts, those with the largest forces.
    const most = new Map(film.forces().map((curve) => [curve, curve[1].reduce((a, b) => Math.max(a, b), 0)]));
    const hardest = new Set([...most.keys()].sort((a, b) => most.get(b) - most.get(a)).slice(0, MAX_FORCES));
    const panels = [panel("energy", "J", film.energies, film, from, to)];
    if (hardest.size > 0) panels.push(panel("contact force", "N", film.forces().filter((curve) => hardest.has(curve)), film, from, to));
    // As many columns as the style makes of them.
    const columns = Math.min(Math.max(1, Math.floor((room + 10) / 362)), panels.length);
    const width = Math.round(Math.min(Math.max((room - 10 * (columns - 1)) / columns, 280), 900));
    try {
      const plots = await ask("plot", { width, panels });
      if (number === this.asked) this.show(plots, panels);
    } catch (error) {
      if (number === this.asked) this.place.replaceChildren(element("p", { class: "bad" }, error.message));
    }
    document.body.dataset.shown = Number(document.body.dataset.shown ?? 0) + 1;
  }

  show(plots, panels) {
    this.plots = plots.map(({ svg, frame }, index) => {
      const figure = element("figure", { class: "plot" }, element("div", { class: "drawing" }));
      // Safe: markup from this server, with names escaped.
      figure.firstChild.innerHTML = svg;
      const drawing = figure.firstChild.firstElementChild;
      drawing.setAttribute("aria-label", `${TITLES[index]} over time`);
      const marks = document.createElementNS(NS, "svg");
      marks.setAttribute("class", "marks");
      marks.setAttribute("viewBox", drawing.getAttribute("viewBox"));
      const line = document.createElementNS(NS, "line");
      line.setAttribute("class", "now");
      marks.append(line);
      figure.append(marks);
      const point = (event) => {
        const box = figure.getBoundingClientRect();
        const px = ((event.clientX - box.left) / box.width) * Number(drawing.getAttribute("viewBox").split(" ")[2]);
        const share = (px - frame.left) / (frame.right - frame.left);
        if (share > -0.02 && share < 1.02) this.seek(frame.x[0] + share * (frame.x[1] - frame.x[0]));
      };
      const saves = ["svg", "png", "pdf"].map((kind) => element("button", { type: "button", "aria-label": `Save ${TITLES[index]} as ${kind.toUpperCase()}`, onclick: async () => {
        download(`${TITLES[index].toLowerCase().replace(" ", "-")}.${kind}`, await ask("plot/" + kind, { width: 900, panels: [panels[index]] }, { raw: true }));
      } }, kind.toUpperCase()));
      saves.push(element("button", { type: "button", "aria-label": `Save ${TITLES[index]} as CSV`, onclick: () => download(`${TITLES[index].toLowerCase().replace(" ", "-")}.csv`, csv(panels[index]), "text/csv") }, "CSV"));
      const holder = element("div", {}, element("div", { class: "saves" }, ...saves), figure);
      figure.addEventListener("pointerdown", (event) => {
        figure.setPointerCapture(event.pointerId);
        point(event);
      });
      figure.addEventListener("pointermove", (event) => event.buttons && point(event));
      return { holder, line, frame };
    });
    this.place.replaceChildren(...this.plots.map(({ holder }) => holder));
    this.mark(this.t);
  }

  /** The line at a time. */
  mark(t) {
    this.t = t;
    for (const { line, frame } of this.plots) {
      const x = frame.left + ((t - frame.x[0]) / (frame.x[1] - frame.x[0])) * (frame.right - frame.left);
      for (const [name, value] of [["x1", x], ["x2", x], ["y1", frame.top], ["y2", frame.bottom]]) line.setAttribute(name, value);
    }
  }
}

/** The curves of a panel as CSV, one row a point. */
function csv({ y, series }) {
  const rows = series.flatMap(({ name, x, y }) => x.map((t, i) => `${JSON.stringify(name)},${t},${y[i]}`));
  return [`curve,time_s,${y.label.replace(" ", "_")}_${y.unit}`, ...rows].join("\n") + "\n";
}

/** Curves over a time range, interpolated at its ends; a curve that jumps at a frame has two points there. */
export function panel(label, unit, curves, film, from, to) {
  const { times } = film;
  const [first, last] = [film.index(from), film.index(to)];
  const every = Math.max(1, Math.ceil((last - first) / MAX_POINTS));
  const series = curves.map(([name, column, before]) => {
    const at = (t) => {
      const [i, j, share] = film.between(t);
      return column[i] + share * ((before?.get(j) ?? column[j]) - column[i]);
    };
    const [x, y] = [[from], [at(from)]];
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
    return { name, x: [...x, to], y: [...y, at(to)] };
  });
  return { x: { label: "time", unit: "s", range: [from, to] }, y: { label, unit }, series };
}
