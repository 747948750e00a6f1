/** The labels that a pane would show now if there were room for all. */
import { classAnchors, classCandidates, inSight } from "./draw/candidates.ts";
import { type Candidate, oneLine } from "./draw/labels.ts";
import type { Frame } from "./geometry/frame.ts";
import type { Pane } from "./pane.ts";

/** From this number of items on, names of classes label the map better than names of items. */
const MANY = 1500;
/** From this zoom on, items have labels in addition to the classes. */
const CLOSE = 3;
const MOST_ITEMS = 700;

export class Wishes {
  private anchors: Map<number, number> | null = null;
  private sight: { key: string; items: Uint32Array | null } = { key: "", items: null };

  constructor(private readonly pane: Pane) {}

  /** Positions or colours have changed. */
  forget(): void {
    this.anchors = null;
    this.sight.key = "";
  }

  of(frame: Frame): Candidate[] {
    const { app, view, positions } = this.pane;
    const { labels: mode, focus, hover, label } = app.store.state;
    if (mode === "none") return [];
    const coloring = app.coloring(view);
    const many = app.model.count > MANY && coloring.kind === "classes";
    // By key, so that the label of the item under the cursor replaces its normal label.
    const found = new Map<number, Candidate>();
    if (mode === "classes" || (mode === "auto" && many)) {
      this.anchors ??= classAnchors(coloring, positions, app.order);
      for (const c of classCandidates(coloring, this.anchors, positions, app.theme.dark, app.mask)) found.set(c.key, c);
    }
    // Row numbers are not useful as labels, so they are shown on request only.
    const named = !app.model.numbered || label !== null;
    if (mode === "items" || (mode === "auto" && named && (!many || frame.camera.zoom > CLOSE))) {
      for (const item of this.items(frame)) {
        if (app.mask && app.mask[item] !== 1) continue;
        found.set(item, this.candidate(frame, item, app.weights[item]!));
        if (found.size > MOST_ITEMS) break;
      }
    }
    for (const item of [focus, hover])
      if (item >= 0) found.set(item, { ...this.candidate(frame, item, 1), first: true });
    return [...found.values()];
  }

  private candidate(frame: Frame, item: number, weight: number): Candidate {
    const { pane } = this;
    return {
      key: item,
      text: oneLine(pane.app.name(item)),
      position: pane.place(item),
      weight,
      clear: pane.radiusOf(frame, item),
    };
  }

  /** The items that may get a label; updated when the camera comes to rest at another view. */
  private items(frame: Frame): Uint32Array {
    const { app, camera, moving, view } = this.pane;
    const key = [...camera.orientation, camera.zoom, camera.panX, camera.panY].map((x) => x.toFixed(3)).join();
    if (view.space !== "space" && key !== this.sight.key && !moving) {
      this.sight = { key, items: inSight(frame, this.pane.cells, app.weights) };
    }
    return this.sight.items ?? app.top;
  }
}
