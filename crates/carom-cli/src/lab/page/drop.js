// A drop test: the bounces that were found in a recording, and restitution over speed.

import { messageWithAdvice } from "./advice.js";
import { Chart } from "./chart.js";
import { filledFields, linkForm, showProblem } from "./form.js";
import { acceptFiles, ask, countAnswer, element, id as place, show, tableParts } from "./tools.js";

const SPEC_FIELDS = ["mass", "diameter", "contact_time", "temperature", "from", "to", "height_error", "time_error"];
// A recording is larger as base64; the server takes 16 MB.
const MAX_RECORDING_BYTES = 11e6;
let record = null;
let running = null;
const wave = new Chart(place("wave"), { name: "wave", title: "The bounces that were found", x: { label: "time", unit: "s" }, y: { label: "sound", unit: "" } });
const curve = new Chart(place("curve"), { name: "restitution", title: "Restitution over speed", x: { label: "impact speed", unit: "m/s" }, y: { label: "restitution", unit: "" } });

acceptFiles(async ([file]) => {
  if (!file) return;
  place("name").textContent = file.name;
  const sound = /\.wav$/i.test(file.name) || file.type === "audio/wav";
  if (sound && file.size > MAX_RECORDING_BYTES) return showProblem(new Error(`${file.name} has ${(file.size / 1e6).toFixed(0)} MB; cut it to less than 11 MB`));
  record = sound ? { wav: await base64(file) } : { csv: await file.text() };
  // Heights of the form belong to another test; the first drop height may be given again.
  for (const id of ["drop", "bounce", "times"]) place(id).value = "";
  place("forget").hidden = false;
  await evaluate();
});
place("forget").addEventListener("click", () => {
  record = null;
  place("forget").hidden = true;
  place("name").textContent = place("name").dataset.empty;
  for (const id of ["drop", "bounce"]) place(id).value = place(id).defaultValue;
  updateAddress();
  evaluate();
});
const updateAddress = linkForm(place("controls"), evaluate);

async function base64(file) {
  const url = await new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}

async function evaluate() {
  running?.abort();
  running = new AbortController();
  const spec = { ...filledFields(SPEC_FIELDS), ...filledFields(["drop", "bounce", "times"]), successive: place("successive").checked };
  if (!record && !spec.bounce) delete spec.drop;
  try {
    showReport(await ask("drop", { spec, ...record }, { signal: running.signal }));
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!error.away) showProblem(error);
  }
  countAnswer();
}

function showReport({ impacts, dependence, law, notes, fitted, wave: recording }) {
  showProblem(null);
  place("wave").hidden = !recording;
  if (recording) {
    const top = 1.08 * recording.sound.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const marks = (times, name, style) => ({ name, style, kind: "dots", x: times, y: times.map(() => top) });
    const lines = recording.bounces.map((t) => ({ name: "", style: 0, dim: true, x: [t, t], y: [-top, top] }));
    wave.show([{ name: "recording", x: recording.time, y: recording.sound }, ...lines, marks(recording.bounces, "bounces", 0), marks(recording.others, "other sounds", 3)]);
  }
  const bars = impacts.flatMap(({ speed: v, speed_error: dv, restitution: e, restitution_error: de }) => [
    { name: "", style: 7, x: [v, v], y: [e - de, e + de] }, { name: "", style: 7, x: [v - dv, v + dv], y: [e, e] }]);
  const dots = { name: "measured", kind: "dots", x: impacts.map((one) => one.speed), y: impacts.map((one) => one.restitution) };
  // The axes show the range of the measurements only.
  curve.x.range = rangeAround(impacts, "speed", 0.12);
  curve.y.range = rangeAround(impacts, "restitution", 0.25);
  curve.show([{ name: dependence.form, style: 0, x: fitted.speed, y: fitted.restitution }, ...bars, dots]);
  const heads = ["impact", "time", "speed", "±", "restitution", "±"];
  const rows = impacts.map((one, i) => [i + 1, one.time === null ? "–" : `${one.time.toFixed(4)} s`, `${one.speed.toFixed(3)} m/s`, one.speed_error.toFixed(3), one.restitution.toFixed(4), one.restitution_error.toFixed(4)]);
  const row = (cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, String(cell))));
  place("impacts").replaceChildren(...tableParts(heads, rows.map(row)));
  const values = impacts.map((one) => one.restitution);
  const [low, high] = [Math.min(...values), Math.max(...values)].map((e) => e.toFixed(3));
  const lines = [["restitution", low === high ? low : `${low} to ${high}`], ["over speed", `${dependence.form}: ${dependence.reason}`]];
  if (law) {
    lines.push(["law", `${law.law}, ε = ${show(law.epsilon, "")} ± ${show(law.epsilon_error, "")} at ${show(law.speed, "m/s")}`]);
    const found = law.identified;
    if (found) lines.push(["stiffness", `K = ${found.pair.stiffness.toPrecision(5)} N/m^${found.pair.exponent}, c = ${found.damping.coefficient.toPrecision(5)} (SI)`]);
  }
  place("law").replaceChildren(...lines.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
  place("notes").replaceChildren(...notes.map(({ message, advice }) => element("li", {}, ...messageWithAdvice(message, advice))));
}

/** The range of a measured number with its errors, and some room around it. */
function rangeAround(impacts, name, share) {
  const low = Math.min(...impacts.map((one) => one[name] - one[`${name}_error`]));
  const high = Math.max(...impacts.map((one) => one[name] + one[`${name}_error`]));
  const room = Math.max(share * (high - low), 0.02 * high);
  return [Math.max(0, low - room), high + room];
}
