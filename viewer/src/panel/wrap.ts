/** Wraps a flat map around the globe, in one movement: where it was crowded becomes visible. */
import type { App } from "../app.ts";
import { sheet, wrapped } from "../geometry/wrapping.ts";
import { h } from "./dom.ts";

/** Time of the whole movement, and of the rest at its begin, in milliseconds. */
const TIME = 8000;
const REST = 1200;

const ease = (t: number) => t * t * (3 - 2 * t);

/** Null if there is no flat map. */
export function wrap(app: App): HTMLButtonElement | null {
  const globe = app.panes.find((pane) => pane.sphere);
  const flat = app.model.views.find((view) => view.space === "plane") ?? app.model.flat;
  if (!globe || !flat) return null;
  let playing = 0;
  let flattened = false;
  const end = Math.max(...app.model.views.map((view) => view.snapshots.length));
  // The optimisation and this movement end each other: both say where the items are.
  app.store.on(["time"], () => playing++);
  const play = () => {
    app.store.set({ time: end });
    const run = ++playing;
    const { positions } = globe.view;
    app.announce(`${flat.name} wraps around the globe of ${globe.view.name}`);
    const from = sheet(flat.positions, positions, globe.camera.orientation);
    if (app.reducedMotion) {
      // Without motion, a flat map that is not there already is shown until the next press.
      flattened = flat === app.model.flat && !flattened;
      const shown = flattened ? wrapped(from, positions, 0, new Float32Array(positions.length)) : positions;
      return globe.setPositions(shown);
    }
    const start = performance.now();
    const step = () => {
      if (run !== playing) return;
      const t = Math.max(0, Math.min(1, (performance.now() - start - REST) / (TIME - REST)));
      globe.setPositions(t < 1 ? wrapped(from, positions, ease(t), new Float32Array(positions.length)) : positions);
      if (t < 1) requestAnimationFrame(step);
    };
    step();
  };
  return h(
    "button",
    {
      type: "button",
      class: "plain facts-button",
      title: `${flat.name} becomes ${globe.view.name} (W)`,
      "aria-keyshortcuts": "W",
      click: play,
    },
    "From flat to globe",
  );
}
