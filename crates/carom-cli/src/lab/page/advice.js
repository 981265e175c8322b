// What a message advises, in the terms of the page: a button where the page can do it.

import { element } from "./tools.js";

/** Settings of an impact that have a button, in the words of its controls. */
const LABELS = {
  "calibration=exact": "exact damping",
  "exit=force": "end of contact at zero force",
  "exit=indentation": "end of contact at zero indentation",
};

/** What may be left out for one law, in the words of its parameters. */
const LEFT_OUT = { restitution: "no restitution for this law" };

/** The label of the button that does what is advised, where there is one. */
export function impactLabel({ do: kind, parameter, value }) {
  return kind === "leave_out" ? LEFT_OUT[parameter] : LABELS[`${parameter}=${value}`];
}

/**
 * A message as nodes. In place of the text of each of its actions stands a button that calls `apply` with the action
 * where `label` names one, and otherwise what the action is about.
 */
export function advised(message, advice = [], label = () => undefined, apply = () => {}) {
  const nodes = [];
  let rest = message;
  for (const action of advice) {
    const at = rest.indexOf(action.text);
    if (at < 0) continue;
    nodes.push(rest.slice(0, at), worded(action, label, apply));
    rest = rest.slice(at + action.text.length);
  }
  return [...nodes, rest].filter((node) => node !== "");
}

function worded(action, label, apply) {
  const name = label(action);
  if (name) return element("button", { type: "button", class: "advice", onclick: () => apply(action) }, name);
  if (action.do === "give" || action.do === "leave_out") return action.parameter.replace(/^set\./, "").replaceAll("_", " ");
  return action.text;
}
