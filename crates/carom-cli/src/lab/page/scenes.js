// The page of scenes: the editor, runs of scenes, and what shows them.

import { messageWithAdvice } from "./advice.js";
import { Camera, gestures } from "./camera.js";
import { Comparison } from "./compare.js";
import { onReconnect } from "./connection.js";
import { Editor } from "./editor.js";
import { Film } from "./film.js";
import { Player } from "./player.js";
import { enableRecording } from "./record.js";
import { SceneControls } from "./scene_controls.js";
import { cameraWords, joined, pack, setCamera, unpack } from "./scene_link.js";
import { Stage } from "./stage.js";
import { Strip } from "./strip.js";
import { acceptFiles, ask, colour, countAnswer, download, element, id, perFrame, show } from "./tools.js";
import { continuesLastChange, enableHeaderButtons, saveAddress, updateHistoryPlace } from "./undo.js";
import { duration, followFolder, runWithProgress } from "./watch.js";

const OWN = "your own";
const RUN = "the run";
const STORAGE_KEY = "carom-scene";
const DEFAULT_SCENE = "newtons-cradle";
/** Longest computing time that can be asked for (s). */
const MAX_SECONDS = 100;
let library = [];
let files = {};
/** Keys of the text that are changed before it is run, each as `TABLE.KEY=VALUE`. */
let changes = [];
/** Keys without a control in the scene that have a slider. */
let varied = [];
/** The run that the lab was started with, if any. */
let opened = null;
let pendingRun = null;
let pause;
/** Whether the user has changed the view, so that it is no longer fitted. */
let turned = false;
/** Whether the next film shows another scene, not a change of the current one. */
let otherScene = true;
/** Whether the film is a preview of the initial state, not a run. */
let previewed = false;
/** The user's own last text, with its files. */
let own = null;
/** Whether the last run was not answered because the lab was away. */
let runMissed = false;
/** View settings of a link, for the next film. */
let look = null;

const camera = new Camera();
const stage = new Stage(id("canvas"), camera);
const comparison = new Comparison(stage);
const redraw = perFrame(() => {
  stage.draw(player.t);
  comparison.draw(player.t);
});
const strip = new Strip(id("plots"), (t) => {
  player.pause();
  player.seek(t);
});
const player = new Player(
  (t) => {
    redraw();
    strip.mark(t);
    showNumbers(t);
    remember();
  },
  () => {
    player.marks(stage.css(stage.force), stage.css(stage.ink));
    if (player.film) strip.draw(player.film, player.from, player.to, player.t);
  });
const editor = new Editor(textEdited, () => run({ play: true }));

let addressTimer;
/** Whether the next address is a new entry of the history, which Undo takes back. */
let newEntry = false;

/** Writes the address, as one more entry of the history where something was changed. */
function writeAddress(words) {
  saveAddress(words, !newEntry);
  newEntry = false;
}

/** The scene of the library and its changed keys, as the part of an address after #. */
function sceneWords(time) {
  return joined([["scene", id("library").value], ["t", time ? String(Number(time.toPrecision(6))) : ""], ...changes.map((change) => ["set", change]), ...varied.map((key) => ["vary", key])]);
}

/** Records a change in the history at once, so that Undo takes it back alone; the view settings follow once it is shown. */
function recordChange() {
  if (![OWN, RUN].includes(id("library").value)) writeAddress(sceneWords(player.t));
}

/** Writes the scene and the view settings into the address, after a pause without changes. */
function remember() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(async () => {
    const { film, options } = stage;
    if (!film || pendingRun) return;
    const chosen = id("library").value;
    const mine = chosen === OWN;
    // Files that the text reads are not in the address, and so neither is the text.
    const text = mine && Object.keys(files).length === 0 ? await pack(editor.text) : null;
    const usual = film.planar ? "orthographic" : "perspective";
    const followed = film.bed ? id("grain").value : options.follow >= 0 ? film.bodies[options.follow].name : "";
    const words = joined([
      ...(mine ? [["text", text]] : chosen === RUN ? [["run", true]] : [["scene", chosen]]),
      ...(!mine || text ? [...changes.map((change) => ["set", change]), ...varied.map((key) => ["vary", key])] : []),
      ["t", player.t > 0 ? String(Number(player.t.toPrecision(6))) : ""],
      ["range", player.from > 0 || player.to < film.length ? [player.from, player.to].map((at) => Number(at.toPrecision(6))).join() : ""],
      ["rate", player.chosen ? String(Number(player.rate.toPrecision(4))) : ""], ["slow", id("slow").checked ? "1" : ""],
      ["camera", turned ? cameraWords(camera) : ""],
      ["projection", id("projection").value === usual ? "" : id("projection").value],
      ["follow", followed],
      ["arrows", options.arrows === "log" ? "" : options.arrows],
      ["traces", options.traces === "none" ? "" : options.traces],
      ["names", options.names ? "1" : ""], ["links", options.links ? "" : "0"],
      ["colour", options.colour === "speed" ? "" : options.colour], ["chains", options.chains ? "1" : ""],
      ["slice", options.slice ? [options.slice.axis, options.slice.at, options.slice.thickness].join() : ""],
    ]);
    // A text that is too long for an address is kept in this tab alone.
    writeAddress(mine && !text ? "" : words);
  }, 250);
}

