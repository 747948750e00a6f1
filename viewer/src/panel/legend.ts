/** The legend of the colours, with filters by class and by number. */
import type { App } from "../app.ts";
import {
  type ClassColoring,
  type ClassEntry,
  colorable,
  EXPLAINED,
  entryColor,
  NAMES,
  type RampColoring,
  rampPlace,
  rampValue,
} from "../color/coloring.ts";
import { css, type RampName, rampColor, restColor } from "../color/palette.ts";
import { formatNumber } from "../data/model.ts";
import { oneLine } from "../draw/labels.ts";
import { choose, closer, count, h, icon } from "./dom.ts";

const BINS = 48;

/** The panel, and the button that opens it on a phone. */
export function legend(app: App): { panel: HTMLElement; button: HTMLButtonElement } {
  const { model, store } = app;
  const body = h("div", { class: "legend-body" });
  const names = colorable(model);
  const options = names.map((name) => [name, NAMES[name] ?? oneLine(name, 40)] as const);
  const chooser = choose("Colour", [...options, ["", "One colour"]], store.state.color ?? "", (value) =>
    store.set({ color: value || null, isolated: new Set(), ranges: new Map() }),
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
  const open = (on: boolean) => {
    panel.classList.toggle("open", on);
    button.setAttribute("aria-expanded", String(on));
  };
  // On a phone, a touch beside the sheet closes it.
  document.addEventListener("pointerdown", (event) => {
    const target = event.target as Node;
    if (!panel.contains(target) && !button.contains(target)) open(false);
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
  };
  store.on(["color", "theme", "ramp"], update);
  update();
  return { panel, button };
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
    const { isolated } = store.state;
    const next = new Set(several ? isolated : []);
    // Of several, a plain click leaves this one; only the last one is switched off by it.
    if (!isolated.has(entry.code) || (!several && isolated.size > 1)) next.add(entry.code);
    else next.delete(entry.code);
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
      h("span", { class: "name" }, oneLine(entry.name, 40)),
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
  const bins = new Uint32Array(BINS);
  for (const value of column.values) {
    const place = rampPlace(coloring, value);
    if (place >= 0 && place <= 1) bins[Math.min(BINS - 1, Math.floor(place * BINS))]!++;
  }
  const canvas = h("canvas", { class: "histogram", width: 2 * 4 * BINS, height: 96, "aria-hidden": "true" });
  const low = slider("Smallest value shown", 0);
  const high = slider("Largest value shown", 1000);
  const words = h("p", { class: "range" });

  const draw = () => {
    const c = canvas.getContext("2d")!;
    const { width, height } = canvas;
    c.clearRect(0, 0, width, height);
    const most = Math.max(1, ...bins);
    for (let k = 0; k < BINS; k++) {
      const place = (k + 0.5) / BINS;
      const inside = place >= Number(low.value) / 1000 && place <= Number(high.value) / 1000;
      c.globalAlpha = inside ? 1 : 0.22;
      c.fillStyle = css(rampColor(store.state.ramp, place, app.theme.dark));
      // The square root makes rare values visible next to common ones.
      const tall = bins[k] ? Math.max(3, Math.sqrt(bins[k]! / most) * (height - 14)) : 0;
      c.fillRect((k * width) / BINS, height - 12 - tall, width / BINS - 1, tall);
      c.fillRect((k * width) / BINS, height - 9, width / BINS + 0.5, 9);
    }
  };
  const tell = () => {
    const [a, b] = [low, high].map((s) =>
      formatNumber(Number(rampValue(coloring, Number(s.value) / 1000).toPrecision(4)), column.years),
    );
    words.replaceChildren(h("span", {}, a!), h("span", {}, coloring.logarithmic ? "log scale" : ""), h("span", {}, b!));
    low.setAttribute("aria-valuetext", a!);
    high.setAttribute("aria-valuetext", b!);
  };
  const change = () => {
    const [a, b] = [Number(low.value), Number(high.value)];
    const ranges = new Map(store.state.ranges);
    if (a <= 0 && b >= 1000) ranges.delete(column.name);
    else {
      // At the ends use the exact extremes, so that rounding excludes no item.
      const from = a <= 0 ? column.low : rampValue(coloring, a / 1000);
      ranges.set(column.name, [from, b >= 1000 ? column.high : rampValue(coloring, b / 1000)]);
    }
    store.set({ ranges });
    draw();
    tell();
  };
  low.addEventListener("input", () => {
    if (Number(low.value) > Number(high.value)) low.value = high.value;
    change();
  });
  high.addEventListener("input", () => {
    if (Number(high.value) < Number(low.value)) high.value = low.value;
    change();
  });
  const range = store.state.ranges.get(column.name);
  if (range) {
    low.value = String(Math.round(1000 * rampPlace(coloring, range[0])));
    high.value = String(Math.round(1000 * rampPlace(coloring, range[1])));
  }
  const forget = store.on(["ranges"], () => {
    if (store.state.ranges.has(column.name)) return;
    low.value = "0";
    high.value = "1000";
    draw();
    tell();
  });
  draw();
  tell();
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
      h("div", { class: "bars" }, canvas, low, high),
      words,
      EXPLAINED[column.name] &&
        !app.model.columns.includes(column) &&
        h("p", { class: "explain" }, EXPLAINED[column.name]),
      palettes,
    ),
    forget,
  };
}

const slider = (caption: string, value: number) =>
  h("input", { type: "range", min: 0, max: 1000, step: 1, value, "aria-label": caption });
