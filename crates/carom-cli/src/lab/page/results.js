// The table of results and the files to keep.

import { advised, impactLabel } from "./advice.js";
import { change, state } from "./state.js";
import { ask, colour, download, element, show } from "./tools.js";

/** A message about an impact, with buttons that apply its advice. */
export function impactMessage(message, advice) {
  return advised(message, advice, impactLabel, ({ parameter, value }) => change({ [parameter]: value }, { replace: false }));
}

/** One row per law: results, and their errors relative to the requested or measured values. */
export function showResults(view, measured) {
  const heads = ["law", "restitution", "duration", "peak force", "peak indentation", "at the cursor"];
  const rows = view.results.flatMap((result) => {
    const name = element("td", {}, swatch(result.style), result.law);
    if (!result.report) return [element("tr", {}, name, element("td", { class: "wide bad", colspan: heads.length - 1 }, ...impactMessage(result.error, result.advice)))];
    const { restitution, duration, force_max, indentation_max, notes } = result.report;
    const said = notes.flatMap((note, i) => [i > 0 ? " · " : "", ...impactMessage(note.message, note.advice)]);
    return [element("tr", {}, name,
      number(restitution.newton.toFixed(5), error(restitution.newton, restitution.requested, "of what was asked")),
      number(show(duration, "s")),
      number(show(force_max, "N"), error(force_max, measured?.force_max, "of measured")),
      number(show(indentation_max, "m"), error(indentation_max, measured?.indentation_max, "of measured")),
      element("td", { "data-at": result.law })),
    ...(said.length > 0 ? [element("tr", { class: "note" }, element("td", { class: "wide", colspan: heads.length }, ...said))] : [])];
  });
  document.getElementById("results").replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...rows));
  const spoken = view.results.filter((r) => r.report).map((r) => `${r.law} ${r.report.restitution.newton.toFixed(3)}`);
  document.getElementById("said").textContent = `Delivered restitution: ${spoken.join(", ")}`;
}

function swatch(style) {
  const line = element("span", { class: "swatch", "aria-hidden": "true" });
  line.style.borderColor = colour(style);
  return line;
}

function number(text, sub) {
  return element("td", {}, text, sub && element("span", { class: "sub" }, sub));
}

/** A relative error in per cent. */
function error(value, target, of) {
  if (!target || !Number.isFinite(value)) return null;
  const per_cent = 100 * (value / target - 1);
  return `${Math.abs(per_cent) < 5e-4 ? "±0" : (per_cent > 0 ? "+" : "−") + Math.abs(per_cent).toPrecision(3)} % ${of}`;
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
      } else {
        download("impacts.csv", csv(view), "text/csv");
      }
    });
  }
}

const COLUMNS = { time: "time_s", indentation: "indentation_m", rate: "rate_m_per_s", force: "force_N", kinetic: "kinetic_J", stored: "stored_J", dissipated: "dissipated_J" };

/** The trajectories as CSV: one row per instant, the law in the first column. */
function csv(view) {
  const lines = [["law", ...Object.values(COLUMNS)].join()];
  for (const { law, course } of view.results) {
    course?.time.forEach((_, i) => lines.push([law, ...Object.keys(COLUMNS).map((name) => course[name][i])].join()));
  }
  return lines.join("\n") + "\n";
}
