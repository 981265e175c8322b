// The table of results, one line per law, which is also the legend; advice of the notes as buttons; and downloads.

import { impactLabel, messageWithAdvice } from "./advice.js";
import { isShown } from "./plots.js";
import { DISSIPATION, OWN, change, changeOf, focusChoices, focusedName, look, state } from "./state.js";
import { ask, colour, download, element, show, swatch } from "./tools.js";

/** A message about an impact, with buttons that apply its advice. */
export function impactMessage(message, advice, law) {
  return messageWithAdvice(message, advice, (action) => (law || action.do === "set" ? impactLabel(action) : undefined), (action) => apply(action, law));
}

function apply({ do: kind, parameter, value }, law) {
  if (kind === "leave_out" && law) changeOf(law, DISSIPATION, "none");
  else change({ [parameter]: value }, { replace: false });
}

const open = new Set();
let latest = null;

/** Shows the last answer again, after a change of what is shown. */
export function showResultsAgain() {
  if (latest) showResults(...latest);
}

/** One row per law: results, and their errors relative to the requested or measured values. */
export function showResults(view, measured) {
  latest = [view, measured];
  const asked = view.results.find((r) => r.report?.restitution.requested)?.report.restitution.requested;
  const heads = [
    ["law", "Law"], ["delivered", asked ? `Restitution, asked ${Number(asked.toPrecision(6))}` : "Restitution"], ["", "Duration"],
    ["", against("Peak force", measured?.force_max)], ["", against("Penetration", measured?.indentation_max)], ["at", "Force at A"], ["at-b", "at B"], ["notes", element("span", { class: "hidden" }, "Notes")],
  ];
  const ids = new Map(focusChoices().map(([id, label]) => [label, id]));
  const focused = focusedName();
  const rows = view.results.flatMap((result) => {
    const id = ids.get(result.law) ?? (result.law === "own law" ? OWN : result.law);
    const name = element("td", {}, legend(result), element("button", {
      type: "button", class: "name", title: `${result.title || result.law}: show its parameters`, onclick: () => change({ focus: id }, { replace: true }),
    }, result.law));
    const attributes = { "data-law": result.law, class: [id === focused ? "focused" : "", result.stale ? "stale" : ""].join(" ").trim() || null };
    if (!result.report) {
      return [element("tr", attributes, name, element("td", { class: "wide bad", colspan: heads.length - 1 }, ...impactMessage(result.error, result.advice, id)))];
    }
    const { restitution, duration, force_max, indentation_max, notes } = result.report;
    const messages = [...(result.error ? [{ message: result.error, advice: result.advice, bad: true }] : []), ...notes];
    const unfolded = open.has(result.law) || result.error !== undefined;
    const more = messages.length > 0 && element("button", {
      type: "button", class: "notes", "aria-expanded": String(unfolded), onclick: () => {
        if (!open.delete(result.law)) open.add(result.law);
        showResultsAgain();
      },
    }, `${messages.length} ${messages.length === 1 ? "note" : "notes"}`);
    const row = element("tr", attributes, name,
      numberCell(restitution.newton.toFixed(5), errorText(restitution.newton, restitution.requested), restitutionGauge(restitution, result.style)),
      numberCell(show(duration, "s")),
      numberCell(show(force_max, "N"), errorText(force_max, measured?.force_max)),
      numberCell(show(indentation_max, "m"), errorText(indentation_max, measured?.indentation_max)),
      element("td", { "data-at": result.law }), element("td", { "data-at-b": result.law }),
      element("td", {}, more || ""));
    if (!unfolded || messages.length === 0) return [row];
    const said = messages.flatMap(({ message, advice, bad }) => element("p", { class: bad ? "bad" : null }, ...impactMessage(message, advice, id)));
    return [row, element("tr", { class: "note" }, element("td", { class: "wide", colspan: heads.length }, ...said))];
  });
  document.getElementById("results").replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map(([kind, head]) => element("th", { scope: "col", "data-head": kind || null }, head)))),
    element("tbody", {}, ...rows));
  showAdvice(view);
  const spoken = view.results.filter((r) => r.report).map((r) => `${r.law} ${r.report.restitution.newton.toFixed(3)}`);
  document.getElementById("said").textContent = `Delivered restitution: ${spoken.join(", ")}`;
}

/** The head of a column whose numbers are compared with a measured one, where there is one. */
function against(name, measured) {
  return measured ? `${name}, against measured` : name;
}

/** Values at the cursors into the table. */
export function showReadOff(rows, two) {
  const place = document.getElementById("results");
  place.classList.toggle("two", two);
  for (const { law, a, b } of rows) {
    for (const [name, values] of [["at", a], ["at-b", b]]) {
      const cell = place.querySelector(`td[data-${name}="${CSS.escape(law)}"]`);
      if (!cell) continue;
      cell.textContent = values ? show(values.force, "N") : "–";
      cell.title = values ? `δ ${show(values.indentation, "m")}, δ̇ ${show(values.rate, "m/s")}, lost ${show(values.dissipated, "J")}` : "contact is over";
    }
  }
}

