// Playback: playing, scrubbing, stepping, and the time range that is shown.

import { element, id, show } from "./tools.js";

/** Seconds in which a time range is played unless a rate was chosen. */
const DEFAULT_SECONDS = 8;
/** Largest number of film frames per second with "slow down at impacts". */
const MAX_FRAMES_PER_SECOND = 45;

export class Player {
  /** Calls `moved(t)` after every change of the time and `framed()` after a change of the time range. */
  constructor(moved, framed) {
    Object.assign(this, { moved, framed, film: null, t: 0, from: 0, to: 1, rate: 1, chosen: false, playing: false });
    const jump = (name, to) => id(name).addEventListener("click", () => this.film && to());
    jump("play", () => this.toggle());
    jump("to-start", () => this.seek(this.from));
    jump("to-end", () => this.seek(this.to));
    jump("back", () => this.step(-1));
    jump("forth", () => this.step(1));
    jump("event-back", () => this.event(false));
    jump("event-forth", () => this.event(true));
    jump("closer", () => this.zoom(0.2));
    jump("wider", () => this.zoom(5));
    jump("whole", () => this.setRange(0, this.film.length));
    id("scrub").addEventListener("input", () => this.seek(this.from + Number(id("scrub").value) * (this.to - this.from)));
    id("rate").addEventListener("input", () => {
      this.chosen = true;
      this.rate = 10 ** Number(id("rate").value);
      this.show();
    });
    id("touches").addEventListener("change", (event) => {
      const found = this.film?.events[Number(event.target.value)];
      if (event.target.value === "" || !found) return;
      this.showContact(found);
    });
    const marks = id("marks");
    const scrub = (event) => {
      const box = marks.getBoundingClientRect();
      const t = this.from + ((event.clientX - box.left - INSET) / (box.width - 2 * INSET)) * (this.to - this.from);
      const near = (6 / box.width) * (this.to - this.from);
      const event_time = this.film?.eventTimes.reduce((best, time) => (Math.abs(time - t) < Math.abs(best - t) ? time : best), Infinity);
      this.seek(Math.abs(event_time - t) < near ? event_time : t);
    };
    marks.addEventListener("pointerdown", (event) => {
      marks.setPointerCapture(event.pointerId);
      scrub(event);
    });
    marks.addEventListener("pointermove", (event) => event.buttons && scrub(event));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Keys work wherever they have no other meaning. */
  key(event) {
    const at = event.target;
    const typing = at.matches?.("textarea, select, input:not([type=range]):not([type=checkbox]), #rate");
    if (typing || !this.film || event.ctrlKey || event.metaKey || event.altKey) return;
    const forth = event.key === "ArrowRight";
    if (event.key === " ") {
      if (at.matches?.("button, summary, a, input[type=checkbox]")) return;
      this.toggle();
    } else if (forth || event.key === "ArrowLeft") {
      if (event.shiftKey) this.event(forth);
      else this.step(forth ? 1 : -1);
    } else if (event.key === "Home") this.seek(this.from);
    else if (event.key === "End") this.seek(this.to);
    else return;
    event.preventDefault();
  }

  /** Takes a run. */
  load(film, t = 0) {
    this.pause();
    this.film = film;
    this.chosen = false;
    this.t = Math.min(t, film.end);
    const touches = id("touches");
    touches.replaceChildren(element("option", { value: "" }, film.touches > 0 ? `${film.touches} in all` : "none"));
    film.events.slice(0, 500).forEach((event, index) => touches.append(element("option", { value: index },
      // Rigid bodies have no force in an impact.
      `${film.contacts[event.contact].name}: ${show(event.touch, "s")}, ${event.force_max === null ? show(event.speed, "m/s") : show(event.force_max, "N")}${event.class ? `, ${event.class}` : ""}`)));
    this.setRange(0, film.length);
  }

  /** Sets the time range, and moves the time into it. */
  setRange(from, to) {
    const least = 1e-12 * this.film.length;
    if (!(to - from > least)) [from, to] = [from - least, from + least];
    this.from = Math.max(from, 0);
    this.to = Math.min(to, this.film.length);
    if (!this.chosen) this.rate = (this.to - this.from) / DEFAULT_SECONDS;
    this.t = Math.min(Math.max(this.t, this.from), this.to);
    this.framed();
    this.show();
  }

  zoom(factor) {
    const half = ((this.to - this.from) * factor) / 2;
    const middle = Math.min(Math.max(this.t, half), Math.max(this.film.length - half, half));
    this.setRange(middle - half, middle + half);
  }

  /** Sets the time range to one contact, with some time before and after. */
  showContact({ touch, part }) {
    const end = part ?? this.film.end;
    const margin = 0.4 * (end - touch);
    this.t = touch;
    this.setRange(touch - margin, end + margin);
  }

  seek(t) {
    if (!this.film) return;
    this.t = Math.min(Math.max(t, this.from), this.to);
    this.show();
  }

  step(by) {
    this.pause();
    const { times } = this.film;
    let i = this.film.index(this.t);
    // A step back from between two frames goes to the earlier one.
    if (by > 0 || this.t === times[i]) i += by;
    while (by > 0 && i < times.length - 1 && times[i] <= this.t) i++;
    this.seek(times[Math.min(Math.max(i, 0), times.length - 1)]);
  }

  event(forth) {
    this.pause();
    const found = this.film.event(this.t, forth);
    if (found === undefined) return this.seek(forth ? this.to : this.from);
    const half = (this.to - this.from) / 2;
    this.t = found;
    if (found < this.from || found > this.to) this.setRange(found - half, found + half);
    else this.show();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (!this.film || this.playing) return;
    if (this.t >= this.to) this.t = this.from;
    this.playing = true;
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      this.advance(Math.min((now - last) / 1000, 0.25));
      last = now;
      if (this.t >= this.to) this.pause();
      this.show();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.label();
  }

  /** Advances by so many seconds of real time. */
  advance(seconds) {
    if (!id("slow").checked) {
      this.t = Math.min(this.t + seconds * this.rate, this.to);
      return;
    }
    const { times } = this.film;
    let left = seconds;
    while (left > 0 && this.t < this.to) {
      const i = this.film.index(this.t);
      const next = times[i + 1];
      if (!(next > this.t)) {
        this.t = i + 1 < times.length ? next : this.to;
        if (i + 1 >= times.length) break;
        continue;
      }
      const rate = Math.min(this.rate, (next - times[i]) * MAX_FRAMES_PER_SECOND);
      const needed = (next - this.t) / rate;
      this.t = needed <= left ? next : this.t + left * rate;
      left -= Math.max(needed, 1e-9);
    }
    this.t = Math.min(this.t, this.to);
  }

  pause() {
    this.playing = false;
    this.label();
  }

  label() {
    const play = id("play");
    play.textContent = this.playing ? "Ⅱ Pause" : "▶ Play";
    play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  show() {
    const { t, from, to } = this;
    const scrub = id("scrub");
    scrub.value = to > from ? (t - from) / (to - from) : 0;
    const frame = this.film ? this.film.index(t) + 1 : 0;
    scrub.setAttribute("aria-valuetext", `t = ${show(t, "s")}`);
    id("clock").textContent = this.film ? `t = ${clock(t, to - from)}, frame ${frame} of ${this.film.times.length}` : "";
    id("rate").value = Math.log10(this.rate);
    const slower = 1 / this.rate;
    id("rate-value").textContent = slower >= 1.05 ? `1 : ${Number(slower.toPrecision(3)).toLocaleString("en")} slower`
      : slower <= 0.95 ? `${Number(this.rate.toPrecision(3))} times faster` : "real time";
    id("rate").setAttribute("aria-valuetext", id("rate-value").textContent);
    this.moved(t);
  }

  /** Draws contacts as bars above the scrub bar, their onsets and separations as ticks. */
  marks(colour, ink) {
    const canvas = id("marks");
    const dots = window.devicePixelRatio || 1;
    const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.round(wide * dots);
    canvas.height = Math.round(high * dots);
    const pen = canvas.getContext("2d");
    pen.scale(dots, dots);
    if (!this.film) return;
    const x = (t) => INSET + ((t - this.from) / (this.to - this.from)) * (wide - 2 * INSET);
    for (const { touch, part } of this.film.events) {
      const end = part ?? this.film.end;
      if (end < this.from || touch > this.to) continue;
      const [a, b] = [Math.max(x(touch), INSET), Math.min(x(end), wide - INSET)];
      pen.fillStyle = colour;
      pen.globalAlpha = 0.35;
      pen.fillRect(a, 6, Math.max(b - a, 1), 8);
      pen.globalAlpha = 1;
      if (touch >= this.from) pen.fillRect(a - 0.75, 2, 1.5, 16);
      pen.fillStyle = ink;
      if (part !== null && part <= this.to) pen.fillRect(b - 0.5, 6, 1, 12);
    }
  }
}

/** Half the width of the slider's thumb: the inset of its ends. */
const INSET = 8;

/** A time with as many digits as the time range needs. */
function clock(t, span) {
  const unit = span >= 1 ? [1, "s"] : span >= 1e-3 ? [1e-3, "ms"] : [1e-6, "µs"];
  const digits = Math.min(Math.max(Math.ceil(-Math.log10(span / unit[0])) + 3, 0), 9);
  return `${(t / unit[0]).toFixed(digits)} ${unit[1]}`;
}
