// Text editor for scenes with line numbers; errors are shown at their lines.

import { element, id, perFrame } from "./tools.js";


export class Editor {
  /** `edited()` when the text was changed by hand, `run()` on Ctrl+Enter. */
  constructor(edited, run) {
    this.area = id("text");
    this.lines = id("lines");
    this.wrong = 0;
    this.numbered = "";
    this.area.addEventListener("input", () => {
      this.number();
      edited();
    });
    this.area.addEventListener("scroll", () => (this.lines.scrollTop = this.area.scrollTop));
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        run();
      }
    });
    // The visible height without a horizontal scrollbar.
    new ResizeObserver(perFrame(() => {
      this.lines.style.height = `${this.area.clientHeight}px`;
      this.lines.scrollTop = this.area.scrollTop;
    })).observe(this.area);
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.scrollTop = 0;
    this.showError(null);
  }

  number() {
    const count = this.area.value.split("\n").length;
    const wrong = this.wrong <= count ? this.wrong : 0;
    const drawn = `${count} ${wrong}`;
    if (drawn !== this.numbered) {
      const range = (from, to) => Array.from({ length: Math.max(to - from + 1, 0) }, (_, i) => from + i).join("\n");
      if (wrong) this.lines.replaceChildren(`${range(1, wrong - 1)}${wrong > 1 ? "\n" : ""}`, element("b", {}, String(wrong)), `\n${range(wrong + 1, count)}`);
      else this.lines.textContent = range(1, count);
      this.numbered = drawn;
    }
    this.lines.scrollTop = this.area.scrollTop;
  }

  /** Shows an error, at its line if it has one; null removes it. */
  showError(message) {
    const place = id("text-problem");
    const [, line] = message?.match(/^line (\d+): /) ?? [];
    this.wrong = Number(line ?? 0);
    this.number();
    place.hidden = !message;
    this.area.setAttribute("aria-invalid", line ? "true" : "false");
    if (!message) return place.replaceChildren();
    place.replaceChildren(message, ...(line ? [" ", element("button", { type: "button", id: "go", onclick: () => this.go(this.wrong) }, `Go to line ${line}`)] : []));
    if (line && document.activeElement !== this.area) this.reveal(this.wrong);
  }

  reveal(line) {
    id("source").open = true;
    const height = parseFloat(getComputedStyle(this.area).lineHeight) || 17;
    this.area.scrollTop = Math.max(0, (line - 5) * height);
  }

  /** Selects a line. */
  go(line) {
    this.reveal(line);
    const lines = this.area.value.split("\n");
    const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
  }
}