/** Applies the view settings of a link. */
function lookAs(words, film, time) {
  const { options } = stage;
  for (const name of ["arrows", "traces", "projection", "colour"]) {
    const list = id(name);
    if ([...list.options].some((option) => option.value === words.get(name))) list.value = words.get(name);
  }
  Object.assign(options, { arrows: id("arrows").value, traces: id("traces").value, colour: id("colour").value });
  if (words.has("chains")) options.chains = id("chains").checked = true;
  const slice = words.get("slice")?.split(",").map(Number) ?? [];
  if (slice.length === 3 && slice.every(Number.isFinite) && [0, 1, 2].includes(slice[0])) {
    [id("slice-axis").value, id("slice-at").value, id("slice-thickness").value] = slice;
    selectedSlice();
  }
  camera.perspective = id("projection").value === "perspective";
  if (words.has("names")) options.names = id("names").checked = true;
  if (words.get("links") === "0") options.links = id("links").checked = false;
  const wanted = words.get("follow");
  if (wanted !== null && film.bed) {
    id("grain").value = wanted;
    options.follow = followedGrain();
  } else if (wanted !== null) {
    const found = [...id("follow").options].find((option) => option.textContent === wanted);
    if (found) options.follow = Number((id("follow").value = found.value));
  }
  stage.hold(time);
  camera.updateAxes();
  if (setCamera(camera, words.get("camera"))) turned = true;
}

/** Runs the text; cancels a previous run, also on the server. Returns false if the scene could not be run. */
async function run({ play = false, start = false, time = 0, seconds } = {}) {
  clearTimeout(pause);
  // Remove messages about the previous text or run.
  if (start) id("working").textContent = pendingRun && id("run").textContent === "Stop" ? "stopped: the text was changed" : "";
  pendingRun?.abort();
  const mine = (pendingRun = new AbortController());
  id("run").textContent = start ? "Run" : "Stop";
  try {
    const request = { scene: editor.text, files, set: changes, controls: varied, ...(start ? { seconds: 0 } : seconds ? { seconds } : {}) };
    let [watching, end] = [false, 0];
    // The time to show: that of a link once the run has reached it, or the one that the user has moved to.
    const now = () => (!watching || (player.t >= end && time > player.t) ? time : player.t);
    const answer = start ? await ask("simulate", request, { signal: mine.signal }) : await runWithProgress(request, mine.signal, {
      onProgress: ({ done, of, left }) => {
        if (mine !== pendingRun) return;
        Object.assign(id("progress"), { hidden: false, max: of, value: done });
        id("working").textContent = `${show(done, "s")} of ${show(of, "s")}${left === null ? "" : `, ${duration(left)} left`}`;
      },
      // The film so far is played while the rest is computed.
      onFilm: (film) => {
        if (mine !== pendingRun) return;
        const [at, playing] = [now(), watching ? player.playing || player.t >= end : play];
        watching = true;
        showFilm(film, false, at);
        end = player.film.end;
        if (playing && !prefersReducedMotion()) player.play();
      },
    });
    if (mine !== pendingRun) return true;
    runMissed = false;
    if (watching) [time, play] = [now(), play && (player.playing || player.t >= end)];
    editor.showError(null);
    if (!start) id("working").textContent = `${answer.steps} steps, computed in ${answer.computed.toFixed(answer.computed < 0.1 ? 2 : 1)} s`;
    showFilm(answer, start, time);
    if (play && !prefersReducedMotion()) player.play();
    return true;
  } catch (error) {
    if (mine !== pendingRun) return true;
    if (error.name === "AbortError") {
      id("working").textContent = "stopped";
      return true;
    }
    id("working").textContent = "";
    runMissed = Boolean(error.away);
    if (!runMissed) editor.showError(error.message);
    return false;
  } finally {
    if (mine === pendingRun) {
      id("progress").hidden = true;
      pendingRun = null;
      id("run").textContent = "Run";
      countAnswer();
    }
  }
}

