// Sliders for keys of a scene: those that its [[control]] tables declare, and any key that is typed.

import { element } from "./tools.js";

const STEPS = 1000;

/** A number with few digits, as a change of the scene. */
const plain = (value) => String(Number(value.toPrecision(4)));

export class SceneControls {
  /** `change(keys, value)` when a slider is moved, `add(key)` and `remove(key)` for keys that are typed. */
  constructor(place, { change, add, remove }) {
    this.place = place;
    this.change = change;
    this.remove = remove;
    this.rows = new Map();
    const field = document.getElementById("control-key");
    const typed = () => {
      const text = field.value.trim();
      if (text === "") return;
      // TABLE.KEY=VALUE sets it, TABLE.KEY alone makes a slider of it.
      const [key, value] = text.split(/=(.*)/s).map((word) => word.trim());
      add(key, value);
      field.value = "";
    };
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      typed();
    });
    document.getElementById("control-add").addEventListener("click", typed);
  }

  /** Shows the controls of a film; a slider that is being moved stays as it is. */
  show(controls, typed) {
    const wanted = new Map(controls.map((control) => [control.keys.join(), control]));
    for (const [name, row] of this.rows) {
      if (wanted.has(name)) continue;
      row.line.remove();
      this.rows.delete(name);
    }
    for (const [name, control] of wanted) {
      const known = this.rows.get(name);
      // The range of a key that was typed follows from its value: it stays while the slider is moved.
      const ranged = known && typed.includes(name) ? { ...control, from: known.control.from, to: known.control.to } : control;
      if (known && JSON.stringify({ ...known.control, value: 0 }) === JSON.stringify({ ...ranged, value: 0 })) {
        known.control = ranged;
        this.put(known);
        continue;
      }
      const row = this.row(ranged, typed.includes(name));
      if (known) known.line.replaceWith(row.line);
      else this.place.append(row.line);
      this.rows.set(name, row);
    }
  }

  row(control, removable) {
    const id = `control-${control.keys.join("-").replace(/[^A-Za-z0-9]+/g, "-")}`;
    const slider = element("input", { type: "range", id, min: 0, max: STEPS, step: 1 });
    const field = element("input", { type: "text", "aria-label": `${control.label} as a number`, size: 9, autocomplete: "off", spellcheck: "false" });
    const label = element("label", { for: id, title: control.keys.join(", ") }, control.label);
    const drop = removable && element("button", { type: "button", class: "quiet", "aria-label": `Remove the slider of ${control.label}`, onclick: () => this.remove(control.keys[0]) }, element("span", { "aria-hidden": "true" }, "×"));
    const row = { control, slider, field, line: element("div", { class: "scene-control" }, label, field, slider, drop || "") };
    slider.addEventListener("input", () => {
      const value = this.value(row);
      field.value = text(row.control, value);
      slider.setAttribute("aria-valuetext", field.value);
      this.change(row.control.keys, field.value, true);
    });
    field.addEventListener("change", () => this.change(row.control.keys, withUnit(row.control, field.value.trim()), false));
    this.put(row);
    return row;
  }

  value({ control: { from, to, logarithmic }, slider }) {
    const share = Number(slider.value) / STEPS;
    return logarithmic ? from * (to / from) ** share : from + share * (to - from);
  }

  put({ control, slider, field }) {
    const { from, to, logarithmic, value } = control;
    const share = logarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    if (document.activeElement !== slider) slider.value = Math.round(STEPS * Math.min(Math.max(share, 0), 1));
    if (document.activeElement !== field) field.value = text(control, value);
    slider.setAttribute("aria-valuetext", text(control, value));
  }
}

function text({ unit }, value) {
  return `${plain(value)} ${unit}`.trim();
}

/** What was typed, with the unit of the control where it has none. */
function withUnit({ unit }, typed) {
  return /^[-+0-9.eE]+$/.test(typed) ? `${typed} ${unit}`.trim() : typed;
}
