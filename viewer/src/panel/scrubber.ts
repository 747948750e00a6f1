/** Plays the optimisation from its first snapshot to the result, or from an earlier map to this one. */
import type { App } from "../app.ts";
import type { View } from "../data/model.ts";
import { h, icon } from "./dom.ts";

/** Positions at a time: 0 is the first snapshot, the number of snapshots is the result; linear interpolation in between. */
export function positionsAt(view: View, time: number): Float32Array {
  const states = [...view.snapshots.map((s) => s.positions), view.positions];
  const place = Math.max(0, Math.min(states.length - 1, time));
  const before = Math.floor(place);
  const share = place - before;
  if (share === 0) return states[before]!;
  const [a, b] = [states[before]!, states[before + 1]!];
  const out = new Float32Array(a.length);
  for (let i = 0; i < a.length; i += 3) {
    const x = a[i]! + share * (b[i]! - a[i]!);
    const y = a[i + 1]! + share * (b[i + 1]! - a[i + 1]!);
    const z = a[i + 2]! + share * (b[i + 2]! - a[i + 2]!);
    const k = view.space === "sphere" ? 1 / (Math.hypot(x, y, z) || 1) : 1;
    out[i] = x * k;
    out[i + 1] = y * k;
    out[i + 2] = z * k;
  }
  return out;
}

export function scrubber(app: App): HTMLElement | null {
  const { store } = app;
  const length = Math.max(...app.panes.map((p) => p.view.snapshots.length));
  if (!length) return null;
  const longest = app.panes.find((p) => p.view.snapshots.length === length)!.view;
  const range = h("input", { type: "range", min: 0, max: length, step: 0.01, value: length, "aria-label": "Time" });
  const words = h("output", {});
  const play = h("button", { type: "button", class: "tool", "aria-label": "Play" }, icon("play"));
  /** The name of an earlier map, if it plays from one. */
  const earlier = longest.snapshots[0]?.name ?? null;
  const end = earlier === null ? "final map" : longest.name || "this map";
  /** What is shown at a time. */
  const named = (time: number) => {
    if (time >= length) return end;
    if (earlier !== null) return time > 0 ? `${earlier} → ${end}` : earlier;
    return `step ${longest.snapshots[Math.min(length - 1, Math.floor(time))]!.step}`;
  };
  let playing: { from: number; start: number; shown: number } | null = null;

  const show = () => {
    const { time } = store.state;
    range.value = String(time);
    words.textContent = named(time);
    range.setAttribute("aria-valuetext", words.textContent);
    for (const pane of app.panes) {
      const own = pane.view.snapshots.length;
      if (own) pane.setPositions(positionsAt(pane.view, (time / length) * own));
    }
  };
  const stop = () => {
    playing = null;
    play.replaceChildren(icon("play"));
    play.setAttribute("aria-label", "Play");
  };
  // Ten seconds for a whole optimisation, but at most half a second for each snapshot. From one map to another, the eye needs time.
  const duration = earlier === null ? Math.min(10_000, 500 * length) : 4000;
  const tick = () => {
    // Whoever sets another time takes over.
    if (playing && store.state.time !== playing.shown) stop();
    if (!playing) return;
    const time = playing.from + ((performance.now() - playing.start) / duration) * length;
    playing.shown = Math.min(length, time);
    store.set({ time: playing.shown });
    if (time >= length) stop();
    else requestAnimationFrame(tick);
  };
  play.addEventListener("click", () => {
    if (playing) return stop();
    const { time } = store.state;
    playing = { from: time >= length ? 0 : time, start: performance.now(), shown: time };
    play.replaceChildren(icon("pause"));
    play.setAttribute("aria-label", "Pause");
    tick();
  });
  range.addEventListener("input", () => {
    stop();
    store.set({ time: Number(range.value) });
  });
  store.on(["time"], show);
  if (store.state.time < length) show();
  else words.textContent = end;
  const what = earlier === null ? "Optimisation" : `From ${earlier} to ${end}`;
  return h("div", { class: "scrubber panel", role: "group", "aria-label": what }, play, range, words);
}
