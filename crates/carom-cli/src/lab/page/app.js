// The page: one state, one request after every change, and the parts that show the answer.

import { onReconnect } from "./connection.js";
import { createControls, markInvalid, showControls } from "./controls.js";
import { focusControl, loadLaws, showLaws } from "./laws.js";
import { acceptMeasuredFiles, measuredColumns, measuredNumbers } from "./measured.js";
import { createPlots, refreshDelivered, showLook, showPlots } from "./plots.js";
import { downloads, impactMessage, showReadOff, showResults, showResultsAgain } from "./results.js";
import { chosenLaws, focusChoices, focusedName, focusedSpec, look, onChange, onLook, read, reset, spec, state } from "./state.js";
import { ask, copy, countAnswer, element } from "./tools.js";
import { enableHeaderButtons } from "./undo.js";

const POINTS = 160;
const FIGURE_WIDTH = 460;
let latest = null;
let pendingAnswer = null;
let changedMeanwhile = false;
// The last good answer of each law, and the impact that it belongs to.
let lastGood = { impact: "", laws: new Map() };

/** The request for the current state. */
function request() {
  return { spec: spec(), laws: chosenLaws(), points: POINTS, draw: false };
}

/** The request for a figure to keep, with the measured points. */
function figureRequest() {
  return { ...request(), draw: true, width: FIGURE_WIDTH, measured: measuredColumns() ?? {} };
}

/** Sends one request at a time; after its answer the newest state is sent, if it has changed meanwhile. */
async function refresh() {
  if (pendingAnswer) {
    changedMeanwhile = true;
    return;
  }
  const start = performance.now();
  const asked = request();
  pendingAnswer = ask("view", asked);
  try {
    const view = await pendingAnswer;
    // If all laws fail, the error is one of the impact: the last good result stays, dimmed.
    const refusals = view.results.filter((r) => r.error);
    if (refusals.length === view.results.length && refusals.length > 0) {
      throw Object.assign(new Error(refusals[0].error), { advice: refusals[0].advice, parameter: refusals[0].parameter, view });
    }
    problem(null);
    show(keepLast(view, JSON.stringify(asked.spec)));
    refreshDelivered(asked);
    document.body.dataset.roundTrip = (performance.now() - start).toFixed(1);
    document.body.dataset.plotted ??= performance.now().toFixed(0);
  } catch (error) {
    if (!error.away) problem(error);
    // Shows the error of each law if they differ, or if there is no earlier result.
    if (error.view && (!latest || !sameError(error.view.results))) show(error.view);
  }
  pendingAnswer = null;
  countAnswer();
  if (changedMeanwhile) {
    changedMeanwhile = false;
    refresh();
  }
}

/** Whether all laws fail for the same reason. */
function sameError(refusals) {
  return refusals.every((r) => r.error === refusals[0].error || (r.parameter && r.parameter === refusals[0].parameter));
}

/** If a law fails for the same impact, its last good result stays, marked. */
function keepLast(view, impact) {
  if (lastGood.impact !== impact) lastGood = { impact, laws: new Map() };
  for (const result of view.results) {
    const before = lastGood.laws.get(result.law);
    if (result.report) lastGood.laws.set(result.law, result);
    else if (before) Object.assign(result, { report: before.report, course: before.course, stale: true });
  }
  // Fields of single laws are shown for the law in focus only.
  const label = focusChoices().find(([law]) => law === focusedName())?.[1];
  const focused = view.results.find((r) => r.error && r.law === label);
  if (focused) markInvalid({ message: focused.error, parameter: focused.parameter }, focused.law);
  return view;
}

function show(view) {
  latest = view;
  showResults(view, measuredNumbers());
  showPlots(view, measuredColumns());
}

/** Shows an error of the impact above the plots and at its field, and dims the last result. */
function problem(error) {
  const place = document.getElementById("problem");
  place.hidden = !error;
  if (error) place.replaceChildren(...impactMessage(error.message, error.advice));
  document.body.classList.toggle("stale", Boolean(error));
  markInvalid(error);
}

/** Exports the focused law as input for another simulator. */
async function showExport() {
  const place = document.getElementById("export");
  const description = focusedSpec();
  if (state.tab !== "export") return;
  // Errors of the impact are already shown at the top.
  if (!description || !document.getElementById("problem").hidden) return place.replaceChildren();
  const asked = state.engine + JSON.stringify(description);
  if (place.dataset.asked === asked) return;
  place.dataset.asked = asked;
  try {
    const deck = await ask("export/" + state.engine, description);
    if (place.dataset.asked !== asked) return;
    const button = element("button", { type: "button", id: "copy-export" }, "Copy");
    button.addEventListener("click", () => copy(button, deck.text));
    const lost = deck.lost.length > 0 ? `What is lost: ${deck.lost.join("; ")}.` : "Nothing is lost.";
    place.replaceChildren(
      element("p", {}, `It applies ${deck.expresses.form} and delivers e = ${deck.delivers.restitution.toFixed(4)}. ${lost} `, button),
      element("pre", { tabindex: 0, role: "region", "aria-label": "Input file" }, deck.text));
  } catch (error) {
    place.replaceChildren(element("p", { class: "bad" }, ...impactMessage(error.message, error.advice)));
  }
}

/** Makes the tabs below the answer work with mouse and keyboard. */
function enableTabs() {
  const buttons = [...document.querySelectorAll("[role=tab]")];
  for (const [i, button] of buttons.entries()) {
    button.addEventListener("click", () => look({ tab: button.dataset.tab }));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = buttons.at((i + step) % buttons.length);
      look({ tab: next.dataset.tab });
      next.focus();
    });
  }
}

function showTabs() {
  for (const button of document.querySelectorAll("[role=tab]")) {
    const chosen = button.dataset.tab === state.tab;
    button.setAttribute("aria-selected", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
    document.getElementById("tab-" + button.dataset.tab).hidden = !chosen;
  }
}

async function start() {
  await Promise.all([createControls(), loadLaws()]);
  createPlots(showReadOff);
  focusControl();
  enableTabs();
  enableHeaderButtons(reset);
  onReconnect(refresh);
  acceptMeasuredFiles(() => latest && show(latest));
  downloads(figureRequest, () => latest);
  const form = document.getElementById("controls");
  form.addEventListener("submit", (event) => event.preventDefault());
  const fold = document.getElementById("fold");
  fold.addEventListener("click", () => fold.setAttribute("aria-expanded", String(!form.classList.toggle("folded"))));
  window.addEventListener("hashchange", read);
  window.addEventListener("popstate", read);
  let pause;
  onChange(() => {
    // First, so that the rest is done while the server computes.
    refresh();
    showControls();
    showLaws();
    showTabs();
    showLook();
    clearTimeout(pause);
    pause = setTimeout(showExport, 200);
  });
  onLook(() => {
    showTabs();
    showLook();
    showResultsAgain();
    showExport();
  });
  read();
}

start().catch((error) => {
  const problem = document.getElementById("problem");
  problem.textContent = error.message;
  problem.hidden = false;
});
