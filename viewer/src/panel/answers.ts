/** What the selection is: what distinguishes it from the rest, and a list of its items that can be copied. */
import type { App } from "../app.ts";
import { countOf } from "../ask/standing.ts";
import { typicalOf } from "../ask/typical.ts";
import { NAMES } from "../color/coloring.ts";
import { oneLine } from "../draw/labels.ts";
import { closer, count, h } from "./dom.ts";

/** More names than this would make the page slow. */
const MOST_LISTED = 5000;

export function answers(app: App): { dialog: HTMLDialogElement; open: () => void } {
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "answers", "aria-labelledby": "answers-title" },
    h(
      "div",
      { class: "title" },
      h("h2", { id: "answers-title" }, "The selection"),
      closer("Close", () => dialog.close()),
    ),
  );
  return {
    dialog,
    open() {
      const { mask } = app;
      if (!mask || !countOf(mask)) {
        app.announce("Nothing is selected");
        return;
      }
      dialog.querySelector(".scroll")?.remove();
      dialog.append(content(app, mask));
      dialog.showModal();
    },
  };
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

function content(app: App, mask: Uint8Array): HTMLElement {
  const { texts, numbers } = typicalOf(app.model, mask);
  const selected = countOf(mask);
  const row = (name: string, text: string, inside: string, outside: string) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", dir: "auto" }, h("span", { class: "column" }, oneLine(name, 30)), oneLine(text, 60)),
      h("td", {}, inside),
      h("td", {}, outside),
    );
  const head = h(
    "thead",
    {},
    h("tr", {}, h("td", {}), h("th", { scope: "col" }, "here"), h("th", { scope: "col" }, "elsewhere")),
  );
  const rows = [
    ...texts.map((t) => row(t.column, t.text, percent(t.inside), percent(t.outside))),
    ...numbers.map((n) => row("mean", NAMES[n.column] ?? n.column, n.inside, n.outside)),
  ];
  const names: string[] = [];
  for (let item = 0; item < mask.length && names.length < MOST_LISTED; item++)
    if (mask[item]) names.push(oneLine(app.name(item), 200));
  const list = h("textarea", { readonly: true, rows: 8, "aria-label": `Names of the selected ${app.model.noun}` });
  list.value = names.join("\n");
  const copy = h(
    "button",
    {
      type: "button",
      click: async () => {
        list.select();
        try {
          // Some browsers do not allow pages from a file to use the clipboard. The user can still copy the selected text.
          await navigator.clipboard.writeText(list.value);
          copy.textContent = "Copied";
          app.announce(`${count(names.length)} names copied`);
        } catch {
          list.focus();
          copy.textContent = "Press Ctrl+C to copy";
        }
      },
    },
    "Copy the names",
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0" },
    h(
      "p",
      { class: "note" },
      `${count(selected)} of ${count(mask.length)} ${app.model.noun}. What is more frequent or larger here than elsewhere:`,
    ),
    rows.length
      ? h("table", { class: "typical" }, head, h("tbody", {}, ...rows))
      : h("p", {}, "Nothing in the columns distinguishes them from the others."),
    h("h3", {}, selected > names.length ? `The first ${count(names.length)} names` : "Their names"),
    list,
    h("div", { class: "row" }, copy),
  );
}
