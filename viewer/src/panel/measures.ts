/** The measures of all maps of a comparison: the most important in sentences, then all in a table, with the best value of each row marked. */
import type { Measures } from "../data/model.ts";
import { h, icon } from "./dom.ts";

export function measures(table: Measures): { button: HTMLButtonElement; dialog: HTMLDialogElement } {
  const cell = (text: string, best: boolean) =>
    h("td", { class: best ? "number best" : "number" }, text, best && h("span", { class: "unseen" }, " (best)"));
  const grid = h(
    "table",
    {},
    h("caption", { class: "unseen" }, "Measures of each map"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Measure"),
        ...table.columns.map((name) => h("th", { scope: "col", class: "number" }, name)),
      ),
    ),
    h(
      "tbody",
      {},
      ...table.rows.map((row) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, row.name),
          ...row.cells.map((text, column) => cell(text, column === row.best)),
        ),
      ),
    ),
  );
  const dialog = h(
    "dialog",
    { class: "table measures", "aria-labelledby": "measures-title" },
    h(
      "div",
      { class: "title" },
      h("h2", { id: "measures-title" }, "Measures"),
      h(
        "button",
        { type: "button", class: "plain", "aria-label": "Close the measures", click: () => dialog.close() },
        icon("close"),
      ),
    ),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Measures of each map" },
      table.sentences.length > 0 &&
        h(
          "dl",
          { class: "sentences" },
          ...table.sentences.flatMap(({ title, text }) => [h("dt", {}, title), h("dd", {}, text)]),
        ),
      grid,
    ),
    h(
      "p",
      { class: "note" },
      "The best value of each row is bold. ± is the standard deviation over several maps, or half of a 95 % confidence interval if a sample was measured.",
    ),
  );
  const open = () => dialog.showModal();
  const button = h(
    "button",
    { type: "button", class: "plain measures-button", "aria-keyshortcuts": "M", click: open },
    "Measures",
  );
  document.addEventListener("keydown", (event) => {
    const writing = (event.target as HTMLElement).matches("input, select, textarea");
    const others = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key.toLowerCase() !== "m" || writing || others || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    open();
  });
  return { button, dialog };
}