/** A button that runs a scene again with more computing time, or a hint where the lab allows no more. */
function moreTime({ computed }) {
  if (computed > 0.9 * MAX_SECONDS) return "Use the command carom simulate for longer runs; carom lab plays the folder that it writes.";
  return element("button", { type: "button", class: "advice", onclick: () => run({ play: true, seconds: MAX_SECONDS }) }, `Compute for up to ${MAX_SECONDS} s`);
}

/** Whether the user prefers reduced motion. */
function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Shows a run, or the initial state of a scene. */
function showFilm(answer, start, time) {
  const film = new Film(answer);
  // A preview while typing keeps the view; the run fits it, since only the run shows how far bodies move.
  const known = new Set(stage.film?.bodies.slice(1).map((body) => body.name));
  const anew = otherScene || stage.film?.title !== film.title || stage.film.planar !== film.planar || !film.bodies.some((body) => known.has(body.name));
  const refit = previewed && !start && !turned;
  otherScene = false;
  previewed = start;
  camera.flat = film.planar;
  stage.show(film);
  id("follow").parentElement.hidden = Boolean(film.bed);
  id("grain-field").hidden = id("bed-fields").hidden = !film.bed;
  id("arrows-field").hidden = Boolean(film.bed);
  id("grain").max = (film.bed?.count ?? 1) - 1;
  if (anew) id("grain").value = "";
  const follow = id("follow");
  const before = follow.selectedOptions[0]?.textContent;
  follow.replaceChildren(element("option", { value: -1 }, "nothing"),
    ...film.bodies.flatMap((body, index) => (body.moves === "free" ? [element("option", { value: index }, body.name)] : [])));
  const same = [...follow.options].find((option) => option.textContent === before);
  follow.value = same?.value ?? -1;
  stage.options.follow = film.bed ? followedGrain() : Number(follow.value);
  if (anew) {
    camera.perspective = !film.planar;
    id("projection").value = film.planar ? "orthographic" : "perspective";
    camera.turnTo(film.planar ? "front" : "space");
    turned = false;
  }
  if (anew || refit) stage.fit();
  stage.hold(time, true);
  const words = start ? null : look;
  if (words) {
    lookAs(words, film, time);
    look = null;
  }
  const problem = id("problem");
  problem.hidden = !film.stopped || start;
  problem.replaceChildren(film.stopped ?? "", ...(film.out_of_time ? [" ", moreTime(film)] : []));
  id("about").textContent = film.about.replace(/\n(?!\n)/g, " ");
  const notes = start ? [] : film.notes;
  id("notes-section").hidden = notes.length === 0;
  id("notes").replaceChildren(...notes.map((note) => element("li", {}, ...sceneMessage(note))));
  document.title = `${film.title} – carom lab`;
  const held = film.bed ? `${film.bed.count} grains` : film.bodies.slice(1).map((body) => body.name).join(", ");
  id("canvas").setAttribute("aria-label", `${film.title}: ${held}`);
  sceneControls.show(film.controls, varied);
  showChanges();
  player.load(film, time);
  if (words) playAs(words, film);
}

/** Applies the time range and the rate of a link. */
function playAs(words, film) {
  const [from, to] = words.get("range")?.split(",").map(Number) ?? [];
  if (from >= 0 && to > from && from < film.length) player.setRange(from, to);
  const rate = Number(words.get("rate"));
  if (rate > 0 && rate <= 10) Object.assign(player, { chosen: true, rate });
  id("slow").checked = words.has("slow");
  player.show();
}

/** The changes as they are listed: those of one control together under its label, others by their key. */
function changeLabels() {
  const controls = stage.film?.controls ?? [];
  const groups = new Map();
  for (const change of changes) {
    const [key, value] = change.split(/=(.*)/s);
    const control = controls.find(({ keys }) => keys.includes(key) && keys.every((other) => changes.includes(`${other}=${value}`)));
    const text = control ? `${control.label} = ${value}` : change;
    groups.set(text, [...(groups.get(text) ?? []), change]);
  }
  return groups;
}

