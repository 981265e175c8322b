// The page: one state, one request after every change, and the parts that show the answer.

import { controls, showControls } from "./controls.js";
import { focusControl, laws, showLaws } from "./laws.js";
import { dropping, measured, measuredNumbers } from "./measured.js";
import { plots, plotWidth, showPlots } from "./plots.js";
import { downloads, impactMessage, showResults } from "./results.js";
import { chosenLaws, focusedLaw, onChange, read, reset, spec, state } from "./state.js";
import { ask, copy, element, perFrame } from "./tools.js";

const POINTS = 160;
let latest = null;
let asking = null;
let again = false;

/** The request for the current state. */
function request() {
  const data = measured();
  return {
    spec: spec(), laws: chosenLaws(), points: POINTS, width: plotWidth(),
    measured: data ?? {},
  };
}

/** Sends one request at a time; after its answer the newest state is sent, if it has changed meanwhile. */
async function refresh() {
  if (asking) {
    again = true;
    return;
  }
  const problem = document.getElementById("problem");
  const start = performance.now();
  asking = ask("view", request());
  try {
    latest = await asking;
    problem.hidden = true;
    showResults(latest, measuredNumbers());
    showPlots(latest);
    // An error that all laws have in common belongs to the impact: show it at the top.
    const refused = latest.results.filter((r) => r.error);
    if (refused.length === latest.results.length && refused.length > 0) throw Object.assign(new Error(refused[0].error), { advice: refused[0].advice });
    document.body.dataset.roundTrip = (performance.now() - start).toFixed(1);
  } catch (error) {
    problem.replaceChildren(...impactMessage(error.message, error.advice));
    problem.hidden = false;
  }
  asking = null;
  document.body.dataset.shown = Number(document.body.dataset.shown ?? 0) + 1;
  if (again) {
    again = false;
    refresh();
  }
}

/** Exports the focused law as input for another simulator. */
async function exported() {
  const place = document.getElementById("export");
  const law = focusedLaw();
  // Errors of the impact are already shown at the top.
  if (!law || !document.getElementById("problem").hidden) return place.replaceChildren();
  const asked = `${law} ${state.engine} ${JSON.stringify(spec())}`;
  if (place.dataset.asked === asked) return;
  place.dataset.asked = asked;
  try {
    const deck = await ask("export/" + state.engine, { ...spec(), law });
    if (place.dataset.asked !== asked) return;
    const button = element("button", { type: "button", id: "copy-export" }, "Copy");
    button.addEventListener("click", () => copy(button, deck.text));
    const lost = deck.lost.length > 0 ? deck.lost.join(" ") : "Nothing is lost.";
    place.replaceChildren(
      element("p", {}, `It applies ${deck.expresses.form} and delivers e = ${deck.delivers.restitution.toFixed(4)}. ${lost} `, button),
      element("pre", { tabindex: 0, "aria-label": "Input file" }, deck.text));
  } catch (error) {
    place.replaceChildren(element("p", { class: "bad" }, ...impactMessage(error.message, error.advice)));
  }
}

async function start() {
  await Promise.all([controls(), laws()]);
  plots();
  focusControl();
  dropping(refresh);
  downloads(request, () => latest);
  const link = document.getElementById("link");
  link.addEventListener("click", () => copy(link, location.href));
  document.getElementById("reset").addEventListener("click", reset);
  document.getElementById("controls").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", read);
  window.addEventListener("popstate", read);
  new ResizeObserver(perFrame(refresh)).observe(document.getElementById("plots"));
  let pause;
  onChange(() => {
    showControls();
    showLaws();
    refresh();
    clearTimeout(pause);
    pause = setTimeout(exported, 200);
  });
  read();
}

start().catch((error) => {
  const problem = document.getElementById("problem");
  problem.textContent = error.message;
  problem.hidden = false;
});