/** Shows the advice in the notes of all laws as buttons, each once. */
function showAdvice(view) {
  const found = new Map();
  for (const { law, report, advice = [] } of view.results) {
    for (const action of [...(report?.notes.flatMap((note) => note.advice) ?? []), ...advice]) {
      const label = action.do === "set" ? impactLabel(action) : undefined;
      if (!label) continue;
      if (!found.has(label)) found.set(label, { action, laws: new Set() });
      found.get(label).laws.add(law);
    }
  }
  const buttons = [...found].map(([label, { action, laws }]) => element("button", {
    type: "button", class: "advise", title: [...laws].join(", "), onclick: () => apply(action),
  }, DO[label] ?? `Use ${label}`, element("small", {}, laws.size === 1 ? " for 1 law" : ` for ${laws.size} laws`)));
  document.getElementById("advice").replaceChildren(...buttons);
}

const DO = { "end of contact at zero force": "End contact at zero force", "end of contact at zero indentation": "End contact at zero indentation" };

/** The line of a law, which shows and hides its curves. */
function legend({ law, style }) {
  const shown = isShown(law);
  return element("button", {
    type: "button", class: "legend", "aria-pressed": String(shown), "aria-label": `Curves of ${law}`, title: shown ? "Hide its curves" : "Show its curves",
    onclick: () => look({ hidden: shown ? [...state.hidden, law] : state.hidden.filter((other) => other !== law) }),
  }, swatch(style));
}

/** Delivered against asked on a line from 0 to 1. */
function restitutionGauge({ newton, requested }, style) {
  const dot = element("i", {});
  dot.style.left = `${100 * Math.min(Math.max(newton, 0), 1)}%`;
  dot.style.background = colour(style);
  const tick = element("u", {});
  tick.style.left = `${100 * (requested ?? 0)}%`;
  return element("span", { class: "gauge", "aria-hidden": "true" }, requested ? tick : "", dot);
}

function numberCell(text, sub, ...more) {
  return element("td", {}, text, sub && element("span", { class: "sub" }, sub), ...more);
}

/** A relative error in per cent. */
function errorText(value, target) {
  if (!target || !Number.isFinite(value)) return null;
  const per_cent = 100 * (value / target - 1);
  const text = Math.abs(per_cent) < 5e-4 ? "±0" : (per_cent > 0 ? "+" : "−") + Math.abs(per_cent).toPrecision(3);
  return `${text} %`;
}

/** Downloads of the results shown. */
export function downloads(request, latest) {
  for (const button of document.querySelectorAll("[data-download]")) {
    button.addEventListener("click", async () => {
      const kind = button.dataset.download;
      const view = latest();
      if (!view) return;
      if (kind === "svg" || kind === "pdf" || kind === "png") {
        download(`impacts.${kind}`, await ask("figure/" + kind, request(), { raw: true }));
      } else if (kind === "json") {
        const reports = view.results.map((r) => r.report ?? { law: r.law, error: r.error });
        download("impacts.json", JSON.stringify({ link: location.href, laws: state.laws, reports }, null, 2), "application/json");
      } else if (kind === "table") {
        download("results.csv", resultsCsv(view), "text/csv");
      } else {
        // With all digits; what is drawn has six.
        const { spec, laws, points } = request();
        download("impacts.csv", trajectoriesCsv(await ask("view", { spec, laws, points, draw: false, exact: true })), "text/csv");
      }
    });
  }
}

/** The results as CSV, with all digits; empty cells where a law is refused. */
function resultsCsv(view) {
  const lines = ["law,restitution_asked,restitution_delivered,duration_s,force_max_N,indentation_max_m,lost_in_compression_J,lost_in_restitution_J"];
  for (const { law, report } of view.results) {
    const { restitution, duration, force_max, indentation_max, energy } = report ?? {};
    lines.push([law, restitution?.requested, restitution?.newton, duration, force_max, indentation_max, energy?.lost_in_compression, energy?.lost_in_restitution].map((cell) => cell ?? "").join());
  }
  return lines.join("\n") + "\n";
}

const COLUMNS = { time: "time_s", indentation: "indentation_m", rate: "rate_m_per_s", force: "force_N", kinetic: "kinetic_J", stored: "stored_J", dissipated: "dissipated_J" };

/** The trajectories as CSV: one row per instant, the law in the first column. */
function trajectoriesCsv(view) {
  const lines = [["law", ...Object.values(COLUMNS)].join()];
  for (const { law, course } of view.results) {
    course?.time.forEach((_, i) => lines.push([law, ...Object.keys(COLUMNS).map((name) => course[name][i])].join()));
  }
  return lines.join("\n") + "\n";
}
