/** The legend of the colours, with filters by class and by number. */
import type { App } from "../app.ts";
import { toggled } from "../ask/standing.ts";
import {
  type ClassColoring,
  type ClassEntry,
  type Coloring,
  colorable,
  EXPLAINED,
  entryColor,
  type RampColoring,
  rampShade,
  titleOf,
} from "../color/coloring.ts";
import { css, type RampName, rampColor, restColor } from "../color/palette.ts";
import { formatNumber } from "../data/model.ts";
import { oneLine, spaced } from "../draw/labels.ts";
import { unfiltered } from "../state.ts";
import { choose, closer, count, h, icon } from "./dom.ts";
import { histogram } from "./histogram.ts";

/** So many classes have room in the short legend of a phone. */
const MOST_SHORT = 6;

/** The panel, the button that opens it on a phone, and what a phone shows of it before. */
export function legend(app: App): { panel: HTMLElement; button: HTMLButtonElement; short: HTMLButtonElement | null } {
  const { model, store } = app;
  const body = h("div", { class: "legend-body" });
  const names = colorable(model);
  const options = names.map((name) => [name, oneLine(titleOf(name), 40)] as const);
  const chooser = choose("Colour", [...options, ["", "One colour"]], store.state.color ?? "", (value) =>
    store.set({ ...unfiltered(), color: value || null, selection: store.state.selection }),
  );
  const panel = h(
    "section",
    { class: "panel legend", id: "legend", "aria-label": "Colours and filters" },
    h(
      "div",
      { class: "title" },
      chooser,
      closer("Close", () => open(false)),
    ),
    body,
  );
  const button = h(
    "button",
    {
      type: "button",
      class: "tool legend-button",
      "aria-label": "Colours and filters",
      "aria-controls": "legend",
      "aria-expanded": "false",
      click: () => open(!panel.classList.contains("open")),
    },
    icon("legend"),
  );
  // Colours without words mean nothing: on a phone they stand below the map. Several maps leave no room for it.
  const short = app.panes.length > 1 ? null : h("button", { type: "button", class: "short", click: () => open(true) });
  const open = (on: boolean) => {
    panel.classList.toggle("open", on);
    button.setAttribute("aria-expanded", String(on));
  };
  // On a phone, a touch beside the sheet closes it.
  document.addEventListener("pointerdown", (event) => {
    const target = event.target as Node;
    if (![panel, button, short].some((part) => part?.contains(target))) open(false);
  });
  let forget: (() => void) | null = null;
  const update = () => {
    forget?.();
    const coloring = app.coloring(model.views[0]!);
    chooser.querySelector("select")!.value = store.state.color ?? "";
    const shown =
      coloring.kind === "classes" ? classes(app, coloring) : coloring.kind === "ramp" ? ramp(app, coloring) : null;
    body.replaceChildren(...(shown ? [shown.element] : []));
    forget = shown?.forget ?? null;
    short?.replaceChildren(...abridged(app, coloring));
    if (short) short.hidden = !shown;
  };
  store.on(["color", "theme", "ramp"], update);
  update();
  return { panel, button, short };
}

/** The legend in a few words: its title, and the largest classes or the range. */
function abridged(app: App, coloring: Coloring): HTMLElement[] {
  const { dark } = app.theme;
  if (coloring.kind === "plain") return [];
  const title = h("b", {}, oneLine(titleOf(coloring.column.name), 28));
  if (coloring.kind === "ramp") {
    const strip = h("span", { class: "strip" });
    const stops = [0, 0.25, 0.5, 0.75, 1].map((shade) => css(rampColor(app.store.state.ramp, shade, dark)));
    strip.style.background = `linear-gradient(to right, ${stops.join()})`;
    const [low, high] = [coloring.column.low, coloring.column.high].map((x) =>
      h("span", {}, formatNumber(x, coloring.column.years)),
    );
    return [title, h("span", { class: "entry" }, low!, strip, high!)];
  }
  const named = coloring.entries.filter((entry) => entry.code >= 0);
  const entries = named.slice(0, MOST_SHORT).map((entry, place) => {
    const swatch = h("span", { class: "swatch" });
    swatch.style.background = css(entryColor(coloring, place, dark));
    return h("span", { class: "entry" }, swatch, oneLine(spaced(entry.name), 18));
  });
  const more = named.length + coloring.rest.length - entries.length;
  return [title, ...entries, ...(more > 0 ? [h("span", { class: "entry" }, `+ ${count(more)}`)] : [])];
}

