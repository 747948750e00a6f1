/**
 * What the highlighted items are: what distinguishes them from the rest, charts of classes and numbers that filter, and a list
 * that can be copied. Without a selection, the charts are of all items.
 */
import type { App } from "../app.ts";
import { countOf } from "../ask/standing.ts";
import { isMeasured, numbersOf, typicalOf } from "../ask/typical.ts";
import { CLUSTER_NAME } from "../choice.ts";
import { type ClassColoring, colorable, coloringOf, type RampColoring, titleOf } from "../color/coloring.ts";
import { oneLine } from "../draw/labels.ts";
import { FILTERS } from "../state.ts";
import { type Bars, classBars } from "./bars.ts";
import { closer, count, h } from "./dom.ts";
import { type Histogram, histogram } from "./histogram.ts";

/** More names than this would make the page slow. */
const MOST_LISTED = 5000;
const MOST_HISTOGRAMS = 8;
const MOST_CLASS_CHARTS = 6;
/** While a histogram is dragged, the texts wait so long, in milliseconds: they take longer than a frame of large data. */
const PATIENCE = 120;

export function answers(app: App): { dialog: HTMLDialogElement; open: () => void } {
  const { store } = app;
  const heading = h("h2", { id: "answers-title" });
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "answers", "aria-labelledby": "answers-title" },
    h(
      "div",
      { class: "title" },
      heading,
      closer("Close", () => dialog.close()),
    ),
  );
  let forget: (() => void)[] = [];
  dialog.addEventListener("close", () => {
    for (const each of forget) each();
    forget = [];
  });
  return {
    dialog,
    open() {
      dialog.querySelector(".scroll")?.remove();
      const [words, names] = [h("div", {}), h("div", {})];
      const classes = classesOf(app).map((coloring) => ({ coloring, bars: classBars(app, coloring) }));
      const bars = filters(app, scalesOf(app));
      const fill = () => {
        heading.textContent = app.mask ? "The selection" : `All ${app.model.noun}`;
        words.replaceChildren(...whatItIs(app));
        names.replaceChildren(...itsNames(app));
      };
      fill();
      let waiting: ReturnType<typeof setTimeout> | undefined;
      forget = [
        ...classes.map((chart) => chart.bars.forget),
        ...bars.parts.map((part) => part.forget),
        store.on(FILTERS, () => {
          clearTimeout(waiting);
          waiting = setTimeout(fill, PATIENCE);
        }),
        store.on(["theme"], () => {
          for (const part of bars.parts) part.draw();
        }),
        () => clearTimeout(waiting),
      ];
      dialog.append(h("div", { class: "scroll", tabindex: "0" }, words, ...charts(classes), ...bars.elements, names));
      dialog.showModal();
    },
  };
}

/** The columns of classes that can filter. The names of clusters stand for their numbers. */
function classesOf({ model }: App): ClassColoring[] {
  const names = colorable(model).filter((name) => !(model.clusters && name === "cluster"));
  return names
    .map((name) => coloringOf(model, null, name))
    .filter((coloring) => coloring.kind === "classes")
    .sort((a, b) => Number(a.column.name === CLUSTER_NAME) - Number(b.column.name === CLUSTER_NAME))
    .slice(0, MOST_CLASS_CHARTS);
}

function charts(classes: readonly { coloring: ClassColoring; bars: Bars }[]): HTMLElement[] {
  if (!classes.length) return [];
  const boxes = classes.map(({ coloring: { column }, bars }) => {
    const name = oneLine(titleOf(column.name), 40);
    return h("section", { "aria-label": name }, h("h4", { dir: "auto" }, name), bars.element);
  });
  return [h("h3", {}, "Click a bar to show only this class"), h("div", { class: "filters" }, ...boxes)];
}

/** The number columns that can filter, those that distinguish the selection first. */
function scalesOf(app: App): RampColoring[] {
  const { model } = app;
  const effects = new Map(numbersOf(model, app.mask).map((n) => [n.column, Math.abs(n.effect)]));
  const names = [...model.columns.filter(isMeasured(model)).map((c) => c.name), "degree", "trust"];
  return [...new Set(names)]
    .map((name) => coloringOf(model, null, name))
    .filter((scale) => scale.kind === "ramp")
    .filter(({ column }) => column.high > column.low)
    .sort((a, b) => (effects.get(b.column.name) ?? 0) - (effects.get(a.column.name) ?? 0))
    .slice(0, MOST_HISTOGRAMS);
}

function filters(app: App, scales: readonly RampColoring[]): { elements: HTMLElement[]; parts: Histogram[] } {
  if (!scales.length) return { elements: [], parts: [] };
  const color = () => getComputedStyle(document.documentElement).getPropertyValue("--accent");
  const parts: Histogram[] = [];
  const boxes = scales.map((scale) => {
    const name = oneLine(titleOf(scale.column.name), 40);
    const part = histogram(app, scale, `${name}, `, color, false);
    parts.push(part);
    return h("div", {}, h("h4", { dir: "auto" }, name), ...part.elements);
  });
  const all = h("button", { type: "button", click: () => app.store.set({ ranges: new Map() }) }, "Show all values");
  return {
    elements: [
      h("h3", {}, "Drag over the bars to filter"),
      h("div", { class: "filters" }, ...boxes),
      h("div", { class: "row" }, all),
    ],
    parts,
  };
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

function whatItIs(app: App): HTMLElement[] {
  const { mask, model } = app;
  if (!mask) return [h("p", { class: "note" }, `All ${count(model.count)} ${model.noun}.`)];
  const { texts, numbers } = typicalOf(model, mask);
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
    ...texts.map((t) => row(titleOf(t.column), t.text, percent(t.inside), percent(t.outside))),
    ...numbers.map((n) => row("mean", titleOf(n.column), n.inside, n.outside)),
  ];
  return [
    h(
      "p",
      { class: "note" },
      `${count(countOf(mask))} of ${count(mask.length)} ${model.noun}. What is more frequent or larger here than elsewhere:`,
    ),
    rows.length
      ? h("table", { class: "typical" }, head, h("tbody", {}, ...rows))
      : h("p", {}, "Nothing in the columns distinguishes them from the others."),
  ];
}

/** The names of the highlighted items, to copy. */
function itsNames(app: App): HTMLElement[] {
  const { mask, model } = app;
  const total = mask ? countOf(mask) : model.count;
  const names: string[] = [];
  for (let item = 0; item < model.count && names.length < MOST_LISTED; item++)
    if (!mask || mask[item]) names.push(oneLine(app.name(item), 200));
  const list = h("textarea", { readonly: true, rows: 8, "aria-label": `Names of the selected ${model.noun}` });
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
  return [
    h("h3", {}, total > names.length ? `The first ${count(names.length)} names` : "Their names"),
    list,
    h("div", { class: "row" }, copy),
  ];
}
