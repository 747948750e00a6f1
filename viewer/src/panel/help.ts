/** How to use the page, and what labels and sizes show. */
import type { App } from "../app.ts";
import { h, icon } from "./dom.ts";
import { appearanceChoices } from "./toolbar.ts";

const ways: readonly (readonly [string, string])[] = [
  ["Drag", "turn; the point you grab stays under the cursor"],
  ["Wheel, pinch, + −", "zoom at the cursor; two fingers also twist"],
  ["Double click", "bring a place to the middle"],
  ["Click, Enter", "neighbours of an item in the data and on the map"],
  ["Shift + drag, L", "lasso; Alt subtracts"],
  ["Arrow keys", "turn (with Shift: a little)"],
  ["S, X", "select, or leave out, what is in the circle in the middle"],
  ["P", "next projection"],
  ["N, 0, G", "north up, whole picture, far side"],
  ["/", "search"],
  ["Escape", "clear everything that was selected or filtered"],
];

export function help(app: App): { dialog: HTMLDialogElement; open: () => void } {
  const facts = app.model.views.map(
    (v) => `${v.name}: ${v.space}${v.radius !== null ? ` of radius ${Number(v.radius.toPrecision(4))}` : ""}`,
  );
  const keys = app.model.measures ? [...ways, ["M", "measures of all maps"] as const] : ways;
  const dialog = h(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    h(
      "div",
      { class: "title" },
      h("h2", { id: "help-title" }, "Help and settings"),
      h(
        "button",
        { type: "button", class: "plain", "aria-label": "Close", click: () => dialog.close() },
        icon("close"),
      ),
    ),
    appearanceChoices(app),
    h("dl", { class: "keys" }, ...keys.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])),
    h(
      "p",
      { class: "note" },
      `${facts.join(". ")}. Solid edges lead to neighbours in the data that are near on the map too, dashed ones to those that are not. Made with dosnes.`,
    ),
  );
  return { dialog, open: () => dialog.showModal() };
}