/** The keys that are changed, each with a button that takes the change back. */
function showChanges() {
  id("changes").hidden = changes.length === 0;
  id("changes").replaceChildren(...[...changeLabels()].map(([text, group]) => element("li", { title: group.join("\n") }, text, element("button", {
    type: "button", "aria-label": `Take back ${text}`, onclick: () => {
      newEntry = true;
      changes = changes.filter((other) => !group.includes(other));
      recordChange();
      showChanges();
      run({ play: player.playing, time: player.t });
    },
  }, element("span", { "aria-hidden": "true" }, "×")))));
  id("stage-caption").textContent = runCaption();
}

/** A caption that distinguishes this run from others of the same scene. */
function runCaption() {
  return changes.length > 0 ? [...changeLabels().keys()].join(", ") : "as in the text";
}

/** Sets keys and runs the scene again; a slider that is moved waits for the run before. */
function setKeys(keys, value, moving = false) {
  if (!continuesLastChange(keys.join())) newEntry = true;
  changes = [...changes.filter((change) => !keys.some((key) => change.startsWith(`${key}=`))), ...keys.map((key) => `${key}=${value}`)];
  recordChange();
  showChanges();
  clearTimeout(pause);
  pause = setTimeout(() => run({ play: player.playing, time: player.t }), moving ? 120 : 0);
}

const sceneControls = new SceneControls(id("scene-controls"), {
  change: setKeys,
  // An invalid entry is taken back; its error message stays.
  add: async (key, value) => {
    const before = [changes, varied];
    newEntry = true;
    if (value !== undefined) changes = [...changes.filter((change) => !change.startsWith(`${key}=`)), `${key}=${value}`];
    else varied = [...varied.filter((other) => other !== key), key];
    if (!(await run({ play: player.playing, time: player.t }))) [changes, varied] = before;
  },
  remove: (key) => {
    newEntry = true;
    varied = varied.filter((other) => other !== key);
    recordChange();
    run({ play: player.playing, time: player.t });
  },
});

/** Reads which slice of a bed is shown. */
function selectedSlice() {
  const axis = Number(id("slice-axis").value);
  id("slice-fields").hidden = axis < 0;
  stage.options.slice = axis < 0 ? null : { axis, at: Number(id("slice-at").value), thickness: Number(id("slice-thickness").value) };
}

/** A note of a run, with buttons that change the keys it advises to set and run the scene again. */
function sceneMessage({ message, advice }) {
  return messageWithAdvice(message, advice, (action) => (action.do === "set" ? action.text : undefined), ({ parameter, value }) => {
    setKeys([parameter], value);
  });
}

/** Updates all values that depend on the time. */
function showNumbers(t) {
  const { film } = player;
  if (!film || strip.film !== film) return;
  const touches = new Map();
  for (const { contact, force, depth } of film.pushes(t)) {
    const { name } = film.contacts[contact];
    const sum = touches.get(name) ?? { force: 0, depth: 0 };
    touches.set(name, { force: sum.force + force, depth: Math.max(sum.depth, depth) });
  }
  const rows = film.ledger(t).map(([name, value], style) => [style, name, show(value, "J")]);
  for (const { name, style } of strip.curves[1]) {
    const touch = touches.get(name);
    rows.push([style, name, touch ? `${show(touch.force, "N")} at ${show(touch.depth, "m")}` : "–"]);
    touches.delete(name);
  }
  if (touches.size > 0) rows.push([null, "other contacts that touch", String(touches.size)]);
  const { follow } = stage.options;
  if (follow >= 0) {
    rows.push([null, `${film.nameOf(follow)} at`, film.positionOf(follow, t).map((value) => show(value, "m")).join(", ")]);
    if (film.bed) rows.push(...film.bed.numbers(follow, t).map((row) => [null, ...row]));
  }
  const place = id("numbers");
  // Reuse the elements: this runs at every frame.
  while (place.children.length > rows.length) place.lastChild.remove();
  rows.forEach(([style, name, value], i) => {
    const row = place.children[i] ?? place.appendChild(element("div", {}, element("dt", {}, element("i"), element("span")), element("dd")));
    const [swatch, label] = row.firstChild.children;
    swatch.style.borderColor = style === null ? "transparent" : colour(style);
    swatch.style.borderTopStyle = style >= 8 ? "dashed" : "solid";
    label.textContent = label.title = name;
    row.lastChild.textContent = value;
  });
}