/** A part of the page with listeners, and a function that removes them. */
interface Part {
  element: HTMLElement;
  forget: () => void;
}

/** Classes beyond this number are found by the search only. */
const MOST_FURTHER = 500;

function classes(app: App, coloring: ClassColoring): Part {
  const { store } = app;
  const list = h("ul", { class: "classes" });
  const rest = h("ul", { class: "classes rest", hidden: true });
  const all = [...coloring.entries, ...coloring.rest.slice(0, MOST_FURTHER)];
  const toggle = (entry: ClassEntry, several: boolean) => {
    const next = toggled(store.state.isolated, entry.code, several);
    store.set({ isolated: next });
    app.faceStanding();
    const names = all.filter((e) => next.has(e.code)).map((e) => oneLine(e.name));
    app.announce(names.length ? `Shown: ${names.join(", ")}` : "All classes shown");
  };
  const row = (entry: ClassEntry, color: string): HTMLButtonElement => {
    const swatch = h("span", { class: "swatch" });
    swatch.style.background = color;
    return h(
      "button",
      {
        type: "button",
        "aria-pressed": "false",
        title: `${oneLine(entry.name, 200)}: show only this class (with Shift: this one too)`,
        click: (event: MouseEvent) => toggle(entry, event.shiftKey || event.ctrlKey || event.metaKey),
      },
      swatch,
      h("span", { class: "name" }, oneLine(spaced(entry.name), 40)),
      h("span", { class: "count" }, count(entry.count)),
    );
  };
  const buttons = coloring.entries.map((entry, place) => {
    const button = row(entry, css(entryColor(coloring, place, app.theme.dark)));
    list.append(h("li", {}, button));
    return { entry, button };
  });
  const further = h("button", {
    type: "button",
    class: "further",
    "aria-expanded": "false",
    click: () => {
      // The rows are made when they are needed: there may be hundreds.
      if (!rest.childElementCount) {
        for (const entry of coloring.rest.slice(0, MOST_FURTHER)) {
          const button = row(entry, css(restColor(app.theme.dark)));
          rest.append(h("li", {}, button));
          buttons.push({ entry, button });
        }
        update();
      }
      rest.hidden = !rest.hidden;
      further.setAttribute("aria-expanded", String(!rest.hidden));
      further.textContent = rest.hidden ? words : "Show fewer";
    },
  });
  const words = `Show all ${count(coloring.rest.length + coloring.entries.filter((e) => e.code >= 0).length)}`;
  further.textContent = words;
  const update = () => {
    const { isolated } = store.state;
    for (const { entry, button } of buttons) {
      const pressed = isolated.has(entry.code);
      button.setAttribute("aria-pressed", String(pressed));
      button.classList.toggle("dim", isolated.size > 0 && !pressed);
    }
  };
  const forget = store.on(["isolated"], update);
  update();
  return { element: h("div", {}, list, coloring.rest.length > 0 && further, rest), forget };
}

function ramp(app: App, coloring: RampColoring): Part {
  const { store } = app;
  const { column } = coloring;
  const bars = histogram(
    app,
    coloring,
    "",
    (place) => css(rampColor(store.state.ramp, rampShade(coloring, place), app.theme.dark)),
    true,
  );
  const palettes = choose(
    "Palette",
    [
      ["viridis", "viridis"],
      ["cividis", "cividis"],
    ],
    store.state.ramp,
    (value) => store.set({ ramp: value as RampName }),
  );
  return {
    element: h(
      "div",
      { class: "ramp" },
      ...bars.elements,
      EXPLAINED.has(column.name) &&
        !app.model.columns.includes(column) &&
        h("p", { class: "explain" }, EXPLAINED.get(column.name)),
      palettes,
    ),
    forget: bars.forget,
  };
}
