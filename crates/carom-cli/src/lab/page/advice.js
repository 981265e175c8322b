// Advice in messages, as buttons where the page can apply it.

import { element } from "./tools.js";

/** Labels of buttons that change a setting of the impact, as in its controls. */
const LABELS = {
  "calibration=exact": "exact damping",
  "exit=force": "end of contact at zero force",
  "exit=indentation": "end of contact at zero indentation",
};

/** Labels of buttons that leave out a parameter of one law. */
const LEFT_OUT = { restitution: "no restitution for this law" };

/** The label of the button that applies an action, if there is one. */
export function impactLabel({ do: kind, parameter, value }) {
  return kind === "leave_out" ? LEFT_OUT[parameter] : LABELS[`${parameter}=${value}`];
}

/**
 * A message as nodes. The text of each action is replaced by a button that calls `apply` with the action if `label` names one, and
 * by the name of its parameter otherwise.
 */
export function messageWithAdvice(message, advice = [], label = () => undefined, apply = () => {}) {
  const nodes = [];
  let rest = message;
  for (const action of advice) {
    const at = rest.indexOf(action.text);
    if (at < 0) continue;
    nodes.push(rest.slice(0, at), actionElement(action, label, apply));
    rest = rest.slice(at + action.text.length);
  }
  return [...nodes, rest].filter((node) => node !== "");
}

function actionElement(action, label, apply) {
  const name = label(action);
  if (name) return element("button", { type: "button", class: "advice", onclick: () => apply(action) }, name);
  if (action.do === "give" || action.do === "leave_out") return action.parameter.replace(/^set\./, "").replaceAll("_", " ");
  return action.text;
}
