/** The help. */
import type { App } from "../app.ts";
import { h, icon } from "./dom.ts";

const ways: readonly (readonly [string, string])[] = [
  ["Drag", "rotate; the point under the cursor stays there"],
  ["Wheel, pinch, + −", "zoom at the cursor; two fingers also rotate"],
  ["Double click", "move a position to the centre"],
  ["Click, Enter", "show the neighbours of an item in the data and on the map"],
  ["Shift + drag, L", "select with a lasso; Alt subtracts"],
  ["Arrow keys", "rotate (with Shift: in small steps)"],
  ["S, X", "select or deselect the items in the circle at the centre"],
  ["Click a class", "show only this class; with Shift several"],
  ["P", "next projection"],
  ["N, 0, G", "north up, reset the zoom, show the far side"],
  ["/, ?", "search, help"],
  ["[, ]", "previous and next stop of a story; Share makes one"],
  ["I", "charts: what distinguishes the selected items, and filters by class and number"],
  ["H", "centre here: true distances from the clicked item"],
  ["E", "edges: arcs of the strongest similarities"],
  ["C", "contents: the places on the map"],
  ["Escape", "clear selection and filters"],
];

export function help(app: App): { dialog: HTMLDialogElement; open: () => void } {
  const facts = app.model.views.map(
    (v) => `${v.name}: ${v.space}${v.radius !== null ? ` of radius ${Number(v.radius.toPrecision(4))}` : ""}`,
  );
  const flat = app.panes.some((p) => p.sphere) && (app.model.flat ?? app.model.views.some((v) => v.space === "plane"));
  const more = flat ? [["W", "the flat map wraps around the globe"] as const] : [];
  const keys = app.model.measures ? [...ways, ...more, ["M", "measures of all maps"] as const] : [...ways, ...more];
  const dialog = h(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    h(
      "div",
      { class: "title" },
      h("h2", { id: "help-title" }, "Help"),
      h(
        "button",
        { type: "button", class: "plain", "aria-label": "Close", click: () => dialog.close() },
        icon("close"),
      ),
    ),
    h("dl", { class: "keys" }, ...keys.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])),
    h(
      "p",
      { class: "note" },
      `${facts.join(". ")}. Edges lead to neighbours in the data: solid if they are also near on the map, dashed if not. Made with dosnes.`,
    ),
    app.model.source && h("p", { class: "note" }, app.model.source),
  );
  return { dialog, open: () => dialog.showModal() };
}
