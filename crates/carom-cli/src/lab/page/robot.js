// The page of robot files: contacts with the restitution that they deliver, findings, and the file with changed parameters.

import { filledFields, linkForm, showProblem } from "./form.js";
import { acceptFiles, ask, countAnswer, download, element, id as place, show, tableParts } from "./tools.js";

let texts = {};
let changed = null;
let running = null;

const EXAMPLE = `<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="foot" pos="0 0 0.5">
      <freejoint/>
      <geom name="foot" type="sphere" size="0.04" mass="1.2" solref="0.001 0.2"/>
    </body>
  </worldbody>
</mujoco>
`;

acceptFiles(async (dropped) => {
  if (dropped.length > 0) await readFiles(Object.fromEntries(await Promise.all(dropped.map(async (file) => [file.name, await file.text()]))));
});
place("example").addEventListener("click", () => readFiles({ "foot.xml": EXAMPLE }));

async function readFiles(files) {
  texts = files;
  const names = Object.keys(texts);
  place("name").textContent = names.join(", ");
  // The main file is the one that no other file includes.
  const robot = names.find((name) => !names.some((other) => other !== name && texts[other].includes(name))) ?? names[0];
  place("which").replaceChildren(...names.map((name) => element("option", { selected: name === robot }, name)));
  place("which-field").hidden = names.length < 2;
  await check();
}
place("which").addEventListener("change", check);
linkForm(place("controls"), check);
place("save").addEventListener("click", () => {
  if (!changed) return;
  // Included files keep their names, by which the file refers to them.
  for (const [name, text] of Object.entries(changed.texts)) download(name, text, "text/xml");
  download(place("which").value.replace(/(\.\w+)?$/, "_fixed$1"), changed.text, "text/xml");
});

async function check() {
  if (Object.keys(texts).length === 0) return;
  running?.abort();
  running = new AbortController();
  const { speed, ...spec } = filledFields(["speed", "engine", "step", "mass", "restitution"]);
  if (speed) spec.speed = speed.split(",").map((one) => one.trim());
  try {
    const answer = await ask("check", { files: texts, name: place("which").value, spec }, { signal: running.signal });
    showProblem(null);
    report(answer);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!error.away) showProblem(error);
    place("save").hidden = true;
  }
  countAnswer();
}

function report({ engine, version, step, pairs, findings, fix }) {
  place("report").hidden = false;
  place("engine-line").textContent = `${version.toLowerCase().startsWith(engine) ? version : `${engine} ${version}`}, step ${show(step, "s")}`;
  const after = fix?.report.pairs;
  const heads = ["contact", "speed", "restitution", "within a step", ...(after ? ["changed to"] : []), "duration", "penetration", "force", "mass"];
  const rows = pairs.map((pair, i) => {
    const range = pair.restitution_range;
    const cells = [
      pair.geometries.join(" – "), show(pair.speed, "m/s"), number(pair.restitution), range ? `${number(range[0])} … ${number(range[1])}` : "–",
      ...(after ? [number(after[i]?.restitution)] : []), pair.duration === null ? "stay together" : show(pair.duration, "s"),
      show(pair.penetration, "m"), show(pair.force_max, "N"), show(pair.mass === null ? null : 1e3 * pair.mass, "g"),
    ];
    return element("tr", { title: combined(pair.parameters) }, ...cells.map((cell) => element("td", {}, cell)));
  });
  place("contacts").replaceChildren(...tableParts(heads, rows));
  const items = findings.map(({ kind, file, line, message, advice }) => element("li", { "data-kind": kind },
    element("span", { class: "line" }, `${file ?? ""}${line ? ` line ${line}: ` : ""}`.trimStart()), `${message}; ${advice}`));
  place("findings").replaceChildren(...(items.length > 0 ? items : [element("li", {}, "No problems found.")]));
  changed = fix ?? null;
  place("save").hidden = changed === null;
  const changes = (fix?.changes ?? []).map(({ file, line, parameter, before, after }) =>
    element("li", {}, `${file ? `${file}, ` : ""}line ${line}: `, element("code", {}, `${parameter} ${before ?? "(new)"} → ${after}`)));
  place("changes").replaceChildren(...changes, ...(fix?.shortfall ?? []).map((one) => element("li", { class: "bad" }, one)));
}

function number(value) {
  return value === null || value === undefined ? "–" : value.toFixed(4);
}

/** How the engine combines the parameters of the two geometries. */
function combined(parameters) {
  return parameters.map(({ name, used, rule }) => `${name} = ${used.join(" ")}: ${rule}`).join("\n");
}

// Without a file there is nothing to wait for.
document.body.dataset.shown = 0;
