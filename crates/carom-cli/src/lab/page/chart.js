// A plot of columns as SVG: axes with units, curves, points, zoom and pan, and a layer of marks for cursors.

import { PREFIXES, ask, colour, download, element, show } from "./tools.js";

const NS = "http://www.w3.org/2000/svg";
const PADDING = { left: 52, right: 16, top: 8, bottom: 34 };
// Zoom factor of one notch of the wheel or one key press.
const ZOOM_STEP = 1.2;
const DASHES = ["", "6 3", "2 2.5"];
let chartCount = 0;

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export class Chart {
  /**
   * `x` and `y` have a label and a unit and may have a fixed range. `on` may hold `hover(place)`, `leave()`, `click(place, event)`,
   * `zoom(chart)` and `enlarge()`; a place is `{ x, y, px, py }`, in the units of the data and in px.
   */
  constructor(parent, { name, title, x, y, on = {} }) {
    Object.assign(this, { name, title, x, y, on, series: [], zoomed: null, room: [0, 0] });
    this.clip = `clip-${chartCount++}`;
    const button = (label, text, act) => element("button", { type: "button", class: "tool", "aria-label": `${label}: ${title}`, title: label, onclick: act }, text);
    this.drawing = element("div", { class: "drawing" });
    this.marks = svg("svg", { class: "marks", "aria-hidden": "true" });
    this.tip = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.canvas = element("div", { class: "canvas", tabindex: 0, role: "group", "aria-label": `${title}. Plus and minus zoom, arrow keys move, 0 shows all.` }, this.drawing, this.marks, this.tip);
    this.figure = element("figure", { class: "plot", "data-plot": name },
      element("figcaption", {}, element("span", {}, title), element("span", { class: "tools" },
        button("Zoom in", "+", () => this.scaleAround(1 / ZOOM_STEP ** 2)), button("Zoom out", "−", () => this.scaleAround(ZOOM_STEP ** 2)),
        button("Show all", "⤢", () => this.zoomTo(null)), this.saveMenu(), on.enlarge ? button("Enlarge", "▣", on.enlarge) : "")),
      this.canvas);
    parent.append(this.figure);
    this.listen();
    new ResizeObserver(() => {
      const box = this.canvas.getBoundingClientRect();
      const room = [Math.round(box.width), Math.round(box.height)];
      if (room.join() === this.room.join() || room[0] < 60 || room[1] < 60) return;
      this.room = room;
      this.draw();
    }).observe(this.canvas);
  }

  /** Curves to show: `{ name, style, x, y }`, with `kind: "dots"`, `dim` or `dashed` where wanted. */
  show(series) {
    this.series = series;
    this.draw();
  }

  /** Limits the axes to these ranges, or shows everything. */
  zoomTo(ranges, notify = true) {
    this.zoomed = ranges;
    this.draw();
    this.hideTip();
    if (notify) this.on.zoom?.(this);
  }

  // Positions of the plot area, data and pointer.

  inner() {
    const [width, height] = this.room;
    return { left: PADDING.left, right: width - PADDING.right, top: PADDING.top, bottom: height - PADDING.bottom };
  }

  px(x) {
    const { left, right } = this.inner();
    const [low, high] = this.ranges.x;
    return left + ((x - low) / (high - low)) * (right - left);
  }

  py(y) {
    const { top, bottom } = this.inner();
    const [low, high] = this.ranges.y;
    return bottom + ((y - low) / (high - low)) * (top - bottom);
  }

  at(px, py) {
    const { left, right, top, bottom } = this.inner();
    const { x, y } = this.ranges;
    return { px, py, x: x[0] + ((px - left) / (right - left)) * (x[1] - x[0]), y: y[0] + ((py - bottom) / (top - bottom)) * (y[1] - y[0]) };
  }

  /** The range of all data on an axis, with a little room beyond them. */
  all(axis) {
    if (this[axis].range) return this[axis].range;
    let [low, high] = [0, -Infinity];
    for (const curve of this.series) {
      for (const value of curve.band ? [...curve[axis], ...curve.band[axis]] : curve[axis]) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(high > low)) high = low + 1;
    // Time begins and ends with the data.
    const room = (axis === "y" ? 0.05 : this.x.unit === "s" ? 0 : 0.03) * (high - low);
    return [low < -1e-3 * high ? low - room : low, high + room];
  }

  // Drawing.

  draw() {
    this.ranges = this.zoomed ?? { x: this.all("x"), y: this.all("y") };
    const [width, height] = this.room;
    if (width === 0) return;
    this.drawAxes(width, height);
    const { left, right } = this.inner();
    const curves = [];
    if (this.ranges.y[0] < 0 && this.ranges.y[1] > 0) curves.push(["zero", `M${left} ${this.py(0)}H${right}`, {}]);
    for (const curve of this.series) if (curve.band?.x.length > 0) curves.push(this.area(curve));
    for (const curve of this.series) curves.push(curve.kind === "dots" ? this.dots(curve) : this.line(curve));
    // Existing paths are updated, because creating new ones takes the browser several times as long.
    const { group } = this;
    while (group.childNodes.length > curves.length) group.lastChild.remove();
    curves.forEach(([kind, d, { fill = "", stroke = "", dash = "" }], i) => {
      const path = group.childNodes[i] ?? group.appendChild(svg("path"));
      const look = `${kind}|${fill}|${stroke}|${dash}`;
      if (path.look !== look) {
        path.look = look;
        path.setAttribute("class", kind);
        Object.assign(path.style, { fill, stroke, strokeDasharray: dash });
      }
      path.setAttribute("d", d);
    });
    this.on.drawn?.(this);
  }

  /** Draws the axes with their grid and labels, if anything about them has changed. */
  drawAxes(width, height) {
    const names = this.series.map((curve) => curve.name).filter(Boolean).join(", ");
    const key = JSON.stringify([width, height, this.ranges, names]);
    if (key === this.axesKey) return;
    this.axesKey = key;
    const { left, right, top, bottom } = this.inner();
    const parts = [];
    const ticks = (axis, length) => axisTicks(this.ranges[axis], Math.max(2, Math.floor(length / (axis === "x" ? 70 : 38))), this[axis].unit);
    const across = ticks("x", right - left);
    const up = ticks("y", bottom - top);
    let grid = "";
    for (const { value } of across.ticks) grid += `M${this.px(value).toFixed(1)} ${top}V${bottom}`;
    for (const { value } of up.ticks) grid += `M${left} ${this.py(value).toFixed(1)}H${right}`;
    parts.push(svg("rect", { class: "paper", x: 0, y: 0, width, height }), svg("path", { class: "grid", d: grid }));
    const label = (text, attributes) => svg("text", attributes, text);
    for (const { value, text } of across.ticks) parts.push(label(text, { x: this.px(value), y: bottom + 14, "text-anchor": "middle" }));
    for (const { value, text } of up.ticks) parts.push(label(text, { x: left - 6, y: this.py(value) + 4, "text-anchor": "end" }));
    parts.push(label(this.x.label + across.unit, { class: "label", x: (left + right) / 2, y: height - 5, "text-anchor": "middle" }),
      label(this.y.label + up.unit, { class: "label", x: 11, y: (top + bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${(top + bottom) / 2})` }));
    this.group ??= svg("g", { "clip-path": `url(#${this.clip})` });
    const room = svg("clipPath", { id: this.clip }, svg("rect", { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }));
    parts.push(svg("defs", {}, room), this.group, svg("path", { class: "axes", d: `M${left} ${top}V${bottom}H${right}` }));
    this.drawing.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${this.title}: ${names || "no law"}` }, ...parts));
    this.marks.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  // Attributes of the path of a curve: class, outline, colours.

  line(curve) {
    const { left, right, top, bottom } = this.inner();
    const { x: [x0, x1], y: [y0, y1] } = this.ranges;
    const [across, up] = [(right - left) / (x1 - x0), (bottom - top) / (y1 - y0)];
    let d = "";
    let pen = "M";
    for (let i = 0; i < curve.x.length; i++) {
      const [x, y] = [curve.x[i], curve.y[i]];
      if (x === null || y === null || !Number.isFinite(x) || !Number.isFinite(y)) {
        pen = "M";
        continue;
      }
      // Tenths of a pixel.
      d += pen + Math.round(10 * (left + (x - x0) * across)) / 10 + " " + Math.round(10 * (bottom - (y - y0) * up)) / 10;
      pen = "L";
    }
    const dash = curve.dashed ? "4 4" : DASHES[Math.floor((curve.style ?? 0) / 8) % 3];
    return [`s${curve.dim ? " dim" : ""}`, d, { stroke: curve.style === undefined ? "var(--faint)" : colour(curve.style), dash }];
  }

  /** The confidence band of a curve. */
  area({ band, style }) {
    const corners = band.x.map((x, i) => `${this.px(x).toFixed(1)} ${this.py(band.y[i]).toFixed(1)}`);
    return ["band", `M${corners.join("L")}Z`, { fill: colour(style ?? 0) }];
  }

  dots(curve) {
    const n = curve.x.length;
    const r = n > 300 ? 1.2 : n > 40 ? 2 : 3;
    let d = "";
    for (let i = 0; i < n; i++) {
      const [x, y] = [this.px(curve.x[i]), this.py(curve.y[i])];
      if (Number.isFinite(x) && Number.isFinite(y)) d += `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
    }
    return ["measured", d, curve.style === undefined ? {} : { fill: colour(curve.style) }];
  }

  /** Choices of files to save the plot as: as it is on the screen, or drawn by the server. */
  saveMenu() {
    const kinds = [["SVG", "svg"], ["PNG", "png"], ["PDF", "pdf"], ["CSV", "csv"], ["SVG as shown, with cursors", "shown"]];
    const choose = element("select", { class: "tool save", "aria-label": `Save: ${this.title}`, title: "Save", onchange: async () => {
      const kind = choose.value;
      choose.value = "";
      if (kind === "shown") this.save();
      else if (kind === "csv") download(`${this.name}.csv`, this.csv(), "text/csv");
      else download(`${this.name}.${kind}`, await ask("plot/" + kind, { width: 900, panels: [this.panel()] }, { raw: true }));
    } }, element("option", { value: "" }, "↓"), ...kinds.map(([label, value]) => element("option", { value }, label)));
    return choose;
  }

  /** The curves as CSV, one row a point. */
  csv() {
    const column = ({ label, unit }) => `${label.replace(/\W+/g, " ").trim().replaceAll(" ", "_")}${unit ? `_${unit.replace("/", "_per_")}` : ""}`;
    const rows = this.series.flatMap(({ name, x, y }) => x.map((at, i) => `${JSON.stringify(name ?? "")},${at},${y[i] ?? ""}`));
    return [`curve,${column(this.x)},${column(this.y)}`, ...rows].join("\n") + "\n";
  }

  /** The plot as the server draws it. */
  panel() {
    const axis = (name) => ({ label: this[name].label, unit: this[name].unit, ...(this.zoomed || this[name].range ? { range: this.ranges[name] } : {}) });
    const series = this.series.map(({ name, x, y, kind, style, band }) => ({
      name, x, y, dots: kind === "dots", ...(style === undefined ? {} : { style }), band: band ? band.x.map((at, i) => [at, band.y[i]]) : [],
    }));
    return { title: this.title, x: axis("x"), y: axis("y"), series };
  }

  /** Saves the plot with its cursors as a file that carries its colours. */
  save() {
    const picture = this.drawing.firstElementChild.cloneNode(true);
    const marks = svg("g");
    marks.append(...[...this.marks.childNodes].map((node) => node.cloneNode(true)));
    picture.append(marks);
    const shown = [...this.drawing.querySelectorAll("svg *"), ...this.marks.querySelectorAll("*")];
    const kept = [...picture.querySelectorAll("*")].filter((node) => node !== marks);
    const names = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight"];
    shown.forEach((node, i) => {
      const style = getComputedStyle(node);
      kept[i].setAttribute("style", names.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    });
    picture.setAttribute("xmlns", NS);
    picture.setAttribute("width", this.room[0]);
    picture.setAttribute("height", this.room[1]);
    download(`${this.name}.svg`, new XMLSerializer().serializeToString(picture), "image/svg+xml");
  }

  /** A box with text rows beside the pointer: `[colour or null, name, value]`. */
  showTip({ px, py }, head, rows) {
    this.tip.replaceChildren(element("div", { class: "head" }, head), ...rows.map(([style, name, value, strong]) => {
      const swatch = element("i", {});
      if (style !== null) swatch.style.background = colour(style);
      return element("div", { class: strong ? "row strong" : "row" }, swatch, element("span", {}, name), element("b", {}, value));
    }));
    this.tip.hidden = false;
    const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const x = px + 16 + width > this.room[0] ? Math.max(0, px - width - 16) : px + 16;
    this.tip.style.transform = `translate(${x}px, ${Math.min(Math.max(0, py - height / 2), Math.max(0, this.room[1] - height))}px)`;
  }

  hideTip() {
    this.tip.hidden = true;
  }

  // Zoom and pan.

  scaleAround(factor, px, py, axes = "xy") {
    const { left, right, top, bottom } = this.inner();
    const middle = this.at(px ?? (left + right) / 2, py ?? (top + bottom) / 2);
    const scaled = (axis) => this.ranges[axis].map((end) => (axes.includes(axis) ? middle[axis] + (end - middle[axis]) * factor : end));
    this.setRanges({ x: scaled("x"), y: scaled("y") });
  }

  move(dx, dy) {
    const { left, right, top, bottom } = this.inner();
    const { x, y } = this.ranges;
    const [by, up] = [(dx / (right - left)) * (x[1] - x[0]), (dy / (bottom - top)) * (y[1] - y[0])];
    this.setRanges({ x: x.map((end) => end - by), y: y.map((end) => end + up) });
  }

  /** Sets the ranges, unless they are too small for floating-point numbers or far beyond the data. */
  setRanges(ranges) {
    const fine = ["x", "y"].every((axis) => {
      const [low, high] = ranges[axis];
      const [from, to] = this.all(axis);
      return high - low > 1e-6 * (to - from) && high - low < 20 * (to - from);
    });
    if (fine) this.zoomTo(ranges);
  }

  listen() {
    const { canvas } = this;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    let down = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const [px, py] = place(event);
      down = { px, py, last: [px, py], dragged: false, box: event.shiftKey };
      if (event.pointerType === "mouse") canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.ranges) return;
      const [px, py] = place(event);
      if (down && event.pointerType === "mouse") {
        if (Math.hypot(px - down.px, py - down.py) > 4) down.dragged = true;
        if (down.dragged && down.box) this.rubber(down, px, py);
        else if (down.dragged) this.move(px - down.last[0], py - down.last[1]);
        down.last = [px, py];
        if (down.dragged) return;
      }
      const { left, right } = this.inner();
      if (px >= left - 4 && px <= right + 4) this.on.hover?.(this.at(px, py));
    });
    const up = (event) => {
      if (!down) return;
      const [px, py] = place(event);
      if (down.dragged && down.box) {
        this.frame?.remove();
        const [a, b] = [this.at(down.px, down.py), this.at(px, py)];
        const sorted = (axis) => [a[axis], b[axis]].sort((one, other) => one - other);
        this.setRanges({ x: sorted("x"), y: sorted("y") });
      } else if (!down.dragged && event.type === "pointerup") {
        this.on.click?.(this.at(px, py), event);
      }
      down = null;
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", () => { down = null; });
    canvas.addEventListener("pointerleave", () => {
      this.hideTip();
      this.on.leave?.();
    });
    canvas.addEventListener("dblclick", () => this.zoomTo(null));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [px, py] = place(event);
      const { left, bottom } = this.inner();
      // Over an axis only that axis.
      const axes = px < left ? "y" : py > bottom ? "x" : "xy";
      this.scaleAround(ZOOM_STEP ** Math.sign(event.deltaY), px, py, axes);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = 30;
      const act = {
        "+": () => this.scaleAround(1 / ZOOM_STEP), "=": () => this.scaleAround(1 / ZOOM_STEP), "-": () => this.scaleAround(ZOOM_STEP), 0: () => this.zoomTo(null),
        ArrowLeft: () => this.move(step, 0), ArrowRight: () => this.move(-step, 0), ArrowUp: () => this.move(0, step), ArrowDown: () => this.move(0, -step),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  rubber(from, px, py) {
    if (!this.frame?.isConnected) {
      this.frame = svg("rect", { class: "rubber" });
      this.marks.append(this.frame);
    }
    const set = (name, value) => this.frame.setAttribute(name, value);
    set("x", Math.min(px, from.px));
    set("y", Math.min(py, from.py));
    set("width", Math.abs(px - from.px));
    set("height", Math.abs(py - from.py));
  }
}

/** Round numbers on an axis, with the prefix of its unit. */
function axisTicks([low, high], most, unit) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const [factor, prefix] = unit ? PREFIXES.find(([factor]) => size >= factor * 0.9999) ?? PREFIXES.at(-1) : [1, ""];
  const step = roundStep((high - low) / factor / most);
  const ticks = [];
  const digits = Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const first = Math.ceil(low / factor / step - 1e-9);
  for (let i = first; i * step <= (high / factor) * (1 + 1e-12) + 1e-9 * step && ticks.length < 30; i++) {
    ticks.push({ value: i * step * factor, text: (i * step).toFixed(digits).replace("-", "−") });
  }
  return { ticks, unit: unit ? ` (${prefix}${unit})` : "" };
}

/** The next of 1, 2, 5 times a power of ten. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((one) => one * power >= least * 0.9999) ?? 10);
}

/** A value with its unit for a tip. */
export function formatReading(value, unit) {
  return value === null || value === undefined ? "–" : show(value, unit);
}
