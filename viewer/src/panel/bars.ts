/** The classes of a column as bars that filter: a click shows only one class, with Shift several. */
import type { App } from "../app.ts";
import { toggled } from "../ask/standing.ts";
import type { ClassColoring } from "../color/coloring.ts";
import { oneLine } from "../draw/labels.ts";
import { FILTERS } from "../state.ts";
import { count, h } from "./dom.ts";

/** Of more classes, only the largest have bars. */
const MOST_BARS = 8;

export interface Bars {
  element: HTMLElement;
  /** Removes the listeners. */
  forget: () => void;
}

/** Faint bars show all items of a class, and those above them the highlighted ones. */
export function classBars(app: App, { column, entries, rest }: ClassColoring): Bars {
  const { store } = app;
  // The colours and their legend have filters of their own, which this chart then shows.
  const colored = () => store.state.color === column.name;
  const shownClasses = () => (colored() ? store.state.isolated : (store.state.chosen.get(column.name) ?? new Set()));
  const toggle = (code: number, several: boolean) => {
    const next = toggled(shownClasses(), code, several);
    if (colored()) store.set({ isolated: next });
    else {
      const chosen = new Map(store.state.chosen);
      if (next.size) chosen.set(column.name, next);
      else chosen.delete(column.name);
      store.set({ chosen });
    }
    app.faceStanding();
  };
  const classes = [...entries, ...rest].filter((entry) => entry.code >= 0).sort((a, b) => b.count - a.count);
  const most = classes[0]?.count ?? 1;
  const rows = classes.slice(0, MOST_BARS).map((entry) => {
    const [all, shown] = [h("span", { class: "all" }), h("span", { class: "shown" })];
    all.style.width = `${(100 * entry.count) / most}%`;
    const number = h("span", { class: "count" });
    const button = h(
      "button",
      {
        type: "button",
        title: `${oneLine(entry.name, 200)}: show only this class (with Shift: this one too)`,
        click: (event: MouseEvent) => toggle(entry.code, event.shiftKey || event.ctrlKey || event.metaKey),
      },
      all,
      shown,
      h("span", { class: "name", dir: "auto" }, oneLine(entry.name, 40)),
      number,
    );
    return { entry, button, shown, number };
  });
  const update = () => {
    const counts = countsOf(app, column.codes, column.texts.length);
    const pressed = shownClasses();
    for (const { entry, button, shown, number } of rows) {
      shown.style.width = `${(100 * counts[entry.code]!) / most}%`;
      number.textContent = count(counts[entry.code]!);
      button.setAttribute("aria-pressed", String(pressed.has(entry.code)));
    }
  };
  update();
  const further = classes.length - rows.length;
  return {
    element: h(
      "div",
      { class: "class-bars" },
      h("ul", {}, ...rows.map(({ button }) => h("li", {}, button))),
      further > 0 && h("p", { class: "explain" }, `and ${count(further)} more, which the search finds`),
    ),
    forget: store.on([...FILTERS, "color"], update),
  };
}

/** How many highlighted items have each text of a column. */
function countsOf({ mask }: App, codes: ArrayLike<number> | null, texts: number): Uint32Array {
  const counts = new Uint32Array(texts);
  if (!codes) return counts;
  for (let item = 0; item < codes.length; item++) if (!mask || mask[item]) counts[codes[item]!]!++;
  return counts;
}