/** Stores the user's own text for as long as the tab is open. */
function storeText() {
  // Until it is shown, the address has no text: that of the text before would be wrong.
  if (id("library").value !== OWN) newEntry = true;
  writeAddress("");
  id("library").value = OWN;
  own = { text: editor.text, files, changes };
  try {
    // If it is too large to store, remove an older text.
    sessionStorage.removeItem(STORAGE_KEY);
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(own));
  } catch {
    // It is kept until the page is left.
  }
}

/** The stored text, from this page or from before a reload. */
function storedText() {
  try {
    return own ?? JSON.parse(sessionStorage.getItem(STORAGE_KEY));
  } catch {
    return null;
  }
}

/** Returns to the user's own text, or starts one from the current text. */
function resume(options) {
  const found = storedText();
  if (typeof found?.text === "string") {
    otherScene = true;
    files = found.files ?? {};
    changes = found.changes ?? [];
    editor.text = found.text;
  }
  storeText();
  run(options);
}

/** The text was changed by hand: the start is shown soon. */
function textEdited() {
  storeText();
  clearTimeout(pause);
  pause = setTimeout(() => run({ start: true }), 400);
}

/** Takes files: one scene, and what it reads. */
async function openFiles(list) {
  const texts = await Promise.all([...list].map(async (file) => [file.name, await file.text()]));
  const scene = texts.find(([name]) => name.endsWith(".toml")) ?? texts[0];
  if (!scene) return;
  files = Object.fromEntries(texts.filter((entry) => entry !== scene));
  [changes, varied] = [[], []];
  otherScene = newEntry = true;
  editor.text = scene[1];
  storeText();
  run({ play: true });
}

function choose(name, options) {
  const found = library.find((entry) => entry.name === name);
  if (!found) return;
  files = {};
  [changes, varied] = [options.set ?? [], options.vary ?? []];
  id("library").value = name;
  writeAddress(sceneWords(options.time));
  otherScene = true;
  editor.text = found.text;
  run(options);
}

/** Shows the run that the lab was started with, as it was. */
function replay({ play = false, time = 0 } = {}) {
  clearTimeout(pause);
  pendingRun?.abort();
  pendingRun = null;
  id("run").textContent = "Run";
  ({ files, set: changes } = opened.source);
  id("library").value = RUN;
  writeAddress(`run${time ? `&t=${time}` : ""}`);
  otherScene = true;
  editor.text = opened.source.scene;
  editor.showError(null);
  varied = [];
  showFilm(opened, false, time);
  showFolderProgress();
  if (play && !prefersReducedMotion()) player.play();
  countAnswer();
}

/** Shows the progress of the run in the folder while `carom simulate` is running. */
function showFolderProgress() {
  const { running, time, duration: whole, left, folder } = opened;
  Object.assign(id("progress"), { hidden: !running, max: whole, value: time });
  id("working").textContent = running ? `${folder} is being computed: ${show(time, "s")} of ${show(whole, "s")}${left ? `, ${duration(left)} left` : ""}` : `read from ${folder}`;
}

/** Shows more of the run in the folder after it has advanced; the time stays, or follows the end. */
async function updateRun() {
  opened = await ask("run");
  if (id("library").value !== RUN || pendingRun) return;
  const { playing, t } = player;
  const atEnd = player.film && !playing && t >= player.film.end;
  showFilm(opened, false, atEnd ? opened.time : t);
  showFolderProgress();
  if (playing) player.play();
  countAnswer();
}

/** The grain that is followed; -1 for none. */
function followedGrain() {
  const { value, max } = id("grain");
  const number = Math.round(Number(value));
  return value === "" || !(number >= 0) ? -1 : Math.min(number, Number(max));
}

