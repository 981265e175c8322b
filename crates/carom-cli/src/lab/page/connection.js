// Watches the connection: shows at once when the server does not answer, and continues when it does again.

let away = false;
let whenReconnected = () => {};
/** Interval between two checks (ms). */
const CHECK_INTERVAL = 2000;

/** Watches the server; `callback` is called when it answers again. */
export function onReconnect(callback) {
  whenReconnected = callback;
  document.addEventListener("away", showAway);
  setInterval(() => {
    if (!document.hidden || away) checkConnection();
  }, CHECK_INTERVAL);
}

/** Shows that the server does not answer. */
function showAway() {
  if (away) return;
  away = true;
  document.getElementById("away").hidden = false;
  document.body.classList.add("away");
}

async function checkConnection() {
  try {
    await fetch("/icon.svg", { method: "HEAD", cache: "no-store" });
  } catch {
    return showAway();
  }
  if (!away) return;
  away = false;
  document.getElementById("away").hidden = true;
  document.body.classList.remove("away");
  whenReconnected();
}
