/** A histogram of a number column that filters: by dragging over its bars, or by two sliders, also with the keyboard. */
import type { App } from "../app.ts";
import { type RampColoring, rampPlace, rampValue } from "../color/coloring.ts";
import { formatNumber } from "../data/model.ts";
import { FILTERS } from "../state.ts";
import { h } from "./dom.ts";

const BINS = 48;
/** No bin: a missing value. */
const NONE = 255;
/** Positions of the sliders. */
const STEPS = 1000;
/** A press that moves by less, as a share of the width, is a click. */
const CLICK = 0.015;

export interface Histogram {
  /** The bars with their sliders, and the range in words. */
  elements: HTMLElement[];
  /** Draws the bars again, after a change of colours. */
  draw: () => void;
  /** Removes the listeners. */
  forget: () => void;
}

/** Bars of all items are faint, and those of the highlighted items are above them. `caption` begins the names of the sliders. */
export function histogram(
  app: App,
  scale: RampColoring,
  caption: string,
  color: (place: number) => string,
  colorBar: boolean,
): Histogram {
  const { store } = app;
  const { column } = scale;
  const binOf = Uint8Array.from(column.values as ArrayLike<number>, (value) => {
    const place = rampPlace(scale, value);
    return place >= 0 && place <= 1 ? Math.min(BINS - 1, Math.floor(place * BINS)) : NONE;
  });
  const counted = (mask: Uint8Array | null) => {
    const counts = new Uint32Array(NONE + 1);
    for (let item = 0; item < binOf.length; item++) if (!mask || mask[item]) counts[binOf[item]!]!++;
    return counts.subarray(0, BINS);
  };
  const all = counted(null);
  const most = Math.max(1, ...all);
  const canvas = h("canvas", { class: "histogram", width: 2 * 4 * BINS, height: 96, "aria-hidden": "true" });
  const slider = (name: string, value: number) =>
    h("input", { type: "range", min: 0, max: STEPS, step: 1, value, "aria-label": `${caption}${name}` });
  const low = slider(caption ? "smallest value shown" : "Smallest value shown", 0);
  const high = slider(caption ? "largest value shown" : "Largest value shown", STEPS);
  const words = h("p", { class: "range" });

  const draw = () => {
    const c = canvas.getContext("2d")!;
    const { width, height } = canvas;
    const foot = colorBar ? 12 : 4;
    c.clearRect(0, 0, width, height);
    // The square root makes rare values visible next to common ones.
    const tall = (count: number) => (count ? Math.max(3, Math.sqrt(count / most) * (height - foot - 2)) : 0);
    const shown = app.mask ? counted(app.mask) : all;
    for (let k = 0; k < BINS; k++) {
      const place = (k + 0.5) / BINS;
      const inside = place >= Number(low.value) / STEPS && place <= Number(high.value) / STEPS;
      c.fillStyle = color(place);
      for (const [count, alpha] of [
        [all[k]!, 0.22],
        [shown[k]!, 1],
      ] as const) {
        c.globalAlpha = alpha;
        c.fillRect((k * width) / BINS, height - foot - tall(count), width / BINS - 1, tall(count));
      }
      c.globalAlpha = inside ? 1 : 0.22;
      if (colorBar) c.fillRect((k * width) / BINS, height - 9, width / BINS + 0.5, 9);
    }
  };
  const tell = () => {
    const [a, b] = [low, high].map((s) =>
      formatNumber(Number(rampValue(scale, Number(s.value) / STEPS).toPrecision(4)), column.years),
    );
    words.replaceChildren(h("span", {}, a!), h("span", {}, scale.logarithmic ? "log scale" : ""), h("span", {}, b!));
    low.setAttribute("aria-valuetext", a!);
    high.setAttribute("aria-valuetext", b!);
  };
  const change = () => {
    const [a, b] = [Number(low.value), Number(high.value)];
    const ranges = new Map(store.state.ranges);
    if (a <= 0 && b >= STEPS) ranges.delete(column.name);
    else {
      // At the ends use the exact extremes, so that rounding excludes no item.
      const from = a <= 0 ? column.low : rampValue(scale, a / STEPS);
      ranges.set(column.name, [from, b >= STEPS ? column.high : rampValue(scale, b / STEPS)]);
    }
    store.set({ ranges });
  };
  low.addEventListener("input", () => {
    if (Number(low.value) > Number(high.value)) low.value = high.value;
    change();
  });
  high.addEventListener("input", () => {
    if (Number(high.value) < Number(low.value)) high.value = low.value;
    change();
  });
  const placeOf = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
  };
  canvas.addEventListener("pointerdown", (pressed) => {
    const start = placeOf(pressed);
    canvas.setPointerCapture(pressed.pointerId);
    const dragged = (event: PointerEvent) => {
      const end = placeOf(event);
      // A click without a drag shows everything again.
      const whole = Math.abs(end - start) < CLICK;
      low.value = String(whole ? 0 : Math.round(STEPS * Math.min(start, end)));
      high.value = String(whole ? STEPS : Math.round(STEPS * Math.max(start, end)));
      change();
    };
    const ended = (event: PointerEvent) => {
      if (event.type === "pointerup") dragged(event);
      canvas.removeEventListener("pointermove", dragged);
    };
    canvas.addEventListener("pointermove", dragged);
    canvas.addEventListener("pointerup", ended, { once: true });
    canvas.addEventListener("pointercancel", ended, { once: true });
  });
  const follow = () => {
    const range = store.state.ranges.get(column.name);
    const places = range ? range.map((value) => Math.round(STEPS * rampPlace(scale, value))) : [0, STEPS];
    low.value = String(places[0]);
    high.value = String(places[1]);
    draw();
    tell();
  };
  follow();
  return {
    elements: [h("div", { class: "bars" }, canvas, low, high), words],
    draw,
    forget: store.on(FILTERS, follow),
  };
}