function createControls() {
  id("library").addEventListener("change", ({ target: { value } }) => {
    newEntry = true;
    if (value === RUN) replay({ play: true });
    else if (value === OWN) resume({ play: true });
    else choose(value, { play: true });
  });
  id("run").addEventListener("click", () => (pendingRun && id("run").textContent === "Stop" ? pendingRun.abort() : run({ play: true })));
  id("save").addEventListener("click", () => download("scene.toml", editor.text, "text/plain"));
  acceptFiles(openFiles);
  // Keys play the film again once the file is chosen.
  id("file").addEventListener("change", (event) => event.target.blur());
  enableRecording(id("film"), id("canvas"), player, () => (stage.film?.title ?? "scene").toLowerCase().replace(/[^a-z0-9]+/g, "-"));
  id("controls").addEventListener("submit", (event) => event.preventDefault());
  const option = (name, read) => id(name).addEventListener("change", (event) => {
    stage.options[name] = read(event.target);
    if (name === "follow") {
      stage.hold(player.t, true);
      showNumbers(player.t);
    }
    remember();
    redraw();
  });
  option("follow", (select) => Number(select.value));
  const followGrain = () => {
    stage.options.follow = followedGrain();
    stage.hold(player.t, true);
    showNumbers(player.t);
    remember();
    redraw();
  };
  id("grain").addEventListener("change", followGrain);
  // A click without dragging selects the grain under it, or none.
  let pressed = null;
  id("canvas").addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
  id("canvas").addEventListener("click", (event) => {
    const { film } = stage;
    if (!film?.bed || !pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
    const box = id("canvas").getBoundingClientRect();
    const found = film.bed.at(event.clientX - box.left, event.clientY - box.top);
    if (found < 0) return;
    id("grain").value = found;
    followGrain();
  });
  option("arrows", (select) => select.value);
  option("traces", (select) => select.value);
  option("names", (box) => box.checked);
  option("colour", (select) => select.value);
  option("chains", (box) => box.checked);
  for (const name of ["slice-axis", "slice-at", "slice-thickness"]) {
    id(name).addEventListener("input", () => {
      selectedSlice();
      remember();
      redraw();
    });
  }
  id("keep").addEventListener("click", () => {
    const keeps = comparison.film === null && stage.film;
    comparison.keep(keeps ? stage.film : null, keeps ? runCaption() : "");
    id("keep").textContent = keeps ? "End comparison" : "Compare";
    stage.resize();
    if (!turned && stage.options.follow < 0) stage.fit();
    redraw();
  });
  option("links", (box) => box.checked);
  id("slow").addEventListener("change", remember);
  id("projection").addEventListener("change", (event) => {
    camera.perspective = event.target.value === "perspective";
    remember();
    redraw();
  });
  const fit = () => {
    turned = false;
    stage.fit();
    stage.hold(player.t);
    remember();
    redraw();
  };
  const moved = () => {
    turned = true;
    remember();
    redraw();
  };
  for (const button of document.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => {
      const { view } = button.dataset;
      const zooms = view === "in" || view === "out";
      if (zooms) camera.zoom(view === "in" ? 1.5 : 1 / 1.5);
      else if (view !== "fit") camera.turnTo(view);
      if (zooms) moved();
      else fit();
    });
  }
  gestures(id("canvas"), camera, moved, fit);
  new ResizeObserver(perFrame(() => {
    stage.resize();
    comparison.resize();
    if (!turned && stage.options.follow < 0) fit();
    player.framed();
    stage.draw(player.t);
    comparison.draw(player.t);
  })).observe(id("stage"));
  // After the stage has changed its colours.
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => player.framed());
}

async function start() {
  createControls();
  stage.resize();
  [library, opened] = await Promise.all([ask("scenes"), ask("run")]);
  if (opened) id("library").append(element("option", { value: RUN }, `${opened.title} (read from ${opened.folder})`));
  id("library").append(...library.map(({ name, title }) => element("option", { value: name }, title)), element("option", { value: OWN }, OWN));
  // A link may name a scene and a time (s); without one the user's own text is restored.
  const linked = async () => {
    updateHistoryPlace();
    const words = new URLSearchParams(location.hash.slice(1));
    look = words;
    const text = words.has("text") ? await unpack(words.get("text")) : null;
    if (text !== null) {
      own = { text, files: {}, changes: words.getAll("set") };
      return resume({ time: Number(words.get("t")) || 0 });
    }
    if (!location.hash && storedText()) return resume({});
    if (opened && (!location.hash || words.has("run"))) return replay({ time: Number(words.get("t")) || 0 });
    const wanted = [words.get("scene"), DEFAULT_SCENE].map((name) => library.find((entry) => entry.name === name));
    const known = wanted.find(Boolean) ?? library[0];
    choose(known.name, { time: Number(words.get("t")) || 0, set: words.getAll("set"), vary: words.getAll("vary") });
  };
  window.addEventListener("hashchange", linked);
  enableHeaderButtons(() => {
    newEntry = true;
    const chosen = id("library").value;
    if (chosen === RUN) replay();
    else if (chosen !== OWN) choose(chosen, {});
    else {
      [changes, varied] = [[], []];
      run();
    }
  });
  onReconnect(() => runMissed && run({ time: player.t }));
  linked();
  if (opened) followFolder(updateRun);
}

start().catch((error) => {
  id("problem").textContent = error.message;
  id("problem").hidden = false;
});
